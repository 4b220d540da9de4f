# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding as a sentence and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.explaining.explanation import Cause, CauseKind, Proof, Try
from solver.judging.findings import (
    AllFail,
    CookClass,
    EqualDefence,
    LastMoves,
    LeftInHand,
    NeedlessPiece,
    OtherLength,
    ReadingsDiffer,
    SecondSolution,
    StartFault,
    StartsInCheck,
    VariationMate,
)
from solver.results import CONDITIONS, Choices, Defect, Finding, Judgement, Readings
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import moves_text, separator
from tsume.reports.notation import MoveWriter, kind_text, piece_text, side_text, usi_line, usi_notation
from tsume_rules.moves import Move
from tsume_rules.position import SET_COUNT, FaultKind, Hand, PlacementFault, Side, rotated, square_name
from tsume_rules.sfen import ParsedSfen, format_hand, format_sfen, piece_letter


def finding_sentence(finding: Finding, writer: MoveWriter, *, titled: bool = False) -> str:
    """A finding as a sentence, without its line; ``titled``: below a title that names its class."""
    line = finding.line
    match finding:
        case StartFault():
            return finding.fault if finding.reason is None else _start_fault(finding.reason, writer)
        case StartsInCheck():
            return writer.say("starts_in_check")
        case AllFail():
            return writer.say("all_fail", checks=finding.checks) if finding.checks else writer.say("no_check")
        case OtherLength():
            sooner = writer.say("sooner") if finding.actual < finding.expected else ""
            lengths = {"expected": finding.expected, "actual": finding.actual}
            return writer.say("other_length", sooner=sooner, **lengths)
        case SecondSolution():
            text = _second_solution(finding, writer)
            named = titled and finding.joins is None and finding.proved
            return text if named else _class_named(text, finding, writer)
        case LeftInHand():
            return writer.say("left_in_hand", hand=hand_words(finding.hand, writer.words))
        case NeedlessPiece():
            # The piece that can be removed, and where it stands.
            assert finding.piece is not None
            sq = finding.square
            return writer.say(
                "needless",
                piece=piece_text(
                    writer.words, finding.piece, None if sq is None else writer.notation.square(sq)
                ),
            )
        case ReadingsDiffer():
            lengths_before = [lengths_text(finding.readings, writer)] if finding.readings else []
            return writer.say("clauses").join([*lengths_before, dividing_drop(finding, writer)])
        case EqualDefence():
            answers = writer.moves(line[: finding.turn], finding.answers)
            return writer.say("equal_defence", number=finding.turn + 1, answers=answers)
        case LastMoves():
            moves, key = writer.moves(line[:-1], finding.moves), writer.move(line[:-1], line[-1])
            return writer.say("last_moves", number=len(line), moves=moves, key=key)
        case VariationMate():
            answer = writer.move(line[: finding.turn], line[finding.turn])
            return writer.say("variation_mate", answer=answer)
        case _:
            raise TypeError(f"no words for {type(finding).__name__}")


def _start_fault(fault: PlacementFault, writer: MoveWriter) -> str:
    """What is illegal in a start."""
    name, language = fault.kind.value, writer.words
    if fault.kind is FaultKind.KINGS and not fault.number:
        has_only_other = writer.position.king(fault.side.other) is not None
        name = "only_attacker_s_king" if has_only_other and fault.side is Side.DEFENDER else "no_king"
    squares = separator(language).join(map(writer.notation.square, fault.squares))
    return writer.say(
        name,
        side=side_text(language, fault.side),
        piece=kind_text(language, fault.piece),
        number=fault.number,
        full=SET_COUNT.get(fault.piece, 2),
        squares=squares,
    )


def _second_solution(finding: SecondSolution, writer: MoveWriter) -> str:
    path = finding.line[: finding.turn]
    assert finding.check is not None
    assert finding.key is not None
    check, key = writer.move(path, finding.check), writer.move(path, finding.key)
    parts = {"number": finding.turn + 1, "check": check, "key": key}
    if finding.of is Defect.UNDETERMINED_FORM:
        return writer.say("same_effect", **parts)
    if finding.of is Defect.SAME_POSITION:
        return writer.say("same_position", **parts)
    if finding.length is None:
        return writer.say("instead", **parts)
    late = writer.say("later", number=finding.late) if finding.late else writer.say("as_soon")
    return writer.say("instead_mates", moves=moves_text(writer.words, finding.length), late=late, **parts)


def _class_named(text: str, finding: SecondSolution, writer: MoveWriter) -> str:
    """The sentence on a second solution with its class, unless that is an ordinary cook."""
    kind = finding.kind
    if kind in (None, CookClass.TRUE, CookClass.SAME_POSITION) or finding.of is Defect.UNDETERMINED_FORM:
        return text
    name = "comes_back" if kind is CookClass.DETOUR else "joins"
    joins = "" if finding.joins is None else writer.say(name, number=finding.joins + 1)
    proved = "" if finding.proved else writer.say("as_searched")
    term = phrase(writer.words, f"classes.{kind.value}")
    return writer.say("classified", text=text, term=term, joins=joins, proved=proved)


def dividing_drop(finding: ReadingsDiffer, writer: MoveWriter) -> str:
    """On which drop the readings differ."""
    if not finding.line:
        return writer.say("readings_differ")
    drop = writer.move(finding.line[:-1], finding.line[-1])
    if finding.readings and finding.readings.parting is None:
        return writer.say("futile_drop_lasts", drop=drop)
    readings = writer.say("and").join(map(writer.say, finding.futile_by))
    return writer.say("futile_by", drop=drop, readings=readings)


def lengths_text(readings: Readings, writer: MoveWriter) -> str:
    """The length by each reading: ``narrow 3, purist 5, wide 3``."""
    if readings.purist is None:
        purist = writer.say("none_within", number=readings.searched)
    else:
        purist = writer.say("purist_length", number=readings.purist)
    return writer.say("lengths", narrow=readings.narrow, purist=purist, wide=readings.wide)


def hand_words(hand: Hand, language: Language) -> str:
    """A hand in words: ``gold, 2 pawns``."""
    texts = []
    for kind in sorted(set(hand), reverse=True):
        text = kind_text(language, kind)
        if hand[kind] > 1:
            text = phrase(language, "findings.number_of", number=hand[kind], kind=text)
        texts.append(text)
    return separator(language).join(texts)


def try_sentence(found: Try, writer: MoveWriter) -> str:
    """How a first check fails in a position without a mate."""
    parts = {
        "check": writer.move((), found.check),
        "answer": writer.move((found.check,), found.answer),
        "only": writer.say("only") if found.only else "",
        "cause": cause_text(found.cause, (found.check, found.answer), writer),
    }
    match found.proof:
        case Proof.NO_CHECK:
            return writer.say("try_no_check", **parts)
        case Proof.ANY_LENGTH:
            return writer.say("try_any_length", **parts)
        case Proof.BOUNDED:
            moves = moves_text(writer.words, found.within or 0)
            return writer.say("try_bounded", moves=moves, **parts)


def cause_text(cause: Cause | None, path: tuple[Move, ...], writer: MoveWriter) -> str:
    """What decides that the last move of a path refutes the check before it; empty if nothing is known."""
    if cause is None:
        return ""
    name = "cycle" if cause.kind is CauseKind.REPETITION and cause.line else cause.kind.value
    return writer.say(name, line=writer.line((*path, *cause.line), len(path)))


# --- JSON -----------------------------------------------------------------------------------------


def finding_fields(finding: Finding, parsed: ParsedSfen, main: tuple[Move, ...]) -> dict[str, Any]:
    """A finding as an object of the JSON list ``findings``."""
    is_defect = finding.of in CONDITIONS
    return {
        "defect": finding.of.name if is_defect else None,
        "remark": None if is_defect else finding.of.name,
        "text": finding_sentence(finding, MoveWriter(parsed, main, usi_notation(parsed))),
        "line": usi_line(parsed, finding.line),
        **_special_fields(finding, parsed),
    }


def _special_fields(finding: Finding, parsed: ParsedSfen) -> dict[str, Any]:
    def usi(moves: Iterable[Move | None]) -> list[str]:
        return usi_line(parsed, (move for move in moves if move is not None))

    match finding:
        case StartFault():
            return _start_fault_fields(finding, parsed)
        case AllFail():
            drop = usi((finding.forbidden,))
            tries = [try_fields(one, parsed) for one in finding.tries]
            return {"checks": finding.checks, "tries": tries, "forbidden": drop[0] if drop else None}
        case OtherLength():
            return {"expected": finding.expected, "actual": finding.actual}
        case SecondSolution():
            key, check = usi((finding.key, finding.check))
            turn = {"turn": finding.turn + 1, "key": key, "check": check}
            return {**turn, "length": finding.length, "late": finding.late, **_class_fields(finding)}
        case LeftInHand():
            return {"hand": format_hand(finding.hand)}
        case NeedlessPiece():
            assert finding.piece is not None
            assert finding.smaller is not None
            piece, sq = finding.piece, finding.square
            if parsed.rotated:
                piece, sq = piece.rotated, None if sq is None else rotated(sq)
            return {
                "piece": piece_letter(piece),
                "side": finding.piece.side.name.lower(),
                "square": None if sq is None else square_name(sq),
                "smaller": format_sfen(finding.smaller, rotated=parsed.rotated),
            }
        case ReadingsDiffer():
            drop = usi(finding.line[-1:])
            return {"drop": drop[0] if drop else None, "futile_by": list(finding.futile_by)}
        case EqualDefence():
            return {"turn": finding.turn + 1, "answers": usi(finding.answers)}
        case LastMoves():
            return {"turn": len(finding.line), "moves": usi(finding.moves)}
        case VariationMate():
            return {"turn": finding.turn + 1}
        case _:
            return {}


def _start_fault_fields(finding: StartFault, parsed: ParsedSfen) -> dict[str, Any]:
    fault = finding.reason
    if fault is None:
        return {"fault": finding.fault, "reason": None}
    squares = [square_name(rotated(sq) if parsed.rotated else sq) for sq in fault.squares]
    return {"fault": fault.sentence(rotated=parsed.rotated), "reason": fault.kind.name, "squares": squares}


def illegal_start_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """What is illegal in a start, as the JSON list ``illegal``; no field for a legal one."""
    found = [one for one in judgement.findings if isinstance(one, StartFault) and one.reason]
    return {"illegal": [_start_fault_fields(one, parsed) for one in found]} if found else {}


def _class_fields(finding: SecondSolution) -> dict[str, Any]:
    """The class of a second solution; ``joins`` is a move number."""
    return {
        "class": finding.kind.value if finding.kind else None,
        "joins": None if finding.joins is None else finding.joins + 1,
        "proved": finding.proved if finding.kind else None,
    }


def try_fields(found: Try, parsed: ParsedSfen) -> dict[str, Any]:
    """A try as a JSON object."""
    return {
        "check": parsed.outward(found.check).usi,
        "answer": parsed.outward(found.answer).usi,
        "proof": found.proof.value,
        "within": found.within,
        "only": found.only,
        "refutations": usi_line(parsed, found.refutations),
        "cause": None if found.cause is None else cause_fields(found.cause, parsed),
        "work": found.work,
    }


def cause_fields(cause: Cause, parsed: ParsedSfen) -> dict[str, Any]:
    """What decides, as a JSON object."""
    squares = [square_name(rotated(sq) if parsed.rotated else sq) for sq in cause.squares]
    return {"kind": cause.kind.value, "line": usi_line(parsed, cause.line), "squares": squares}


def readings_fields(readings: Readings | None, parsed: ParsedSfen) -> dict[str, Any] | None:
    """The readings as the JSON object under ``readings``."""
    if readings is None:
        return None
    parting = readings.parting
    return {
        "agree": readings.agree,
        "narrow": readings.narrow,
        "purist": readings.purist,
        "wide": readings.wide,
        "searched": readings.searched,
        "restoring": readings.restoring,
        "restoring_line": usi_line(parsed, readings.restoring_line),
        "restoring_drop": usi_line(parsed, readings.restoring_drop),
        "turn": None if parting is None else len(parting.path) + 1,
        "path": None if parting is None else usi_line(parsed, parting.path),
        "left": None if parting is None else parting.plies,
        "first_moves": None
        if parting is None
        else {
            name: _choices_fields(choices, parsed)
            for name, choices in (
                ("narrow", parting.narrow),
                ("purist", parting.purist),
                ("wide", parting.wide),
            )
        },
    }


def _choices_fields(choices: Choices, parsed: ParsedSfen) -> dict[str, Any]:
    return {"length": choices.length, "moves": usi_line(parsed, choices.moves)}
