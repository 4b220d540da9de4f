"""Changed problems, repairs and suggestions, in words and as JSON fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.mending.changes import Change, Sort
from tsume.formats.english import kind_name
from tsume.formats.japanese import line_text
from tsume.output import usi_line
from tsume.reports.judgement import head_line
from tsume.reports.notation import piece_text
from tsume_rules.pieces import Piece
from tsume_rules.sfen import ParsedSfen, format_sfen
from tsume_rules.squares import Square, square_name

if TYPE_CHECKING:
    from generator.mending.suggestions import Suggestion, Worth
    from generator.mending.workbench import Reworked


def change_text(change: Change) -> str:
    """One change as an instruction, squares in USI."""
    if change.piece is None:
        return f"shift everything by {_step_text(*change.step)}"
    if change.sort is Sort.ADDED and change.square is None:
        return f"add a {kind_name(change.piece.kind)} in hand"
    there = piece_text("en", change.piece, _name(change.square))
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


def reworked_fields(made: Reworked, parsed: ParsedSfen) -> dict[str, Any]:
    """What was made of ``parsed`` as JSON fields, in its orientation: the changes, what they lead to."""
    return {
        "changes": [_change_fields(change.rotated if parsed.rotated else change) for change in made.changes],
        "sfen": format_sfen(made.position, rotated=parsed.rotated),
        "length": made.judgement.length,
        "grade": made.grade.value,
        "blemishes": [blemish.name for blemish in made.judgement.blemishes],
        "line": usi_line(parsed, made.judgement.line),
    }


def reworked_lines(number: int, made: Reworked, what: str = "", worth: str = "") -> list[str]:
    """What was made as numbered lines: ``what`` and the changes, grade and line, ``worth``, the position."""
    changes = "; ".join([*([what] if what else []), *map(change_text, made.changes)])
    head = head_line(made.judgement, ParsedSfen(made.position))
    further = [head, *([worth] if worth else []), format_sfen(made.position)]
    return [f"{number}. {changes}", *(f"   {line}" for line in further)]


def worth_fields(worth: Worth | None) -> dict[str, Any]:
    """Quality and likeness as JSON fields; null where they are not known."""
    return {
        "quality": None if worth is None else worth.quality,
        "likeness": None if worth is None else worth.likeness,
    }


def worth_text(worth: Worth) -> str:
    """Quality and likeness in words."""
    return f"quality {worth.quality:.1f}, likeness {worth.likeness}%"


def suggestion_fields(made: Suggestion, parsed: ParsedSfen) -> dict[str, Any]:
    """A suggestion for ``parsed`` as JSON fields."""
    return {
        "kind": made.kind.value,
        "introduction": usi_line(parsed, made.introduction),
        **reworked_fields(made, parsed),
        **worth_fields(made.worth),
        "gain": made.gain,
    }


def suggestion_lines(number: int, made: Suggestion) -> list[str]:
    """A suggestion as numbered lines."""
    what = f"begin with {line_text(made.position, made.introduction)}" if made.introduction else ""
    return reworked_lines(number, made, what, f"{worth_text(made.worth)}: {made.gain:+.1f}")


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
