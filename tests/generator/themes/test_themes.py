# SPDX-License-Identifier: GPL-3.0-or-later
"""Each theme both ways: lines in which it occurs, lines in which it does not."""

import re
from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.constraints.problem import ProblemConstraints
from generator.replay import ReplayedLine, replay_line
from generator.theme_names import (
    NAMES,
    OF_THE_WHOLE,
    ThemeDetail,
    ThemeDetailError,
    counts_by_theme_name,
    english_name,
    japanese_name,
    split_themes,
    tag_of,
)
from generator.themes import THEMES, find_themes
from generator.themes.predicates import picture_of
from generator.themes.purposes import LineProbe
from generator.themes.table import HEURISTICS, ThemeProver, heuristics_of, shows_details
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.results import LimitReached, Limits, Mate
from solver.scoring import is_distant_drop, is_quiet
from solver.scoring.difficulty import _line_features
from solver.solving.solve import solve
from tests.generator.themes.examples import EXAMPLES, Example
from tests.positions import checks, evasions
from tsume_rules.moves import parse_move, position_after
from tsume_rules.packed import forbidden_drop, pack, pack_all, pack_move, start_faults
from tsume_rules.position import HAND_KINDS, SET_COUNT, Hand, Kind, Piece, Position, Side, square
from tsume_rules.sfen import parse_sfen

BY_LINE = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.moves)


@cache
def _engine() -> DfPnEngine:
    return DfPnEngine(table_bits=18)


@BY_LINE
def test_the_examples_are_shortest_mates(example: Example) -> None:
    position = example.position
    assert not start_faults(position)
    result = solve(position, Limits(max_length=9), _engine())
    assert isinstance(result, Mate)
    assert result.length == len(example.line)
    for ply, move in enumerate(example.line):
        assert move in (evasions if ply % 2 else checks)(position)
        position = position_after(position, move)
    ends_at_once = DfPnEngine(table_bits=16)
    assert ends_at_once.is_mated(pack(position), 0)


@BY_LINE
def test_the_heuristics_and_themes_of_the_examples(example: Example) -> None:
    found = heuristics_of(replay_line(example.position, example.line))
    assert list(found) == [name for name in HEURISTICS if name in example.heuristics]
    themes = ThemeProver(_engine()).themes(example.position, example.line)
    assert list(themes) == [name for name in THEMES if name in example.themes]
    assert example.themes <= set(find_themes(example.position, example.line))


@BY_LINE
def test_themes_depend_neither_on_the_side_nor_on_what_the_engine_knows(example: Example) -> None:
    mirrored = tuple(move.mirrored for move in example.line)
    found = ThemeProver(_engine()).themes(example.position.mirrored, mirrored)
    assert set(found) == example.themes
    engine = DfPnEngine(table_bits=10)
    engine.mates(pack(example.position), len(example.line))
    assert set(ThemeProver(engine).themes(example.position, example.line)) == example.themes


def test_a_theme_that_takes_too_long_to_prove_is_left_out() -> None:
    example = next(example for example in EXAMPLES if "decoy" in example.themes)
    found = ThemeProver(_engine(), nodes=0).themes(example.position, example.line)
    assert set(found) == {name for name in example.themes if THEMES[name].purpose is None}
    engine = DfPnEngine(table_bits=10)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        ThemeProver(engine).themes(example.position, example.line)


def test_every_theme_and_purpose_occurs_and_is_absent() -> None:
    shown = [find_themes(example.position, example.line) for example in EXAMPLES]
    some = [(case[0], _is_shown(*case)) for case in (*NEAR_HITS, *NEAR_MISSES)]
    failures = []
    for name, theme in THEMES.items():
        here = [*(name in themes for themes in shown), *(is_shown for tag, is_shown in some if tag == name)]
        if not any(here) or here.count(False) < 2:
            failures.append(name)
        if theme.purpose:
            proved = [name in one.themes for one, themes in zip(EXAMPLES, shown, strict=True) if name in themes]
            if any(proved) == (name in UNSERVED) or all(proved) != (name in UNMISSED):
                failures.append(f"purpose of {name}")
    assert failures == []


@BY_LINE
def test_moves_are_counted_as_the_scorer_counts_them(example: Example) -> None:
    features = _line_features(pack(example.position), tuple(map(pack_move, example.line)))
    turns = replay_line(example.position, example.line).turns
    assert features["sacrifices"] == sum(turn.is_sacrifice for turn in turns)
    assert features["quiet_moves"] == sum(is_quiet(turn.check, turn.answer_cell) for turn in turns)
    assert features["distant_drops"] == sum(is_distant_drop(turn.check) for turn in turns)
    assert features["captures"] == sum(turn.check.captured != 0 for turn in turns)


def test_tags_are_lower_case_with_hyphens() -> None:
    assert THEMES.keys() == NAMES.keys()
    assert all(name == theme.name == NAMES[name].tag for name, theme in THEMES.items())
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", name) for name in THEMES)
    assert {name for name, theme in THEMES.items() if theme.moves is None} == OF_THE_WHOLE


WALK = "R*1i 1a2a 1i2i 2a3a 2i3i 3a4a 3i4i 4a5a 4i5i {} 5i6i"
ROUND = "2{}2b+ 1b1c 2b1b 1c1b "
NEAR_MISSES = [
    # taken, but not by the very next answer
    ("piece-taken", "7k1/9/9/9/9/9/9/9/9 b RG 1", "G*1a 2a2b R*2i 2b1a 2i1i"),
    # a gold is not a big piece, and a dropped piece does not promote
    ("big-piece-taken", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
    ("promoting-piece-taken", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
    # a sacrifice, an ordinary check, a sacrifice
    ("pieces-taken-in-turn", "7k1/9/7P1/9/9/9/9/9/9 b 3G 1", "G*2b 2a2b G*2c 2b1a G*1b 1a1b G*2b"),
    # the last move does not count from a distance
    ("quiet-move", "8k/6G2/7P1/9/9/9/9/3R5/9 b - 1", "6h1h"),
    ("distant-drop", "8k/6G2/7P1/9/9/9/9/9/9 b R 1", "R*1h"),
    # in contact with the king
    ("quiet-move", "8k/6G2/8P/9/9/9/9/9/9 b R 1", "R*1b 1a2a 1b2b"),
    ("distant-drop", "8k/6G2/8P/9/9/9/9/9/9 b R 1", "R*1b 1a2a 1b2b"),
    # no choice: outside the zone, or no piece that promotes
    ("plain-move", "9/9/9/9/9/8k/9/7S1/8L b - 1", "2h2g 1f2e 2g2f"),
    ("plain-move", "8k/9/8P/8G/9/9/9/9/9 b G 1", "G*1b 1a2a 1b2b"),
    # at the end the promoted rook would mate as well
    ("plain-move", "8k/9/6G2/9/9/9/9/9/1R7 b - 1", "8i8a"),
    # the king has gone elsewhere when the square is used
    ("vacated-square", "8k/9/6NP1/9/9/9/9/9/9 b GG 1", "2c2b+ 1a2b G*2c 2b3a G*3b"),
    # the piece goes away unharmed
    ("vacated-square", "7k1/7S1/9/9/7R1/9/9/9/9 b - 1", "2b1a+ 2a3b 2e2b+ 3b4c 2b2c"),
    # another piece goes to the square left
    ("returning-piece", "7k1/9/7G1/9/9/9/9/9/9 b G 1", "2c2b 2a1a G*2c"),
    # a knight's check before the end
    ("knight-mate", "8k/9/9/7N1/9/9/9/9/9 b NG 1", "N*2c 1a2a G*2b"),
    # a square beside the king is empty; an attacker stands there; no knight mates
    ("smothered-mate", "7nk/8p/7+P1/9/9/9/9/9/9 b N 1", "N*2c"),
    ("smothered-mate", "7nk/7Pp/9/9/9/9/9/9/9 b N 1", "N*2c"),
    ("smothered-mate", "7nk/7bp/9/9/9/9/9/9/9 b B 1", "B*2c"),
    # the king takes the checking piece; a defender takes it
    ("interposition", "8k/8R/9/9/9/9/9/9/9 b - 1", "1b1c 1a2a 1c1a"),
    ("moved-interposition", "7nk/9/9/9/9/9/9/9/9 b R 1", "R*1c 2a1c"),
    # dropped next to the king; dropped where a gold guards it; the king takes
    ("chuai", "8k/9/9/9/9/9/9/7R1/9 b - 1", "2h1h P*1b 1h1b"),
    ("chuai", "4k4/9/5g3/9/9/9/9/9/9 b R 1", "R*5i P*5d 5i5d"),
    ("chuai", "8k/9/9/9/9/9/8l/7R1/9 b - 1", "2h2a 1a2a"),
    # the king takes and goes on; another piece takes
    ("king-takes-on-mate-square", "8k/9/9/9/9/9/9/9/9 b 3G 1", "G*1b 1a1b G*2b 1b1c G*1d"),
    ("king-takes-on-mate-square", "7gk/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 2a1b"),
    # the king takes
    ("taken-by-piece", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
    # the attacker guards the square as well, so that the piece on it makes no difference
    ("taker-beside-king", "8k/7g1/8L/9/9/9/9/9/9 b GG 1", "G*1b 2b1b G*2a"),
    # two squares only, to and fro
    ("king-walk", "8k/9/9/9/9/9/9/9/9 b RGG 1", "R*1c 1a2a 1c2c 2a1a 2c1c 1a2a G*2b"),
    # three rounds; four, but the king steps back in the last
    ("repeated-motif", "7+S1/8k/3r2+nL1/7L1/7L1/9/7R1/9/9 b - 1", (3 * ROUND + "2g2b+").format(*"cde")),
    ("repeated-motif", "8k/9/9/9/9/9/9/9/9 b R 1", WALK.format("5a4a")),
    # it never left
    ("king-returns", "8k/9/6G2/9/9/9/9/9/1R7 b - 1", "8i8a"),
    # three pieces at the end; five at the start
    ("clean-finish", "8k/6G2/7P1/9/9/9/9/9/9 b R 1", "R*1h"),
    ("few-pieces", "8k/6G2/7P1/9/9/9/9/9/9 b RB 1", "R*1h"),
    # only the king guards the square
    ("focal-sacrifice", "8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b 1a1b G*2b"),
]
NEAR_HITS = [
    ("piece-taken", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
    ("plain-move", "8k/9/9/7G1/8N/9/9/9/9 b - 1", "2d2c 1a2a 1e1c 2a1a"),
    ("vacated-square", "8k/9/6NP1/9/9/9/9/9/9 b GG 1", "2c2b+ 1a2b G*2c 2b1a G*2c"),
    ("chuai", "8k/9/9/9/9/9/9/7R1/9 b - 1", "2h1h P*1c 1h1c"),
    ("chuai", "4k4/9/5g3/9/9/9/9/9/9 b R 1", "R*5i P*5e 5i5e"),
    ("king-returns", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a2a G*2b 2a1a G*1b"),
    ("long-drop", "8k/9/8P/9/9/9/9/9/9 b BG 1", "B*5e 1a2a G*2b"),
    ("king-hunt", "8k/9/9/9/9/9/9/9/9 b R 1", WALK.format("5a6a")),
    ("repeated-motif", "8k/9/9/9/9/9/9/9/9 b R 1", WALK.format("5a6a")),
    ("repeated-motif", "7+S1/8k/3r2+nL1/7Lb/7L1/7Ls/7R1/9/9 b - 1", (4 * ROUND + "2g2b+").format(*"cdef")),
    ("bare-king", "8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b"),
    ("lone-king", "8k/9/8P/9/9/9/9/9/8K b 2G 1", "G*1b"),
    ("empty-attack", "7pk/9/9/9/9/9/9/9/8K b 2G 1", "G*1b"),
    ("one-kind", "7gk/9/8G/9/9/9/9/9/9 b G 1", "G*1b"),
    ("one-kind", "7pk/9/8+P/9/9/9/9/9/9 b P 1", "1c1b"),
    ("small-pieces", "7gk/9/8S/9/9/9/9/9/9 b NP 1", "1c1b"),
    ("big-pieces", "8k/9/8+R/9/9/9/9/9/9 b B 1", "B*2b"),
    ("symmetric", "3gkg3/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"),
    ("game-like", "6snl/7k1/6ppp/9/7N1/9/9/9/9 b GS 1", "S*3b"),
    ("focal-sacrifice", "9/5r2k/9/9/4b4/9/9/9/9 b G2P 1", "G*2b 4b2b P*1c"),
    ("pawn-drop-lure", "8k/9/8l/9/9/9/9/9/9 b GP 1", "G*1b 1c1b P*1c"),
    ("replacement", "9/8k/7N1/9/9/9/9/9/9 b 2G 1", "2c1a 1b1a G*2c"),
]


def _is_shown(name: str, sfen: str, moves: str) -> bool:
    line = replay_line(parse_sfen(sfen).position, tuple(map(parse_move, moves.split())))
    return (HEURISTICS.get(name) or THEMES[name]).predicate(line)


def test_near_misses_and_hits_of_heuristics_and_themes() -> None:
    assert [case for case in NEAR_MISSES if _is_shown(*case)] == []
    assert [case for case in NEAR_HITS if not _is_shown(*case)] == []


UNSERVED = {"pawn-drop-lure"}
"""Themes that the examples show without their purposes only."""
UNMISSED = {"focal-sacrifice", "pawn-drop-avoidance", "given-interposition", "replacement"}
"""Themes that the examples show with their purposes only."""


# --- Themes with a piece or a number: how they are written, and which lines show them --------------

OF_MOVES = sorted(set(NAMES) - OF_THE_WHOLE)
PIECES = [None, *"PLNSBRG", "+P", "+R"]


@given(st.sampled_from(OF_MOVES), st.sampled_from(PIECES), st.integers(1, 20))
def test_a_theme_is_read_as_it_is_written(tag: str, piece: str | None, least: int) -> None:
    detail = ThemeDetail(tag, piece, least)
    assert ThemeDetail.parse(str(detail)) == detail


def test_names_widths_and_signs_are_read() -> None:
    for text, written in (
        ("捨駒>=3", "sacrifice>=3"), ("Sacrifice≧2", "sacrifice>=2"), ("スイッチバック：ｂ", "switchback:B"),
        ("中合:P", "chuai:P"), ("king hunt", "king-hunt"), ("sacrifice:+r>=2", "sacrifice:+R>=2"),
    ):  # fmt: skip
        assert str(ThemeDetail.parse(text)) == written
    for text, part in (
        ("nothing", "not a theme"), ("sacrifice:X", "not a piece"), ("sacrifice>=0", "at least 1"),
        ("sacrifice>=", "not a theme"), ("pin-mate:B", "no single move"), ("picture>=2", "no single move"),
        ("", "not a theme"),
    ):  # fmt: skip
        with pytest.raises(ThemeDetailError, match=part):
            ThemeDetail.parse(text)
    tags, details = split_themes(["sacrifice", "sacrifice>=2", "chuai:P", "chuai"])
    assert (tags, details) == (("sacrifice", "chuai"), ("sacrifice>=2", "chuai:P"))


def test_a_line_shows_a_theme_by_its_pieces_and_as_often() -> None:
    position = parse_sfen("6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1").position
    replayed = replay_line(position, tuple(map(parse_move, ("S*3c", "2a3c", "G*2a"))))
    assert shows_details(replayed, ["sacrifice:S", "decoy:N", "sacrifice"])
    assert not shows_details(replayed, ["sacrifice:G"])
    assert not shows_details(replayed, ["sacrifice:+S"])
    assert not shows_details(replayed, ["sacrifice>=2"])
    assert not shows_details(replayed, ["sacrifice:S", "decoy:S"])


def test_what_no_problem_of_the_length_can_show_is_said_at_once() -> None:
    for themes, details, length, part in (
        (("king-hunt",), (), 9, "at least 11 moves"),
        (("pawn-drop-lure",), (), 5, "at least 7 moves"),
        (("sacrifice",), ("sacrifice>=4",), 5, "3 checks"),
    ):
        wishes = ProblemConstraints(themes=themes, theme_details=details)
        assert part in (wishes.contradiction(length) or "")
        assert wishes.contradiction(11) is None
    some = ProblemConstraints(themes=("sacrifice",), theme_details=("sacrifice:B>=2",), picture=".#./###")
    assert ProblemConstraints.from_dict(some.to_dict()) == some


# --- Forms of the first position: near misses ------------------------------------------------------


def test_a_game_like_king_has_a_castle() -> None:
    for board, is_one in (
        ("7nl/7k1/8p/9/9/9/9/9/9", True),
        ("8l/5b1r1/8k/9/9/9/9/9/9", False),  # a lance, but else only a rook and a bishop
        ("4b3l/7rk/7p1/9/9/9/9/9/9", True),
        ("7+p1/8k/7g1/6s2/9/9/9/9/9", False),  # nothing where it began
    ):
        found = find_themes(parse_sfen(f"{board} b G 1").position, (parse_move("G*9i"),))
        assert ("game-like" in found) is is_one, board


# --- Pawn-drop mate: when a drop is forbidden, and how the defender aims at it ---------------------

FENCED = "9/9/9/9/4b4/6+R2/8k/9/7SG b GPrb2g3s4n4l17p 1"
"""The king cannot move; a pawn below it is protected, and a horse on 2h could take it, a bishop could not."""


def _drop(sfen: str) -> int:
    return forbidden_drop(pack(parse_sfen(sfen).position))


def test_a_pawn_drop_that_leaves_no_answer_is_forbidden() -> None:
    assert _drop("9/9/9/9/9/6+R2/8k/7b1/7SG b Prb3g3s4n4l17p 1") == pack_move(parse_move("P*1h"))
    for sfen in (
        "9/9/9/9/9/6+R2/8k/7+b1/7SG b Prb3g3s4n4l17p 1",  # the horse takes the pawn
        "9/9/9/9/9/9/8k/7b1/7SG b P2rb3g3s4n4l17p 1",  # the king goes away
        "9/9/9/9/9/6+R2/8k/7b1/7SG b rb3g3s4n4l18p 1",  # no pawn in hand
        "9/9/8P/9/9/6+R2/8k/7b1/7SG b Prb3g3s4n4l16p 1",  # two pawns on a file
        "9/9/9/9/9/6+R2/8k/7bl/7SG b Prb3g3s4n3l17p 1",  # no room
    ):
        assert not _drop(sfen), sfen


def test_a_bishop_that_does_not_promote_lures_into_pawn_drop_mate() -> None:
    position = parse_sfen(FENCED).position
    for moves, lures in (
        ("G*2h 5e2h 2i2h 1g1f 3f4f 1f1g 4f3f", True),
        ("G*2h 5e2h+ 2i2h 1g1f 3f4f 1f1g 4f3f", False),
        ("G*2h 5e2h 2i2h", False),  # too short for the drop to mate after the other answer
    ):
        line = tuple(map(parse_move, moves.split()))
        probe = LineProbe(DfPnEngine(table_bits=12), replay_line(position, line), line)
        purpose = THEMES["pawn-drop-lure"].purpose
        assert purpose is not None
        assert purpose(probe) is lures, moves


def test_a_pawn_may_be_taken_after_the_piece_that_does_not_promote_has_moved() -> None:
    position = parse_sfen("8k/8p/9/1R6G/8G/9/9/9/9 b - 1").position
    moves = "8d8a 1a2b 1d1b 2b2c P*2d 2c3c 8a3a"
    line = tuple(map(parse_move, moves.split()))
    assert "pawn-drop-avoidance" in find_themes(position, line)


# --- 裸玉: no bare king is a sound mate in seven plies or fewer --------------------------------------

LAST = 5


def bare_kings(held: int) -> list[Position]:
    """A king on each square of files 1 to 5, with each hand of so many pieces."""
    found = []
    for kinds in combinations_with_replacement(HAND_KINDS, held):
        counts = {kind: kinds.count(kind) for kind in kinds}
        if any(number > SET_COUNT[kind] for kind, number in counts.items()):
            continue
        for file in range(1, 6):
            for rank in range(1, 10):
                board: list[Piece | None] = [None] * 81
                board[square(file, rank)] = Piece(Side.DEFENDER, Kind.KING)
                found.append(Position.completed(tuple(board), Hand.of(counts)))
    return found


@pytest.mark.parametrize("held", [1, 2, 3])
def test_no_bare_king_mates_in_five_plies(held: int) -> None:
    lengths = DfPnEngine(table_bits=18).short_lengths(pack_all(bare_kings(held)), LAST, 20_000)
    assert ((lengths == 0) | (lengths < -LAST)).all()


@pytest.mark.slow
@pytest.mark.parametrize("held", [1, 2, 3, 4])
def test_the_only_bare_king_that_mates_in_seven_plies_is_unsound(held: int) -> None:
    positions, engine = bare_kings(held), DfPnEngine(table_bits=22)
    lengths = engine.short_lengths(pack_all(positions), LAST + 2, 400_000)
    mates = [one for one, length in zip(positions, lengths, strict=True) if -LAST - 2 <= length != 0]
    assert [engine.is_sound(pack(one), LAST + 2, 2, 60) == SOUND for one in mates] == [False] * (held == 4)
    assert NAMES["bare-king"].shortest == LAST + 4


# --- Pictures: exact, anywhere on the board, mirrored or not ---------------------------------------


def _story(sfen: str, move: str) -> ReplayedLine:
    """A line of a single move; it need not mate."""
    return replay_line(parse_sfen(sfen).position, (parse_move(move),))


def test_pictures_are_exact_anywhere_and_mirrored() -> None:
    assert picture_of(_story("gkg6/s1s6/1ss6/9/9/9/9/9/9 b G 1", "G*9c")) == "口"
    assert picture_of(_story("9/9/9/9/9/9/6gkg/6s1s/7ss b G 1", "G*3i")) == "口"
    assert picture_of(_story("gkg6/s1s6/1ss6/9/9/9/9/8p/9 b G 1", "G*9c")) is None
    assert picture_of(_story("gkg6/s8/1ss6/9/9/9/9/9/9 b G 1", "G*9c")) is None
    letter, mirrored = "3k5/3g5/3g5/3g5/4sss2/9/9/9/9 b G 1", "6k2/6g2/6g2/6g2/3sss3/9/9/9/9 b G 1"
    assert picture_of(_story(letter, "G*6e")) == picture_of(_story(mirrored, "G*3e")) == "L"


# --- Names of themes: every name leads to its tag --------------------------------------------------


def test_a_theme_is_found_by_each_of_its_names() -> None:
    for name in NAMES.values():
        for text in (name.tag, name.japanese, name.english, *name.also):
            assert tag_of(text) == tag_of(text.upper()) == tag_of(f" {text} ") == name.tag, text
    for field in ("tag", "japanese", "english", "meaning"):
        assert len({getattr(name, field) for name in NAMES.values()}) == len(NAMES)
    assert tag_of("Ｔｗｏ　Ｋｉｎｇｓ") == tag_of("two-KINGS") == "double-king"
    for text in ("", " ", "quiet-move", "静かな王手", "decoys"):
        assert tag_of(text) is None
    assert japanese_name("quiet-move") == english_name("quiet-move") == "quiet-move"
    assert japanese_name("chuai") == "中合"


def test_numbers_keep_their_order_under_names() -> None:
    assert list(counts_by_theme_name({"king-lure": 3, "old": 2, "block": 1}).items()) == [
        ("king lure", 3), ("old", 2), ("blocked flight", 1),
    ]  # fmt: skip
