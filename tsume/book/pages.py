# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a booklet, set part by part by typst and joined into one tagged PDF.

Typst keeps in memory whatever it lays out, in all documents that a process sets. A link to another part is an
address ``tsume:MARK`` in a part; in the whole it becomes a link to the destination of that name. Structure:
ISO 32000-1, 14.7 (the structure tree), 14.7.4.4 (the parent tree).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf, String

from tsume.book.content import Bookmark, Content, booklet_parts, bookmarks
from tsume.diagrams.svg import write_pdf
from tsume.parallel.ordered_map import call_in_process

_TEMPLATE = "book.typ"
_SHARED = ("paper", "per_page", "answers", "crowded", "lang", "title", "author")
"""The fields that every part needs."""
LINK_SCHEME = "tsume:"


def book_pdf(content: Content, folder: Path, created: int, page_words: Callable[[int], str]) -> bytes:
    """Return a booklet as PDF/UA-1, from its content and the folder of its pictures, which takes its parts.

    ``created``: seconds since 1970, written into it. ``page_words`` describes a link to a page by its number.
    Raises `generator.run.processes.WorkerLostError` if a process is killed.
    """
    data = content.data
    outline = list(bookmarks(data))
    template = (files("tsume.book") / _TEMPLATE).read_text(encoding="utf-8")
    (folder / _TEMPLATE).write_text(template, encoding="utf-8")

    def typeset(first_page: int, fields: Mapping[str, Any], *, is_valid_alone: bool) -> Path:
        told = {**{name: data[name] for name in _SHARED}, "first_page": first_page, "made_by": "", **fields}
        (folder / "book.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
        path = folder / f"{first_page}.pdf"
        call_in_process(write_pdf, folder / _TEMPLATE, path, created, is_valid_alone)
        return path

    def front(page_of: Mapping[str, int]) -> Path:
        """Return the title page and the contents; a page that is not known is left out."""
        contents = [
            {"level": entry.level, "title": entry.title, "mark": entry.mark, "page": str(page_of.get(entry.mark, ""))}
            for entry in outline
            if entry.in_contents
        ]
        titles = {name: data[name] for name in ("subtitle", "contents_title")}
        return typeset(1, {"part": "front", "contents": contents, **titles}, is_valid_alone=True)

    first_page = 1 + _pages_by_mark(front({}))[0]  # as many whatever the page numbers
    if data["answers"] == "reverse" and first_page % 2 == 0:
        first_page += 1  # problems stand on right-hand pages
    paths: list[tuple[Path, int]] = []
    page_of: dict[str, int] = {}
    for part in (parts := booklet_parts(data)):
        fields = {
            **part,
            "answers_title": data["answers_title"],
            "themes_title": data["themes_title"],
            "themes": data["themes"] if part["part"] == "index" else [],
            "made_by": data["made_by"] if part is parts[-1] else "",
        }
        path = typeset(first_page, fields, is_valid_alone=part["begins"])
        number, marks = _pages_by_mark(path)
        page_of |= {mark: first_page + page for mark, page in marks.items()}
        paths.append((path, first_page))
        first_page += number
    whole = folder / "book.pdf"
    call_in_process(join_pdfs, whole, front(page_of), paths, outline, page_words)
    return whole.read_bytes()


def join_pdfs(
    output: Path,
    front: Path,
    parts: Iterable[tuple[Path, int]],
    outline: Iterable[Bookmark],
    page_words: Callable[[int], str],
) -> None:
    """Write the booklet of a front and parts, each with the number of its first page, as PDF/UA-1.

    ``page_words`` describes a link to a page by its number.
    """
    pdf = Pdf.open(front)
    with ExitStack() as sources:  # open until the booklet is saved: pages are copied then
        destinations = _append_parts(pdf, [(sources.enter_context(Pdf.open(part)), at) for part, at in parts])
        names = [item for mark, at in sorted(destinations.items()) for item in (String(mark), Array(at))]
        pdf.Root.Names = Dictionary(Dests=pdf.make_indirect(Dictionary(Names=Array(names))))
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}
        for page in pdf.pages:
            for annotation in page.obj.get(Name.Annots, ()):
                address = str(annotation.A.URI) if Name.A in annotation else ""
                if address.startswith(LINK_SCHEME):
                    mark = address.removeprefix(LINK_SCHEME)
                    del annotation.A
                    annotation.Dest = String(mark)
                    annotation.Contents = String(page_words(numbers[destinations[mark][0].objgen]))
        with pdf.open_outline() as opened:
            opened.root.clear()
            open_items = [opened.root]
            for bookmark in outline:
                item = OutlineItem(bookmark.title, String(bookmark.mark))
                del open_items[bookmark.level :]
                open_items[-1].append(item)
                open_items.append(item.children)
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
            metadata["{http://ns.adobe.com/xap/1.0/t/pg/}NPages"] = str(len(pdf.pages))
        pdf.save(output, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


def _append_parts(pdf: Pdf, parts: Iterable[tuple[Pdf, int]]) -> dict[str, list[Any]]:
    """Append the pages of parts with their structure; return the destinations of the whole."""
    root = pdf.Root.StructTreeRoot
    all_parents: list[Any] = list(root.ParentTree.Nums)
    next_parent = int(root.ParentTreeNextKey)
    destinations = _pdf_destinations(pdf)
    for source, first_page in parts:
        first = first_page - 1
        while len(pdf.pages) < first:
            _, _, width, height = map(float, source.pages[0].mediabox)
            pdf.add_blank_page(page_size=(width, height))
        pdf.add_pages_from(source, outlines="ignore")
        for page in pdf.pages[first:]:
            # Move a page's keys of the parent tree behind those of the pages before its part.
            if Name.StructParents in page.obj:
                page.obj.StructParents = int(page.obj.StructParents) + next_parent
            for annotation in page.obj.get(Name.Annots, ()):
                if Name.StructParent in annotation:
                    annotation.StructParent = int(annotation.StructParent) + next_parent
        tree = pdf.copy_foreign(source.Root.StructTreeRoot)
        document = root.K[0]
        for element in tree.K[0].K:
            element.P = document
            document.K.append(element)
        numbers = list(tree.ParentTree.Nums)
        for key, parents in zip(numbers[::2], numbers[1::2], strict=True):
            all_parents.extend((int(key) + next_parent, parents))
        next_parent += int(tree.ParentTreeNextKey)
        for mark, (place, *view) in _pdf_destinations(source).items():
            page = pdf.pages[first + source.pages.index(pikepdf.Page(place))]
            destinations[mark] = [page.obj, *view]
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array(all_parents)))
    root.ParentTreeNextKey = next_parent
    return destinations


def _pages_by_mark(part: Path) -> tuple[int, dict[str, int]]:
    """Return how many pages a part has, and on which of them, from 0, each destination lies."""
    with Pdf.open(part) as pdf:
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        places = {mark: place for mark, (place, *_) in _pdf_destinations(pdf).items()}
        return len(numbers), {mark: numbers[place.objgen] for mark, place in places.items()}


def _pdf_destinations(pdf: Pdf) -> dict[str, list[Any]]:
    """Return the named destinations of a document: a page and the view of it."""
    if Name.Names not in pdf.Root or Name.Dests not in pdf.Root.Names:
        return {}
    return {mark: list(place) for mark, place in pikepdf.NameTree(pdf.Root.Names.Dests).items()}
