# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume book`, and how the parts of a booklet are joined in one PDF"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("typst")

from click.testing import CliRunner

from db.notebook import Notebook
from db.store import Store
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tests.tsume.conftest import Run, refused
from tsume.book.content import BookletOptions, Content, booklet_content
from tsume.cli import cli
from tsume.formats import english, japanese
from tsume.language.catalogue import LANGUAGES, Language
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions

pikepdf = pytest.importorskip("pikepdf")


def written_booklet(tsume: Run, store: Path, folder: Path, *options: object) -> bytes:
    path = folder / "book.pdf"
    done = tsume("book", "--db", store, "-o", path, *options)
    assert (done.exit_code, done.stdout) == (0, "")
    return path.read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        ["-j", 1],
        ["-j", 1, "--per-page", 1, "--lang", "en", "--pieces", "letters"],
        ["-j", 1, "--per-page", 4, "--answers", "reverse", "--lang", "both"],
        ["--per-page", 6, "--paper", "a4", "--no-explanations", "--defender-hand"],
        ["--answers", "reverse", "--book-title", '#"\\*', "--book-author", "$x$", "--colors", "wood"],
    ],
)
def test_a_tagged_pdf_with_its_fonts(tsume: Run, made: Path, tmp_path: Path, options: list[object]) -> None:
    pdf = written_booklet(tsume, made, tmp_path, *options)
    assert pdf.startswith(b"%PDF-")
    with pikepdf.open(BytesIO(pdf)) as document:
        assert document.Root.MarkInfo.Marked
        assert "/StructTreeRoot" in document.Root
        assert document.open_metadata()["pdfuaid:part"] == "1"
        fonts = [one for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/FontName" in one]
        assert fonts
        assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)


def test_jobs_make_no_difference_and_slow_problems_are_named(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    one, two = (written_booklet(tsume, made, tmp_path, "-j", jobs, "--id", "3-4") for jobs in (1, 2))
    assert one == two
    monkeypatch.setattr("tsume.commands.pictures._SLOW_SECONDS", 0)
    done = tsume("book", "--db", made, "-o", tmp_path / "a.pdf", "-j", 1, "--id", "1-2", status=0)
    assert re.findall(r"^problem (\d+): its explanation took \d+ s$", done.stderr, re.MULTILINE) == ["1", "2"]


def test_only_selected_problems_are_printed_also_to_stdout(tsume: Run, made: Path, tmp_path: Path) -> None:
    whole, one = (len(written_booklet(tsume, made, tmp_path, "-j", 1, *options)) for options in ([], ["--id", 1]))
    assert one < whole
    done = tsume("book", "--db", made, "-o", "-", "--id", 1, "--no-explanations", status=0)
    assert done.stdout_bytes.startswith(b"%PDF-")


def test_without_problems_a_store_a_place_or_the_extra_there_is_no_booklet(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.pdf"
    assert "none.db" in tsume("book", "--db", tmp_path / "none.db", "-o", out, status=1).stderr
    assert refused(tsume, "book", "--db", made, "-o", out, "--moves", 31) == "Error: a booklet needs problems"
    done = tsume("book", "--db", made, "-o", tmp_path / "none" / "a.pdf", "--no-explanations", "--limit", 1, status=1)
    assert "No such file" in done.stderr
    for output in ("none/a.pdf", "."):  # tried before problems are read
        done = tsume("book", "--db", tmp_path / "none.db", "-o", tmp_path / output)
        assert done.exit_code
        assert "none.db" not in done.stderr
    for text in ("a\nb", "x" * 201):
        assert tsume("book", "--db", made, "-o", out, "--book-title", text).exit_code == 2
    monkeypatch.setitem(sys.modules, "typst", None)
    line = refused(tsume, "book", "--db", made, "-o", out)
    assert line == "Error: typst is not installed: pip install 'tsume-shogi[print]' (or typst alone)"
    assert not list(tmp_path.iterdir())


def test_words_of_a_notebook_are_printed_as_they_are(tsume: Run, store: Path, tmp_path: Path) -> None:
    tsume("edit", 1, "--db", store, "--title", "桜😀か\u0301", "--author", "Łukasz é", "--notes", "한 م\n" + "W" * 99)
    path = tmp_path / "a.pdf"
    done = tsume("book", "--db", store, "-o", path, "--id", 1, "--no-explanations", status=0)
    assert done.stderr == f"{path}: the font lacks these characters, each shown as 〓: م 한 😀\n"
    tsume("edit", 1, "--db", store, "--title", "#panic() *x* `y` $z$ <w> @v", "--notes", '#import "a"')
    with Store.open(store, create=False) as opened:
        found = opened.get(1)
    assert found is not None
    assert found.notebook.title.startswith("#panic()")
    written_booklet(tsume, store, tmp_path, "--id", 1)


@pytest.fixture(
    scope="module",
    params=[[], ["--answers", "reverse"], ["--per-page", "1", "--lang", "en"]],
    ids=["back", "reverse", "English"],
)
def booklet(request: pytest.FixtureRequest, made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
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


def test_destinations_links_contents_and_page_numbers(booklet: Any) -> None:
    places = destinations(booklet)
    problems = [places[f"problem-{number}"] for number in range(1, 7)]
    answers = [places[f"answer-{number}"] for number in range(1, 7)]
    assert problems == sorted(problems)
    assert answers == sorted(answers)
    assert problems[0] == 2
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
    # The pages in the contents are those of the destinations.
    linked = {str(annotation.Dest) for annotation in booklet.pages[1].obj.Annots}
    assert {"section-1", "section-3"} <= linked <= places.keys()
    labels = pikepdf.NumberTree(booklet.Root.PageLabels)
    assert int(labels[1].St) == 2
    assert max(dict(labels.items())) < 3  # the rest is counted on


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


# --- What booklets say --------------------------------------------------------------------------


Explained = list[tuple[StoredProblem, ReplyTree | None]]


@pytest.fixture(scope="module")
def explained(made: Path) -> Explained:
    with Store.open(made, create=False) as store:
        problems = list(store.find())
    builder = ReplyTreeBuilder(TreeOptions(60, 72))
    trees = [builder.build(problem.position) for problem in problems]
    return list(zip(problems, trees, strict=True))


def content_of(
    problems: Iterable[tuple[StoredProblem, ReplyTree | None]],
    options: BookletOptions,
    made_by: str,
    pictures: dict[str, str] | None = None,
) -> Content:
    """The content of problems in any order."""
    by_length = [(*one, ()) for one in sorted(problems, key=lambda one: one[0].length)]
    save = ({} if pictures is None else pictures).__setitem__
    return booklet_content(iter(by_length), options, made_by, len(by_length), save)


def entries(made: Content) -> Iterator[dict[str, Any]]:
    return (entry for section in made.data["sections"] for entry in section["problems"])


def test_problems_stand_in_sections_by_length_and_are_numbered_through(explained: Explained) -> None:
    made = content_of(reversed(explained), BookletOptions(), "tsume")
    assert [section["title"] for section in made.data["sections"]] == ["１手詰", "３手詰"]
    assert [entry["number"] for entry in entries(made)] == [1, 2, 3, 4, 5, 6]
    assert next(entry["heads"] for entry in entries(made)) == ["第１番　１手詰"]
    data = content_of(explained, BookletOptions(), "").data
    assert json.loads(json.dumps(data)) == data
    assert content_of(explained, BookletOptions(per_page=6, answers="reverse"), "").data["crowded"]
    assert not content_of(explained, BookletOptions(per_page=6), "").data["crowded"]
    made = content_of(explained, BookletOptions(languages=("en", "ja")), "")
    assert all([a["lang"] for a in entry["answers"]] == ["en", "ja"] for entry in entries(made))
    assert made.data["lang"] == "en"
    assert made.data["contents_title"] == "Contents 目次"
    with pytest.raises(ValueError, match="needs problems"):
        content_of([], BookletOptions(), "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_has_the_whole_line(explained: Explained, language: Language) -> None:
    texts = {"ja": japanese.line_texts, "en": english.line_texts}[language]
    for entry, (problem, _) in zip(
        entries(content_of(explained, BookletOptions(languages=(language,)), "")), explained, strict=True
    ):
        (answer,) = entry["answers"]
        assert answer["line"].startswith(" ".join(texts(problem.position, problem.line)))


def test_variations_and_tries_are_those_of_the_tree(explained: Explained) -> None:
    three = [one for one in explained if one[0].length == 3]
    made = content_of(three, BookletOptions(languages=("en",)), "")
    labels = {part["label"] for entry in entries(made) for part in entry["answers"][0]["parts"]}
    assert {"Tries", "Difficulty"} <= labels
    for entry, (_, tree) in zip(entries(made), three, strict=True):
        assert tree is not None
        parts = {part["label"]: part["items"] for part in entry["answers"][0]["parts"]}
        assert all("fails to" in text for text in parts.get("Tries", []))
        assert all("is met by" in text for text in parts.get("Variations", []))
    made = content_of([(problem, None) for problem, _ in explained], BookletOptions(languages=("en",)), "")
    labels = {part["label"] for entry in entries(made) for part in entry["answers"][0]["parts"]}
    assert not labels & {"Tries", "Variations"}
    (first, _), *_, (other, tree) = explained
    assert first.line[0] != other.line[0]
    (entry,) = entries(content_of([(first, tree)], BookletOptions(languages=("en",)), ""))
    assert not {part["label"] for part in entry["answers"][0]["parts"]} & {"Tries", "Variations"}


def test_each_problem_has_two_pictures_that_are_described(explained: Explained) -> None:
    pictures: dict[str, str] = {}
    made = content_of(explained, BookletOptions(), "", pictures)
    assert len(pictures) == 2 * len(explained)
    for entry in entries(made):
        assert entry["alt"].startswith(f"第{'０１２３４５６'[entry['number']]}番")
        for name in (entry["picture"], entry["final"]):
            ElementTree.fromstring(pictures[name])
        assert "詰上り図" in entry["final_alt"]
        assert "最終手" in entry["final_alt"]


def test_the_index_of_themes_comments_and_sources(explained: Explained) -> None:
    tagged = [(replace(problem, themes=("sacrifice",)), tree) for problem, tree in explained[:2]]
    made = content_of([*tagged, *((replace(p, themes=()), t) for p, t in explained[2:])], BookletOptions(), "")
    assert made.data["themes"] == [{"name": "捨駒", "numbers": [1, 2]}]
    problem, tree = explained[0]
    told = replace(problem, notebook=Notebook("題", "作者", "本", "一行\n二行"))
    (entry,) = entries(content_of([(told, tree)], BookletOptions(), ""))
    parts = {part["label"]: part["items"] for part in entry["answers"][0]["parts"]}
    assert (entry["title"], entry["author"]) == ("題", "作者")
    assert (parts["解説"], parts["出典"]) == (["一行", "二行"], ["本"])
