"""Vectors of long texts, from the vectors of their chunks."""
