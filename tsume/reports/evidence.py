"""What shows each defect and remark of a judgement, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.defects import Defect
from solver.judging.findings import (
    AllFail,
    EqualDefence,
    LastMoves,
    NeedlessPiece,
    ReadingsDiffer,
    SecondSolution,
    VariationMate,
)
from solver.results import Finding, Judgement, Parting
from tsume.language.terms import TERMS
from tsume.language.voice import Voice
from tsume.reports.findings import dividing_drop, lengths_text, sentence, try_sentence
from tsume.reports.notation import Teller, teller_of
from tsume_rules.sfen import ParsedSfen, format_sfen

MOST_TRIES = 10
"""Of a position without a mate, at most this many checks get a line."""


def defect_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Each defect with the lines that prove it."""
    teller = teller_of(voice, parsed, judgement.line)
    for flag in judgement.defects:
        found = [finding for finding in judgement.findings if finding.of is flag]
        name = str(flag.name)
        term = TERMS[name] if voice.words == "ja" else f"{name} ({TERMS[name]})"
        yield voice("judgement.defect", term=term, head=voice(f"heads.{name}"))
        yield from (f"    {item}" for item in _items(flag, found, teller))


def _items(flag: Defect, found: list[Finding], teller: Teller) -> Iterator[str]:
    if flag is Defect.UNDETERMINED_FORM:  # the lines stand under COOK
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


def remark_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Each remark with the lines and moves that show it."""
    teller = teller_of(voice, parsed, judgement.line)
    for remark in judgement.remarks:
        found = [_brief(one, teller) for one in judgement.findings if one.of is remark]
        if remark is Defect.LEFTOVER_IN_VARIATION and not found and Defect.LEFTOVER in judgement.defects:
            continue  # said already
        text = voice("judgement.note", note=voice(f"remarks.{remark.name}"))
        if len(found) == 1:
            yield f"{text}: {found[0]}"
        else:
            yield text
            yield from (f"    {one}" for one in found)
