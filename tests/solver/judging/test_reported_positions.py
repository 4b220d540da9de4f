# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of other programs' tests and bug reports, answered as their sources state.

Rows that a source wrote wrongly, that it states by another convention, or that we cannot
settle are in the tables below with the reason; no row is left out. A row is known by the
beginning of its SFEN, or by the number that its source gives it.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, Limits, Mate, NoMate, SearchResult
from solver.solving.deepening import search_length
from tests import naive
from tests.places import DATA
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    PackedPosition,
    is_in_check,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    pack_move,
    played,
    record_after,
    unpack_move,
)
from tsume_rules.position import IllegalPosition, Side
from tsume_rules.sfen import ParsedSfen, SfenError, format_sfen, parse_sfen

SLOW = (
    *("4+P+P", "7k1/5+B", "9/1+R+N1kP2S", "l8/3k1s3/2nppp3/1lG4p1", "l2+P5/2k4+L1/2n1p2B1", "9/3+N1P3"),
    *("9/9/3P+b4", "9/9/7l1/9/5r3", "9/9/3p5", "9/6r1+P", "9/7k1/5p3", "5r1nl", "6gnl", "k1+P4n1"),
    *("9/5Pk2/9/8R", "7nl/3R2sk1", "4+R2nl", "5g1nl/2+P", "8l/7k1", "7n1/6R2", "4gs2l", "5s2l", "8l/6+P1p"),
)
WRITTEN_WRONGLY = (
    *("4+R3l/", "ln3ksnl/", "k1+P4n1/", "9/9/7l1/9/5r37", "9/9/9/9/6s1p/"),  # a slash left out
    *("2llll3/", "7nl/6s2/", "6gnl/6S2/", "6S1+P/", "l1k6/", "R1G5k/"),  # more of a kind than a set has
)


def rows(name: str, column: int) -> list[Any]:
    path = DATA / f"{name}.tsv"
    if not path.exists():
        reason = f"no {path}: set TSUME_DATA to the folder with the examples"
        return [pytest.param(0, [], marks=pytest.mark.skip(reason=reason), id="no data")]
    table = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    marks = [[pytest.mark.slow] if row[column].startswith(SLOW) else [] for row in table]
    return [pytest.param(i, row, marks=marks[i], id=f"{name}-{i + 1}") for i, row in enumerate(table)]


def question(sfen: str, *, defence: bool = False) -> ParsedSfen:
    """The side to move as the attacker, or as the defender; the defender has all that is missing."""
    board, turn, hands = sfen.split()[:3]
    if board.startswith(WRITTEN_WRONGLY):
        with pytest.raises((SfenError, IllegalPosition)):
            parse_sfen(sfen)
    squares = re.sub(r"\d", lambda digit: "1" * int(digit[0]), board.replace("/", ""))
    cells = re.findall(r"\+?[A-Za-z]|1", squares)
    board = "/".join("".join(cells[i : i + 9]) for i in range(0, 81, 9))
    attacker = "w" if (turn == "b") == defence else "b"
    own = "".join(re.findall(r"\d*[A-Z]" if attacker == "b" else r"\d*[a-z]", hands)) or "-"
    return parse_sfen(f"{board} {attacker} {own} 1")


def answer(packed: PackedPosition, engine: DfPnEngine | None = None, nodes: int = 5_000_000) -> SearchResult:
    return search_length(engine or DfPnEngine(table_bits=20), packed, Limits(nodes=nodes))


def names(parsed: ParsedSfen, codes: Collection[int]) -> set[str]:
    return {parsed.outward(unpack_move(code)).usi for code in codes}


def codes(parsed: ParsedSfen, line: Collection[str]) -> tuple[int, ...]:
    return tuple(pack_move(parsed.outward(parse_move(usi))) for usi in line)


def mates_in(sfen: str, n: str, *line: str, first: int = 0) -> None:
    """The shortest mate (0: none); along a line, from ply ``first`` on, all moves of both sides are best."""
    parsed, engine = question(sfen), DfPnEngine(table_bits=22)
    packed, moves = pack(parsed.position), codes(parsed, line)
    for ply in range(first, len(moves) or 1, 2):
        with line_played(packed, moves[:ply]):
            result = Mate(int(n) - ply) if int(n) else NoMate()
            assert answer(packed, engine, 100_000_000) == result
            assert set(moves[ply : ply + 1]) <= set(legal_checks(packed))
        with line_played(packed, moves[: ply + 1]):
            assert not moves or engine.is_mated(packed, int(n) - ply - 1)
            assert set(moves[ply + 1 : ply + 2]) <= set(legal_evasions(packed))


def mates_between(sfen: str, none_within: str, within: str = "") -> None:
    """The length is within bounds, if no more is known; without the second there may be no mate at all."""
    engine, packed = DfPnEngine(table_bits=22), pack(question(sfen).position)
    assert not engine.mates(packed, int(none_within))
    assert not within or engine.mates(packed, int(within))


def not_at_once(sfen: str, check: str = "") -> None:
    """No check, or not this one, leaves no legal answer: the source counts every interposition."""
    parsed, engine = question(sfen), DfPnEngine(table_bits=16, interposition=Interposition.COUNT_ALL)
    packed = pack(parsed.position)
    mating = names(parsed, [c for c in legal_checks(packed) if engine.mates_after(packed, c, 1)])
    assert check not in mating if check else not mating


def has_answers(sfen: str, check: str, *moves: str) -> None:
    parsed = question(sfen)
    packed = record_after(pack(parsed.position), codes(parsed, [check]))
    assert set(moves) <= names(parsed, legal_evasions(packed))


def generates_all(sfen: str, *, evasions: bool = False) -> None:
    position = question(sfen, defence=evasions).position
    moves = (legal_evasions if evasions else legal_checks)(pack(position))
    text = format_sfen(replace(position, side_to_move=Side.DEFENDER) if evasions else position)
    assert {unpack_move(code).usi for code in moves} == (naive.evasions if evasions else naive.checks)(text)


def defender_is(sfen: str, state: str) -> None:
    """The defender is not in check (then the source asserts nothing), free, or mated within some plies."""
    position, plies = question(sfen, defence=True).position, int(state) if state.isdigit() else 10
    assert is_in_check(position, Side.DEFENDER) == (state != "unchecked")
    assert state == "unchecked" or DfPnEngine(table_bits=22).is_mated(pack(position), plies) == state.isdigit()


def escapes(sfen: str, *moves: str) -> None:
    """The defender is mated after all other answers; after these there is no mate ("so-far": none found)."""
    parsed = question(sfen, defence=True)
    packed, found = pack(parsed.position), set()
    for code in legal_evasions(packed):
        with played(packed, code, Side.DEFENDER):
            result = answer(packed)
        if not isinstance(result, Mate):
            found.add(code)
            assert result == NoMate() or "so-far" in moves
    assert names(parsed, found) == set(moves) - {"so-far"}


# --- what the sources state ------------------------------------------------------------------------

VERBS: dict[str, Any] = {"mate": mates_in, "between": mates_between, "not-at-once": not_at_once}
VERBS |= {"answers": has_answers, "defender": defender_is, "escapes": escapes}
STATED = """
7k1/5+B : mate 351  # "mate": 17 pawns are dropped in the horse's way
4+P+P : between 31 71  # "mate"; none within 61
8k/R7b : mate 1
7nl/5B1k1 : mate 5
6p2/8k : mate 11

k1+P4n1 : between 31  # a composition of unknown length, commented out by its source; none within 111
6gnl : between 15 23  # a composition; none within 19
ln5nl/2kg1+R1s1 : mate 7
l6nl/3+P1kg2 : mate 5
9/9/7l1/9/5r3 : escapes P*2d P*2e so-far
9/9/9/8p : escapes 3g2h
9/9/3P+b4 : escapes P*4d so-far
9/9/9/9/6s1p : escapes 2h3g
9/9/3p5 : escapes 9h8h
9/6r1+P : escapes 2g1f so-far
9/9/1sn6 : escapes 9h9f
9/9/7+P1 : escapes N*2f

6s2/6l2 : mate 9 2d1c+ 1d1c R*2c 1c1b P*1c 1b1a 2c2a+ 1a2a 1c1b+
8k/9/7G1 : mate 1 G*1b
8k/9/6R2 : mate 3 3c1c+ 1a2a G*2b
4+P2kl : mate 11 G*3b 2a3b 2d4b+ 3b2a 4b3a 2b3a 4c2c+ 3a2b N*3c 2a3a 5a4a
7nk/9/5R3 : mate 11 S*2b 1a1b P*1c 1b2b N*3d 2b1a 1c1b 1a1b 4c4b+ 1b1a 3d2b+
l1k6/9 : mate 3
9/1+R+N1kP2S : between 19  # 39 plies: see the reported hard cases
9/3S1Pk2 : defender unchecked
9/5Pk2/9/5R3 : defender unchecked
9/5Pk2/9/8R : mate 17
l2+P5/2k4+L1/2n1p2B1/p1pp1spN1/4Ps3/PlPP2P2/NP : mate 0
ln1+P5/G1k : not-at-once  # by our reading 9a9b mates: what is dropped on 9c is futile
l2+P5/R1k : not-at-once
l2+P5/2k4+L1/2n1p2B1/p1pp1spN1/4Ps3/PG : not-at-once  # likewise 8h8i+
7l1/5n1k1/7+R : mate 7
l2+P5/2k4+L1/2n1p2B1/p1pp1spN1/4Ps3/PlPP2P2/1P1S : mate 29
9/9/9/9/9/9/1g7 : mate 1 G*8h
9/9/9/9/9/9/2r6 : mate 3 7g9g+ 9i8i G*8h
6G2/6+B1k : mate 0
7l1/5n1k1/5R2P : mate 0
7nk/9/8G : mate 0
7gk/8p/5P2s/7P1/9/9/9/9/9 b BN : mate 0
7gk/8p/5P2s/7P1/9/9/9/9/9 b BS : mate 9; answers B*3c 2a2b 1c2b
9/9/9/7G1 : defender free
R1G5k/1G7 : defender unchecked
9/9/9/9/9/9/9/9/4K4 : mate 0
9/3+N1P3 : between 25  # "no mate", searched by its source for 10,000 nodes; none within 165
1g1+N+N+B : not-at-once 1g1e; answers 1g1e P*1d
lnsgkgsnl : mate 0
l8/3k1s3/2nppp3/1lG4p1/p1p1+R4/P1P1N4/1G1PPR3 : mate 0; defender 42
4k4/9/9 : defender free  # "not in check", but it is: the rook stands on the king's open file
l8/3k1s3/2nppp3/1l5p1 : mate 0
l8/3k1s3/2nppp3/1lG4p1/p1p1+R4/P1P1N4/1G1PP+b3 : mate 0; defender 38
l2kb1p+R1 : escapes 6i7i
"""
LENGTHS = (3, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7, 7, 7, 7, 3, 3)
COMPOSED = "9 9 11 - - 15 - - - - - 15 - 17 17 - - - - 19 - - - - 25 - 11 - 13 13 13 13 15 15 15 15"
COMPOSED += " - - - - 15 - 15 - 15 - 17 17 17"
OTHERWISE = {
    "7pk/9/7K1": 7,  # interposing with check (9i1i S*1d) is futile to the source
    "k8/2K6": 5,  # the missing rook stays out of play; to us the defender has it: 1g9g R*9b
}


def is_stated(sfen: str) -> bool:
    """Check what the table has on a position; returns whether it has anything."""
    for line in filter(None, STATED.splitlines()):
        start, sayings = line.split("#")[0].split(" : ")
        if sfen.startswith(start):
            for verb, *words in map(str.split, sayings.split(";")):
                VERBS[verb](sfen, *words)
            return True
    return False


@pytest.mark.parametrize(("_", "row"), rows("reported_hard_cases", 2))
def test_reported_hard_cases(_: int, row: list[str]) -> None:
    expected, sfen, line = row[1:4]
    if not (said := re.search(r"(\d+)te", expected)):
        assert is_stated(sfen)
    elif expected.startswith("not"):
        mates_between(sfen, said[1])
    else:
        mates_in(sfen, said[1], *line.split(), first=10 if said[1] == "39" else 0)


@pytest.mark.parametrize(("number", "row"), rows("ghi_and_futile", 1))
def test_ghi_and_futile(number: int, row: list[str]) -> None:
    """The lengths are those of the collections drawn from, every interposition counted."""
    engine = DfPnEngine(table_bits=18, interposition=Interposition.COUNT_ALL)
    assert answer(pack(question(row[1]).position), engine) == Mate(LENGTHS[number])
    mates_in(row[1], str({1: 1, 13: 5}.get(number, LENGTHS[number])))


@pytest.mark.parametrize(("_", "row"), rows("checker_positions", 2))
def test_checker_positions(_: int, row: list[str]) -> None:
    expectation, depth, sfen = row[0], int(row[1]), row[2]
    packed, engine = pack(question(sfen).position), DfPnEngine(table_bits=18)
    ways = [check for check in legal_checks(packed) if engine.mates_after(packed, check, depth)]
    if expectation == "NOMATE_WITHIN":
        assert not ways
    else:
        length = next((n for start, n in OTHERWISE.items() if sfen.startswith(start)), depth)
        assert answer(packed, engine) == Mate(length)
        assert expectation == "MATE_IN" or (expectation == "MATE_IN_UNIQUE") == (len(ways) == 1)


@pytest.mark.parametrize(("_", "row"), rows("unit_problems", 1))
def test_unit_problems(_: int, row: list[str]) -> None:
    """The arrays: check and evasion generation, positions of games (nothing is said of a mate),
    compositions (there is one) and positions in which some answer to a check saves the defender.
    """
    array, sfen, comment = row
    if array in ("g_sfen_defense", "g_sfen_oute"):
        generates_all(sfen, evasions=array == "g_sfen_defense")
    elif not is_stated(sfen):
        assert array in ("g_sfen_problem", "g_sfen_ftest", "g_sfen_tsume")
        mates_in(sfen, COMPOSED.split()[int(comment) - 1] if array == "g_sfen_tsume" else "0")


@pytest.mark.parametrize(("_", "row"), rows("oracle_positions", 0))
def test_oracle_positions(_: int, row: list[str]) -> None:
    sfen, test = row
    assert is_stated(sfen)
    if test == "test_check_moves_completeness":
        generates_all(sfen)
