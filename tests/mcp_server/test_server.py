"""The MCP server, asked by the SDK's own client: in this process, and over standard input and output."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

import cleanbreak as cb
from cleanbreak.mcp import make_server
from cleanbreak.mcp.reading import MOST_CHARACTERS
from cleanbreak.mcp.shelf import Shelf

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

SAMPLES = Path(__file__).parents[2] / "samples"
PDF = SAMPLES / "the-keeper-of-sand-point.pdf"
LONG = "The keeper wrote a line.\n" * 2000


@pytest.fixture
def anyio_backend() -> str:
    """What the SDK is mostly run with."""
    return "asyncio"


@pytest.fixture(scope="session")
def places(tmp_path_factory) -> tuple[Path, Path]:
    """A world of two books, and a vault of two notes."""
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "long.txt").write_text(LONG, encoding="utf-8")
    cb.World.create(folder / "shelf").ingest([PDF, folder / "long.txt"])
    notes = folder / "notes"
    notes.mkdir()
    (notes / "Lamp.md").write_text("# Lamp\n\nIt burns oil. See [[Oil]].\n", encoding="utf-8")
    (notes / "Oil.md").write_text("# Oil\n\nFrom whales, once.\n", encoding="utf-8")
    cb.Vault.index(notes).close()
    return folder / "shelf", notes


@asynccontextmanager
async def asking(*paths: Path) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    async with Client(make_server(Shelf(paths))) as client:
        yield client


async def answer(client: Client, tool: str, **arguments: object) -> object:
    """What a tool answers; lists are wrapped by the protocol."""
    called = await client.call_tool(tool, arguments)
    assert not called.is_error, called.content
    found = called.structured_content
    return found["result"] if set(found) == {"result"} else found


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """The message with which a tool refuses."""
    called = await client.call_tool(tool, arguments)
    assert called.is_error
    return called.content[0].text


async def test_every_tool_only_reads(places):
    """And says so, and of what its arguments are."""
    async with asking(*places) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "search",
            "read_passage",
            "list_books",
            "list_chapters",
            "links",
            "backlinks",
        }
        for tool in tools.values():
            assert tool.annotations.read_only_hint
            assert tool.description
            assert tool.output_schema
        assert "never an instruction" in client.instructions
        assert "shelf, notes" in client.instructions


async def test_a_passage_is_exact_and_cited(places):
    """The text between the offsets of the book, by the citation of a search."""
    async with asking(*places) as client:
        found = await answer(client, "search", query="lighthouse", place="shelf", limit=2)
        text = cb.read(PDF).text
        for passage in found["passages"]:
            assert passage["text"] == text[passage["start"] : passage["end"]]
            assert passage["citation"].startswith("the-keeper-of-sand-point.pdf")
        assert found["complete"] is True
        read = await answer(
            client,
            "read_passage",
            place="shelf",
            source=found["passages"][0]["source"],
            start=found["passages"][0]["end"],
            end=found["passages"][0]["end"] + 50,
        )
        assert read["text"] == text[read["start"] : read["end"]]
        assert read["end"] - read["start"] == 50


async def test_a_search_of_all_places_takes_turns(places):
    """Scores of two places cannot be compared."""
    async with asking(*places) as client:
        found = await answer(client, "search", query="oil", limit=4)
        assert {passage["place"] for passage in found["passages"][:2]} == {"shelf", "notes"}
        note = next(each for each in found["passages"] if each["place"] == "notes")
        read = await answer(client, "read_passage", place="notes", source=note["source"])
        assert read["text"][note["start"] : note["end"]] == note["text"]


async def test_a_long_text_comes_in_several_answers(places):
    """Joined they are the text."""
    async with asking(*places) as client:
        pieces, start = [], 0
        while start is not None:
            read = await answer(client, "read_passage", place="shelf", source="2", start=start)
            assert len(read["text"]) <= MOST_CHARACTERS
            pieces.append(read["text"])
            start = read["next_start"]
        assert "".join(pieces) == LONG
        assert len(pieces) == 3


async def test_books_chapters_and_links_are_listed(places):
    """With what the other tools need to find them."""
    async with asking(*places) as client:
        books = await answer(client, "list_books")
        assert [(each["place"], each["source"]) for each in books["books"]] == [
            ("shelf", "1"),
            ("shelf", "2"),
            ("notes", "Lamp.md"),
            ("notes", "Oil.md"),
        ]
        assert books["next_offset"] is None
        chapters = await answer(client, "list_chapters", place="shelf", source="1")
        expected = [s for s in cb.read(PDF).sections if s.kind == "chapter"]
        assert [(c["title"], c["start"], c["end"]) for c in chapters] == [
            (section.title, *section.span) for section in expected
        ]
        [link] = await answer(client, "links", place="notes", note="Lamp")
        [back] = await answer(client, "backlinks", place="notes", note="Oil")
        assert link == back
        assert (link["note"], link["path"], link["line"]) == ("Lamp.md", "Oil.md", 3)


async def test_a_chunk_is_a_resource(places):
    """By place, book and number."""
    async with asking(*places) as client:
        [content] = (await client.read_resource("chunk://shelf/2/1")).contents
        assert LONG.startswith(content.text)
        assert content.text


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {"query": "oil", "place": "other"}, "'shelf', 'notes'"),
        ("read_passage", {"place": "shelf", "source": "9"}, "no book 9"),
        ("read_passage", {"place": "shelf", "source": "../1"}, "number of a book"),
        ("read_passage", {"place": "shelf", "source": "1", "start": 10**6}, "length of the text"),
        ("read_passage", {"place": "notes", "source": "../shelf/world.json"}, "no such note"),
        ("read_passage", {"place": "notes", "source": ".cleanbreak/index.sqlite"}, "no such note"),
        ("list_chapters", {"place": "notes", "source": "1"}, "vault of notes"),
        ("links", {"place": "shelf", "note": "Lamp"}, "world of books"),
    ],
)
async def test_a_refusal_says_what_to_do(places, tool, arguments, said):
    """And names no path of the machine."""
    async with asking(*places) as client:
        message = await refusal(client, tool, **arguments)
        assert said in message
        assert str(places[0].parent) not in message


async def test_a_limit_over_the_most_is_refused(places):
    """An answer cannot grow over what a model can take."""
    async with asking(*places) as client:
        assert "less than or equal to 20" in await refusal(client, "search", query="a", limit=500)


def written(place: Path) -> dict[Path, int]:
    """When each file was written; the shared memory of a database holds the locks of its readers."""
    files = (path for path in place.rglob("*") if path.is_file() and path.suffix != ".sqlite-shm")
    return {path: path.stat().st_mtime_ns for path in files}


async def test_nothing_is_written(places):
    """Not by any tool."""
    before = written(places[0])
    async with asking(*places) as client:
        await answer(client, "search", query="keeper")
        await answer(client, "list_books")
        await answer(client, "read_passage", place="shelf", source="1")
    assert written(places[0]) == before


def test_two_places_of_one_name_get_numbers(places):
    """So that each can be chosen."""
    assert Shelf([places[0], places[0]]).names == ("shelf", "shelf-2")


async def test_a_session_over_standard_input_and_output(places):
    """As an assistant has it: list, search, read on, cite."""
    command = [sys.executable, "-m", "cleanbreak", "mcp", *map(str, places)]
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(server) as client:
        books = await answer(client, "list_books", place="shelf")
        assert [book["source"] for book in books["books"]] == ["1", "2"]
        found = await answer(client, "search", query='"the lamp"', place="shelf", limit=1)
        [passage] = found["passages"]
        read = await answer(
            client,
            "read_passage",
            place=passage["place"],
            source=passage["source"],
            start=passage["start"],
            end=passage["end"],
        )
        assert read["text"] == passage["text"]
        assert read["citation"] == passage["citation"]
