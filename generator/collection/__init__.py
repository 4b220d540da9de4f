"""Choosing a collection from many problems: good ones, no two alike, spread over what a problem shows."""
