"""Chunks written to files: JSON Lines, SQLite, Parquet."""
