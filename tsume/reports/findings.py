"""A finding as a sentence and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.explaining.explanation import Proof, Try
from solver.judging.findings import (
    AllFail,
    EqualDefence,
    LastMoves,
    LeftInHand,
    NeedlessPiece,
    OtherLength,
    ReadingsDiffer,
    SecondSolution,
    StartFault,
    VariationMate,
)
from solver.results import Choices, Finding, Readings, Verdict
from tsume.formats.english import kind_name
from tsume.output import usi_line
from tsume.reports.notation import Teller, piece_text, usi_notation
from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen, format_hand, format_sfen, piece_letter
from tsume_rules.squares import rotated, square_name

TERMS = {
    "ILLEGAL_START": "不正な初形",
    "NO_MATE": "不詰",
    "WRONG_LENGTH": "手数違い",
    "COOK": "余詰",
    "LEFTOVER": "駒余り",
    "UNDETERMINED_FORM": "非限定",
    "UNNECESSARY_PIECE": "不要駒",
    "GREY_INTERPOSITION": "無駄合",
    "MIRROR_KEY": "左右対称",
    "LEFTOVER_IN_VARIATION": "変化駒余り",
    "EQUAL_DEFENCES": "変同",
    "LAST_MOVE_ALTERNATIVES": "最終手余詰",
    "DETOUR": "迂回手順",
    "VARIATION_COOK": "変化別詰",
}
"""The Japanese term for each defect and remark."""

HEADS = {
    Verdict.ILLEGAL_START: "the position is not a legal start",
    Verdict.NO_MATE: "there is no mate",
    Verdict.WRONG_LENGTH: "the length is not the expected one",
    Verdict.COOK: "another check mates too",
    Verdict.LEFTOVER: "pieces are left over",
    Verdict.UNDETERMINED_FORM: "a move mates in more than one form",
    Verdict.UNNECESSARY_PIECE: "a piece can be removed",
    Verdict.GREY_INTERPOSITION: "the answer depends on which interpositions are futile",
    Verdict.MIRROR_KEY: "the mirror image of the key mates too",
}
"""Each defect in a few words."""


def sentence(finding: Finding, teller: Teller) -> str:
    """A finding as a sentence, without its line."""
    line = finding.line
    match finding:
        case StartFault():
            return finding.fault
        case AllFail():
            return f"all checks fail ({finding.checks})" if finding.checks else "there is no check"
        case OtherLength():
            sooner = " (早詰)" if finding.actual < finding.expected else ""
            return f"expected {finding.expected} moves, the mate has {finding.actual}{sooner}"
        case SecondSolution():
            return _second_solution(finding, teller)
        case LeftInHand():
            return f"{hand_words(finding.hand)} left in hand"
        case NeedlessPiece():
            return f"{_needless(finding, teller)} is not needed"
        case ReadingsDiffer():
            return _readings_differ(finding, teller)
        case EqualDefence():
            answers = teller.moves(line[: finding.turn], finding.answers)
            return f"move {finding.turn + 1}, {answers} last equally long"
        case LastMoves():
            moves = teller.moves(line[:-1], finding.moves)
            return f"move {len(line)}, {moves} mates instead of {teller.move(line[:-1], line[-1])}"
        case VariationMate():
            answer = teller.move(line[: finding.turn], line[finding.turn])
            return f"after {answer}, a shorter defence, this mate is as long as the main line"
        case _:
            raise TypeError(f"no words for {type(finding).__name__}")


def _second_solution(finding: SecondSolution, teller: Teller) -> str:
    path = finding.line[: finding.turn]
    assert finding.check is not None
    assert finding.key is not None
    check, key = teller.move(path, finding.check), teller.move(path, finding.key)
    if finding.of is Verdict.UNDETERMINED_FORM:
        return f"move {finding.turn + 1}, {check} has the same effect as {key}"
    text = f"move {finding.turn + 1}, {check} instead of {key}"
    if finding.length is None:
        return text
    late = f"{finding.late} later" if finding.late else "as soon"
    return f"{text} mates in {finding.length} move{'s' * (finding.length > 1)} ({late})"


def _needless(finding: NeedlessPiece, teller: Teller) -> str:
    assert finding.piece is not None
    sq = finding.square
    return piece_text(finding.piece, None if sq is None else teller.notation.square(sq))


def _readings_differ(finding: ReadingsDiffer, teller: Teller) -> str:
    lengths = f"{lengths_text(finding.readings)}; " if finding.readings else ""
    if not finding.line:
        return f"{lengths}the readings differ"
    drop = teller.move(finding.line[:-1], finding.line[-1])
    if finding.readings and finding.readings.parting is None:
        return f"{lengths}no other answer lasts as long as the futile drop {drop}"
    return f"{lengths}the drop {drop} is futile by {' and '.join(finding.futile_by)} only"


def lengths_text(readings: Readings) -> str:
    """The length by each reading: ``narrow 3, purist 5, wide 3``."""
    purist = readings.purist if readings.purist is not None else f"none within {readings.searched}"
    return f"narrow {readings.narrow}, purist {purist}, wide {readings.wide}"


def hand_words(hand: Hand) -> str:
    """A hand in words: ``gold, 2 pawns``."""
    kinds = sorted(set(hand), reverse=True)
    return ", ".join(
        f"{hand[kind]} {kind_name(kind)}s" if hand[kind] > 1 else kind_name(kind) for kind in kinds
    )


def try_sentence(found: Try, teller: Teller) -> str:
    """How a first check fails in a position without a mate."""
    check = teller.move((), found.check)
    answer = teller.move((found.check,), found.answer) + (", the only answer" if found.only else "")
    why = {
        Proof.NO_CHECK: "no further check",
        Proof.ANY_LENGTH: "no mate afterwards",
        Proof.BOUNDED: f"no mate within {found.within} moves afterwards",
    }
    return f"{check} is met by {answer}: {why[found.proof]}"


# --- JSON -----------------------------------------------------------------------------------------


def finding_fields(finding: Finding, parsed: ParsedSfen, main: tuple[Move, ...]) -> dict[str, Any]:
    """A finding as an object of the JSON list ``findings``."""
    is_defect = isinstance(finding.of, Verdict)
    return {
        "defect": finding.of.name if is_defect else None,
        "remark": None if is_defect else finding.of.name,
        "text": sentence(finding, Teller(parsed, main, usi_notation(parsed))),
        "line": usi_line(parsed, finding.line),
        **_special(finding, parsed),
    }


def _special(finding: Finding, parsed: ParsedSfen) -> dict[str, Any]:
    def usi(moves: Iterable[Move | None]) -> list[str]:
        return usi_line(parsed, (move for move in moves if move is not None))

    match finding:
        case StartFault():
            return {"fault": finding.fault}
        case AllFail():
            return {"checks": finding.checks, "tries": [try_fields(one, parsed) for one in finding.tries]}
        case OtherLength():
            return {"expected": finding.expected, "actual": finding.actual}
        case SecondSolution():
            key, check = usi((finding.key, finding.check))
            turn = {"turn": finding.turn + 1, "key": key, "check": check}
            return {**turn, "length": finding.length, "late": finding.late}
        case LeftInHand():
            return {"hand": format_hand(finding.hand)}
        case NeedlessPiece():
            return _needless_fields(finding, parsed)
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


def _needless_fields(finding: NeedlessPiece, parsed: ParsedSfen) -> dict[str, Any]:
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


def try_fields(found: Try, parsed: ParsedSfen) -> dict[str, Any]:
    """A try as a JSON object."""
    return {
        "check": parsed.outward(found.check).usi,
        "answer": parsed.outward(found.answer).usi,
        "proof": found.proof.value,
        "within": found.within,
        "only": found.only,
        "refutations": usi_line(parsed, found.refutations),
        "work": found.work,
    }


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
