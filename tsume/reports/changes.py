# SPDX-License-Identifier: GPL-3.0-or-later
"""Changed problems, repairs and suggestions, in words and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from generator.changes import ChangeKind, PositionChange
from tsume.formats.english import kind_name
from tsume.language.catalogue import Language, Voice, phrase
from tsume.reports.judgement import defect_term_lines, judgement_head_line
from tsume.reports.notation import MoveWriter, kind_text, piece_text, side_text, square_words, usi_line
from tsume_rules.position import Piece, Square, square_name
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from generator.mending.enrich import ProblemWorth, Suggestion
    from generator.mending.mend import Mended, Repair, ReworkedProblem

_MAX_ALTERNATIVES = 8
"""At most this many alternatives of a repair are shown."""


def change_text(change: PositionChange, language: Language = "en") -> str:
    """Return one change as an instruction."""

    def say(name: str, **parts: object) -> str:
        return phrase(language, f"changes.{name}", **parts)

    def square(sq: Square | None) -> str | None:
        return None if sq is None else square_words(language, sq)

    piece, other = change.piece, change.other
    if piece is None:
        files, ranks = change.step
        steps = [say("left" if files > 0 else "right", number=abs(files))] if files else []
        steps.extend([say("down" if ranks > 0 else "up", number=abs(ranks))] if ranks else [])
        return say("shift", steps=say("and").join(steps))
    if change.sort is ChangeKind.ADDED and change.square is None:
        return say("add_in_hand", kind=kind_text(language, piece.kind))
    there = piece_text(language, piece, square(change.square))
    match change.sort:
        case ChangeKind.ADDED:
            return say("add", piece=there)
        case ChangeKind.MOVED:
            return say("move", piece=there, square=square(change.to))
        case ChangeKind.TAKEN_IN_HAND:
            return say("take_in_hand", piece=there)
        case ChangeKind.PUT_ON_BOARD:
            return say("put_on_board", piece=there, square=square(change.to))
        case ChangeKind.EXCHANGED if other is None:
            return say("exchange", piece=there, other=say("nothing"))
        case ChangeKind.EXCHANGED if other is not None:
            kind, is_same = kind_text(language, other.kind), other.side is piece.side
            side = side_text(language, other.side)
            new = say("same_side", kind=kind) if is_same else say("other_side", side=side, kind=kind)
            return say("exchange", piece=there, other=new)
    return say("take_off", piece=there)


def changed_problem_fields(made: ReworkedProblem, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a changed problem as JSON fields in the orientation of ``parsed``: changes and result."""
    return {
        "changes": _changes_fields(made.changes, parsed),
        "sfen": format_sfen(made.position, rotated=parsed.rotated),
        "length": made.judgement.length,
        "grade": made.judgement.grade.value if made.judgement.grade else None,
        "blemishes": made.judgement.blemishes.blemish_names,
        "line": usi_line(parsed, made.judgement.line),
    }


def repair_fields(made: Repair, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a repair as JSON fields, with its alternatives."""
    alternatives = []
    for one in made.alternatives:
        sfen = format_sfen(one.position, rotated=parsed.rotated)
        alternatives.append({"changes": _changes_fields(one.changes, parsed), "sfen": sfen})
    return {**changed_problem_fields(made, parsed), "alternatives": alternatives}


def repair_text(made: Repair, voice: Voice) -> str:
    """Return what a repair changes, with its alternatives."""
    text = _changes_text(made.changes, voice)
    if made.alternatives:
        shown = [_changes_text(one.changes, voice) for one in made.alternatives[:_MAX_ALTERNATIVES]]
        more = voice("changes.more") * (len(made.alternatives) > _MAX_ALTERNATIVES)
        text += voice("changes.alternatives", changes=voice("changes.or").join(shown) + more)
    return text


def repair_lines(number: int, made: Repair, voice: Voice) -> list[str]:
    """Return a repair as numbered lines, with its alternatives and blemishes."""
    return [f"{number}. {repair_text(made, voice)}", *_result_lines(made, voice)]


def near_miss_lines(mended: Mended, voice: Voice) -> list[str]:
    """Return why there is no repair, and the changed position that comes nearest to one."""
    why = "none_correct" if mended.mating else "none_mates" if mended.tried else "none_legal"
    cut = "" if mended.complete else voice("changes.cut_short")
    lines = [voice(f"changes.{why}", tried=mended.tried, mating=mended.mating, cut=cut)]
    if mended.nearest is not None:
        lines.append(voice("changes.nearest", changes=_changes_text(mended.nearest.changes, voice)))
        lines += _result_lines(mended.nearest, voice)
    return lines


def search_fields(mended: Mended | None, parsed: ParsedSfen) -> dict[str, Any]:
    """Return what a search for repairs tried, as JSON fields, with the nearest position if it found none."""
    nearest = mended.nearest if mended else None
    return {
        "nearest": nearest and {**changed_problem_fields(nearest, parsed), "faults": nearest.judgement.faults.names},
        "tried": mended.tried if mended else 0,
        "mating": mended.mating if mended else 0,
    }


def _result_lines(made: ReworkedProblem, voice: Voice, *worth: str) -> list[str]:
    """Return what a change leads to, indented: grade and line, faults and blemishes, worth, the position."""
    head = judgement_head_line(made.judgement, ParsedSfen(made.position), voice)
    lines = [head, *defect_term_lines(made.judgement, voice), *worth, format_sfen(made.position)]
    return [f"   {line}" for line in lines]


def _changes_text(changes: Iterable[PositionChange], voice: Voice) -> str:
    return voice("changes.clauses").join(change_text(change, voice.words) for change in changes)


def _changes_fields(changes: Iterable[PositionChange], parsed: ParsedSfen) -> list[dict[str, Any]]:
    def square(sq: Square | None) -> str | None:
        return None if sq is None else square_name(sq)

    def fields_of(piece: Piece | None) -> dict[str, str] | None:
        return None if piece is None else {"side": piece.side.name.lower(), "kind": kind_name(piece.kind)}

    found = []
    for change in (one.rotated if parsed.rotated else one for one in changes):
        fields = {
            "change": change.sort.value,
            "piece": fields_of(change.piece),
            "square": square(change.square),
            "to": square(change.to),
            "other": fields_of(change.other),
            "step": list(change.step) if any(change.step) else None,
            "text": change_text(change),
        }
        found.append({name: value for name, value in fields.items() if value is not None})
    return found


def worth_fields(worth: ProblemWorth | None) -> dict[str, Any]:
    """Return quality, likeness and material as JSON fields; null if unknown."""
    return {name: None if worth is None else getattr(worth, name) for name in ("quality", "likeness", "material")}


def worth_text(worth: ProblemWorth, voice: Voice) -> str:
    """Return quality, likeness and material in words."""
    return voice("changes.worth", **asdict(worth))


def suggestion_fields(made: Suggestion, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a suggestion for ``parsed`` as JSON fields."""
    return {
        "kind": made.kind.value,
        "introduction": usi_line(parsed, made.introduction),
        **changed_problem_fields(made, parsed),
        **worth_fields(made.worth),
        "gain": made.gain,
    }


def suggestion_text(made: Suggestion, voice: Voice) -> str:
    """Return how the line of a suggestion begins, and what it changes."""
    text = _changes_text(made.changes, voice)
    if not made.introduction:
        return text
    line = MoveWriter(voice, ParsedSfen(made.position), ()).line(made.introduction)
    return voice("changes.clauses").join(filter(None, [voice("changes.begin_with", line=line), text]))


def suggestion_lines(number: int, made: Suggestion, voice: Voice) -> list[str]:
    """Return a suggestion as numbered lines."""
    worth = voice("changes.gain", worth=worth_text(made.worth, voice), gain=made.gain)
    return [f"{number}. {suggestion_text(made, voice)}", *_result_lines(made, voice, worth)]
