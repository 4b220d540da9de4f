# SPDX-License-Identifier: GPL-3.0-or-later
"""The main line: the one a composer would write."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.engines.rsearch.engine import RSearchEngine
from solver.judging.judge import mirror_order
from solver.solving.tree import (
    WEIGHTS,
    TreeBuilder,
    Turn,
    defence_move_features,
    defence_preference,
    differs_in_form_only,
    group_forms_of_checks,
    natural_check,
)
from tests.sampling import attacks
from tsume_rules.kernel.tables import DEF, DIST
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    Moves,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    pack_move,
    played,
    promotes,
    target_of,
    unpack_move,
)
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

SOUND = [
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]
PROMOTION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
TWO_ROOKS = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
DISTANCE = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"


def tree(position: Position, n: int, engine: MateEngine | None = None) -> Turn:
    builder = TreeBuilder(engine or DfPnEngine(table_bits=14), order=mirror_order(position))
    return builder.turn(pack(position), n)


def usi(moves: Moves) -> list[str]:
    return [unpack_move(move).usi for move in moves]


def code(text: str) -> int:
    return pack_move(parse_move(text))


def mates(number: int, seed: str) -> Iterator[tuple[Position, int]]:
    """Positions that mate in one, three or five plies."""
    engine = DfPnEngine(table_bits=14)
    for position in attacks(number, seed=seed):
        length = next((n for n in (1, 3, 5) if engine.mates(pack(position), n)), None)
        if length is not None:
            yield position, length


def attackers_moves(root: Turn) -> Iterator[tuple[Moves, int, int]]:
    """Of each attacker's move of the main line: the moves before it, it, and the plies it mates in."""
    path: Moves = ()
    for turn in root.best_turns():
        yield path, turn.key, turn.n
        path += turn.key_and_defence


def test_no_main_line_has_an_unnecessary_non_promotion_or_distance() -> None:
    """A key that does not promote, or comes from afar, has no better form that mates as soon."""
    engine = DfPnEngine(table_bits=14)
    seen = 0
    for position, length in mates(150, "natural"):
        record = pack(position)
        for path, key, n in attackers_moves(tree(position, length)):
            with line_played(record, path):
                if n == 1:
                    continue  # the last move leaves nothing in hand first of all
                king = int(record.king[DEF])
                forms = [c for c in legal_checks(record) if differs_in_form_only(record, key, c)]
                better = [
                    c
                    for c in forms
                    if (not promotes(c), int(DIST[king, target_of(c)]))
                    < (not promotes(key), int(DIST[king, target_of(key)]))
                ]
                seen += len(forms) > 1
                assert not engine.mating(record, better, n), (format_sfen(position), usi((*path, key)))
    assert seen


def test_the_promoting_form_is_played() -> None:
    assert usi(tree(parse_sfen(PROMOTION).position, 5).line())[0] == "4b3a+"


@pytest.mark.parametrize(("sfen", "key"), [(TWO_ROOKS, "R*5b"), (DISTANCE, "B*3c")])
def test_the_nearest_drop_that_mates_as_soon_is_played(sfen: str, key: str) -> None:
    assert usi(tree(parse_sfen(sfen).position, 3).line())[0] == key


def test_the_last_move_leaves_nothing_then_takes_nothing_then_promotes() -> None:
    for position, length in mates(100, "last"):
        root = tree(position, length)
        last = list(root.best_turns())[-1]
        if last.n == 1 and last.finals:
            assert last.key in last.finals
            left = dict(zip(last.finals, last.final_leftovers, strict=True))
            assert left[last.key] == min(left.values())


def test_natural_of_one_kind_promotes_and_is_near() -> None:
    record = pack(parse_sfen(TWO_ROOKS).position)
    checks = [code("R*5d"), code("R*5b"), code("R*5c")]
    assert natural_check(record, checks) == code("R*5b")
    assert natural_check(record, checks[::-1]) == code("R*5b")
    assert group_forms_of_checks(record, [*checks, code("R*4a")]) == [checks, [code("R*4a")]]


ALONE = "4k4/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1"
GOLD = "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"


@pytest.mark.parametrize(
    ("sfen", "check", "answer", "features"),
    [
        (GOLD, "G*5b", "5a5b", {"takes the checking piece", "takes with the king"}),
        (ALONE, "R*5d", "5a4a", {"king aside"}),
        ("9/4k4/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1", "R*5d", "5b4a", {"king back"}),
        ("4k4/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1", "R*5d", "5a4b", set()),
        (ALONE, "R*5d", "P*5b", {"drops", "drops a pawn"}),
        (ALONE, "R*5d", "L*5b", {"drops", "drops a lance"}),
        (ALONE, "R*5d", "B*5b", {"drops", "drops a rook or bishop"}),
        (ALONE, "R*5d", "G*5b", {"drops"}),
        ("4kg3/9/9/9/9/9/9/9/9 b Rr2b3g4s4n4l18p 1", "R*5d", "4a5b", {"moves between"}),
    ],
)
def test_features_of_a_defence(sfen: str, check: str, answer: str, features: set[str]) -> None:
    record = pack(parse_sfen(sfen).position)
    with played(record, code(check), Side.ATTACKER):
        assert code(answer) in legal_evasions(record)
        assert set(defence_move_features(record, code(answer))) == features
        for other in legal_evasions(record):
            assert set(defence_move_features(record, other)) <= set(WEIGHTS)


def test_of_longest_defences_without_leftovers_the_preferred_one_comes_first() -> None:
    engine, seen = DfPnEngine(table_bits=14), 0
    for position, length in mates(150, "preferred"):
        record = pack(position)
        path: Moves = ()
        for turn in tree(position, length, engine).best_turns():
            fitting = [r for r in turn.replies if r.turn is not None and not r.turn.leftover]
            if turn.reply in fitting and len(fitting) > 1:
                seen += 1
                with line_played(record, (*path, turn.key)):
                    sums = [
                        defence_preference(
                            engine, record, r.moves[0], r.turn.n, r.turn.key, len(r.turn.replies)
                        )
                        for r in fitting
                        if r.turn is not None
                    ]
                assert sums[fitting.index(turn.reply)] == max(sums), format_sfen(position)
            path += turn.key_and_defence
    assert seen


def test_mirror_images_have_mirrored_lines() -> None:
    for position, length in mates(100, "mirrored"):
        line = [unpack_move(move) for move in tree(position, length).line()]
        image = [unpack_move(move).mirrored for move in tree(position.mirrored, length).line()]
        if position != position.mirrored:
            assert line == image, format_sfen(position)


@pytest.mark.parametrize(("sfen", "n"), SOUND)
def test_every_engine_gives_the_same_line(sfen: str, n: int) -> None:
    position = parse_sfen(sfen).position
    lines = {
        tree(position, n, engine).line()
        for engine in (DfPnEngine(table_bits=14), IterativeEngine(table_bits=14), RSearchEngine(cells=4096))
    }
    assert len(lines) == 1
