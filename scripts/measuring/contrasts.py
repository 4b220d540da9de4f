# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench contrasts`: what parts composed problems from published ones, as a solver sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click

from generator.likeness.finish import has_two_last_moves
from generator.replay.line import ReplayedLine, replay_line
from scripts.measuring.likeness import ManyFiles, by_length
from scripts.measuring.options import FILE
from scripts.measuring.problem_files import Lined, read_problems
from solver.engines.dfpn.engine import DfPnEngine
from solver.scoring.difficulty import TABLE_BITS
from solver.scoring.resistance import more_than_a_glance, resistance
from solver.scoring.surprise import surprise
from tsume_rules.kernel.tables import GOLD, KING
from tsume_rules.packing import dropped, pack
from tsume_rules.record_moves import legal_checks


@dataclass(frozen=True)
class Contrasts:
    """What is counted in one problem."""

    two_last_moves: bool
    captures: bool
    first_checks: int
    others: int
    """First checks other than the key."""
    tries: int
    """Those of them that take more than a glance to refute."""
    only_king_answers: bool
    ends_with_a_gold: bool
    resistance: float
    surprise: float


ROWS: dict[str, Callable[[Sequence[Contrasts]], float]] = {
    "two last moves mate": lambda some: fmean(one.two_last_moves for one in some),
    "some check captures": lambda some: fmean(one.captures for one in some),
    "legal first checks": lambda some: fmean(one.first_checks for one in some),
    "first checks that take more than a glance": lambda some: (
        sum(one.tries for one in some) / max(1, sum(one.others for one in some))
    ),
    "some first check takes more than a glance": lambda some: fmean(one.tries > 0 for one in some),
    "only the king answers": lambda some: fmean(one.only_king_answers for one in some),
    "a gold drop mates": lambda some: fmean(one.ends_with_a_gold for one in some),
    "resistance": lambda some: fmean(one.resistance for one in some),
    "surprise": lambda some: fmean(one.surprise for one in some),
}
"""The figures of problems of one length: shares, but means of legal first checks and of the last two."""


@click.command(cls=ManyFiles)
@click.option("--published", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--composed", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--moves", multiple=True, type=int, help="Only this length; may be given several times.")
@click.option("--solve", "solve_all", is_flag=True, help="Use the program's main lines for all problems.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object for each length.")
def contrasts(
    published: tuple[Path, ...],
    composed: tuple[Path, ...],
    moves: tuple[int, ...],
    solve_all: bool,
    jsonl: bool,
) -> None:
    """What solvers notice first: tries, captures, last moves, in published and in composed problems.

    A first check takes more than a glance if no answer makes the attacker run out of checks within three
    plies of it.
    """
    engine = DfPnEngine(table_bits=TABLE_BITS)
    ours = by_length(read_problems(composed, solve_all=solve_all))
    theirs = by_length(read_problems(published, solve_all=solve_all))
    for length in sorted(ours):
        if not moves or length in moves:
            sets = [[contrasts_of(one, engine) for one in some[length]] for some in (theirs, ours)]
            print(_json(length, sets) if jsonl else _text(length, sets), flush=True)


def contrasts_of(problem: Lined, engine: DfPnEngine) -> Contrasts:
    """What is counted in a problem."""
    record, line = pack(problem.position), problem.moves
    replayed = replay_line(problem.position, problem.line)
    first = legal_checks(record)
    others = [check for check in first if check != line[0]]
    return Contrasts(
        two_last_moves=has_two_last_moves(record, line),
        captures=any(turn.check.captured for turn in replayed.turns),
        first_checks=len(first),
        others=len(others),
        tries=len(more_than_a_glance(record, others)),
        only_king_answers=_has_only_king_answers(replayed),
        ends_with_a_gold=dropped(line[-1]) == GOLD,
        resistance=resistance(engine, record, others),
        surprise=surprise(record, line[0], first),
    )


def _has_only_king_answers(line: ReplayedLine) -> bool:
    """Whether there are answers, and all are moves of the king."""
    return bool(line.answers) and all(answer.kind == KING for answer in line.answers)


def _text(length: int, sets: Sequence[Sequence[Contrasts]]) -> str:
    lines = [f"{length} moves:{'':33} {'published':>10} {'composed':>10}"]
    lines.append(f"  {'problems':40} {len(sets[0]):10} {len(sets[1]):10}")
    for name, figure in ROWS.items():
        lines.append(
            f"  {name:41}{' '.join(f'{figure(some):10.3f}' if some else '         -' for some in sets)}"
        )
    return "\n".join(lines)


def _json(length: int, sets: Sequence[Sequence[Contrasts]]) -> str:
    figures = {
        side: {"number": len(some)} | {name: round(figure(some), 4) for name, figure in ROWS.items() if some}
        for side, some in zip(("published", "composed"), sets, strict=True)
    }
    return json.dumps({"length": length} | figures)
