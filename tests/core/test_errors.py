"""The error tree: codes are stable and unique, errors travel, nothing is spilled."""

import pickle

import pytest

from cleanbreak import errors


def classes(root=errors.CleanbreakError):
    yield root
    for child in root.__subclasses__():
        yield from classes(child)


def test_every_class_has_a_code_of_its_own():
    codes = [cls.code for cls in classes()]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("cls", [cls for cls in classes() if "ERROR" not in cls.code])
def test_the_docstring_names_every_code(cls):
    assert cls.__name__ in errors.__doc__
    assert cls.code in errors.__doc__


@pytest.mark.parametrize("cls", [cls for cls in classes() if cls is not errors.SettingsError])
def test_errors_travel_between_processes(cls):
    error = pickle.loads(pickle.dumps(cls("a sentence", count=3)))
    assert type(error) is cls
    assert (str(error), error.details) == ("a sentence", {"count": 3})


def test_a_settings_error_travels_too():
    """With all that it says, also where the sentence is the caller's."""
    error = errors.SettingsError(
        "sise", 0, "more", sentence="No sise.", allowed=["size"], suggestion="size"
    )
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "No sise. Did you mean size?"
    assert again.details == {
        "field": "sise",
        "value": "0",
        "rule": "more",
        "allowed": ("size",),
        "suggestion": "size",
    }


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "size is 0, but it must be more."),
        (None, "Give size: more."),
        (bytes, "size is of type bytes, but it must be more."),
        ("C:\\books", "size is 'C:\\books', but it must be more."),
        ("a\nb", "size is 'a\\nb', but it must be more."),
        (list(range(99)), "size is of type list, but it must be more."),
    ],
)
def test_a_settings_error_is_a_sentence(value, sentence):
    """For any kind of value: none given, a type, a string as it was typed, a long one."""
    error = errors.SettingsError("size", value, "more")
    assert str(error) == sentence
    assert set(error.details) == {"field", "value", "rule"}


def test_a_long_value_is_not_repeated():
    assert "xxx" not in str(errors.SettingsError("by", "x" * 100, "a name"))
