"""What the commands share that change problems: `tsume mend` and `tsume enrich`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from solver.results import Judgement, Limits
from tsume.commands.options import F
from tsume.inputs import Entry
from tsume.warmup import Part, warm_up

_MOST_EDITS = 3


def edits_option(what: str, least: int = 1) -> Callable[[F], F]:
    """``--edits``: the most changes of one ``what``."""
    return click.option(
        "--edits", type=click.IntRange(least, _MOST_EDITS), default=2, show_default=True,
        help=f"The most changes of one {what}.",
    )  # fmt: skip


def count_option(default: int, text: str) -> Callable[[F], F]:
    """``-n``: how many are looked for."""
    return click.option(
        "-n", "--count", type=click.IntRange(1, 1000), default=default, show_default=True, help=text
    )


class Workshop:
    """Judges positions with an engine that is made, once ``parts`` are compiled, when it is first needed."""

    def __init__(self, seconds: float, *parts: Part) -> None:
        self._parts = parts
        self.limits = Limits(seconds=seconds)
        self._judge: Any = None

    def judgement(self, entry: Entry, length: int | None = None) -> Judgement:
        """What `tsume check` says of the position."""
        assert entry.parsed is not None
        if self._judge is None:
            warm_up(Part.ENGINE, Part.LIKENESS, *self._parts)
            from solver.engines.dfpn.engine import DfPnEngine
            from solver.judging.judge import Judge

            self._engine = DfPnEngine()
            self._judge = Judge(self._engine)
        self._engine.forget()
        found: Judgement = self._judge.judge(entry.parsed.position, length, self.limits, line=entry.line)
        return found
