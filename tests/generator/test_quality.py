# SPDX-License-Identifier: GPL-3.0-or-later
"""Quality: what it is made of, and which of two problems is the better one."""

from __future__ import annotations

import pytest

from generator.heuristics import HEURISTICS, heuristics_of
from generator.quality import (
    HEURISTIC_POINTS,
    TRAIT_POINTS,
    appraise,
    base_quality_points,
    quality_from_points,
    quality_traits,
)
from generator.replay import replay_line
from tests.generator.themes.examples import EXAMPLES, Example
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

BY_LINE = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.moves)


def _traits(sfen: str, moves: str) -> dict[str, float]:
    return quality_traits(
        replay_line(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split()))
    )


@BY_LINE
def test_the_parts_add_up(example: Example) -> None:
    found = appraise(example.position, example.line)
    heuristics = heuristics_of(replay_line(example.position, example.line))
    assert found.quality == quality_from_points(sum(found.parts.values()))
    assert found.parts["base"] == base_quality_points(len(example.line))
    assert found.parts.keys() <= {"base", *heuristics, *TRAIT_POINTS}
    assert all(found.parts.values())


@BY_LINE
def test_mirror_images_have_the_same_quality(example: Example) -> None:
    mirrored = tuple(move.mirrored for move in example.line)
    assert appraise(example.position.mirrored, mirrored) == appraise(example.position, example.line)


def test_points_are_given_for_heuristics_and_traits_that_exist() -> None:
    assert HEURISTIC_POINTS.keys() <= HEURISTICS.keys()
    assert not HEURISTIC_POINTS.keys() & TRAIT_POINTS.keys()
    for example in EXAMPLES:
        assert quality_traits(replay_line(example.position, example.line)).keys() == TRAIT_POINTS.keys()


def test_the_quality_is_the_points_in_the_middle_and_never_reaches_the_ends() -> None:
    assert quality_from_points(50) == 50
    assert abs(quality_from_points(60) - 60) < 1 > abs(quality_from_points(40) - 40)
    steps = [quality_from_points(points) for points in range(-100, 200, 10)]
    assert steps == sorted(steps)
    assert (
        0
        < quality_from_points(-1e6)
        < quality_from_points(0)
        < quality_from_points(100)
        < quality_from_points(1e6)
        < 100
    )


def test_the_base_of_a_length_lies_between_those_of_its_neighbours() -> None:
    assert base_quality_points(1) > base_quality_points(2) > base_quality_points(3)
    assert base_quality_points(99) == base_quality_points(15)


CHASE = "9/9/9/1+R7/1+P7/k8/9/9/9 b r2b4g4s4n4l17p 1", "8e8f 9f9g 8f8g 9g9h 8g8h 9h9i 8h8i"
CAPTURES = "9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b"


def test_one_piece_that_runs_after_the_king() -> None:
    found = _traits(*CHASE)
    assert found["chasing"] == 1
    assert found["same_steps"] == 1
    assert found["sacrifices"] == 0
    assert found["variety"] == 0
    assert found["promoted_small"] == 1
    assert found["hand"] == found["defenders"] == found["close_defenders"] == found["far_pieces"] == 0
    assert found["open_squares"] == 2
    assert found["final_attackers"] == 2


def test_the_key_takes_something() -> None:
    found = _traits(*CAPTURES)
    assert found["capturing_key"] == 1
    assert found["plain_key"] == 0
    assert found["captures"] == 0.5


def test_taking_what_was_put_between_is_no_capture() -> None:
    assert _traits("8k/9/9/9/9/9/9/7R1/9 b - 1", "2h1h P*1c 1h1c")["captures"] == 0


@pytest.mark.parametrize(
    ("sfen", "moves", "amount"),
    [
        ("7k1/9/9/9/8N/9/9/9/9 b G 1", "1e1c 2a1a G*1b", 0.5),
        ("8k/9/6S2/9/9/9/9/9/9 b G 1", "3c2b 1a1b G*1c", 1.0),
        ("8k/9/6B2/9/9/9/9/9/9 b G 1", "3c2b 1a1b G*1c", 2.0),
        ("8k/9/6B2/9/9/9/9/9/9 b G 1", "3c2b+ 1a1b G*1c", 0.0),
    ],
)
def test_how_much_a_non_promotion_counts(sfen: str, moves: str, amount: float) -> None:
    assert _traits(sfen, moves)["non_promotions"] == amount


def test_the_form_of_the_start() -> None:
    found = _traits("7nl/7pk/6G2/9/9/9/4p4/4L4/9 b GPPSS 1", "3c2b")
    assert found["hand"] == 3  # of five: more are no better
    assert found["defenders"] == 4
    assert found["close_defenders"] == 2
    assert found["home_pieces"] == 2
    assert found["far_pieces"] == 2
    assert found["promoted_small"] == 0


def test_pieces_away_from_home() -> None:
    assert _traits("6n1k/8l/8n/7L1/8+N/9/9/9/9 b - 1", "2d2a+")["home_pieces"] == 0
    assert _traits("6n1k/8l/8n/7L1/8+N/9/9/9/9 b - 1", "2d2a+")["promoted_small"] == 1


def test_open_squares_are_on_the_board_and_empty_at_the_mate() -> None:
    assert _traits("8k/9/8P/8L/9/9/9/9/9 b - 1", "1c1b+")["open_squares"] == 2


def test_more_of_the_same_is_worse_than_a_brilliancy() -> None:
    brilliant = next(example for example in EXAMPLES if "obstruction-removal" in example.heuristics)
    sfen, moves = CHASE
    dull = appraise(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split()))
    assert appraise(brilliant.position, brilliant.line).quality > dull.quality + 10
