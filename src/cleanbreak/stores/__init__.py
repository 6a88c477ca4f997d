"""Derived stores: full text today; vectors and the graph have their place here."""
