# SPDX-License-Identifier: GPL-3.0-or-later
"""The third engine, RSEARCH: search of a game tree in a given space (Katoh1988)."""

MIN_CELLS = 4
"""The fewest cells of a search for mates. With fewer than 64 not every path of a mate in seven fits
(seven plies, and at each of three answers seven slides of the checking piece and the drops on a
cell, two levels each). If a path does not fit, there is no answer, never a wrong one."""
DEFAULT_CELLS = 100_000
