# SPDX-License-Identifier: GPL-3.0-or-later
"""Unnecessary pieces counted by the kernel, and one at a time; pieces that a drawn mate does not need."""

from __future__ import annotations

import numpy as np

from generator.candidate import EMPTY, Candidate
from generator.constraints.options import ComposingOptions, Effort
from generator.constraints.position import is_mate
from generator.reverse.extender import Extender
from generator.reverse.kernel.final_positions import NO_MATE, draw_mate_on_cells
from generator.reverse.seeds import _cells_of
from generator.run.composer import Composer
from generator.themes.predicates import patterns_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from tsume_rules.game import is_in_check
from tsume_rules.kernel.state import POSITION
from tsume_rules.packed import pack, unpack
from tsume_rules.position import Kind, Position, Side
from tsume_rules.sfen import parse_sfen


def without_each_piece(position: Position) -> list[Position]:
    """The position without each of its pieces but the king."""
    board = position.board
    pieces = [square for square, piece in enumerate(board) if piece and piece.kind is not Kind.KING]
    return [
        Position.completed((*board[:gone], None, *board[gone + 1 :]), position.attacker_hand)
        for gone in pieces
    ]


def unnecessary_by_hand(engine: DfPnEngine, candidate: Candidate) -> int:
    return sum(
        not is_in_check(position, Side.DEFENDER)
        and engine.keeps_line(pack(position), candidate.line)
        and engine.is_sound(pack(position), candidate.length, 2, 40) == SOUND
        for position in without_each_piece(candidate.readable[0])
    )


def test_unnecessary_pieces_are_those_without_which_the_line_stays_the_only_solution() -> None:
    composer = Composer(2, ComposingOptions.of(3), "test")
    engine = DfPnEngine(table_bits=16)
    extender = Extender(engine, Effort(nodes=100_000), np.array([1], dtype=np.uint64))
    candidates = [one for index in range(6) for one in composer.candidates(index)[::5]]
    numbers = [extender.unnecessary_pieces(candidate) for candidate in candidates]
    assert numbers == [unnecessary_by_hand(engine, candidate) for candidate in candidates]
    assert len(set(numbers)) > 1


def test_pieces_that_a_drawn_mate_does_not_need_are_counted() -> None:
    rng, state = np.random.default_rng(3), np.array([3], dtype=np.uint64)
    pos = pack(parse_sfen(EMPTY).position)
    saved, scratch = np.zeros(1, dtype=POSITION).view(np.recarray), np.zeros(8192, dtype=np.int64)
    mates = 0
    for name in "ト口T" * 10:
        cells = _cells_of(patterns_of(name)[0], rng)
        cost = draw_mate_on_cells(pos, cells, saved, state, scratch, 300)
        position = unpack(pos)
        assert is_mate(position) == (cost < NO_MATE)
        if cost < NO_MATE:
            mates += 1
            assert cost == sum(map(is_mate, without_each_piece(position)))
    assert mates > 10
