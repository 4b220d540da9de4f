# SPDX-License-Identifier: GPL-3.0-or-later
"""Junk and damaged files: a list of problems or a `FormatError`, never anything else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.formats.positions import random_record
from tsume.formats.csa import read_csa, write_csa, write_csa_collection
from tsume.formats.game_record import GameRecord
from tsume.formats.kif import read_kif, write_kif
from tsume.formats.replay import Game
from tsume.formats.text import FormatError

Read = Callable[[str], list[Game]]
Write = Callable[[GameRecord], str]

FORMATS: list[tuple[Read, Write]] = [(read_kif, write_kif), (read_csa, write_csa)]
PIECES = (
    "歩香桂銀金角飛玉王と杏圭全馬龍竜成不打同　 ・v|+-()０１２３９一二九十：:\n*"
    "手数持駒後先番まで詰変化PI00FUALOUKI%/,',TN$V"
)


def accepts_or_refuses(read: Read, text: str) -> None:
    try:
        games = read(text)
    except FormatError as error:
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1  # noqa: PT017
    else:
        assert games


@pytest.mark.parametrize("read", [read_kif, read_csa])
@given(text=st.text() | st.text(PIECES))
def test_junk(read: Read, text: str) -> None:
    accepts_or_refuses(read, text)


@pytest.mark.parametrize(("read", "write"), FORMATS)
@given(seed=st.integers(0, 10**9), text=st.text(PIECES, max_size=4))
@settings(max_examples=300)
def test_damaged_files(read: Read, write: Write, seed: int, text: str) -> None:
    rng = random.Random(seed)
    whole = write(random_record(seed))
    start = rng.randrange(len(whole))
    accepts_or_refuses(read, whole[:start] + text + whole[start + rng.randrange(4) :])


@pytest.mark.parametrize(("read", "write"), FORMATS)
@given(seed=st.integers(0, 10**9))
def test_lines_lost_doubled_or_out_of_order(read: Read, write: Write, seed: int) -> None:
    rng = random.Random(seed)
    lines = write(random_record(seed)).splitlines()
    picked = [rng.choice(lines) if rng.random() < 0.1 else line for line in lines]
    accepts_or_refuses(read, "\n".join(line for line in picked if rng.random() > 0.05))


@pytest.mark.parametrize("seed", range(20))
def test_positions_without_moves_are_kept_apart(seed: int) -> None:
    records = [GameRecord(random_record(seed + i).position) for i in range(3)]
    games = [(each.position, ()) for each in records]
    assert read_kif("\n".join(map(write_kif, records))) == games
    assert read_csa("".join(write_csa_collection(records))) == games
