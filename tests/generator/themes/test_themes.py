# SPDX-License-Identifier: GPL-3.0-or-later
"""Each theme both ways: lines in which it occurs, lines in which it does not."""

from __future__ import annotations

import re
from functools import cache

import pytest

from generator.heuristics import HEURISTICS, heuristics_of
from generator.replay import replay_line
from generator.theme_names import NAMES
from generator.themes import THEMES, find_themes
from generator.themes.table import ThemeProver
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.scoring.check_kinds import is_distant_drop, is_quiet
from solver.scoring.difficulty import _line_features
from solver.solving.solve import solve
from tests.generator.themes.examples import EXAMPLES, Example
from tests.readable import checks, evasions
from tsume_rules.game import start_faults
from tsume_rules.moves import Move, parse_move, position_after
from tsume_rules.packed import pack, pack_move
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
def test_the_signs_of_the_examples(example: Example) -> None:
    found = heuristics_of(replay_line(example.position, example.line))
    assert list(found) == [name for name in HEURISTICS if name in example.heuristics]


@BY_LINE
def test_the_themes_of_the_examples(example: Example) -> None:
    found = ThemeProver(_engine()).themes(example.position, example.line)
    assert list(found) == [name for name in THEMES if name in example.themes]


@BY_LINE
def test_a_line_shows_all_its_themes_without_a_search(example: Example) -> None:
    assert example.themes <= set(find_themes(example.position, example.line))


@BY_LINE
def test_mirror_images_have_the_same_themes(example: Example) -> None:
    mirrored = tuple(move.mirrored for move in example.line)
    found = ThemeProver(_engine()).themes(example.position.mirrored, mirrored)
    assert set(found) == example.themes


@BY_LINE
def test_themes_do_not_depend_on_what_the_engine_knows(example: Example) -> None:
    engine = DfPnEngine(table_bits=10)
    engine.mates(pack(example.position), len(example.line))
    assert set(ThemeProver(engine).themes(example.position, example.line)) == example.themes


def test_a_theme_that_takes_too_long_to_prove_is_left_out() -> None:
    example = next(example for example in EXAMPLES if "decoy" in example.themes)
    found = ThemeProver(_engine(), nodes=0).themes(example.position, example.line)
    assert set(found) == {name for name in example.themes if THEMES[name].purpose is None}


def test_a_limit_in_force_outside_ends_the_proof() -> None:
    example = next(example for example in EXAMPLES if "decoy" in example.themes)
    engine = DfPnEngine(table_bits=10)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        ThemeProver(engine).themes(example.position, example.line)


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_occurs_and_is_absent(name: str) -> None:
    shown = [find_themes(example.position, example.line) for example in EXAMPLES]
    shown += [_themes(sfen, moves) for hit, sfen, moves in HITS if hit == name]
    occurring = sum(name in themes for themes in shown)
    assert occurring
    assert len(shown) - occurring >= 2


@pytest.mark.parametrize("name", sorted(name for name, theme in THEMES.items() if theme.purpose))
def test_every_purpose_is_served_and_missed(name: str) -> None:
    shown = [each for each in EXAMPLES if name in find_themes(each.position, each.line)]
    assert any(name in each.themes for each in shown) != (name in UNSERVED)
    assert any(name not in each.themes for each in shown) != (name in UNMISSED)


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


def _themes(sfen: str, moves: str) -> tuple[str, ...]:
    """The themes of an invented line: it need not mate nor be a best line."""
    line: tuple[Move, ...] = tuple(parse_move(usi) for usi in moves.split())
    return find_themes(parse_sfen(sfen).position, line)


def _heuristics(sfen: str, moves: str) -> tuple[str, ...]:
    line = tuple(parse_move(usi) for usi in moves.split())
    return heuristics_of(replay_line(parse_sfen(sfen).position, line))


@pytest.mark.parametrize(
    ("name", "sfen", "moves"),
    [
        # taken, but not by the very next answer
        ("sacrifice", "7k1/9/9/9/9/9/9/9/9 b RG 1", "G*1a 2a2b R*2i 2b1a 2i1i"),
        # a gold is not a big piece, and a dropped piece does not promote
        ("big-piece-sacrifice", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
        ("promotion-sacrifice", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
        # a sacrifice, an ordinary check, a sacrifice
        ("serial-sacrifice", "7k1/9/7P1/9/9/9/9/9/9 b 3G 1", "G*2b 2a2b G*2c 2b1a G*1b 1a1b G*2b"),
        # the last move does not count from a distance
        ("quiet-move", "8k/6G2/7P1/9/9/9/9/3R5/9 b - 1", "6h1h"),
        ("distant-drop", "8k/6G2/7P1/9/9/9/9/9/9 b R 1", "R*1h"),
        # in contact with the king
        ("quiet-move", "8k/6G2/8P/9/9/9/9/9/9 b R 1", "R*1b 1a2a 1b2b"),
        ("distant-drop", "8k/6G2/8P/9/9/9/9/9/9 b R 1", "R*1b 1a2a 1b2b"),
        # no choice: outside the zone, or no piece that promotes
        ("non-promotion", "9/9/9/9/9/8k/9/7S1/8L b - 1", "2h2g 1f2e 2g2f"),
        ("non-promotion", "8k/9/8P/8G/9/9/9/9/9 b G 1", "G*1b 1a2a 1b2b"),
        # at the end the promoted rook would mate as well
        ("non-promotion", "8k/9/6G2/9/9/9/9/9/1R7 b - 1", "8i8a"),
        # the king has gone elsewhere when the square is used
        ("obstruction-removal", "8k/9/6NP1/9/9/9/9/9/9 b GG 1", "2c2b+ 1a2b G*2c 2b3a G*3b"),
        # the piece goes away unharmed
        ("obstruction-removal", "7k1/7S1/9/9/7R1/9/9/9/9 b - 1", "2b1a+ 2a3b 2e2b+ 3b4c 2b2c"),
        # another piece goes to the square left
        ("switchback", "7k1/9/7G1/9/9/9/9/9/9 b G 1", "2c2b 2a1a G*2c"),
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
        ("king-lure", "8k/9/9/9/9/9/9/9/9 b 3G 1", "G*1b 1a1b G*2b 1b1c G*1d"),
        ("king-lure", "7gk/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 2a1b"),
        # the king takes
        ("decoy", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
        # the attacker guards the square as well, so that the piece on it makes no difference
        ("block", "8k/7g1/8L/9/9/9/9/9/9 b GG 1", "G*1b 2b1b G*2a"),
        # two squares only, to and fro
        ("king-hunt", "8k/9/9/9/9/9/9/9/9 b RGG 1", "R*1c 1a2a 1c2c 2a1a 2c1c 1a2a G*2b"),
        # it never left
        ("king-returns", "8k/9/6G2/9/9/9/9/9/1R7 b - 1", "8i8a"),
        # three pieces at the end; five at the start
        ("clean-finish", "8k/6G2/7P1/9/9/9/9/9/9 b R 1", "R*1h"),
        ("few-pieces", "8k/6G2/7P1/9/9/9/9/9/9 b RB 1", "R*1h"),
    ],
)
def test_near_misses_of_heuristics(name: str, sfen: str, moves: str) -> None:
    assert name not in _heuristics(sfen, moves)


@pytest.mark.parametrize(
    ("name", "sfen", "moves"),
    [
        ("sacrifice", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a1b G*2b"),
        ("non-promotion", "8k/9/9/7G1/8N/9/9/9/9 b - 1", "2d2c 1a2a 1e1c 2a1a"),
        ("obstruction-removal", "8k/9/6NP1/9/9/9/9/9/9 b GG 1", "2c2b+ 1a2b G*2c 2b1a G*2c"),
        ("chuai", "8k/9/9/9/9/9/9/7R1/9 b - 1", "2h1h P*1c 1h1c"),
        ("chuai", "4k4/9/5g3/9/9/9/9/9/9 b R 1", "R*5i P*5e 5i5e"),
        ("king-returns", "8k/9/8P/9/9/9/9/9/9 b GG 1", "G*1b 1a2a G*2b 2a1a G*1b"),
    ],
)
def test_near_hits_of_heuristics(name: str, sfen: str, moves: str) -> None:
    assert name in _heuristics(sfen, moves)


WALK = "R*1i 1a2a 1i2i 2a3a 2i3i 3a4a 3i4i 4a5a 4i5i {} 5i6i"
HITS = [
    ("long-drop", "8k/9/8P/9/9/9/9/9/9 b BG 1", "B*5e 1a2a G*2b"),
    ("king-hunt", "8k/9/9/9/9/9/9/9/9 b R 1", WALK.format("5a6a")),
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
    ("focal-sacrifice", "8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b 1a1b G*2b"),
    ("pawn-drop-lure", "8k/9/8l/9/9/9/9/9/9 b GP 1", "G*1b 1c1b P*1c"),
    ("replacement", "9/8k/7N1/9/9/9/9/9/9 b 2G 1", "2c1a 1b1a G*2c"),
]
"""Themes and invented lines; some show them, some just miss them."""
UNSERVED = {"pawn-drop-lure"}
"""Themes that the examples show without their purposes only."""
UNMISSED = {"focal-sacrifice", "pawn-drop-avoidance", "given-interposition", "replacement"}
"""Themes that the examples show with their purposes only."""
