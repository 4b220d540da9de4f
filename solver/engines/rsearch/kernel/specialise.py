# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH compiled for a game."""

from collections import namedtuple
from types import FunctionType

from solver.engines.rsearch.kernel import framework
from solver.engines.rsearch.kernel.framework import Game, bounds
from tsume_rules.kernel.compile import jit

__all__ = ["Game", "Kernels", "make_rsearch"]

Kernels = namedtuple("Kernels", "begin_rsearch continue_rsearch abandon_rsearch")


def make_rsearch(game: Game) -> Kernels:
    """`begin_rsearch`, `continue_rsearch` and `abandon_rsearch` of `framework`, compiled for a `Game`.

    Numba cannot cache closures over kernels. So each template is copied with the game's
    functions as its globals, and with the game's name in its own: the cache of a function is
    found by name and argument types, which two games may share.
    """
    names = {**vars(framework), **game._asdict()}

    def bind(template):
        function = FunctionType(template.__code__, names, template.__name__)
        function.__qualname__ = f"{template.__name__}_{game.name}"
        function.__doc__ = template.__doc__
        names[template.__name__] = jit(function)

    if game.bounds is None:
        bind(bounds)
    for template in framework.TEMPLATES:
        bind(template)
    return Kernels(*(names[name] for name in Kernels._fields))
