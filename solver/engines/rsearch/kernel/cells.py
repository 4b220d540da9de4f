"""What RSEARCH works on: its cells, its path, its record, and how cells are taken and freed."""

from collections import namedtuple

import numpy as np

INFINITE = 1 << 30
"""Larger than any value of a game."""
NIL = -1
FRESH, ALL, ONE = 0, 1, 2
"""A node not developed yet; one whose children are all in the list; one whose children come
one after the other, so that only the present one is."""
RUNNING, FINISHED, OUT_OF_CELLS, TOO_DEEP = 0, 1, 2, 3

CELL = np.dtype(
    [
        ("move", np.int64),  # that leads here
        ("upper", np.int32),  # U: what the node is worth at most to its list
        ("best", np.int32),  # MAX: the greatest value that a finished or cut child had
        ("child", np.int32),  # the first child in the list, NIL if none
        ("sibling", np.int32),  # the next child of the same parent; the next free cell
        ("count", np.int32),  # how many moves it has
        ("tried", np.int32),  # ONE: the number of the child's move
        ("kind", np.int8),  # FRESH, ALL or ONE
        ("maximises", np.int8),  # whether it is a MAX node
        ("asked", np.int8),  # whether the game's bounds of it are known
    ],
    align=True,
)
"""A cell: one node of a list. This is what the space is counted in."""

STEP = np.dtype(
    [
        ("cell", np.int32),  # the node of the path at this level
        ("alpha", np.int32),  # the greatest L of the MAX nodes above it
        ("call", np.int32),  # the level at which the call of this number has its root
        ("widest", np.int32),  # how many moves a MAX node of this level has had at most
        ("listed", np.int32),  # the node, expanded at this level, whose moves the level's row holds
        ("narrow", np.int32),  # whether a MIN node of this level has been developed
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("depth", np.int32),  # c: a list holds the nodes less than so deep below its root developed
        ("room", np.int64),  # c1: a list grows while fewer cells are in use
        ("strict", np.int8),  # whether the cells that there are may never be exceeded
        ("dual", np.int8),  # whether the tree is searched from below
        ("level", np.int32),  # of the present node
        ("calls", np.int32),  # calls under way
        ("value", np.int32),  # of the root, when finished
        ("leaves", np.int64),  # leaves evaluated
        ("visited", np.int64),  # nodes developed, leaves among them
        ("begun", np.int64),  # recursive calls made, the first not counted
        ("cells", np.int64),  # in use
        ("most_cells", np.int64),
        ("free", np.int32),  # the first cell given back, NIL if none
        ("fresh", np.int32),  # the first cell never used
    ],
    align=True,
)

Space = namedtuple("Space", "search cells path moves")
"""The record (one `SEARCH`), the cells, a `STEP` for each level, a row of moves for each level."""
