"""Vaults: folders of Markdown notes, indexed in place, with their links and tags."""

from cleanbreak.vaults.changes import Changes
from cleanbreak.vaults.mentions import Mention
from cleanbreak.vaults.related import RelatedNote
from cleanbreak.vaults.report import IndexReport, NoteOutcome, OnNote
from cleanbreak.vaults.results import NoteLink, TagUse, VaultStats
from cleanbreak.vaults.scan import Problem
from cleanbreak.vaults.vault import Vault

__all__ = [
    "Changes",
    "IndexReport",
    "Mention",
    "NoteLink",
    "NoteOutcome",
    "OnNote",
    "Problem",
    "RelatedNote",
    "TagUse",
    "Vault",
    "VaultStats",
]
