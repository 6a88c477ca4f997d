"""A page on a small world, a vault and a file, asked without a browser."""

import pytest

starlette = pytest.importorskip("starlette", reason="needs the extra web")

from starlette.testclient import TestClient  # noqa: E402

import cleanbreak as cb  # noqa: E402
from cleanbreak.web.app import make_app  # noqa: E402
from cleanbreak.web.desk import Desk, WebLimits  # noqa: E402
from cleanbreak.web.guard import Access  # noqa: E402
from cleanbreak.web.places import Place  # noqa: E402

TOKEN = "t" * 43
ACCESS = Access(8765, TOKEN)
ORIGIN = "http://127.0.0.1:8765"

BOOK = (
    "Chapter 1\n\nThe lamp was lit. Nobody came, and nobody would.\n\n"
    "Chapter 2\n\nIn the morning a ferry left for Oslo. The lantern was cold.\n"
)


def client_for(desk, **headers):
    """A client that has the token, as a program has it."""
    app = make_app(desk, ACCESS)
    client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
    client.headers |= {"Authorization": f"Bearer {TOKEN}", **headers}
    return client


@pytest.fixture
def world_path(tmp_path):
    book = tmp_path / "oslo.txt"
    book.write_text(BOOK, encoding="utf-8")
    cb.World.create(tmp_path / "shelf", settings={"chunk_size": 60}).ingest(book)
    return tmp_path / "shelf"


@pytest.fixture
def vault_path(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "boats.md").write_text("# Boats\n\nSee [[oslo]] and [[nowhere]]. #sea\n", "utf-8")
    (folder / "oslo.md").write_text("A town with a ferry. #sea/north\n", "utf-8")
    cb.Vault.index(folder).close()
    return folder


@pytest.fixture
def desk(world_path, vault_path, tmp_path):
    file = tmp_path / "note.md"
    file.write_text("# Tea\n\nHot.\n", encoding="utf-8")
    desk = Desk(
        places=(Place("world", world_path), Place("vault", vault_path)),
        files=(file,),
        limits=WebLimits(body_bytes=200_000, seconds=20),
    )
    yield desk
    desk.close()


@pytest.fixture
def client(desk):
    return client_for(desk)


@pytest.fixture
def world_id(desk):
    return next(place.place_id for place in desk.places if place.kind == "world")


@pytest.fixture
def vault_id(desk):
    return next(place.place_id for place in desk.places if place.kind == "vault")
