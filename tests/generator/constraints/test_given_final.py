# SPDX-License-Identifier: GPL-3.0-or-later
"""A given final position is mate, or the answer to its check is named."""

from __future__ import annotations

import pytest
import shogi

from generator.constraints.position import GivenError, escape_from_mate, parse_final_position
from tsume_rules.sfen import parse_sfen

MATE = "7nk/7bp/7N1/9/9/9/9/9/9 w -"


def test_a_mate_has_no_escape() -> None:
    assert escape_from_mate(parse_sfen("7nk/7bp/7N1/9/9/9/9/9/9 b -").position) is None
    assert parse_final_position(MATE) == parse_final_position(MATE.replace(" w -", " w - 1"))


@pytest.mark.parametrize("sfen", ["4k4/9/9/9/9/9/9/9/9 w - 1", "8k/9/7+RP/9/9/9/9/9/9 w - 1"])
def test_without_a_check_this_is_said(sfen: str) -> None:
    with pytest.raises(GivenError, match="the side to move is not mated: it is not in check"):
        parse_final_position(sfen)


@pytest.mark.parametrize(
    ("sfen", "answers"),
    [
        ("8k/8L/9/9/9/9/9/9/9 w - 1", {"1a1b", "1a2a", "1a2b"}),
        ("8k/9/9/8R/9/9/9/9/9 w - 1", {"1a2a", "1a2b"}),
        ("9/9/9/9/9/8r/9/9/8K b - 1", {"1i2h", "1i2i"}),
        ("7lk/7p1/9/9/9/9/9/8L/9 w - 1", {f"{letter}*1{rank}" for letter in "RBGSNLP" for rank in "bcdefg"}),
        ("7nk/7b1/6S2/9/9/9/9/9/8L w - 1", {"2a1c", "2b1c"}),
    ],
)
def test_where_a_check_is_no_mate_an_answer_is_named(sfen: str, answers: set[str]) -> None:
    """A move of the king or of a piece on the board if there is one, else a drop."""
    with pytest.raises(GivenError, match=r"the side to move is not mated: .* answers the check") as failed:
        parse_final_position(sfen)
    named = str(failed.value).split(": ")[1].split()[0]
    assert named in answers
    held = sfen if "*" not in named else sfen.replace(" - ", " 2r2b4g4s4n2l17p ")
    assert shogi.Move.from_usi(named) in shogi.Board(held).legal_moves
