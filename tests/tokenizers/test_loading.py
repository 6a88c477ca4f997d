"""What a measure may be, and what it counts: the text alone, whatever the tokenizer is set to."""

import builtins
import pickle

import pytest

from cleanbreak import TokenSplitter
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.splitters import splitter_for
from cleanbreak.errors import DependencyMissingError, MeasureError, SettingsError
from tokenizers_for_tests import MAKE, byte_bpe, cl100k, tiktoken_cl100k, word_piece

LONG = "word " * 400

pytestmark = pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning")


def test_truncation_and_padding_are_switched_off_on_a_copy():
    """Public files ship truncation at 128; the caller's tokenizer keeps its own settings."""
    tokenizer = word_piece()
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=64)
    assert as_measure(tokenizer)(LONG) == 400 * as_measure(tokenizer)("word")
    assert as_measure(tokenizer)("") == 0
    assert len(tokenizer.encode(LONG)) == 64
    chunks = TokenSplitter(64, tokenizer).split(LONG)
    assert all(chunk.token_count <= 64 for chunk in chunks)
    assert len(chunks) > 5


@pytest.mark.parametrize("kind", ["cl100k", "tiktoken", "byte bpe"])
def test_special_tokens_in_the_text_are_plain_text(kind):
    """They neither crash the tokenizer nor count as one."""
    assert as_measure(MAKE[kind]())("<|endoftext|>") > 1


def test_special_tokens_are_not_added():
    """The text alone is counted, without [CLS] and [SEP]."""
    from tokenizers.processors import BertProcessing

    tokenizer = word_piece()
    tokenizer.post_processor = BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    plain = as_measure(word_piece())
    assert as_measure(tokenizer)("the stair") == plain("the stair")
    assert as_measure(tokenizer)("[CLS]") > 1


def test_a_file_and_its_tokenizer_are_one_measure(tmp_path):
    """Same counts and same name, wherever the file lies, whatever its truncation."""
    tokenizer = byte_bpe()
    path, other = tmp_path / "tokenizer.json", tmp_path / "other.json"
    tokenizer.save(str(path))
    tokenizer.enable_truncation(8)
    tokenizer.save(str(other))
    measures = [as_measure(spec) for spec in (tokenizer, path, str(path), str(other))]
    assert len({measure.name for measure in measures}) == 1
    assert measures[0].name.startswith("tokenizers:sha256:")
    assert {measure(LONG) for measure in measures} == {as_measure(tokenizer)(LONG)}


def test_another_vocabulary_is_another_measure():
    """The name says what decides the counts, and splitters compare their measures."""
    tokenizer = word_piece()
    one, other = as_measure(tokenizer), as_measure(word_piece(lowercase=False))
    assert one.name != other.name
    assert one != other
    assert TokenSplitter(5, tokenizer) == TokenSplitter(5, one) != TokenSplitter(5, other)


@pytest.mark.parametrize("content", [None, "{}", "not json", '{"version": "1.0"}'])
def test_a_path_that_is_no_tokenizer_is_refused_without_its_folder(tmp_path, content):
    """When the splitter is built, and naming the file only."""
    path = tmp_path / "secret-folder" / "tokenizer.json"
    path.parent.mkdir()
    if content is not None:
        path.write_text(content)
    with pytest.raises(SettingsError) as caught:
        TokenSplitter(10, path)
    assert "secret-folder" not in str(caught.value)


def test_names_of_encodings():
    """`tiktoken:NAME` works offline where bpe_openai carries the table; the name is its identity."""
    named = as_measure("tiktoken:cl100k_base")
    assert named.name == "tiktoken:cl100k_base" == as_measure(tiktoken_cl100k()).name
    assert named("naïve 東京 <|endoftext|>") == as_measure(tiktoken_cl100k())(
        "naïve 東京 <|endoftext|>"
    )
    with pytest.raises(SettingsError):
        as_measure("tiktoken:no_such_encoding")


def test_an_encoding_of_ones_own_has_no_name():
    """Its tables are not known elsewhere, so what it cuts cannot be locked."""
    import tiktoken

    own = tiktoken.Encoding("mine", pat_str=".", mergeable_ranks={bytes([b]): b for b in range(256)}, special_tokens={})  # fmt: skip
    measure = as_measure(own)
    assert measure.name is None
    assert measure.adds_up is None
    assert measure("abc") == 3
    assert not TokenSplitter(5, own).recipe.lockable
    assert TokenSplitter(5, own) == TokenSplitter(5, own)


@pytest.mark.parametrize(
    ("spec", "missing", "extra"),
    [
        ("tiktoken:p50k_base", "tiktoken", "tiktoken"),
        ("tokenizer.json", "tokenizers", "tokenizers"),
    ],
)
def test_a_missing_library_is_named(monkeypatch, tmp_path, spec, missing, extra):
    """With the extra to install."""
    (tmp_path / "tokenizer.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    real = builtins.__import__

    def without(name, *rest):
        if name.split(".")[0] == missing:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DependencyMissingError, match="pip install") as caught:
        as_measure(spec)
    assert caught.value.details == {"package": missing, "extra": extra}


def test_a_table_that_cannot_be_downloaded_is_one_error(monkeypatch):
    """It says what to do, and shows nothing of the network stack's own error."""
    import tiktoken

    def offline(name):
        raise OSError("https://secret.example/token")

    monkeypatch.setattr(tiktoken, "get_encoding", offline)
    with pytest.raises(MeasureError, match="TIKTOKEN_CACHE_DIR") as caught:
        as_measure("tiktoken:p50k_base")
    assert "secret" not in str(caught.value)


class FastTransformer:
    """What a fast tokenizer of transformers has."""

    def __init__(self):
        self.backend_tokenizer = word_piece()
        self.backend_tokenizer.enable_truncation(4)

    def __call__(self, text):
        raise AssertionError("it would truncate, and add special tokens")


class SlowTransformer:
    """What a tokenizer of transformers written in Python has."""

    def tokenize(self, text, *, split_special_tokens):
        assert split_special_tokens
        return text.split()

    def encode(self, text):
        raise AssertionError("it would truncate, and add special tokens")


def test_transformers_tokenizers_are_known_by_what_they_have():
    """A fast one by the tokenizer inside it, a slow one by its tokenize."""
    fast = FastTransformer()
    assert as_measure(fast)(LONG) == as_measure(fast.backend_tokenizer)(LONG) > 4
    assert as_measure(fast).name == as_measure(fast.backend_tokenizer).name
    assert as_measure(SlowTransformer())("a b c") == 3


@pytest.mark.parametrize("kind", sorted(MAKE))
def test_measures_travel_to_workers(kind):
    """Pickled ones count alike, under the same name, and are equal."""
    measure = as_measure(MAKE[kind]())
    again = pickle.loads(pickle.dumps(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert (again.name, again(LONG), again("naïve 東京")) == (
        measure.name,
        measure(LONG),
        measure("naïve 東京"),
    )


def test_a_failing_tokenizer_ends_as_one_error_without_text():
    """Tokenizers like to quote what they failed on."""

    class Failing:
        name = "mine"

        def encode_ordinary(self, text):
            raise ValueError(f"cannot encode {text}")

    def fail(text):
        raise ValueError(f"cannot count {text}")

    for spec in (Failing(), fail):
        with pytest.raises(MeasureError, match="ValueError") as caught:
            as_measure(spec)("the secret text")
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__


def test_a_tokenizer_that_cannot_be_copied_is_refused():
    """Counting with the original would mean changing it, or truncating."""

    class Custom:
        def to_str(self):
            raise Exception("Custom PreTokenizer cannot be serialized")  # noqa: TRY002 (as it does)

        def no_truncation(self):
            raise AssertionError("it is not ours to change")

    with pytest.raises(MeasureError, match="cannot be copied"):
        as_measure(Custom())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cl100k", "tiktoken", "word piece", "unigram"])
def test_long_texts_are_counted_in_bounded_pieces(kind):
    """Some tokenizers refuse a million characters, and some take quadratic time."""
    longest = 0
    measure = as_measure(MAKE[kind]())
    real = measure._count

    def record(text):
        nonlocal longest
        longest = max(longest, len(text))
        return real(text)

    measure._count = record
    text = "The keeper climbed the stair.\n\n" * 40_000
    whole = as_measure(MAKE["tiktoken" if kind == "cl100k" else kind]())._count
    assert measure(text) == whole(text)
    assert longest <= 100_000


def test_a_recipe_rebuilds_its_splitter_or_says_what_to_give_again():
    """A public measure by its name; a tokenizer of one's own must be given, and be the same one."""
    recipe = TokenSplitter(20, cl100k(), 3).recipe
    assert splitter_for(recipe).recipe == recipe
    mine = word_piece()
    own = TokenSplitter(20, mine).recipe
    with pytest.raises(SettingsError):
        splitter_for(own)
    with pytest.raises(SettingsError, match="as locked"):
        splitter_for(own, byte_bpe())
    assert splitter_for(own, mine).recipe == own
