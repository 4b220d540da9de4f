# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from tests.readable import checks, evasions
from tests.sampling import checked, starts
from tsume_rules.sfen import canonical, canonical_sfen, format_sfen, parse_sfen


def test_mirrored_twice_is_as_before() -> None:
    for position in starts(100, seed=15):
        assert position.mirrored.mirrored == position
        assert position.mirrored.attacker_hand == position.attacker_hand


def test_both_mirror_images_have_one_canonical_form() -> None:
    for position in starts(100, seed=16):
        form = canonical(position)
        assert form in (position, position.mirrored)
        assert canonical(position.mirrored) == canonical(form) == form
        assert canonical_sfen(position) == format_sfen(form) <= format_sfen(position.mirrored)


def test_the_mirror_image_has_the_mirrored_moves() -> None:
    for position in starts(100, seed=17):
        assert {move.mirrored for move in checks(position)} == set(checks(position.mirrored))
    for position in checked(100, seed=17):
        assert {move.mirrored for move in evasions(position)} == set(evasions(position.mirrored))


def test_an_example() -> None:
    left, right = "k8/9/9/9/9/9/9/9/9 b G", "8k/9/9/9/9/9/9/9/9 b G"
    assert parse_sfen(left).position.mirrored == parse_sfen(right).position
    assert canonical_sfen(parse_sfen(left).position) == canonical_sfen(parse_sfen(right).position)


def test_rotated_twice_is_as_before() -> None:
    for position in starts(50, seed=18):
        assert position.sides_exchanged.sides_exchanged == position
        assert position.sides_exchanged.side_to_move is position.side_to_move.other
