r"""Where token counts add up: facts about families of tokenizers, by how they find words.

A tokenizer first finds words (by white space, or by a pattern) and then cuts each word by itself.
If no word is on both sides of a cut, for any text around it, and each side alone is read as it is
in the whole, then the token counts of the two sides add up. Each rule here names cuts for which
this holds. Tests try the rules on real and trained tokenizers with random text. A rule that is not
certain answers no: that costs a count and gives no wrong one.
"""

import re
from collections.abc import Mapping
from typing import Any

from cleanbreak.core.measures.measure import AddsUp

_BLANK = frozenset(" \t\n\r")
_BERT_PUNCTUATION = frozenset(".!?,;:…。！？，、；：।")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”‘’«»…—–。！？，、；：")


def at_white_space(text: str, cut: int) -> bool:
    """Words are separated by white space. Only ASCII blanks count: BERT deletes some other ones."""
    return text[cut] in _BLANK or text[cut - 1] in _BLANK


def at_white_space_and_marks(text: str, cut: int) -> bool:
    """The same, and each punctuation mark is a word of its own (BERT)."""
    return text[cut] in _BLANK or text[cut - 1] in _BLANK or text[cut - 1] in _BERT_PUNCTUATION


def before_spaces(text: str, cut: int) -> bool:
    """A word may start with a space but does not continue across one (byte-level BPE)."""
    return text[cut] == " " and not text[cut - 1].isspace()


def before_spaces_after_newlines(text: str, cut: int) -> bool:
    """The same, and white space up to its last newline is a word (cl100k and later).

    ``/`` is left out because o200k reads it on after a mark and newlines.
    """
    after = text[cut]
    if after == " ":
        return not text[cut - 1].isspace()
    return text[cut - 1] in "\r\n" and after != "/" and not after.isspace()


def before_spaces_after_visible(text: str, cut: int) -> bool:
    """A word starts with its space (SentencePiece).

    Its normalizers turn some invisible characters into spaces and join spaces, so the character
    before must be a plainly visible one.
    """
    before = text[cut - 1]
    return text[cut] == " " and (before.isalnum() or before in _PUNCTUATION)


# --- which rule holds for a pattern --------------------------------------------------------------

_NEWLINE_WORD = frozenset({r"\s*[\r\n]", r"\s*[\r\n]+"})
_SPACE_WORD = frozenset({r"\s+$", r"\s+(?!\S)", r"\s+", r"\s"})
# None of these matches a text with white space after something else, newlines after marks aside.
_WORD = frozenset(
    {
        r"'(?i:[sdmt]|ll|ve|re)",
        r"'(?:[sdmt]|ll|ve|re)",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
        *(f"'{ending}" for ending in ("s", "t", "re", "ve", "m", "ll", "d")),
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r"\p{N}",
        r" ?\p{L}+",
        r" ?\p{N}+",
        r" ?[^\s\p{L}\p{N}]+",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
    }
)


# The sign after a quantifier that makes it possessive, which changes its speed and no match.
_possessive = re.compile(r"(?:(?<=[+*?])|(?<=\d\}))\+")


def rule_for_pattern(pattern: str) -> AddsUp | None:
    """The rule for tokenizers that find words by `pattern`; ``None`` for an unknown one."""
    parts = _alternatives(_possessive.sub("", pattern))
    if not set(parts) <= _WORD | _NEWLINE_WORD | _SPACE_WORD:
        return None
    for part in parts:
        if part in _NEWLINE_WORD:
            return before_spaces_after_newlines
        # One at the very end reads newlines only where the newline word would, too.
        if part in _SPACE_WORD and part != r"\s+$":
            break
    return before_spaces


def _alternatives(pattern: str) -> list[str]:
    """The pattern cut at the bars that stand outside groups and sets."""
    parts, depth = [""], 0
    for character in pattern:
        depth += (character in "([") - (character in ")]")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


# --- which rule holds for a tokenizer.json -------------------------------------------------------

# Normalizers that change a character by itself and its marks, never by a word before or after.
_LOCAL = frozenset(
    {"NFC", "NFD", "NFKC", "NFKD", "Nmt", "Lowercase", "StripAccents", "Precompiled"}
)


def rule_for_tokenizer(data: Mapping[str, Any]) -> AddsUp | None:
    """The rule for a tokenizer, from its ``tokenizer.json``; ``None`` if its kind is not known."""
    if any(_may_span_words(token) for token in data.get("added_tokens") or ()):
        return None
    normalizers = _steps(data.get("normalizer"), "normalizers")
    words = _steps(data.get("pre_tokenizer"), "pretokenizers")
    kinds = [step["type"] for step in words]
    if kinds == ["BertPreTokenizer"]:
        return at_white_space_and_marks if all(map(_is_bert_local, normalizers)) else None
    if kinds in (["WhitespaceSplit"], ["Whitespace"]):
        return at_white_space if all(map(_is_bert_local, normalizers)) else None
    if kinds in (["Metaspace"], ["WhitespaceSplit", "Metaspace"]):
        return before_spaces_after_visible if _is_metaspace(normalizers, words) else None
    if kinds == ["ByteLevel"] and words[0].get("use_regex", True):
        return before_spaces if all(step["type"] == "NFC" for step in normalizers) else None
    if kinds == ["Split", "ByteLevel"] and all(step["type"] == "NFC" for step in normalizers):
        return _rule_for_split(*words)
    return None


def _rule_for_split(split: Mapping[str, Any], byte_level: Mapping[str, Any]) -> AddsUp | None:
    if byte_level.get("use_regex", True) or split.get("invert") or split["behavior"] != "Isolated":
        return None
    rule = rule_for_pattern(split["pattern"].get("Regex", "."))
    if rule is before_spaces_after_newlines and byte_level.get("add_prefix_space", True):
        return before_spaces  # a text that does not start with a space is given one
    return rule


def _is_metaspace(normalizers: list[Any], words: list[Any]) -> bool:
    metaspace = words[-1]
    scheme = metaspace.get("prepend_scheme", "always")
    if not metaspace.get("split", True) or (len(words) > 1 and scheme != "always"):
        return False
    return all(step["type"] in _LOCAL or _joins_spaces(step) for step in normalizers)


def _joins_spaces(step: Mapping[str, Any]) -> bool:
    return bool(step["type"] == "Replace" and step["pattern"] == {"Regex": " {2,}"})


def _is_bert_local(step: Mapping[str, Any]) -> bool:
    return step["type"] == "BertNormalizer" or step["type"] in {
        "NFC",
        "NFD",
        "Lowercase",
        "StripAccents",
    }


def _may_span_words(token: Mapping[str, Any]) -> bool:
    if token.get("special"):
        return False  # read as plain text
    return bool(token.get("lstrip") or token.get("rstrip") or re.search(r"\s", token["content"]))


def _steps(step: Mapping[str, Any] | None, of: str) -> list[Any]:
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    return [inner for outer in step[of] for inner in _steps(outer, of)]
