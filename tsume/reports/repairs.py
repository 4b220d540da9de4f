"""Repairs of a problem in words and as JSON fields."""

from __future__ import annotations

from typing import Any

from generator.mending.changes import Change, Sort
from generator.mending.mend import Repair
from tsume_rules.pieces import Piece, Side
from tsume_rules.sfen import format_sfen
from tsume_rules.squares import Square, square_name


def change_text(change: Change) -> str:
    """One change as an instruction, squares in USI."""
    piece, sq = change.piece, change.square
    if piece is None:
        return f"shift everything by {_step_text(*change.step)}"
    if sq is None:
        name = _kind(piece)
        if change.sort is Sort.PUT_ON_BOARD:
            return f"put the {name} in hand on {_name(change.to)}"
        return f"{'add a' if change.sort is Sort.ADDED else 'take off the'} {name} in hand"
    there = f"the {_side(piece)}'s {_kind(piece)} on {_name(sq)}"
    match change.sort:
        case Sort.ADDED:
            return f"add the {_side(piece)}'s {_kind(piece)} on {_name(sq)}"
        case Sort.MOVED:
            return f"move {there} to {_name(change.to)}"
        case Sort.TAKEN_IN_HAND:
            return f"take {there} into the hand"
        case Sort.EXCHANGED:
            return f"exchange {there} for {_other_text(piece, change.other)}"
    return f"take off {there}"


def repair_fields(repair: Repair) -> dict[str, Any]:
    """A repair as JSON fields: its changes, and the problem they lead to."""
    return {
        "changes": [_change_fields(change) for change in repair.changes],
        "sfen": format_sfen(repair.position),
        "length": repair.judgement.length,
        "grade": repair.grade.value,
        "blemishes": [blemish.name for blemish in repair.judgement.blemishes],
        "line": [move.usi for move in repair.judgement.line],
    }


def _change_fields(change: Change) -> dict[str, Any]:
    fields = {
        "change": change.sort.value,
        "piece": _piece_fields(change.piece),
        "square": None if change.square is None else square_name(change.square),
        "to": None if change.to is None else square_name(change.to),
        "other": _piece_fields(change.other),
        "step": list(change.step) if any(change.step) else None,
        "text": change_text(change),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _piece_fields(piece: Piece | None) -> dict[str, str] | None:
    return None if piece is None else {"side": _side(piece), "kind": _kind(piece)}


def _other_text(piece: Piece, other: Piece | None) -> str:
    if other is None:
        return "nothing"
    return f"a {_kind(other)}" if other.side is piece.side else f"the {_side(other)}'s {_kind(other)}"


def _step_text(files: int, ranks: int) -> str:
    parts = []
    if files:
        parts.append(f"{abs(files)} to the {'left' if files > 0 else 'right'}")
    if ranks:
        parts.append(f"{abs(ranks)} {'down' if ranks > 0 else 'up'}")
    return " and ".join(parts)


def _name(sq: Square | None) -> str:
    return "the hand" if sq is None else square_name(sq)


def _side(piece: Piece) -> str:
    return "attacker" if piece.side is Side.ATTACKER else "defender"


def _kind(piece: Piece) -> str:
    return piece.kind.name.lower().replace("_", " ")
