"""The collection: problems that come with the program (docs/collection.md)."""
