# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining the parts of a booklet into one tagged PDF: pages, structure tree, links and outline.

A link to another part is an address ``tsume:MARK`` in a part; here it becomes a link to the destination of
that name. Structure: ISO 32000-1, 14.7 (the structure tree), 14.7.4.4 (the parent tree).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf, String

from tsume.book.content import Bookmark

LINK_SCHEME = "tsume:"


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


def pdf_pages_by_mark(part: Path) -> tuple[int, dict[str, int]]:
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
