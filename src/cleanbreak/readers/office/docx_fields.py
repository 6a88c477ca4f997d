"""Fields of forms in DOCX files that Word draws itself, so that no run has their text."""

from typing import Any

from cleanbreak.readers.office.docx_parts import is_on
from cleanbreak.readers.xml import attribute, child


def checked(box: Any) -> str:
    """The sign of a check box (ISO/IEC 29500-1, 17.16.7); without a state it has its default."""
    for name in ("checked", "default"):
        if (state := child(box, name)) is not None:
            return "☒" if is_on(state) else "☐"
    return "☐"


def chosen(choices: Any) -> str:
    """The entry of a list that was chosen (17.16.28), or its default, or the first."""
    entries = [attribute(one, "val") for one in choices if one.tag.endswith("}listEntry")]
    for name in ("result", "default"):
        if (state := child(choices, name)) is not None:
            number = attribute(state, "val")
            return entries[int(number)] if number.isdecimal() and int(number) < len(entries) else ""
    return entries[0] if entries else ""
