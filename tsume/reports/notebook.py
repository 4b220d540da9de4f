# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's data on a stored problem, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from db.notebook import JSON_NAMES, TEXTS, Notebook, printable_note
from db.problem_rows import Versions
from tsume.language.voice import MIXED, Voice


def notebook_lines(notebook: Notebook, versions: Versions, voice: Voice = MIXED) -> Iterator[str]:
    """Yield a line for each text present, with further lines of notes indented."""
    for name in _SHORT:
        if text := getattr(notebook, name):
            yield voice(f"problems.{name}", text=printable_note(text))
    if notebook.tags:
        yield voice("problems.tags", text=voice.listed(map(printable_note, notebook.tags)))
    if versions.earlier:
        yield voice("problems.version_of", text=" > ".join(map(str, versions.earlier)))
    if versions.later:
        yield voice("problems.versions", text=voice.listed(map(str, versions.later)))
    if notebook.notes:
        first, *others = map(printable_note, notebook.notes.split("\n"))
        yield voice("problems.notes", text=first)
        yield from (f"  {line}" for line in others)


_SHORT = tuple(name for name in TEXTS if name != "notes")


def notebook_fields(notebook: Notebook) -> dict[str, Any]:
    """Return a notebook as JSON fields; missing texts are None."""
    texts = {field: getattr(notebook, name) or None for name, field in JSON_NAMES.items()}
    return {**texts, "tags": list(notebook.tags), "version_of": notebook.parent}
