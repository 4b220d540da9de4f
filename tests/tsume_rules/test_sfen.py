# SPDX-License-Identifier: GPL-3.0-or-later
import re

import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.positions import checks, evasions
from tests.sampling import checked, starts
from tsume_rules.moves import parse_move
from tsume_rules.position import (
    HAND_KINDS,
    SET_COUNT,
    Hand,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    is_dead,
    parse_square,
)
from tsume_rules.sfen import (
    ParsedSfen,
    SfenError,
    canonical,
    canonical_sfen,
    format_sfen,
    parse_line,
    parse_placement,
    parse_sfen,
)

LEGAL = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"


def test_a_position_written_and_parsed_again_is_the_same() -> None:
    for position in starts(200, seed=12):
        for rotated in (False, True):
            text = format_sfen(position, rotated=rotated)
            assert parse_sfen(text) == ParsedSfen(position, rotated)
            assert parse_sfen(text).sfen == text
            assert parse_sfen("sfen " + text.removesuffix(" 1")).position == position
        assert parse_sfen(shogi.Board(format_sfen(position)).sfen()).position == position


def test_white_to_move_is_the_same_problem_from_the_other_side() -> None:
    text = "9/9/9/9/9/9/4p4/9/4K4 w 2R2B2G4S4N4L17P2g 1"
    parsed = parse_sfen(text)
    assert parsed.rotated
    assert parsed.position == parse_sfen(LEGAL).position
    assert parsed.sfen == text
    assert [parsed.outward(move).usi for move in checks(parsed.position) if move.usi == "G*5b"] == ["G*5h"]


def test_outward_there_and_back() -> None:
    for rotated in (False, True):
        parsed = ParsedSfen(parse_sfen(LEGAL).position, rotated)
        for usi in ("5c5b+", "G*1i", "9i1a"):
            assert parsed.outward(parsed.outward(parse_move(usi))) == parse_move(usi)
    assert ParsedSfen(parse_sfen(LEGAL).position).outward(parse_move("2h2b+")) == parse_move("2h2b+")


def test_checks_of_a_rotated_position_are_legal_as_given() -> None:
    for position in starts(60, seed=14):
        parsed = parse_sfen(format_sfen(position, rotated=True))
        board = shogi.Board(parsed.sfen)
        given_back = {parsed.outward(move).usi for move in checks(parsed.position)}
        assert given_back <= {move.usi() for move in board.pseudo_legal_moves}
        assert len(given_back) == len(naive.checks(format_sfen(position)))


def test_missing_pieces_are_given_to_the_defender_and_noted() -> None:
    parsed = parse_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1")
    assert parsed.position == parse_sfen(LEGAL).position
    assert parsed.notes == ("35 missing pieces given to the defender's hand",)
    assert parsed.sfen == LEGAL
    assert parse_sfen(LEGAL).notes == ()
    parsed = parse_sfen("9/9/9/9/9/9/4p4/9/4K4 w 2g 1")
    assert parsed.position == parse_sfen(LEGAL).position
    assert parsed.position.hand(Side.DEFENDER)[Kind.PAWN] == 17


NOT_SFEN = [
    ("", "0 fields"),
    ("4k4/9/9/9/9/9/9/9/9 b", "2 fields; hands missing"),
    ("4k4/9/9/9/9/9/9/9/9 b - 1 2", "5 fields"),
    ("4k4/9/9/9/9/9/9/9/9 b - one", "'one' is not a number"),
    ("4k4/9/9/9/9/9/9/9/9 b - -1", "'-1' is not a number"),
    ("4k4/9/9/9/9/9/9/9/9 b - ٣", "is not a number"),
    ("4k4/9/9/9/9/9/9/9/9 x - 1", "side to move must be b or w, not 'x'"),
    ("4k4/9/9/9/9/9/9/9 b - 1", "8 ranks"),
    ("4k4/9/9/9/9/9/9/9/9/9 b - 1", "10 ranks"),
    ("4k3/9/9/9/9/9/9/9/9 b - 1", "board, rank 1: 8 squares, not 9, in '4k3'"),
    ("4k5/9/9/9/9/9/9/9/9 b - 1", "board, rank 1: more than 9 squares in '4k5'"),
    ("4k4/9/9//9/9/9/9/9 b - 1", "board, rank 4: 0 squares, not 9"),
    ("4k4/9/8+/9/9/9/9/9/9 b - 1", "board, rank 3: no piece after the last '\\+' on file 1"),
    ("4k4/+9/9/9/9/9/9/9/9 b - 1", "board, rank 2: no such piece '\\+9' on file 9"),
    ("4k4/8++P/9/9/9/9/9/9/9 b - 1", "board, rank 2: no such piece '\\+\\+' on file 1"),
    ("4k4/8+G/9/9/9/9/9/9/9 b - 1", "board, rank 2: no such piece '\\+G' on file 1"),
    ("4+k4/9/9/9/9/9/9/9/9 b - 1", "board, rank 1: no such piece '\\+k' on file 5"),
    ("4k4/8X/9/9/9/9/9/9/9 b - 1", "board, rank 2: no such piece 'X' on file 1"),
    ("4k4/08P/9/9/9/9/9/9/9 b - 1", "board, rank 2: no such piece '0' on file 9"),
    ("4k4/٨P/9/9/9/9/9/9/9 b - 1", "rank 2: no such piece"),
    ("4k4/8ſ/9/9/9/9/9/9/9 b - 1", "rank 2: no such piece"),  # its upper() is S
    ("4k4/9/9/9/9/9/9/9/9 b K 1", "hands 'K': no such piece 'K'"),
    ("4k4/9/9/9/9/9/9/9/9 b +P 1", "hands '\\+P': no such piece '\\+'"),
    ("4k4/9/9/9/9/9/9/9/9 b 2 1", "hands '2': no piece after the number '2'"),
    ("4k4/9/9/9/9/9/9/9/9 b G- 1", "hands 'G-': no such piece '-'"),
    ("4k4/9/9/9/9/9/9/9/9 b 0G 1", "hands '0G': '0' is not a number of pieces"),
    ("4k4/9/9/9/9/9/9/9/9 b 00G 1", "'00' is not a number of pieces"),
    ("4k4/9/9/9/9/9/9/9/9 b 100p 1", "'100' is not a number of pieces"),
    ("4k4/9/9/9/9/9/9/9/9 b ٣p 1", "no such piece"),
    ("4k4/9/9/9/9/9/9/9/9 b GKp 1", "hands 'GKp': no such piece 'K'"),
    ("4k4/9/9/9/9/9/9/9/9 b 2Xp 1", "hands '2Xp': no such piece 'X'"),
    ("4k4/9/9/9/9/9/9/9/9 - b 1", "side to move must be b or w, not '-'"),
    ("4k4/9/9/9/9/9/9/9/9", "1 field; side to move and hands missing"),
]
NO_POSITION = [
    ("9/9/9/9/9/9/9/9/9 b G 1", "no defender's king"),
    ("4K4/9/9/9/9/9/9/9/9 b G 1", "if White attacks, let White move: w in an SFEN"),
    ("4k4/9/9/9/9/9/9/9/9 w G 1", "if Black attacks, let Black move: b in an SFEN"),
    ("4k4/9/9/9/9/9/9/9/4k4 b G 1", "2 defender's kings"),
    ("4k4/9/9/9/9/9/9/9/K3K4 b G 1", "2 attacker's kings"),
    ("4k4/9/9/9/9/9/9/9/9 b 5G 1", "5 of gold, a set has 4"),
    ("4k4/9/9/9/9/9/9/9/9 b 19p 1", "19 of pawn, a set has 18"),
    ("4k4/9/9/9/9/9/9/9/9 b 3G2g 1", "5 of gold"),
    ("4k4/4+R4/9/9/9/9/9/9/9 b Rr 1", "3 of rook"),
    ("4k4/9/4P4/4P4/9/9/9/9/9 b - 1", "2 attacker's pawns on file 5"),
    ("4k4/4p4/4p4/9/9/9/9/9/9 b - 1", "2 defender's pawns on file 5"),
    ("4k3P/9/9/9/9/9/9/9/9 b - 1", "attacker's pawn on file 1 cannot move on rank 1"),
    ("4k3L/9/9/9/9/9/9/9/9 b - 1", "attacker's lance on file 1 cannot move on rank 1"),
    ("4k4/8N/9/9/9/9/9/9/9 b - 1", "attacker's knight on file 1 cannot move on rank 2"),
    ("4k4/9/9/9/9/9/9/8n/9 b - 1", "defender's knight on file 1 cannot move on rank 8"),
    ("4k4/9/9/9/9/9/9/9/8p b - 1", "defender's pawn on file 1 cannot move on rank 9"),
    ("4k4/9/9/9/9/9/9/9/p3K4 w - 1", "attacker's pawn on file 9 cannot move on rank 9"),  # as it was given
    ("9/7p1/7p1/9/9/9/9/9/4K4 w - 1", "2 attacker's pawns on file 2"),
]


def test_text_that_is_not_sfen_and_illegal_positions() -> None:
    failures: list[object] = []
    for error, cases in ((SfenError, NOT_SFEN), (IllegalPosition, NO_POSITION)):
        for text, reason in cases:
            try:
                failures.append((text, parse_sfen(text)))
            except ValueError as raised:
                said = str(raised)
                if not isinstance(raised, error) or not re.search(reason, said) or "\n" in said:
                    failures.append((text, raised))
    assert failures == []


def test_every_fault_is_named() -> None:
    with pytest.raises(IllegalPosition) as raised:
        parse_sfen("P3k4/9/9/9/9/9/9/P8/K3K4 b - 1")
    assert len(re.findall(";", str(raised.value))) == 2
    parse_sfen("+P3k3+N/+P8/P8/9/9/9/9/9/9 b - 1")  # promoted pieces are neither dead nor doubled


def test_an_illegal_placement_is_taken_as_it_is() -> None:
    for side in "bw":
        text = f"P3k3N/9/4P4/4P4/9/RRR6/9/9/K3K4 {side} R2p 1"
        found = parse_placement(text)
        assert format_sfen(found.position, rotated=found.rotated) == text
    with pytest.raises(SfenError, match="8 ranks"):
        parse_placement("9/9/9/9/9/9/9/9 b - 1")
    for text in (LEGAL, "4K4/9/9/9/9/9/9/9/9 w - 1"):
        assert parse_placement(text) == parse_sfen(text)


def test_long_junk_is_shown_short() -> None:
    with pytest.raises(SfenError) as raised:
        parse_sfen(f"4k4/9/9/9/9/9/9/9/9 {'x' * 5000} - 1")
    assert len(str(raised.value)) < 120


FRAGMENTS = ["4k4", "9", "/", "+P", "b", "w", " ", "2G", "18p", "-", "1", "k", "K", "sfen", "\n", "٣", "０"]
fields = st.lists(st.sampled_from(FRAGMENTS))


@given(st.one_of(st.text(), fields.map("".join), st.text("kKpPgG+/123456789 bw-", min_size=10)))
def test_junk_is_refused_with_our_errors_only(text: str) -> None:
    try:
        parsed = parse_sfen(text)
    except (SfenError, IllegalPosition):
        return
    assert parse_sfen(parsed.sfen).position == parsed.position


@given(st.one_of(st.text(), fields.map("".join)), st.lists(st.text(max_size=6), max_size=3).map(" ".join))
def test_junk_lines_are_refused_with_our_errors_only(text: str, moves: str) -> None:
    try:
        sfen, read = parse_line(f"{text} moves {moves}")
    except SfenError:
        return
    assert sfen in text
    assert " ".join(move.usi for move in read) in " ".join(f"{text} moves {moves}".split())


def test_a_line_of_moves() -> None:
    assert parse_line(f"{LEGAL} moves G*5b 5a4a") == (LEGAL, [parse_move("G*5b"), parse_move("5a4a")])
    assert parse_line(LEGAL) == (LEGAL, [])
    with pytest.raises(SfenError, match=r"not a move in USI notation: 'G\*5x'"):
        parse_line(f"{LEGAL} moves G*5x")


# --- position --------------------------------------------------------------------------------------

GOLD = Piece(Side.ATTACKER, Kind.GOLD)


def given_position() -> Position:
    return parse_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1").position


def test_the_defender_holds_what_is_missing() -> None:
    position = given_position()
    assert position.defender_hand[Kind.PAWN] == 17
    assert position.with_piece(parse_square("1a"), GOLD).defender_hand[Kind.GOLD] == 1
    assert position.with_piece(parse_square("5c"), None).defender_hand[Kind.PAWN] == 18
    assert position.with_attacker_hand(Hand()).defender_hand[Kind.GOLD] == 4
    with pytest.raises(IllegalPosition, match="5 of gold"):
        position.with_attacker_hand(Hand.of({Kind.GOLD: 5}))


def test_kings_and_pieces_are_counted() -> None:
    position = given_position()
    assert position.king(Side.DEFENDER) == parse_square("5a")
    assert position.king(Side.ATTACKER) is None
    assert position.piece_count() == 4


def test_forty_pieces_whatever_is_where() -> None:
    for position in starts(100, seed=19):
        kings = sum(position.king(side) is not None for side in Side)
        assert position.piece_count() + len(position.defender_hand) == sum(SET_COUNT.values()) + kings


def test_dead_pieces() -> None:
    letters = {Kind.PAWN: "P", Kind.LANCE: "L", Kind.KNIGHT: "N"}
    attacker, defender = {"P": "5a", "L": "5a", "N": "5a 5b"}, {"P": "5i", "L": "5i", "N": "5h 5i"}
    for side, dead in ((Side.ATTACKER, attacker), (Side.DEFENDER, defender)):
        for kind in Kind:
            names = [f"5{rank}" for rank in "abcdefghi"]
            found = [name for name in names if is_dead(Piece(side, kind), parse_square(name))]
            assert found == dead.get(letters.get(kind, ""), "").split(), (side, kind)


@given(st.dictionaries(st.sampled_from(HAND_KINDS), st.integers(0, 18)), st.sampled_from(list(Kind)[:7]))
def test_hands(counts: dict[Kind, int], kind: Kind) -> None:
    hand = Hand.of(counts)
    assert len(hand) == len(list(hand)) == sum(counts.values())
    assert bool(hand) == (len(hand) > 0)
    assert hand.plus(kind)[kind] == counts.get(kind, 0) + 1
    assert hand.plus(kind.promoted) == hand.plus(kind)
    assert hand.plus(kind).plus(kind, -1) == hand


# --- symmetry --------------------------------------------------------------------------------------


def test_mirrored_or_rotated_twice_is_as_before() -> None:
    for position in starts(100, seed=15):
        assert position.mirrored.mirrored == position
        assert position.mirrored.attacker_hand == position.attacker_hand
    for position in starts(50, seed=18):
        assert position.sides_exchanged.sides_exchanged == position
        assert position.sides_exchanged.side_to_move is position.side_to_move.other
    left, right = "k8/9/9/9/9/9/9/9/9 b G", "8k/9/9/9/9/9/9/9/9 b G"
    assert parse_sfen(left).position.mirrored == parse_sfen(right).position
    assert canonical_sfen(parse_sfen(left).position) == canonical_sfen(parse_sfen(right).position)


def test_both_mirror_images_have_one_canonical_form() -> None:
    for position in starts(100, seed=16):
        form = canonical(position)
        assert form in (position, position.mirrored)
        assert canonical(position.mirrored) == canonical(form) == form
        assert canonical_sfen(position) == format_sfen(form) <= format_sfen(position.mirrored)


def test_the_mirror_image_has_the_mirrored_moves() -> None:
    for position in starts(100, seed=17):
        assert {move.mirrored for move in checks(position)} == set(checks(position.mirrored))
    for position in checked(100, seed=17):
        assert {move.mirrored for move in evasions(position)} == set(evasions(position.mirrored))
