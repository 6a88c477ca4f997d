"""The application: the guard around the page's files and its interface."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import unknown
from cleanbreak.web.guard import Access, Guard
from cleanbreak.web.routes.table import ENDPOINTS
from cleanbreak.web.static_files import StaticFiles


def make_app(desk: Desk, access: Access) -> ASGIApp:
    """The page for what lies on `desk`, for those who `access` lets in."""
    static = StaticFiles()
    app = Starlette(
        routes=[
            Route("/", static.index),
            Route(static.prefix + "/{path:path}", static.file),
            *(endpoint.route(desk) for endpoint in ENDPOINTS),
        ],
        exception_handlers={HTTPException: unknown},
    )
    return Guard(app, access)
