"""Worlds: books in a folder, whose files are the record (docs/world-format.md)."""

from cleanbreak.worlds.plan import Plan, PlannedSource
from cleanbreak.worlds.reports import BookReport, Failure, Progress, RunReport
from cleanbreak.worlds.signals import stoppable
from cleanbreak.worlds.stages import Stage
from cleanbreak.worlds.status import BookStatus, Status
from cleanbreak.worlds.verify import Problem, VerifyReport
from cleanbreak.worlds.world import World

__all__ = [
    "BookReport",
    "BookStatus",
    "Failure",
    "Plan",
    "PlannedSource",
    "Problem",
    "Progress",
    "RunReport",
    "Stage",
    "Status",
    "VerifyReport",
    "World",
    "stoppable",
]
