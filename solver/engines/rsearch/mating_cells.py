"""How many cells a search for mates takes."""

LEAST_CELLS = 4
"""With fewer than 64 not every path of a mate in seven fits (seven plies, and at each of three
answers seven slides of the checking piece and the drops on a cell, two levels each). Where one
does not, there is no answer, never a wrong one."""
DEFAULT_CELLS = 100_000
