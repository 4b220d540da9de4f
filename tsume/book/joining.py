# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining the parts of a booklet into one tagged PDF: pages, structure tree, links and outline.

A link to another part is an address ``tsume:MARK`` in a part; here it becomes a link to the destination of
that name. Structure: ISO 32000-1, 14.7 (the structure tree), 14.7.4.4 (the parent tree).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf, String

from tsume.book.content import Bookmark

LINK_SCHEME = "tsume:"
_NUMBER_OF_PAGES = "{http://ns.adobe.com/xap/1.0/t/pg/}NPages"


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
    joiner = _PdfJoiner(front, page_words)
    for part, first_page in parts:
        joiner.append(part, first_page)
    joiner.write(output, outline)


class _PdfJoiner:
    """Appends parts to a front."""

    def __init__(self, front: Path, page_words: Callable[[int], str]) -> None:
        self._page_words = page_words
        self._pdf = Pdf.open(front)
        self._sources: list[Pdf] = []  # open until the booklet is saved: pages are copied then
        self._tree = self._pdf.Root.StructTreeRoot
        self._parents: list[Any] = list(self._tree.ParentTree.Nums)
        self._next_parent = int(self._tree.ParentTreeNextKey)
        self._destinations = _pdf_destinations(self._pdf)

    def append(self, part: Path, first_page: int) -> None:
        """Append the pages of a part, the first of this number, with their structure and destinations."""
        source = Pdf.open(part)
        self._sources.append(source)
        first = first_page - 1
        while len(self._pdf.pages) < first:
            _, _, width, height = map(float, source.pages[0].mediabox)
            self._pdf.add_blank_page(page_size=(width, height))
        self._pdf.add_pages_from(source, outlines="ignore")
        for page in self._pdf.pages[first:]:
            # Move a page's keys of the parent tree behind those of the pages before its part.
            if Name.StructParents in page.obj:
                page.obj.StructParents = int(page.obj.StructParents) + self._next_parent
            for annotation in page.obj.get(Name.Annots, ()):
                if Name.StructParent in annotation:
                    annotation.StructParent = int(annotation.StructParent) + self._next_parent
        tree = self._pdf.copy_foreign(source.Root.StructTreeRoot)
        document = self._tree.K[0]
        for element in tree.K[0].K:
            element.P = document
            document.K.append(element)
        numbers = list(tree.ParentTree.Nums)
        for key, parents in zip(numbers[::2], numbers[1::2], strict=True):
            self._parents.extend((int(key) + self._next_parent, parents))
        self._next_parent += int(tree.ParentTreeNextKey)
        for mark, (place, *view) in _pdf_destinations(source).items():
            page = self._pdf.pages[first + source.pages.index(pikepdf.Page(place))]
            self._destinations[mark] = [page.obj, *view]

    def write(self, output: Path, outline: Iterable[Bookmark]) -> None:
        """Write the booklet with its outline."""
        self._tree.ParentTree = self._pdf.make_indirect(Dictionary(Nums=Array(self._parents)))
        self._tree.ParentTreeNextKey = self._next_parent
        names: list[Any] = []
        for mark, destination in sorted(self._destinations.items()):
            names += [String(mark), Array(destination)]
        self._pdf.Root.Names = Dictionary(Dests=self._pdf.make_indirect(Dictionary(Names=Array(names))))
        self._resolve_links()
        self._write_outline(outline)
        with self._pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
            metadata[_NUMBER_OF_PAGES] = str(len(self._pdf.pages))
        self._pdf.save(output, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        for source in self._sources:
            source.close()

    # --- structure --------------------------------------------------------------------------------

    # --- destinations -----------------------------------------------------------------------------

    def _resolve_links(self) -> None:
        numbers = {page.obj.objgen: number for number, page in enumerate(self._pdf.pages, 1)}
        for page in self._pdf.pages:
            for annotation in page.obj.get(Name.Annots, ()):
                address = str(annotation.A.URI) if Name.A in annotation else ""
                if address.startswith(LINK_SCHEME):
                    mark = address.removeprefix(LINK_SCHEME)
                    del annotation.A
                    annotation.Dest = String(mark)
                    number = numbers[self._destinations[mark][0].objgen]
                    annotation.Contents = String(self._page_words(number))

    def _write_outline(self, bookmarks: Iterable[Bookmark]) -> None:
        with self._pdf.open_outline() as outline:
            outline.root.clear()
            open_items = [outline.root]
            for bookmark in bookmarks:
                item = OutlineItem(bookmark.title, String(bookmark.mark))
                del open_items[bookmark.level :]
                open_items[-1].append(item)
                open_items.append(item.children)


def pdf_pages_by_mark(part: Path) -> tuple[int, dict[str, int]]:
    """How many pages a part has, and on which of them, from 0, each destination lies."""
    with Pdf.open(part) as pdf:
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        return len(numbers), {
            mark: numbers[place.objgen] for mark, (place, *_) in _pdf_destinations(pdf).items()
        }


def _pdf_destinations(pdf: Pdf) -> dict[str, list[Any]]:
    """The named destinations of a document: a page and the view of it."""
    if Name.Names not in pdf.Root or Name.Dests not in pdf.Root.Names:
        return {}
    return {mark: list(place) for mark, place in pikepdf.NameTree(pdf.Root.Names.Dests).items()}
