"""Adapters: cleanbreak as a component of other frameworks. Each module needs its framework.

`cleanbreak.adapters.langchain`, `cleanbreak.adapters.llamaindex` and `cleanbreak.adapters.haystack`
are imported by name; nothing here is imported with `cleanbreak`.
"""
