"""The text of one chapter, by the fastest parser that can read it."""

from collections.abc import Collection

from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.html.expat import feed_xml
from cleanbreak.readers.html.frame import TooDeep
from cleanbreak.readers.html.lexbor import feed_html
from cleanbreak.readers.html.markup import Markup, as_html, too_deep
from cleanbreak.readers.html.styles import PLAIN, Styles
from cleanbreak.readers.html.walker import Walker


def read_chapter(
    markup: Markup,
    anchors: Collection[str] = (),
    *,
    is_nav: bool = False,
    language: str = "",
    styles: Styles = PLAIN,
) -> Chapter:
    """The text of `markup` and the offsets of the ids in `anchors`.

    With `is_nav`, for a navigation document that is a chapter too, its lists are left out.
    `language` is that of the book, for quotation marks, if the chapter does not name its own.

    Raises:
        TooDeep: if its elements are nested too deep.
    """
    walker = Walker(anchors, is_nav=is_nav, language=language, styles=styles)
    if not feed_xml(markup.utf8, walker):
        if too_deep(markup.utf8):
            raise TooDeep
        walker = Walker(anchors, is_nav=is_nav, language=language, styles=styles)
        feed_html(as_html(markup.utf8), walker)
    return walker.chapter()
