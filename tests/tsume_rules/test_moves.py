# SPDX-License-Identifier: GPL-3.0-or-later
import random
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.positions import UnMove, checks, evasions, position_of, un_checks, un_evasions
from tests.sampling import checked, starts
from tsume_rules.moves import (
    ImpossibleMove,
    Move,
    attacked,
    attacked_squares,
    can_promote,
    in_check,
    legal_moves,
    legal_origins,
    legal_position_after,
    parse_move,
    position_after,
)
from tsume_rules.packed import (
    attacker_turns,
    is_in_check,
    pack,
    pack_move,
    record_after,
    start_faults,
    unpack,
    unpack_move,
)
from tsume_rules.position import (
    HAND_KINDS,
    SET_COUNT,
    SQUARES,
    Kind,
    Piece,
    Position,
    Side,
    mirrored,
    parse_square,
    rotated,
    square_name,
    structural_faults,
)
from tsume_rules.sfen import format_sfen, parse_line, parse_sfen

squares = st.integers(0, SQUARES - 1)
drops = st.builds(Move, squares, drop=st.sampled_from(HAND_KINDS))
board_moves = st.builds(Move, squares, squares, promotes=st.booleans())
moves = drops | board_moves


@given(moves)
def test_usi_and_packed_there_and_back(move: Move) -> None:
    assert parse_move(move.usi) == move
    assert str(move) == move.usi
    assert unpack_move(pack_move(move)) == move
    assert move.mirrored.mirrored == move.rotated.rotated == move
    assert move.mirrored.rotated == move.rotated.mirrored
    assert move.origin == move.target or shogi.Move.from_usi(move.usi).usi() == move.usi


@given(squares)
def test_squares(sq: int) -> None:
    assert parse_square(square_name(sq)) == sq
    assert mirrored(mirrored(sq)) == rotated(rotated(sq)) == sq
    assert square_name(mirrored(sq))[1] == square_name(sq)[1]


def test_examples() -> None:
    assert parse_move("2b3c+").mirrored.usi == "8b7c+"
    assert parse_move("2b3c+").rotated.usi == "8h7g+"
    assert parse_move("G*1a").rotated.usi == "G*9i"


def test_text_that_is_not_a_move() -> None:
    for text in (
        "", "7g", "7g7", "7g7f++", "7g7f+x", "7g7f=", "7g7fxy", "0a1a", "1j1a", " 7g7f", "7g7f ", "７g7f",
        "K*5e", "g*5e", "+P*5e", "P*", "P*5", "P*5ee", "*5e", "P**5e", "7ab7c",
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not a move in USI notation"):
            parse_move(text)


@given(st.text() | st.text("123456789abcdefghi+*PLG", max_size=7))
def test_junk_is_read_literally_or_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except ValueError:
        return
    assert move.usi == text


# --- legality --------------------------------------------------------------------------------------

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def random_move(rng: random.Random) -> str:
    squares = [f"{rng.randint(1, 9)}{rng.choice('abcdefghi')}" for _ in range(2)]
    if rng.random() < 0.3:
        return f"{rng.choice('PLNSGBR')}*{squares[0]}"
    return "".join(squares) + rng.choice(("", "+"))


def accepted(position: Position, usi: str) -> Position | None:
    try:
        return legal_position_after(position, parse_move(usi))
    except ImpossibleMove:
        return None


@pytest.mark.parametrize("seed", range(8))
def test_the_legal_moves_of_games_are_those_of_python_shogi(seed: int) -> None:
    rng = random.Random(seed)
    board, position = shogi.Board(), parse_sfen(START).position
    for _ in range(100):
        legal = sorted(move.usi() for move in board.legal_moves)
        assert sorted(move.usi for move in legal_moves(position)) == legal
        if not legal:
            break
        shaped = [move.usi() for move in board.pseudo_legal_moves]
        for usi in {*rng.sample(legal, min(5, len(legal))), *shaped, *(random_move(rng) for _ in range(50))}:
            if usi[:2] != usi[2:4]:
                assert (accepted(position, usi) is not None) == (usi in legal), (board.sfen(), usi)
        played = rng.choice(legal)
        board.push_usi(played)
        position = legal_position_after(position, parse_move(played))
        assert format_sfen(position).split()[:3] == board.sfen().split()[:3]


def test_faults() -> None:
    for sfen, move, fault in (
        (START, "7g7e", "does not move that way"),
        (START, "8h2b+", "does not move that way"),
        (START, "7c7d", "attacker's turn"),
        ("k8/9/K8/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", "P*5a", "could not move again"),
        ("k8/9/K8/4P4/9/9/9/9/9 b P2r2b4g4s4n4l16p 1", "P*5e", "two pawns"),
        ("4k4/9/9/4r4/9/4G4/4K4/9/9 b r2b3g4s4n4l18p 1", "5f4f", "left in check"),
        ("k8/9/K8/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", "P*9b", None),
        ("kr7/2G6/K8/9/9/9/9/9/9 b Pr2b3g4s4n4l17p 1", "P*9b", "mate by a dropped pawn"),
        ("kr7/1rG6/K8/9/9/9/9/9/9 b P2b3g4s4n4l17p 1", "P*9b", None),
        ("k8/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "G*5e", None),  # without a king of his own
    ):
        with pytest.raises(ImpossibleMove, match=fault) if fault else nullcontext():
            legal_position_after(parse_sfen(sfen).position, parse_move(move))


# --- play ------------------------------------------------------------------------------------------

PLAYED = "4k4/3p5/9/2+r1G4/9/9/9/9/4K4 b 2GRP2bg4s4n4l16p 1"


def position(sfen: str = PLAYED) -> Position:
    return parse_sfen(sfen).position


def test_a_capture_goes_to_the_movers_hand_unpromoted() -> None:
    taken = position_after(position("4k4/9/9/4+r4/4G4/9/9/9/9 b r2b3g4s4n4l18p 1"), parse_move("5e5d"))
    assert taken.attacker_hand[Kind.ROOK] == 1
    assert taken.side_to_move is Side.DEFENDER
    back = position_after(position("4k4/4+P4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1"), parse_move("5b6a"))
    pawns = back.defender_hand[Kind.PAWN]
    assert position_after(back, parse_move("5a6a")).defender_hand[Kind.PAWN] == pawns + 1


def test_promotion_and_drop() -> None:
    promoted = position_after(position("4k4/9/9/9/9/9/9/1B7/9 b 2rb4g4s4n4l18p 1"), parse_move("8h2b+"))
    assert promoted.board[parse_square("2b")] == Piece(Side.ATTACKER, Kind.HORSE)
    dropped = position_after(position(), parse_move("G*5b"))
    assert dropped.attacker_hand[Kind.GOLD] == 1
    assert dropped.board[parse_square("5b")] == Piece(Side.ATTACKER, Kind.GOLD)


def test_impossible_moves_say_why() -> None:
    for move, reason in (
        (parse_move("1a1b"), "no piece"),
        (parse_move("6b6c"), "it is the attacker's turn"),
        (parse_move("S*5b"), "no silver in hand"),
        (parse_move("G*5d"), "occupied"),
        (parse_move("5d5c+"), "cannot promote"),
        (parse_move("5i5d"), "own piece"),
        (parse_move("5d5a"), "king"),
        (Move(0), "neither"),
        (Move(0, drop=Kind.TOKIN), "dropped"),
        (Move(0, drop=Kind.PAWN, promotes=True), "does not promote"),
        (Move(0, 5, drop=Kind.PAWN), "no origin"),
    ):
        with pytest.raises(ImpossibleMove, match=reason):
            position_after(position(), move)


def test_only_near_the_far_end_pieces_promote() -> None:
    black, white = Piece(Side.ATTACKER, Kind.SILVER), Piece(Side.DEFENDER, Kind.SILVER)
    assert can_promote(black, parse_square("5d"), parse_square("5c"))
    assert can_promote(black, parse_square("5c"), parse_square("5d"))
    assert not can_promote(black, parse_square("5e"), parse_square("5d"))
    assert can_promote(white, parse_square("5f"), parse_square("5g"))
    assert not can_promote(white, parse_square("5d"), parse_square("5c"))


# --- record play -----------------------------------------------------------------------------------

LINE = "6kB1/7+r1/5B2R/7+PL/9/9/9/9/9 b 4g4s4n3l17p 1 moves 2a3b+ 2b3b 4c3b+ 3a3b 1c3c+ 3b4a R*4b 4a5a 3c3a"


def test_the_turns_of_a_line_are_those_that_playing_it_reaches() -> None:
    sfen, moves = parse_line(LINE)
    packed = pack(parse_sfen(sfen).position)
    for plies in range(10):
        line = tuple(map(pack_move, moves))[:plies]
        expected = [record_after(packed, line[:ply]) for ply in range(0, plies + 1, 2)]
        assert list(map(unpack, attacker_turns(packed, line))) == list(map(unpack, expected))
        assert unpack(packed) == parse_sfen(sfen).position


# --- game ------------------------------------------------------------------------------------------


def test_every_answer_to_every_check_ends_the_check() -> None:
    for position in checked(100, seed=1):
        board = naive.board_of(format_sfen(position))
        assert is_in_check(position, Side.DEFENDER) == naive.is_check(board)
        assert is_in_check(position, Side.ATTACKER) == naive.attackers_king_attacked(board)


def test_a_pawn_drop_that_mates_is_illegal() -> None:
    mating = "7nk/9/7+P1/9/9/9/9/9/9 b P2r2b4g4s3n4l16p 1"
    assert "P*1b" not in {move.usi for move in checks(position_of(mating))}
    # the gold could capture, but it is pinned: python-shogi's own legal_moves is wrong here
    pinned = "6Rgk/9/7+P1/9/9/9/9/9/9 b Pr2b3g4s4n4l16p 1"
    assert "P*1b" not in {move.usi for move in checks(position_of(pinned))}
    assert "P*1b" in {move.usi for move in checks(position_of("8k/6r2/7+P1/9/9/9/9/9/9 b Pr2b4g4s4n4l16p 1"))}
    own = position_of("4r4/9/4G1k2/9/4K4/9/9/9/9 b r2b3g4s4n4l18p 1")  # his own king would be in check
    assert all(move.usi[:2] != "5c" or move.usi[2] == "5" for move in checks(own))


def test_a_start_must_leave_the_defender_unchecked() -> None:
    position = position_of("4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1")
    assert start_faults(position) == ["the defender's king is in check with the attacker to move"]
    assert start_faults(position_of("4k4/9/9/9/9/9/9/9/9 b R2b4g4s4n4l18pr 1")) == []
    assert start_faults(position_of("4k4/4K4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1")), "kings side by side"


# --- reach -----------------------------------------------------------------------------------------


def names(squares: frozenset[int] | tuple[int, ...]) -> list[str]:
    return sorted(map(square_name, squares))


def test_each_side_moves_its_own_way() -> None:
    board = position_of("4k4/9/9/2n3N2/9/2l3S2/9/9/9 b 2r2b4g3s2n3l18p 1").board
    assert names(attacked_squares(board, parse_square("3d"))) == ["2b", "4b"]
    assert names(attacked_squares(board, parse_square("7d"))) == ["6f", "8f"]
    assert names(attacked_squares(board, parse_square("7f"))) == ["7g", "7h", "7i"]
    assert names(attacked_squares(board, parse_square("3f"))) == ["2e", "2g", "3e", "4e", "4g"]
    assert attacked_squares(board, parse_square("9i")) == frozenset()
    board = position_of("4k4/9/4p4/9/2P1R4/9/9/9/9 b r2b4g4s4n4l16p 1").board
    squares = attacked_squares(board, parse_square("5e"))
    assert {"5c", "7e", "5i", "1e"} <= set(names(squares))
    assert not {"5b", "8e"} & set(names(squares))
    given = position_of("4k4/9/4R4/9/9/9/9/9/9 b r2b4g4s4n4l18p 1")
    assert in_check(given, Side.DEFENDER)
    assert not in_check(given, Side.ATTACKER)
    assert attacked(given.board, parse_square("5b"), Side.ATTACKER)


def test_a_pinned_piece_does_not_count_as_an_origin() -> None:
    given = position_of("4k4/3gg4/9/4R4/9/9/9/9/9 b Gr2bg4s4n4l18p 1")
    moved = Position(given.board, given.attacker_hand, given.defender_hand, Side.DEFENDER)
    assert names(legal_origins(moved, Kind.GOLD, parse_square("6c"))) == ["6b"]
    assert names(legal_origins(moved, Kind.GOLD, parse_square("5c"))) == ["5b", "6b"]


@pytest.mark.parametrize("seed", range(5))
def test_origins_agree_with_python_shogi(seed: int) -> None:
    rng, judge = random.Random(seed), shogi.Board()
    for _ in range(60):
        legal = [parse_move(move.usi()) for move in judge.legal_moves]
        if not legal:
            break
        given = parse_sfen(judge.sfen())
        ours = {move for sq in rng.sample(range(SQUARES), 9) for move in _moves_to(given.position, sq)}
        targets = {move.target for move in ours}
        theirs = {given.outward(Move(move.target, move.origin)) for move in legal if move.origin is not None}
        assert ours == {move for move in theirs if move.target in targets}
        judge.push_usi(rng.choice(legal).usi)


def _moves_to(given: Position, target: int) -> set[Move]:
    return {Move(target, origin) for kind in Kind for origin in legal_origins(given, kind, target)}


# --- retraction ------------------------------------------------------------------------------------

MAX_PLAYED = 10
"""The most un-moves of each position that are played forward again."""


def test_un_checks_are_legal_checks_that_lead_back() -> None:
    rng = random.Random(1)
    for position in checked(150, seed=2):
        found = un_checks(position)
        assert len(found) == len(set(found))
        for unmove in rng.sample(found, min(MAX_PLAYED, len(found))):
            _leads_back(unmove, position, naive.checks)
            assert not naive.is_check(naive.board_of(format_sfen(unmove.before)))


def test_un_evasions_are_legal_answers_that_lead_back() -> None:
    rng = random.Random(1)
    for position in starts(150, seed=3):
        found = un_evasions(position)
        assert len(found) == len(set(found))
        for unmove in rng.sample(found, min(MAX_PLAYED, len(found))):
            _leads_back(unmove, position, naive.evasions)
            board = naive.board_of(format_sfen(unmove.before))
            assert 1 <= len(naive.checkers(board)) <= 2
            assert not naive.attackers_king_attacked(board)


def _leads_back(unmove: UnMove, position: Position, legal: Callable[[str], set[str]]) -> None:
    before = format_sfen(unmove.before)
    assert structural_faults(unmove.before) == [], before
    assert _pieces(unmove.before) == SET_COUNT, before
    assert unmove.move.usi in legal(before), before
    board = shogi.Board(before)
    board.push_usi(unmove.move.usi)
    assert board.sfen().split()[:3] == shogi.Board(format_sfen(position)).sfen().split()[:3], before
    assert position_after(unmove.before, unmove.move) == position


def _pieces(position: Position) -> Counter[Kind]:
    held = Counter({kind: sum(position.hand(side)[kind] for side in Side) for kind in HAND_KINDS})
    on_board = (piece.kind.base for piece in position.board if piece is not None)
    return held + Counter(kind for kind in on_board if kind is not Kind.KING)


def test_every_check_is_among_the_un_checks_of_what_it_leads_to() -> None:
    for position in starts(100, seed=4):
        for move in checks(position):
            assert UnMove(move, position) in un_checks(position_after(position, move)), (
                format_sfen(position),
                move.usi,
            )


def test_every_answer_is_among_the_un_evasions_of_what_it_leads_to() -> None:
    for position in checked(60, seed=5):
        for move in evasions(position):
            found = un_evasions(position_after(position, move))
            assert UnMove(move, position) in found, (format_sfen(position), move.usi)


def test_without_captures_the_others_remain() -> None:
    for position in checked(40, seed=6):
        quiet = [unmove for unmove in un_checks(position) if _hands(unmove, position)]
        assert un_checks(position, captures=False) == quiet


def _hands(unmove: UnMove, position: Position) -> bool:
    return unmove.before.board[unmove.move.target] is None and len(unmove.before.attacker_hand) >= len(
        position.attacker_hand
    )


def answering(sfen: str) -> Position:
    """The position of an SFEN with the defender to move."""
    return replace(parse_sfen(sfen).position, side_to_move=Side.DEFENDER)


def test_a_tokin_on_a_file_with_a_pawn_was_not_a_pawn() -> None:
    alone = answering("4k4/4+P4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1")
    assert "5c5b+" in [unmove.move.usi for unmove in un_checks(alone)]
    beside = answering("4k4/4+P4/9/9/9/4P4/9/9/9 b 2r2b4g4s4n4l16p 1")
    assert not any(unmove.move.promotes for unmove in un_checks(beside))


def test_a_pawn_drop_that_mates_is_not_retracted() -> None:
    mated = answering("7nk/8P/7+P1/9/9/9/9/9/9 b 2r2b4g4s3n4l16p 1")
    assert evasions(mated) == []
    found = [unmove.move.usi for unmove in un_checks(mated)]
    assert "P*1b" not in found
    assert "1c1b" in found
    free = answering("7pk/8P/7+P1/9/9/9/9/9/8+r b r2b4g4s4n4l15p 1")
    assert "P*1b" in [unmove.move.usi for unmove in un_checks(free)]
