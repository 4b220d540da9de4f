# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats.positions import random_record
from tsume.formats.english_diagram import english_diagram
from tsume_rules.position import square
from tsume_rules.sfen import parse_sfen, piece_letter

SFEN = "7nl/5+B3/8p/6+R1k/8s/7Ps/9/9/9 b G2Prb3g2s3n3l14p 1"


def test_the_diagram_of_a_problem() -> None:
    text = english_diagram(parse_sfen(SFEN).position).splitlines()
    assert text[0] == "  9  8  7  6  5  4  3  2  1"
    assert text[2] == "| .  .  .  .  .  .  .  n  l |a"
    assert text[5] == "| .  .  .  .  .  . +R  .  k |d"
    assert text[-1] == "in hand: G, 2P"
    assert english_diagram(parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position).endswith("in hand: nothing")


@given(st.integers(0, 10**9))
def test_each_piece_stands_below_its_file_and_beside_its_rank(seed: int) -> None:
    position = random_record(seed).position
    files, _, *ranks, _, _ = english_diagram(position).splitlines()
    assert len({len(line) for line in ranks}) == 1
    for rank, line in enumerate(ranks, start=1):
        assert line[-1] == "abcdefghi"[rank - 1]
        for file in range(1, 10):
            end = files.index(str(file)) + 1
            expected = piece_letter(position.board[square(file, rank)])
            assert line[end - 2 : end].strip() == expected.replace("-", ".")
