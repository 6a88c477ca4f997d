"""A text in which every sentence stands many times, so that a search for a chunk finds the wrong one."""

TEXT = ("The bell rang. Nobody came. " * 40 + "\n\n") * 5


def assert_exact(text: str, spans: list[tuple[int, int]], contents: list[str]) -> None:
    """The spans follow one another over the whole text, and each holds its content."""
    assert [text[start:end] for start, end in spans] == contents
    assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == len(text)
