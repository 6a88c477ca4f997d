"""All stages of a world: those that every world has, and those that a caller hands in."""

from collections.abc import Sequence

from cleanbreak.worlds.stages.chunks import Chunks
from cleanbreak.worlds.stages.fulltext import FullText
from cleanbreak.worlds.stages.stage import Stage, check_stages


def every_stage(given: Sequence[object], recorded: Sequence[str]) -> tuple[Stage, ...]:
    """The stages that are at hand for a world whose ``world.json`` asks for `recorded`.

    Raises:
        SettingsError: if one of `given` is not a stage that can be added.
    """
    full_text = FullText()
    # The chunks stage hands its records to the full text while it writes them.
    return (Chunks(receiver=full_text), full_text, *check_stages(given, recorded))
