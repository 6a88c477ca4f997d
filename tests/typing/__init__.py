"""Typing examples that mypy runs over."""
