"""Worlds: books in a folder, whose files are the record (docs/world-format.md)."""

from cleanbreak.worlds.embedding_cost import EmbeddingCost
from cleanbreak.worlds.excerpt import Excerpt
from cleanbreak.worlds.plan import Plan, PlannedSource
from cleanbreak.worlds.readable import MODES, BookInfo
from cleanbreak.worlds.records import WarningRecord
from cleanbreak.worlds.reports import BookReport, Failure, Hits, RunReport
from cleanbreak.worlds.session import OnProgress, RunProgress, Session, Stop
from cleanbreak.worlds.stages.stage import Problem, Progress, Stage
from cleanbreak.worlds.status import BookStatus, Status
from cleanbreak.worlds.verify import VerifyReport
from cleanbreak.worlds.world import World

__all__ = [
    "MODES",
    "BookInfo",
    "BookReport",
    "BookStatus",
    "EmbeddingCost",
    "Excerpt",
    "Failure",
    "Hits",
    "OnProgress",
    "Plan",
    "PlannedSource",
    "Problem",
    "Progress",
    "RunProgress",
    "RunReport",
    "Session",
    "Stage",
    "Status",
    "Stop",
    "VerifyReport",
    "WarningRecord",
    "World",
]
