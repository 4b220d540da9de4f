# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shogi, slow and obvious: pieces by name on a dictionary of cells."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from papers.small_shogi import ShogiVariant, packed_variant_position

FILES, RANKS = 3, 4
GOLD = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
STEPS = {
    "玉": DIAGONAL + STRAIGHT, "金": GOLD, "銀": (*DIAGONAL, (-1, 0)), "桂": ((-2, -1), (-2, 1)),
    "歩": ((-1, 0),), "+銀": GOLD, "+桂": GOLD, "+香": GOLD, "+歩": GOLD, "+飛": DIAGONAL, "+角": STRAIGHT,
}  # fmt: skip
SLIDES = {"飛": STRAIGHT, "角": DIAGONAL, "香": ((-1, 0),), "+飛": STRAIGHT, "+角": DIAGONAL}
Cell = tuple[int, int]


@dataclass(frozen=True)
class Position:
    """``board`` has the side (0 moves up) and the name of each piece, ``hands`` the names in hand."""

    game: ShogiVariant
    board: tuple[tuple[Cell, tuple[int, str]], ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    side: int = 0

    @property
    def state(self) -> int:
        """The position packed."""
        slots = [kind for kind, _ in self.game.slots]
        codes = [0] * (FILES * RANKS)
        for (rank, file), (side, name) in self.board:
            kind = name[-1]
            code = 1 if kind == "玉" else 2 + 2 * slots.index(kind) + name.startswith("+")
            codes[rank * FILES + file] = code + 5 * side
        hand = [self.hands[0].count(kind) for kind in slots] + [0]
        return packed_variant_position(codes, (hand[0], hand[1]), attacker=self.side == 0)


def start(game: ShogiVariant, back_row: str) -> Position:
    board: dict[Cell, tuple[int, str]] = {}
    for file, piece in enumerate(back_row):
        if piece != "–":
            board[RANKS - 1, file] = (0, piece)
            board[0, FILES - 1 - file] = (1, piece)
    return Position(game, tuple(sorted(board.items())))


def in_zone(position: Position, side: int, cell: Cell) -> bool:
    rank = cell[0] if side == 0 else RANKS - 1 - cell[0]
    return rank < position.game.zone


def can_move_on(name: str, side: int, cell: Cell) -> bool:
    """Whether a piece has a move from a cell of an empty board."""
    steps = STEPS.get(name, ()) + SLIDES.get(name, ())
    return any(on_board(step(cell, side, one)) for one in steps)


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < RANKS and 0 <= cell[1] < FILES


def step(cell: Cell, side: int, by: Cell) -> Cell:
    sign = 1 if side == 0 else -1
    return cell[0] + sign * by[0], cell[1] + sign * by[1]


def reach(position: Position, cell: Cell) -> Iterator[Cell]:
    """The cells a piece attacks: those it may go to, whatever stands there."""
    board = dict(position.board)
    side, name = board[cell]
    for steps, far in ((STEPS.get(name, ()), False), (SLIDES.get(name, ()), True)):
        for by in steps:
            to = step(cell, side, by)
            while on_board(to):
                promotes = in_zone(position, side, cell) or in_zone(position, side, to)
                if can_move_on(name, side, to) or promotes:
                    yield to
                if not far or to in board:
                    break
                to = step(to, side, by)


def attacked(position: Position, side: int) -> bool:
    """Whether a side's king is attacked."""
    king = next(cell for cell, piece in position.board if piece == (side, "玉"))
    return any(king in reach(position, cell) for cell, (other, _) in position.board if other != side)


def after_moves(position: Position, *, mate_by_pawn: bool = False) -> list[Position]:
    """The positions after each legal move."""
    moves = [*board_moves(position), *drops(position)]
    legal = [after for after, _ in moves if not attacked(after, position.side)]
    if mate_by_pawn:
        return legal
    bad = [
        after for after, pawn in moves
        if pawn and attacked(after, after.side) and not after_moves(after, mate_by_pawn=True)
    ]  # fmt: skip
    return [after for after in legal if after not in bad]


def board_moves(position: Position) -> Iterator[tuple[Position, bool]]:
    board, side = dict(position.board), position.side
    for cell, (owner, name) in position.board:
        if owner != side:
            continue
        for to in reach(position, cell):
            if to in board and board[to][0] == side:
                continue
            promotes = "+" + name in STEPS or "+" + name in SLIDES
            promotes &= in_zone(position, side, cell) or in_zone(position, side, to)
            names = ([name] if can_move_on(name, side, to) else []) + (["+" + name] if promotes else [])
            for new in names:
                rest = {**board, to: (side, new)}
                del rest[cell]
                hands = list(position.hands)
                if to in board:
                    hands[side] = tuple(sorted((*hands[side], board[to][1][-1])))
                yield moved(position, rest, hands), False


def drops(position: Position) -> Iterator[tuple[Position, bool]]:
    board, side = dict(position.board), position.side
    for kind in set(position.hands[side]):
        for cell in ((rank, file) for rank in range(RANKS) for file in range(FILES)):
            pawns = {at[1] for at, piece in position.board if piece == (side, "歩")}
            if cell in board or not can_move_on(kind, side, cell) or (kind == "歩" and cell[1] in pawns):
                continue
            hands = list(position.hands)
            left = list(hands[side])
            left.remove(kind)
            hands[side] = tuple(left)
            yield moved(position, {**board, cell: (side, kind)}, hands), kind == "歩"


def moved(position: Position, board: dict[Cell, tuple[int, str]], hands: list[tuple[str, ...]]) -> Position:
    return replace(position, board=tuple(sorted(board.items())), hands=(hands[0], hands[1]), side=1 - position.side)
