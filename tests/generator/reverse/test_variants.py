# SPDX-License-Identifier: GPL-3.0-or-later
"""Given problems with one change: the line stays, the changes are all tried, each once."""

from __future__ import annotations

from generator.changes import changes_of
from generator.constraints.options import ROOTS_OF_CHANGES
from generator.reverse.seeds import given_problem, variants_of_given_problem
from solver.engines.dfpn.engine import DfPnEngine
from tests.candidates import assert_exact_lengths, assert_lines_mate
from tests.grown import grown
from tsume_rules.game import is_in_check
from tsume_rules.packed import unpack
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen

SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"


def test_all_batches_together_hold_every_variant_once() -> None:
    engine = DfPnEngine(table_bits=16)
    start = given_problem(engine, SFEN).candidate
    assert start is not None
    found = [
        variant
        for batch in range(ROOTS_OF_CHANGES)
        for variant in variants_of_given_problem(engine, start, batch)
    ]
    texts = [format_sfen(unpack(variant.record)) for variant in found]
    one_change = {format_sfen(after) for _, after in changes_of(unpack(start.record))}
    assert len(found) > 100
    assert set(texts) <= one_change
    assert len(texts) == len(set(texts))
    assert not variants_of_given_problem(engine, start, ROOTS_OF_CHANGES)
    assert all(variant.line == start.line and variant.length == 3 for variant in found)
    assert_exact_lengths(found[::10])
    assert_lines_mate(found[::10])
    assert not any(is_in_check(unpack(variant.record), Side.DEFENDER) for variant in found)


def test_the_changes_of_a_batch_do_not_depend_on_what_was_asked_before() -> None:
    one, other = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    for candidate in grown(3)[:4]:
        start = given_problem(one, format_sfen(unpack(candidate.record))).candidate
        if start is None:
            continue
        variants_of_given_problem(one, start, 0)
        texts = [
            [format_sfen(unpack(variant.record)) for variant in variants_of_given_problem(engine, start, 3)]
            for engine in (one, other)
        ]
        assert texts[0] == texts[1]
