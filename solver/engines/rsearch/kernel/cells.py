# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of RSEARCH: its cells, its path, its state."""

from collections import namedtuple

import numpy as np

INFINITE = 1 << 30
"""Larger than any value of a game."""
NIL = -1
FRESH, ALL, ONE = 0, 1, 2
"""A node not developed yet; one with all its children in the list; one with only the child
being searched in the list."""
RUNNING, FINISHED, OUT_OF_CELLS, TOO_DEEP = 0, 1, 2, 3

CELL = np.dtype(
    [
        ("move", np.int64),  # the move that leads here
        ("upper", np.int32),  # U: the upper bound of its value to the root of the call
        ("best", np.int32),  # MAX: the greatest value of a finished or cut child (L)
        ("child", np.int32),  # the first child in the list, NIL if none
        ("sibling", np.int32),  # the next child of the same parent; the next free cell
        ("count", np.int32),  # the number of its moves
        ("tried", np.int32),  # ONE: the index of the child's move
        ("kind", np.int8),  # FRESH, ALL or ONE
        ("maximises", np.int8),  # whether it is a MAX node
        ("asked", np.int8),  # whether the game was asked for bounds of its value
    ],
    align=True,
)
"""A cell: one node of a list, the unit in which space is counted."""

STEP = np.dtype(
    [
        ("cell", np.int32),  # the node of the path at this level
        ("alpha", np.int32),  # the greatest L of the MAX nodes above it
        ("call", np.int32),  # the level of the root of the call with this index
        ("widest", np.int32),  # the most moves that a MAX node of this level had
        ("listed", np.int32),  # the expanded node whose moves the level's row holds
        ("narrow", np.int32),  # whether a MIN node of this level has been developed
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("depth", np.int32),  # c: nodes less than this deep below a call's root join its list
        ("room", np.int64),  # c1: a list grows while fewer cells are in use
        ("strict", np.int8),  # whether the number of cells is fixed
        ("dual", np.int8),  # whether the tree is searched from below
        ("level", np.int32),  # the level of the present node
        ("calls", np.int32),  # calls under way
        ("value", np.int32),  # of the root, when finished
        ("leaves", np.int64),  # leaves evaluated
        ("visited", np.int64),  # nodes developed, leaves among them
        ("begun", np.int64),  # recursive calls, without the first
        ("cells", np.int64),  # cells in use
        ("most_cells", np.int64),
        ("free", np.int32),  # the first cell given back, NIL if none
        ("fresh", np.int32),  # the first cell never used
    ],
    align=True,
)

Space = namedtuple("Space", "search cells path moves")
"""The state (one `SEARCH`), the cells, a `STEP` for each level, a row of moves for each level."""
