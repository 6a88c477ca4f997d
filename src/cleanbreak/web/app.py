"""The application: the guard around the page's files and its interface."""

from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import unknown
from cleanbreak.web.guard import Access, Guard
from cleanbreak.web.routes.table import ENDPOINTS
from cleanbreak.web.static_files import StaticFiles


async def _openapi(_request: Request) -> Response:
    """The description of the interface, as it lies in the package."""
    data = (files("cleanbreak.web") / "openapi.json").read_bytes()
    return Response(data, media_type="application/json")


def make_app(desk: Desk, access: Access) -> ASGIApp:
    """The page for what lies on `desk`, for those who `access` lets in."""
    static = StaticFiles()
    app = Starlette(
        routes=[
            Route("/", static.index),
            Route("/api/v1/openapi.json", _openapi),
            Route(static.prefix + "/{path:path}", static.file),
            *(endpoint.route(desk) for endpoint in ENDPOINTS),
        ],
        exception_handlers={HTTPException: unknown},
    )
    return Guard(app, access)
