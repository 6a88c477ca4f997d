"""Queries to ranked hits, each with a citation that a person can check."""

from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.search import search
from cleanbreak.retrieval.snippet import Snippet

__all__ = ["Hit", "Neighbour", "Snippet", "search"]
