# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions that a GUI sends, with the side to move as the attacker."""

from __future__ import annotations

from dataclasses import dataclass

from tsume.formats.game_starts import START_SFEN
from tsume.usi.protocol import UsiError, excerpt
from tsume_rules.legality import legal_position_after
from tsume_rules.moves import parse_move
from tsume_rules.pieces import Side
from tsume_rules.position import IN_CHECK, Position, structural_faults
from tsume_rules.reach import in_check
from tsume_rules.sfen import ParsedSfen, parse_sfen


@dataclass(frozen=True)
class UsiPosition:
    """A position to search: ``parsed`` has the side to move as the attacker, whichever colour it has."""

    parsed: ParsedSfen

    @property
    def white_to_move(self) -> bool:
        """Whether White is the attacker."""
        return self.parsed.rotated


def parse_position(rest: str) -> UsiPosition:
    """The position of ``position startpos|sfen SFEN [moves ...]``.

    Raises `UsiError`, whose message names the field: ``sfen`` or ``moves``.
    """
    text, _, moves = f"{' '.join(rest.split())} ".partition(" moves ")
    given = _given(text.strip())
    game = given.position.sides_exchanged if given.rotated else given.position
    for number, move in enumerate(moves.split(), start=1):
        game = _played(game, move, number)
    return UsiPosition(_from_attacker(game, given.missing))


def start_position() -> UsiPosition:
    """The position before any ``position`` command: the start of the game."""
    return UsiPosition(parse_sfen(START_SFEN))


def _given(text: str) -> ParsedSfen:
    kind, _, sfen = text.partition(" ")
    if kind == "startpos" and not sfen:
        return parse_sfen(START_SFEN)
    if kind != "sfen":
        raise UsiError(f"position: needs startpos or sfen, not {excerpt(text)}")
    try:
        return parse_sfen(sfen)
    except ValueError as error:
        raise UsiError(f"position sfen: {_printable(str(error))}") from None


def _played(game: Position, text: str, number: int) -> Position:
    """The position of a game after a move; Black is `Side.ATTACKER`."""
    try:
        move = parse_move(text)
    except ValueError:
        raise UsiError(f"position moves: move {number}, {excerpt(text)}, is not USI notation") from None
    try:
        return legal_position_after(game, move)
    except ValueError as error:
        reason = str(error).partition(": ")[2] or str(error)
        reason = reason.replace("the attacker's", "Black's").replace("the defender's", "White's")
        raise UsiError(f"position moves: move {number}, {text}: {reason}") from None


def _from_attacker(game: Position, missing: int) -> ParsedSfen:
    """The position with the side to move as the attacker. Raises `UsiError` if it cannot attack."""
    is_white = game.side_to_move is Side.DEFENDER
    position = game.sides_exchanged if is_white else game
    faults = structural_faults(position)
    if not faults and in_check(position, Side.DEFENDER):
        faults.append(IN_CHECK)
    if faults:
        raise UsiError(f"position: {'; '.join(faults)}")
    return ParsedSfen(position, is_white, missing)


def _printable(text: str) -> str:
    return ascii(text)[1:-1]
