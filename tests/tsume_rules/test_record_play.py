# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from tsume_rules.packed import attacker_turns, pack, pack_move, record_after, unpack
from tsume_rules.sfen import parse_line, parse_sfen

LINE = "6kB1/7+r1/5B2R/7+PL/9/9/9/9/9 b 4g4s4n3l17p 1 moves 2a3b+ 2b3b 4c3b+ 3a3b 1c3c+ 3b4a R*4b 4a5a 3c3a"


@pytest.mark.parametrize("plies", range(10))
def test_the_turns_of_a_line_are_those_that_playing_it_reaches(plies: int) -> None:
    sfen, moves = parse_line(LINE)
    record, line = pack(parse_sfen(sfen).position), tuple(map(pack_move, moves))[:plies]
    expected = [record_after(record, line[:ply]) for ply in range(0, plies + 1, 2)]
    assert list(map(unpack, attacker_turns(record, line))) == list(map(unpack, expected))
    assert unpack(record) == parse_sfen(sfen).position
