# SPDX-License-Identifier: GPL-3.0-or-later
"""The composer's record of an imported problem: how the store keeps it, and how exports give it back."""

from __future__ import annotations

import re
from dataclasses import replace

from db.notebook import HEADERS, Notebook, cleaned_notebook_text, notebook_of_headers
from generator.problem import Problem
from solver.results import GivenLine
from tsume.files.entries import Entry
from tsume.formats.game_record import Branch, GameRecord, integrity_headers
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.merging import merged_branches
from tsume_rules.moves import Move

_PLACEHOLDER = re.compile(r"No\. \d+")
"""The title that exports give to a problem without one."""
COMPOSERS_LINE = "作意"
"""The comment on a given line that is not best, where it leaves the main line."""
_LONGEST_TEXT = 2**20
_LONGEST_TITLE = 1000


def kept_record(entry: Entry, line: tuple[Move, ...], given: GivenLine | None) -> str | None:
    """What the store keeps of what came with a problem, as JKF; None where that adds nothing.

    ``line`` is the problem's main line. A given line that is not best becomes a variation of it.
    """
    assert entry.parsed is not None
    best = given is not None and given.reading is not None
    if entry.record is not None:
        wrong = entry.record.line and not best
        return _record_jkf(_with_main_line(entry.record, line) if wrong else entry.record)
    told = entry.line if best and entry.line != line else ()
    return _record_jkf(GameRecord(entry.parsed.position, told, entry.title)) if told else None


def composers_record(problem: Problem) -> GameRecord | None:
    """What the composer's record says; None for a problem without.

    It has the problem's main line where it has no line, and says of its soundness (完全性) what the
    grade says. Raises ValueError for a record that cannot be read.
    """
    if problem.record is None:
        return None
    record = _parsed_jkf(problem.record)
    if record.position != problem.position:
        raise ValueError("its record is of another problem")
    headers = {**dict(record.headers), **integrity_headers(problem.judgement)}
    if not record.line:
        record = _with_tree(record, merged_branches(Branch(1, problem.line), record.main))
    return replace(record, headers=tuple(headers.items()))


def placeholder_title(number: int) -> str:
    """The title of a stored problem that has none, by its id; it is not imported."""
    return f"No. {number}"


def notebook_of(entry: Entry) -> Notebook:
    """What the store's notebook begins with: the headers of a record, or the fields of JSON and CSV."""
    read = entry.notebook
    if entry.record is not None:
        read = notebook_of_record(entry.record)
    return replace(read, title="") if _PLACEHOLDER.fullmatch(read.title) else read


def notebook_of_record(record: GameRecord) -> Notebook:
    """Title, author and source as the store keeps them."""
    return replace(
        notebook_of_headers(dict(record.headers)), title=cleaned_notebook_text("title", record.title)
    )


def with_notebook(record: GameRecord, notebook: Notebook) -> GameRecord:
    """A record with title, author and source of a notebook; headers that say the same stay as they are."""
    said = notebook_of_record(record)
    if said.title != notebook.title:
        record = replace(record, title=notebook.title)
    headers = dict(record.headers)
    for name in ("author", "source"):
        text = getattr(notebook, name)
        if getattr(said, name) != text:
            for key in HEADERS[name]:
                headers.pop(key, None)
            headers |= {HEADERS[name][0]: text} if text else {}
    return replace(record, headers=tuple(headers.items()))


def with_variations(record: GameRecord, computed: GameRecord) -> GameRecord:
    """A composer's record with the variations and comments of another record of the problem."""
    return _with_tree(record, merged_branches(record.main, computed.main))


def _with_main_line(record: GameRecord, line: tuple[Move, ...]) -> GameRecord:
    at = next((n for n, pair in enumerate(zip(record.line, line, strict=False)) if pair[0] != pair[1]), None)
    told = record.main
    if at is not None:
        comments = sorted([(at + 1, COMPOSERS_LINE), *told.move_comments], key=lambda one: one[0])
        told = replace(told, move_comments=tuple(comments))
    return _with_tree(record, merged_branches(Branch(1, line), told))


def _with_tree(record: GameRecord, main: Branch) -> GameRecord:
    return replace(record, line=main.line, move_comments=main.move_comments, branches=main.branches)


def _record_jkf(record: GameRecord) -> str:
    """A record as JKF; without its variations where these are too many or too deep to be read again."""
    try:
        text = write_jkf(record, every_header=True)
        if len(text) <= _LONGEST_TEXT:
            _parsed_jkf(text)
            return text
    except (RecursionError, ValueError):
        pass
    return write_jkf(GameRecord(record.position, record.line, record.title[:_LONGEST_TITLE]))


def _parsed_jkf(text: str) -> GameRecord:
    found = next(find_jkf(text))
    if found.record is None:
        raise found.fault or ValueError("no record")
    return found.record
