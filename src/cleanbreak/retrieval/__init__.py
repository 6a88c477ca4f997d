"""Queries to ranked hits, each with a citation that a person can check."""

from cleanbreak.retrieval.answer import Answer
from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.search import search
from cleanbreak.retrieval.snippet import Snippet

__all__ = ["Answer", "Hit", "Neighbour", "Snippet", "search"]
