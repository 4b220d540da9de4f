# SPDX-License-Identifier: GPL-3.0-or-later
"""What is true of every candidate, grown or sampled, and what test messages show of one."""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.kernel.traits import TRAITS
from generator.likeness import LikenessModel, traits_of_problem
from generator.reverse.extender import Extender, MaterialLimits
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.cooks import decision_points, leaves_same_position, refute
from solver.solving.tree import TreeBuilder, Turn
from tests import naive
from tsume_rules.packed import line_played, unpack, unpack_move
from tsume_rules.sfen import format_sfen

FEW = Effort(answers=40, checks=10, children=6, per_answer=2)
"""Growth that gives a few children of a parent, quickly."""


def extender(seed: int, effort: Effort = FEW, bounds: MaterialLimits | None = None) -> Extender:
    """A extender with a small table of its own."""
    made = Extender(DfPnEngine(table_bits=16), effort, np.array([seed], dtype=np.uint64))
    if bounds is not None:
        made.keep_to(bounds)
    return made


def mates_in_one(place: Extender, finals: int) -> list[Candidate]:
    """The mates in one that lead to ``finals`` drawn final positions."""
    found: list[Candidate] = []
    for family in range(finals):
        final = place.draw_final()
        found += [] if final is None else place.first_moves(final, family)
    return found


def generations(place: Extender, finals: int, length: int, most: int = 24) -> Iterator[list[Candidate]]:
    """The positions that mate in 1, 3, ... ``length`` plies, from ``most`` parents or a few more each."""
    population = mates_in_one(place, finals)
    yield population
    for _ in range(length // 2):
        parents = population[:: max(1, len(population) // most)]
        population = [child for parent in parents for child in place.children(parent)]
        yield population


def grown(length: int, finals: int = 12, seed: int = 1) -> list[Candidate]:
    """Positions that mate in exactly ``length`` plies."""
    return list(_grown(length, finals, seed))


@cache
def _grown(length: int, finals: int, seed: int) -> tuple[Candidate, ...]:
    return tuple(list(generations(extender(seed), finals, length))[-1])


def shown(candidate: Candidate) -> str:
    line = " ".join(unpack_move(move).usi for move in candidate.line)
    return f"{format_sfen(unpack(candidate.packed))} moves {line}"


def root_of(candidate: Candidate) -> Turn:
    """The root of its main tree, by the second engine."""
    return TreeBuilder(IterativeEngine(table_bits=16)).turn(candidate.packed, candidate.length)


def assert_exact_lengths(candidates: Iterable[Candidate]) -> None:
    twin = IterativeEngine(table_bits=16)
    for candidate in candidates:
        assert twin.mates(candidate.packed, candidate.length), shown(candidate)
        assert candidate.length == 1 or not twin.mates(candidate.packed, candidate.length - 2), shown(candidate)


def assert_the_slow_twin_agrees(threes: Iterable[Candidate]) -> None:
    """Mate in three, by one first move."""
    for candidate in threes:
        sfen = format_sfen(unpack(candidate.packed))
        assert naive.length(sfen, 3) == 3, shown(candidate)
        assert naive.mating_moves(sfen, 3) == {unpack_move(candidate.line[0]).usi}, shown(candidate)


def assert_lines_mate(candidates: Iterable[Candidate]) -> None:
    """Each line is legal, as long as it should be, and ends with mate."""
    for candidate in candidates:
        board = naive.board_of(format_sfen(unpack(candidate.packed)))
        assert len(candidate.line) == candidate.length, shown(candidate)
        for ply, code in enumerate(candidate.line):
            legal = naive.evasion_moves(board) if ply % 2 else naive.check_moves(board)
            move = unpack_move(code).usi
            assert move in {other.usi() for other in legal}, (shown(candidate), move)
            board.push_usi(move)
        assert naive.mated_within(board, 0), shown(candidate)


def assert_no_second_solution(candidates: Iterable[Candidate], margin: int) -> None:
    """None that mates within ``margin`` plies more than the problem, but for forms of a key that leave the
    same position."""
    twin = IterativeEngine(table_bits=16)
    for candidate in candidates:
        for place in decision_points(candidate.packed, root_of(candidate)):
            while (cook := refute(twin, candidate.packed, place, margin)) is not None:
                with line_played(candidate.packed, cook.path):
                    assert leaves_same_position(twin, candidate.packed, cook), (shown(candidate), cook)


# --- Models of what is likely, for tests: counted on positions that the tests grow, not fitted ---


def traits_of(candidate: Candidate) -> np.ndarray:
    """How often a candidate and its line have each trait, [`TRAITS`]."""
    return np.bincount(traits_of_problem(candidate.packed, candidate.line), minlength=TRAITS)


@cache
def rates() -> np.ndarray:
    """How often grown positions have each trait."""
    candidates = [candidate for length in (3, 5) for candidate in grown(length)]
    found: np.ndarray = sum(map(traits_of, candidates), np.zeros(TRAITS)) / len(candidates)
    return found


def plain_model() -> LikenessModel:
    """Draws what is grown often; all positions are worth the same."""
    return LikenessModel.of_any_opening(np.zeros(TRAITS), rates())
