# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's data on a stored problem: title, author, source, notes, tags, and the problem it is a version of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

TEXTS = {"title": 200, "author": 200, "source": 200, "notes": 10_000}
"""The texts and their maximum lengths in characters."""
JSON_NAMES = {"title": "title", "author": "author", "source": "source", "notes": "own_notes"}
"""The names of the texts in JSON and CSV, where ``notes`` are the program's."""
HEADERS = {"title": ("作品名",), "author": ("作者",), "source": ("発表誌", "出典")}
"""The record headers for each text: the first present one is read, the first one is written."""
MAX_TAGS = 100
"""The most tags of one problem."""
LONGEST_TAG = 50
"""Characters."""
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_LINE_BREAK = "\n"


@dataclass(frozen=True)
class Notebook:
    """A user's data on a problem; empty by default. ``tags`` are in alphabetical order, each one word. ``parent`` is
    the id of the problem of which this one is a version."""

    title: str = ""
    author: str = ""
    source: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()
    parent: int | None = None


EMPTY = Notebook()


@dataclass(frozen=True)
class NotebookEdit:
    """A change of notebooks. None keeps a text, an empty text clears it. ``parent`` is the new parent, None for none;
    it is ignored unless ``moves``."""

    title: str | None = None
    author: str | None = None
    source: str | None = None
    notes: str | None = None
    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    parent: int | None = None
    moves: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The texts that change, by column."""
        given = {name: getattr(self, name) for name in TEXTS}
        return {name: text for name, text in given.items() if text is not None}

    @property
    def asks(self) -> bool:
        """Whether anything changes."""
        return self != NotebookEdit()


def fault_of_text(name: str, text: str) -> str | None:
    """Return why a text is invalid for a column of `TEXTS`; None if it is valid."""
    if len(text) > TEXTS[name]:
        return f"{len(text)} characters: at most {TEXTS[name]}"
    breaks = _LINE_BREAK if name == "notes" else ""
    odd = next((c for c in text if is_unprintable(c) and c not in breaks), None)
    return None if odd is None else f"the character {odd!r} is not printable"


def fault_of_tag(tag: str) -> str | None:
    """Return why a text is not a valid tag; None if it is."""
    if not tag or len(tag) > LONGEST_TAG:
        return f"a tag has 1 to {LONGEST_TAG} characters, not {len(tag)}"
    odd = next((c for c in tag if is_unprintable(c) or c.isspace()), None)
    return None if odd is None else f"a tag is one word, without {odd!r}"


def is_unprintable(character: str) -> bool:
    """Return whether a character is unprintable: controls, direction marks, line separators."""
    return unicodedata.category(character) in _UNPRINTABLE


def is_unstorable(text: str) -> bool:
    """Return whether a text has a character that some databases cannot store: NUL, surrogates."""
    return _UNSTORABLE.search(text) is not None


def printable_note(text: str) -> str:
    """Return a text on one line; unprintable characters are escaped as in Python."""
    return "".join(repr(c)[1:-1] if is_unprintable(c) else c for c in text)


def cleaned_notebook_text(name: str, value: object) -> str:
    """Return the part of a foreign text that fits a column of `TEXTS`: printable characters up to the maximum
    length."""
    if not isinstance(value, str) or not value:
        return ""
    text = value.replace("\r\n", _LINE_BREAK).replace("\r", _LINE_BREAK)
    if name != "notes":
        text = text.replace(_LINE_BREAK, " ")
    kept = "".join(c for c in text if not is_unprintable(c) or (c == _LINE_BREAK and name == "notes"))
    return kept.strip()[: TEXTS[name]].strip()


def notebook_of_fields(fields_read: Mapping[str, object], tags: Iterable[object] = ()) -> Notebook:
    """Return a notebook from foreign values by name; invalid texts and tags are omitted."""
    words = {tag for tag in tags if isinstance(tag, str) and fault_of_tag(tag) is None}
    title, author, source, notes = (cleaned_notebook_text(name, fields_read.get(name)) for name in TEXTS)
    return Notebook(title, author, source, notes, tuple(sorted(words)[:MAX_TAGS]))


def notebook_of_headers(headers: Mapping[str, object]) -> Notebook:
    """Return the notebook from the headers of a record; invalid texts are omitted."""
    read = {name: next((headers[key] for key in keys if headers.get(key)), "") for name, keys in HEADERS.items()}
    return notebook_of_fields(read)
