"""Ratios against peers, each in one process run. See docs/benchmarks.md."""
