# SPDX-License-Identifier: GPL-3.0-or-later
"""The library answers what the commands print as JSON, as plain data."""

import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict
from functools import cache
from inspect import signature
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pandas
import pytest
import shogi

from solver.results import FEATURES
from tests.places import ROOT
from tests.sampling import few
from tests.tsume.conftest import Run, answer, present
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, MISSED, NO_MATE
from tests.tsume_rules.test_sfen import NO_POSITION, NOT_SFEN
from tsume import library
from tsume.cli import cli
from tsume.formats.kif import find_kif
from tsume_rules.sfen import format_sfen, parse_sfen

ROTATED = format_sfen(parse_sfen(CORRECT).position, rotated=True)
POSITIONS = (CORRECT, COOKED, NO_MATE, ROTATED)


def as_json(found: Any) -> dict[str, Any]:
    """An answer as JSON gives it back."""
    return dict(json.loads(json.dumps(asdict(found))))


def common(fields: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in others.items() if name in fields}


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("every", [False, True])
def test_check_is_the_command(sfen: str, every: bool, tsume: Run) -> None:
    done = tsume("check", sfen, "--jsonl", *(["--all-findings"] if every else []))
    found, printed = as_json(library.check(sfen, all_findings=every)), json.loads(done.stdout)
    assert found == common(found, printed)
    assert printed.keys() - found.keys() == {"error"}


def test_given_lines_limits_and_illegal_starts(tsume: Run) -> None:
    solved = library.solve(CORRECT)
    found = library.check(CORRECT, line=solved.line)
    assert found == library.check(f"{CORRECT} moves {' '.join(solved.line)}")
    assert found.given is not None
    assert found.given["wrong_at"] is None
    printed = json.loads(tsume("check", f"{CORRECT} moves {' '.join(solved.line)}", "--jsonl").stdout)
    assert as_json(found)["given"] == printed["given"]
    assert "WRONG_LENGTH" in library.check(CORRECT, moves=5).defects
    limited = library.solve(CORRECT, nodes=1)
    assert (limited.result, limited.limit) in {("mate", None), ("unresolved", "nodes")}
    assert library.solve(CORRECT, max_moves=1).result != "mate"
    found = library.check(NOTHING)
    assert (found.grade, found.faults) == ("unsound", ("ILLEGAL_START",))
    assert library.explain(NOTHING).grade == "unsound"
    assert library.mend(NOTHING).grade == "unsound"
    assert library.enrich(NOTHING).grade == "unsound"


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("sfen", [CORRECT, NO_MATE, ROTATED, COOKED])
def test_tree_is_the_command(sfen: str, every: bool, tsume: Run) -> None:
    done = tsume("tree", sfen, "--jsonl", *(["--all-answers"] if every else []))
    found, printed = library.tree(sfen, all_answers=every), json.loads(done.stdout)
    assert (found.result, found.length, found.complete) == (
        printed["result"], printed["length"], printed["complete"]
    )  # fmt: skip
    assert " ".join(found.line) == printed["line"]
    turns = [without_nothing(turn) for turn in as_json(found)["turns"]]
    assert turns == [without_nothing(joined(turn)) for turn in printed["turns"]]


def joined(fields: Any) -> Any:
    """JSON of the command with lines as lists."""
    if isinstance(fields, list):
        return [joined(one) for one in fields]
    if isinstance(fields, dict):
        return {
            name: value.split() if name in ("line", "path") and isinstance(value, str) else joined(value)
            for name, value in fields.items()
        }
    return fields


def without_nothing(fields: Any) -> Any:
    """JSON without what is null, empty or false."""
    if isinstance(fields, list):
        return [without_nothing(one) for one in fields]
    if isinstance(fields, dict):
        kept = {name: without_nothing(value) for name, value in fields.items()}
        return {name: value for name, value in kept.items() if value not in (None, [], False)}
    return fields


@pytest.mark.parametrize("options", [{}, {"natural": False, "wishes": {"max_pieces": 8}}])
def test_generate_is_the_command(options: dict[str, Any], tsume: Run) -> None:
    chosen = ["--style", "free", "--pieces", "8"] if options else []
    done = tsume("generate", "-m3", "-n2", "--seed=1", "--jsonl", "--db=:memory:", *chosen)
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    for one in printed:
        del one["id"]
    assert [as_json(one) for one in library.generate(3, 2, seed=1, **options)] == printed


def test_generate_gives_each_problem_as_it_is_found_and_ends() -> None:
    assert len(list(islice(library.generate(3, 10**9), 2))) == 2
    assert list(library.generate(3, 0)) == []
    assert list(library.generate(3, 5, seconds=0.0)) == []
    assert list(library.generate(1, 10**6, final=HEAD_GOLD, exact=True, natural=False, wishes={"stars": 5})) == []


NOTHING = "9/9/9/9/9/9/9/9/9 b - 1"


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: library.solve("x"), "SFEN needs board"),
        (lambda: library.check("x"), "SFEN needs board"),
        (lambda: library.tree(NOTHING), "no defender's king"),
        (lambda: library.solve("8k/9/9/9/9/9/9/9/8R b - 1"), "in check"),
        (lambda: library.check(CORRECT, line=["x"]), "not a move"),
        (lambda: library.solve(CORRECT, memory=1), "at least 40"),
        (lambda: library.generate(4), "odd number"),
        (lambda: library.generate(3, -1), "count must be a whole number of at least 0, not -1"),
        (lambda: library.generate(101), "moves must be at most 99"),
        (lambda: library.generate(3, final=NOTHING), "final: "),
        (lambda: library.generate(3, start="x"), "start: SFEN needs board"),
        (lambda: library.generate(11, start=CORRECT), "start needs 3 to 9 moves"),
        (lambda: library.generate(3, start=CORRECT, final=CORRECT), "not both"),
        (lambda: library.generate(3, key="drop", wishes={"key": "drop"}), "is also given"),
        (lambda: library.generate(3, wishes={"max_pieces": "8"}), "max_pieces cannot be '8'"),
        (lambda: library.generate(3, keep=["10k"]), "keep: "),
        (lambda: library.enrich(CORRECT, kinds=["odd"]), "kinds must be among defenders"),
        (lambda: library.enrich(CORRECT, plies=3), "plies must be 2, 4, 6 or 8"),
        (lambda: library.mend(CORRECT, keep=["x"]), "keep: "),
        (lambda: library.draw(CORRECT, form="gif"), "form must be one of svg, png"),  # type: ignore[call-overload]
        (lambda: library.draw(CORRECT, ply=99), "no move 99"),
        (lambda: library.draw(NO_MATE, animate=True), "no mate"),
        (lambda: library.draw(CORRECT, form="png", animate=True), "animate"),  # type: ignore[call-overload]
        (lambda: library.score(NOTHING), "no defender's king"),
        (lambda: library.generate(3, wishes={"odd": 1}), "odd"),
        (lambda: library.generate(3, wishes={"themes": ["odd"]}), "'odd' is not a theme"),
        (lambda: library.generate(3, wishes={"themes": ["sacrifice:X"]}), "'X' in 'sacrifice:X'"),
        (lambda: library.generate(3, wishes={"picture": "#x#"}), "picture: a figure has rows"),
        (lambda: library.generate(3, wishes={"min_score": 5, "max_score": 1}), "contradict"),
        (lambda: library.generate(3, wishes={"hand": "X"}), "X"),
    ],
)
def test_what_cannot_be_is_a_value_error_of_one_line(call: Callable[[], object], fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)) as caught:
        call()
    assert "\n" not in str(caught.value)


PERFECT = "9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1"
FUNCTIONS = ("solve", "check", "score", "explain", "tree", "mend", "enrich", "draw", "record", "generate")
POSITION_ARGUMENTS = ("sfen", "final", "start")
NEVER = (b"x", object(), ())
"""Values that no argument takes."""


def arguments(function: str) -> list[str]:
    return [name for name in signature(getattr(library, function)).parameters if name != "wishes"]


@pytest.mark.parametrize(
    ("function", "name"), [(function, name) for function in FUNCTIONS for name in arguments(function)]
)
def test_every_argument_is_checked_and_named(function: str, name: str) -> None:
    default = signature(getattr(library, function)).parameters[name].default
    never = [value for value in NEVER if value != default] + [None] * (default is not None)
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    never += [-1, float("nan"), True] if is_number else []
    never += [[5.5], "1a"] if default == () else []
    never += [5] if name in POSITION_ARGUMENTS else []
    for value in never:
        given = {arguments(function)[0]: 3 if function == "generate" else CORRECT, name: value}
        kind = TypeError if name in POSITION_ARGUMENTS else ValueError
        with pytest.raises(kind, match=f"^{name} must be ") as caught:
            getattr(library, function)(**given)
        assert "\n" not in str(caught.value)


def test_games_is_the_command(tsume: Run) -> None:
    texts = [f"{MISSED}\nstartpos moves 7g7f 3c3d 8h1a+", "nothing"]
    first, second, third = map(as_json, library.games(texts))
    printed = [json.loads(line) for line in tsume("games", "--jsonl", "-", stdin=texts[0]).stdout.splitlines()]
    assert [common(one, game) for one, game in zip((first, second), printed, strict=True)] == [
        common(game, one) for one, game in zip((first, second), printed, strict=True)
    ]
    assert (third["moves"], third["error"]) == (0, "neither an SFEN nor a game record")
    (alone,) = library.games(MISSED, max_moves=1)
    assert [mate.length for mate in alone.mates] == [1, 1]
    for records, more, name in ((5, {}, "records"), (b"x", {}, "records"), ("", {"max_moves": 0}, "max_moves")):
        with pytest.raises(ValueError, match=f"^{name} must be "):
            library.games(cast(Any, records), **more)


@pytest.mark.parametrize("sfen", POSITIONS)
def test_solve_explain_and_score_are_the_commands(sfen: str, tsume: Run) -> None:
    found = as_json(library.solve(sfen))
    printed = common(found, answer(tsume, "solve", sfen))
    assert {**found, "nodes": 0} == {**found, **printed, "nodes": 0}
    assert {"result", "length", "line"} <= printed.keys()
    found = as_json(library.explain(sfen))
    printed = json.loads(tsume("explain", sfen, "--jsonl", "--lang=both").stdout)
    assert found == common(found, printed)
    assert printed.keys() - found.keys() == {"error"}
    if sfen == NO_MATE:
        assert library.score(NO_MATE) == library.Score(NO_MATE, error="no mate")
    elif sfen != COOKED:
        found, printed = as_json(library.score(sfen)), answer(tsume, "score", sfen)
        assert found == common(found, printed)
        assert printed.keys() == found.keys()


def test_mend_and_enrich_are_the_commands(tsume: Run) -> None:
    found = as_json(library.mend(COOKED, count=2, keep=["9i"], seconds=60))
    printed = answer(tsume, "mend", COOKED, "-n2", "--keep=9i", "--time=60")
    assert found == common(found, printed)
    assert len(found["repairs"]) == 2
    perfect = library.mend(PERFECT)
    assert (perfect.grade, perfect.repairs, perfect.complete) == ("perfect", (), True)
    found = as_json(library.enrich(CORRECT, count=1, edits=1, seconds=120))
    printed = answer(tsume, "enrich", CORRECT, "-n1", "--edits=1", "--time=120")
    assert found == common(found, printed)
    assert found["suggestions"]
    unsound = library.enrich(COOKED)
    assert (unsound.suggestions, unsound.complete) == ((), False)


def test_draw_is_the_command(tsume: Run) -> None:
    given: dict[str, Any]
    for given, options in (
        ({}, []),
        ({"ply": "end", "pieces": "letters", "language": "en"}, ["--ply=end", "--pieces=letters", "--lang=en"]),
        ({"animate": True, "colors": "wood"}, ["--animate", "--colors=wood"]),
        ({"solve": True, "caption": "", "arrows": ["3d2c"]}, ["--solve", "--caption=", "--arrow=3d2c"]),
        ({"ply": 2, "marks": ["1b"], "defender_hand": True}, ["--ply=2", "--mark=1b", "--defender-hand"]),
        ({"line": ["3d2c", "1b1a", "2c2b"], "coordinates": False}, ["--solve", "--no-coordinates"]),
    ):
        assert library.draw(CORRECT, **given) == tsume("draw", CORRECT, *options).stdout, given
    pytest.importorskip("typst")
    assert library.draw(CORRECT, form="png").startswith(b"\x89PNG")


CORNER = "8k/9/9/9/9/9/9/9/9 b G 1"
HEAD_GOLD = "8k/8G/8P/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1"


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({"hand": "G", "key": "sacrifice"}, ["--hand=G", "--key=sacrifice"]),
        ({"final": HEAD_GOLD, "natural": False}, [f"--final={HEAD_GOLD}", "--style=free"]),
        ({"start": "8k/9/9/9/9/9/9/9/9 b G 1", "keep": ["1a"]}, ["--start=8k/9/9/9/9/9/9/9/9 b G 1", "--keep=1a"]),
        ({"themes": ["double-check"], "natural": False}, ["--theme=double-check", "--style=free"]),
    ],
)
def test_what_is_wished_is_as_for_the_command(given: dict[str, Any], options: list[str], tsume: Run) -> None:
    done = tsume("generate", "-m3", "-n1", "--seed=1", "--jsonl", "--db=:memory:", *options)
    printed = json.loads(done.stdout)
    del printed["id"]
    assert [as_json(one) for one in library.generate(3, 1, seed=1, **given)] == [printed]


def test_certificates_are_written_and_verified(tmp_path: Path) -> None:
    path = str(tmp_path / "a.cert")
    assert library.certify(CORRECT, path) is None
    (proved,) = library.verify(path)
    assert (proved.sfen, proved.mate, proved.unique) == (CORRECT, len(proved.line), "*")
    assert library.verify(path, jobs=2) == (proved,)
    json.dumps(as_json(proved))
    with pytest.raises(ValueError, match="path: "):
        library.certify(CORRECT, str(tmp_path / "no" / "folder"))
    (tmp_path / "a.cert").write_bytes(b"x")
    with pytest.raises(ValueError, match="path: line 1"):
        library.verify(path)


def test_the_limits_are_those_of_the_commands() -> None:
    limits = {
        "solve": ["seconds", "memory"], "check": ["seconds", "memory"],
        "tree": ["seconds", "memory", "max_turns", "proof_nodes"], "score": ["memory"],
        "explain": ["seconds", "memory", "proof_nodes"], "mend": ["seconds", "edits", "count"],
        "enrich": ["seconds", "edits", "count", "plies"], "draw": ["scale"], "generate": ["memory"],
    }  # fmt: skip
    for name, options in limits.items():
        defaults = getattr(library, name).__kwdefaults__
        command = present(cli.get_command(None, name))  # type: ignore[arg-type]
        asked = {option.name: option.default for option in command.params}
        assert [defaults[one] for one in options] == [asked[one] for one in options], name


def test_the_page_has_what_its_example_prints() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    program, promised = re.findall(r"^```(?:python|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(program, "docs/library.md", "exec"), {})
    assert printed.getvalue() == promised


# --- The library with boards of other libraries, in notebooks, and in threads -------------------


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
    for name, found in answers.items():
        assert found._repr_svg_() == library.draw(found), name
        shown = found._repr_html_()
        assert shown.count("<img ") == 1, name
        for words in ("<figcaption></figcaption>", "None"):
            assert words not in shown, name
        assert ElementTree.fromstring(f"<p>{shown}</p>").find(".//figcaption") is not None
    for name, found in answers.items():
        assert len(repr(found)) < 400, name
        assert "\n" not in repr(found)
        assert found.sfen in repr(found)
    assert repr(SOLVED) == f"<Solution mate in 3: 3d2c 1b1a 2c2b | {CORRECT}>"
    assert repr(answers["cooked"]).startswith("<Judgement mate in ")
    assert "unsound" in repr(answers["cooked"])
    assert repr(answers["no mate"]) == f"<Solution no mate | {NO_MATE}>"
    assert repr(answers["limit"]) == f"<Solution unresolved | {CORRECT}>"
    assert repr(answers["no score"]) == f"<Score no mate | {NO_MATE}>"
    shown = answers["explain"]._repr_html_()
    assert "<summary>Explanation (en)</summary>" in shown
    assert answers["explain"].text["en"][-1].strip() in shown
    solved = answers["solve"]
    assert solved.draw(ply="end") == library.draw(CORRECT, line=solved.line, ply="end")
    assert solved.draw(animate=True) == library.draw(CORRECT, line=solved.line, animate=True)


def test_pictures_and_galleries_show_themselves() -> None:
    found = present(re.search(r"data:image/svg\+xml;base64,([^\"]+)", SOLVED._repr_html_()))
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
    for name, found in answers.items():
        (row,) = pandas.DataFrame([found.as_row()]).to_dict("records")
        assert all(isinstance(value, str | int | float | bool | None) for value in row.values()), name
        assert row["sfen"] == found.sfen
    assert answers["solve"].as_row()["line"] == " ".join(answers["solve"].line)
    names = {name for name in answers["score"].as_row() if name.startswith("feature_")}
    assert names == {f"feature_{name}" for name in FEATURES}
    judged = [library.check(sfen).as_row().keys() for sfen in (CORRECT, COOKED, NO_MATE)]
    assert judged[0] == judged[1] == judged[2]
    store = tmp_path / "a.db"
    tsume("generate", "-m3", "-n1", "--seed=1", "--db", store)
    exported = tsume("export", "--format=csv", "--db", store).stdout
    table = pandas.read_csv(StringIO(exported), keep_default_na=False)  # a problem may have no themes
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
