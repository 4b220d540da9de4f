# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats.positions import random_record
from tsume.formats.game_record import GameRecord
from tsume.formats.ki2 import MOVES_PER_LINE, write_ki2
from tsume.formats.kif import read_kif
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

PROBLEM = GameRecord(
    parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position,
    tuple(map(parse_move, ("G*2b", "1a2b", "G*2c"))),
    "tsume-1",
    ("難易度 ★☆☆☆☆ (1.00)",),
)


def test_the_file_of_a_problem() -> None:
    assert write_ki2(PROBLEM).splitlines()[-4:] == [
        "先手の持駒：金二",
        "*難易度 ★☆☆☆☆ (1.00)",
        "▲２二金 △同玉 ▲２三金",
        "まで3手で詰",
    ]


@given(st.integers(0, 10**9))
def test_the_diagram_is_read_and_all_moves_are_there(seed: int) -> None:
    record = random_record(seed)
    text = write_ki2(record)
    assert text.encode("cp932")
    moves = [line for line in text.splitlines() if line[0] in "▲△"]
    assert sum(line.count("▲") + line.count("△") for line in moves) == len(record.line)
    assert len(moves) == -(-len(record.line) // MOVES_PER_LINE)
    kept = "\n".join(line for line in text.splitlines() if line[0] not in "▲△")
    assert read_kif(kept) == [(record.position, ())]
