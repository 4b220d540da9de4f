# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, obvious twins of the move generator and the solver, on python-shogi alone.

They follow docs/rules.md word for word and share no code with `tsume_rules` or `solver`.
An SFEN has Black as the attacker; the defender holds every missing piece and his
king is not in check when it is the attacker's turn. Legality is decided here, not
by python-shogi's ``legal_moves``, which does not see a pawn-drop mate when the
pieces that could take the pawn are pinned. Pawn-drop mate is forbidden to the
attacker only, as the rules have it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any, Literal

import shogi
from shogi import BLACK, WHITE

Board = Any
"""A ``shogi.Board``; python-shogi has no types."""

Reading = Literal["narrow", "count_all", "wide", "purist"]
"""Which drops are futile: those taken by the checker, none, those taken by any piece, or those taken
by the checker if an answer that is not futile lasts as long."""

_HAND_TYPES = range(shogi.PAWN, shogi.KING)
_NO_REPETITION = SimpleNamespace(update=lambda _hashes: None, subtract=lambda _hashes: None)


def board_of(sfen: str) -> Board:
    """The board of an SFEN, ready for the functions below (the move number may be left out)."""
    fields = sfen.split()
    board = shogi.Board(" ".join([*fields[:3], "1"]))
    board.zobrist_hash = lambda _=None: 0  # only for repetition, which is not looked at; costs half of push
    board.transpositions = _NO_REPETITION
    return board


# --- moves -----------------------------------------------------------------------------------------


def checks(sfen: str) -> set[str]:
    """Every legal check of the attacker, in USI."""
    board = board_of(sfen)
    assert board.turn == BLACK
    return {move.usi() for move in check_moves(board)}


def evasions(sfen: str) -> set[str]:
    """Every legal answer of the defender to a check, in USI."""
    board = board_of(sfen)
    assert board.turn == WHITE
    return {move.usi() for move in evasion_moves(board)}


def check_moves(board: Board) -> list[Any]:
    """Every legal check of the attacker, who is to move."""
    return [move for move in _maybe_checks(board) if _is_legal_check(board, move)]


def evasion_moves(board: Board) -> Iterator[Any]:
    """Every legal answer of the defender, who is to move and in check; drops come last."""
    useful = _squares_against_check(board)
    for move in _board_moves(board):
        if move.from_square == board.king_squares[WHITE]:
            legal = not _attacked_without_king(board, move.to_square)
        else:
            legal = move.to_square in useful and not _leaves_own_king(board, move)
        if legal:
            yield move
    # A drop answers a check just when it comes between a single slider and the king.
    for sq in interposition_squares(board):
        yield from _drops_on(board, sq)


def _squares_against_check(board: Board) -> set[int]:
    """Where a piece other than the king must go: it takes the only checking piece or comes before it."""
    found = checkers(board)
    return {*found, *interposition_squares(board)} if len(found) == 1 else set()


def interposition_squares(board: Board) -> list[int]:
    """The squares strictly between the only checking piece and the defender's king."""
    found = checkers(board)
    return _between(found[0], board.king_squares[WHITE]) if len(found) == 1 else []


def _maybe_checks(board: Board) -> Iterator[Any]:
    """Pseudo-legal moves of the attacker that attack the king themselves or leave a line to him."""
    king, empty = board.king_squares[WHITE], board.occupied.non_occupied()
    for move in _board_moves(board):
        piece_type = board.piece_type_at(move.from_square)
        after = shogi.PIECE_PROMOTED[piece_type] if move.promotion else piece_type
        if _on_a_line(move.from_square, king) or _attacks_to(board, after, king) & (1 << move.to_square):
            yield move
    for piece_type in _HAND_TYPES:
        for sq in _squares(_attacks_to(board, piece_type, king) & empty):
            if _may_drop(board, piece_type, sq):
                yield shogi.Move(None, sq, False, piece_type)


def _attacks_to(board: Board, piece_type: int, king: int) -> int:
    """The squares from which the attacker's piece of a kind attacks the king.

    They are those that the defender's piece of its kind attacks from the king's square.
    """
    mask: int = board.attacks_from(piece_type, king, board.occupied, WHITE)
    return mask


def _board_moves(board: Board) -> Iterator[Any]:
    """Pseudo-legal moves of the pieces on the board."""
    own = board.occupied.by_color[board.turn]
    kings = own & board.piece_bb[shogi.KING]  # first, as they refute most
    for origin in _squares(kings) + _squares(own & ~kings):
        piece_type = board.piece_type_at(origin)
        for target in _squares(board.attacks_from(piece_type, origin, board.occupied, board.turn) & ~own):
            for after in _types_after(piece_type, origin, target, board.turn):
                yield shogi.Move(origin, target, after != piece_type)


def _types_after(piece_type: int, origin: int, target: int, side: int) -> list[int]:
    """What a piece may be after a move: as it was, promoted, or either."""
    found = [piece_type] if shogi.can_move_without_promotion(target, piece_type, side) else []
    if any(shogi.can_promote(sq, piece_type, side) for sq in (origin, target)):
        found.append(shogi.PIECE_PROMOTED[piece_type])
    return found


def _is_legal_check(board: Board, move: Any) -> bool:
    with _after(board, move):
        if not is_check(board) or attackers_king_attacked(board):
            return False
        return move.drop_piece_type != shogi.PAWN or any(evasion_moves(board))


def _attacked_without_king(board: Board, sq: int) -> bool:
    """Whether the attacker attacks a square once the defender's king has left his own, so blocks no line."""
    king = board.king_squares[WHITE]
    board.occupied.ixor(1 << king, WHITE, king)
    attacked = bool(_reaching(board, BLACK, sq))
    board.occupied.ixor(1 << king, WHITE, king)
    return attacked


def _leaves_own_king(board: Board, move: Any) -> bool:
    with _after(board, move):
        return is_check(board)


def _drops_on(board: Board, sq: int) -> list[Any]:
    return [shogi.Move(None, sq, False, kind) for kind in _HAND_TYPES if _may_drop(board, kind, sq)]


def _may_drop(board: Board, piece_type: int, sq: int) -> bool:
    """Whether the side to move holds the piece and may put it on an empty square (dead square, nifu)."""
    return (
        board.has_piece_in_hand(piece_type, board.turn)
        and shogi.can_move_without_promotion(sq, piece_type, board.turn)
        and not board.is_double_pawn(sq, piece_type)
    )


def is_check(board: Board) -> bool:
    """Whether the defender's king is attacked, whoever is to move."""
    return bool(_reaching(board, BLACK, board.king_squares[WHITE]))


def attackers_king_attacked(board: Board) -> bool:
    """Whether the attacker has a king and it is attacked, whoever is to move."""
    king = board.king_squares[BLACK]
    return king is not None and bool(_reaching(board, WHITE, king))


def checkers(board: Board) -> list[int]:
    """The squares of the pieces that attack the defender's king."""
    return _pieces_reaching(board, BLACK, board.king_squares[WHITE])


def _pieces_reaching(board: Board, side: int, sq: int) -> list[int]:
    """The squares of a side's pieces that attack a square."""
    return _squares(_reaching(board, side, sq))


def _reaching(board: Board, side: int, sq: int) -> int:
    """As `_pieces_reaching`, as a mask."""
    found, own, reach = 0, board.occupied.by_color[side], _widest_reach(1 - side, sq)
    for piece_type in shogi.PIECE_TYPES:
        if there := board.piece_bb[piece_type] & own & reach[piece_type]:
            found |= there & board.attacks_from(piece_type, sq, board.occupied, 1 - side)
    return found


@cache
def _widest_reach(side: int, sq: int) -> list[int]:
    """What a side's piece of each type attacks from a square of an empty board."""
    empty = shogi.Occupied(0, 0)
    return [shogi.Board.attacks_from(piece_type, sq, empty, side) for piece_type in range(shogi.PROM_ROOK + 1)]


def _squares(mask: int) -> list[int]:
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


@cache
def _between(start: int, end: int) -> list[int]:
    """The squares strictly between two squares on a line, from ``start`` on; none if on no line."""
    files = abs(start % 9 - end % 9)
    ranks = abs(start // 9 - end // 9)
    if files and ranks and files != ranks:
        return []
    steps = max(files, ranks)
    return [start + i * (end - start) // steps for i in range(1, steps)]


@cache
def _on_a_line(one: int, other: int) -> bool:
    """Whether a rank, a file or a diagonal joins two squares."""
    files, ranks = abs(one % 9 - other % 9), abs(one // 9 - other // 9)
    return 0 in (files, ranks) or files == ranks


class _after:  # noqa: N801
    """The board with a move made, as long as the block lasts."""

    __slots__ = ("board", "move")

    def __init__(self, board: Board, move: Any) -> None:
        self.board = board
        self.move = move

    def __enter__(self) -> None:
        self.board.push(self.move)

    def __exit__(self, *_error: object) -> None:
        self.board.pop()


# --- failing checks --------------------------------------------------------------------------------


def refuted_at_a_glance(board: Board, usi: str) -> bool:
    """Whether the attacker runs out of checks within three plies of a check."""

    def runs_out(plies: int) -> bool:
        """The defender, in check, has an answer that leaves no check within so many plies."""
        for answer in list(evasion_moves(board)):
            with _after(board, answer):
                following = check_moves(board)
                if not following or (plies > 1 and all(fails(check, plies - 2) for check in following)):
                    return True
        return False

    def fails(check: Any, plies: int) -> bool:
        with _after(board, check):
            return runs_out(plies)

    return fails(shogi.Move.from_usi(usi), 3)


# --- mate ------------------------------------------------------------------------------------------


def length(sfen: str, max_length: int, reading: Reading = "narrow") -> int | None:
    """The least odd n up to ``max_length`` with A(p, n); None if there is none."""
    board, search = board_of(sfen), Search(reading)
    return next((n for n in range(1, max_length + 1, 2) if search.mate_within(board, n)), None)


def mating_moves(sfen: str, n: int, reading: Reading = "narrow") -> set[str]:
    """The first moves c with D(p·c, n-1), in USI."""
    board, search = board_of(sfen), Search(reading)
    return {move.usi() for move in check_moves(board) if search.mates(board, move, n)}


def mate_within(board: Board, n: int, reading: Reading = "narrow") -> bool:
    """A(p, n): the attacker, to move, mates within n plies."""
    return Search(reading).mate_within(board, n)


def mated_within(board: Board, n: int, reading: Reading = "narrow") -> bool:
    """D(q, n): the defender, to move and in check, is mated within n plies."""
    return Search(reading).mated_within(board, n)


class Search:
    """A and D of the rules by one reading; answers are remembered.

    Boards are left as they were. The defender's hand is not part of the key of an
    answer: it is every piece that is missing.
    """

    def __init__(self, reading: Reading = "narrow") -> None:
        self.reading = reading
        self.attack_memo: dict[Any, bool] = {}
        self.defence_memo: dict[Any, bool] = {}
        self.checks_memo: dict[Any, list[Any]] = {}
        self.in_progress: set[Any] = set()
        self.cycles_cut = 0

    def mate_within(self, board: Board, n: int) -> bool:
        """A(p, n)."""
        position = _key(board)
        key = (position, n)
        if key not in self.attack_memo:
            if position not in self.checks_memo:
                self.checks_memo[position] = check_moves(board)
            self.attack_memo[key] = any(self.mates(board, move, n) for move in self.checks_memo[position])
        return self.attack_memo[key]

    def mates(self, board: Board, check: Any, n: int) -> bool:
        """D(p·check, n-1)."""
        with _after(board, check):
            return self.mated_within(board, n - 1)

    def mated_within(self, board: Board, n: int) -> bool:
        """D(q, n); false if the defender is not in check.

        Only by the wide reading a run of captures may come back to where it began; then no
        drop has been shown to be futile. A failure found that way holds for this run only
        and is not remembered.
        """
        key = (_key(board), n)
        if key in self.defence_memo:
            return self.defence_memo[key]
        if key in self.in_progress:
            self.cycles_cut += 1
            return False
        cut_before = self.cycles_cut
        self.in_progress.add(key)
        mated = is_check(board) and self._all_answers_fail(board, n)
        self.in_progress.remove(key)
        if mated or self.cycles_cut == cut_before:
            self.defence_memo[key] = mated
        return mated

    def _all_answers_fail(self, board: Board, n: int) -> bool:
        if self.reading == "purist":
            return any(self._mated_in_full(board, m) for m in range(0, n + 1, 2))
        return all(self._fails(board, move, n) for move in evasion_moves(board))

    def _mated_in_full(self, board: Board, n: int) -> bool:
        """The purist reading: as narrow, but some answer that is played out must last n plies.

        A drop is futile only if an answer that is not futile lasts at least as long as the
        slide takes to mate. So the mate is as long as the longest answer that is played out.
        """
        if not all(self._fails(board, move, n) for move in evasion_moves(board)):
            return False
        return n == 0 or any(
            self._loses(board, move, n) and not self._loses(board, move, n - 2) for move in evasion_moves(board)
        )

    def _fails(self, board: Board, move: Any, n: int) -> bool:
        # In answer to a check every drop is an interposition (see `evasion_moves`).
        futile = move.drop_piece_type is not None and self._futile(board, move, n)
        return futile or self._loses(board, move, n)

    def _loses(self, board: Board, move: Any, n: int) -> bool:
        """Whether the attacker mates within n-1 plies after a move of the defender."""
        if n < 2:
            return False
        with _after(board, move):
            return self.mate_within(board, n - 1)

    def _futile(self, board: Board, drop: Any, n: int) -> bool:
        """Whether a drop between the checking piece and the king is futile."""
        if self.reading == "count_all":
            return False
        with _after(board, drop):
            if attackers_king_attacked(board):
                return False
        return any(
            self._mated_after_taking(board, taker, drop.to_square, promoted, n)
            for taker in self._takers(board, drop.to_square)
            for promoted in _types_after(board.piece_type_at(taker), taker, drop.to_square, BLACK)
        )

    def _takers(self, board: Board, sq: int) -> list[int]:
        return _pieces_reaching(board, BLACK, sq) if self.reading == "wide" else checkers(board)

    def _mated_after_taking(self, board: Board, origin: int, sq: int, piece_type: int, n: int) -> bool:
        """D(q[a→s], n), when the attacker may move there."""
        with _slid(board, origin, sq, piece_type):
            return not attackers_king_attacked(board) and self.mated_within(board, n)


class BarredSearch(Search):
    """The search in which the attacker fails at ``barred`` boards with the same hand or a smaller one."""

    def __init__(self, barred: list[Board]) -> None:
        super().__init__()
        self.barred = [_key(board) for board in barred]

    def mate_within(self, board: Board, n: int) -> bool:
        """A(p, n), false at a barred board."""
        return not self._is_barred(board) and super().mate_within(board, n)

    def _is_barred(self, board: Board) -> bool:
        pieces, attackers, hand = _key(board)
        same = (other[2] for other in self.barred if other[:2] == (pieces, attackers))
        return any(all(has <= had for has, had in zip(hand, before, strict=True)) for before in same)


# --- second solutions ------------------------------------------------------------------------------


def is_captured_at_once(board: Board, check: Any, n: int) -> bool:
    """Whether a check mates within n plies and every answer that lasts longest takes the piece moved."""
    search = Search()
    if n < 3 or not search.mates(board, check, n):
        return False
    with _after(board, check):
        played_out = [
            answer
            for answer in evasion_moves(board)
            if answer.drop_piece_type is None or not search._futile(board, answer, n - 1)
        ]
        longest = [answer for answer in played_out if not search._loses(board, answer, n - 3)]
        return bool(longest) and all(answer.to_square == check.to_square for answer in longest)


def comes_in_another_order(board: Board, line: list[Any], check: Any) -> bool:
    """Whether a check and other moves that the attacker makes in a line lead to one of its later positions.

    They are the moves that lead there in the line, in another order, whatever the defender answers.
    """

    def comes(left: list[Any], there: Any) -> bool:
        """The defender, to move, comes there while the attacker makes the moves that are left."""
        for answer in list(evasion_moves(board)):
            with _after(board, answer):
                if _key(board) == there and not left:
                    return True
                playable = [move for move in check_moves(board) if move in left]
                if any(plays(move, [one for one in left if one != move], there) for move in playable):
                    return True
        return False

    def plays(move: Any, left: list[Any], there: Any) -> bool:
        with _after(board, move):
            return comes(left, there)

    for plies in range(4, len(line), 2):
        moves = line[:plies:2]
        if check in moves:
            for move in line[:plies]:
                board.push(move)
            there = _key(board)
            for _ in range(plies):
                board.pop()
            if plays(check, [move for move in moves if move != check], there):
                return True
    return False


@contextmanager
def _slid(board: Board, origin: int, target: int, piece_type: int) -> Iterator[None]:
    """The board with an attacker's piece moved to an empty square, the same side to move."""
    before = board.piece_at(origin)
    board.remove_piece_at(origin)
    board.set_piece_at(target, shogi.Piece(piece_type, BLACK))
    try:
        yield
    finally:
        board.remove_piece_at(target)
        board.set_piece_at(origin, before)


def _key(board: Board) -> tuple[Any, ...]:
    hand = board.pieces_in_hand[BLACK]
    return tuple(board.pieces), board.occupied.by_color[BLACK], tuple(hand[kind] for kind in _HAND_TYPES)
