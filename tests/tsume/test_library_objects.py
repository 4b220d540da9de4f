# SPDX-License-Identifier: GPL-3.0-or-later
"""The library with boards of other libraries, in notebooks, and in threads"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import asdict
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import pytest
import shogi

from tests.sampling import few
from tests.tsume.conftest import Run
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, NO_MATE
from tests.tsume_rules.test_sfen import NO_POSITION, NOT_SFEN
from tsume import library
from tsume.dataset import FEATURES
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
def test_a_board_is_its_sfen_and_stands_where_its_moves_have_led(board: Any) -> None:
    def played(sfen: str, line: tuple[str, ...]) -> Any:
        found = board(sfen)
        for usi in line:
            found.push_usi(usi) if board is shogi.Board else found.push(found.move_from_usi(usi))
        return found

    for sfen in (CORRECT, CORRECT_WHITE):
        solved, expected = library.solve(board(sfen)), library.solve(sfen)
        assert (solved.result, solved.line) == (expected.result, expected.line)
        assert parse_sfen(solved.sfen) == parse_sfen(sfen)
        assert library.draw(board(sfen)) == library.draw(sfen)
    solved = library.solve(WITHOUT_HANDS)
    assert library.solve(board(WITHOUT_HANDS)).line == solved.line != (), "the defender has the rest"
    assert library.solve(played(solved.sfen, solved.line[:2])).line == solved.line[2:]
    (problem,) = library.generate(3, 1, seed=1)
    end = played(problem.sfen, problem.line)
    assert end.is_checkmate() if board is shogi.Board else end.is_game_over()


@pytest.mark.parametrize("moves_of", [moves_of_python_shogi, moves_of_cshogi])
@pytest.mark.parametrize("sfen", [CORRECT, CORRECT_WHITE, WITHOUT_HANDS])
def test_moves_of_other_libraries_are_moves(moves_of: Any, sfen: str) -> None:
    line = library.solve(sfen).line
    assert library.record(sfen, line=moves_of(sfen, line)) == library.record(sfen, line=line)
    drawn = library.draw(sfen, arrows=moves_of(sfen, line)[:1])
    assert drawn == library.draw(sfen, arrows=line[:1])


def test_answers_are_positions_with_lines_and_records_have_any_form() -> None:
    solved = library.solve(CORRECT)
    judged = library.check(solved)
    assert judged == library.check(CORRECT, line=solved.line)
    assert library.draw(judged, ply="end") == library.draw(CORRECT, line=solved.line, ply="end")
    assert next(library.generate(3, 1, seed=1, start=solved)) == next(library.generate(3, 1, seed=1, start=CORRECT))
    for sfen, line in ((CORRECT, CORRECT_LINE), (CORRECT_WHITE, CORRECT_WHITE_LINE)):
        (read,) = find_kif(library.record(sfen, line=line, title="馬鋸"))
        assert read.record is not None
        assert (read.title, read.record.position) == ("馬鋸", parse_sfen(sfen).position)
        assert [parse_sfen(sfen).outward(move).usi for move in read.record.line] == list(line)
    form: Any
    for form, begins in (("ki2", "後手"), ("csa", "'CSA encoding=UTF-8\nV2.2\n"), ("jkf", "{")):
        assert library.record(CORRECT, file_format=form).startswith(begins)


def test_what_is_no_board_or_move_is_an_error_that_names_it() -> None:
    given: Any
    for given in (None, 5, b"4k4", ["4k4"], shogi.Board, {"sfen": CORRECT}):
        with pytest.raises(TypeError, match=r"^sfen must be an SFEN, or a board or an answer with one, not "):
            library.solve(given)
    for number in (-1, 2**14, 127, 81, 88 << 7, 87 << 7 | 1 << 14, 0):
        with pytest.raises(ValueError, match=f"^line: not a move of cshogi: {number}$"):
            library.record(CORRECT, line=[number])
    with pytest.raises(ValueError, match="1i1h"):
        library.record(CORRECT, line=["1i1h"])


@pytest.mark.parametrize("text", [text for text, _ in (*NOT_SFEN, *NO_POSITION) if text])
def test_a_fault_of_an_sfen_is_told_as_by_the_commands(text: str, tsume: Run) -> None:
    with pytest.raises(ValueError, match=r"board|SFEN|hands|number|side|king|set|pawn|cannot move") as caught:
        library.solve(text)
    assert tsume("solve", text).stderr == f"argument 1: {caught.value}\n"


SOLVED = library.Solution(CORRECT, "mate", 3, ("3d2c", "1b1a", "2c2b"))


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """An answer of each function about one position."""
    return {
        "solve": library.solve(CORRECT),
        "check": library.check(CORRECT),
        "cooked": library.check(COOKED),
        "score": library.score(CORRECT),
        "explain": library.explain(CORRECT, languages=("en",)),
        "tree": library.tree(CORRECT),
        "mend": library.mend(COOKED, count=1, seconds=60),
        "enrich": library.enrich(COOKED),
        "generate": next(library.generate(3, 1, seed=1)),
        "no mate": library.solve(NO_MATE),
        "limit": library.solve(CORRECT, seconds=0),
        "no score": library.score(NO_MATE),
    }


def test_every_answer_has_a_diagram_and_a_short_text(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        assert answer._repr_svg_() == library.draw(answer), name
        shown = answer._repr_html_()
        assert shown.count("<img ") == 1, name
        for words in ("<figcaption></figcaption>", "None"):
            assert words not in shown, name
        assert ElementTree.fromstring(f"<p>{shown}</p>").find(".//figcaption") is not None
    for name, answer in answers.items():
        assert len(repr(answer)) < 400, name
        assert "\n" not in repr(answer)
        assert answer.sfen in repr(answer)
    assert repr(SOLVED) == f"<Solution mate in 3: 3d2c 1b1a 2c2b | {CORRECT}>"
    assert repr(answers["cooked"]).startswith("<Judged mate in ")
    assert "unsound" in repr(answers["cooked"])
    assert repr(answers["no mate"]) == f"<Solution no mate | {NO_MATE}>"
    assert repr(answers["limit"]) == f"<Solution unresolved | {CORRECT}>"
    assert repr(answers["no score"]) == f"<Scored no mate | {NO_MATE}>"
    shown = answers["explain"]._repr_html_()
    assert "<summary>Explanation (en)</summary>" in shown
    assert answers["explain"].text["en"][-1].strip() in shown
    solved = answers["solve"]
    assert solved.draw(ply="end") == library.draw(CORRECT, line=solved.line, ply="end")
    assert solved.draw(animate=True) == library.draw(CORRECT, line=solved.line, animate=True)


def test_pictures_and_galleries_show_themselves() -> None:
    found = re.search(r"data:image/svg\+xml;base64,([^\"]+)", SOLVED._repr_html_())
    assert found is not None
    assert b64decode(found[1]).decode() == SOLVED._repr_svg_()
    shown = library.gallery(iter([SOLVED, SOLVED]))
    assert tuple(shown) == (SOLVED, SOLVED)
    assert shown._repr_html_().count("<figure") == 2
    drawn = library.draw(CORRECT)
    assert drawn._repr_svg_() == drawn
    assert drawn._repr_html_().startswith('<img src="data:image/svg+xml;base64,')
    pytest.importorskip("typst")
    png = library.draw(CORRECT, form="png")
    assert png._repr_png_() == png


def test_the_language_is_that_of_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TSUME_LANG", raising=False)
    assert "mate in 3<br/>▲" in SOLVED._repr_html_()
    monkeypatch.setenv("TSUME_LANG", "ja")
    assert "3手詰<br/>▲" in SOLVED._repr_html_()
    monkeypatch.setenv("TSUME_LANG", "en")
    assert "3手詰" not in SOLVED._repr_html_()
    assert "▲" not in SOLVED._repr_html_()
    assert SOLVED._repr_svg_() == library.draw(SOLVED, language="en")


def test_rows_make_a_table_as_that_of_exports(answers: dict[str, Any], tsume: Run, tmp_path: Path) -> None:
    for name, answer in answers.items():
        (row,) = pandas.DataFrame([answer.as_row()]).to_dict("records")
        assert all(isinstance(value, str | int | float | bool | None) for value in row.values()), name
        assert row["sfen"] == answer.sfen
    assert answers["solve"].as_row()["line"] == " ".join(answers["solve"].line)
    names = {name for name in answers["score"].as_row() if name.startswith("feature_")}
    assert names == {f"feature_{name}" for name in FEATURES}
    judged = [library.check(sfen).as_row().keys() for sfen in (CORRECT, COOKED, NO_MATE)]
    assert judged[0] == judged[1] == judged[2]
    store = tmp_path / "a.db"
    tsume("generate", "-m3", "-n1", "--seed=1", "--db", store)
    table = pandas.read_csv(StringIO(tsume("export", "--format=csv", "--db", store).stdout))
    row = answers["generate"].as_row()
    assert row.keys() <= set(table.columns)
    columns = ["sfen", "length", "line", "score", "stars", "themes", "quality", "grade"]
    assert table[columns].to_dict("records") == [{name: row[name] for name in columns}]


PROGRAM = """
import json, sys, threading
from dataclasses import asdict

sfen, count, kinds = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
answers = [None] * count
at_once = threading.Barrier(count)

def ask(kind):
    from tsume import library
    if kind == "generate":
        return [asdict(one) for one in library.generate(3, 2, seed=1)]
    return asdict(getattr(library, kind)(sfen))

def work(number):
    at_once.wait()
    kind = kinds[number % len(kinds)]
    answers[number] = kind, ask(kind)

threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(answers))
"""
KINDS = ("solve", "check", "tree", "generate")


@cache
def expected(kind: str) -> Any:
    if kind == "generate":
        found: Any = [asdict(one) for one in library.generate(3, 2, seed=1)]
    else:
        found = asdict(getattr(library, kind)(CORRECT))
    return json.loads(json.dumps(found))


def check_answers(folder: Path, threads: int, kinds: tuple[str, ...], before: str = "", **environment: str) -> None:
    """Run the program in a process of its own; assert that it is silent and every answer right."""
    program = folder / "program.py"  # without a guard: worker processes that import it would run it again
    program.write_text(before + PROGRAM)
    done = subprocess.run(
        [sys.executable, program, CORRECT, str(threads), *kinds],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    answers = json.loads(done.stdout)
    assert len(answers) == threads
    assert all(answer == expected(kind) for kind, answer in answers)


ROUNDS = [(count, kinds) for count in (2, 8, 3, 5) for kinds in (("check",), KINDS)] + 21 * [
    (2, ("check",)), (4, KINDS)
]  # fmt: skip


@pytest.mark.parametrize(("threads", "kinds"), few(ROUNDS, 4))
def test_the_first_calls_of_several_threads(threads: int, kinds: tuple[str, ...], tmp_path: Path) -> None:
    check_answers(tmp_path, threads, kinds)


@pytest.mark.slow  # compiles everything
@pytest.mark.parametrize(("threads", "kinds"), [(1, ("solve",)), (2, ("check",)), (4, KINDS)])
def test_nothing_may_be_compiled_before(threads: int, kinds: tuple[str, ...], tmp_path: Path) -> None:
    check_answers(tmp_path, threads, kinds, XDG_CACHE_HOME=str(tmp_path))


def test_threads_may_follow_a_call(tmp_path: Path) -> None:
    check_answers(tmp_path, 4, KINDS, before=f"from tsume import library\nlibrary.solve({CORRECT!r})\n")
