# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions drawn with a pattern have it, and what is taken back from them leads to it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.learned.kernel.motifs import draw_forbidden_drop
from generator.learned.network import LearnedSampler, stored_conditions, stored_network
from generator.motifs import MOTIFS, MotifSampler, motif_for
from generator.run.composer import Composer
from solver.engines.dfpn.engine import DfPnEngine
from tests.naive import length as naive_length
from tsume_rules.kernel.tables import DEF, PROMOTION
from tsume_rules.packed import Record, forbidden_drop, legal_checks, pack, unpack
from tsume_rules.position import SQUARES, Kind, Position, Side, mirrored, structural_faults
from tsume_rules.sfen import format_sfen

N = 3


def drawn(theme: str, number: int) -> Iterator[Record]:
    """Positions with the pattern of a theme, before anything is taken back."""
    learned = LearnedSampler(DfPnEngine(table_bits=16), np.array([6], dtype=np.uint64), stored_network())
    conditions = stored_conditions(N)
    for index in range(number):
        record, _ = learned.draw_by(
            draw_forbidden_drop, N, 50_000, 1_000, conditions[index], *MOTIFS[theme].options
        )
        if record is not None:
            yield record.copy()


def test_a_drop_is_forbidden_and_another_check_mates() -> None:
    records = list(drawn("pawn-drop-lure", 6))
    assert records
    for record in records:
        assert forbidden_drop(record)
        assert naive_length(format_sfen(unpack(record)), N) == N


def with_one_promoted(position: Position) -> Iterator[Position]:
    for square, piece in enumerate(position.board):
        if piece is not None and piece.side is Side.ATTACKER and piece.kind.promoted != piece.kind:
            board = list(position.board)
            board[square] = piece._replace(kind=piece.kind.promoted)
            yield Position.completed(tuple(board), position.attacker_hand)


def test_a_drop_is_legal_and_would_be_forbidden_if_a_piece_were_promoted() -> None:
    records = list(drawn("pawn-drop-avoidance", 6))
    assert records
    for record in records:
        assert not forbidden_drop(record)
        assert naive_length(format_sfen(unpack(record)), N) == N
        assert any(forbidden_drop(pack(other)) for other in with_one_promoted(unpack(record)))


@pytest.mark.parametrize(("theme", "length"), [("pawn-drop-avoidance", 5), ("given-interposition", 5)])
def test_what_is_taken_back_mates_in_two_plies_more(theme: str, length: int) -> None:
    engine = DfPnEngine(table_bits=16)
    state = np.array([6], dtype=np.uint64)
    learned = LearnedSampler(engine, state, stored_network())
    sampler = MotifSampler(MOTIFS[theme], engine, state, learned)
    found = [
        record.copy()
        for conditions in stored_conditions(length - 2)[:12]
        for record in sampler.positions(length, 20_000, 1_000, conditions)
    ]
    assert found
    for record in found[:10]:
        assert naive_length(format_sfen(unpack(record)), length) == length
    if theme == "pawn-drop-avoidance":
        assert all(any(_stays(record, move) for move in legal_checks(record)) for record in found)


def _stays(record: Record, move: int) -> bool:
    """Whether a check is by an unpromoted piece that could promote."""
    return move & (1 << 14) == 0 and any(
        other != move and other & ~(1 << 14) == move for other in legal_checks(record)
    )


def test_a_pattern_is_drawn_where_it_can_show_and_nothing_else_is_asked() -> None:
    def options(length: int, theme: str, **wishes: object) -> ComposingOptions:
        asked = ProblemConstraints(themes=(theme,), **wishes)  # type: ignore[arg-type]
        return ComposingOptions.of(length, wishes=asked, style=Style.NATURAL)

    assert motif_for(options(7, "pawn-drop-lure")) is MOTIFS["pawn-drop-lure"]
    assert motif_for(options(5, "pawn-drop-lure")) is None
    assert motif_for(options(5, "sacrifice")) is None
    assert motif_for(options(5, "pawn-drop-avoidance", hand="P")) is None


def test_a_root_does_not_depend_on_those_before_it() -> None:
    wishes = ProblemConstraints(themes=("pawn-drop-avoidance",))
    options = ComposingOptions.of(5, wishes=wishes, style=Style.NATURAL, draws=2)
    one, other = (Composer(4, options, "test") for _ in range(2))
    one.root(0)
    assert one.root(1) == other.root(1)


def test_kinds_named_by_the_kernel_are_those_of_the_rules() -> None:
    assert Kind.PAWN.promoted == Kind.PAWN + PROMOTION
    assert DEF == Side.DEFENDER


def test_one_side_of_the_king_is_mirrored() -> None:
    engine, state = DfPnEngine(table_bits=16), np.array([6], dtype=np.uint64)
    learned = LearnedSampler(engine, state, stored_network())
    sampler = MotifSampler(MOTIFS["symmetric"], engine, state, learned)
    found = [
        unpack(record)
        for conditions in stored_conditions(N)[:4]
        for record in sampler.positions(N, 3_000, 1_000, conditions)
    ]
    assert len(found) > 10
    for position in found:
        assert all(position.board[mirrored(square)] == position.board[square] for square in range(SQUARES))
        assert not structural_faults(position)
    assert all(naive_length(format_sfen(position), N) == N for position in found[:10])
