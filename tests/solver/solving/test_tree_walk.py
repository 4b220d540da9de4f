# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees that the engine builds in one call are those that are built step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from solver.engines.base import TreeWalkPlan
from solver.engines.dfpn import engine
from solver.engines.dfpn import engine as dfpn
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder, Turn
from tests.sampling import attacks, crowded, promotable
from tsume_rules.packed import Record, mirrored, pack
from tsume_rules.sfen import format_sfen, parse_sfen

OPTIONS: list[dict[str, Any]] = [
    {"most_turns": 400, "complete": False},
    {"order": int},
    {"order": mirrored},
    {"main_line": False},
    {"most_turns": 3, "complete": False},
    {"most_turns": 3},
]
GREY = "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1"
"""Only a futile drop lasts longest."""
SEVEN = "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g2s2n4l17p 1"
ENOUGH = Limits(nodes=100_000)


class StepByStep(DfPnEngine):
    """Asks one question after the other."""

    def tree_walk(self, plan: TreeWalkPlan) -> None:  # type: ignore[override]
        """None: it builds no trees itself."""


def mates(number: int) -> Iterator[tuple[Record, int, str]]:
    """Positions that mate in 3 to 7 plies, their lengths, their SFENs."""
    for position in chain(attacks(number, "walk"), crowded(number, "walk"), promotable(number, "walk")):
        record = pack(position)
        found = search_length(DfPnEngine(table_bits=14), record, Limits(nodes=20_000, max_length=7))
        if isinstance(found, Mate) and found.length > 1:
            yield record, found.length, format_sfen(position)


def told(engine: DfPnEngine, record: Record, n: int, options: dict[str, Any]) -> Any:
    """A tree as nested tuples, or that it is too large; the engine has found the length before."""
    search_length(engine, record, Limits())
    try:
        with engine.within(ENOUGH):
            root = TreeBuilder(engine, **options).turn(record, n)
    except LimitReached as limit:
        return limit.reason
    return in_tuples(root), root.line()


def in_tuples(turn: Turn) -> Any:
    replies = tuple((reply.moves, in_tuples(reply.turn) if reply.turn else None) for reply in turn.replies)
    return turn.n, turn.key, turn.finals, turn.final_leftovers, turn.leftover, replies


def test_trees_are_the_same_as_step_by_step() -> None:
    count = 0
    for record, n, sfen in mates(80):
        for options in OPTIONS:
            one, other = DfPnEngine(table_bits=14), StepByStep(table_bits=14)
            assert told(one, record, n, options) == told(other, record, n, options), (sfen, options)
            count += 1
    assert count > 95


@pytest.mark.parametrize("nodes", [1, 7, 60])
def test_trees_that_take_many_calls_are_the_same(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes of a call run out again and again: what is found so far is gone on from."""
    expected = [(told(StepByStep(table_bits=14), *one[:2], OPTIONS[0]), *one) for one in mates(30)]
    monkeypatch.setattr(dfpn, "SLICE", nodes)
    for tree, record, n, sfen in expected:
        found = told(DfPnEngine(table_bits=14), record, n, OPTIONS[0])
        assert found[0][0] == tree[0][0] == n, sfen
        assert len(found[1]) == len(tree[1]), sfen


@pytest.mark.parametrize(("sfen", "n"), [(GREY, 3), (SEVEN, 7)])
def test_what_the_walk_cannot_build_is_built_step_by_step(
    sfen: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = pack(parse_sfen(sfen).position)
    expected = told(StepByStep(table_bits=14), record, n, OPTIONS[1])
    assert told(DfPnEngine(table_bits=14), record, n, OPTIONS[1]) == expected
    monkeypatch.setattr(engine, "_REPLIES", 0)  # no room for any reply
    assert told(DfPnEngine(table_bits=14), record, n, OPTIONS[1]) == expected


def test_one_builder_builds_several_trees() -> None:
    one, other = DfPnEngine(table_bits=14), StepByStep(table_bits=14)
    builder, twin = TreeBuilder(one, most_turns=30, complete=False), TreeBuilder(
        other, most_turns=30, complete=False
    )  # fmt: skip
    for record, n, sfen in mates(40):
        search_length(one, record, Limits())
        search_length(other, record, Limits())
        assert in_tuples(builder.turn(record, n)) == in_tuples(twin.turn(record, n)), sfen


def test_a_limit_ends_a_walk_and_leaves_the_position() -> None:
    record = pack(parse_sfen(SEVEN).position)
    before = record.tobytes()
    engine = DfPnEngine(table_bits=14)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=20)):
        TreeBuilder(engine).turn(record, 7)
    assert record.tobytes() == before
