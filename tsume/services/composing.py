"""What composing begins with, final positions and half-made ones, and what it could have come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from generator.constraints.options import SKETCHED, Options
from generator.constraints.problem import Wishes
from tsume import __version__
from tsume.proofread import proofread
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.squares import Square, rotated

if TYPE_CHECKING:
    from generator.problem import Problem
    from generator.run.relaxations import Relaxation

LENGTHS_ROUND = f"{SKETCHED[0]} to {SKETCHED[-1]} moves"
"""How long problems round given pieces are."""


def final_options(sfen: str, *, exact: bool) -> dict[str, Any]:
    """The options for problems that end in a mated position. Raises ValueError for one that is not mated."""
    from generator.constraints.given_final import final_of

    final_of(sfen)
    return {"final": sfen, "exact": exact}


def start_options(sfen: str, keep: frozenset[Square], wishes: Wishes) -> dict[str, Any]:
    """The options for problems round the pieces of a position; of these only the squares to ``keep``, if any.

    ``keep`` is seen as the SFEN is given. Raises ValueError for pieces that no problem as wished can have.
    """
    from generator.constraints.given_pieces import fault_of_start

    parsed = parse_sfen(sfen)
    given = parsed.position
    occupied = frozenset(square for square, piece in enumerate(given.board) if piece is not None)
    kept = (frozenset(map(rotated, keep)) if parsed.rotated else keep) or occupied
    fault = fault_of_start(given, kept, wishes)
    if fault is not None:
        raise ValueError(fault)
    return {"around": format_sfen(given), "fixed": tuple(sorted(kept))}


def nearest_problems(options: Options, seed: int, seconds: float) -> Iterator[tuple[Relaxation, Problem]]:
    """What is found within ``seconds`` with one thing less than is asked for, each as soon as it is."""
    from generator.run.relaxations import nearest

    return nearest(options, seed, __version__, seconds, proofread)
