# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.kernel.mate import may_be_futile
from solver.solving.tree import TreeBuilder, TreeTooLarge, Turn, all_turns
from tests import naive
from tests.sampling import attacks, checked
from tsume_rules.packed import (
    Moves,
    Record,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    target_of,
    unpack_move,
)
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

EQUAL_DEFENCES = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


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
        record = pack(position)
        with line_played(record, root.line()):
            assert bool(record.hand[0].any()) == root.leftover or len(root.line()) > length
        if root.replies and all(reply.turn is not None for reply in root.replies):
            assert root.leftover == all(reply.turn.leftover for reply in root.replies if reply.turn)


def test_all_turns_once() -> None:
    root = tree(EQUAL_DEFENCES, 3)
    turns = all_turns(root)
    assert len(turns) == len({id(turn) for turn in turns})
    assert root in turns
    assert {turn.n for turn in turns} == {1, 3}


def test_equal_defences_are_all_there_in_a_fixed_order() -> None:
    root = tree(EQUAL_DEFENCES, 3)
    assert len(root.replies) > 1
    assert [reply.moves for reply in root.replies] == sorted(reply.moves for reply in root.replies)
    assert usi(root.line()) == ["3b2c+", "1b1a", "2c2b"]


def test_a_defence_that_leaves_a_piece_is_not_the_line() -> None:
    root = tree(LEFTOVER_IN_VARIATION, 3)
    assert not root.leftover
    assert any(turn.leftover for turn in all_turns(root))


def test_a_tree_too_large_is_refused_or_only_its_first_defences_are_followed() -> None:
    with pytest.raises(TreeTooLarge):
        TreeBuilder(DfPnEngine(table_bits=14), most_turns=1).turn(record_of(FIVE), 5)
    record = record_of(FIVE)
    before = record.board.tobytes()
    line = TreeBuilder(DfPnEngine(table_bits=14), most_turns=1, complete=False).turn(record, 5).line()
    assert len(line) == 5
    assert record.board.tobytes() == before


def test_the_tree_after_a_check_that_is_not_the_key() -> None:
    cooked = record_of("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1")
    builder = TreeBuilder(DfPnEngine(table_bits=14))
    other = next(c for c in legal_checks(cooked) if unpack_move(c).usi == "3e4d")
    assert usi(builder.after(cooked, other, 3).line()) == ["3e4d", "1a1b", "2d2c+"]


def test_futile_drops_are_those_of_the_slow_twin() -> None:
    for position in checked(60, seed="futile"):
        board, search, record = naive.board_of(format_sfen(position)), naive.Search(), pack(position)
        futile = {move.usi() for move in naive.evasion_moves(board) if _is_futile(board, search, move)}
        engine = DfPnEngine(table_bits=12)
        answers = legal_evasions(record)
        drops = [move for move in answers if may_be_futile(record, move)]
        found = {usi((move,))[0] for move in drops if engine.is_futile(record, target_of(move), 2)}
        assert found == futile, format_sfen(position)
        for move in drops:
            assert len(engine.slides(record, target_of(move))) <= 2


def _is_futile(board: naive.Board, search: naive.Search, move: shogi.Move) -> bool:
    return move.drop_piece_type is not None and search._futile(board, move, 2)
