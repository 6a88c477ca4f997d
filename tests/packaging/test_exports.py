"""What `import cleanbreak` gives, and what it costs."""

import subprocess
import sys

import pytest

import cleanbreak

HEAVY = {
    "bpe_openai", "chardet", "concurrent", "fastapi", "filelock", "httpx", "lxml", "multiprocessing",
    "keyring", "numpy", "onnx", "onnxruntime", "platformdirs", "pyarrow", "pydantic", "pypdfium2", "pyromark", "rich", "selectolax", "sqlite3",
    "subprocess", "tiktoken", "tokenizers", "transformers", "tree_sitter", "typer", "watchfiles", "yaml",
}  # fmt: skip
OUTER_RINGS = {
    "adapters", "cli", "engines", "export", "mcp", "processes", "providers", "readers", "retrieval",
    "storage", "stores", "tokenizers", "vaults", "web", "worlds",
}  # fmt: skip


def test_all_is_sorted_and_real():
    assert cleanbreak.__all__ == sorted(cleanbreak.__all__)
    assert set(cleanbreak.__all__) <= set(dir(cleanbreak))
    for name in cleanbreak.__all__:
        assert getattr(cleanbreak, name) is not None


def test_the_public_names_are_these():
    """A name that is added or dropped is a decision, and shows here."""
    assert [name for name in cleanbreak.__all__ if name[0].isupper()] == [
        "BoundarySplitter", "Chunk", "CleanbreakError", "CodeSplitter", "Document", "Heading", "HeadingPath", "Hit", "Index",
        "KeyScheduler", "Limits", "MarkdownSplitter", "Metadata", "Recipe", "Section", "SentenceSplitter",
        "Source", "SourceWarning", "Span", "Splitter", "TokenSplitter", "Vault", "World",
    ]  # fmt: skip
    assert [name for name in cleanbreak.__all__ if name[0].islower()] == [
        "catalogue", "chunk_text_by_tokens", "clauses", "clear_cache", "combine_chunk_vectors",
        "embed_long_texts", "embedding_chunk_budget", "estimate_tokens", "find_split_point",
        "is_hard_wrapped", "iter_sentences", "make_embedder", "make_splitter", "make_token_counter", "read",
        "register_reader", "sentences", "split", "split_many", "to_html",
    ]  # fmt: skip


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        cleanbreak.no_such_name  # noqa: B018


def test_import_loads_the_core_and_no_reader_tokenizer_web_or_model_library():
    code = "import sys, cleanbreak; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert HEAVY.isdisjoint(module.partition(".")[0] for module in loaded)
    assert OUTER_RINGS.isdisjoint(m.split(".")[1] for m in loaded if m.startswith("cleanbreak."))
