"""Hypothesis strategies: texts that are nasty to cut. One module, so that all tests share them."""

from hypothesis import strategies as st

NASTY = [
    "a", "b ", "word ", "Sentence one. ", "Why? ", "“Stop!” he said. ", "3.14 ", "e.g. this ",
    "J. R. R. T. ", "https://a.example/x?y=1.2 ", "12,000 ", "…", "...", " -- ", "—",
    " ", "  ", "\t", "\n", "\n\n", "\n \t\n", "\r", "\r\n", "\r\n\r\n", "\x85", "\u2028", "\u2029",
    "\x0b", "\x0c", "\x1c", "\u00a0", "\u202f", "\u2060", "\u200b", "\u200d", "\ufeff", "\x00",
    "é", "e\u0301", "\u0301", " \u0301", "a\u0300\u0301\u0302", "ÅÄÖ", "ß", "İ",
    "👍🏽", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "🇫🇷", "🇫", "한국어", "\u1112\u1161\u11ab",
    "中文。", "「はい。」", "価格は3．5円", "กำลัง", "नमस्ते।", "क्षि", "العربية؟ ", "שלום. ", "ქართ",
    "\u0600", "𝒜", "𐍈", "x" * 30, "，", "；", "(a, b) ", "[c]. ", "# H\n", "- item\n", "```\n", "| a |\n",
]  # fmt: skip
"""Pieces chosen because some splitter somewhere got them wrong."""

pieces = st.sampled_from(NASTY)
any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
repeats = st.tuples(pieces, st.integers(1, 40)).map(lambda pair: pair[0] * pair[1])
texts = st.lists(st.one_of(pieces, pieces, repeats, any_text), max_size=40).map("".join)
"""Texts of every kind: repeats, clusters, newline styles, scripts, controls, empty. No lone
surrogates, as those are not text."""

MARKDOWN = [
    "# A\n", "## B *c* `d` ##\n", "### \n", "   #### E\n", "####### no\n", "#tag\n", "Title\n===\n", "Two\nlines\n---\n",
    "\n", "\n\n", "text\n", "é 中文。 👍🏽 more. And so on.\n", "text", "  ", "\t", "\r\n", "\r", "    code\n",
    "```\n", "````py\n", "~~~\n", "   ```\n", "`` ` ``", "---\n", "***\n", "===\n", "- item\n", "  - nested\n", "1. one\n",
    "   more\n", "- # listed\n", "> quote\n", "> # quoted\n", "> ```\n", "> > deep\n", "<!-- \n", "-->\n", "<pre>\n", "</pre>\n",
    "<div>\n", "</div>\n", "| a | b |\n|---|---|\n| c | d |\n", "| 1 | 2 |\n", "[ref]: /x 'y'\n", "[ref] [b](c) ![d](e)\n",
    "key: value\n", "\\# esc\n", "&amp; *x **y* z**\n", "$$\nx\n$$\n", "word " * 30 + "\n", "\ufeff", "\x00",
]  # fmt: skip
"""Pieces of Markdown that open, close or look like structure."""

notes = st.lists(
    st.one_of(st.sampled_from(MARKDOWN), st.sampled_from(MARKDOWN), pieces), max_size=25
).map("".join)
"""Texts of Markdown pieces in any order, so that fences, lists and headings meet everywhere."""

CODE = [
    "def f(a):\n", "    return 1\n", "class C:\n", "class D {\n", "}\n", "{", "}", "(", ")", "\n", "\n\n", "\r\n", "\r", "    ", "\t",
    "# note\n", "// note é\n", "/* two\n lines */\n", "/** doc */\n", '"""Doc 中文.\n"""\n', "'", '"', "`${", "@dec\n", "#[test]\n",
    "if x:\n", "else:\n", "} else {\n", "for (;;) {\n", "function g(a, b) { return a; }\n", "fn h() -> u8 { 1 }\n", "impl A for B {\n",
    "func (r *T) M() {\n", "package p\n", "template <class T>\n", "public:\n", "namespace n {\n", "#ifdef X\n", "#endif\n", "<?php\n",
    "?>\n", "module M\n", "end\n", "do |x|\n", "x = [\n", "  1,\n", "]\n", "name = '👍🏽 e\u0301'\n", "\u0301", "\x00", "\ufeff", "<<A\n", "a" * 30,
    "a(b);c(d);", "👨\u200d👩\u200d👧",
]  # fmt: skip
"""Pieces of source code of several languages that open, close or look like structure."""

programs = st.lists(
    st.one_of(st.sampled_from(CODE), st.sampled_from(CODE), pieces), max_size=25
).map("".join)
"""Texts of pieces of code in any order, mostly of no language."""
