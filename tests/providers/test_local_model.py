"""Models in folders: the laws of their vectors, on a tiny model that the tests make."""

import os
import random
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra local is not installed")
pytest.importorskip("onnx", reason="the extra local is not installed")
pytest.importorskip("onnxruntime", reason="the extra local is not installed")
pytest.importorskip("tokenizers", reason="the extra local is not installed")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import cleanbreak as cb
from bookshelf import write_books
from cleanbreak import errors
from cleanbreak.providers.embedding import make_embedder
from cleanbreak.providers.local.onnx import LocalEmbedder
from providers.tiny_model import DIMENSIONS, VOCABULARY, WORDS, table, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def embedder(folder: Path) -> LocalEmbedder:
    return make_embedder(folder)


def expected(*tokens: str) -> np.ndarray:
    mean = table()[[VOCABULARY.get(token, 0) for token in tokens]].mean(axis=0)
    return mean / np.linalg.norm(mean)


def texts_of(count: int, most: int = 6) -> list[str]:
    chance = random.Random(7)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, most))) for _ in range(count)]


def test_a_vector_is_the_mean_of_the_tokens_with_length_1(embedder: LocalEmbedder) -> None:
    (vector,) = embedder.embed(["sea storm"])
    np.testing.assert_allclose(vector, expected("[CLS]", "sea", "storm", "[SEP]"), atol=1e-6)
    assert vector.dtype == np.float32


@pytest.mark.parametrize("pooled", [False, True])
def test_a_text_has_the_same_vector_alone_and_in_any_batch(pooled: bool, tmp_path: Path) -> None:
    """Texts are sorted by length and padded on the way; neither shows."""
    embedder = make_embedder(write_model(tmp_path, pooled=pooled))
    texts = texts_of(50)
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    order = random.Random(1).sample(range(50), 50)
    shuffled = embedder.embed([texts[place] for place in order])
    np.testing.assert_allclose(shuffled, together[order], atol=1e-6)


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=40))
def test_vectors_come_in_the_order_of_the_texts(
    embedder: LocalEmbedder, drawn: list[list[str]]
) -> None:
    vectors = embedder.embed([" ".join(words) for words in drawn])
    right = [expected("[CLS]", *words, "[SEP]") for words in drawn]
    np.testing.assert_allclose(vectors, np.stack(right), atol=1e-5)


def test_no_texts_have_no_vectors(embedder: LocalEmbedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_queries_and_documents_have_their_prefixes(tmp_path: Path) -> None:
    import msgspec

    embedder = make_embedder(write_model(tmp_path))
    embedder.profile = msgspec.structs.replace(
        embedder.profile, query_prefix="road ", document_prefix="town "
    )
    for kind, word in (("query", "road"), ("document", "town")):
        (vector,) = embedder.embed(["sea"], kind)
        np.testing.assert_allclose(vector, expected("[CLS]", word, "sea", "[SEP]"), atol=1e-6)


# --- length ---------------------------------------------------------------------------------------


def test_a_text_that_is_too_long_is_refused_and_never_truncated(embedder: LocalEmbedder) -> None:
    """The model takes 8 tokens, two of which are special; the tokenizer's file says 4."""
    assert len(embedder.embed(["sea " * 6])) == 1
    with pytest.raises(errors.EmbeddingTooLargeError) as caught:
        embedder.embed(["sea", "sea " * 7])
    details = caught.value.details
    assert (details["index"], details["tokens"], details["max_input_tokens"]) == (1, 9, 8)


@pytest.mark.parametrize("special", [True, False])
def test_a_text_that_is_too_long_is_cut_and_combined_where_it_may_be(
    special: bool, tmp_path: Path
) -> None:
    """Every token counts once; texts beside it are as ever."""
    embedder = make_embedder(
        write_model(tmp_path, special=special), max_length_policy="split_and_combine"
    )
    words = (WORDS * 3)[:15]
    size = 6 if special else 8
    pieces = [words[at : at + size] for at in range(0, 15, size)]
    ends = (("[CLS]",), ("[SEP]",)) if special else ((), ())
    parts = [expected(*ends[0], *piece, *ends[1]) for piece in pieces]
    mean = np.average(parts, axis=0, weights=[len(piece) for piece in pieces])
    short, long = embedder.embed(["sea", " ".join(words)])
    np.testing.assert_allclose(long, mean / np.linalg.norm(mean), atol=1e-6)
    np.testing.assert_allclose(short, expected(*ends[0], "sea", *ends[1]), atol=1e-6)


def test_the_last_word_of_a_long_text_changes_its_vector(tmp_path: Path) -> None:
    embedder = make_embedder(write_model(tmp_path), max_length_policy="split_and_combine")
    first, second = embedder.embed(["sea " * 100 + "hill", "sea " * 100 + "bell"])
    assert not np.allclose(first, second, atol=1e-4)


@pytest.mark.parametrize(("says", "most"), [(None, 512), (8, 8), (0, 512)])
def test_the_configuration_says_how_much_a_model_takes(
    says: int | None, most: int, tmp_path: Path
) -> None:
    assert make_embedder(write_model(tmp_path, most_tokens=says)).profile.max_input_tokens == most


# --- the folder -----------------------------------------------------------------------------------


def test_a_folder_is_named_by_a_path_or_a_string(folder: Path) -> None:
    by_path, by_string = make_embedder(folder), make_embedder(str(folder))
    assert by_path.profile == by_string.profile
    assert by_path.profile.model_id == f"folder/{folder.name}"
    assert by_path.profile.dimensions == DIMENSIONS
    assert by_path.profile.unit == "passages"
    assert make_embedder(folder, unit="chunk").profile.unit == "chunk"


def test_other_weights_are_another_profile(tmp_path: Path) -> None:
    first = make_embedder(write_model(tmp_path / "a" / "m"))
    same = make_embedder(write_model(tmp_path / "b" / "m"))
    other = make_embedder(write_model(tmp_path / "c" / "m", pooled=True))
    assert first.profile.key == same.profile.key
    assert first.profile.key != other.profile.key


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "empty", "torn", "of another kind"])
def test_a_folder_that_is_damaged_is_an_error_that_names_the_file(
    name: str, damage: str, tmp_path: Path
) -> None:
    path = write_model(tmp_path / "secret-folder") / name
    data = path.read_bytes()
    path.unlink()
    if damage != "missing":
        torn = {"empty": b"", "torn": data[: len(data) // 2], "of another kind": b"%PDF-1.4\n"}
        path.write_bytes(torn[damage])
    with pytest.raises(errors.ModelMalformedError) as caught:
        make_embedder(path.parent)
    assert caught.value.details["name"] == name
    assert "secret-folder" not in str(caught.value)


def test_a_tokenizer_of_another_model_is_an_error_of_ours(tmp_path: Path) -> None:
    """It gives tokens that the model does not have."""
    from tokenizers import Tokenizer

    embedder = make_embedder(write_model(tmp_path))
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    tokenizer.add_tokens(["comet"])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    embedder = make_embedder(tmp_path)
    assert len(embedder.embed(["sea"])) == 1
    with pytest.raises(errors.EmbedderError, match="belong together") as caught:
        embedder.embed(["comet"])
    assert "comet" not in str(caught.value.as_dict())


def test_a_folder_without_a_model_is_no_embedder(tmp_path: Path) -> None:
    with pytest.raises(errors.ModelMalformedError, match="model\\.onnx"):
        make_embedder(tmp_path)
    with pytest.raises(errors.CleanbreakError):
        make_embedder(tmp_path / "nothing")


def test_a_text_without_tokens_is_an_error_and_no_vector(tmp_path: Path) -> None:
    embedder = make_embedder(write_model(tmp_path, special=False))
    with pytest.raises((errors.EmbeddingInvalidError, errors.EmbedderError)):
        embedder.embed(["   "])


# --- a world --------------------------------------------------------------------------------------


def test_a_world_is_embedded_by_a_folder_and_knows_it_again(tmp_path: Path) -> None:
    """A chunk that is too long for the model fails alone; the same weights elsewhere are the same."""
    model = write_model(tmp_path / "m", most_tokens=35)
    text = "The sea was calm that night. " * 30 + "bell " * 400
    world = cb.World.create(tmp_path / "w", settings={"chunk_size": 150, "overlap_size": 0})
    world.ingest(write_books(tmp_path / "in", sea=text))
    assert world.embed(model).state == "paused"
    (book,) = world.status().books
    progress = book.stages["embeddings"]
    assert progress is not None
    assert 0 < progress.failed < progress.done
    longer = write_model(tmp_path / "elsewhere" / "m", most_tokens=60)
    assert cb.World.open(tmp_path / "w").embed(longer).state == "completed"
    (hit, *_) = world.search("bell", mode="vectors", limit=1)
    assert "bell" in hit.text
    with pytest.raises(errors.EmbedderNeededError):
        cb.World.open(tmp_path / "w").embed()


# --- objects --------------------------------------------------------------------------------------


class Encodes:
    """As sentence-transformers has it."""

    model_id = "somebody/model"

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array([[len(text), 1.0, 2.0] for text in texts])


class Embeds:
    """As fastembed has it: a generator, and a method of its own for queries."""

    model_name = "somebody/quick"

    def embed(self, texts: list[str]):
        yield from (np.array([len(text), 1.0], np.float32) for text in texts)

    def query_embed(self, texts: list[str]):
        yield from (np.array([-len(text), 1.0], np.float32) for text in texts)


class Documents:
    """As LangChain has it."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[len(text), 3.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [-len(text), 3.0]


@pytest.mark.parametrize(
    ("model", "name", "dimensions"),
    [(Encodes(), "somebody/model", 3), (Embeds(), "somebody/quick", 2)],
)
def test_an_object_is_known_by_its_name_and_asked_once(
    model: object, name: str, dimensions: int
) -> None:
    embedder = make_embedder(model)
    assert (embedder.profile.model_id, embedder.profile.dimensions) == (name, dimensions)
    vectors = embedder.embed(["a", "bb"])
    assert vectors.shape == (2, dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedder.embed([]).shape == (0, dimensions)


def test_a_method_for_queries_is_used_for_queries() -> None:
    embedder = make_embedder(Embeds())
    assert embedder.embed(["abc"])[0][0] > 0
    assert embedder.embed(["abc"], "query")[0][0] < 0


def test_a_method_for_one_query_is_used_as_well() -> None:
    """LangChain's `embed_query` takes one text; documents were asked for instead of it."""
    embedder = make_embedder(Documents(), name="mine")
    assert embedder.profile.model_id == "mine"
    assert embedder.embed(["abc"])[0][0] > 0
    assert embedder.embed(["abc", "d"], "query")[:, 0].max() < 0


def test_an_object_without_a_name_must_be_given_one() -> None:
    with pytest.raises(errors.SettingsError, match="name"):
        make_embedder(Documents())


@pytest.mark.parametrize("spec", [None, 7, object(), Encodes, lambda texts: texts])
def test_what_makes_no_vectors_is_refused(spec: object) -> None:
    with pytest.raises(errors.SettingsError):
        make_embedder(spec)


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([[1.0, 2.0]], errors.EmbeddingMismatchError),
        ([[1.0, 2.0], [1.0]], errors.EmbeddingInvalidError),
        ([[1.0, 2.0, 3.0]] * 2, errors.EmbeddingInvalidError),
        ([["a", "b"]] * 2, errors.EmbeddingInvalidError),
        ([[0.0, 0.0]] * 2, errors.EmbeddingInvalidError),
        ([[float("inf"), 0.0]] * 2, errors.EmbeddingInvalidError),
        (None, errors.EmbedderError),
        (5, errors.EmbedderError),
    ],
)
def test_what_an_object_gives_is_checked(rows: object, error: type[Exception]) -> None:
    class Odd:
        name = "odd"

        def embed(self, texts: list[str]) -> object:
            return [[1.0, 2.0]] if texts == ["dimensions"] else rows

    with pytest.raises(error):
        make_embedder(Odd()).embed(["a", "b"])


def test_an_exception_of_an_object_is_ours_and_holds_no_text() -> None:
    class Fails:
        name = "fails"

        def encode(self, texts: list[str]) -> object:
            if texts == ["dimensions"]:
                return [[1.0]]
            raise RuntimeError("secret " + os.fspath("/home/somebody"))

    with pytest.raises(errors.EmbedderError) as caught:
        make_embedder(Fails()).embed(["secret"])
    assert "secret" not in str(caught.value.as_dict())
    assert caught.value.details == {"kind": "RuntimeError", "texts": 1}
