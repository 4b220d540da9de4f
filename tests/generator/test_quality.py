"""Quality: what it is made of, and which of two problems is the better one."""

from __future__ import annotations

import pytest

from generator.quality import BASE, THEME_POINTS, TRAIT_POINTS, appraise, idle, traits
from generator.themes import THEMES, find_themes
from generator.themes.story import replay
from tests.generator.themes.examples import EXAMPLES, Example
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import square

BY_LINE = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.moves)


def _traits(sfen: str, moves: str) -> dict[str, float]:
    return traits(replay(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split())))


@BY_LINE
def test_the_parts_add_up(example: Example) -> None:
    found = appraise(example.position, example.line)
    assert found.themes == find_themes(example.position, example.line)
    assert found.quality == min(100, max(0, round(sum(found.parts.values()), 1)))
    assert found.parts["base"] == BASE
    assert found.parts.keys() <= {"base", *found.themes, *TRAIT_POINTS}
    assert all(found.parts.values())


@BY_LINE
def test_mirror_images_have_the_same_quality(example: Example) -> None:
    mirrored = tuple(move.mirrored for move in example.line)
    assert appraise(example.position.mirrored, mirrored) == appraise(example.position, example.line)


def test_points_are_given_for_themes_and_traits_that_exist() -> None:
    assert THEME_POINTS.keys() <= THEMES.keys()
    assert not THEME_POINTS.keys() & TRAIT_POINTS.keys()
    for example in EXAMPLES:
        assert traits(replay(example.position, example.line)).keys() == TRAIT_POINTS.keys()


def test_the_examples_are_spread() -> None:
    values = [
        appraise(example.position, example.line).quality for example in EXAMPLES if len(example.line) == 7
    ]
    assert min(values) < 20
    assert max(values) > 80


CHASE = "9/9/9/1+R7/1+P7/k8/9/9/9 b r2b4g4s4n4l17p 1", "8e8f 9f9g 8f8g 9g9h 8g8h 9h9i 8h8i"
CAPTURES = "9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b"


def test_one_piece_that_runs_after_the_king() -> None:
    found = _traits(*CHASE)
    assert found["chasing"] == 1
    assert found["same_steps"] == 1
    assert found["sacrifices"] == 0
    assert found["variety"] == 0
    assert found["surplus_pieces"] == -3
    assert found["promoted_pieces"] == 2


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


def test_idle_pieces() -> None:
    position = parse_sfen("7lk/9/6G2/9/9/9/4p4/4L4/9 b G 1").position
    line = tuple(parse_move(usi) for usi in ("3c2b", "1a1b", "G*1c"))
    assert {SQUARE[cell] for cell in idle(replay(position, line))} == {square(5, 7), square(5, 8)}


def test_more_of_the_same_is_worse_than_a_brilliancy() -> None:
    brilliant = next(example for example in EXAMPLES if "obstruction-removal" in example.themes)
    sfen, moves = CHASE
    dull = appraise(parse_sfen(sfen).position, tuple(parse_move(usi) for usi in moves.split()))
    assert appraise(brilliant.position, brilliant.line).quality > dull.quality + 20
