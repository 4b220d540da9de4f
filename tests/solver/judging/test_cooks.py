# SPDX-License-Identifier: GPL-3.0-or-later
"""The classes of second solutions, on positions found by search, and against the slow twin."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
import shogi

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging import classifying, cooks
from solver.judging.classifying import Classifier
from solver.judging.findings import EQUAL_DEFENCE, ClassifiedCook, CookClass, SecondSolution, tolerated_cooks
from solver.judging.given import each_piece_removed
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade, Judgement, LimitReached, Limits, Mate
from solver.solving.deepening import defence_length, search_length
from solver.solving.solve import solve
from solver.solving.tree import TreeBuilder, Turn, differs_in_form_only
from tests import naive
from tests.places import DATA
from tests.sampling import attacks
from tests.tsume.problems import COOKED, CORRECT
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    first_illegal,
    legal_checks,
    line_played,
    pack,
    pack_move,
    record_after,
    unpack,
    unpack_move,
)
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

DETOUR = ("7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1", "1d2b+ 2c1c 2a1b+ 1c1d G*2e")
GIVES_PIECES = ("B8/2k6/9/3G5/9/9/9/9/9 b R2Grbg4s4n4l18p 1", "6d7c 7b6a G*6b")
MERGING = ("2+P6/1p7/S1+N6/k8/1n3+p3/9/9/9/9 b RLr2b4g3s2n3l15p 1", "L*9f P*9e R*7d 9d9c 9f9e")
LONG_MERGING = ("9/6k2/4R4/7+s1/1l6L/9/9/9/9 b R2b4g3s2n2l18p 1", "R*3c 3b4a 3c4c+ L*4b 5c5b+ 4a3a 4c4b 3a2a L*2b")
ORDER = ("6sk1/1+b5b1/6SGr/9/9/9/9/9/L8 b Gr2g2s4n3l18p 1", "G*3b 2a1a 2c2b 3a2b 3c2b+")
LONG_ORDER = ("6kB1/7+r1/5B2R/7+PL/9/9/9/9/9 b 4g4s4n3l17p 1", "2a3b+ 2b3b 4c3b+ 3a3b 1c3c+ 3b4a R*4b 4a5a 3c3a")
FORM = ("kp7/9/9/2G6/5G3/9/9/5+B3/9 b S2L2rb2g3s4n2l17p 1", "L*9b 9a8b S*7c 8b7a 4h2f 7a6a 7c6b+")
ALIKE = ("7+l1/6lk1/6g2/7+B1/4+R4/4n4/9/9/2P3R2 b 2Nb3g4sn2l17p 1", "3i3c+ 3b3c N*1d 2b3b 5e5b P*4b N*4d 3b3a G*4a")
TAKEN = ("gkl6/+pbRB5/1+N1+L5/9/9/7R1/8G/9/9 b N2g4s2n2l17p 1", "7b7a+ 8b7a 6c7b")
LEFTOVER = ("6k2/9/4+S4/7S1/9/9/9/6b1+P/6R2 b GSPrb3gs4n4l16p 1", "3i3h 3a2a G*3b 2a1a S*2b 1a1b 2d1c+")
LAST_PLIES = ("1r7/k7P/1n7/2+R6/7+N1/9/9/9/9 b 2B2GS2NLP2g3s3l16p 1", "N*8d 9b9c G*9b 9c9d G*8e")
TRUE = ("G2+N5/1kP6/1+s1B5/1R7/2+N6/9/9/9/9 b LPrb3g3s2n3l16p 1", "8d8c+ 8b8c L*8d 8c9c S*8b 9c9d 6c8e+")
GIVEN_UP_ELSEWHERE = (
    "1k7/3G5/sn2G4/RpPp1B3/9/9/9/9/9 b B 1",
    "6b7a 8a7a 5c6b 7a8a 6b7a 8a8b B*7c 8b9b 7c9a+ 9b9a 9d9c+ P*9b S*8b",
)
"""A gold is given up elsewhere: the line's moves in no order."""
GIVEN_AWAY = ("2kb5/9/2GG5/9/6b2/9/9/9/9 b RN 1", "R*7b 6a7b 6c7b")
"""The knight is lost on the way, so that the shortest mate need not join."""
CASES = [
    (DETOUR, 2, "2b1b", CookClass.DETOUR, 2),
    (GIVES_PIECES, 0, "R*7a", CookClass.DETOUR, 0),
    (LEFTOVER, 0, "P*3b", CookClass.DETOUR, 0),
    (MERGING, 2, "9c8d+", CookClass.MERGING, 4),
    (LONG_MERGING, 4, "4c5b", CookClass.MERGING, 6),
    (ORDER, 0, "2c2b", CookClass.ORDER, 4),
    (LONG_ORDER, 0, "4c3b+", CookClass.ORDER, 4),
    (FORM, 0, "L*9e", CookClass.FORM, None),
    (ALIKE, 2, "N*3d", CookClass.FORM, None),
    (TAKEN, 0, "7b7a", CookClass.SAME_POSITION, 2),
    (GIVEN_UP_ELSEWHERE, 0, "6b7b", CookClass.MERGING, 4),
    (GIVEN_AWAY, 0, "N*8c", CookClass.MERGING, 2),
    (LEFTOVER, 0, "S*2b", CookClass.LEFTOVER, None),
    (TRUE, 0, "9a8a", CookClass.TRUE, None),
]
COMING_TO_THE_LINE = (CookClass.DETOUR, CookClass.MERGING, CookClass.ORDER)
PUBLISHED = DATA / "published_daily.tsv"
Example = tuple[str, str]


def codes(line: str) -> Moves:
    return tuple(pack_move(parse_move(move)) for move in line.split())


def record_of(example: Example) -> PackedPosition:
    return pack(parse_sfen(example[0]).position)


def classified(engine: MateEngine, example: Example, ply: int, check: str, margin: int = 8) -> ClassifiedCook:
    packed, line = record_of(example), codes(example[1])
    (code,) = codes(check)
    cook = cooks.Cook(line[:ply], Turn(len(line) - ply, line[ply]), code, len(line) - ply + 4)
    return Classifier(engine, packed, line, margin, exact=True).classify(cook)


@pytest.mark.parametrize(("example", "ply", "check", "kind", "joins"), CASES)
def test_each_class(example: Example, ply: int, check: str, kind: CookClass, joins: int | None) -> None:
    packed, line = record_of(example), codes(example[1])
    found = classified(DfPnEngine(table_bits=18), example, ply, check)
    assert (found.kind, found.joins) == (kind, joins)
    assert found.line is not None
    assert found.line[: ply + 1] == (*line[:ply], *codes(check))
    at = _where_it_ends_alike(found.line, line, joins) if joins is not None else None
    if kind is CookClass.ORDER:
        assert at == joins
        assert sorted(found.line[:joins:2]) == sorted(line[:joins:2])
    if kind is CookClass.MERGING:
        assert at is not None
        assert joins is not None
        assert at > joins or sorted(found.line[:joins:2]) != sorted(line[:joins:2])
    assert DfPnEngine(table_bits=12).is_mated(record_after(packed, found.line), 0)


def _where_it_ends_alike(moves: Moves, line: Moves, joins: int) -> int:
    """The ply from which moves are those of the line from the ply ``joins`` on."""
    return next(at for at in range(len(moves)) if moves[at:] == line[joins:])


def test_without_known_mates_the_class_is_the_same() -> None:
    """A line of another length than the mate has no turns that are known to mate."""
    for example, ply, check, kind, _ in CASES[:6]:
        packed, line = record_of(example), codes(example[1])
        cook = cooks.Cook(line[:ply], Turn(len(line) - ply, line[ply]), codes(check)[0], len(line) - ply + 4)
        found = Classifier(DfPnEngine(table_bits=18), packed, line, 4, exact=False).classify(cook)
        assert found.kind is kind


def test_a_second_solution_in_the_last_plies_of_a_longer_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifying, "SHORT", 4)
    assert classified(DfPnEngine(table_bits=18), LAST_PLIES, 0, "7d9d").kind is CookClass.ENDING


def test_a_class_that_is_not_proved_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifying, "NODES", 1)
    found = classified(DfPnEngine(table_bits=18), DETOUR, 2, "2b1b", 0)
    assert (found.kind, found.proved) == (CookClass.DETOUR, False)


def test_an_outer_limit_ends_the_classification() -> None:
    engine = DfPnEngine(table_bits=18)
    with engine.within(Limits(nodes=20)), pytest.raises(LimitReached):
        classified(engine, LEFTOVER, 0, "S*2b")


# --- what the classes weigh -----------------------------------------------------------------------
def test_a_class_is_a_blemish_or_a_fault() -> None:
    for kind, blemish, least in (
        (CookClass.DETOUR, Defect.DETOUR, 3),
        (CookClass.MERGING, Defect.MERGING, 3),
        (CookClass.ORDER, Defect.ORDER, 17),
        (CookClass.SAME_POSITION, Defect.SAME_POSITION, 3),
        (CookClass.FORM, Defect.UNDETERMINED_FORM, 17),
        (CookClass.ENDING, Defect.ENDING, 101),
        (CookClass.LEFTOVER, None, 1003),
        (CookClass.TRUE, None, 1003),
    ):
        assert kind.blemish(least) is blemish, kind
        assert least == 3 or kind.blemish(least - 2) is None, kind
    assert CookClass.FORM.blemish(3, same_check=True) is Defect.UNDETERMINED_FORM, "rule 6: in any problem"


def test_a_problem_with_a_merging_is_sound_but_not_correct() -> None:
    position, line = parse_sfen(MERGING[0]).position, tuple(map(parse_move, MERGING[1].split()))
    found = Judge(DfPnEngine(table_bits=18)).judge(position, None, line=line)
    kinds = {one.kind for one in found.findings if isinstance(one, SecondSolution)}
    assert CookClass.MERGING in kinds
    assert Defect.COOK in found.defects
    assert not found.correct


def test_a_long_work_is_complete_but_for_its_blemishes() -> None:
    solutions = [
        SecondSolution(Defect.COOK, turn=10, kind=CookClass.ORDER),
        SecondSolution(Defect.COOK, turn=4, kind=CookClass.DETOUR),
        SecondSolution(Defect.COOK, turn=16, kind=CookClass.TRUE),
        SecondSolution(Defect.SAME_POSITION, turn=2, kind=CookClass.SAME_POSITION, same_check=True),
    ]
    work = Judgement(Defect.COOK, length=17, grade=Grade.SOUND, findings=tuple(solutions))
    assert list(tolerated_cooks(work)) == ["detour", "order", EQUAL_DEFENCE]
    for other in (
        Judgement(Defect.COOK, length=15, grade=Grade.SOUND, findings=tuple(solutions)),
        Judgement(Defect.COOK, length=17, grade=Grade.UNSOUND, findings=tuple(solutions)),
        Judgement(Defect.COOK, length=17, findings=tuple(solutions)),
    ):
        assert tolerated_cooks(other) == {}


# --- the same effect ------------------------------------------------------------------------------
def test_a_line_that_does_not_run_alike() -> None:
    engine, packed, line = DfPnEngine(table_bits=16), record_of(LAST_PLIES), codes(LAST_PLIES[1])
    assert cooks.line_alike(engine, packed, line, *codes("7d9d")) is None
    assert not cooks.may_have_same_effect(packed, line[0], *codes("7d9d"))


# --- the restricted search and its slow twin --------------------------------------------------------
def problems(number: int, length: int) -> list[tuple[PackedPosition, Moves]]:
    """Random positions with a mate of up to ``length`` plies, and a best line."""
    engine, found = DfPnEngine(table_bits=16), []
    for position in attacks(number, seed="restricted"):
        packed = pack(position)
        result = search_length(engine, packed, Limits(nodes=3000, max_length=length))
        if isinstance(result, Mate) and result.length >= 3:
            line = TreeBuilder(engine, complete=False).line(packed, result.length)
            if len(line) == result.length:
                found.append((packed, line))
    return found


def restricted_mates(engine: MateEngine, packed: PackedPosition, line: Moves, ply: int, known: bool) -> list[list[int]]:
    """The checks at a turn that mate within a few plies, with the turns up to it and with all barred."""
    turns = [record_after(packed, line[:at]) for at in range(0, len(line), 2)]
    number, plies = ply // 2 + 1, len(line) - ply
    later = [(turns[i], len(line) - 2 * i) for i in range(number, len(turns))] if known else []
    found = []
    for barred, mates in ((turns[:number], later), (turns, [])):
        with line_played(packed, line[:ply]), engine.restricted(barred, mates):
            checks = legal_checks(packed)
            found.append([check for check in checks if engine.mates_after(packed, check, plies + 2)])
    return found


def test_known_mates_change_no_answer() -> None:
    engine, different = DfPnEngine(table_bits=18), 0
    for packed, line in problems(150, 7):
        for ply in range(0, len(line) - 1, 2):
            with_known = restricted_mates(engine, packed, line, ply, known=True)
            assert with_known == restricted_mates(DfPnEngine(table_bits=16), packed, line, ply, known=False)
            different += with_known[0] != with_known[1]
    assert different


def test_the_slow_twin_agrees_on_restricted_searches() -> None:
    engine, compared = DfPnEngine(table_bits=18), 0
    for packed, line in problems(60, 3):
        before, every = restricted_mates(engine, packed, line, 0, known=True)
        boards = [naive.board_of(format_sfen(unpack(record_after(packed, line[:at])))) for at in (0, 2)]
        for barred, mating in ((boards[:1], before), (boards, every)):
            search, board = naive.BarredSearch(barred), naive.board_of(format_sfen(unpack(packed)))
            expected = {move.usi() for move in naive.check_moves(board) if search.mates(board, move, 5)}
            assert {unpack_move(check).usi for check in mating} == expected
            compared += 1
    assert compared


# --- the classes and their slow twin ----------------------------------------------------------------
class Second(NamedTuple):
    """A second solution at a turn of a line, and its class."""

    packed: PackedPosition
    line: Moves
    cook: cooks.Cook
    found: ClassifiedCook

    @property
    def board(self) -> naive.Board:
        """The slow twin's board at the turn."""
        return naive.board_of(format_sfen(unpack(record_after(self.packed, self.cook.path))))

    @property
    def said(self) -> str:
        moves = " ".join(unpack_move(move).usi for move in self.found.line or ())
        return f"{format_sfen(unpack(self.packed))} {self.found.kind} {self.found.joins} {moves}"


def stored_problems() -> Iterator[tuple[PackedPosition, Moves]]:
    """Published problems with their lines, each also without one of its pieces."""
    if not PUBLISHED.exists():
        return
    engine = DfPnEngine(table_bits=18)
    for row in PUBLISHED.read_text(encoding="utf-8").splitlines()[1:60]:
        position = parse_sfen(row.split("\t")[0]).position
        for one in (position, *(smaller for _, smaller in islice(each_piece_removed(position), 2))):
            packed = pack(one)
            result = search_length(engine, packed, Limits(nodes=20_000, max_length=9))
            if isinstance(result, Mate) and result.length >= 3:
                line = TreeBuilder(engine, complete=False).line(packed, result.length)
                if len(line) == result.length:
                    yield packed, line


@cache
def seconds() -> list[Second]:
    """The second solutions of stored problems and random positions."""
    engine, found, examples = DfPnEngine(table_bits=18), [], []
    for example, ply, check, *_ in CASES:
        packed, line = record_of(example), codes(example[1])
        examples.append((packed, line))
        cook = cooks.Cook(line[:ply], Turn(len(line) - ply, line[ply]), codes(check)[0], len(line) - ply + 4)
        found.append(Second(packed, line, cook, classified(engine, example, ply, check)))
    for packed, line in [*examples, *problems(150, 5), *stored_problems()]:
        classifier = Classifier(engine, packed, line, 4, exact=True)
        for ply in range(0, len(line) - 1, 2):
            n = len(line) - ply
            with line_played(packed, line[:ply]):
                mating = engine.mating(packed, legal_checks(packed), n + 2)
            for code in mating:
                if code != line[ply]:
                    cook = cooks.Cook(line[:ply], Turn(n, line[ply]), code, n + 2)
                    found.append(Second(packed, line, cook, classifier.classify(cook)))
    return found


def test_every_line_of_a_class_reaches_the_turn_that_it_names() -> None:
    seen: Counter[CookClass] = Counter()
    for one in seconds():
        kind, shown, joins = one.found.kind, one.found.line, one.found.joins
        if shown is None:
            assert joins is None
            continue
        assert first_illegal(one.packed, shown) is None, one.said
        assert shown[: len(one.cook.path) + 1] == (*one.cook.path, one.cook.check)
        if joins is None:
            assert kind not in COMING_TO_THE_LINE, one.said
            continue
        assert DfPnEngine(table_bits=12).is_mated(record_after(one.packed, shown), 0), one.said
        there = record_after(one.packed, one.line[:joins])
        plies = range(len(one.cook.path) + 2, len(shown), 2)
        passed = [(ply, record_after(one.packed, shown[:ply])) for ply in plies]
        joined = [(ply, here) for ply, here in passed if here.key == there.key]
        assert any(hand_contains(packed_hand(there), packed_hand(here)) for _, here in joined), one.said
        assert (joins > len(one.cook.path)) == (kind is not CookClass.DETOUR)
        if kind in (CookClass.ORDER, CookClass.SAME_POSITION):
            assert shown[joins:] == one.line[joins:], one.said
            assert (joins, packed_hand(there)) in [(ply, packed_hand(here)) for ply, here in joined], one.said
        seen[kind] += 1
    assert {*COMING_TO_THE_LINE, CookClass.SAME_POSITION} <= {*seen}


def test_the_slow_twin_agrees_on_orders_and_same_positions() -> None:
    seen: Counter[CookClass] = Counter()
    for one in seconds():
        board, n, kind = one.board, one.cook.turn.n, one.found.kind
        if n > 5 and kind is not CookClass.ORDER:
            continue
        line = [shogi.Move.from_usi(unpack_move(move).usi) for move in one.line[len(one.cook.path) :]]
        check = shogi.Move.from_usi(unpack_move(one.cook.check).usi)
        key = line[0]
        one_move = (key.from_square, key.to_square) == (check.from_square, check.to_square)
        same = (
            one_move
            and key.from_square is not None
            and all(naive.is_captured_at_once(board, move, n) for move in (key, check))
        )
        assert same == (kind is CookClass.SAME_POSITION), one.said
        if kind in (CookClass.ORDER, CookClass.MERGING):
            is_order = naive.comes_in_another_order(board, line, check)
            assert is_order == (kind is CookClass.ORDER), one.said
        seen[kind] += 1
    assert min(seen[kind] for kind in (CookClass.ORDER, CookClass.MERGING, CookClass.SAME_POSITION)) > 0


def test_the_slow_twin_agrees_on_what_avoids_the_line() -> None:
    seen: Counter[CookClass] = Counter()
    for one in seconds():
        n, kind = one.cook.turn.n, one.found.kind
        if n > 3 or seen[kind] > 5 or not one.found.proved:
            continue
        ply = len(one.cook.path)
        boards = [
            naive.board_of(format_sfen(unpack(record_after(one.packed, one.line[:at]))))
            for at in range(0, len(one.line), 2)
        ]
        check = shogi.Move.from_usi(unpack_move(one.cook.check).usi)
        comes_back = not naive.BarredSearch(boards[: ply // 2 + 1]).mates(one.board, check, n + 2)
        joins = not naive.BarredSearch(boards).mates(one.board, check, n + 2)
        if kind in (CookClass.TRUE, CookClass.LEFTOVER) and one.found.line:
            assert not joins or len(one.found.line) - ply > n + 2, one.said
        elif kind in (CookClass.ORDER, CookClass.MERGING, CookClass.SAME_POSITION):
            assert (comes_back, joins) == (False, True), one.said
        elif kind is CookClass.DETOUR:
            assert comes_back, one.said
        seen[kind] += 1
    assert len(seen) > 3


def test_hundreds_of_barred_positions_are_told_apart() -> None:
    others = [pack(position) for position in attacks(300, seed="others")]
    engine = DfPnEngine(table_bits=18)
    for packed, line in problems(60, 7):
        turns = [record_after(packed, line[:ply]) for ply in range(0, len(line), 2)]
        for number in range(len(turns)):
            with engine.restricted(turns[number:]):
                few = [engine.mates(packed, plies) for plies in (3, 5, 7)]
            with engine.restricted([*others, *turns[number:]]):
                assert few == [engine.mates(packed, plies) for plies in (3, 5, 7)]
            with engine.restricted(others, [(turns[number], len(line) - 2 * number)]):
                assert engine.mates(turns[number], len(line) - 2 * number)
                assert number == len(turns) - 1 or not engine.mates(turns[number], 1)


def test_restricted_searches_keep_the_table() -> None:
    engine, packed = DfPnEngine(table_bits=18), record_of(LEFTOVER)
    assert engine.mates(packed, 7)
    nodes = engine.nodes
    with engine.restricted([packed]):
        assert not engine.mates(packed, 7)
    assert engine.mates(packed, 7)
    assert engine.nodes == nodes
    # an engine without such a search of its own bars the same hand only
    other, packed = IterativeEngine(table_bits=16), record_of(LAST_PLIES)
    with other.restricted([packed], [(packed, 5)]):
        assert not other.mates(packed, 5)
    assert other.mates(packed, 5)


# --- cooks -----------------------------------------------------------------------------------------

FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def packed_sfen(sfen: str) -> PackedPosition:
    return pack(parse_sfen(sfen).position)


def code(usi: str) -> int:
    return pack_move(parse_move(usi))


def tree(engine: DfPnEngine, packed: PackedPosition, n: int) -> Turn:
    return TreeBuilder(engine).turn(packed, n)


def test_decision_points_are_the_turns_but_the_last() -> None:
    engine, packed = DfPnEngine(table_bits=14), packed_sfen(FIVE)
    root = tree(engine, packed, 5)
    found = cooks.decision_points(packed, root)
    assert found[0].turn is root
    assert {point.turn.n for point in found} == {5, 3}
    assert all(len(point.path) == 5 - point.turn.n for point in found)
    assert set(found[0].open_checks) == set(legal_checks(packed)) - {root.key}
    packed = packed_sfen("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s4n3l17p 1")
    found = cooks.decision_points(packed, tree(DfPnEngine(table_bits=12), packed, 1))
    assert [point.turn.n for point in found] == [1]


def test_a_second_solution_is_found_and_shown() -> None:
    engine, packed = DfPnEngine(table_bits=14), packed_sfen(COOKED)
    before = np.asarray(packed).tobytes()
    (point,) = cooks.decision_points(packed, TreeBuilder(engine).after(packed, code("3b2a+"), 3))
    cook = cooks.refute(engine, packed, point, 0)
    assert cook is not None
    assert unpack_move(cook.check).usi == "3e4d"
    assert cook.bound == 3
    assert cook.check not in point.open_checks
    assert [unpack_move(move).usi for move in cooks.cook_line(engine, packed, cook)] == ["3e4d", "1a1b", "2d2c+"]
    while cooks.refute(engine, packed, point, 4):
        pass
    assert np.asarray(packed).tobytes() == before


def test_checks_refuted_for_good_are_not_asked_about_again() -> None:
    engine, packed = DfPnEngine(table_bits=14), packed_sfen(FIVE)
    for point in cooks.decision_points(packed, tree(engine, packed, 5)):
        assert cooks.refute(engine, packed, point, 8) is None
        nodes = engine.nodes
        if not point.open_checks:
            assert cooks.refute(engine, packed, point, 8) is None
            assert engine.nodes == nodes


@pytest.mark.parametrize(("sfen", "key", "check", "same"), [
    # promoting or not
    ("9/8k/7R1/7R1/9/9/9/9/9 b 2b4g4s4n4l18p 1", "2c2b+", "2c2b", True),
    # a slider dropped nearer or farther on one line from the king
    ("8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1", "B*3c", "B*4d", True),
    ("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", "R*5b", "R*5c", True),
    # ... on another line
    ("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", "R*5b", "R*4a", False),
    # a slider moved nearer or farther
    ("4k4/9/9/2R6/9/9/9/9/9 b r2b4g4s4n4l18p 1", "7d7a", "7d5d", False),
    ("4k4/7R1/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1", "2b2a", "2b2a+", True),
    # another piece, another kind, a piece that does not slide
    ("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", "G*5b", "G*4b", False),
    ("4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1", "G*5b", "S*5b", False),
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "G*5b", "5c5b+", False),
    ("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1", "3b2a+", "3e4d", False),
])  # fmt: skip
def test_checks_that_differ_in_form_only(sfen: str, key: str, check: str, same: bool) -> None:
    assert differs_in_form_only(packed_sfen(sfen), code(key), code(check)) is same
    assert differs_in_form_only(packed_sfen(sfen), code(check), code(key)) is same


def test_a_cook_that_comes_back_is_a_detour() -> None:
    """The silver goes back to 1b, and the king has nothing better than to come back as well."""
    engine, packed = DfPnEngine(table_bits=16), packed_sfen("7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1")
    path = (code("1d2b+"), code("2c1c"))
    cook = cooks.Cook(path, Turn(3), code("2b1b"), 7)
    with line_played(packed, path):
        assert engine.mates_after(packed, cook.check, 7)
        assert not engine.mates_after(packed, cook.check, 5)
    assert cooks.cook_kind(engine, packed, cook, 0) is cooks.CookKind.DETOUR
    assert cooks.cook_kind(engine, packed, cook, 8) is cooks.CookKind.DETOUR
    assert engine.mates(packed, 5)
    engine, packed = DfPnEngine(table_bits=14), packed_sfen(COOKED)
    cook = cooks.Cook((), tree(engine, packed, 3), code("3e4d"), 3)
    assert cooks.cook_kind(engine, packed, cook, 0) is cooks.CookKind.COOK
    assert cooks.cook_kind(engine, packed, replace(cook, bound=7), 0) is cooks.CookKind.COOK
    assert engine.mates(packed, 3)


def test_a_cook_much_longer_than_the_main_line_is_no_detour() -> None:
    """It mates in 13 by a way of its own, where the main line mates in 3."""
    sfen = "1sp5l/3bs4/+P5k2/3pppN2/1P5np/4G1p1P/5PSp1/2+r1P1sBK/L3G3L w RG2NLPg5p 1"
    judgement = Judge(DfPnEngine()).judge(parse_sfen(sfen).position)
    assert Defect.COOK in judgement.defects
    assert [len(cook) for cook in judgement.cooks] == [13]


# --- first checks ----------------------------------------------------------------------------------


def solved(engine: DfPnEngine, position: Position) -> Mate | None:
    result = solve(position, Limits(nodes=20_000), engine)
    return result if isinstance(result, Mate) else None


def first_checks(sfen: str, nodes: int = 100_000) -> tuple[cooks.FirstChecks, list[cooks.MateByFirstCheck]]:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(sfen).position
    mate = solved(engine, position)
    assert mate is not None
    checks = cooks.FirstChecks(engine, position, mate.line[0], mate.length, nodes)
    return checks, list(checks.mates())


def test_a_second_solution_has_its_length_and_line() -> None:
    checks, found = first_checks(COOKED)
    assert [(one.length, [move.usi for move in one.line], one.exact) for one in found] == [
        (3, ["3b2a+", "1a1b", "2d2b+"], True)
    ]
    assert checks.still_open == ()
    assert first_checks(CORRECT)[1] == []


def test_every_check_is_a_mate_or_refuted_or_open() -> None:
    engine, mates = DfPnEngine(table_bits=16), 0
    for position in attacks(60, "first checks"):
        mate = solved(engine, position)
        if mate is None:
            continue
        packed = pack(position)
        checks = cooks.FirstChecks(engine, position, mate.line[0], mate.length, 20_000)
        found = {pack_move(one.line[0]): one for one in checks.mates()}
        for check in legal_checks(packed):
            with line_played(packed, (check,)):
                if check in found and found[check].exact:
                    assert defence_length(engine, packed, found[check].length) == found[check].length - 1
                elif check not in found and check != pack_move(mate.line[0]):
                    assert not engine.is_mated(packed, 4)
        mates += len(found)
    assert mates > 20


# --- Second solutions at any length, searched with growing nodes -----------------------------------

ENDLESS = "5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1"
"""A mate in three; other checks can be followed by checks for ever."""
COOKED_LATE = "3R4S/9/7gk/7N1/7+R1/9/9/9/9 b 2b3g3s3n4l18p 1"
"""Of the seven plies the third may be another check, which mates ten plies later."""


def open_points(engine: DfPnEngine, sfen: str, n: int) -> tuple[PackedPosition, list[cooks.DecisionPoint]]:
    packed = pack(parse_sfen(sfen).position)
    points = cooks.decision_points(packed, TreeBuilder(engine).turn(packed, n))
    for point in points:
        assert cooks.refute(engine, packed, point, 0) is None
    return packed, points


def test_few_nodes_are_not_exceeded_by_much() -> None:
    engine = DfPnEngine(table_bits=16)
    packed, points = open_points(engine, ENDLESS, 3)
    unsettled = [list(point.open_checks) for point in points]
    assert list(cooks.refute_with_growing_nodes(engine, packed, points, Limits(nodes=0))) == []
    assert [point.open_checks for point in points] == unsettled
    before = engine.nodes
    assert list(cooks.refute_with_growing_nodes(engine, packed, points, Limits(nodes=5_000))) == []
    assert any(point.open_checks for point in points)
    assert engine.nodes - before < 10_000


@pytest.mark.parametrize("limits", [Limits(nodes=1_000_000), Limits(seconds=300), Limits()])
def test_checks_without_an_end_are_refuted(limits: Limits) -> None:
    engine = DfPnEngine(table_bits=16)
    packed, points = open_points(engine, ENDLESS, 3)
    assert list(cooks.refute_with_growing_nodes(engine, packed, points, limits)) == []
    assert not any(point.open_checks for point in points)


def test_a_late_mate_is_found() -> None:
    engine = DfPnEngine(table_bits=16)
    packed, points = open_points(engine, COOKED_LATE, 7)
    found = list(cooks.refute_with_growing_nodes(engine, packed, points, Limits(nodes=1_000_000)))
    assert "6a6b" in {unpack_move(cook.check).usi for cook in found}


def test_time_settles_what_the_nodes_left_open() -> None:
    position = parse_sfen(ENDLESS).position
    nodes = Judge(DfPnEngine(table_bits=16), Rigour(unbounded_nodes=0, nodes=0))
    assert nodes.judge(position, limits=Limits(seconds=300)).searched == 11
    thorough = Judge(DfPnEngine(table_bits=16), Rigour(unbounded_nodes=0, nodes=0, thorough=True))
    assert thorough.judge(position, limits=Limits(seconds=300)).searched is None
