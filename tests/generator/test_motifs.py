# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions drawn with a pattern have it, and what is taken back from them leads to it."""

from collections.abc import Iterator

import numpy as np
import pytest

from generator.acceptance.pipeline import repeats_manoeuvre
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.learned.kernel.network import draw_forbidden_drop
from generator.learned.search import MOTIFS, LearnedSampler, MotifSampler, motif_for, stored_conditions, stored_network
from generator.quality import (
    HEURISTIC_POINTS,
    TRAIT_POINTS,
    appraise,
    base_quality_points,
    quality_from_points,
    quality_traits,
)
from generator.replay import replay_line
from generator.run.composer import Composer
from generator.themes.table import HEURISTICS, heuristics_of
from solver.engines.dfpn.engine import DfPnEngine
from tests.generator.themes.examples import EXAMPLES
from tests.naive import length as naive_length
from tsume_rules.kernel.tables import DEF, PROMOTION
from tsume_rules.moves import parse_move
from tsume_rules.packed import PackedPosition, forbidden_drop, legal_checks, pack, unpack
from tsume_rules.position import SQUARES, Kind, Position, Side, mirrored, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

N = 3


def drawn(theme: str, number: int) -> Iterator[PackedPosition]:
    """Positions with the pattern of a theme, before anything is taken back."""
    learned = LearnedSampler(DfPnEngine(table_bits=16), np.array([6], dtype=np.uint64), stored_network())
    conditions = stored_conditions(N)
    for index in range(number):
        packed, _ = learned.draw_by(draw_forbidden_drop, N, 50_000, 1_000, conditions[index], *MOTIFS[theme].options)
        if packed is not None:
            yield packed.copy()


def test_a_drop_is_forbidden_and_another_check_mates() -> None:
    packed_positions = list(drawn("pawn-drop-lure", 6))
    assert packed_positions
    for packed in packed_positions:
        assert forbidden_drop(packed)
        assert naive_length(format_sfen(unpack(packed)), N) == N


def with_one_promoted(position: Position) -> Iterator[Position]:
    for square, piece in enumerate(position.board):
        if piece is not None and piece.side is Side.ATTACKER and piece.kind.promoted != piece.kind:
            board = list(position.board)
            board[square] = piece._replace(kind=piece.kind.promoted)
            yield Position.completed(tuple(board), position.attacker_hand)


def test_a_drop_is_legal_and_would_be_forbidden_if_a_piece_were_promoted() -> None:
    packed_positions = list(drawn("pawn-drop-avoidance", 6))
    assert packed_positions
    for packed in packed_positions:
        assert not forbidden_drop(packed)
        assert naive_length(format_sfen(unpack(packed)), N) == N
        assert any(forbidden_drop(pack(other)) for other in with_one_promoted(unpack(packed)))
    assert Kind.PAWN.promoted == Kind.PAWN + PROMOTION, "as the kernel names them"
    assert DEF == Side.DEFENDER


@pytest.mark.parametrize(("theme", "length"), [("pawn-drop-avoidance", 5), ("given-interposition", 5)])
def test_what_is_taken_back_mates_in_two_plies_more(theme: str, length: int) -> None:
    engine = DfPnEngine(table_bits=16)
    state = np.array([6], dtype=np.uint64)
    learned = LearnedSampler(engine, state, stored_network())
    sampler = MotifSampler(MOTIFS[theme], engine, state, learned)
    found = [
        packed.copy()
        for conditions in stored_conditions(length - 2)[:12]
        for packed in sampler.positions(length, 20_000, 1_000, conditions)
    ]
    assert found
    for packed in found[:10]:
        assert naive_length(format_sfen(unpack(packed)), length) == length
    if theme == "pawn-drop-avoidance":
        assert all(any(_stays(packed, move) for move in legal_checks(packed)) for packed in found)


def _stays(packed: PackedPosition, move: int) -> bool:
    """Whether a check is by an unpromoted piece that could promote."""
    return move & (1 << 14) == 0 and any(other != move and other & ~(1 << 14) == move for other in legal_checks(packed))


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


def test_one_side_of_the_king_is_mirrored() -> None:
    engine, state = DfPnEngine(table_bits=16), np.array([6], dtype=np.uint64)
    learned = LearnedSampler(engine, state, stored_network())
    sampler = MotifSampler(MOTIFS["symmetric"], engine, state, learned)
    found = [
        unpack(packed)
        for conditions in stored_conditions(N)[:4]
        for packed in sampler.positions(N, 3_000, 1_000, conditions)
    ]
    assert len(found) > 10
    for position in found:
        assert all(position.board[mirrored(square)] == position.board[square] for square in range(SQUARES))
        assert not structural_faults(position)
    assert all(naive_length(format_sfen(position), N) == N for position in found[:10])


# --- A manoeuvre that a line repeats, and what is none ---------------------------------------------

TWO_SILVERS = "4k4/9/3S1S3/9/9/9/9/9/9 b - 1"


@pytest.mark.parametrize(("sfen", "line", "repeats"), [
    # promote beside the king, step next to it, be captured; twice
    (TWO_SILVERS, "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b5b", True),
    # by a gold from the hand instead of the second silver: another way to come
    ("4k4/9/5S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*6b 5b4b 6b5b 4b5b", False),
    # by a knight that moves like a gold too
    ("4k4/9/3N1S3/9/9/9/9/9/9 b - 1", "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b5b", True),
    # with another check between the two
    ("4k4/9/3S1S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*5c 5b5c 6c6b+ 5c4b 6b5b 4b5b", True),
    # the second comes from farther off
    ("4k4/9/3S1S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*4b 5b4a 6c6b+ 4a5a 6b5b 5a5b", False),
    # the second is not taken
    (TWO_SILVERS, "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b3a", False),
    # single sacrifices are no manoeuvre
    ("4k4/9/9/9/9/9/9/9/9 b 3G 1", "G*5b 5a5b G*5c 5b5c G*5d 5c5d", False),
    # a piece that goes on (馬鋸)
    ("8k/9/9/9/4+B4/9/9/9/9 b - 1", "5e4e 1a2a 4e4d 2a1a 4d3d 1a2a 3d3c 2a1a", False),
])  # fmt: skip
def test_a_manoeuvre_is_repeated(sfen: str, line: str, repeats: bool) -> None:
    moves = tuple(map(parse_move, line.split()))
    assert repeats_manoeuvre(replay_line(parse_sfen(sfen).position, moves)) == repeats


# --- Quality: what it is made of, and which of two problems is the better one ----------------------


def test_the_parts_add_up() -> None:
    for example in EXAMPLES:
        found = appraise(example.position, example.line)
        replayed = replay_line(example.position, example.line)
        assert found.quality == quality_from_points(sum(found.parts.values()))
        assert found.parts["base"] == base_quality_points(len(example.line))
        assert found.parts.keys() <= {"base", *heuristics_of(replayed), *TRAIT_POINTS}
        assert all(found.parts.values())
        assert quality_traits(replayed).keys() == TRAIT_POINTS.keys()
        mirrored_line = tuple(move.mirrored for move in example.line)
        assert appraise(example.position.mirrored, mirrored_line) == found
    assert HEURISTIC_POINTS.keys() <= HEURISTICS.keys()
    assert not HEURISTIC_POINTS.keys() & TRAIT_POINTS.keys()


def test_the_quality_is_the_points_in_the_middle_and_never_reaches_the_ends() -> None:
    assert quality_from_points(50) == 50
    assert abs(quality_from_points(60) - 60) < 1 > abs(quality_from_points(40) - 40)
    steps = [0, *map(quality_from_points, [-1e6, *range(-100, 200, 10), 1e6]), 100]
    assert steps == sorted(steps)
    assert 0 < steps[1] < quality_from_points(0) < quality_from_points(100) < steps[-2] < 100
    # the base of a length lies between those of its neighbours
    assert base_quality_points(1) > base_quality_points(2) > base_quality_points(3)
    assert base_quality_points(99) == base_quality_points(15)


CHASE = "9/9/9/1+R7/1+P7/k8/9/9/9 b r2b4g4s4n4l17p 1", "8e8f 9f9g 8f8g 9g9h 8g8h 9h9i 8h8i"


def test_traits_of_lines_and_starts() -> None:
    far = "6n1k/8l/8n/7L1/8+N/9/9/9/9 b - 1"
    cases: list[tuple[str, str, dict[str, float]]] = [
        (*CHASE, {
            "chasing": 1, "same_steps": 1, "sacrifices": 0, "variety": 0, "promoted_small": 1, "hand": 0,
            "defenders": 0, "close_defenders": 0, "far_pieces": 0, "open_squares": 2, "final_attackers": 2,
        }),
        # the key takes something
        ("9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b",
         {"capturing_key": 1, "plain_key": 0, "captures": 0.5}),
        # taking what was put between is no capture
        ("8k/9/9/9/9/9/9/7R1/9 b - 1", "2h1h P*1c 1h1c", {"captures": 0}),
        ("7k1/9/9/9/8N/9/9/9/9 b G 1", "1e1c 2a1a G*1b", {"non_promotions": 0.5}),
        ("8k/9/6S2/9/9/9/9/9/9 b G 1", "3c2b 1a1b G*1c", {"non_promotions": 1.0}),
        ("8k/9/6B2/9/9/9/9/9/9 b G 1", "3c2b 1a1b G*1c", {"non_promotions": 2.0}),
        ("8k/9/6B2/9/9/9/9/9/9 b G 1", "3c2b+ 1a1b G*1c", {"non_promotions": 0.0}),
        # in hand three of five: more are no better
        ("7nl/7pk/6G2/9/9/9/4p4/4L4/9 b GPPSS 1", "3c2b", {
            "hand": 3, "defenders": 4, "close_defenders": 2, "home_pieces": 2, "far_pieces": 2,
            "promoted_small": 0,
        }),
        (far, "2d2a+", {"home_pieces": 0, "promoted_small": 1}),
        # open squares are on the board and empty at the mate
        ("8k/9/8P/8L/9/9/9/9/9 b - 1", "1c1b+", {"open_squares": 2}),
    ]  # fmt: skip
    for sfen, moves, expected in cases:
        found = quality_traits(replay_line(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split())))
        assert {name: found[name] for name in expected} == expected, (sfen, moves)


def test_more_of_the_same_is_worse_than_a_brilliancy() -> None:
    brilliant = next(example for example in EXAMPLES if "vacated-square" in example.heuristics)
    sfen, moves = CHASE
    dull = appraise(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split()))
    assert appraise(brilliant.position, brilliant.line).quality > dull.quality + 10
