# SPDX-License-Identifier: GPL-3.0-or-later
"""The first problem of a pasted text as JSON fields."""

from __future__ import annotations

from typing import Any

from db.notebook import cleaned_notebook_text
from tsume.files.composer_records import notebook_of
from tsume.files.pasted_text import PastedProblem, UnknownTextError, read_pasted_text
from tsume.formats.addresses import NoPositionError
from tsume_rules.sfen import format_sfen


class UnreadableText(ValueError):
    """A text without a problem that can be read: why, in one line. ``code``: the kind of text, if known."""

    def __init__(self, fault: str, code: str | None = None) -> None:
        super().__init__(fault)
        self.code = code


def rendered_reading(text: str) -> dict[str, Any]:
    """The first problem of a text: position, line, title, author, comment. Raises `UnreadableText`."""
    try:
        return _rendered(read_pasted_text(text))
    except UnknownTextError as error:
        raise UnreadableText(str(error), "unknown_text") from None
    except NoPositionError as error:
        raise UnreadableText(str(error), "no_position") from None
    except ValueError as error:
        raise UnreadableText(" ".join(str(error).split())) from None


def _rendered(pasted: PastedProblem) -> dict[str, Any]:
    """Position and line are seen by the attacker, as the page shows them."""
    entry = pasted.entry
    assert entry.parsed is not None
    notes = notebook_of(entry)
    comments = entry.record.comment_lines if entry.record is not None else []
    return {
        "sfen": format_sfen(entry.parsed.position),
        "line": [move.usi for move in entry.line],
        "title": notes.title,
        "author": notes.author,
        "comment": notes.notes or cleaned_notebook_text("notes", "\n".join(comments)),
        "format": pasted.form,
        "more": pasted.more,
    }
