"""Choosing, verifying and publishing the collection."""
