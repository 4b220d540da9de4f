# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding as a sentence and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.explaining.explanation import Cause, CauseKind, Proof, Try
from solver.judging import findings
from solver.results import CONDITIONS, Defect, Finding, Judgement, Readings
from tsume.language.catalogue import USI, Language, list_separator, moves_text, phrase
from tsume.reports.notation import MoveWriter, kind_text, piece_text, side_text, usi_line
from tsume_rules.moves import Move
from tsume_rules.position import SET_COUNT, FaultKind, Hand, PlacementFault, Side, Square, rotated, square_name
from tsume_rules.sfen import ParsedSfen, format_hand, format_sfen, piece_letter


def finding_sentence(finding: Finding, writer: MoveWriter, *, titled: bool = False) -> str:
    """Return a finding as a sentence, without its line; ``titled``: below a title that names its class."""
    line = finding.line
    match finding:
        case findings.StartFault():
            return finding.fault if finding.reason is None else _start_fault(finding.reason, writer)
        case findings.StartsInCheck():
            return writer.say("starts_in_check")
        case findings.AllChecksFail():
            return writer.say("all_fail", checks=finding.checks) if finding.checks else writer.say("no_check")
        case findings.OtherLength():
            sooner = writer.say("sooner") if finding.actual < finding.expected else ""
            lengths = {"expected": finding.expected, "actual": finding.actual}
            return writer.say("other_length", sooner=sooner, **lengths)
        case findings.SecondSolution():
            return _second_solution(finding, writer, titled=titled)
        case findings.LeftInHand():
            return writer.say("left_in_hand", hand=hand_words(finding.hand, writer.words))
        case findings.NeedlessPiece():
            assert finding.piece is not None
            square = None if finding.square is None else writer.square(finding.square)
            return writer.say("needless", piece=piece_text(writer.words, finding.piece, square))
        case findings.ReadingsDiffer():
            lengths_before = [lengths_text(finding.readings, writer)] if finding.readings else []
            return writer.say("clauses").join([*lengths_before, dividing_drop(finding, writer)])
        case findings.EqualDefence():
            answers = writer.moves(line[: finding.turn], finding.answers)
            return writer.say("equal_defence", number=finding.turn + 1, answers=answers)
        case findings.LastMoves():
            moves, key = writer.moves(line[:-1], finding.moves), writer.move(line[:-1], line[-1])
            return writer.say("last_moves", number=len(line), moves=moves, key=key)
        case findings.VariationMate():
            answer = writer.move(line[: finding.turn], line[finding.turn])
            return writer.say("variation_mate", answer=answer)
        case _:
            raise TypeError(f"no words for {type(finding).__name__}")


def _start_fault(fault: PlacementFault, writer: MoveWriter) -> str:
    name = fault.kind.value
    if fault.kind is FaultKind.KINGS and not fault.number:
        has_only_other = writer.position.king(fault.side.other) is not None
        name = "only_attacker_s_king" if has_only_other and fault.side is Side.DEFENDER else "no_king"
    side, piece = side_text(writer.words, fault.side), kind_text(writer.words, fault.piece)
    squares = list_separator(writer.words).join(map(writer.square, fault.squares))
    full = SET_COUNT.get(fault.piece, 2)
    return writer.say(name, side=side, piece=piece, number=fault.number, full=full, squares=squares)


def _second_solution(finding: findings.SecondSolution, writer: MoveWriter, *, titled: bool) -> str:
    """Return a second solution in words, with its class unless it is titled or that is an ordinary cook."""
    path, kind = finding.line[: finding.turn], finding.kind
    assert finding.check is not None
    assert finding.key is not None
    check, key = writer.move(path, finding.check), writer.move(path, finding.key)
    parts = {"number": finding.turn + 1, "check": check, "key": key}
    if finding.of is Defect.UNDETERMINED_FORM:
        return writer.say("same_effect", **parts)
    if finding.of is Defect.SAME_POSITION:
        text = writer.say("same_position", **parts)
    elif finding.length is None:
        text = writer.say("instead", **parts)
    else:
        late = writer.say("later", number=finding.late) if finding.late else writer.say("as_soon")
        moves = moves_text(writer.words, finding.length)
        text = writer.say("instead_mates", moves=moves, late=late, **parts)
    is_titled = titled and finding.joins is None and finding.proved
    if is_titled or kind in (None, findings.CookClass.TRUE, findings.CookClass.SAME_POSITION):
        return text
    name = "comes_back" if kind is findings.CookClass.DETOUR else "joins"
    joins = "" if finding.joins is None else writer.say(name, number=finding.joins + 1)
    proved = "" if finding.proved else writer.say("as_searched")
    term = phrase(writer.words, f"classes.{kind.value}")
    return writer.say("classified", text=text, term=term, joins=joins, proved=proved)


def dividing_drop(finding: findings.ReadingsDiffer, writer: MoveWriter) -> str:
    """Return on which drop the readings differ."""
    if not finding.line:
        return writer.say("readings_differ")
    drop = writer.move(finding.line[:-1], finding.line[-1])
    if finding.readings and finding.readings.parting is None:
        return writer.say("futile_drop_lasts", drop=drop)
    readings = writer.say("and").join(map(writer.say, finding.futile_by))
    return writer.say("futile_by", drop=drop, readings=readings)


def lengths_text(readings: Readings, writer: MoveWriter) -> str:
    """Return the length by each reading: ``narrow 3, purist 5, wide 3``."""
    if readings.purist is None:
        purist = writer.say("none_within", number=readings.searched)
    else:
        purist = writer.say("purist_length", number=readings.purist)
    return writer.say("lengths", narrow=readings.narrow, purist=purist, wide=readings.wide)


def hand_words(hand: Hand, language: Language) -> str:
    """Return a hand in words: ``gold, 2 pawns``."""
    texts = []
    for kind in sorted(set(hand), reverse=True):
        text = kind_text(language, kind)
        if hand[kind] > 1:
            text = phrase(language, "findings.number_of", number=hand[kind], kind=text)
        texts.append(text)
    return list_separator(language).join(texts)


def try_sentence(found: Try, writer: MoveWriter) -> str:
    """Return how a first check fails in a position without a mate."""
    parts = {
        "check": writer.move((), found.check),
        "answer": writer.move((found.check,), found.answer),
        "only": writer.say("only") if found.is_only_refutation else "",
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
    """Return what decides that the last move of a path refutes the check before it; empty if unknown."""
    if cause is None:
        return ""
    name = "cycle" if cause.kind is CauseKind.REPETITION and cause.line else cause.kind.value
    return writer.say(name, line=writer.line((*path, *cause.line), len(path)))


# --- JSON -----------------------------------------------------------------------------------------


def finding_fields(finding: Finding, parsed: ParsedSfen, main: tuple[Move, ...]) -> dict[str, Any]:
    """Return a finding as an object of the JSON list ``findings``."""
    is_defect = finding.of in CONDITIONS
    fields: dict[str, Any] = {
        "defect": finding.of.name if is_defect else None,
        "remark": None if is_defect else finding.of.name,
        "text": finding_sentence(finding, MoveWriter(USI, parsed, main)),
        "line": usi_line(parsed, finding.line),
    }

    def usi(moves: Iterable[Move | None]) -> list[str]:
        return usi_line(parsed, (move for move in moves if move is not None))

    match finding:
        case findings.StartFault():
            fields |= _start_fault_fields(finding, parsed)
        case findings.AllChecksFail():
            tries = [try_fields(one, parsed) for one in finding.tries]
            forbidden = next(iter(usi((finding.forbidden,))), None)
            fields |= {"checks": finding.checks, "tries": tries, "forbidden": forbidden}
        case findings.OtherLength():
            fields |= {"expected": finding.expected, "actual": finding.actual}
        case findings.SecondSolution():
            key, check = usi((finding.key, finding.check))
            joins = None if finding.joins is None else finding.joins + 1  # a move number
            fields |= {
                "turn": finding.turn + 1,
                "key": key,
                "check": check,
                "length": finding.length,
                "late": finding.late,
                "class": finding.kind.value if finding.kind else None,
                "joins": joins,
                "proved": finding.proved if finding.kind else None,
            }
        case findings.LeftInHand():
            fields["hand"] = format_hand(finding.hand)
        case findings.NeedlessPiece():
            assert finding.piece is not None
            assert finding.smaller is not None
            piece = finding.piece.rotated if parsed.rotated else finding.piece
            fields |= {
                "piece": piece_letter(piece),
                "side": finding.piece.side.name.lower(),
                "square": None if finding.square is None else _square_names(parsed, [finding.square])[0],
                "smaller": format_sfen(finding.smaller, rotated=parsed.rotated),
            }
        case findings.ReadingsDiffer():
            drop = next(iter(usi(finding.line[-1:])), None)
            fields |= {"drop": drop, "futile_by": list(finding.futile_by)}
        case findings.EqualDefence():
            fields |= {"turn": finding.turn + 1, "answers": usi(finding.answers)}
        case findings.LastMoves():
            fields |= {"turn": len(finding.line), "moves": usi(finding.moves)}
        case findings.VariationMate():
            fields["turn"] = finding.turn + 1
    return fields


def _square_names(parsed: ParsedSfen, squares: Iterable[Square]) -> list[str]:
    return [square_name(rotated(sq) if parsed.rotated else sq) for sq in squares]


def _start_fault_fields(finding: findings.StartFault, parsed: ParsedSfen) -> dict[str, Any]:
    fault = finding.reason
    if fault is None:
        return {"fault": finding.fault, "reason": None}
    told, squares = fault.sentence(rotated=parsed.rotated), _square_names(parsed, fault.squares)
    return {"fault": told, "reason": fault.kind.name, "squares": squares}


def illegal_start_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """Return what is illegal in a start, as the JSON list ``illegal``; no field for a legal one."""
    found = [one for one in judgement.findings if isinstance(one, findings.StartFault) and one.reason]
    return {"illegal": [_start_fault_fields(one, parsed) for one in found]} if found else {}


def try_fields(found: Try, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a try as a JSON object."""
    return {
        "check": parsed.outward(found.check).usi,
        "answer": parsed.outward(found.answer).usi,
        "proof": found.proof.value,
        "within": found.within,
        "only": found.is_only_refutation,
        "refutations": usi_line(parsed, found.refutations),
        "cause": None if found.cause is None else cause_fields(found.cause, parsed),
        "work": found.work,
    }


def cause_fields(cause: Cause, parsed: ParsedSfen) -> dict[str, Any]:
    """Return what decides, as a JSON object."""
    squares = _square_names(parsed, cause.squares)
    return {"kind": cause.kind.value, "line": usi_line(parsed, cause.line), "squares": squares}


def readings_fields(readings: Readings | None, parsed: ParsedSfen) -> dict[str, Any] | None:
    """Return the readings as the JSON object under ``readings``."""
    if readings is None:
        return None
    parting, first_moves = readings.parting, None
    if parting is not None:
        choices = {"narrow": parting.narrow, "purist": parting.purist, "wide": parting.wide}
        first_moves = {
            name: {"length": one.length, "moves": usi_line(parsed, one.moves)} for name, one in choices.items()
        }
    return {
        **{name: getattr(readings, name) for name in ("agree", "narrow", "purist", "wide", "searched", "restoring")},
        "restoring_line": usi_line(parsed, readings.restoring_line),
        "restoring_drop": usi_line(parsed, readings.restoring_drop),
        "turn": None if parting is None else len(parting.path) + 1,
        "path": None if parting is None else usi_line(parsed, parting.path),
        "left": None if parting is None else parting.plies,
        "first_moves": first_moves,
    }
