"""The table of routes: the application and the OpenAPI file are both made from it."""

from cleanbreak.web.routes import cutting, notes, search, shelf, texts, work

ENDPOINTS = (
    *texts.ENDPOINTS,
    *cutting.ENDPOINTS,
    *shelf.ENDPOINTS,
    *search.ENDPOINTS,
    *notes.ENDPOINTS,
    *work.ENDPOINTS,
)
