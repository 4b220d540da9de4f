"""The revisions, in the order of their numbers; a file's name is its revision's name."""
