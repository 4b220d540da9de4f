"""Booklets of problems: their content as data, their pages by typst."""
