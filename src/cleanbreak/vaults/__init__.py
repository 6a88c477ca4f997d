"""Vaults: folders of Markdown notes, indexed in place, with their links and tags."""

from cleanbreak.vaults.results import NoteLink, TagUse, VaultStats
from cleanbreak.vaults.scan import Problem
from cleanbreak.vaults.update import IndexReport, NoteOutcome, OnNote
from cleanbreak.vaults.vault import Vault

__all__ = [
    "IndexReport",
    "NoteLink",
    "NoteOutcome",
    "OnNote",
    "Problem",
    "TagUse",
    "Vault",
    "VaultStats",
]
