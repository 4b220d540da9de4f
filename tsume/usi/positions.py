# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions that a GUI sends, and whether the side to move attacks or defends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tsume.formats.game_record import START_SFEN, as_played
from tsume.usi.protocol import UsiError, excerpt
from tsume_rules.legality import in_check, legal_moves, legal_position_after
from tsume_rules.moves import parse_move
from tsume_rules.position import IN_CHECK, Position, Side, structural_faults
from tsume_rules.sfen import ParsedSfen, parse_placement, parse_sfen


@dataclass(frozen=True)
class UsiPosition:
    """A position to search, in the roles that the side to move has there; of either colour.

    ``attack``: the side to move is the attacker; None if the other side has no king, or if the moves before
    are those of a problem, a check at each turn, after which the defender is to move. ``defence``: the side
    to move is the defender; None if it has no king, or with two kings if it is neither in check nor the side
    that was not to move at first (``sfen``). ``missing``: pieces given to the defender's hand.
    """

    attack: ParsedSfen | None
    defence: ParsedSfen | None
    missing: int = 0

    @property
    def parsed(self) -> ParsedSfen:
        """The position in its first role."""
        found = self.attack or self.defence
        assert found is not None
        return found

    @property
    def white_to_move(self) -> bool:
        """Whether White is to move."""
        return self.parsed.rotated is (self.parsed.position.side_to_move is Side.ATTACKER)

    def is_legal(self, move: str) -> bool:
        """Return whether a move in USI is legal here."""
        try:
            legal_position_after(self.parsed.position, self.parsed.outward(parse_move(move)))
        except ValueError:
            return False
        return True

    def a_defence(self, only: tuple[str, ...]) -> str | None:
        """A legal move, one of ``only`` unless that is empty; None if the side to move is no defender."""
        if self.defence is None:
            return None
        moves = (self.defence.outward(move).usi for move in legal_moves(self.defence.position))
        return next((move for move in moves if not only or move in only), None)


def parse_position(rest: str) -> UsiPosition:
    """Return the position of ``position startpos|sfen SFEN [moves ...]``.

    Raises `UsiError`, whose message names the field: ``sfen`` or ``moves``.
    """
    text, _, moves = f"{' '.join(rest.split())} ".partition(" moves ")
    kind, given = _given(text.strip())
    # The position of a game, without what a handicap leaves out; Black is `Side.ATTACKER`.
    position = as_played(given)
    game = position.sides_exchanged if given.rotated else position
    checks: list[bool] = []
    for number, move in enumerate(moves.split(), start=1):
        game = _played(game, move, number)
        checks.append(in_check(game, game.side_to_move))
    is_other_side_s = kind == "sfen" and len(checks) % 2 == 1
    # The position with the roles of the side to move. Raises `UsiError` if it is illegal. ``is_problem``:
    # the moves before are those of a problem, so that the defender is to move. ``may_defend``: with two
    # kings, the side to move may be the defender.
    is_problem = is_other_side_s and all(checks[::2])
    may_defend = is_other_side_s or in_check(game, game.side_to_move)
    is_white = game.side_to_move is Side.DEFENDER
    attack = ParsedSfen(_with_rest(game.sides_exchanged if is_white else game), is_white, given.missing)
    defence = ParsedSfen(_with_rest(game if is_white else game.sides_exchanged), not is_white, given.missing)
    has_king = [attack.position.king(side) is not None for side in (Side.ATTACKER, Side.DEFENDER)]
    faults = structural_faults((attack if has_king[1] else defence).position)
    if not faults and in_check(attack.position, Side.DEFENDER):
        faults.append(IN_CHECK)
    if faults:
        raise UsiError(f"position: {'; '.join(faults)}")
    attacks = has_king[1] and not (has_king[0] and is_problem)
    defends = has_king[0] and (may_defend or not has_king[1])
    return UsiPosition(attack if attacks else None, defence if defends else None, given.missing)


def start_position() -> UsiPosition:
    """Return the position before any ``position`` command: the start of the game."""
    return UsiPosition(parse_sfen(START_SFEN), None)


def _given(text: str) -> tuple[str, ParsedSfen]:
    """``startpos`` or ``sfen``, and the position."""
    kind, _, sfen = text.partition(" ")
    if kind == "startpos" and not sfen:
        return kind, parse_sfen(START_SFEN)
    if kind != "sfen":
        raise UsiError(f"position: needs startpos or sfen, not {excerpt(text)}")
    try:
        return kind, _with_attacker(sfen)
    except ValueError as error:
        raise UsiError(f"position sfen: {ascii(str(error))[1:-1]}") from None


def _with_attacker(sfen: str) -> ParsedSfen:
    """Return the position of an SFEN; if only the side to move has a king, that is the defender, to move.

    Raises ValueError.
    """
    given = parse_placement(sfen).position
    if given.king(Side.DEFENDER) is not None or given.king(Side.ATTACKER) is None:
        return parse_sfen(sfen)
    board, side, *rest = sfen.removeprefix("sfen ").split()
    other = parse_sfen(" ".join((board, "w" if side == "b" else "b", *rest)))
    return replace(other, position=replace(other.position, side_to_move=Side.DEFENDER))


def _played(game: Position, text: str, number: int) -> Position:
    """Return the position of a game after a move; Black is `Side.ATTACKER`."""
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


def _with_rest(position: Position) -> Position:
    """Return the position in which the defender holds what a handicap leaves out."""
    return Position.completed(position.board, position.attacker_hand, position.side_to_move)
