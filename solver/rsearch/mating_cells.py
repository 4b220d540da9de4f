"""How many cells a search for mates takes."""

LEAST_CELLS = 64
"""With fewer not every path of a mate in seven would fit: seven plies, and at each of three answers
seven slides of the checking piece and the drops on a cell, two levels each."""
DEFAULT_CELLS = 100_000
