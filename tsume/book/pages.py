# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a booklet, set part by part by typst and joined.

Typst keeps in memory whatever it lays out, in all documents that a process sets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from tsume.book.content import BookletPart, Bookmark, Content, booklet_parts, bookmarks
from tsume.diagrams.typesetting import write_pdf
from tsume.parallel.ordered_map import call_in_process

_TEMPLATE = "book.typ"
_SHARED = ("paper", "per_page", "answers", "crowded", "lang", "title", "author")
"""The fields that every part needs."""


def book_pdf(content: Content, folder: Path, created: int, page_words: Callable[[int], str]) -> bytes:
    """Return a booklet as PDF/UA-1, from its content and the folder of its pictures, which takes its parts.

    ``created``: seconds since 1970, written into it. ``page_words`` describes a link to a page by its number.
    Raises `tsume.extras.Missing` if typst or pikepdf is not installed, and
    `generator.run.processes.WorkerLostError` if a process is killed.
    """
    from tsume.book.joining import join_pdfs, pdf_pages_by_mark

    data = content.data
    outline = list(bookmarks(data))
    typesetter = _Typesetter(data, folder, created)
    first_page = 1 + pdf_pages_by_mark(typesetter.front(outline, {}))[0]  # as many whatever the page numbers
    if data["answers"] == "reverse" and first_page % 2 == 0:
        first_page += 1  # problems stand on right-hand pages
    paths: list[tuple[Path, int]] = []
    page_of: dict[str, int] = {}
    for part in (parts := booklet_parts(data)):
        path = typesetter.part(part, first_page, is_last=part is parts[-1])
        number, marks = pdf_pages_by_mark(path)
        page_of |= {mark: first_page + page for mark, page in marks.items()}
        paths.append((path, first_page))
        first_page += number
    whole = folder / "book.pdf"
    call_in_process(join_pdfs, whole, typesetter.front(outline, page_of), paths, outline, page_words)
    return whole.read_bytes()


class _Typesetter:
    def __init__(self, data: Mapping[str, Any], folder: Path, created: int) -> None:
        self._data = data
        self._folder = folder
        self._created = created
        template = (files("tsume.book") / _TEMPLATE).read_text(encoding="utf-8")
        (folder / _TEMPLATE).write_text(template, encoding="utf-8")

    def front(self, outline: Sequence[Bookmark], page_of: Mapping[str, int]) -> Path:
        """Return the title page and the contents; a page that is not known is left out."""
        contents = [
            {"level": entry.level, "title": entry.title, "mark": entry.mark, "page": str(page_of.get(entry.mark, ""))}
            for entry in outline
            if entry.in_contents
        ]
        fields = {name: self._data[name] for name in ("subtitle", "contents_title")}
        return self._typeset("front", 1, is_valid_alone=True, contents=contents, **fields)

    def part(self, part: BookletPart, first_page: int, *, is_last: bool) -> Path:
        """Return a part whose first page has this number."""
        return self._typeset(
            part.kind,
            first_page,
            is_valid_alone=part.begins,
            begins=part.begins,
            sections=part.sections,
            answers_title=self._data["answers_title"],
            themes_title=self._data["themes_title"],
            themes=self._data["themes"] if part.kind == "index" else [],
            made_by=self._data["made_by"] if is_last else "",
        )

    def _typeset(self, kind: str, first_page: int, *, is_valid_alone: bool, **fields: Any) -> Path:
        shared = {name: self._data[name] for name in _SHARED}
        data = {**shared, "part": kind, "first_page": first_page, "made_by": "", **fields}
        (self._folder / "book.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        path = self._folder / f"{first_page}.pdf"
        call_in_process(write_pdf, self._folder / _TEMPLATE, path, self._created, is_valid_alone)
        return path
