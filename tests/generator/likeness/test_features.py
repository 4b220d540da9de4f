# SPDX-License-Identifier: GPL-3.0-or-later
"""The two views of a problem, on small positions; lines need not be solutions to be described."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from generator.likeness.features import (
    Features,
    line_features,
    placement_and_shape,
    shape_and_line,
    shape_features,
)
from generator.replay import replay_line
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

Example = tuple[Position, tuple[Move, ...]]


def example(sfen: str, line: str) -> Example:
    return parse_sfen(sfen).position, tuple(map(parse_move, line.split()))


HOME = example("7nl/7k1/9/7P1/9/9/9/9/9 b G 1", "G*2c")
SACRIFICE = example("8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b 1a1b G*1c")
DOUBLE_CHECK = example("8k/9/8N/9/8L/9/9/9/9 b G 1", "1c2a+ 1a2a G*2b")
INTERPOSITION = example("8k/9/9/9/9/9/9/9/9 b RG 1", "R*1e P*1b 1e1b+")
IN_THE_MIDDLE = example("4k4/9/3PP4/9/9/9/9/9/9 b G 1", "G*5b")
EXAMPLES = (HOME, SACRIFICE, DOUBLE_CHECK, INTERPOSITION, IN_THE_MIDDLE)


def has(features: Features, expected: Mapping[str, float]) -> None:
    assert {name: features[name] for name in expected} == expected


@pytest.mark.parametrize(("position", "line"), EXAMPLES)
def test_a_mirror_image_has_the_same_features(position: Position, line: tuple[Move, ...]) -> None:
    mirrored = tuple(move.mirrored for move in line)
    assert shape_and_line(position, line) == shape_and_line(position.mirrored, mirrored)
    assert placement_and_shape(position) == placement_and_shape(position.mirrored)


def test_shape_and_line_has_the_same_names_for_all_problems() -> None:
    found = [shape_and_line(*each) for each in EXAMPLES]
    assert len({tuple(features) for features in found}) == 1
    assert all(math.isfinite(value) for features in found for value in features.values())


def test_the_two_halves_of_the_first_view_share_no_name() -> None:
    position, line = SACRIFICE
    assert not set(shape_features(position)) & set(line_features(replay_line(position, line)))


def test_pieces_are_counted_by_side_and_kind() -> None:
    has(
        shape_features(HOME[0]),
        {
            "pieces": 5,
            "attackers": 1,
            "defenders": 2,
            "attacker pawn": 1,
            "defender knight": 1,
            "defender pawn": 0,
            "defender kinds": 2,
            "attacker's king": 0,
            "hand": 1,
            "hand gold": 1,
            "hand rook": 0,
        },
    )


def test_form_is_what_a_game_might_leave() -> None:
    has(shape_features(HOME[0]), {"lance at home": 1, "knight at home": 1, "lances and knights at home": 2})
    elsewhere = parse_sfen("6nl1/7k1/9/7P1/9/9/9/9/9 b G 1").position
    has(shape_features(elsewhere), {"lances and knights at home": 0})
    facing = parse_sfen("8k/9/7p1/9/9/9/7P1/9/9 b G 1").position
    has(
        shape_features(facing),
        {"pawns facing": 1, "defender pawns on ranks 3, 4": 1, "attackers on ranks 7 to 9": 1},
    )


def test_the_surroundings_of_the_king() -> None:
    has(
        shape_features(HOME[0]),
        {
            "king file from edge": 2,
            "king rank": 2,
            "king from corner": 1,
            "empty beside king": 6,
            "defenders beside king": 2,
            "attackers beside king": 0,
            "attacked beside king": 1,
            "flights": 5,
            "attacker farthest": 2,
            "defender farthest": 1,
            "defender mean distance": 1,
            "defenders near": 2,
            "height": 4,
            "width": 2,
            "lowest rank": 4,
            "pieces above king": 2,
        },
    )


def test_checks_at_the_start() -> None:
    has(
        shape_features(HOME[0]),
        {"checks": 7, "checks by drop": 5, "checks by move": 2, "checks that take": 0},
    )


def test_who_can_be_taken_and_who_is_guarded() -> None:
    position = parse_sfen("8k/7s1/7S1/7P1/9/9/9/9/9 b G 1").position
    has(
        shape_features(position),
        {"attackers attacked": 1, "attackers guarded": 1, "defenders attacked": 1, "defenders guarded": 1},
    )


def test_a_sacrifice_that_the_king_takes() -> None:
    has(
        shape_and_line(*SACRIFICE),
        {
            "drops": 2,
            "drops gold": 2,
            "key is drop": 1,
            "key drops gold": 1,
            "key moves gold": 0,
            "key distance": 1,
            "key is sacrifice": 1,
            "sacrifices": 1,
            "big sacrifices": 0,
            "sacrifices of drops": 1,
            "king takes": 1,
            "king moves": 0,
            "king's displacement": 1,
            "king's squares": 2,
            "squares of checks": 2,
            "captures": 0,
            "theme sacrifice": 1,
            "theme decoy": 0,
            "end: attackers": 1,
            "end: hand": 0,
            "end: attackers beside king": 1,
        },
    )


def test_a_double_check_by_a_promotion() -> None:
    has(
        shape_and_line(*DOUBLE_CHECK),
        {
            "key moves knight": 1,
            "key promotes": 1,
            "key discovers": 1,
            "key way": 2,
            "double checks": 1,
            "discovered checks": 1,
            "promotions": 1,
            "non-promotions": 0,
            "last is drop": 1,
            "last drops gold": 1,
            "end: attackers that never moved": 1,
        },
    )


def test_an_interposition_that_is_taken() -> None:
    has(
        shape_and_line(*INTERPOSITION),
        {
            "distant drops": 1,
            "distant checks": 1,
            "key distance": 4,
            "drops between": 1,
            "moves between": 0,
            "captures": 1,
            "recaptures": 1,
            "last takes": 1,
            "last promotes": 1,
            "same piece again": 1,
            "pieces that check": 1,
            "end: hand": 2,
        },
    )


def test_a_move_without_promotion_counts_only_where_it_could_promote() -> None:
    declined = example("8k/9/9/7S1/9/9/9/9/9 b G 1", "2d2c")
    has(shape_and_line(*declined), {"non-promotions": 1, "key stays unpromoted": 1})
    far_below = example("9/9/9/9/8k/9/9/7S1/9 b G 1", "2h2g")
    has(shape_and_line(*far_below), {"non-promotions": 0})


def test_pieces_stand_at_offsets_from_the_king_on_the_right() -> None:
    expected = {
        "king on 22": 1.0,
        "king file": 2,
        "king rank": 2,
        "hand gold": 1,
        "attacker pawn at +0+2": 1.0,
        "defender knight at +0-1": 1.0,
        "defender lance at -1-1": 1.0,
    }
    assert placement_and_shape(HOME[0]) == expected


def test_a_king_in_the_middle_has_most_pieces_on_its_right() -> None:
    has(placement_and_shape(IN_THE_MIDDLE[0]), {"king file": 5, "attacker pawn at -1+2": 1.0})
