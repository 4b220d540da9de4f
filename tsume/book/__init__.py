"""Booklets of problems: what they say as data, their pages by typst."""
