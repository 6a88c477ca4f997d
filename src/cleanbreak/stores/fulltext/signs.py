"""Words with signs: ``C#``, ``C++``, ``.NET``, ``a+b``.

The tokenizer of SQLite drops signs, so that ``C#`` would be the word ``c``. Beside the text we index a
term for each word with ``+`` or ``#`` behind it, and for each word with a dot before it. Other signs
make no difference: ``AT&T`` is found as ``at`` and ``t`` next to each other.
"""

import re
from collections.abc import Iterator

# Most texts have no such word, and searches for single characters find that out fastest.
_has_dotted_word = re.compile(r"\.(?=[^\W\d_])").search

# A sign behind a word, or a dot before one. In Markdown a sign may have a backslash before it. The
# pattern starts with a sign, as `re` looks for that in a tenth of the time.
_signs = re.compile(r"[+#.](?:(?<=[^\W_][+#])|(?<=[^\W_]\\[+#])|(?<=\.)(?=[^\W\d_]))").finditer
_run = re.compile(r"(?:\\?[+#])+").match
_word_after = re.compile(r"[^\W_]+").match
_word_before = re.compile(r"[^\W_]+\\?\Z").search

# Characters of a word that are looked at: a longer one is no name.
_LONGEST = 40


def signed_words(text: str) -> list[str]:
    """The words of a text with their signs, in order.

    >>> signed_words("Learn C#, C++ and .NET; a+b, but # Title, x.y and 1.2")
    ['C#', 'C++', '.NET', 'a+', '.y']
    """
    if "#" in text or "+" in text or _has_dotted_word(text):
        return list(_signed_words(text))
    return []


def _signed_words(text: str) -> Iterator[str]:
    for sign in _signs(text):
        at = sign.start()
        if sign[0] == ".":
            word = _word_after(text, at + 1, at + 1 + _LONGEST)
            yield "." + (word[0] if word else "")
            continue
        word, run = _word_before(text[max(0, at - _LONGEST) : at]), _run(text, at)
        if word and run:
            yield (word[0] + run[0]).replace("\\", "")


def asked_words(text: str) -> list[str]:
    """The words of a query with signs that must stand there; a dot counts at its beginning only.

    >>> asked_words("C#"), asked_words(".NET"), asked_words("example.com"), asked_words("#sea")
    (['C#'], ['.NET'], [], [])
    """
    return [
        word
        for word in signed_words(text)
        if not word.startswith(".") or re.search(rf"(?<!\S){re.escape(word)}", text)
    ]


def without_signs(text: str) -> str:
    """A text with blanks in place of all signs that count.

    >>> without_signs("C#"), without_signs("a+b")
    ('C', 'a b')
    """
    return re.sub(r"(?<=[^\W_])[+#]+|(?<!\S)\.(?=[^\W\d_])", " ", text).strip()
