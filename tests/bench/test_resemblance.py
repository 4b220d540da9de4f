# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench likeness`: that problems are read as they are written, and that sets are told apart."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from scripts.measuring import Lined, auc, read_problems
from scripts.measuring.resemblance import (
    FEWEST,
    Contrasts,
    Near,
    Published,
    contrasts,
    contrasts_of,
    likeness,
    mirrored,
    nearest,
    row_of,
    signs,
    tabulate,
)
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_line, parse_sfen

SFEN = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
LINE = "G*1b"
PROBLEM = Lined(parse_sfen(SFEN).position, (parse_move(LINE),))
FILES, RANKS = range(1, 6), range(4, 9)


def written(tmp_path: Path, *lines: str, name: str = "some.txt") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def mate(file: int, rank: int, extra: str) -> str:
    """A mate in one on a file, with an extra piece on it below."""
    board = ["9"] * 9
    for row, piece in ((1, "k"), (3, "P"), (rank, extra)):
        board[row - 1] = f"{9 - file or ''}{piece}{file - 1 or ''}"
    return f"{'/'.join(board)} b G 1 moves G*{file}b"


# --- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"{SFEN} moves {LINE}",
        f"{SFEN}\t{LINE}\t1",
        f"first\t{SFEN}\tby N. N.\t{LINE}",
        json.dumps({"sfen": SFEN, "line": [LINE]}),
        f"{format_sfen(PROBLEM.position, rotated=True)} moves {PROBLEM.line[0].rotated.usi}",
        SFEN,
    ],
)
def test_a_line_may_be_written_in_several_ways_or_be_missing(tmp_path: Path, text: str) -> None:
    assert read_problems([written(tmp_path, "# a comment", "", text)]) == [PROBLEM]


def test_a_position_counts_once_and_all_are_solved_if_asked_for(tmp_path: Path) -> None:
    mirrored = f"{format_sfen(PROBLEM.position.mirrored)} moves {PROBLEM.line[0].mirrored.usi}"
    assert read_problems([written(tmp_path, f"{SFEN} moves {LINE}", mirrored, SFEN)]) == [PROBLEM]
    longer = "8k/9/8P/9/9/9/9/9/9 b 2G 1 moves G*2b 1a2b G*2c"
    path = written(tmp_path, longer)
    assert [problem.length for problem in read_problems([path])] == [3]
    assert [problem.length for problem in read_problems([path], solve_all=True)] == [1]
    with pytest.raises(click.ClickException, match="no problems"):
        read_problems([written(tmp_path, "# nothing")])


def test_what_is_no_problem_is_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, fault in (
        ("name\tno board", "side to move must be"),
        (f"{SFEN} moves G*5e", "move 1, G*5e, is not a legal check"),
        (f"{SFEN} moves G*1b 1a1b", "does not end with a move of the attacker"),
        ("8k/9/9/9/9/9/9/9/9 b P 1", "no mate found"),
        ("8k/8P/9/9/9/9/9/9/9 b G 1", "in check"),
    ):
        assert read_problems([written(tmp_path, text, SFEN)]) == [PROBLEM]
        told = capsys.readouterr().err
        assert "some.txt:1: " in told
        assert fault in told


# --- telling apart ---------------------------------------------------------------------------------


def test_auc_is_the_chance_that_the_first_value_is_greater() -> None:
    values = np.array([0.0, 1.0, 2.0])
    assert auc(values + 10, values) == 1
    assert auc(values, values + 10) == 0
    assert auc(values, values) == 0.5
    assert auc(np.array([0.0, 1.0]), np.array([0.0, 0.0])) == 0.75


def test_rare_features_are_left_out_and_missing_ones_are_zero() -> None:
    published = [{"common": 1.0, "rare": 1.0}, {"common": 2.0}]
    composed = [{"common": 3.0}, {"common": 4.0}, {}]
    names, table = tabulate(published, composed)
    assert names == ["common"]
    assert table.tolist() == [[1], [2], [3], [4], [0]]


def test_the_best_sign_comes_first() -> None:
    published = [{"same": float(i % 2), "less": 5.0 + i} for i in range(4)]
    composed = [{"same": float(i % 2), "less": 1.0 + i % 2} for i in range(4)]
    best, other = signs(published, composed, 5)
    assert (best.name, best.auc, best.published, best.composed) == ("less", 0.0, 6.5, 1.5)
    assert (other.name, other.auc) == ("same", 0.5)


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Two files of each set; the sets differ by one piece."""
    folder = tmp_path_factory.mktemp("sets")
    found = {}
    for name, extra in (("published", "p"), ("composed", "S")):
        lines = [mate(file, rank, extra) for file in FILES for rank in RANKS]
        found[name] = [written(folder, *lines[:10], name=f"{name}1"), written(folder, *lines[10:], name=f"{name}2")]
    return found


def run(*arguments: object) -> list[str]:
    result = CliRunner().invoke(likeness, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_sets_that_differ_are_told_apart_and_by_what(sets: dict[str, list[Path]]) -> None:
    pytest.importorskip("sklearn")
    published, composed = sets["published"], sets["composed"]
    (line,) = run("--published", *published, "--seeds", 1, "--features", 30, "--jsonl", "--composed", *composed)
    found = json.loads(line)
    assert (found["length"], found["number"]) == (1, 25)
    view = found["views"]["shape and line"]
    assert view["auc"] > 0.95
    assert view["auc_linear"] > 0.95
    by_name = {sign["name"]: sign for sign in view["features"]}
    assert by_name["defender pawn"] == {"name": "defender pawn", "auc": 0, "published": 1, "composed": 0}
    assert found["views"]["where pieces stand"]["auc"] >= 0


def test_the_text_says_the_same_and_few_problems_are_not_compared(sets: dict[str, list[Path]]) -> None:
    pytest.importorskip("sklearn")
    (first, *files), composed = sets["published"], sets["composed"]
    lines = run("--published", first, *files, "--composed", *composed, "--seeds", 1, "--most", FEWEST)
    assert lines[0] == "1 moves: 20 published, 20 composed"
    assert lines[1].startswith("  shape and line: AUC ")
    assert any(line.split()[:2] == ["defender", "pawn"] for line in lines)
    assert run("--published", first, "--composed", *composed) == ["1 moves: 10 published, 25 composed: too few"]
    assert run("--published", first, "--composed", *composed, "--moves", 3) == []


def test_classifiers_are_loaded_only_when_they_are_trained() -> None:
    asked = "import sys, scripts.measure; print('sklearn' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


# --- `scripts/bench contrasts`: what is counted in published and in composed problems --------------

ONE = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"


def counted(text: str) -> Contrasts:
    sfen, line = parse_line(text)
    return contrasts_of(Lined(parse_sfen(sfen).position, tuple(line)), DfPnEngine(table_bits=12))


def test_a_gold_drop_that_mates_alone() -> None:
    found = counted(ONE)
    assert found.ends_with_a_gold
    assert not found.two_last_moves
    assert not found.captures
    assert not found.only_king_answers  # there are no answers
    assert found.first_checks == 1 + found.others
    assert 0 <= found.tries < found.others
    assert found.resistance > 0
    assert found.surprise > 0


def test_two_last_moves_answers_and_captures_are_counted() -> None:
    assert counted("8k/9/7PP/9/9/9/9/9/9 b G 1 moves G*1b").two_last_moves
    # promoted or not, the same move mates: one last move
    assert not counted("8k/6G2/8P/9/8L/9/9/9/9 b - 1 moves 1c1b+").two_last_moves
    assert counted("7kn/5G3/7G1/9/9/9/9/9/9 b - 1 moves 2c2b 2a3a 2b3b").only_king_answers
    blocked = "9/8p/7pk/9/7SP/9/9/9/9 b B2rb4g3s4n4l15p 1 moves B*3a L*2b 1e1d"
    assert not counted(blocked).only_king_answers
    assert counted("8k/8p/8G/8P/9/9/9/9/9 b - 1 moves 1c1b").captures


def test_both_sets_by_length(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"{ONE}\n", encoding="utf-8")
    words = ["--published", str(path), "--composed", str(path)]
    text = CliRunner().invoke(contrasts, words)
    assert text.exit_code == 0, text.output
    assert [line.split()[-2:] for line in text.output.splitlines() if "gold drop" in line] == [["1.000", "1.000"]]
    found = json.loads(CliRunner().invoke(contrasts, [*words, "--jsonl"]).output)
    assert found["length"] == 1
    assert found["published"] == found["composed"]
    assert found["published"]["number"] == 1
    assert CliRunner().invoke(contrasts, [*words, "--moves", "3"]).output == ""


# ---------------------------------------------------------------------------------------------------
#
# `scripts/bench nearest`: which published problem is the nearest, and what differs.

IN_THE_CORNER = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"
FARTHER_LEFT = "6k2/9/6P2/9/9/9/9/9/9 b G 1 moves G*3b"
AND_LOWER = "9/6k2/9/6P2/9/9/9/9/9 b G 1 moves G*3c"
WITH_A_PAWN = "8k/9/8P/9/9/9/9/p8/9 b G 1 moves G*1b"
WITH_TWO_GOLDS = "8k/9/8P/9/9/9/9/9/9 b 2G 1 moves G*1b"
WITH_A_SILVER = "8k/9/8S/9/9/9/9/9/9 b G 1 moves G*1b"
LOPSIDED = "6k2/9/6P2/9/5g3/9/9/9/9 b G 1 moves G*3b"
IN_THE_OTHER_CORNER = "k8/9/P8/9/1g7/9/9/9/9 b G 1 moves G*9b"


def problem(text: str) -> Lined:
    sfen, moves = text.split(" moves ")
    return Lined(parse_sfen(sfen).position, tuple(map(parse_move, moves.split())))


def test_squares_and_hand_pieces_that_differ_are_counted_wherever_the_king_is() -> None:
    same = (IN_THE_CORNER, FARTHER_LEFT, AND_LOWER)
    for other in (*same, WITH_A_PAWN, WITH_TWO_GOLDS, WITH_A_SILVER, LOPSIDED):
        found = Published([problem(other)]).nearest(problem(IN_THE_CORNER))
        assert found == Near(0, 0 if other in same else 1, same_squares=True), other
    # a piece that stands elsewhere makes two squares differ
    moved = problem("8k/9/8P/9/9/9/9/1p7/9 b G 1 moves G*1b")
    assert Published([moved]).nearest(problem(WITH_A_PAWN)).differing == 2


def test_the_nearer_mirror_image_counts() -> None:
    corner = Published([problem(IN_THE_OTHER_CORNER)])
    assert corner.nearest(problem(LOPSIDED)) == Near(0, 0, same_squares=True)
    other = problem(LOPSIDED)
    image = Lined(other.position.mirrored, tuple(move.mirrored for move in other.line))
    assert Published([image]).nearest(other) == Near(0, 0, same_squares=True)
    assert np.array_equal(row_of(image), mirrored(row_of(other)))


def test_of_equally_near_problems_one_with_the_same_squares_is_taken() -> None:
    other_line = problem("8k/9/8P/9/9/9/9/9/9 b G 1 moves G*2b")
    field = [problem(WITH_A_PAWN), other_line, problem(IN_THE_CORNER)]
    assert Published(field).nearest(problem(IN_THE_CORNER)) == Near(2, 0, same_squares=True)
    assert Published(field[:2]).nearest(problem(IN_THE_CORNER)) == Near(1, 0, same_squares=False)
    field = [problem(IN_THE_CORNER), problem(WITH_A_SILVER)]
    assert Published(field).nearest(field[0], without=0) == Near(1, 1, same_squares=True)


def test_shares_and_nearest_pairs_are_printed(tmp_path: Path) -> None:
    files = {"published": [IN_THE_CORNER, WITH_A_SILVER], "composed": [LOPSIDED, FARTHER_LEFT]}
    for name, problems in files.items():
        (tmp_path / name).write_text("\n".join(problems), encoding="utf-8")
    asked = [word for name in files for word in (f"--{name}", str(tmp_path / name))]
    result = CliRunner().invoke(nearest, [*asked, "--pairs", "1"])
    assert result.exit_code == 0, result.output
    head, _, composed, published, *pairs = result.output.splitlines()
    assert head == "1 moves: 2 composed, 2 published"
    assert composed.split() == ["composed", "50.0%", "50.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert published.split() == ["published", "0.0%", "100.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert pairs == ["  composed 2, published 1: 0 differ, the same squares in the line"]
