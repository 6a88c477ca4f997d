"""Where sentences and clauses end, in any language."""
