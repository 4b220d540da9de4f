# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow, obvious twin of the restoring reading, on `tests.naive` alone (docs/rules.md).

It leaves out every drop that some shortest line shows to be restoring, searches again, and so on. Only for
positions whose mates take a few plies.
"""

from collections.abc import Iterator
from typing import Any

import shogi

from tests import naive

Drop = tuple[str, str]
"""The board, without hands and side, and the drop in USI; with it the attacker's least hand."""
Hand = dict[int, int]


class Search(naive.Search):
    """The narrow reading with some drops left out wherever two or more plies are left."""

    def __init__(self, left_out: dict[Drop, list[Hand]]) -> None:
        super().__init__("narrow")
        self.left_out = left_out

    def is_left_out(self, board: naive.Board, move: Any, n: int) -> bool:
        """Whether a drop does not count, the attacker holding enough."""
        hand = attackers_hand(board)
        least = self.left_out.get((board_part(board), move.usi()), [])
        return n >= 2 and any(includes(hand, smaller) for smaller in least)

    def _fails(self, board: naive.Board, move: Any, n: int) -> bool:
        return self.is_left_out(board, move, n) or super()._fails(board, move, n)

    def lines(self, board: naive.Board, n: int) -> Iterator[list[str]]:
        """Every line of shortest mates and longest defences from a turn that mates in exactly n plies."""
        for check in naive.check_moves(board):
            if self.mates(board, check, n):
                board.push(check)
                yield from ([check.usi(), *rest] for rest in self._defended(board, n - 1))
                board.pop()

    def _defended(self, board: naive.Board, n: int) -> Iterator[list[str]]:
        if n == 0:
            yield []
        for answer in list(naive.evasion_moves(board)) if n else ():
            if self.is_left_out(board, answer, n):
                continue
            board.push(answer)
            if self.mate_within(board, n - 1) and (n == 2 or not self.mate_within(board, n - 3)):
                yield from ([answer.usi(), *rest] for rest in self.lines(board, n - 1))
            board.pop()


def length(sfen: str, most: int) -> int | None:
    """The length by the restoring reading, up to ``most`` plies; None if there is no mate."""
    left_out: dict[Drop, list[Hand]] = {}
    while True:
        board, search = naive.board_of(sfen), Search(left_out)
        n = next((n for n in range(1, most + 1, 2) if search.mate_within(board, n)), None)
        if n is None:
            return None
        new = {found for line in search.lines(board, n) for found in _restoring(sfen, line)}
        new = {(drop, hand) for drop, hand in new if dict(hand) not in left_out.get(drop, [])}
        if not new:
            return n
        for drop, hand in new:
            left_out.setdefault(drop, []).append(dict(hand))


def _restoring(sfen: str, line: list[str]) -> Iterator[tuple[Drop, tuple[tuple[int, int], ...]]]:
    """The drops on a line that are captured at once and restored later on it."""
    boards = [naive.board_of(sfen)]
    for usi in line:
        boards.append(naive.board_of(boards[-1].sfen()))
        boards[-1].push_usi(usi)
    for ply in range(1, len(line) - 1, 2):
        drop, capture = line[ply], line[ply + 1]
        if (
            "*" in drop
            and drop[2:4] == capture[2:4]
            and any(_comes_back(boards, before, ply, drop) for before in (ply, ply - 1))
        ):
            hand = attackers_hand(boards[ply])
            yield (board_part(boards[ply]), drop), tuple(sorted(hand.items()))


def _comes_back(boards: list[naive.Board], before: int, ply: int, drop: str) -> bool:
    wanted = attackers_hand(boards[before])
    kind = "PLNSGBR".index(drop[0]) + 1
    wanted[kind] = wanted.get(kind, 0) + 1
    return any(
        board_part(board) == board_part(boards[before]) and includes(attackers_hand(board), wanted)
        for board in boards[ply + 1 + (before + ply + 1) % 2 :: 2]
    )


def board_part(board: naive.Board) -> str:
    """The board without hands and side to move."""
    return str(board.sfen().split()[0])


def attackers_hand(board: naive.Board) -> Hand:
    """The attacker's pieces in hand by kind."""
    return dict(board.pieces_in_hand[shogi.BLACK])


def includes(larger: Hand, smaller: Hand) -> bool:
    """Whether a hand has no fewer pieces of any kind than another."""
    return all(larger.get(kind, 0) >= number for kind, number in smaller.items())
