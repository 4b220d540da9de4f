"""What RSEARCH asks of a game: kernels over a state, a tuple of arrays that only they look into."""

from collections import namedtuple

from solver.engines.rsearch.kernel.cells import INFINITE

Game = namedtuple("Game", "name moves value play take_back maximises bounds", defaults=(None,))
"""A game's functions, each as below, and its name: an identifier of its own, for compiled code is
cached under it. ``bounds`` may be left out."""


def moves(state, out):
    """Write the moves to ``out`` as int64, in the order in which they are to be searched.

    Returns their number, 0 at a leaf. The same state gives the same moves each time.
    """
    raise NotImplementedError


def value(state):
    """What a leaf is worth to MAX."""
    raise NotImplementedError


def play(state, move):
    """Play a move; the state remembers what is needed to take it back."""
    raise NotImplementedError


def take_back(state):
    """Take the last move back."""
    raise NotImplementedError


def maximises(state):
    """Whether MAX is to move."""
    raise NotImplementedError


def bounds(_state):
    """A lower and an upper bound of a node's value; these if the game knows none."""
    return -INFINITE, INFINITE
