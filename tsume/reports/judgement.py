"""A judgement in words, with the board if there is a defect, and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solver.judging.findings import (
    AllFail,
    EqualDefence,
    LastMoves,
    NeedlessPiece,
    ReadingsDiffer,
    SecondSolution,
    VariationMate,
)
from solver.results import Blemish, Fault, Finding, GivenLine, Judgement, Parting, Remark, Verdict
from tsume.language.voice import MIXED, Voice
from tsume.output import usi_line
from tsume.reports.findings import (
    HEADS,
    TERMS,
    dividing_drop,
    finding_fields,
    lengths_text,
    readings_fields,
    sentence,
    try_sentence,
)
from tsume.reports.notation import Teller, board_text, teller_of, usi_notation
from tsume_rules.play import ImpossibleMove
from tsume_rules.sfen import ParsedSfen, format_sfen

MOST_TRIES = 10
"""Of a position without a mate, at most this many checks get a line."""


def judgement_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """A judgement as JSON fields, moves in USI in the orientation of the given position."""
    return {
        "grade": judgement.grade.value if judgement.grade else None,
        "faults": [fault.name for fault in judgement.graded_faults],
        "blemishes": [blemish.name for blemish in judgement.blemishes],
        "given": given_fields(judgement.given, parsed),
        "correct": judgement.correct,
        "defects": judgement.verdict.names,
        "unresolved": judgement.unresolved,
        "length": judgement.length,
        "line": usi_line(parsed, judgement.line),
        "cooks": [usi_line(parsed, cook) for cook in judgement.cooks],
        "searched": judgement.searched,
        "notes": [*_faults(judgement, parsed), *judgement.remarks.texts, *parsed.notes],
        "findings": [finding_fields(one, parsed, judgement.line) for one in judgement.findings],
        "readings": readings_fields(judgement.readings, parsed),
    }


def _faults(judgement: Judgement, parsed: ParsedSfen) -> list[str]:
    """The faults, with squares in the orientation of the given position."""
    teller = Teller(parsed, judgement.line, usi_notation(parsed))
    needless = [one for one in judgement.findings if isinstance(one, NeedlessPiece)]
    if not needless:
        return list(judgement.faults)
    return [sentence(one, teller).removeprefix("the ") for one in needless]


def judgement_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice = MIXED) -> Iterator[str]:
    """A judgement in words."""
    if judgement.verdict:
        yield board_text(voice, parsed.position)
    yield head_line(judgement, parsed, voice)
    yield from _grade_lines(judgement, parsed, voice)
    yield from defect_lines(judgement, parsed, voice)
    yield from _remark_lines(judgement, parsed, voice)
    yield from (voice("judgement.note", note=note) for note in note_texts(parsed, voice))
    if judgement.length is not None:
        yield f"  {_searched_text(judgement, voice)}{_readings_text(judgement, voice)}"


def note_texts(parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """What is to be said of a position as it was given."""
    if parsed.rotated:
        yield voice("judgement.rotated")
    if parsed.missing:
        yield voice("judgement.completed", number=parsed.missing)


def given_fields(given: GivenLine | None, parsed: ParsedSfen) -> dict[str, Any] | None:
    """What the given line is worth as JSON fields; ``wrong_at`` is the number of the move."""
    if given is None:
        return None
    return {
        "line": usi_line(parsed, given.moves),
        "reading": given.reading,
        "wrong_at": None if given.wrong_at is None else given.wrong_at + 1,
        "better": usi_line(parsed, given.better),
    }


def _grade_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Faults and blemishes by name, then where the given line goes wrong."""
    if judgement.graded_faults:
        yield voice("judgement.faults", faults=terms_text(judgement.graded_faults, voice))
    if judgement.blemishes:
        yield voice("judgement.blemishes", blemishes=terms_text(judgement.blemishes, voice))
    if judgement.given is not None and judgement.given.wrong_at is not None:
        yield f"  {wrong_line_text(judgement.given, parsed, voice)}"


def terms_text(found: Iterable[Fault | Blemish], voice: Voice = MIXED) -> str:
    """Faults or blemishes in the words editors use; in English behind their names."""
    if voice.words == "ja":
        return voice.listed(one.value for one in found)
    return voice.listed(f"{one.name} ({one.value})" for one in found)


def wrong_line_text(given: GivenLine, parsed: ParsedSfen, voice: Voice = MIXED) -> str:
    """Where a given line goes wrong, and what is better."""
    assert given.wrong_at is not None
    name = voice("judgement.given")
    path = given.moves[: given.wrong_at]
    if not given.moves[given.wrong_at :]:
        return voice("judgement.given_ends", given=name, moves=voice.moves(len(given.moves)))
    teller = teller_of(voice, parsed, path)
    better = teller.moves(path, given.better[:1])
    return voice(
        "judgement.given_is_wrong",
        given=name,
        number=given.wrong_at + 1,
        move=_wrong_move(given, given.wrong_at, teller, voice),
        better=voice("judgement.better", move=better) if better else "",
    )


def _wrong_move(given: GivenLine, at: int, teller: Teller, voice: Voice) -> str:
    """The move that is not best; in USI where it cannot be played, and among English and Japanese."""
    move = given.moves[at]
    if voice == MIXED:
        return move.usi
    try:
        return teller.move(given.moves[:at], move)
    except ImpossibleMove:
        return move.usi


def grade_text(judgement: Judgement, voice: Voice) -> str:
    """The grade in one word."""
    return voice(f"grades.{judgement.grade.value if judgement.grade else 'unresolved'}")


def head_line(judgement: Judgement, parsed: ParsedSfen, voice: Voice = MIXED) -> str:
    """The grade in one word, the length and the main line."""
    grade = grade_text(judgement, voice)
    if judgement.length is None:
        return grade
    head = voice("judgement.mate", grade=grade, length=judgement.length)
    if not judgement.line:
        return head
    line = teller_of(voice, parsed, judgement.line).line(judgement.line)
    end = voice.on_board("common.end", length=judgement.length) if voice == MIXED else ""
    longer = voice("judgement.longer") * (len(judgement.line) > judgement.length)
    return voice("judgement.line", head=head, line=line, end=end, longer=longer)


def _searched_text(judgement: Judgement, voice: Voice) -> str:
    """How far second solutions were looked for."""
    if judgement.searched is None:
        return voice("judgement.searched_to_the_end")
    return voice("judgement.searched_within", moves=voice.moves(judgement.searched))


def _readings_text(judgement: Judgement, voice: Voice) -> str:
    if judgement.readings is None or not judgement.readings.agree:
        return ""
    return voice("judgement.readings_agree")


def defect_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Each defect with the lines that prove it."""
    teller = teller_of(voice, parsed, judgement.line)
    for flag in judgement.verdict:
        found = [finding for finding in judgement.findings if finding.of is flag]
        name = str(flag.name)
        term = TERMS[name] if voice.words == "ja" else f"{name} ({TERMS[name]})"
        yield voice("judgement.defect", term=term, head=voice(HEADS[flag]))
        yield from (f"    {item}" for item in _items(flag, found, teller))


def _items(flag: Verdict, found: list[Finding], teller: Teller) -> Iterator[str]:
    if flag is Verdict.UNDETERMINED_FORM:  # the lines stand under COOK
        yield from _forms([one for one in found if isinstance(one, SecondSolution)], teller)
        return
    for finding in found:
        if isinstance(finding, ReadingsDiffer):
            yield from _readings_items(finding, teller)
            continue
        if isinstance(finding, AllFail):
            yield from _tries(finding, teller)
            continue
        yield _with_line(finding, teller)
        if isinstance(finding, NeedlessPiece) and finding.smaller is not None:
            yield teller.say("smaller", sfen=format_sfen(finding.smaller, rotated=teller.parsed.rotated))


def _with_line(finding: Finding, teller: Teller) -> str:
    """A finding as a sentence, followed by its line unless that is the main line."""
    text = sentence(finding, teller)
    return text if finding.line in ((), teller.main) else f"{text}: {teller.branch(finding.line)}"


def _forms(found: list[SecondSolution], teller: Teller) -> Iterator[str]:
    """Undetermined forms, those of one key on one line of text."""
    groups: dict[Any, list[SecondSolution]] = {}
    for one in found:
        groups.setdefault((one.line[: one.turn], one.key), []).append(one)
    for (path, key), forms in groups.items():
        checks = teller.moves(path, (one.check for one in forms if one.check is not None))
        yield teller.say("forms", number=len(path) + 1, key=teller.move(path, key), checks=checks)


def _tries(finding: AllFail, teller: Teller) -> Iterator[str]:
    shown = finding.tries[:MOST_TRIES]
    if not finding.checks:
        yield sentence(finding, teller)
    yield from (try_sentence(one, teller) for one in shown)
    if finding.checks > len(shown):
        yield teller.say("more_checks", number=finding.checks - len(shown))


def _readings_items(finding: ReadingsDiffer, teller: Teller) -> Iterator[str]:
    readings = finding.readings
    if readings is not None:
        yield teller.say("length", lengths=lengths_text(readings, teller))
        if readings.parting is not None:
            yield from _parting_items(readings.parting, teller)
    if finding.line:
        yield f"{dividing_drop(finding, teller)}: {teller.branch(finding.line)}"


def _parting_items(parting: Parting, teller: Teller) -> Iterator[str]:
    where = teller.say("parting_after", line=teller.line(parting.path)) if parting.path else ""
    yield teller.say("parting", number=len(parting.path) + 1, plies=parting.plies, where=where)
    readings = {"narrow": parting.narrow, "purist": parting.purist, "wide": parting.wide}
    width = max(len(teller.say(name)) for name in readings)
    for name, choices in readings.items():
        is_sooner = choices.length not in (None, parting.plies)
        sooner = teller.say("mates_in", length=choices.length) if is_sooner else ""
        moves = teller.moves(parting.path, choices.moves) or teller.say("no_moves")
        yield f"  {teller.say(name):{width}} {moves}{sooner}"


def _brief(finding: Finding, teller: Teller) -> str:
    """The line and moves that show a remark, without a sentence: the remark's text stands before it."""
    match finding:
        case EqualDefence():
            others = teller.moves(finding.line[: finding.turn], finding.answers[1:])
            return teller.branch(finding.line) + (teller.say("also", moves=others) if others else "")
        case LastMoves():
            path, last = finding.line[:-1], finding.line[-1]
            before = "" if finding.line == teller.main else teller.say("after", line=teller.line(path))
            moves, key = teller.moves(path, finding.moves), teller.move(path, last)
            return before + teller.say("last_moves_for", moves=moves, key=key)
        case VariationMate():
            return teller.branch(finding.line)
        case _:
            return _with_line(finding, teller)


def _remark_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    teller = teller_of(voice, parsed, judgement.line)
    for remark in judgement.remarks:
        found = [_brief(one, teller) for one in judgement.findings if one.of is remark]
        if remark is Remark.LEFTOVER_IN_VARIATION and not found and Verdict.LEFTOVER in judgement.verdict:
            continue  # said already
        text = voice("judgement.note", note=voice(f"remarks.{remark.name}"))
        if len(found) == 1:
            yield f"{text}: {found[0]}"
        else:
            yield text
            yield from (f"    {one}" for one in found)
