# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a line that shows a theme is to showing it for its purpose: what a walk towards the theme climbs.

There is a function for each theme that seldom has its purpose by chance, from 0 to 1: no purpose yet. Every
function raises `LimitReached`.
"""

from __future__ import annotations

from collections.abc import Callable

from generator.heuristics.defence import is_moved_interposition, is_unprotected
from generator.themes import answers, checks
from generator.themes.pawn_drops import record_after_answer
from generator.themes.probe import LineProbe
from generator.themes.purposes import AnswerKind, fails_promoted, longest_of_other_kinds, mating_on_line
from solver.scoring.check_kinds import is_distant_drop
from tsume_rules.packed import forbidden_drop

Nearness = Callable[[LineProbe], float]


def _by_fewest(numbers: list[int | None]) -> float:
    """1 / (1 + the fewest): what is in the way of the purpose, counted for each turn."""
    known = [number for number in numbers if number is not None]
    return 1 / (1 + min(known)) if known else 0.0


def _of_answers(kind: AnswerKind) -> Nearness:
    """By the fewest other answers that last as long as one of a kind."""
    return lambda probe: _by_fewest([longest_of_other_kinds(probe, k, kind) for k in range(len(probe.turns))])


def _given_interposition(probe: LineProbe) -> float:
    turns = [k for k in range(len(probe.turns)) if answers.gives_between(probe.replayed, k)]
    return _by_fewest([longest_of_other_kinds(probe, k, answers.is_given) for k in turns])


def _drops(is_kind: checks.CheckKind) -> Nearness:
    """By the fewest other squares of the line on which the drop mates as well."""
    return lambda probe: _by_fewest(
        [len(mating_on_line(probe, k)) for k, turn in enumerate(probe.turns[:-1]) if is_kind(turn.check)]
    )


def _pawn_drop_avoidance(probe: LineProbe) -> float:
    """Half if some promotion would not mate in time: then the reason may become a pawn drop."""
    return 0.5 * any(
        checks.may_avoid_pawn_drop_mate(turn.check) and fails_promoted(probe, k)
        for k, turn in enumerate(probe.turns[:-1])
    )


def _pawn_drop_lure(probe: LineProbe) -> float:
    """Half if after an answer a pawn drop is forbidden: then another answer may allow it."""
    return 0.5 * any(
        answers.lures_pawn_drop(probe.replayed, k)
        and forbidden_drop(record_after_answer(probe.record_after_check(k), probe.moves[2 * k + 1])) != 0
        for k in range(len(probe.turns) - 1)
    )


NEARNESS: dict[str, Nearness] = {
    "interposition": _of_answers(lambda _, answer: answer.is_drop),
    "moved-interposition": _of_answers(is_moved_interposition),
    "chuai": _of_answers(is_unprotected),
    "given-interposition": _given_interposition,
    "distant-drop": _drops(is_distant_drop),
    "long-drop": _drops(checks.is_long_drop),
    "pawn-drop-avoidance": _pawn_drop_avoidance,
    "pawn-drop-lure": _pawn_drop_lure,
}
"""The functions by tag."""
