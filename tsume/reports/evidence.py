# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence of each defect of a judgement, in words."""

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
from solver.results import Finding, Grade, Judgement, Parting
from tsume.language.catalogue import phrase
from tsume.language.terms import TERMS
from tsume.language.voice import Voice
from tsume.reports.findings import dividing_drop, finding_sentence, lengths_text, try_sentence
from tsume.reports.notation import MoveWriter, move_writer
from tsume_rules.sfen import ParsedSfen, format_sfen

MOST_TRIES = 10
"""Maximum number of checks shown for a position without a mate."""
_MILD_COOKS = ("COOK_IN_EQUAL_DEFENCE", "DETOUR", "MERGING", "ORDER", "ENDING")
"""The blemishes that second solutions may be."""


def defect_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Each defect with the lines that prove it."""
    writer = move_writer(voice, parsed, judgement.line)
    for flag in judgement.defects:
        found = [finding for finding in judgement.findings if finding.of is flag]
        names = _names_of_blemish(judgement, flag) or [str(flag.name)]
        terms = [TERMS[name] if voice.words == "ja" else f"{name} ({TERMS[name]})" for name in names]
        is_longer = flag is Defect.LEFTOVER and str(flag.name) not in names
        head = voice("judgement.longer_leaves") if is_longer else voice(f"heads.{flag.name}")
        yield voice("judgement.defect", term=voice.listed(terms), head=head)
        yield from (f"    {item}" for item in _finding_items(flag, found, writer))


def _names_of_blemish(judgement: Judgement, flag: Defect) -> list[str]:
    """The names of what breaks a condition without being a fault of a sound problem."""
    if judgement.grade is not Grade.SOUND:
        return []
    blemishes = judgement.blemishes.blemish_names
    if flag is Defect.COOK:
        return [name for name in blemishes if name in _MILD_COOKS]
    return [name for name in blemishes if flag is Defect.LEFTOVER and name == "LONGER_WITH_LEFTOVER"]


def _finding_items(flag: Defect, found: list[Finding], writer: MoveWriter) -> Iterator[str]:
    if flag is Defect.UNDETERMINED_FORM:  # the lines stand under COOK
        yield from _form_items([one for one in found if isinstance(one, SecondSolution)], writer)
        return
    for finding in found:
        if isinstance(finding, ReadingsDiffer):
            yield from _readings_items(finding, writer)
            continue
        if isinstance(finding, AllFail):
            yield from _try_items(finding, writer)
            continue
        yield _with_line(finding, writer)
        if isinstance(finding, NeedlessPiece) and finding.smaller is not None:
            yield writer.say("smaller", sfen=format_sfen(finding.smaller, rotated=writer.parsed.rotated))


def _with_line(finding: Finding, writer: MoveWriter) -> str:
    """A finding as a sentence, followed by its line unless that is the main line."""
    text = finding_sentence(finding, writer)
    if finding.line in ((), writer.main):
        return text
    length = finding.length if isinstance(finding, SecondSolution) else None
    longer = phrase(writer.words, "judgement.longer") * (length is not None and len(finding.line) > length)
    return f"{text}: {writer.branch(finding.line)}{longer}"


def _form_items(found: list[SecondSolution], writer: MoveWriter) -> Iterator[str]:
    """Undetermined forms, one line of text for each key."""
    groups: dict[Any, list[SecondSolution]] = {}
    for one in found:
        groups.setdefault((one.line[: one.turn], one.key), []).append(one)
    for (path, key), forms in groups.items():
        checks = writer.moves(path, (one.check for one in forms if one.check is not None))
        yield writer.say("forms", number=len(path) + 1, key=writer.move(path, key), checks=checks)


def _try_items(finding: AllFail, writer: MoveWriter) -> Iterator[str]:
    shown = finding.tries[:MOST_TRIES]
    if not finding.checks:
        yield finding_sentence(finding, writer)
    if finding.forbidden is not None:
        yield writer.say("forbidden", drop=writer.move((), finding.forbidden))
    yield from (try_sentence(one, writer) for one in shown)
    if finding.checks > len(shown):
        number = finding.checks - len(shown)
        yield writer.say("more_checks_one" if number == 1 else "more_checks", number=number)


def _readings_items(finding: ReadingsDiffer, writer: MoveWriter) -> Iterator[str]:
    readings = finding.readings
    if readings is not None:
        yield writer.say("length", lengths=lengths_text(readings, writer))
        if readings.parting is not None:
            yield from _parting_items(readings.parting, writer)
    if finding.line:
        yield f"{dividing_drop(finding, writer)}: {writer.branch(finding.line)}"


def _parting_items(parting: Parting, writer: MoveWriter) -> Iterator[str]:
    where = writer.say("parting_after", line=writer.line(parting.path)) if parting.path else ""
    yield writer.say("parting", number=len(parting.path) + 1, plies=parting.plies, where=where)
    readings = {"narrow": parting.narrow, "purist": parting.purist, "wide": parting.wide}
    width = max(len(writer.say(name)) for name in readings)
    for name, choices in readings.items():
        is_sooner = choices.length not in (None, parting.plies)
        sooner = writer.say("mates_in", length=choices.length) if is_sooner else ""
        moves = writer.moves(parting.path, choices.moves) or writer.say("no_moves")
        yield f"  {writer.say(name):{width}} {moves}{sooner}"


def _brief_finding(finding: Finding, writer: MoveWriter) -> str:
    """The line and moves that show a remark, without a sentence: the remark's text stands before it."""
    match finding:
        case EqualDefence():
            others = writer.moves(finding.line[: finding.turn], finding.answers[1:])
            return writer.branch(finding.line) + (writer.say("also", moves=others) if others else "")
        case LastMoves():
            path, last = finding.line[:-1], finding.line[-1]
            before = "" if finding.line == writer.main else writer.say("after", line=writer.line(path))
            moves, key = writer.moves(path, finding.moves), writer.move(path, last)
            return before + writer.say("last_moves_for", moves=moves, key=key)
        case VariationMate():
            return writer.branch(finding.line)
        case _:
            return _with_line(finding, writer)


def remark_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Each remark with the lines and moves that show it."""
    writer = move_writer(voice, parsed, judgement.line)
    for remark in judgement.remarks:
        found = [_brief_finding(one, writer) for one in judgement.findings if one.of is remark]
        text = voice("judgement.note", note=voice(f"remarks.{remark.name}"))
        if len(found) == 1:
            yield f"{text}: {found[0]}"
        else:
            yield text
            yield from (f"    {one}" for one in found)
