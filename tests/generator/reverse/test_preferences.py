"""Wishes as limits of the search: no position that could fit is left out."""

from __future__ import annotations

import numpy as np
import pytest

from generator.acceptance.shortlist import may_fit
from generator.candidate import Sprout
from generator.constraints.problem import Region, Wishes
from generator.reverse.extender import Bounds
from generator.reverse.kernel.final_positions import ANYWHERE, CENTRE, CORNER, EDGE, LINE
from generator.reverse.preferences import LEANING_ROOTS, bounds, labels, leaning, merit, regions
from generator.themes import THEMES, find_themes
from tests.grown import generations, grown, nursery
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packing import pack, pack_move, unpack
from tsume_rules.pieces import SET_COUNT, Kind, Side
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.squares import file_of, rank_of


@pytest.fixture(scope="module")
def sprouts() -> list[Sprout]:
    return [sprout for population in generations(nursery(4), 15, 5) for sprout in population]


def themes_of(sprout: Sprout) -> frozenset[str]:
    return sprout.shown(THEMES)


# --- limits ----------------------------------------------------------------------------------------


def test_without_wishes_there_are_no_bounds() -> None:
    assert bounds(Wishes()) == Bounds()


def test_a_piece_more_than_wished_may_go_later() -> None:
    assert bounds(Wishes(max_pieces=7)).pieces == 8


def test_kinds_are_bits() -> None:
    kinds = bounds(Wishes(only="RGP", without="P")).kinds
    assert [kind for kind in Kind if kinds >> kind & 1] == [Kind.ROOK, Kind.GOLD]


def test_the_hand_bounds_each_kind() -> None:
    assert bounds(Wishes(hand="R2P")).hand[1:] == (2, 0, 0, 0, 0, 1, 0)
    assert not any(bounds(Wishes(hand="-")).hand)
    assert all(
        bounds(Wishes()).hand[kind] >= number for kind, number in SET_COUNT.items() if kind < Kind.KING
    )


def finals_in(region: int) -> set[tuple[int, int]]:
    place, found = nursery(1), set()
    for _ in range(60):
        final = place.draw_final(region)
        assert final is not None
        king = int(SQUARE[int(final.king[Side.DEFENDER])])
        found.add((file_of(king), rank_of(king)))
    return found


@pytest.mark.parametrize("region", Region)
def test_finals_are_drawn_where_the_king_is_wished(region: Region) -> None:
    (drawn,) = regions(Wishes(region=region))
    places = finals_in(drawn)
    assert len(places) > 4
    if region is Region.CORNER:
        assert places <= {(file, rank) for file in (1, 2, 3) for rank in (1, 2, 3)}
    elif region is Region.EDGE:
        assert {file == 1 or rank == 1 for file, rank in places} == {True}
    else:
        assert all(3 <= file <= 7 and 3 <= rank <= 7 for file, rank in places)


def test_without_a_wish_the_king_may_be_anywhere() -> None:
    assert set(regions(Wishes())) == {CORNER, EDGE, LINE, ANYWHERE}
    assert CENTRE not in regions(Wishes())


# --- preferences -----------------------------------------------------------------------------------


def test_a_sprout_is_readable_as_position_and_line(sprouts: list[Sprout]) -> None:
    for sprout in sprouts[:20]:
        position, line = sprout.readable
        assert position == unpack(sprout.record)
        assert tuple(pack_move(move) for move in line) == sprout.line
        assert themes_of(sprout) == set(find_themes(position, line))


def test_a_key_that_takes_something_is_less_welcome() -> None:
    taking = sprout_of("9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    stepping = sprout_of("9/k8/9/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    assert merit(Wishes(), taking) < merit(Wishes(), stepping) == 0


def sprout_of(sfen: str, moves: str) -> Sprout:
    line = tuple(pack_move(parse_move(usi)) for usi in moves.split())
    return Sprout(pack(parse_sfen(sfen).position), len(line), line, 0)


def test_wished_themes_make_welcome(sprouts: list[Sprout]) -> None:
    with_themes = [sprout for sprout in sprouts if len(themes_of(sprout)) > 1]
    assert with_themes
    for sprout in with_themes[:20]:
        themes = tuple(sorted(themes_of(sprout)))
        plain, one, all_of_them = (
            leaning(Wishes(themes=some), 1, 1).merit(sprout) for some in ((), themes[:1], themes)
        )
        assert plain < one < all_of_them


def test_now_and_then_a_long_root_leans_to_a_rare_theme() -> None:
    leanings = [leaning(Wishes(), 7, index).themes for index in range(10 * LEANING_ROOTS)]
    assert [index for index, themes in enumerate(leanings) if themes] == list(range(0, 240, LEANING_ROOTS))
    assert len(set(leanings)) > 3
    assert not any(leaning(Wishes(), 3, index).themes for index in range(100))
    assert not any(leaning(Wishes(stars=3), 7, index).themes for index in range(100))


def test_pieces_in_hand_are_welcome_where_a_hand_is_wished(sprouts: list[Sprout]) -> None:
    for sprout in sprouts[:50]:
        held = int(np.asarray(sprout.record.hand[0]).sum())
        assert merit(Wishes(hand="2G"), sprout) == merit(Wishes(), sprout) + held


def test_what_cannot_fit_is_left_out(sprouts: list[Sprout]) -> None:
    held = next(hand for hand in map(hand_of, sprouts) if hand != "-")
    theme = next(name for sprout in sprouts for name in sorted(themes_of(sprout)))
    for wishes in (Wishes(region="corner"), Wishes(hand=held), Wishes(hand="-"), Wishes(themes=(theme,))):
        fitting = [sprout for sprout in sprouts if may_fit(wishes, sprout)]
        assert 0 < len(fitting) < len(sprouts), wishes
        for sprout in fitting:
            position, line = sprout.readable
            assert Wishes(region=wishes.region, hand=wishes.hand).fit_position(position)
            assert set(wishes.themes) <= set(find_themes(position, line))


def hand_of(sprout: Sprout) -> str:
    letters = format_sfen(unpack(sprout.record)).split()[2]
    return "".join(letter for letter in letters if letter.isupper()) or "-"


@pytest.mark.parametrize(
    "wishes",
    [Wishes(), Wishes(distinct_lines=True), Wishes(stars=5), Wishes(min_quality=99), Wishes(max_pieces=1)],
)
def test_what_is_known_only_at_the_end_leaves_nothing_out(wishes: Wishes, sprouts: list[Sprout]) -> None:
    """A piece may still be taken away, and there is no score yet."""
    assert all(may_fit(wishes, sprout) for sprout in sprouts)


def test_labels_tell_families_shapes_and_keys_apart() -> None:
    sprouts = grown(5)
    rows = [labels(sprout) for sprout in sprouts]
    assert {len(row) for row in rows} == {7}
    for one, row in zip(sprouts, rows, strict=True):
        for other, column in zip(sprouts, rows, strict=True):
            assert (row[0] == column[0]) == (one.family == other.family)
            if one.line == other.line and one.family == other.family:
                assert row[1] == column[1]
    assert all(len({row[place] for row in rows}) > 1 for place in range(7))
