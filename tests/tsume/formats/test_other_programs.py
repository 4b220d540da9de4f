# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written, as the readers of other projects read it: python-shogi, cshogi, and those of npm.

The latter need Node.js and what ``scripts/install dev`` puts into ``tests/javascript``.
"""

import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from db.selection import ProblemSelection
from db.store import Store
from tests.javascript.node import answers
from tests.places import ROOT
from tests.tsume.conftest import Run
from tests.tsume.formats.styles import STYLES, written
from tests.tsume.formats.trees import fair, random_tree, tree_of
from tsume.formats.csa import write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.kif import write_ki2, write_kif
from tsume.formats.registry import file_format_of, read_problem_file
from tsume.formats.text import ENCODINGS, decode_record_file, encode_record_text
from tsume_rules.sfen import format_sfen, parse_sfen

NUMBER = 30
WRITE: dict[str, Callable[[GameRecord], str]] = {
    "kif": write_kif, "ki2": write_ki2, "csa": write_csa, "jkf": write_jkf,
}  # fmt: skip


@cache
def records(number: int = NUMBER) -> list[GameRecord]:
    found = (record for seed in range(10 * number) if fair(record := random_tree(seed)) and record.line)
    return [record for record, _ in zip(found, range(number), strict=False)]


def without_variations(record: GameRecord) -> GameRecord:
    return replace(record, branches=())


def read_by_node(reader: str, form: str, texts: list[str]) -> list[dict[str, Any]]:
    questions = ({"reader": reader, "format": form, "text": text} for text in texts)
    return answers("read_records.mjs", questions, packages=True)


@pytest.mark.parametrize("form", WRITE)
@pytest.mark.parametrize("reader", ["tsshogi", "json-kifu-format"])
def test_the_readers_of_npm_read_the_same_moves_and_variations(reader: str, form: str) -> None:
    given = records() if form != "csa" else [without_variations(record) for record in records()]
    found = read_by_node(reader, form, [WRITE[form](record) for record in given])
    for record, answer in zip(given, found, strict=True):
        assert "error" not in answer, (answer, WRITE[form](record))
        assert parse_sfen(answer["sfen"]).position == record.position
        assert answer["moves"] == tree_of(record), WRITE[form](record)


@pytest.mark.parametrize("options", [[], ["--encoding", "utf-8"], ["--encoding", "shift_jis"]])
@pytest.mark.parametrize("form", ["kif", "ki2", "csa", "sfen"])
def test_others_read_exports(form: str, options: list[str], tsume: Run, made: Path, tmp_path: Path) -> None:
    """Files of `tsume export` in each encoding: positions, and moves where the reader knows the format."""
    shogi, cshogi = pytest.importorskip("shogi"), pytest.importorskip("cshogi")
    with Store.open(str(made)) as store:
        problems = [store.playable(stored) for stored in store.find(ProblemSelection())]
    folder = tmp_path / "out"
    sink = f"{folder}/" if form != "sfen" else str(tmp_path / "all.sfen")
    assert tsume("export", "--db", made, "--format", form, "-o", sink, *options).exit_code == 0
    files = sorted(folder.iterdir()) if form != "sfen" else []
    texts = [file.read_bytes().decode(ENCODINGS[(options or ["", "shift_jis"])[1]]) for file in files]
    lines = (tmp_path / "all.sfen").read_text(encoding="ascii").splitlines() if form == "sfen" else []
    assert len(texts or lines) == len(problems)
    for problem, text in zip(problems, texts or lines, strict=True):
        sfen, usi = format_sfen(problem.position), [move.usi for move in problem.line]
        for read_sfen, moves in _READERS[form](cshogi, text, sfen):
            theirs, ours = (shogi.Board(read_sfen), shogi.Board(sfen))  # the reader of KIF knows no side to move
            assert (theirs.pieces, theirs.pieces_in_hand) == (ours.pieces, ours.pieces_in_hand)
            assert moves == usi


def _read_csa(cshogi: Any, text: str, sfen: str) -> Iterator[tuple[str, list[str]]]:
    assert re.match("'CSA encoding=(UTF-8|SHIFT_JIS)\nV2.2\n", text)
    (game,) = importlib.import_module("shogi.CSA").Parser.parse_str(text)
    yield sfen, game["moves"]  # it counts White's hand wrongly: `test_csa` compares that
    (read,) = cshogi.Parser.parse_str(text)
    yield read.sfen, [cshogi.move_to_usi(move) for move in read.moves]


def _read_kif(cshogi: Any, text: str, sfen: str) -> Iterator[tuple[str, list[str]]]:
    (game,) = importlib.import_module("shogi.KIF").Parser.parse_str(text)
    yield game["sfen"], game["moves"]
    board, parser = cshogi.Board(sfen), importlib.import_module("cshogi.KIF").Parser
    for line in filter(re.compile(r" *[0-9]+ ").match, text.splitlines()):
        move, _, _ = parser.parse_move_str(line, board)
        if move is not None:
            board.push(move)
    yield sfen, [cshogi.move_to_usi(move) for move in board.history]


def _read_ki2(cshogi: Any, text: str, sfen: str) -> Iterator[tuple[str, list[str]]]:
    """Only by cshogi, which takes the position and moves apart."""
    board, parser = cshogi.Board(sfen), importlib.import_module("cshogi.KI2").Parser
    for one in re.findall("[▲△][^▲△ \\r\\n]+", text):
        (move,) = parser.parse_move_str(one, board.copy())
        board.push(move)
    yield sfen, [cshogi.move_to_usi(move) for move in board.history]


def _read_sfen(cshogi: Any, text: str, _sfen: str) -> Iterator[tuple[str, list[str]]]:
    sfen, _, moves = text.partition(" moves ")
    yield cshogi.Board(sfen).sfen(), moves.split()


_READERS: dict[str, Callable[[Any, str, str], Iterator[tuple[str, list[str]]]]] = {
    "kif": _read_kif, "ki2": _read_ki2, "csa": _read_csa, "sfen": _read_sfen,
}  # fmt: skip


def test_python_shogi_and_cshogi_read_the_main_line() -> None:
    """Python-shogi knows no variations, and puts theirs after the main line; CSA: `test_csa`.

    The reader of KIF of cshogi knows no diagram: it is given the position. KI2: `test_notation`.
    """
    shogi, cshogi = pytest.importorskip("shogi"), pytest.importorskip("cshogi")
    their_kif, kif = pytest.importorskip("shogi.KIF"), pytest.importorskip("cshogi.KIF")
    for record in map(without_variations, records()):
        usi = [move.usi for move in record.line]
        (game,) = their_kif.Parser.parse_str(encode_record_text(write_kif(record), "cp932").decode("cp932"))
        theirs, ours = shogi.Board(game["sfen"]), shogi.Board(format_sfen(record.position))
        assert (theirs.pieces, theirs.pieces_in_hand) == (ours.pieces, ours.pieces_in_hand)
        assert game["moves"] == usi
        (read,) = cshogi.Parser.parse_str(write_csa(record))
        assert cshogi.Board(read.sfen).sfen() == cshogi.Board(format_sfen(record.position)).sfen()
        assert [cshogi.move_to_usi(move) for move in read.moves] == usi
        board = cshogi.Board(format_sfen(record.position))
        for line in filter(re.compile(r" *[0-9]+ ").match, write_kif(record).splitlines()):
            move, _, ending = kif.Parser.parse_move_str(line, board)
            assert move is not None or ending in ("詰み", "中断"), line
            if move is not None:
                board.push(move)
        assert [cshogi.move_to_usi(move) for move in board.history] == usi


PROBLEMS = [
    line for line in (ROOT / "papers/sekine.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


@pytest.mark.parametrize("name", STYLES)
def test_a_file_of_another_program_is_read(name: str) -> None:
    """Known by its content alone."""
    for seed in range(20):
        record = replace(random_tree(seed, commented=False), title=f"第{seed}番")
        data = written(record, name, seed)
        (found,) = read_problem_file(data, file_format_of("stdin", data))
        assert found.fault is None, (seed, found.fault)
        assert found.record is not None
        assert (found.record.position, found.title) == (record.position, record.title)
        assert tree_of(found.record) == tree_of(record)


@pytest.mark.parametrize("name", STYLES)
def test_several_problems_in_one_file_are_told_apart(name: str) -> None:
    records = [
        replace(random_tree(seed, commented=False), position=parse_sfen(sfen).position, line=(), branches=())
        for seed, sfen in enumerate(PROBLEMS[:10])
    ]
    records = [replace(record, title=f"第{place}番") for place, record in enumerate(records)]
    texts = [decode_record_file(written(record, name, place)) for place, record in enumerate(records)]
    found = list(read_problem_file("\n".join(texts).encode(), "kif"))
    assert [one.fault for one in found] == [None] * 10
    assert [(one.title, one.record and one.record.position) for one in found] == [
        (record.title, record.position) for record in records
    ]
