"""Tokenizers as measures; none of their libraries is imported before one is asked for."""

from cleanbreak.tokenizers.load import load_measure, make_token_counter

__all__ = ["load_measure", "make_token_counter"]
