"""The local page: a server for one person's browser, and its REST interface."""
