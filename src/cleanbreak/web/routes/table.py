"""The table of routes: the application and the OpenAPI file are both made from it."""

from cleanbreak.web.routes import cutting, texts

ENDPOINTS = (*texts.ENDPOINTS, *cutting.ENDPOINTS)
