# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints as limits of the search: no position that could fit is left out."""

from __future__ import annotations

import numpy as np
import pytest

from generator.acceptance.pipeline import may_meet_constraints
from generator.candidate import Candidate
from generator.constraints.problem import KingRegion, ProblemConstraints
from generator.reverse.extender import MaterialLimits
from generator.reverse.kernel.final_positions import BORDER, FAR_CORNER, FAR_RANKS, MIDDLE, WHOLE_BOARD
from generator.reverse.selection import (
    BIASED_ROOTS,
    king_regions,
    material_limits,
    merit,
    similarity_labels,
    theme_bias,
)
from generator.themes import THEMES, find_themes
from tests.grown import extender, generations, grown
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack, pack_move, unpack
from tsume_rules.position import SET_COUNT, Kind, Side, file_of, rank_of
from tsume_rules.sfen import format_sfen, parse_sfen


@pytest.fixture(scope="module")
def candidates() -> list[Candidate]:
    return [candidate for population in generations(extender(4), 15, 5) for candidate in population]


def themes_of(candidate: Candidate) -> frozenset[str]:
    return candidate.shown_themes(THEMES)


# --- limits ----------------------------------------------------------------------------------------


def test_without_wishes_there_are_no_bounds() -> None:
    assert material_limits(ProblemConstraints()) == MaterialLimits()


def test_a_piece_more_than_wished_may_go_later() -> None:
    assert material_limits(ProblemConstraints(max_pieces=7)).pieces == 8


def test_kinds_are_bits() -> None:
    kinds = material_limits(ProblemConstraints(only="RGP", without="P")).kinds
    assert [kind for kind in Kind if kinds >> kind & 1] == [Kind.ROOK, Kind.GOLD]


def test_the_hand_bounds_each_kind() -> None:
    assert material_limits(ProblemConstraints(hand="R2P")).hand[1:] == (2, 0, 0, 0, 0, 1, 0)
    assert not any(material_limits(ProblemConstraints(hand="-")).hand)
    assert all(
        material_limits(ProblemConstraints()).hand[kind] >= number
        for kind, number in SET_COUNT.items()
        if kind < Kind.KING
    )


def finals_in(region: int) -> set[tuple[int, int]]:
    place, found = extender(1), set()
    for _ in range(60):
        final = place.draw_final(region)
        assert final is not None
        king = int(SQUARE[int(final.king[Side.DEFENDER])])
        found.add((file_of(king), rank_of(king)))
    return found


@pytest.mark.parametrize("region", KingRegion)
def test_finals_are_drawn_where_the_king_is_wished(region: KingRegion) -> None:
    (drawn,) = king_regions(ProblemConstraints(region=region))
    places = finals_in(drawn)
    assert len(places) > 4
    if region is KingRegion.CORNER:
        assert places <= {(file, rank) for file in (1, 2, 3) for rank in (1, 2, 3)}
    elif region is KingRegion.EDGE:
        assert {file == 1 or rank == 1 for file, rank in places} == {True}
    else:
        assert all(3 <= file <= 7 and 3 <= rank <= 7 for file, rank in places)


def test_without_a_wish_the_king_may_be_anywhere() -> None:
    assert set(king_regions(ProblemConstraints())) == {FAR_CORNER, FAR_RANKS, BORDER, WHOLE_BOARD}
    assert MIDDLE not in king_regions(ProblemConstraints())


# --- preferences -----------------------------------------------------------------------------------


def test_a_candidate_is_readable_as_position_and_line(candidates: list[Candidate]) -> None:
    for candidate in candidates[:20]:
        position, line = candidate.readable
        assert position == unpack(candidate.record)
        assert tuple(pack_move(move) for move in line) == candidate.line
        assert themes_of(candidate) == set(find_themes(position, line))


def test_a_key_that_takes_something_is_less_welcome() -> None:
    taking = candidate_of("9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    stepping = candidate_of("9/k8/9/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    assert merit(ProblemConstraints(), taking) < merit(ProblemConstraints(), stepping) == 0


def candidate_of(sfen: str, moves: str) -> Candidate:
    line = tuple(pack_move(parse_move(usi)) for usi in moves.split())
    return Candidate(pack(parse_sfen(sfen).position), len(line), line, 0)


def test_wished_themes_make_welcome(candidates: list[Candidate]) -> None:
    with_themes = [candidate for candidate in candidates if len(themes_of(candidate)) > 1]
    assert with_themes
    for candidate in with_themes[:20]:
        themes = tuple(sorted(themes_of(candidate)))
        plain, one, all_of_them = (
            theme_bias(ProblemConstraints(themes=some), 1, 1).merit(candidate)
            for some in ((), themes[:1], themes)
        )
        assert plain < one < all_of_them


def test_now_and_then_a_long_root_is_biased_to_a_rare_theme() -> None:
    biases = [theme_bias(ProblemConstraints(), 7, index).themes for index in range(10 * BIASED_ROOTS)]
    assert [index for index, themes in enumerate(biases) if themes] == list(range(0, 240, BIASED_ROOTS))
    assert len(set(biases)) > 3
    assert not any(theme_bias(ProblemConstraints(), 3, index).themes for index in range(100))
    assert not any(theme_bias(ProblemConstraints(stars=3), 7, index).themes for index in range(100))


def test_pieces_in_hand_are_welcome_where_a_hand_is_wished(candidates: list[Candidate]) -> None:
    for candidate in candidates[:50]:
        held = int(np.asarray(candidate.record.hand[0]).sum())
        assert (
            merit(ProblemConstraints(hand="2G"), candidate) == merit(ProblemConstraints(), candidate) + held
        )


def test_what_cannot_fit_is_left_out(candidates: list[Candidate]) -> None:
    held = next(hand for hand in map(hand_of, candidates) if hand != "-")
    theme = next(name for candidate in candidates for name in sorted(themes_of(candidate)))
    for wishes in (
        ProblemConstraints(region="corner"),
        ProblemConstraints(hand=held),
        ProblemConstraints(hand="-"),
        ProblemConstraints(themes=(theme,)),
    ):
        fitting = [candidate for candidate in candidates if may_meet_constraints(wishes, candidate)]
        assert 0 < len(fitting) < len(candidates), wishes
        for candidate in fitting:
            position, line = candidate.readable
            assert ProblemConstraints(region=wishes.region, hand=wishes.hand).allow_position(position)
            assert set(wishes.themes) <= set(find_themes(position, line))


def hand_of(candidate: Candidate) -> str:
    letters = format_sfen(unpack(candidate.record)).split()[2]
    return "".join(letter for letter in letters if letter.isupper()) or "-"


@pytest.mark.parametrize(
    "wishes",
    [
        ProblemConstraints(),
        ProblemConstraints(distinct_lines=True),
        ProblemConstraints(stars=5),
        ProblemConstraints(min_quality=99),
        ProblemConstraints(max_pieces=1),
    ],
)
def test_what_is_known_only_at_the_end_leaves_nothing_out(
    wishes: ProblemConstraints, candidates: list[Candidate]
) -> None:
    """A piece may still be taken away, and there is no score yet."""
    assert all(may_meet_constraints(wishes, candidate) for candidate in candidates)


def test_labels_tell_families_shapes_and_keys_apart() -> None:
    candidates = grown(5)
    rows = [similarity_labels(candidate) for candidate in candidates]
    assert {len(row) for row in rows} == {7}
    for one, row in zip(candidates, rows, strict=True):
        for other, column in zip(candidates, rows, strict=True):
            assert (row[0] == column[0]) == (one.family == other.family)
            if one.line == other.line and one.family == other.family:
                assert row[1] == column[1]
    assert all(len({row[place] for row in rows}) > 1 for place in range(7))
