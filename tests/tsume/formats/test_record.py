# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Judgement
from tsume.formats.game_record import game_record_of
from tsume.formats.kif import read_kif, write_kif
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


def test_the_record_of_a_problem() -> None:
    position = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
    line = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))
    judgement = Judgement(Defect.NONE, length=3, line=line)
    problem = Problem(position, judgement, Difficulty({}, 2.5, 2), Provenance(7, 12, "0.1.0"))
    record = game_record_of(problem, "tsume-1")
    assert record.comments == ("難易度 ★★☆☆☆ (2.50)", "tsume 0.1.0 seed 7 index 12")
    assert (record.title, record.mates) == ("tsume-1", True)
    assert read_kif(write_kif(record)) == [(position, line)]
