"""The replay of a main line: its moves, boards and pieces, from which themes and heuristics are read."""
