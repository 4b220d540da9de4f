# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that people paste: records in all formats, SFENs, addresses; and why a text cannot be read."""

from __future__ import annotations

import pytest

from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume.files.pasted_text import UnknownTextError, read_pasted_text
from tsume.formats.addresses import NoPositionError
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import WRITERS
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

POSITION = parse_sfen(CORRECT).position
LINE = tuple(map(parse_move, CORRECT_LINE))
RECORD = GameRecord(POSITION, LINE, "題名", headers=(("作者", "無名"),))
PLAYED = " ".join(CORRECT_LINE)
ADDRESS = CORRECT.replace(" ", "_")


@pytest.mark.parametrize("form", WRITERS)
def test_records(form: str) -> None:
    read = read_pasted_text(WRITERS[form].write(RECORD))
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line, read.entry.title) == (POSITION, LINE, "題名")
    assert not read.more


def test_a_diagram_without_moves() -> None:
    bod = WRITERS["kif"].write(RECORD).partition("手数----")[0]
    read = read_pasted_text(bod)
    assert read.form == "kif"
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (POSITION, ())


@pytest.mark.parametrize(
    "text",
    [
        f"{CORRECT} moves {PLAYED}",
        f"position sfen {CORRECT} moves {PLAYED}\n",
        f"\ufeff\n  sfen {CORRECT} moves {PLAYED}",
        f'{{"sfen": "{CORRECT}", "line": "{PLAYED}"}}',
        f"id,sfen,line\n1,{CORRECT},{PLAYED}\n",
        f"https://board.example/compose?sfen={CORRECT.replace(' ', '+').replace('+S', '%2BS')}"
        f"&line={PLAYED.replace(' ', '+')}",
    ],
)
def test_lines_and_tables(text: str) -> None:
    read = read_pasted_text(text)
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (POSITION, LINE)


@pytest.mark.parametrize(
    "address",
    [
        f"https://lishogi.org/editor/{ADDRESS}",
        f"https://lishogi.org/editor/{ADDRESS}?orientation=gote",
        f"https://lishogi.org/analysis/{ADDRESS}#3\n",
        f"https://lishogi.org/analysis/standard/{ADDRESS.replace('/', '%2F')}",
        f"https://lishogi.org/editor/{CORRECT_WHITE.replace(' ', '_')}",
    ],
)
def test_addresses_of_lishogi(address: str) -> None:
    read = read_pasted_text(address)
    assert read.form == "address"
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION


def test_the_first_of_several_problems() -> None:
    text = f"{CORRECT}\n4k4/9/9/9/9/9/9/9/9 b - 1\n"
    read = read_pasted_text(text)
    assert read.more
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION


@pytest.mark.parametrize("text", ["zz", "", "   \n", "今日はいい天気です。", "\0\1\2"])
def test_a_text_of_no_known_format(text: str) -> None:
    with pytest.raises(UnknownTextError):
        read_pasted_text(text)


@pytest.mark.parametrize(
    "address",
    [
        "https://lishogi.org/training/AbCdE",
        "https://lishogi.org/",
        "https://example.com/x?y=1",
        "http://[",
    ],
)
def test_an_address_without_a_position(address: str) -> None:
    with pytest.raises(NoPositionError):
        read_pasted_text(address)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{CORRECT} moves zz", "not a move in USI notation: 'zz'"),
        ("id,sfen\n1\n", "SFEN"),
        ("4k4/9/9 b - 1", "board has 3 ranks, not 9"),
        (WRITERS["kif"].write(RECORD).replace("２三金", "９三金"), "the piece does not move that way"),
        ("https://lishogi.org/editor/4k4_b_-_1", "board has 1 ranks, not 9"),
    ],
)
def test_what_is_wrong_is_said(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as raised:
        read_pasted_text(text)
    assert not isinstance(raised.value, UnknownTextError)
