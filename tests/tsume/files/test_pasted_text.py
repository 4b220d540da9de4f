# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that people paste: records in all formats, SFENs, addresses; and why a text cannot be read."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.formats import spellings
from tests.tsume.formats.positions import possible_moves, random_record
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume.files.pasted_text import UnknownTextError, read_pasted_text
from tsume.formats import english, japanese
from tsume.formats.addresses import NoPositionError
from tsume.formats.diagram import text_diagram
from tsume.formats.english_diagram import english_diagram
from tsume.formats.game_record import GameRecord
from tsume.formats.reading import file_format_of_texts
from tsume.formats.writers import WRITERS
from tsume_rules.moves import Move, parse_move
from tsume_rules.play import position_after
from tsume_rules.position import Position
from tsume_rules.reach import in_check
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


@pytest.mark.parametrize("text", spellings.SOLUTIONS)
def test_boards_of_people(text: str) -> None:
    read = read_pasted_text(f"{spellings.BOARD}{spellings.HAND}{text}\n")
    assert read.form == "kif"
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (spellings.POSITION, spellings.LINE)
    assert not read.more


def legal_line(position: Position, rng: random.Random) -> tuple[Move, ...]:
    """A line of moves that leave no king of their side in check."""
    line: list[Move] = []
    while len(line) < 7:
        legal = [
            move
            for move in possible_moves(position)
            if not in_check(position_after(position, move), position.side_to_move)
        ]
        if not legal:
            break
        line.append(rng.choice(legal))
        position = position_after(position, line[-1])
    return tuple(line)


@pytest.mark.parametrize("board", [english_diagram, text_diagram])
@pytest.mark.parametrize(
    "solution",
    [
        "\n{western}  mate in {length}",
        "\n{japanese}  まで{length}手詰",
        "{western}",
        "mate in {length}: {western}\n  note: {japanese}",
        "キズあり {length}手詰: {japanese}\n  備考: {japanese}",
    ],
)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=10)
def test_boards_of_the_program(board: Callable[[Position], str], solution: str, seed: int) -> None:
    rng = random.Random(seed)
    position = random_record(seed).position
    line = legal_line(position, rng)
    lines = {"western": english.line_texts, "japanese": japanese.line_texts}
    texts = {name: " ".join(write(position, line)) for name, write in lines.items()}
    said = solution.format(length=len(line), **texts) if line else ""
    read = read_pasted_text(f"{board(position)}\n{said}")
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (position, line)


@pytest.mark.parametrize(
    "text",
    [
        "22金、同玉、23金",
        "２二金打",
        "1. ２二金打",
        "▲2二金",
        "作意：22金",
        "同飛",
        "(1) 22金",
        "3手詰: ▲２二金",
        "|" + " ・" * 9 + "|一",
        "1手目 22金",
    ],
)
def test_the_notation_of_books_is_recognised(text: str) -> None:
    assert file_format_of_texts([text]) == file_format_of_texts([f"詰将棋\n{text}\n"]) == "kif"


@pytest.mark.parametrize(
    "text",
    [
        f"{CORRECT}\t{PLAYED}\n▲２二金\n", f"# 22金\n{CORRECT}\n22金\n",
        f"position sfen {CORRECT}\n1. 22金", f"\n{CORRECT}\n",
        "4k4/9/9 b - 1", "1a2b 3c4d", "攻方の持駒：なし", f'{{"sfen": "{CORRECT}", "title": "22金"}}',
    ],
)  # fmt: skip
def test_lines_of_sfens_stay_lines(text: str) -> None:
    assert file_format_of_texts([text]) == "lines"


def test_a_table_may_quote_moves() -> None:
    assert file_format_of_texts([f'sfen,own_notes\n{CORRECT},"a\n22金"\n']) == "csv"


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
