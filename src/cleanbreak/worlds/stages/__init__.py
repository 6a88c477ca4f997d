"""The stages of a world: what is made from each book, one file a stage."""
