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
from tsume.formats.diagram import diagram
from tsume.output import usi_line
from tsume.reports.findings import (
    HEADS,
    TERMS,
    finding_fields,
    lengths_text,
    readings_fields,
    sentence,
    try_sentence,
)
from tsume.reports.notation import JAPANESE, Teller, usi_notation
from tsume_rules.sfen import ParsedSfen, format_sfen

MOST_TRIES = 10
"""Of a position without a mate, at most this many checks get a line."""
GIVEN = "GIVEN_LINE (作意)"
"""What a sentence about a given line begins with."""
ROTATED = "White attacks here; the board and the moves are shown from White's side"


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


def judgement_lines(judgement: Judgement, parsed: ParsedSfen) -> Iterator[str]:
    """A judgement in words, moves in Japanese."""
    if judgement.verdict:
        yield diagram(parsed.position)
    yield head_line(judgement, parsed)
    yield from _grade_lines(judgement, parsed)
    yield from defect_lines(judgement, parsed)
    yield from _remark_lines(judgement, parsed)
    notes = [ROTATED, *parsed.notes] if parsed.rotated else parsed.notes
    yield from (f"  note: {note}" for note in notes)
    if judgement.length is not None:
        yield f"  {searched_text(judgement)}{_readings_text(judgement)}"


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


def _grade_lines(judgement: Judgement, parsed: ParsedSfen) -> Iterator[str]:
    """Faults and blemishes by name, then where the given line goes wrong."""
    if judgement.graded_faults:
        yield f"  faults (不完全作): {faults_text(judgement.graded_faults)}"
    if judgement.blemishes:
        yield f"  blemishes (キズ): {blemishes_text(judgement.blemishes)}"
    if judgement.given is not None and judgement.given.wrong_at is not None:
        yield f"  {wrong_line_text(judgement.given, parsed)}"


def faults_text(faults: Iterable[Fault]) -> str:
    """Faults by name, with the words editors use."""
    return ", ".join(f"{fault.name} ({fault.value})" for fault in faults)


def blemishes_text(blemishes: Iterable[Blemish]) -> str:
    """Blemishes by name, with the words editors use."""
    return ", ".join(f"{blemish.name} ({blemish.value})" for blemish in blemishes)


def wrong_line_text(given: GivenLine, parsed: ParsedSfen) -> str:
    """Where a given line goes wrong, and what is better."""
    assert given.wrong_at is not None
    path = given.moves[: given.wrong_at]
    if not given.moves[given.wrong_at :]:
        return f"{GIVEN}: it ends after {len(given.moves)} moves without mate"
    teller = Teller(parsed, path, JAPANESE)
    better = f": better is {teller.moves(path, given.better[:1])}" if given.better else ""
    move = given.moves[given.wrong_at].usi
    return f"{GIVEN}: move {given.wrong_at + 1}, {move}, is not best{better}"


def head_line(judgement: Judgement, parsed: ParsedSfen) -> str:
    """The grade in one word, the length and the main line."""
    word = judgement.grade.value if judgement.grade else "unresolved"
    if judgement.length is None:
        return word
    teller = Teller(parsed, judgement.line, JAPANESE)
    if not judgement.line:
        return f"{word} in {judgement.length}"
    longer = " (a futile interposition is played out)" * (len(judgement.line) > judgement.length)
    line = teller.line(judgement.line)
    return f"{word} in {judgement.length}: {line}  まで{judgement.length}手詰{longer}"


def searched_text(judgement: Judgement) -> str:
    """How far second solutions were looked for."""
    if judgement.searched is None:
        return "second solutions were looked for to the end"
    moves = "move" if judgement.searched == 1 else "moves"
    return f"second solutions were looked for within {judgement.searched} {moves}"


def _readings_text(judgement: Judgement) -> str:
    if judgement.readings is None or not judgement.readings.agree:
        return ""
    return "; the readings of futile interpositions agree (無駄合: narrow = purist = wide)"


def defect_lines(judgement: Judgement, parsed: ParsedSfen) -> Iterator[str]:
    """Each defect with the lines that prove it, moves in Japanese."""
    teller = Teller(parsed, judgement.line, JAPANESE)
    for flag in judgement.verdict:
        found = [finding for finding in judgement.findings if finding.of is flag]
        assert flag.name is not None
        yield f"  defect {flag.name} ({TERMS[flag.name]}): {HEADS[flag]}"
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
            yield f"  without it: {format_sfen(finding.smaller, rotated=teller.parsed.rotated)}"


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
        yield f"move {len(path) + 1}, instead of {teller.move(path, key)} also {checks}"


def _tries(finding: AllFail, teller: Teller) -> Iterator[str]:
    shown = finding.tries[:MOST_TRIES]
    if not finding.checks:
        yield sentence(finding, teller)
    yield from (try_sentence(one, teller) for one in shown)
    if finding.checks > len(shown):
        yield f"… and {finding.checks - len(shown)} more checks, none of which mates"


def _readings_items(finding: ReadingsDiffer, teller: Teller) -> Iterator[str]:
    readings = finding.readings
    if readings is not None:
        yield f"length: {lengths_text(readings)}"
        if readings.parting is not None:
            yield from _parting_items(readings.parting, teller)
    if finding.line:
        text = sentence(finding, teller).split("; ")[-1]
        yield f"{text}: {teller.branch(finding.line)}"


def _parting_items(parting: Parting, teller: Teller) -> Iterator[str]:
    where = f" after {teller.line(parting.path)}" if parting.path else ""
    yield f"checks at move {len(parting.path) + 1} that mate in {parting.plies}{where}:"
    for name, choices in (
        ("narrow", parting.narrow),
        ("purist", parting.purist),
        ("wide", parting.wide),
    ):
        sooner = f" (mates in {choices.length})" if choices.length not in (None, parting.plies) else ""
        yield f"  {name:6} {teller.moves(parting.path, choices.moves) or 'none'}{sooner}"


def _brief(finding: Finding, teller: Teller) -> str:
    """The line and moves that show a remark, without a sentence: the remark's text stands before it."""
    match finding:
        case EqualDefence():
            others = teller.moves(finding.line[: finding.turn], finding.answers[1:])
            return teller.branch(finding.line) + f" (also {others})" * bool(others)
        case LastMoves():
            moves = teller.moves(finding.line[:-1], finding.moves)
            before = "" if finding.line == teller.main else f"after {teller.line(finding.line[:-1])}: "
            return f"{before}{moves} for {teller.move(finding.line[:-1], finding.line[-1])}"
        case VariationMate():
            return teller.branch(finding.line)
        case _:
            return _with_line(finding, teller)


def _remark_lines(judgement: Judgement, parsed: ParsedSfen) -> Iterator[str]:
    teller = Teller(parsed, judgement.line, JAPANESE)
    for remark in judgement.remarks:
        found = [_brief(one, teller) for one in judgement.findings if one.of is remark]
        if remark is Remark.LEFTOVER_IN_VARIATION and not found and Verdict.LEFTOVER in judgement.verdict:
            continue  # said already
        text = f"  note: {Remark(remark).texts[0]}"
        if len(found) == 1:
            yield f"{text}: {found[0]}"
        else:
            yield text
            yield from (f"    {one}" for one in found)
