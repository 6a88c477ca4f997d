"""Vaults: folders of Markdown notes, indexed in place, with their links and tags."""

from cleanbreak.vaults.changes import Changes
from cleanbreak.vaults.config import FOLDER
from cleanbreak.vaults.excerpt import NoteExcerpt
from cleanbreak.vaults.graph import FORMATS as GRAPH_FORMATS
from cleanbreak.vaults.mentions import Mention
from cleanbreak.vaults.note_chunks import note_chunks
from cleanbreak.vaults.related import RelatedNote
from cleanbreak.vaults.report import IndexReport, NoteOutcome, OnNote
from cleanbreak.vaults.results import NoteLink, TagUse, VaultStats
from cleanbreak.vaults.scan import Problem
from cleanbreak.vaults.search import NoteHits
from cleanbreak.vaults.uri import obsidian_uri
from cleanbreak.vaults.vault import Vault

__all__ = [
    "FOLDER",
    "GRAPH_FORMATS",
    "Changes",
    "IndexReport",
    "Mention",
    "NoteExcerpt",
    "NoteHits",
    "NoteLink",
    "NoteOutcome",
    "OnNote",
    "Problem",
    "RelatedNote",
    "TagUse",
    "Vault",
    "VaultStats",
    "note_chunks",
    "obsidian_uri",
]
