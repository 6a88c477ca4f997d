"""What type checkers know of settings is what the splitters take."""

import inspect

import pytest

from cleanbreak.core.splitters import SPLITTERS, settings

TYPED = {
    "boundary": settings.BoundarySettings,
    "code": settings.CodeSettings,
    "markdown": settings.MarkdownSettings,
    "sentences": settings.SentenceSettings,
    "tokens": settings.TokenSettings,
}


@pytest.mark.parametrize("by", SPLITTERS)
def test_typed_settings_are_the_parameters_of_the_splitter(by):
    """In their order, so that neither is forgotten when the other changes."""
    parameters = list(inspect.signature(SPLITTERS[by].__init__).parameters)[1:]
    assert list(TYPED[by].__annotations__) == parameters
