# SPDX-License-Identifier: GPL-3.0-or-later
"""A judgement in words, with the board if there is a defect, and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solver.judging import findings
from solver.results import Defect, Finding, Grade, Judgement
from tsume.language.catalogue import MIXED, USI, Language, Voice, phrase
from tsume.language.terms import TERMS, remark_texts
from tsume.reports.findings import (
    dividing_drop,
    finding_fields,
    finding_sentence,
    lengths_text,
    readings_fields,
    try_sentence,
)
from tsume.reports.notation import MoveWriter, board_text, usi_line
from tsume_rules.moves import ImpossibleMove, Move, in_check, legal_position_after, position_after_all
from tsume_rules.position import Side
from tsume_rules.sfen import ParsedSfen, format_sfen

# --- the evidence of each defect of a judgement, in words ------------------------------------------

MAX_TRIES = 10
"""Maximum number of checks shown for a position without a mate."""
_MILD_COOKS = ("COOK_IN_EQUAL_DEFENCE", "DETOUR", "MERGING", "ORDER", "ENDING")
"""The blemishes that second solutions may be."""


def defect_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Yield each defect with the lines that prove it."""
    writer = MoveWriter(voice, parsed, judgement.line)
    blemishes = judgement.blemishes.blemish_names if judgement.grade is Grade.SOUND else []
    for flag in judgement.defects:
        found = [finding for finding in judgement.findings if finding.of is flag]
        # What breaks a condition without being a fault of a sound problem.
        mild = {Defect.COOK: _MILD_COOKS, Defect.LEFTOVER: ("LONGER_WITH_LEFTOVER",)}.get(flag, ())
        names = [name for name in blemishes if name in mild] or [str(flag.name)]
        terms = [TERMS[name] if voice.words == "ja" else f"{name} ({TERMS[name]})" for name in names]
        is_longer = flag is Defect.LEFTOVER and str(flag.name) not in names
        head = voice("judgement.longer_leaves") if is_longer else voice(f"heads.{flag.name}")
        yield voice("judgement.defect", term=voice.listed(terms), head=head)
        if flag is not Defect.UNDETERMINED_FORM:
            yield from (f"    {item}" for finding in found for item in _finding_items(finding, writer))
            continue
        groups: dict[Any, list[findings.SecondSolution]] = {}  # for each key; the lines stand under COOK
        for one in found:
            if isinstance(one, findings.SecondSolution):
                groups.setdefault((one.line[: one.turn], one.key), []).append(one)
        for (path, key), forms in groups.items():
            checks = writer.moves(path, (one.check for one in forms if one.check is not None))
            text = writer.say("forms", number=len(path) + 1, key=writer.move(path, key), checks=checks)
            yield f"    {text}"


def _finding_items(finding: Finding, writer: MoveWriter) -> Iterator[str]:
    if isinstance(finding, findings.ReadingsDiffer):
        if (readings := finding.readings) is not None:
            yield writer.say("length", lengths=lengths_text(readings, writer))
            if (parting := readings.parting) is not None:
                where = writer.say("parting_after", line=writer.line(parting.path)) if parting.path else ""
                yield writer.say("parting", number=len(parting.path) + 1, plies=parting.plies, where=where)
                by_name = {"narrow": parting.narrow, "purist": parting.purist, "wide": parting.wide}
                width = max(len(writer.say(name)) for name in by_name)
                for name, choices in by_name.items():
                    is_sooner = choices.length not in (None, parting.plies)
                    sooner = writer.say("mates_in", length=choices.length) if is_sooner else ""
                    moves = writer.moves(parting.path, choices.moves) or writer.say("no_moves")
                    yield f"  {writer.say(name):{width}} {moves}{sooner}"
        if finding.line:
            yield f"{dividing_drop(finding, writer)}: {writer.branch(finding.line)}"
    elif isinstance(finding, findings.AllChecksFail):
        shown = finding.tries[:MAX_TRIES]
        if not finding.checks:
            yield finding_sentence(finding, writer)
        if finding.forbidden is not None:
            yield writer.say("forbidden", drop=writer.move((), finding.forbidden))
        yield from (try_sentence(one, writer) for one in shown)
        if (number := finding.checks - len(shown)) > 0:
            yield writer.say("more_checks_one" if number == 1 else "more_checks", number=number)
    else:
        yield _with_line(finding, writer)
        if isinstance(finding, findings.NeedlessPiece) and finding.smaller is not None:
            yield writer.say("smaller", sfen=format_sfen(finding.smaller, rotated=writer.parsed.rotated))


def _with_line(finding: Finding, writer: MoveWriter) -> str:
    """Return a finding as a sentence, followed by its line unless that is the main line."""
    text = finding_sentence(finding, writer)
    if finding.line in ((), writer.main):
        return text
    length = finding.length if isinstance(finding, findings.SecondSolution) else None
    longer = phrase(writer.words, "judgement.longer") * (length is not None and len(finding.line) > length)
    return f"{text}: {writer.branch(finding.line)}{longer}"


def remark_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Yield each remark with the lines and moves that show it."""
    writer = MoveWriter(voice, parsed, judgement.line)

    def brief(finding: Finding) -> str:
        # The line and moves, without a sentence: the remark's text stands before it.
        match finding:
            case findings.EqualDefence():
                others = writer.moves(finding.line[: finding.turn], finding.answers[1:])
                return writer.branch(finding.line) + (writer.say("also", moves=others) if others else "")
            case findings.LastMoves():
                path, last = finding.line[:-1], finding.line[-1]
                before = "" if finding.line == writer.main else writer.say("after", line=writer.line(path))
                moves, key = writer.moves(path, finding.moves), writer.move(path, last)
                return before + writer.say("last_moves_for", moves=moves, key=key)
            case findings.VariationMate():
                return writer.branch(finding.line)
            case _:
                return _with_line(finding, writer)

    for remark in judgement.remarks:
        found = [brief(one) for one in judgement.findings if one.of is remark]
        text = voice("judgement.note", note=voice(f"remarks.{remark.name}"))
        if len(found) == 1:
            yield f"{text}: {found[0]}"
        else:
            yield text
            yield from (f"    {one}" for one in found)


# --- a judgement in words, with the board if there is a defect, and as JSON fields -----------------


def judgement_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a judgement as JSON fields, moves in USI in the orientation of the given position."""
    writer = MoveWriter(USI, parsed, judgement.line)
    needless = [one for one in judgement.findings if isinstance(one, findings.NeedlessPiece)]
    notes = [
        *start_fault_texts(judgement, writer),
        *(finding_sentence(one, writer).removeprefix("the ") for one in needless),
        *remark_texts(judgement.remarks),
        *parsed.notes,
    ]
    return {
        "grade": judgement.grade.value if judgement.grade else None,
        "faults": judgement.faults.names,
        "blemishes": judgement.blemishes.blemish_names,
        "given": given_line_fields(judgement, parsed),
        "correct": judgement.correct,
        "complete_but_for": list(findings.tolerated_cooks(judgement)) or None,
        "defects": judgement.defects.names,
        "unresolved": judgement.unresolved,
        "not_settled": judgement.not_settled.names,
        "complete": judgement.complete,
        "length": judgement.length,
        "line": usi_line(parsed, judgement.line),
        "without_longer": usi_line(parsed, judgement.without_longer),
        "without_moved": usi_line(parsed, judgement.without_moved),
        "moved_between": usi_line(parsed, judgement.moved_between),
        "cooks": [usi_line(parsed, cook) for cook in judgement.cooks],
        "searched": judgement.searched,
        "notes": notes,
        "findings": [finding_fields(one, parsed, judgement.line) for one in judgement.findings],
        "readings": readings_fields(judgement.readings, parsed),
    }


def start_fault_texts(judgement: Judgement, writer: MoveWriter) -> list[str]:
    """Return what is illegal in the start; empty where the position cannot be read."""
    found = (one for one in judgement.findings if isinstance(one, findings.StartFault) and one.reason)
    return [finding_sentence(one, writer) for one in found]


def illegal_start_lines(judgement: Judgement, parsed: ParsedSfen, language: Language) -> list[str]:
    """Return a sentence for each thing that is illegal in the start."""
    texts = start_fault_texts(judgement, MoveWriter(Voice.of(language), parsed))
    return [phrase(language, "explanation.illegal", fault=text) for text in texts]


def judgement_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice = MIXED) -> Iterator[str]:
    """Yield a judgement in words, below the board if there is a defect."""
    if judgement.defects:
        yield board_text(voice, parsed.position)
    yield from judgement_text_lines(judgement, parsed, voice)


def judgement_text_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Yield a judgement in words."""

    def written(line: tuple[Move, ...]) -> str:
        return MoveWriter(voice, parsed, line).line(line)

    writer = MoveWriter(voice, parsed, judgement.line)
    yield judgement_head_line(judgement, parsed, voice)
    yield from (f"  {line}" for line in defect_term_lines(judgement, voice))
    if judgement.not_settled:
        yield "  " + voice("judgement.not_settled", defects=defect_terms_text(judgement.not_settled.names, voice))
    yield from _given_lines(judgement, parsed, voice)
    if text := complete_but_for_text(judgement, voice):
        yield f"  {text}"
    yield from defect_lines(judgement, parsed, voice)
    yield from remark_lines(judgement, parsed, voice)
    readings = judgement.readings
    if readings is not None and (restoring := readings.restoring_line):
        *path, drop = readings.restoring_drop  # one of the drops that this reading leaves out
        parts = {"number": len(path) + 1, "drop": writer.move(path, drop)}
        yield voice("judgement.restoring", length=readings.restoring, line=written(restoring), **parts)
    if line := judgement.without_moved:  # without moved interpositions that are only captured
        *path, move = judgement.moved_between
        parts = {"number": len(path) + 1, "move": writer.move(path, move)}
        yield voice("judgement.without_moved", length=len(line), line=written(line), **parts)
    if line := judgement.without_longer:
        text = writer.line(line)
        yield voice("judgement.note", note=voice("judgement.without_longer", length=len(line), line=text))
    if parsed.rotated and voice.board != "usi":
        yield voice("judgement.note", note=voice("judgement.rotated"))
    if parsed.missing:
        name = "judgement.completed_one" if parsed.missing == 1 else "judgement.completed"
        yield voice("judgement.note", note=voice(name, number=parsed.missing))
    if not judgement.complete:
        yield "  " + voice("judgement.stopped")
    elif judgement.length is not None:
        text = voice("judgement.searched_to_the_end")
        if judgement.searched is not None:
            text = voice("judgement.searched_within", moves=voice.moves(judgement.searched))
        agree = voice("judgement.readings_agree") if readings is not None and readings.agree else ""
        yield f"  {text}{agree}"


def _given_lines(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> Iterator[str]:
    """Yield the given line where it differs from the main line, its worth; or that it breaks off."""
    given = judgement.given
    if given is None:
        return
    text = given_line_text(judgement, parsed, voice)
    if given.beginning_of is not None:
        yield voice("judgement.note", note=text)
        return
    if _parting(given.moves, judgement.line) is not None or not judgement.line:
        writer = MoveWriter(voice, parsed, given.moves)
        try:
            line = writer.line(given.moves)
        except ImpossibleMove:  # from there on its moves are in USI
            path = given.moves[: given.wrong_at]
            line = " ".join([*writer.texts(path), *usi_line(parsed, given.moves[len(path) :])])
        parts = {"given": voice("judgement.given"), "moves": voice.moves(len(given.moves))}
        yield "  " + voice("judgement.given_line", line=line, **parts)
    if text:
        yield f"    {text}"


def given_line_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any] | None:
    """Return how good the given line is, as JSON fields; ``wrong_at``, ``parts_at`` are numbers of moves."""
    given = judgement.given
    if given is None:
        return None
    parts = _parting(given.moves, judgement.line)
    return {
        "line": usi_line(parsed, given.moves),
        "reading": given.reading,
        "wrong_at": None if given.wrong_at is None else given.wrong_at + 1,
        "better": usi_line(parsed, given.better),
        "beginning_of": given.beginning_of,
        "parts_at": None if parts is None else parts + 1,
    }


def _parting(given: tuple[Move, ...], main: tuple[Move, ...]) -> int | None:
    """Return the index of the move at which a given line leaves the program's; None if it does not."""
    if given == main[: len(given)] or not main:
        return None
    pairs = enumerate(zip(given, main, strict=False))
    return next((at for at, (move, best) in pairs if move != best), len(main))


def defect_term_lines(judgement: Judgement, voice: Voice) -> Iterator[str]:
    """Yield faults and blemishes by name."""
    if judgement.faults:
        yield voice("judgement.faults", faults=defect_terms_text(judgement.faults.names, voice))
    if judgement.blemishes:
        yield voice("judgement.blemishes", blemishes=defect_terms_text(judgement.blemishes.blemish_names, voice))


def complete_but_for_text(judgement: Judgement, voice: Voice) -> str:
    """Return what a work is complete but for, with the moves of each class; empty for any other."""
    groups, classes = findings.tolerated_cooks(judgement), []
    for name, found in groups.items():
        term = voice(f"some_of_class.{name}" if len(found) > 1 else f"one_of_class.{name}")
        numbers = voice.listed(str(number) for number in dict.fromkeys(one.turn + 1 for one in found))
        classes.append(voice("judgement.class_at", term=term, number=numbers))
    if not classes:
        return ""
    is_proved = all(one.proved for found in groups.values() for one in found)
    proved = "" if is_proved else voice("judgement.as_searched")
    *before, last = classes
    listed = voice("judgement.and_class").join([voice.listed(before), last] if before else [last])
    return voice("judgement.complete_but_for", classes=listed, proved=proved)


def defect_terms_text(names: Iterable[str], voice: Voice = MIXED) -> str:
    """Return the Japanese terms for faults or blemishes; in English behind their names."""
    terms = {name: TERMS[name] for name in names}
    if voice.words == "ja":
        return voice.listed(terms.values())
    return voice.listed(f"{name} ({term})" for name, term in terms.items())


def given_line_text(judgement: Judgement, parsed: ParsedSfen, voice: Voice = MIXED) -> str:
    """Return what a given line is worth; empty if it is the program's own."""
    given = judgement.given
    if given is None:
        return ""
    parts = _parting(given.moves, judgement.line)
    if given.wrong_at is not None:
        path, move = given.moves[: given.wrong_at], given.moves[given.wrong_at]
        writer = MoveWriter(voice, parsed, path)
        better = writer.moves(path, given.better[:1])
        better = voice("judgement.better", move=better) if better else ""
        kind, text = "wrong", parsed.outward(move).usi
        try:
            text = writer.move(path, move)
            following = legal_position_after(position_after_all(parsed.position, path), move)
            if len(path) % 2 == 0 and not in_check(following, Side.DEFENDER):
                kind = "no_check"
        except ImpossibleMove:
            kind = "impossible"
        return voice(f"judgement.given_is_{kind}", number=given.wrong_at + 1, move=text, better=better)
    if given.beginning_of is not None:
        moves = voice.moves(given.beginning_of)
        text = voice("judgement.given_stops", number=len(given.moves), moves=moves)
    elif judgement.length is None:
        return voice("judgement.given_fails")
    elif parts is None and given.reading == "narrow":
        return ""
    else:
        text = voice(f"judgement.given_{given.reading}")
    if parts is not None:
        length = voice.moves(judgement.length or 0)
        text += voice("judgement.given_parts", length=length, number=parts + 1)
    return text


def judgement_head_line(judgement: Judgement, parsed: ParsedSfen, voice: Voice = MIXED) -> str:
    """Return the grade in one word, the length and the main line."""
    grade = voice(f"grades.{judgement.grade.value if judgement.grade else 'unresolved'}")
    if judgement.length is None:
        return grade
    head = voice("judgement.mate", grade=grade, length=judgement.length)
    if not judgement.line:
        return head
    line = MoveWriter(voice, parsed, judgement.line).line(judgement.line)
    end = voice.on_board("common.end", length=judgement.length) if voice == MIXED else ""
    longer = voice("judgement.longer") * (len(judgement.line) > judgement.length)
    return voice("judgement.line", head=head, line=line, end=end, longer=longer)
