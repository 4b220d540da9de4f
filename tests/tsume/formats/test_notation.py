# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves, hands, numbers, squares and boards as Japanese and English text."""

import random
import re
import unicodedata

import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats.spellings import spelt_hand
from tests.tsume.formats.trees import possible_moves, random_record, read_kif
from tsume.formats import english
from tsume.formats.diagram import board_lines, english_diagram, parse_rank_line, text_diagram
from tsume.formats.english import kind_name
from tsume.formats.japanese import line_text, move_text
from tsume.formats.symbols import hand_text, number_text, parse_hand_text, parse_number, parse_square_text, square_text
from tsume_rules.moves import ImpossibleMove, in_check, parse_move, position_after
from tsume_rules.position import SQUARES, Hand, Kind, Piece, Position, Side, parse_square, square
from tsume_rules.sfen import format_hand, format_sfen, parse_sfen, piece_letter


@given(st.tuples(*[st.integers(0, 18)] * 7), st.randoms(use_true_random=False))
def test_hands_in_any_spelling(counts: tuple[int, int, int, int, int, int, int], rng: random.Random) -> None:
    for text in (hand_text(Hand(counts)), spelt_hand(Hand(counts), rng)):
        assert parse_hand_text(text) == Hand(counts), text


def test_spellings_of_hands() -> None:
    spelt = {
        "飛歩": "RP", "金銀": "GS", "飛二角二": "2R2B", "歩10": "10P", "歩１０": "10P", "歩十八": "18P",
        "歩一八枚": "18P", "飛1 金2": "R2G", "金 2 銀 1": "2GS", "飛×1、金×2": "R2G",
        "飛車2枚、金将、歩兵3": "2RG3P", "G, 2P": "G2P", "飛0 金1": "G", "R2P": "R2P", "G2 P3": "2G3P",
        "rook, 2 golds": "R2G", "残り駒全部": "-", "- ": "-", "ナシ": "-",
    }  # fmt: skip
    assert {text: format_hand(parse_hand_text(text)) or "-" for text in spelt} == spelt


def test_numbers() -> None:
    assert [number_text(n) for n in (1, 9, 10, 11, 18)] == ["一", "九", "十", "十一", "十八"]
    numbers = {
        "12": 12, "十二": 12, "百二": 102, "六百十一": 611, "一二": 12, "二十": 20, "十〇": None, "": None,
        "1" * 9: None,
    }  # fmt: skip
    assert {text: parse_number(text) for text in numbers} == numbers


def test_squares() -> None:
    assert [parse_square_text(square_text(sq)) for sq in range(SQUARES)] == list(range(SQUARES))
    assert parse_square_text("76") == parse_square_text("７六") == parse_square_text("７６")
    for text in ("", "7", "零一", "７零", "７六歩", "0 "):
        with pytest.raises(ValueError, match="invalid square"):
            parse_square_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "玉", "と", "金零", "金二十", "golf", "飛 先手", "2", "3 2", "2G3", "金、玉", "歩百", "十",
        "2 pawns and a",
    ],
)  # fmt: skip
def test_what_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match="invalid pieces in hand"):
        parse_hand_text(text)


def text(board: str, usi: str, hand: str = "-") -> str:
    return move_text(parse_sfen(f"{board} b {hand}").position, parse_move(usi))


@pytest.mark.parametrize(
    ("board", "usi", "expected"),
    [
        ("8k/9/G8/7G1/9/9/9/9/9", "9c9b", "▲９二金"), ("8k/G8/2G6/9/9/9/9/9/9", "9b8b", "▲８二金寄"),
        ("8k/G8/2G6/9/9/9/9/9/9", "7c8b", "▲８二金上"), ("8k/4G4/6G2/9/9/9/9/9/9", "3c4b", "▲４二金上"),
        ("9/k8/9/4G4/5G3/9/9/9/9", "5d5e", "▲５五金引"), ("9/k8/9/4G4/5G3/9/9/9/9", "4e5e", "▲５五金寄"),
        ("8k/9/9/9/9/9/9/1S7/9", "8h7g", "▲７七銀"), ("k8/9/9/9/9/9/S8/9/2S6", "7i8h", "▲８八銀上"),
        ("k8/9/9/9/9/9/S8/9/2S6", "9g8h", "▲８八銀引"), ("6k2/9/9/9/9/9/9/9/G1G6", "9i8h", "▲８八金左"),
        ("6k2/9/9/9/9/9/9/9/G1G6", "7i8h", "▲８八金右"), ("k8/9/9/9/9/9/9/9/3GG4", "5i5h", "▲５八金直"),
        ("k8/9/9/9/9/9/9/9/3GG4", "6i5h", "▲５八金左"), ("k8/9/9/9/9/9/9/9/3SS4", "5i6h", "▲６八銀右"),
        ("k8/9/9/9/9/9/9/9/3SS4", "6i6h", "▲６八銀直"), ("9/9/3GGG3/9/9/9/9/9/k8", "6c5b", "▲５二金左"),
        ("9/9/3GGG3/9/9/9/9/9/k8", "5c5b", "▲５二金直"), ("9/9/3GGG3/9/9/9/9/9/k8", "4c5b", "▲５二金右"),
        ("k8/9/9/9/9/9/2+P6/+P8/+P+P+P6", "7i8h", "▲８八と右"),
        ("k8/9/9/9/9/9/2+P6/+P8/+P+P+P6", "8i8h", "▲８八と直"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "9i8h", "▲８八と左上"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "9h8h", "▲８八と寄"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "8g8h", "▲８八と引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "5g6h", "▲６八銀右引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "7g6h", "▲６八銀左引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "7i6h", "▲６八銀左上"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "5i6h", "▲６八銀右上"),
        ("+R8/9/9/1+R7/9/9/9/9/7k1", "9a8b", "▲８二龍引"), ("+R8/9/9/1+R7/9/9/9/9/7k1", "8d8b", "▲８二龍上"),
        ("9/4+R4/7+R1/9/9/9/9/9/k8", "2c4c", "▲４三龍寄"), ("9/4+R4/7+R1/9/9/9/9/9/k8", "5b4c", "▲４三龍引"),
        ("9/9/9/9/4+R3+R/9/9/9/k8", "5e3e", "▲３五龍左"), ("9/9/9/9/4+R3+R/9/9/9/k8", "1e3e", "▲３五龍右"),
        ("k8/9/9/9/9/9/9/7+R1/8+R", "2h1g", "▲１七龍左"), ("k8/9/9/9/9/9/9/7+R1/8+R", "1i1g", "▲１七龍右"),
        ("8k/9/9/9/9/9/9/9/+R+R7", "8i8h", "▲８八龍右"), ("8k/9/9/9/9/9/9/9/+R+R7", "9i8h", "▲８八龍左"),
        ("+B+B7/9/9/9/9/9/9/9/7k1", "9a8b", "▲８二馬左"), ("+B+B7/9/9/9/9/9/9/9/7k1", "8a8b", "▲８二馬右"),
        ("9/9/3+B5/9/+B8/9/9/9/7k1", "6c8e", "▲８五馬引"), ("9/9/3+B5/9/+B8/9/9/9/7k1", "9e8e", "▲８五馬寄"),
        ("k8/9/9/9/9/9/9/7+B1/8+B", "1i1h", "▲１八馬上"), ("9/k8/9/9/9/9/3+B1+B3/9/9", "6g5f", "▲５六馬左"),
        ("9/k8/9/9/9/9/3+B1+B3/9/9", "4g5f", "▲５六馬右"), ("k8/9/9/9/9/9/9/7R1/1R7", "8i8h", "▲８八飛上"),
        ("k8/9/9/9/9/9/9/1R5R1/9", "8h5h", "▲５八飛左"), ("8k/9/9/9/9/2N1N4/9/9/9", "7f6d", "▲６四桂左"),
        ("8k/9/9/9/9/2N1N4/9/9/9", "5f6d", "▲６四桂右"),
    ],
)  # fmt: skip
def test_pieces_of_a_kind_are_told_apart(board: str, usi: str, expected: str) -> None:
    position, move = parse_sfen(f"{board} b -").position, parse_move(usi)
    assert move_text(position, move) == expected
    white = move_text(position.sides_exchanged, move.rotated)
    assert white[0] + white[3:] == "△" + expected[3:]


def test_promotions_drops_pins_and_the_same_square() -> None:
    board = "8k/9/9/5B3/9/4S4/9/9/9"
    assert text(board, "4d3c+") == "▲３三角成"
    assert text(board, "4d3c") == "▲３三角不成"
    assert text(board, "5f5e") == "▲５五銀"
    assert text("8k/9/3GGS3/9/9/9/9/9/9", "4c5b+") == "▲５二銀成"
    assert text("8k/9/3S1S3/9/9/9/9/9/9", "4c5b") == "▲５二銀右不成"
    assert text("8k/9/5+S3/9/9/9/9/9/9", "4c4b") == "▲４二成銀"
    assert text("8k/9/5G3/9/9/9/9/9/9", "G*4b", "G") == "▲４二金打"
    assert text("8k/9/9/5G3/9/9/9/9/9", "G*4b", "G") == "▲４二金"
    position = parse_sfen("4k4/3gg4/9/4R4/9/9/9/9/9 b G 1").position
    defender = Position(position.board, position.attacker_hand, position.defender_hand, Side.DEFENDER)
    assert move_text(defender, parse_move("6b6c")) == "△６三金"
    position = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
    moves = [parse_move(usi) for usi in ("G*2b", "1a2b", "G*2c")]
    assert line_text(position, moves) == "▲２二金 △同玉 ▲２三金"
    assert move_text(position_after(position, moves[0]), moves[1], parse_square("2b")) == "△同玉"
    with pytest.raises(ImpossibleMove):
        text("8k/9/9/9/9/9/9/9/9", "1b1c")


@pytest.mark.parametrize("seed", range(12))
def test_cshogi_reads_the_moves_of_a_game(seed: int) -> None:
    """Every move that cshogi's own reader can tell apart is read as the move it was."""
    cshogi, ki2 = pytest.importorskip("cshogi"), pytest.importorskip("cshogi.KI2")
    rng, board = random.Random(seed), cshogi.Board()
    position, last = parse_sfen(board.sfen()).position, None
    for _ in range(160):
        legal = list(board.legal_moves)
        if not legal:
            break
        chosen = rng.choice(legal)
        move = parse_move(cshogi.move_to_usi(chosen))
        written = move_text(position, move, last)
        read = ki2.Parser.parse_move_str(written, board.copy())
        assert read == [chosen], (board.sfen(), written)
        board.push(chosen)
        position, last = position_after(position, move), move.target


def test_no_two_moves_share_a_text() -> None:
    for seed in range(200):
        position = random_record(seed).position
        side = position.side_to_move
        legal = [m for m in possible_moves(position) if not in_check(position_after(position, m), side)]
        for move in random.Random(seed).sample(legal, min(3, len(legal))):
            texts = [move_text(position, each) for each in legal if each.target == move.target]
            assert len(set(texts)) == len(texts)
            assert all(re.fullmatch(r"▲..成?\S(?:[左右直]?[上寄引]?)(?:成|不成|打)?", each) for each in texts)


@pytest.mark.parametrize(
    ("board", "usi", "expected"),
    [
        ("8k/9/9/9/9/9/9/9/9", "S*2b", "S*2b"), ("8k/9/7P1/9/9/9/9/9/9", "2c2b+", "P-2b+"),
        ("8k/9/7P1/9/9/9/9/9/9", "2c2b", "P-2b="), ("8k/7p1/7P1/9/9/9/9/9/9", "2c2b+", "Px2b+"),
        ("8k/9/9/9/9/9/9/7R1/9", "2h2b", "R-2b="), ("8k/9/9/9/9/9/9/7R1/9", "2h2g", "R-2g"),
        ("8k/9/6+S2/6G2/9/9/9/9/9", "3c2b", "+S-2b"), ("8k/9/9/6GG1/9/9/9/9/9", "3d2c", "G3d-2c"),
        ("8k/9/9/6GG1/9/9/9/9/9", "3d4c", "G-4c"), ("8k/7r1/6G1G/9/9/9/9/9/9", "1c2b", "G1cx2b"),
    ],
)  # fmt: skip
def test_moves_in_western_notation(board: str, usi: str, expected: str) -> None:
    position = parse_sfen(f"{board} b S").position
    assert english.move_text(position, parse_move(usi)) == expected


def test_lines_in_western_notation_and_names_of_kinds() -> None:
    position = parse_sfen("9/8k/6+S2/6G2/9/9/9/9/9 b - 1").position
    assert english.line_texts(position, map(parse_move, ["3d2c", "1b1a", "2c2b"])) == ["G-2c", "K-1a", "G-2b"]
    with pytest.raises(ImpossibleMove):
        english.move_text(parse_sfen("8k/9/9/9/9/9/9/9/9 b - 1").position, parse_move("3d2c"))
    for seed in range(30):
        record = random_record(seed)
        assert len(english.line_texts(record.position, record.line)) == len(record.line)
    assert kind_name(Kind.PROMOTED_SILVER) == "promoted silver"
    assert kind_name(Kind.TOKIN) == "tokin"


SFEN = "7nl/5+B3/8p/6+R1k/8s/7Ps/9/9/9 b G2r2b3g2s3n3l16p 1".replace("2r2b", "rb")


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def test_the_diagram_of_a_problem() -> None:
    text = text_diagram(parse_sfen(SFEN).position).splitlines()
    assert text[0] == "  ９ ８ ７ ６ ５ ４ ３ ２ １"
    assert text[5] == "| ・ ・ ・ ・ ・ ・ 龍 ・v玉|四"
    assert text[-1] == "攻方の持駒：金"
    position = parse_sfen(SFEN).position
    assert text_diagram(position, defender_hand=True).startswith("玉方の持駒：飛　角　金三　銀二")
    assert "玉方" not in text_diagram(position)
    row = parse_rank_line("|v王 竜 ・ . 口 口 ・ ・^歩|一")
    assert row[:2] == [Piece(Side.DEFENDER, Kind.KING), Piece(Side.ATTACKER, Kind.DRAGON)]
    assert row[4:] == [None] * 4 + [Piece(Side.DEFENDER, Kind.PAWN)]
    for refused in ("|", "", "| ・|", "|" + " ・" * 10 + "|", "|v" + " ・" * 8 + "|", "| x" * 9 + "|"):
        with pytest.raises(ValueError, match=r"squares|rank|square|piece"):
            parse_rank_line(refused)


@given(st.integers(0, 10**9))
def test_the_board_lines_up_is_python_shogis_and_is_read_again(seed: int) -> None:
    position = random_record(seed).position
    lines = board_lines(position)
    assert {width(line) for line in lines[2:-1]} == {width("|" + " ・" * 9 + "|一")}
    assert lines == shogi.Board(format_sfen(position)).kif_str().splitlines()[1:-1]
    for defender_hand in (False, True):
        assert read_kif(text_diagram(position, defender_hand=defender_hand)) == [(position, ())]


OTHER_SFEN = "7nl/5+B3/8p/6+R1k/8s/7Ps/9/9/9 b G2Prb3g2s3n3l14p 1"


def test_the_english_diagram_of_a_problem() -> None:
    text = english_diagram(parse_sfen(OTHER_SFEN).position).splitlines()
    assert text[0] == "  9  8  7  6  5  4  3  2  1"
    assert text[2] == "| .  .  .  .  .  .  .  n  l |a"
    assert text[5] == "| .  .  .  .  .  . +R  .  k |d"
    assert text[-1] == "in hand: G, 2P"
    assert english_diagram(parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position).endswith("in hand: nothing")


@given(st.integers(0, 10**9))
def test_each_piece_stands_below_its_file_and_beside_its_rank(seed: int) -> None:
    position = random_record(seed).position
    files, _, *ranks, _, _ = english_diagram(position).splitlines()
    assert len({len(line) for line in ranks}) == 1
    for rank, line in enumerate(ranks, start=1):
        assert line[-1] == "abcdefghi"[rank - 1]
        for file in range(1, 10):
            end = files.index(str(file)) + 1
            expected = piece_letter(position.board[square(file, rank)])
            assert line[end - 2 : end].strip() == expected.replace("-", ".")
