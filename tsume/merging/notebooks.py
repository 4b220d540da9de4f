# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging notebooks: no user data is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from db.notebook import MOST_TAGS, TEXTS, Notebook
from db.stored_problem import StoredProblem

_HEADLINES = ("title", "author", "source")


def copies_by_notebook_age(copies: Sequence[tuple[int, StoredProblem]]) -> list[StoredProblem]:
    """Numbered copies by number, then by their texts: the order of the stores makes no difference."""

    def written(copy: tuple[int, StoredProblem]) -> tuple[object, ...]:
        number, problem = copy
        book = problem.notebook
        texts = (book.title, book.author, book.source, book.notes)
        return (number, *texts, book.tags, problem.record or "")

    return [problem for _, problem in sorted(copies, key=written)]


def merged_notebook(books: Sequence[Notebook]) -> tuple[Notebook, int, int]:
    """The first text of each kind, all tags, all notes; other titles, authors and sources become notes.

    The first notebook's tags and notes take precedence if there is no room for all; also returns how many
    tags and how many characters of notes that leaves out.
    """
    texts = {name: next((getattr(b, name) for b in books if getattr(b, name)), "") for name in _HEADLINES}
    notes: list[str] = []
    for book in books:
        told = [
            f"{name}: {getattr(book, name)}"
            for name in _HEADLINES
            if getattr(book, name) not in ("", texts[name])
        ]
        for note in (book.notes, *told):
            if not set(note.split("\n")) <= {line for kept in notes for line in kept.split("\n")} | {""}:
                notes.append(note)
    tags = list(dict.fromkeys(tag for book in books for tag in book.tags))
    all_notes = "\n".join(notes).strip()
    told_all, kept = all_notes[: TEXTS["notes"]].strip(), tuple(sorted(tags[:MOST_TAGS]))
    book = Notebook(texts["title"], texts["author"], texts["source"], told_all, kept)
    return book, len(tags) - len(kept), len(all_notes) - len(told_all)


def composers_record_of_copies(copies: Sequence[StoredProblem]) -> str | None:
    """The first composer's record, None without any."""
    return next((problem.record for problem in copies if problem.record is not None), None)


def without_parent(book: Notebook) -> Notebook:
    """A notebook without its parent."""
    return replace(book, parent=None)
