# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that people paste: records in all formats, SFENs, addresses; and why a text cannot be read."""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.formats import spellings
from tests.tsume.formats.positions import possible_moves, random_record
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume.files.entries import UnknownTextError, read_pasted_text
from tsume.formats import english, japanese
from tsume.formats.addresses import NoPositionError
from tsume.formats.diagram import english_diagram, text_diagram
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import WRITERS, file_format_of_texts
from tsume_rules.legality import in_check
from tsume_rules.moves import Move, parse_move, position_after
from tsume_rules.position import Position
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


def test_boards_of_people() -> None:
    wrong, expected = [], (spellings.POSITION, spellings.LINE)
    for text in spellings.SOLUTIONS:
        read = read_pasted_text(f"{spellings.BOARD}{spellings.HAND}{text}\n")
        found = read.entry.parsed and read.entry.parsed.position
        if (found, read.entry.line, read.form, read.more) != (*expected, "kif", False):
            wrong.append((text, read))
    assert wrong == []


def legal_line(position: Position, rng: random.Random) -> tuple[Move, ...]:
    """A line of moves that leave no king of their side in check."""
    line: list[Move] = []
    while len(line) < 7:
        side = position.side_to_move
        legal = [one for one in possible_moves(position) if not in_check(position_after(position, one), side)]
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


def test_the_notation_of_books_is_recognised() -> None:
    books = ["22金、同玉、23金", "２二金打", "1. ２二金打", "▲2二金", "作意：22金", "同飛", "(1) 22金"]
    books += ["3手詰: ▲２二金", "|" + " ・" * 9 + "|一", "1手目 22金"]
    forms = {text: (file_format_of_texts([text]), file_format_of_texts([f"詰将棋\n{text}\n"])) for text in books}
    assert forms == dict.fromkeys(books, ("kif", "kif"))


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


def test_tables_several_problems_and_a_diagram_without_moves() -> None:
    assert file_format_of_texts([f'sfen,own_notes\n{CORRECT},"a\n22金"\n']) == "csv"
    text = f"{CORRECT}\n4k4/9/9/9/9/9/9/9/9 b - 1\n"
    read = read_pasted_text(text)
    assert read.more
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION
    bod = WRITERS["kif"].write(RECORD).partition("手数----")[0]
    read = read_pasted_text(bod)
    assert read.form == "kif"
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (POSITION, ())


@pytest.mark.parametrize(
    "text",
    [
        *(f"# 詰将棋\nsfen {CORRECT}{between}{PLAYED}\n"
          for between in (" moves ", "\n", "\nmoves ", "\ngo mate 1000\ncheckmate ")),
        f"{CORRECT} moves {PLAYED}",
        f"position sfen {CORRECT} moves {PLAYED}\n",
        f"{CORRECT.replace(' ', '_')}_moves_{PLAYED.replace(' ', '_')}",
        f"\ufeff\n  sfen {CORRECT} moves {PLAYED}",
        f'{{"sfen": "{CORRECT}", "line": "{PLAYED}"}}',
        f"id,sfen,line\n1,{CORRECT},{PLAYED}\n",
        f"https://board.example/compose?sfen={CORRECT.replace(' ', '+').replace('+S', '%2BS')}"
        f"&line={PLAYED.replace(' ', '+')}",
    ],
)  # fmt: skip
def test_lines_and_tables(text: str) -> None:
    read = read_pasted_text(text)
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line, read.more) == (POSITION, LINE, False)


USI = f"position sfen {CORRECT} moves {PLAYED}"
IN_QUERY = CORRECT.replace(" ", "+").replace("+S", "%2BS")
ADDRESSES_OF_POSITIONS = (
    (f"https://lishogi.org/editor/{ADDRESS}", ()),
    (f"https://lishogi.org/editor/{ADDRESS}?orientation=gote", ()),
    (f"https://lishogi.org/analysis/{ADDRESS}#3\n", ()),
    (f"https://lishogi.org/analysis/standard/{ADDRESS.replace('/', '%2F').replace('+', '%2B')}", ()),
    (f"https://lishogi.org/training/{ADDRESS}", ()),
    (f"https://lishogi.org/editor/{CORRECT_WHITE.replace(' ', '_')}", ()),
    (f"https://www.kento-shogi.com/?initpos={quote(CORRECT, safe='')}#0", ()),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&moves={PLAYED.replace(' ', '.')}", LINE),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&moves={PLAYED.replace(' ', '.')}#3", LINE),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&branch={PLAYED.replace(' ', '.')}&branchFrom=0#0", LINE),
    (f"piyoshogi://?sfen={quote('position sfen ' + CORRECT, safe='')}&mode=mate", ()),
    (f"piyoshogi://?num=0&sfen={quote(USI, safe='')}", LINE),
    (f"https://www.studiok-i.net/ps/?sfen={quote(CORRECT)}&game_name=", ()),
    (f"https://a.example/x?y=1&sfen={CORRECT}", ()),
    (f"https://a.example/?sfen={CORRECT.replace(' ', '+')}", ()),
    (f"https://a.example/?sfen={ADDRESS}", ()),
    (f"https://a.example/?position={quote_plus(f'sfen {CORRECT} moves {PLAYED}')}", LINE),
    (f"https://a.example/share?body={quote(f'sfen {CORRECT}'.replace(' ', '.'), safe='')}", ()),
    (f"https://a.example/games/1#{quote(CORRECT, safe='')}", ()),
    (f"https://a.example/compose#sfen={IN_QUERY}&line={quote_plus(PLAYED)}", LINE),
    (f"file:///tmp/compose.html?sfen={IN_QUERY}&line={quote_plus(PLAYED)}&moves=3", LINE),
    (f"https://a.example/?kif={quote(WRITERS['kif'].write(RECORD))}", LINE),
    (f"https://a.example/?x={quote_plus(WRITERS['csa'].write(RECORD))}", LINE),
)
"""Each with the moves that are its line."""


@pytest.mark.parametrize(("address", "line"), ADDRESSES_OF_POSITIONS)
def test_addresses(address: str, line: tuple[Move, ...]) -> None:
    read = read_pasted_text(address)
    assert (read.form, read.entry.line) == ("address", line)
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION


HANDICAP = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize(
    ("text", "sfen"),
    [
        (f"position sfen {CORRECT} moves 3d2c 1b1a", CORRECT),
        ("position startpos moves 7g7f", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#1",
         "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (f"position sfen {HANDICAP} moves 5a4b",
         "lnsg1gsnl/5k3/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b rb 1"),
        (f"position sfen {HANDICAP} moves 5a4b 7g7f",
         "lnsg1gsnl/5k3/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w RB 1"),
    ],
)  # fmt: skip
def test_of_the_moves_of_usi_the_last_position_is_meant(text: str, sfen: str) -> None:
    """Moves that all give check may be the solution; what a handicap leaves out is never the attacker's."""
    read = read_pasted_text(text)
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == parse_sfen(sfen).position


def test_texts_of_no_known_format_and_addresses_without_a_position() -> None:
    for text in ("zz", "", "   \n", "今日はいい天気です。", "\0\1\2"):
        with pytest.raises(UnknownTextError):
            read_pasted_text(text)
    for address in (
        "https://lishogi.org/training/AbCdE",
        "https://lishogi.org/",
        "https://example.com/x?y=1",
        "http://[",
        "https://example.com/?moves=5&turn=3",
        "piyoshogi://?url=https://example.com/a.kif",
        "https://shogidb2.com/games/e45b66b8d4e1ba365d4b27f390ccd3661b69b3e0",
    ):
        with pytest.raises(NoPositionError, match="nothing is loaded from the network"):
            read_pasted_text(address)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{CORRECT} moves zz", "not a move in USI notation: 'zz'"),
        ("id,sfen\n1\n", "SFEN"),
        ("4k4/9/9 b - 1", "board has 3 ranks, not 9"),
        (WRITERS["kif"].write(RECORD).replace("２三金", "９三金"), "the piece does not move that way"),
        ("https://lishogi.org/editor/4k4_b_-_1", "board has 1 ranks, not 9"),
        (f"https://example.com/?sfen={CORRECT}&moves=3d2c.zz", "not a move in USI notation: 'zz'"),
        *(
            (f"{CORRECT}\n{after}\n", "line 2: moves after an SFEN")
            for after in ("▲２二金△同玉", "解答：22金", "G-22 K-22")
        ),
        *(
            (text, r"line 1: (neither header|'手番' is given)")
            for text in (f'[{{"sfen": "{CORRECT}"}}]', "[{}]", '{"header": {"手番": "後手"}}')
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as raised:
        read_pasted_text(text)
    assert not isinstance(raised.value, UnknownTextError)
