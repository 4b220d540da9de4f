# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of moves in df-pn+, in positions where it can be counted by eye."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.kernel.outcome import answer_cost, attack_cost
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack, pack_move
from tsume_rules.sfen import parse_sfen

ALONE = "4k4/9/9/9/9/9/9/9/4R4 b RBGSNLPb3g3s3n3l17p 1"
"""Only the king can capture a piece put beside him."""
GUARDED = "3gk4/3r5/9/9/9/9/9/9/4L4 b RBGSNLPb2g3s3n2l17p 1"
"""The gold guards 5b and 6b, the rook the second rank, the king the squares beside him."""


def cost_of_check(sfen: str, usi: str) -> int:
    return int(attack_cost(pack(parse_sfen(sfen).position), pack_move(parse_move(usi))))


def cost_of_answer(sfen: str, usi: str) -> int:
    return int(answer_cost(pack(parse_sfen(sfen).position), pack_move(parse_move(usi))))


@pytest.mark.parametrize(
    ("usi", "cost"),
    [
        ("P*5b", 0),  # guarded by the king, supported by the rook: not given away
        ("G*4b", 8),  # guarded by the king, not supported
        ("S*4b", 4),
        ("N*4c", 0),  # out of the king's reach
        ("L*5c", 0),
        ("B*6b", 6),
        ("R*4a", 6),
        ("5i5b", 6),  # the rook itself does not count as its own support
        ("5i5b+", 8),  # a dragon costs more
        ("5i5c+", 0),  # not guarded
    ],
)
def test_a_check_costs_what_is_given_away(usi: str, cost: int) -> None:
    assert cost_of_check(ALONE, usi) == cost


@pytest.mark.parametrize(
    ("usi", "cost"),
    [("P*5b", 1), ("L*5b", 4), ("G*5b", 8), ("S*4b", 4), ("R*4a", 6), ("N*4c", 0)],
)
def test_a_check_costs_nothing_only_with_as_much_support_as_guards(usi: str, cost: int) -> None:
    assert cost_of_check(GUARDED, usi) == cost


@pytest.mark.parametrize(
    ("sfen", "usi", "cost"),
    [
        ("4k4/9/9/9/9/9/9/9/4R4 b Prb3g4s4n4l17p 1", "P*5e", 0),  # a pawn costs nothing
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "G*5e", -2),  # the rook attacks it
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "N*5e", -1),
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "L*5e", -1),
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "R*5e", -2),
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "G*5b", 0),  # the king supports it
        ("4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "5a4a", 0),  # a king gives nothing away
        ("4k4/9/9/9/9/9/9/3r5/4R4 b 2b4g4s4n4l18p 1", "6h5h", -2),  # it moves before the rook
        ("4k4/9/9/9/9/9/9/3r5/4R4 b 2b4g4s4n4l18p 1", "6h5h+", -3),  # as a dragon
    ],
)
def test_an_answer_is_the_cheaper_the_more_it_gives_away(sfen: str, usi: str, cost: int) -> None:
    assert cost_of_answer(sfen, usi) == cost


def test_with_one_more_support_nothing_is_given_away() -> None:
    """A silver at 5b, guarded by the king: supported by the rook, by no piece, by a gold as well."""
    assert cost_of_check("4k4/9/9/9/9/9/9/9/4R4 b Sr2b4g3s4n4l18p 1", "S*5b") == 0
    assert cost_of_check("4k4/9/9/9/9/9/9/9/9 b S2r2b4g3s4n4l18p 1", "S*5b") == 4
    assert cost_of_check("3gk4/9/9/9/9/9/9/9/4R4 b Sr2b3g3s4n4l18p 1", "S*5b") == 4
    assert cost_of_check("3gk4/9/5G3/9/9/9/9/9/4R4 b Sr2b2g3s4n4l18p 1", "S*5b") == 4 - 4
