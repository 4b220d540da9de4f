# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems from outside the repository, where they are at hand."""

from __future__ import annotations

import pytest
import shogi

from tests.places import DATA
from tsume.formats.csa import read_csa, write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.japanese import line_texts
from tsume.formats.kif import read_kif, write_kif
from tsume_rules.sfen import parse_line, parse_sfen

SAMPLE = 60


@pytest.mark.parametrize("length", [3, 7, 11])
def test_mates_from_games(length: int) -> None:
    path = DATA / f"jissen_mate{length}.txt"
    if not path.exists():
        pytest.skip(f"no {path}: set TSUME_DATA to the folder with the examples")
    for text in path.read_text(encoding="utf-8").splitlines()[:SAMPLE]:
        sfen, given = parse_line(
            text.split(" moves")[0].rsplit(" ", 1)[0] + " 1 moves" + text.split(" moves")[1]
        )
        reading = parse_sfen(sfen)
        record = GameRecord(reading.position, tuple(map(reading.outward, given)))
        assert read_kif(write_kif(record)) == [(record.position, record.line)]
        assert read_csa(write_csa(record)) == [(record.position, record.line)]
        assert len(line_texts(record.position, record.line)) == length
        board = shogi.Board(sfen)
        for move in given:
            board.push_usi(move.usi)
        assert board.is_checkmate()
