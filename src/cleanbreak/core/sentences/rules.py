"""Whether a place ends a sentence: a short list of rules, asked in order.

A rule answers yes, no, or that it has no opinion; the first opinion counts. Where a rule cannot be
sure it says no: two sentences kept together cost less than one sentence cut in two. Every rule
looks at a bounded stretch around the place, so the time is linear.
"""

from cleanbreak.core.sentences.place import Place
from cleanbreak.core.sentences.rules_for_full_stops import (
    abbreviation,
    enumerator,
    full_stop_is_no_mark,
    lowercase_follows,
    note_after_abbreviation,
    ordinal,
    single_letter,
    space_before_full_stop,
)
from cleanbreak.core.sentences.rules_for_marks import (
    between_digits,
    citation_follows,
    ellipsis,
    exclaiming_name,
    joiner_follows,
    lowercase_after_exclamation,
    mark_alone_in_brackets,
    missing_space,
    quoted_verb_ending,
    semicolon_or_emoticon,
    sentence_continues_after_closers,
)

_FULL_STOP_RULES = (
    missing_space,
    sentence_continues_after_closers,
    citation_follows,
    joiner_follows,
    space_before_full_stop,
    enumerator,
    note_after_abbreviation,
    abbreviation,
    single_letter,
    full_stop_is_no_mark,
    ordinal,
    lowercase_follows,
)
_OTHER_RULES = (
    semicolon_or_emoticon,
    between_digits,
    missing_space,
    sentence_continues_after_closers,
    citation_follows,
    joiner_follows,
    quoted_verb_ending,
    ellipsis,
    mark_alone_in_brackets,
    exclaiming_name,
    lowercase_after_exclamation,
)


def ends_sentence(place: Place) -> bool:
    """Ask the rules in order; a place that none objects to ends a sentence."""
    one_full_stop = place.text[place.mark] == "." and place.marks_end == place.mark + 1
    for rule in _FULL_STOP_RULES if one_full_stop else _OTHER_RULES:
        verdict = rule(place)
        if verdict is not None:
            return verdict
    return True
