# SPDX-License-Identifier: GPL-3.0-or-later
import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import pytest
import shogi

from solver.engines.base import MateEngine, TreeWalkPlan
from solver.engines.dfpn import engine
from solver.engines.dfpn import engine as dfpn
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.engines.kernel.mate import may_be_futile
from solver.engines.rsearch.engine import RSearchEngine
from solver.judging.judge import mirror_order
from solver.results import LimitReached, Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.deepening import search_length
from solver.solving.solve import ChosenChecks, ChosenDefences, DefenderInCheck, Root, solve, solve_next
from solver.solving.tree import (
    WEIGHTS,
    TreeBuilder,
    TreeTooLarge,
    Turn,
    all_turns,
    defence_move_features,
    defence_preference,
    differs_in_form_only,
    group_checks_by_form,
    natural_check,
)
from tests import naive
from tests.positions import record_of
from tests.sampling import attacks, checked, crowded, promotable
from tests.tsume.problems import CORRECT, DROPS, HARD, PROMOTES
from tsume_rules.kernel.tables import DEF, DIST
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    is_promotion,
    legal_checks,
    legal_evasions,
    line_played,
    mirrored,
    pack,
    pack_move,
    played,
    target_of,
    unpack_move,
)
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

EQUAL_DEFENCES = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def tree(sfen: str, n: int) -> Turn:
    return TreeBuilder(DfPnEngine(table_bits=14)).turn(record_of(sfen), n)


def usi(moves: Moves) -> list[str]:
    return [unpack_move(move).usi for move in moves]


def short_mates(number: int, seed: str) -> list[tuple[Position, int]]:
    """Positions that mate in one or three plies."""
    engine, found = DfPnEngine(table_bits=14), []
    for position in attacks(number, seed=seed):
        length = next((n for n in (1, 3) if engine.mates(pack(position), n)), None)
        if length is not None:
            found.append((position, length))
    return found


def test_every_longest_defence_is_in_the_tree_and_no_other() -> None:
    for position, length in short_mates(150, "defences"):
        root = TreeBuilder(DfPnEngine(table_bits=14)).turn(pack(position), length)
        assert root.n == length
        if length == 3 and all(len(reply.moves) == 1 for reply in root.replies):
            found = {usi(reply.moves)[0] for reply in root.replies}
            assert found == _longest_defences(position, root.key), format_sfen(position)


def _longest_defences(position: Position, key: int) -> set[str]:
    """The answers to a key that mates in three, without futile drops, after which there is mate in one."""
    board, search = naive.board_of(format_sfen(position)), naive.Search()
    board.push_usi(unpack_move(key).usi)
    return {
        move.usi()
        for move in naive.evasion_moves(board)
        if not (move.drop_piece_type is not None and search._futile(board, move, 2))
    }


def test_finals_are_all_the_mates_in_one() -> None:
    for position, length in short_mates(150, "finals"):
        if length == 1:
            root = TreeBuilder(DfPnEngine(table_bits=14)).turn(pack(position), 1)
            assert set(usi(root.finals)) == naive.mating_moves(format_sfen(position), 1)
            assert root.key in root.finals
            assert root.line() == (root.key,)


def test_the_line_leaves_nothing_in_hand_if_any_longest_defence_does_so() -> None:
    for position, length in short_mates(150, "leftover"):
        root = TreeBuilder(DfPnEngine(table_bits=14)).turn(pack(position), length)
        packed = pack(position)
        with line_played(packed, root.line()):
            assert bool(packed.hand[0].any()) == root.leftover or len(root.line()) > length
        if root.replies and all(reply.turn is not None for reply in root.replies):
            assert root.leftover == all(reply.turn.leftover for reply in root.replies if reply.turn)


def test_equal_defences_are_all_there_in_a_fixed_order_and_all_turns_once() -> None:
    root = tree(EQUAL_DEFENCES, 3)
    assert len(root.replies) > 1
    assert [reply.moves for reply in root.replies] == sorted(reply.moves for reply in root.replies)
    assert usi(root.line()) == ["3b2c+", "1b1a", "2c2b"]
    turns = all_turns(root)
    assert len(turns) == len({id(turn) for turn in turns})
    assert root in turns
    assert {turn.n for turn in turns} == {1, 3}


def test_a_tree_too_large_is_refused_or_only_its_first_defences_are_followed() -> None:
    with pytest.raises(TreeTooLarge):
        TreeBuilder(DfPnEngine(table_bits=14), most_turns=1).turn(record_of(FIVE), 5)
    packed = record_of(FIVE)
    before = packed.board.tobytes()
    line = TreeBuilder(DfPnEngine(table_bits=14), most_turns=1, complete=False).turn(packed, 5).line()
    assert len(line) == 5
    assert packed.board.tobytes() == before


def test_the_tree_after_a_check_that_is_not_the_key() -> None:
    cooked = record_of("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1")
    builder = TreeBuilder(DfPnEngine(table_bits=14))
    other = next(c for c in legal_checks(cooked) if unpack_move(c).usi == "3e4d")
    assert usi(builder.after(cooked, other, 3).line()) == ["3e4d", "1a1b", "2d2c+"]
    root = tree(LEFTOVER_IN_VARIATION, 3)
    assert not root.leftover
    assert any(turn.leftover for turn in all_turns(root))


def test_futile_drops_are_those_of_the_slow_twin() -> None:
    for position in checked(60, seed="futile"):
        board, search, packed = naive.board_of(format_sfen(position)), naive.Search(), pack(position)
        futile = {move.usi() for move in naive.evasion_moves(board) if _is_futile(board, search, move)}
        engine = DfPnEngine(table_bits=12)
        answers = legal_evasions(packed)
        drops = [move for move in answers if may_be_futile(packed, move)]
        found = {usi((move,))[0] for move in drops if engine.is_futile(packed, target_of(move), 2)}
        assert found == futile, format_sfen(position)
        for move in drops:
            assert len(engine.slides(packed, target_of(move))) <= 2


def _is_futile(board: naive.Board, search: naive.Search, move: shogi.Move) -> bool:
    return move.drop_piece_type is not None and search._futile(board, move, 2)


# --- Trees that the engine builds in one call are those that are built step by step ----------------

OPTIONS: list[dict[str, Any]] = [
    {"most_turns": 400, "complete": False},
    {"order": int},
    {"order": mirrored},
    {"main_line": False},
    {"most_turns": 3, "complete": False},
    {"most_turns": 3},
]
GREY = "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1"
"""Only a futile drop lasts longest."""
SEVEN = "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g2s2n4l17p 1"
ENOUGH = Limits(nodes=100_000)


class StepByStep(DfPnEngine):
    """Asks one question after the other."""

    def tree_walk(self, plan: TreeWalkPlan) -> None:  # type: ignore[override]
        """None: it builds no trees itself."""


def mates(number: int) -> Iterator[tuple[PackedPosition, int, str]]:
    """Positions that mate in 3 to 7 plies, their lengths, their SFENs."""
    for position in chain(attacks(number, "walk"), crowded(number, "walk"), promotable(number, "walk")):
        packed = pack(position)
        found = search_length(DfPnEngine(table_bits=14), packed, Limits(nodes=20_000, max_length=7))
        if isinstance(found, Mate) and found.length > 1:
            yield packed, found.length, format_sfen(position)


def told(engine: DfPnEngine, packed: PackedPosition, n: int, options: dict[str, Any]) -> Any:
    """A tree as nested tuples, or that it is too large; the engine has found the length before."""
    search_length(engine, packed, Limits())
    try:
        with engine.within(ENOUGH):
            root = TreeBuilder(engine, **options).turn(packed, n)
    except LimitReached as limit:
        return limit.reason
    return in_tuples(root), root.line()


def in_tuples(turn: Turn) -> Any:
    replies = tuple((reply.moves, in_tuples(reply.turn) if reply.turn else None) for reply in turn.replies)
    return turn.n, turn.key, turn.finals, turn.final_leftovers, turn.leftover, replies


def test_trees_are_the_same_as_step_by_step() -> None:
    count = 0
    for packed, n, sfen in mates(80):
        for options in OPTIONS:
            one, other = DfPnEngine(table_bits=14), StepByStep(table_bits=14)
            assert told(one, packed, n, options) == told(other, packed, n, options), (sfen, options)
            count += 1
    assert count > 95


@pytest.mark.parametrize("nodes", [1, 7, 60])
def test_trees_that_take_many_calls_are_the_same(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes of a call run out again and again: what is found so far is gone on from."""
    expected = [(told(StepByStep(table_bits=14), *one[:2], OPTIONS[0]), *one) for one in mates(30)]
    monkeypatch.setattr(dfpn, "SLICE", nodes)
    for tree, packed, n, sfen in expected:
        found = told(DfPnEngine(table_bits=14), packed, n, OPTIONS[0])
        assert found[0][0] == tree[0][0] == n, sfen
        assert len(found[1]) == len(tree[1]), sfen


@pytest.mark.parametrize(("sfen", "n"), [(GREY, 3), (SEVEN, 7)])
def test_what_the_walk_cannot_build_is_built_step_by_step(sfen: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack(parse_sfen(sfen).position)
    expected = told(StepByStep(table_bits=14), packed, n, OPTIONS[1])
    assert told(DfPnEngine(table_bits=14), packed, n, OPTIONS[1]) == expected
    monkeypatch.setattr(engine, "_REPLIES", 0)  # no room for any reply
    assert told(DfPnEngine(table_bits=14), packed, n, OPTIONS[1]) == expected


def test_one_builder_builds_several_trees() -> None:
    one, other = DfPnEngine(table_bits=14), StepByStep(table_bits=14)
    builder, twin = TreeBuilder(one, most_turns=30, complete=False), TreeBuilder(
        other, most_turns=30, complete=False
    )  # fmt: skip
    for packed, n, sfen in mates(40):
        search_length(one, packed, Limits())
        search_length(other, packed, Limits())
        assert in_tuples(builder.turn(packed, n)) == in_tuples(twin.turn(packed, n)), sfen


def test_a_limit_ends_a_walk_and_leaves_the_position() -> None:
    packed = pack(parse_sfen(SEVEN).position)
    before = packed.tobytes()
    engine = DfPnEngine(table_bits=14)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=20)):
        TreeBuilder(engine).turn(packed, 7)
    assert packed.tobytes() == before


# --- The main line: the one a composer would write -------------------------------------------------

SOUND = [
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]
PROMOTION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
TWO_ROOKS = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
DISTANCE = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"


def ordered_tree(position: Position, n: int, engine: MateEngine | None = None) -> Turn:
    builder = TreeBuilder(engine or DfPnEngine(table_bits=14), order=mirror_order(position))
    return builder.turn(pack(position), n)


def code(text: str) -> int:
    return pack_move(parse_move(text))


def mates_of(number: int, seed: str) -> Iterator[tuple[Position, int]]:
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
    for position, length in mates_of(150, "natural"):
        packed = pack(position)
        for path, key, n in attackers_moves(ordered_tree(position, length)):
            with line_played(packed, path):
                if n == 1:
                    continue  # the last move leaves nothing in hand first of all
                king = int(packed.king[DEF])
                forms = [c for c in legal_checks(packed) if differs_in_form_only(packed, key, c)]
                better = [
                    c
                    for c in forms
                    if (not is_promotion(c), int(DIST[king, target_of(c)]))
                    < (not is_promotion(key), int(DIST[king, target_of(key)]))
                ]
                seen += len(forms) > 1
                assert not engine.mating(packed, better, n), (format_sfen(position), usi((*path, key)))
    assert seen


def test_the_promoting_form_and_the_nearest_drop_are_played() -> None:
    for sfen, n, key in ((PROMOTION, 5, "4b3a+"), (TWO_ROOKS, 3, "R*5b"), (DISTANCE, 3, "B*3c")):
        assert usi(ordered_tree(parse_sfen(sfen).position, n).line())[0] == key


def test_the_last_move_leaves_nothing_then_takes_nothing_then_promotes() -> None:
    for position, length in mates_of(100, "last"):
        root = ordered_tree(position, length)
        last = list(root.best_turns())[-1]
        if last.n == 1 and last.finals:
            assert last.key in last.finals
            left = dict(zip(last.finals, last.final_leftovers, strict=True))
            assert left[last.key] == min(left.values())


def test_natural_of_one_kind_promotes_and_is_near() -> None:
    packed = pack(parse_sfen(TWO_ROOKS).position)
    checks = [code("R*5d"), code("R*5b"), code("R*5c")]
    assert natural_check(packed, checks) == code("R*5b")
    assert natural_check(packed, checks[::-1]) == code("R*5b")
    assert group_checks_by_form(packed, [*checks, code("R*4a")]) == [checks, [code("R*4a")]]


ALONE = "4k4/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1"
GOLD = "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"


def test_features_of_a_defence() -> None:
    for sfen, check, answer, features in (
        (GOLD, "G*5b", "5a5b", {"takes the checking piece", "takes with the king"}),
        (ALONE, "R*5d", "5a4a", {"king aside"}),
        ("9/4k4/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1", "R*5d", "5b4a", {"king back"}),
        (ALONE, "R*5d", "5a4b", set()),
        (ALONE, "R*5d", "P*5b", {"drops", "drops a pawn"}),
        (ALONE, "R*5d", "L*5b", {"drops", "drops a lance"}),
        (ALONE, "R*5d", "B*5b", {"drops", "drops a rook or bishop"}),
        (ALONE, "R*5d", "G*5b", {"drops"}),
        ("4kg3/9/9/9/9/9/9/9/9 b Rr2b3g4s4n4l18p 1", "R*5d", "4a5b", {"moves between"}),
    ):
        packed = pack(parse_sfen(sfen).position)
        with played(packed, code(check), Side.ATTACKER):
            assert code(answer) in legal_evasions(packed)
            assert set(defence_move_features(packed, code(answer))) == features
            for other in legal_evasions(packed):
                assert set(defence_move_features(packed, other)) <= set(WEIGHTS)


def test_of_longest_defences_without_leftovers_the_preferred_one_comes_first() -> None:
    engine, seen = DfPnEngine(table_bits=14), 0
    for position, length in mates_of(150, "preferred"):
        packed = pack(position)
        path: Moves = ()
        for turn in ordered_tree(position, length, engine).best_turns():
            fitting = [r for r in turn.replies if r.turn is not None and not r.turn.leftover]
            if turn.reply in fitting and len(fitting) > 1:
                seen += 1
                with line_played(packed, (*path, turn.key)):
                    sums = [
                        defence_preference(engine, packed, r.moves[0], r.turn.n, r.turn.key, len(r.turn.replies))
                        for r in fitting
                        if r.turn is not None
                    ]
                assert sums[fitting.index(turn.reply)] == max(sums), format_sfen(position)
            path += turn.key_and_defence
    assert seen


def test_mirror_images_have_mirrored_lines() -> None:
    for position, length in mates_of(100, "mirrored"):
        line = [unpack_move(move) for move in ordered_tree(position, length).line()]
        image = [unpack_move(move).mirrored for move in ordered_tree(position.mirrored, length).line()]
        if position != position.mirrored:
            assert line == image, format_sfen(position)


def test_every_engine_gives_the_same_line() -> None:
    for sfen, n in SOUND:
        position = parse_sfen(sfen).position
        engines = DfPnEngine(table_bits=14), IterativeEngine(table_bits=14), RSearchEngine(cells=4096)
        assert len({ordered_tree(position, n, engine).line() for engine in engines}) == 1, sfen


# --- next move -------------------------------------------------------------------------------------

NODES = Limits(nodes=100_000)


def found(engine: MateEngine, root: Root, limits: Limits = NODES) -> SearchResult:
    return solve_next(engine, root, limits, lambda _bound: None)


def after_checks(seed: str) -> Iterator[tuple[PackedPosition, Sequence[int]]]:
    """Records with the defender in check, and some of his answers."""
    rng = random.Random(seed)
    for position in attacks(60, seed):
        packed = pack(position)
        for check in rng.sample(legal_checks(packed), k=min(2, len(legal_checks(packed)))):
            with played(packed, check, Side.ATTACKER):
                evasions = legal_evasions(packed)
                yield packed, rng.sample(evasions, k=min(2, len(evasions)))


def test_the_defence_in_a_main_line_is_the_main_line_s() -> None:
    engine = DfPnEngine(table_bits=16)
    for sfen in (CORRECT, DROPS, PROMOTES):
        position = parse_sfen(sfen).position
        result = solve(position, NODES, engine)
        assert isinstance(result, Mate)
        packed = pack(position)
        with played(packed, pack_move(result.line[0]), Side.ATTACKER):
            defended = found(engine, DefenderInCheck(engine, packed, legal_evasions(packed)))
        assert defended == Mate(result.length - 1, result.line[1:])


def test_a_defender_in_check_is_mated_exactly_as_late_as_the_engine_says() -> None:
    engine, other, mates, escapes = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16), 0, 0
    for packed, _ in after_checks("in check"):
        root = DefenderInCheck(engine, packed, legal_evasions(packed))
        result = found(engine, root)
        if isinstance(result, Mate):
            mates += 1
            assert other.is_mated(packed, result.length)
            assert result.length == 0 or not other.is_mated(packed, result.length - 2)
            assert bool(result.line) == (result.length > 0)
        elif isinstance(result, NoMate):
            escapes += 1
            escape = root.escape()
            assert escape in legal_evasions(packed)
            assert escape is not None
            with played(packed, escape, Side.DEFENDER):
                assert not other.mates(packed, 7)
    assert mates > 8
    assert escapes > 20


def test_only_the_given_defences_are_played() -> None:
    engine, other, mates = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16), 0
    for packed, some in after_checks("given"):
        if not some:
            continue
        root = ChosenDefences(engine, packed, some)
        result = found(engine, root)
        if isinstance(result, Mate):
            mates += 1
            move = pack_move(result.line[0])
            assert move in some
            with played(packed, move, Side.DEFENDER):
                assert other.mates(packed, result.length - 1)
                assert result.length == 2 or not other.mates(packed, result.length - 3)
        elif isinstance(result, NoMate):
            assert root.escape() in (*some, None)
    assert mates > 8


def test_only_the_given_checks_are_played() -> None:
    engine, mates = DfPnEngine(table_bits=16), 0
    for position in attacks(80, "given checks"):
        packed = pack(position)
        checks = legal_checks(packed)[1::2]
        if not checks:
            continue
        result = found(engine, ChosenChecks(engine, packed, checks))
        best = solve(position, NODES, engine)
        if isinstance(result, Mate):
            mates += 1
            assert pack_move(result.line[0]) in checks
            assert isinstance(best, Mate)
            assert best.length <= result.length
        else:
            assert not (isinstance(best, Mate) and pack_move(best.line[0]) in checks)
    assert mates > 10


def test_a_limit_is_no_answer() -> None:
    engine = DfPnEngine(table_bits=16)
    position = parse_sfen(HARD).position
    packed = pack(position)
    checks = legal_checks(packed)
    few = found(engine, ChosenChecks(engine, packed, checks), Limits(nodes=50))
    assert few == Unresolved(Reason.NODES, 1)
    short = found(engine, ChosenChecks(engine, packed, checks), Limits(max_length=3))
    assert short == Unresolved(Reason.LENGTH, 3)
    assert found(engine, ChosenChecks(engine, packed, checks), Limits(max_length=14, nodes=10**6)) in (
        Unresolved(Reason.LENGTH, 13),
        Unresolved(Reason.NODES, 11),
    )
