"""Durable files and locks."""
