# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a root begins: one count of what is drawn, whether a final position is given or not."""

from __future__ import annotations

import pytest

from generator.acceptance.reasons import Rejection
from generator.constraints.options import ROOTS_PER_START, ComposingOptions
from generator.reverse.seeds import given_problem, variants_of_given_problem
from generator.run.composer import Composer
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import unpack
from tsume_rules.sfen import format_sfen

HEAD_GOLD = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1"
NO_WAY_BACK = "7k1/6+RG1/9/9/9/9/9/9/9 w - 1"
CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
COOKED = "7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"


@pytest.mark.parametrize(
    "options",
    [
        ComposingOptions.of(1),
        ComposingOptions.of(1, final=HEAD_GOLD),
        ComposingOptions.of(1, final=HEAD_GOLD, exact=True),
    ],
    ids=["drawn", "given", "exact"],
)
def test_mates_in_one_are_candidates_whatever_they_come_from(options: ComposingOptions) -> None:
    for index in range(4):
        one, other = (Composer(1, options, "test") for _ in range(2))
        counts = one.root(index).counts
        found = len(other.candidates(index))
        assert counts["candidates"] == found
        assert counts["finalists"] <= found


@pytest.mark.parametrize("length", [1, 3])
@pytest.mark.parametrize("exact", [True, False])
def test_a_given_final_position_without_a_way_back_is_counted(length: int, exact: bool) -> None:
    options = ComposingOptions.of(length, final=NO_WAY_BACK, exact=exact)
    composer = Composer(1, options, "test")
    assert composer.root(0).counts == {"roots": 1, Rejection.NO_WAY_BACK: 1}
    later = composer.root(1).counts
    assert later[Rejection.NO_WAY_BACK] <= (1 if exact else options.finals)
    assert later[Rejection.NO_FINAL] == 0


def test_the_starts_take_turns_each_as_it_is_and_then_its_variants() -> None:
    options = ComposingOptions.of(3, starts=(CORRECT, COOKED))
    composer, engine = Composer(1, options, "test"), DfPnEngine(table_bits=options.table_bits)

    def texts(index: int) -> list[str]:
        return [format_sfen(unpack(candidate.record)) for candidate in composer.candidates(index)]

    one_pass = options.pass_of_roots
    assert one_pass == 2 * ROOTS_PER_START
    assert texts(0) == texts(one_pass) == [CORRECT]
    start = given_problem(engine, CORRECT).candidate
    assert start is not None
    for batch in (0, 30, ROOTS_PER_START - 2):
        engine.forget()
        variants = [
            format_sfen(unpack(one.record)) for one in variants_of_given_problem(engine, start, batch)
        ]
        assert texts(2 * (1 + batch)) == texts(one_pass + 2 * (1 + batch)) == variants
    assert texts(1) == texts(3) == texts(one_pass + 1) == []
