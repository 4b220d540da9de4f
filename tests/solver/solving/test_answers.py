# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate
from solver.solving.solve import equal_solutions, solve
from tests import naive
from tsume_rules.sfen import parse_sfen

TWO_FORMS = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
LAST = "5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1"
DROP_PLAYED = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"


@pytest.mark.parametrize("sfen", [COOKED, LAST, DROP_PLAYED])
def test_key_form_and_other_together_are_all_that_mate_as_soon(sfen: str) -> None:
    engine, position = DfPnEngine(table_bits=14), parse_sfen(sfen).position
    result = solve(position, Limits(), engine)
    assert isinstance(result, Mate)
    found = equal_solutions(engine, position, result.length, result.line)
    assert len(found) == (1 if sfen == DROP_PLAYED else (result.length + 1) // 2)
    moves = {move.usi for move in (found[0].key, *found[0].form, *found[0].other)}
    assert moves == naive.mating_moves(sfen, result.length)
    assert [one.key for one in found] == list(result.line[: 2 * len(found) : 2])


def test_another_form_and_another_kind_are_told_apart() -> None:
    engine = DfPnEngine(table_bits=14)
    for sfen, form, other in ((TWO_FORMS, ["4b3a"], []), (COOKED, [], ["3b2a+"])):
        position = parse_sfen(sfen).position
        result = solve(position, Limits(), engine)
        assert isinstance(result, Mate)
        first = equal_solutions(engine, position, result.length, result.line)[0]
        assert [move.usi for move in first.form] == form
        assert {move.usi for move in (first.key, *first.other)} >= set(other)
