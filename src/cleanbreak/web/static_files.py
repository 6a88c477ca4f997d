"""The files of the page, read once from the package, under names that change with their content."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

# Where they lie: packages, and folders in them.
_FOLDERS = (("cleanbreak.web", "static"), ("cleanbreak.export", "page"))
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_FOR_EVER = "public, max-age=31536000, immutable"
_INDEX, _PREFIX = "index.html", b"{{static}}"


class StaticFiles:
    """All files by their path below ``static/``. No request names a path of the disk."""

    def __init__(self) -> None:
        self._files = {
            path: data for package, name in _FOLDERS for path, data in _files(package, name)
        }
        digest = hashlib.sha256(repr(sorted(self._files.items())).encode()).hexdigest()
        self.prefix = f"/static/{digest[:12]}"
        self._files[_INDEX] = self._files[_INDEX].replace(_PREFIX, self.prefix.encode())

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(map(len, self._files.values()))

    async def index(self, _request: Request) -> Response:
        """The page itself; its name never changes, so it is not cached."""
        return Response(self._files[_INDEX], media_type=_TYPES[".html"])

    async def file(self, request: Request) -> Response:
        """One of its files."""
        path = request.path_params["path"]
        data, kind = self._files.get(path), _TYPES.get("." + path.rpartition(".")[2])
        if data is None or kind is None or path == _INDEX:
            raise HTTPException(404)
        return Response(data, media_type=kind, headers={"Cache-Control": _FOR_EVER})


def _files(package: str, name: str) -> Iterator[tuple[str, bytes]]:
    yield from _below(files(package) / name, "")


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{path}{entry.name}/")
        elif "." + entry.name.rpartition(".")[2] in _TYPES:
            yield path + entry.name, entry.read_bytes()
