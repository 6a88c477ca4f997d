"""Measures: how long a text is, in the unit that a limit is given in."""
