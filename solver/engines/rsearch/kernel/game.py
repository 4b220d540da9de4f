# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions RSEARCH needs of a game: kernels over a state, a tuple of arrays private to the game."""

from collections import namedtuple

from solver.engines.rsearch.kernel.cells import INFINITE

Game = namedtuple("Game", "name moves value play retract maximises bounds", defaults=(None,))
"""A game's functions, each as below, and its name: a unique identifier, under which compiled code
is cached. ``bounds`` may be left out."""


def moves(state, out):
    """Write the moves to ``out`` (int64) in the order in which they are to be searched.

    Returns their number, 0 at a leaf. The same state always gives the same moves.
    """
    raise NotImplementedError


def value(state):
    """The value of a leaf to MAX."""
    raise NotImplementedError


def play(state, move):
    """Play a move; the state keeps what is needed to retract it."""
    raise NotImplementedError


def retract(state):
    """Retract the last move."""
    raise NotImplementedError


def maximises(state):
    """Whether MAX is to move."""
    raise NotImplementedError


def bounds(_state):
    """A lower and an upper bound of a node's value; here none, for games without bounds."""
    return -INFINITE, INFINITE
