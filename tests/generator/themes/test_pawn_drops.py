# SPDX-License-Identifier: GPL-3.0-or-later
"""Pawn-drop mate: when a drop is forbidden, and how the defender aims at it."""

from __future__ import annotations

import pytest

from generator.replay import replay_line
from generator.themes import THEMES, find_themes
from generator.themes.purposes import LineProbe
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.moves import parse_move
from tsume_rules.packed import forbidden_drop, pack, pack_move
from tsume_rules.sfen import parse_sfen

FENCED = "9/9/9/9/4b4/6+R2/8k/9/7SG b GPrb2g3s4n4l17p 1"
"""The king cannot move; a pawn below it is protected, and a horse on 2h could take it, a bishop could not."""


def _lures(probe: LineProbe) -> bool:
    purpose = THEMES["pawn-drop-lure"].purpose
    assert purpose is not None
    return purpose(probe)


def _drop(sfen: str) -> int:
    return forbidden_drop(pack(parse_sfen(sfen).position))


def test_a_pawn_drop_that_leaves_no_answer_is_forbidden() -> None:
    assert _drop("9/9/9/9/9/6+R2/8k/7b1/7SG b Prb3g3s4n4l17p 1") == pack_move(parse_move("P*1h"))


@pytest.mark.parametrize(
    "sfen",
    [
        "9/9/9/9/9/6+R2/8k/7+b1/7SG b Prb3g3s4n4l17p 1",  # the horse takes the pawn
        "9/9/9/9/9/9/8k/7b1/7SG b P2rb3g3s4n4l17p 1",  # the king goes away
        "9/9/9/9/9/6+R2/8k/7b1/7SG b rb3g3s4n4l18p 1",  # no pawn in hand
        "9/9/8P/9/9/6+R2/8k/7b1/7SG b Prb3g3s4n4l16p 1",  # two pawns on a file
        "9/9/9/9/9/6+R2/8k/7bl/7SG b Prb3g3s4n3l17p 1",  # no room
    ],
)
def test_other_drops_are_not_forbidden(sfen: str) -> None:
    assert not _drop(sfen)


@pytest.mark.parametrize(("answer", "lures"), [("5e2h", True), ("5e2h+", False)])
def test_a_bishop_that_does_not_promote_lures_into_pawn_drop_mate(answer: str, lures: bool) -> None:
    position = parse_sfen(FENCED).position
    line = tuple(parse_move(usi) for usi in f"G*2h {answer} 2i2h 1g1f 3f4f 1f1g 4f3f".split())
    probe = LineProbe(DfPnEngine(table_bits=12), replay_line(position, line), line)
    assert _lures(probe) is lures


def test_a_line_too_short_for_the_drop_to_mate_after_the_other_answer_shows_no_lure() -> None:
    position = parse_sfen(FENCED).position
    line = tuple(parse_move(usi) for usi in ("G*2h", "5e2h", "2i2h"))
    assert not _lures(LineProbe(DfPnEngine(table_bits=12), replay_line(position, line), line))


def test_a_pawn_may_be_taken_after_the_piece_that_does_not_promote_has_moved() -> None:
    position = parse_sfen("8k/8p/9/1R6G/8G/9/9/9/9 b - 1").position
    moves = "8d8a 1a2b 1d1b 2b2c P*2d 2c3c 8a3a"
    line = tuple(map(parse_move, moves.split()))
    assert "pawn-drop-avoidance" in find_themes(position, line)
