# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit main-line`: which of several longest defences published lines follow."""

from __future__ import annotations

from collections import Counter

import click
import numpy as np

from scripts.fitting.logit import Choice, accuracy, cross_validated, fitted
from scripts.measuring.shared import Lined, read_published
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.given import examine_given
from solver.judging.judge import mirror_order
from solver.limits import LimitReached
from solver.results import Limits
from solver.solving.main_line import WEIGHTS, defence_features
from solver.solving.tree import Reply, TreeBuilder
from tsume_rules.packing import Record, pack
from tsume_rules.pieces import Side
from tsume_rules.record_play import line_played, played

NAMES = tuple(WEIGHTS)
_MOST_TURNS = 400


class Chooser:
    """Finds the choices among longest defences that published lines make."""

    def __init__(self, seconds: float) -> None:
        self._engine = DfPnEngine()
        self._limits = Limits(seconds=seconds)
        self.choices: list[Choice] = []
        self.agreeing: Counter[int] = Counter()
        self.compared: Counter[int] = Counter()

    def look_at(self, problem: Lined) -> None:
        """Collect a problem's choices; one whose line is not a best line, or takes too long, has none."""
        self._engine.forget()
        try:
            with self._engine.within(self._limits):
                self._look_at(problem)
        except LimitReached:
            pass

    def _look_at(self, problem: Lined) -> None:
        record, line, n = pack(problem.position), problem.moves, problem.length
        if not self._engine.mates(record, n):
            return
        if examine_given(self._engine, record, n, line).reading != "narrow":
            return
        order = mirror_order(problem.position)
        builder = TreeBuilder(self._engine, most_turns=_MOST_TURNS, complete=False, order=order)
        self.compared[n] += 1
        self.agreeing[n] += builder.turn(record, n).line()[: n - 1] == line[: n - 1]
        for ply in range(0, n - 1, 2):
            with line_played(record, line[:ply]):
                found = builder.after(record, line[ply], n - ply).replies
                self._add(record, line[ply], found, line[ply + 1])

    def _add(self, record: Record, key: int, replies: list[Reply], answer: int) -> None:
        fitting = [reply for reply in replies if reply.turn and not reply.turn.leftover]
        chosen = next((i for i, reply in enumerate(fitting) if reply.moves == (answer,)), None)
        if chosen is not None and len(fitting) > 1:
            with played(record, key, Side.ATTACKER):
                rows = np.array([self._row(record, reply) for reply in fitting])
            self.choices.append(Choice(rows, chosen))

    def _row(self, record: Record, reply: Reply) -> list[float]:
        assert reply.turn is not None
        turn = reply.turn
        found = Counter(
            defence_features(self._engine, record, reply.moves[0], turn.n, turn.key, len(turn.replies))
        )
        return [float(found[name]) for name in NAMES]


@click.command("main-line")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--time", "seconds", type=float, default=30.0, help="Seconds for each problem.")
def main_line(files: tuple[str, ...], seconds: float) -> None:
    """Fit the weights of `solver.solving.main_line` on problems with lines.

    FILES hold lines of ``SFEN moves USI...``, or an SFEN, a tab and the line.
    """
    chooser = Chooser(seconds)
    for problem in read_published(files):
        chooser.look_at(problem)
    for n, number in sorted(chooser.compared.items()):
        share = chooser.agreeing[n] / number
        click.echo(
            f"{n:2} plies: {number} problems, {share:.0%} with the line as published but for its last move"
        )
    if not chooser.choices:
        click.echo("no choice between longest defences")
        return
    _report(chooser.choices)


def _report(choices: list[Choice]) -> None:
    """The weights in force and fitted, and how many of the choices they make as published."""
    now = np.array([WEIGHTS[name] for name in NAMES])
    new = fitted(choices, len(NAMES))
    click.echo(f"{len(choices)} choices; made as published:")
    click.echo(f"  weights in force      {accuracy(choices, now):.2f}")
    click.echo(f"  fitted                {accuracy(choices, new):.2f}")
    click.echo(f"  fitted, on other data {cross_validated(choices, len(NAMES)):.2f}")
    click.echo("weight in force, fitted:")
    for name, old, fresh in zip(NAMES, now, new, strict=True):
        click.echo(f"  {name:24} {old:6.2f} {fresh:6.2f}")
