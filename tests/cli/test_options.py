"""Options as they are typed: where they exist, what their help says, and what errors call them."""

import json
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner, Result

import cleanbreak as cb
from bookshelf import write_books
from cleanbreak.cli.app import GROUPS, PANELS, app
from cleanbreak.cli.options import reading_options, splitter_options
from cleanbreak.core.splitters import SPLITTERS
from notes import write_notes

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SPLITTER = {
    "--by", "--chunk-size", "--max-lookback", "--overlap", "--max-sentences", "--max-tokens",
    "--max-size", "--measure", "--merge-small", "--language", "--soft-wraps", "--oversize",
    "--separator", "--prefix", "--cross-chapters",
}  # fmt: skip


def cleanbreak(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)), env={"COLUMNS": "200"})


def option_names(command: str) -> set[str]:
    return {name for option in COMMANDS[command].params for name in option.opts}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("One here. Two here.\n", encoding="utf-8")
    return path


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    cb.World.create(tmp_path / "shelf").ingest(write_books(tmp_path / "in"))
    return tmp_path / "shelf"


# --- one declaration -----------------------------------------------------------------------------


def test_a_decorated_command_gets_the_options_that_were_given_and_no_others() -> None:
    """As one dict for each kind, beside the command's own options."""
    found: list[Any] = []
    small = typer.Typer()

    @small.command()
    @splitter_options()
    @reading_options("encoding")
    def work(
        place: str,
        *,
        splitter: dict[str, Any],
        reading: dict[str, Any],
        force: Annotated[bool, typer.Option("--force")] = False,
    ) -> None:
        found.append((place, splitter, reading, force))

    words = ["here", "--by", "tokens", "--overlap", "0", "--encoding", "latin2", "--force"]
    assert CliRunner().invoke(small, words).exit_code == 0
    assert CliRunner().invoke(small, ["there"]).exit_code == 0
    assert CliRunner().invoke(small, ["here", "--password", "x"]).exit_code == 2
    assert found == [
        ("here", {"by": "tokens", "overlap": 0}, {"encoding": "latin2"}, True),
        ("there", {}, {}, False),
    ]


@pytest.mark.parametrize("command", ["split", "ingest", "reingest"])
def test_every_command_that_cuts_takes_every_splitter_option(command: str) -> None:
    """`--merge-small` was once an option of `index` only."""
    assert option_names(command) >= SPLITTER


def test_index_takes_the_options_of_its_splitter() -> None:
    assert option_names("index") & SPLITTER == {
        "--chunk-size", "--overlap", "--measure", "--merge-small",
    }  # fmt: skip


def test_merge_small_reaches_the_splitter(tmp_path: Path) -> None:
    """Of files and of worlds."""
    (note,) = write_books(tmp_path / "in", note="# A\n\nOne.\n\n# B\n\nTwo.\n")
    words = ("--by", "markdown", "--merge-small", 50)
    apart = cleanbreak("split", note, "--by", "markdown", "--json").stdout
    joined = cleanbreak("split", note, *words, "--json").stdout
    assert (len(json.loads(apart)), len(json.loads(joined))) == (2, 1)
    assert cleanbreak("ingest", tmp_path / "w", note, *words).exit_code == 0
    assert cb.World.open(tmp_path / "w").settings.settings["merge_small"] == 50
    assert cleanbreak("reingest", tmp_path / "w", "--merge-small", 0).exit_code == 0
    assert cb.World.open(tmp_path / "w").settings.settings["merge_small"] == 0


# --- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), *((name,) for name in sorted(COMMANDS))])
def test_h_is_help(words: tuple[str, ...]) -> None:
    short, long = cleanbreak(*words, "-h"), cleanbreak(*words, "--help")
    assert (short.exit_code, short.output) == (0, long.output)
    assert "Usage" in short.output


def test_the_help_groups_the_commands_in_panels() -> None:
    """Each command under its panel, and none twice."""
    shown = cleanbreak("-h").output
    for panel, commands in PANELS.items():
        _, _, after = shown.partition(f"─ {panel} ─")
        within, _, _ = after.partition("╰")
        listed = [line.split()[1] for line in within.splitlines() if line.startswith("│ ")]
        names = [command.__name__.replace("_", "-") for command in commands]
        assert listed == names + [group.info.name for group in GROUPS.get(panel, ())]


def test_defaults_are_those_of_the_splitters() -> None:
    """Where the splitters differ, the help says which has which."""
    shown = " ".join(cleanbreak("split", "-h").output.replace("│", " ").split())
    assert f"[default: ({cb.BoundarySplitter().recipe.settings['chunk_size']})]" in shown
    assert "100 with boundary or markdown; 0 with code, sentences or tokens" in shown
    assert (
        "Maximum tokens per chunk, in units of --measure. With --by sentences or tokens." in shown
    )


def test_reingest_shows_no_defaults_as_the_world_has_settings() -> None:
    assert "[default" not in cleanbreak("reingest", "-h").output


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_help_text_is_a_sentence(name: str) -> None:
    """It starts with a capital letter, or a name in capitals, and ends with a full stop."""
    for option in COMMANDS[name].params:
        assert option.help, option.name
        if option.name != "help":
            assert option.help[0].isupper() or not option.help[0].isalpha(), option.help
            assert option.help.endswith("."), option.help


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--max-tokens 100", "--max-tokens needs --by sentences or tokens."),
        ("--by markdown --language en", "--language needs --by code or sentences."),
        ("--measure words", "--measure needs --by code, markdown, sentences or tokens."),
        ("--by tokens", "--by tokens needs --max-tokens and --measure."),
        ("--by tokens --measure words", "--by tokens needs --max-tokens."),
        ("--by sentences", "--by sentences needs --max-sentences or --max-tokens."),
        (
            "--by sentences --max-tokens 9 --overlap 200",
            "--overlap (in percent of a chunk) is 200,",
        ),
        ("--by tokens --max-tokens 9 --measure words --overlap -1", "--overlap (in tokens) is -1,"),
        ("--overlap -1", "--overlap (in characters or units of --measure) is -1,"),
        ("--chunk-size 0", "--chunk-size is 0, but it must be a whole number from 1 to"),
        ("--by magic", "--by is 'magic', but it must be one of 'boundary',"),
        ("--soft-wraps always", "--soft-wraps is 'always', but"),
        ("--encoding no-such", "--encoding is 'no-such', but"),
        ("--workers -1", "--workers is -1, but"),
    ],
)
def test_settings_errors_name_options_as_they_are_typed(
    book: Path, words: str, sentence: str
) -> None:
    """`settings is ['max_tokens'], but it must be those of the boundary splitter` helped nobody."""
    done = cleanbreak("split", book, *words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {sentence}")
    assert done.stderr.endswith("(SETTINGS_INVALID)\n")


@pytest.mark.parametrize("by", SPLITTERS)
def test_what_a_message_says_is_needed_is_enough(book: Path, by: str) -> None:
    """With every option that is asked for, one after the other, the splitter can be built."""
    words = ["--by", by]
    values = {"--max-sentences": "3", "--max-tokens": "9", "--measure": "words"}
    for _ in values:
        done = cleanbreak("split", book, *words)
        if done.exit_code == 0:
            break
        needed = next(name for name in values if name in done.stderr.partition("needs")[2])
        words += [needed, values[needed]]
    assert cleanbreak("split", book, *words).exit_code == 0


def test_worlds_name_options_too(shelf: Path) -> None:
    """Also where the splitter is the world's own."""
    done = cleanbreak("reingest", shelf, "--max-tokens", 9)
    assert (done.exit_code, done.stderr.partition(".")[0]) == (
        2, "error: --max-tokens needs --by sentences or tokens",
    )  # fmt: skip
    assert "--limit is 0" in cleanbreak("search", shelf, "sea", "--limit", 0).stderr


def test_a_setting_of_a_file_keeps_its_own_name(tmp_path: Path) -> None:
    """An error in config.toml is no error of an option."""
    write_notes(tmp_path, {"a.md": "x", ".cleanbreak/config.toml": "chunk_size = 0"})
    assert cleanbreak("index", tmp_path).stderr.startswith("error: chunk_size is 0")
    assert cleanbreak("index", tmp_path, "--chunk-size", 0).stderr.startswith("error: --chunk-size")


def test_json_errors_keep_the_name_of_the_setting(book: Path) -> None:
    """The message is for a person; `field` is for a program."""
    done = cleanbreak("split", book, "--chunk-size", 0, "--json")
    error = json.loads(done.stderr)["error"]
    assert error["message"].startswith("--chunk-size is 0")
    assert error["details"]["field"] == "chunk_size"


def test_json_as_a_word_to_search_for_is_no_option(tmp_path: Path) -> None:
    """Behind `--` it is part of the query, and the error stays a line for a person."""
    done = cleanbreak("search", tmp_path / "none", "--", "--json")
    assert (done.exit_code, done.stderr.startswith("error: ")) == (1, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("remove", "lib", "sherlock"),
            "'sherlock' is not the number of a book. `cleanbreak status",
        ),
        (("reingest", "lib", "--book", "x"), "'x' is not the number of a book."),
        (("split", "b.txt", "--chunk-size", "abc"), "'abc' is not a whole number."),
        (("search", "lib", "x", "-n", "1.5"), "'1.5' is not a whole number."),
        (("split", "b.txt", "--chunksize", "5"), "--chunk-size"),
    ],
)
def test_words_that_cannot_be_parsed_are_explained(words: tuple[str, ...], sentence: str) -> None:
    """In plain words: no "valid integer, unable to parse string as an integer"."""
    done = cleanbreak(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "Input should be" not in done.stderr


def test_a_world_in_the_current_folder_is_named(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cleanbreak ingest . book.txt` once said that '' is in use."""
    monkeypatch.chdir(book.parent)
    assert repr(book.parent.name) in cleanbreak("ingest", ".", "book.txt").stderr


def test_own_separators_are_typed_with_line_ends(tmp_path: Path) -> None:
    """Several, cleanest first; only for the splitter that has them."""
    path = tmp_path / "book.txt"
    path.write_text("One. Two.\n%%%\nThree four.\n\nFive six", encoding="utf-8", newline="")
    words = ["split", path, "--chunk-size", 24, "--max-lookback", 24, "--json"]
    given = ["--separator", r"\n%%%\n", "--separator", r"\n\n"]
    chunks = json.loads(cleanbreak(*words, *given).stdout)
    assert [chunk["chunk_text"] for chunk in chunks] == [
        "One. Two.\n%%%\n", "Three four.\n\nFive six",
    ]  # fmt: skip
    wrong = cleanbreak("split", path, "--by", "markdown", *given)
    assert wrong.exit_code != 0
    assert "--separator needs --by boundary" in wrong.output


def test_own_abbreviations_are_typed_one_by_one(tmp_path: Path) -> None:
    """Only for the splitter that has them."""
    path = tmp_path / "book.txt"
    path.write_text("See Qux. Nine. The pos. Ten.", encoding="utf-8")
    given = ["--abbreviation", "Qux", "--abbreviation", "pos."]
    words = ["split", path, "--by", "sentences", "--max-sentences", 1, "--json"]
    chunks = json.loads(cleanbreak(*words, *given).stdout)
    assert [chunk["chunk_text"] for chunk in chunks] == ["See Qux. Nine. ", "The pos. Ten."]
    wrong = cleanbreak("split", path, "--by", "boundary", *given)
    assert wrong.exit_code != 0
    assert "--abbreviation needs --by sentences" in wrong.output


def test_a_prefix_is_counted_with_each_chunk(tmp_path: Path) -> None:
    """As it is when the chunks are embedded with it."""
    book = tmp_path / "a.txt"
    book.write_text("One two three four five six seven.", encoding="utf-8")
    limits = ["--by", "tokens", "--max-tokens", "4", "--measure", "words"]
    result = cleanbreak("split", book, *limits, "--prefix", "query: ", "--json")
    assert [chunk["chunk_text"] for chunk in json.loads(result.stdout)] == [
        "One two three", " four five six", " seven."
    ]  # fmt: skip
    wrong = cleanbreak("split", book, "--prefix", "query: ")
    assert wrong.exit_code == 2
    assert "--prefix needs --by tokens" in wrong.output
