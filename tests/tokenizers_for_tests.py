"""Real and tiny tokenizers that tests share: the cl100k table, and some trained on a few lines."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

TRAINING = [
    "The keeper climbed the stair at dusk, as his father had, and his grandfather before him.",
    "There were a hundred and twelve steps; he no longer counted. “Wind from the north,” he wrote.",
    "Don't stop at 3.14, e.g. this! Why? Because naïve cafés in São Paulo said so…",
    "中文句子。日本語の文です！ Привет, мир. नमस्ते दुनिया।",
] * 3


@cache
def cl100k() -> Any:
    """The real cl100k, whose table ships inside `bpe_openai`, so that no test needs a network."""
    with warnings.catch_warnings():
        # It opens its table by a function that Python has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding("cl100k_base")


@cache
def tiktoken_cl100k() -> Any:
    """The same encoding in `tiktoken`, built from the same table."""
    import tiktoken

    encoding = cl100k()
    return tiktoken.Encoding(
        "cl100k_base",
        pat_str=encoding._pat_str,
        mergeable_ranks=encoding._mergeable_ranks,
        special_tokens=encoding._special_tokens,
    )


def word_piece(**normalizer: Any) -> Any:
    """A WordPiece tokenizer as BERT's: words of more than 20 characters are one unknown token."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    model = models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=20)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(**normalizer)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokens = ["[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=tokens, show_progress=False)
    tokenizer.train_from_iterator(TRAINING, trainer)
    return tokenizer


def byte_bpe(*, add_prefix_space: bool = False) -> Any:
    """A byte-level BPE tokenizer as GPT-2's."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    _train_bpe(tokenizer, trainers.BpeTrainer)
    return tokenizer


def split_bpe() -> Any:
    """A byte-level BPE tokenizer with a pattern of its own, as Llama 3's."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    _train_bpe(tokenizer, trainers.BpeTrainer)
    return tokenizer


def unigram(*, split_first: bool = False) -> Any:
    """A Unigram tokenizer as SentencePiece makes them."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    metaspace = pre_tokenizers.Metaspace()
    tokenizer.pre_tokenizer = (
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace])
        if split_first
        else metaspace
    )
    trainer = trainers.UnigramTrainer(
        vocab_size=300, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(TRAINING, trainer)
    return tokenizer


def _train_bpe(tokenizer: Any, trainer: Any) -> None:
    from tokenizers import pre_tokenizers

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|endoftext|>"]
    tokenizer.train_from_iterator(
        TRAINING,
        trainer(
            vocab_size=600,
            special_tokens=special,
            initial_alphabet=alphabet,
            show_progress=False,
        ),
    )


MAKE: dict[str, Callable[[], Any]] = {
    "cl100k": cl100k,
    "tiktoken": tiktoken_cl100k,
    "word piece": cache(word_piece),
    "cased word piece": cache(lambda: word_piece(lowercase=False)),
    "byte bpe": cache(byte_bpe),
    "prefixed byte bpe": cache(lambda: byte_bpe(add_prefix_space=True)),
    "split bpe": cache(split_bpe),
    "unigram": cache(unigram),
    "split unigram": cache(lambda: unigram(split_first=True)),
}
"""Tokenizers of every family that the measures know, made once and kept."""
