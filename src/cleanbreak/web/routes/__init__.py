"""The routes of the interface, a file for each subject; `table` lists them all."""
