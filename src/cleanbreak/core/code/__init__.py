"""The structure of source code: languages, definitions and their names, places to cut."""
