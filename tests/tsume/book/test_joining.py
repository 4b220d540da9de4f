# SPDX-License-Identifier: GPL-3.0-or-later
"""Booklets of several parts: what a reader of the PDF, and a screen reader, finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tsume.cli import cli

pytest.importorskip("typst")
pikepdf = pytest.importorskip("pikepdf")


@pytest.fixture(
    scope="module",
    params=[[], ["--answers", "reverse"], ["--per-page", "1", "--lang", "en"]],
    ids=["back", "reverse", "English"],
)
def booklet(
    request: pytest.FixtureRequest, made: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A booklet of six problems, at most two in a part."""
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    arguments = ["book", "--db", str(made), "-o", str(path), "--no-explanations", *request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsume.book.content._PROBLEMS_A_PART", 2)
        done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    with pikepdf.open(path) as pdf:
        yield pdf


def destinations(pdf: Any) -> dict[str, int]:
    """The page, from 0, of each named destination."""
    numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
    return {name: numbers[place[0].objgen] for name, place in pikepdf.NameTree(pdf.Root.Names.Dests).items()}


def test_every_problem_and_its_answer_has_a_destination_in_order(booklet: Any) -> None:
    places = destinations(booklet)
    problems = [places[f"problem-{number}"] for number in range(1, 7)]
    answers = [places[f"answer-{number}"] for number in range(1, 7)]
    assert problems == sorted(problems)
    assert answers == sorted(answers)
    assert problems[0] == 2


def test_links_lead_to_destinations_and_name_their_pages(booklet: Any) -> None:
    places = destinations(booklet)
    links = [
        annotation
        for page in booklet.pages
        for annotation in page.obj.get("/Annots", ())
        if annotation.Subtype == "/Link"
    ]
    assert len(links) >= len(places) - 6
    for link in links:
        page = places[str(link.Dest)] + 1
        words = str(link.Contents).translate(str.maketrans("０１２３４５６７８９", "0123456789"))
        assert words in (f"Page {page}", f"{page}ページ")


def test_the_outline_has_every_section_and_problem(booklet: Any) -> None:
    places = destinations(booklet)
    with booklet.open_outline() as outline:
        roots = list(outline.root)
    marks = [str(item.destination) for item in roots]
    assert marks[:3] == ["contents", "section-1", "section-3"]
    assert str(roots[1].children[0].destination) == "problem-1"

    def all_marks(items: list[Any]) -> Iterator[str]:
        for item in items:
            yield str(item.destination)
            yield from all_marks(item.children)

    assert set(all_marks(roots)) == places.keys()


def test_structure_and_pages_agree(booklet: Any) -> None:
    """Marked content belongs to an element of the structure tree on the same page (ISO 32000-1, 14.7)."""
    numbers = list(booklet.Root.StructTreeRoot.ParentTree.Nums)
    parents = dict(zip(map(int, numbers[::2]), numbers[1::2], strict=True))
    assert sorted(parents) == list(map(int, numbers[::2]))
    pages = 0
    for page in booklet.pages:
        if "/StructParents" in page.obj:
            pages += 1
            for element in parents[int(page.obj.StructParents)]:
                assert element.Pg.objgen == page.obj.objgen
                assert root_of(element).objgen == booklet.Root.StructTreeRoot.objgen
        for annotation in page.obj.get("/Annots", ()):
            assert parents[int(annotation.StructParent)].S == "/Link"
    assert pages >= len(booklet.pages) - 1  # a blank page may follow the contents


def root_of(element: Any) -> Any:
    while "/P" in element:
        element = element.P
    return element


def test_each_part_goes_on_with_the_page_numbers(booklet: Any) -> None:
    labels = pikepdf.NumberTree(booklet.Root.PageLabels)
    assert int(labels[1].St) == 2
    assert max(dict(labels.items())) < 3  # the rest is counted on


def test_contents_name_the_pages_of_the_sections(booklet: Any) -> None:
    """The pages in the contents are those of the destinations."""
    places = destinations(booklet)
    linked = {str(annotation.Dest) for annotation in booklet.pages[1].obj.Annots}
    assert {"section-1", "section-3"} <= linked <= places.keys()
