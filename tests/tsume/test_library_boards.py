# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards and moves of python-shogi and cshogi, and answers, are taken for positions and moves."""

from __future__ import annotations

from typing import Any

import pytest
import shogi

from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE
from tests.tsume_rules.test_sfen import NO_POSITION, NOT_SFEN
from tsume import library
from tsume.formats.kif import find_kif
from tsume_rules.sfen import parse_sfen

cshogi: Any = pytest.importorskip("cshogi")
BOARDS = (shogi.Board, cshogi.Board)
WITHOUT_HANDS = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b S 1"


def moves_of_python_shogi(_sfen: str, line: tuple[str, ...]) -> list[Any]:
    return [shogi.Move.from_usi(usi) for usi in line]


def moves_of_cshogi(sfen: str, line: tuple[str, ...]) -> list[Any]:
    board, moves = cshogi.Board(sfen), []
    for usi in line:
        moves.append(board.move_from_usi(usi))
        board.push(moves[-1])
    return moves


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sfen", [CORRECT, CORRECT_WHITE])
def test_a_board_is_its_sfen(board: Any, sfen: str) -> None:
    found, expected = library.solve(board(sfen)), library.solve(sfen)
    assert (found.result, found.line) == (expected.result, expected.line)
    assert parse_sfen(found.sfen) == parse_sfen(sfen)
    assert library.draw(board(sfen)) == library.draw(sfen)


@pytest.mark.parametrize("board", BOARDS)
def test_pieces_that_a_board_has_nowhere_are_the_defenders(board: Any) -> None:
    assert library.solve(board(WITHOUT_HANDS)).line == library.solve(WITHOUT_HANDS).line != ()


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_stands_where_its_moves_have_led(board: Any) -> None:
    solved = library.solve(WITHOUT_HANDS)
    played = board(solved.sfen)
    for usi in solved.line[:2]:
        played.push_usi(usi) if board is shogi.Board else played.push(played.move_from_usi(usi))
    assert library.solve(played).line == solved.line[2:]


@pytest.mark.parametrize("moves_of", [moves_of_python_shogi, moves_of_cshogi])
@pytest.mark.parametrize("sfen", [CORRECT, CORRECT_WHITE, WITHOUT_HANDS])
def test_moves_of_other_libraries_are_moves(moves_of: Any, sfen: str) -> None:
    line = library.solve(sfen).line
    assert library.record(sfen, line=moves_of(sfen, line)) == library.record(sfen, line=line)
    drawn = library.draw(sfen, arrows=moves_of(sfen, line)[:1])
    assert drawn == library.draw(sfen, arrows=line[:1])


@pytest.mark.parametrize("number", [-1, 2**14, 127, 81, 88 << 7, 87 << 7 | 1 << 14, 0])
def test_a_number_that_is_no_move_of_cshogi(number: int) -> None:
    with pytest.raises(ValueError, match=f"^line: not a move of cshogi: {number}$"):
        library.record(CORRECT, line=[number])


@pytest.mark.parametrize("board", BOARDS)
def test_what_is_composed_goes_back_onto_a_board(board: Any) -> None:
    (problem,) = library.generate(3, 1, seed=1)
    played = board(problem.sfen)
    for usi in problem.line:
        played.push_usi(usi) if board is shogi.Board else played.push(played.move_from_usi(usi))
    assert played.is_checkmate() if board is shogi.Board else played.is_game_over()


def test_answers_are_positions_with_their_lines() -> None:
    solved = library.solve(CORRECT)
    judged = library.check(solved)
    assert judged == library.check(CORRECT, line=solved.line)
    assert library.draw(judged, ply="end") == library.draw(CORRECT, line=solved.line, ply="end")
    assert next(library.generate(3, 1, seed=1, start=solved)) == next(
        library.generate(3, 1, seed=1, start=CORRECT)
    )


@pytest.mark.parametrize("given", [None, 5, b"4k4", ["4k4"], shogi.Board, {"sfen": CORRECT}])
def test_what_has_no_sfen_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^sfen must be an SFEN, or a board or an answer with one, not "):
        library.solve(given)


@pytest.mark.parametrize(("sfen", "line"), [(CORRECT, CORRECT_LINE), (CORRECT_WHITE, CORRECT_WHITE_LINE)])
def test_a_record_has_position_line_and_title(sfen: str, line: tuple[str, ...]) -> None:
    (read,) = find_kif(library.record(sfen, line=line, title="馬鋸"))
    assert read.record is not None
    assert (read.title, read.record.position) == ("馬鋸", parse_sfen(sfen).position)
    assert [parse_sfen(sfen).outward(move).usi for move in read.record.line] == list(line)


@pytest.mark.parametrize(
    ("form", "begins"), [("ki2", "後手"), ("csa", "'CSA encoding=UTF-8\nV2.2\n"), ("jkf", "{")]
)
def test_a_record_has_any_form(form: Any, begins: str) -> None:
    assert library.record(CORRECT, file_format=form).startswith(begins)


def test_a_record_needs_a_line_that_can_be_played() -> None:
    with pytest.raises(ValueError, match="1i1h"):
        library.record(CORRECT, line=["1i1h"])


@pytest.mark.parametrize("text", [text for text, _ in (*NOT_SFEN, *NO_POSITION) if text])
def test_a_fault_of_an_sfen_is_told_as_by_the_commands(text: str, tsume: Run) -> None:
    with pytest.raises(ValueError, match=r"board|SFEN|hands|number|side|king|set|pawn|cannot move") as caught:
        library.solve(text)
    assert tsume("solve", text).stderr == f"argument 1: {caught.value}\n"
