"""What `import cleanbreak` gives, and what it costs."""

import subprocess
import sys

import cleanbreak

HEAVY = {
    "bpe_openai", "chardet", "fastapi", "httpx", "lxml", "numpy", "pyarrow", "pydantic",
    "pypdfium2", "pyromark", "rich", "selectolax", "sqlite3", "tiktoken", "tokenizers",
    "transformers", "typer", "watchfiles", "yaml",
}  # fmt: skip


def test_all_is_sorted_and_real():
    assert cleanbreak.__all__ == sorted(cleanbreak.__all__)
    for name in cleanbreak.__all__:
        assert getattr(cleanbreak, name) is not None


def test_import_loads_no_reader_tokenizer_web_or_model_library():
    code = "import sys, cleanbreak; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert HEAVY.isdisjoint(module.partition(".")[0] for module in loaded)
