"""Repairs of a problem in words and as JSON fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.mending.changes import Change, Sort
from tsume.formats.english import kind_name
from tsume.output import usi_line
from tsume.reports.notation import piece_text
from tsume_rules.pieces import Piece
from tsume_rules.sfen import ParsedSfen, format_sfen
from tsume_rules.squares import Square, square_name

if TYPE_CHECKING:
    from generator.mending.mend import Repair


def change_text(change: Change) -> str:
    """One change as an instruction, squares in USI."""
    if change.piece is None:
        return f"shift everything by {_step_text(*change.step)}"
    if change.sort is Sort.ADDED and change.square is None:
        return f"add a {kind_name(change.piece.kind)} in hand"
    there = piece_text(change.piece, _name(change.square))
    match change.sort:
        case Sort.ADDED:
            return f"add {there}"
        case Sort.MOVED:
            return f"move {there} to {_name(change.to)}"
        case Sort.TAKEN_IN_HAND:
            return f"take {there} into the hand"
        case Sort.PUT_ON_BOARD:
            return f"put {there} on {_name(change.to)}"
        case Sort.EXCHANGED:
            return f"exchange {there} for {_other_text(change.piece, change.other)}"
    return f"take off {there}"


def repair_fields(repair: Repair, parsed: ParsedSfen) -> dict[str, Any]:
    """A repair of ``parsed`` as JSON fields, in its orientation: the changes, what they lead to."""
    return {
        "changes": [
            _change_fields(change.rotated if parsed.rotated else change) for change in repair.changes
        ],
        "sfen": format_sfen(repair.position, rotated=parsed.rotated),
        "length": repair.judgement.length,
        "grade": repair.grade.value,
        "blemishes": [blemish.name for blemish in repair.judgement.blemishes],
        "line": usi_line(parsed, repair.judgement.line),
    }


def _change_fields(change: Change) -> dict[str, Any]:
    fields = {
        "change": change.sort.value,
        "piece": _piece_fields(change.piece),
        "square": _name(change.square),
        "to": _name(change.to),
        "other": _piece_fields(change.other),
        "step": list(change.step) if any(change.step) else None,
        "text": change_text(change),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _piece_fields(piece: Piece | None) -> dict[str, str] | None:
    return None if piece is None else {"side": _side(piece), "kind": kind_name(piece.kind)}


def _other_text(piece: Piece, other: Piece | None) -> str:
    if other is None:
        return "nothing"
    owner = "a" if other.side is piece.side else f"the {_side(other)}'s"
    return f"{owner} {kind_name(other.kind)}"


def _step_text(files: int, ranks: int) -> str:
    parts = []
    if files:
        parts.append(f"{abs(files)} to the {'left' if files > 0 else 'right'}")
    if ranks:
        parts.append(f"{abs(ranks)} {'down' if ranks > 0 else 'up'}")
    return " and ".join(parts)


def _name(sq: Square | None) -> str | None:
    return None if sq is None else square_name(sq)


def _side(piece: Piece) -> str:
    return piece.side.name.lower()
