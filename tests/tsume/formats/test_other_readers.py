# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written, as the readers of other projects read it: python-shogi, cshogi, and those of npm.

The latter need Node.js and what ``scripts/install dev`` puts into ``tests/javascript``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from tests.javascript.node import answers
from tests.tsume.formats.trees import fair, random_tree, tree_of
from tsume.formats.csa import write_csa
from tsume.formats.encoding import encode_record_text
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.ki2 import write_ki2
from tsume.formats.kif import write_kif
from tsume_rules.sfen import format_sfen, parse_sfen

NUMBER = 60
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


def test_python_shogi_reads_the_main_line() -> None:
    """It knows no variations, and puts theirs after the main line; CSA: `test_csa`."""
    shogi = pytest.importorskip("shogi")
    kif = pytest.importorskip("shogi.KIF")
    for record in map(without_variations, records()):
        (read,) = kif.Parser.parse_str(encode_record_text(write_kif(record), "cp932").decode("cp932"))
        theirs, ours = shogi.Board(read["sfen"]), shogi.Board(format_sfen(record.position))
        assert (theirs.pieces, theirs.pieces_in_hand) == (ours.pieces, ours.pieces_in_hand)
        assert read["moves"] == [move.usi for move in record.line]


def test_cshogi_reads_csa_and_the_moves_of_kif() -> None:
    """Its reader of KIF knows no diagram: it is given the position. KI2: `test_japanese`."""
    cshogi = pytest.importorskip("cshogi")
    kif = pytest.importorskip("cshogi.KIF")
    for record in map(without_variations, records()):
        usi = [move.usi for move in record.line]
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
