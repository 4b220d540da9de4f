# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a site: what is there, where it leads, what it gives away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.tsume.site.conftest import ADDRESSES

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")

from db.store import Store
from db.stored_problem import StoredProblem
from generator.theme_names import english_name, japanese_name
from tests.tsume.conftest import Run
from tests.tsume.site.folders import Page, files, pages, target
from tsume.diagrams.look import captioned_moves
from tsume.site.data import problem_tree, site_tree_builder, tree_script

_POLICY = "default-src 'self' file:; object-src 'none'; base-uri 'none'; form-action 'none'"
_WITH_MOVES = (
    "static/notation.js", "static/tsume-worker.js", "static/tsume-network.js", "static/GPL-3.txt",
)  # fmt: skip
_SOLVER_POLICY = _POLICY.replace(
    ";",
    "; img-src 'self' file: data:; script-src 'self' file: 'wasm-unsafe-eval'; worker-src 'self' blob:;",
    1,
)


@pytest.fixture(scope="module")
def problems(library: Path) -> list[StoredProblem]:
    with Store.open(library, create=False) as store:
        return list(store.find())


@pytest.fixture(scope="module")
def found(both: Path) -> list[Page]:
    return pages(both)


def page_of(both: Path, name: str) -> Page:
    return Page(both / name)


def test_every_problem_has_a_page_and_a_diagram(both: Path, problems: list[StoredProblem]) -> None:
    assert len(problems) == 4
    for problem in problems:
        for name in ("problems/{}.html", "problems/{}.svg"):
            assert (both / name.format(problem.id)).is_file()
        assert (both / f"en/problems/{problem.id}.html").is_file()
        assert (both / f"en/problems/{problem.id}.svg").is_file()
        for name in ("problems/{}.js", "en/problems/{}.js"):
            assert len((both / name.format(problem.id)).read_bytes()) < 6200
    assert (both / ".nojekyll").read_bytes() == b""
    assert not (both / "robots.txt").exists()


def test_pages_are_well_formed(found: list[Page]) -> None:
    assert len(found) > 20
    assert [(page.path.name, page.faults) for page in found if page.faults] == []


def test_every_address_is_relative_and_leads_to_a_file(found: list[Page]) -> None:
    for page in found:
        assert page.addresses
        for address in page.addresses:
            path = target(page, address)
            if path.stem == "0":  # the script puts the day's number there
                path = path.with_stem("1")
            assert path.is_file(), (page.path, address)


def test_every_page_is_reached_from_the_first(both: Path) -> None:
    reached: set[Path] = set()
    waiting = [both / "index.html"]
    while waiting:
        path = waiting.pop().resolve()
        if path in reached or path.suffix != ".html":
            continue
        reached.add(path)
        page = Page(path)
        waiting += [target(page, one) for one in page.addresses if not one.endswith("/0.html")]
    written = {path.resolve() for path in both.rglob("*.html") if path.name != "offline.html"}
    assert reached == written


def test_scripts_and_styles_ask_for_nothing_foreign(both: Path) -> None:
    for name, data in files(both).items():
        if name.endswith((".js", ".css")):
            addresses = re.findall(r"https?://[^\\\"' ]*", data.decode())
            assert set(addresses) - set(ADDRESSES) <= {"http://www.w3.org/2000/svg"}, name
            assert name == "service-worker.js" or "fetch(" not in data.decode()
            assert "import " not in data.decode()
            assert "url(" not in data.decode()


def test_no_page_has_a_script_or_a_style_in_it(found: list[Page]) -> None:
    for page in found:
        policies = [
            given["content"]
            for tag, given in page.elements
            if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy"
        ]
        has_solver = any("data-worker" in given for _, given in page.elements if given.get("data-api"))
        assert policies == [_SOLVER_POLICY if has_solver else _POLICY]
        for tag, given in page.elements:
            assert tag != "style"
            assert tag != "script" or given.get("src")
            assert not any(name == "style" or name.startswith("on") for name in given)
            assert "module" not in str(given.get("type"))


# --- spoilers ---------------------------------------------------------------------------------------


def written(problem: StoredProblem) -> Iterator[str]:
    """The moves of the line, in every way in which they are written."""
    for language in ("ja", "en"):
        yield from captioned_moves(problem.position, problem.line, language)
    yield from (move.usi for move in problem.line)


def test_the_line_is_told_only_in_the_answer(found: list[Page], problems: list[StoredProblem]) -> None:
    by_id = {str(problem.id): problem for problem in problems}
    for page in found:
        told = page.told().replace("GPL", "")
        for problem in problems:
            for text in written(problem):
                assert text not in told, (page.path, text)
        if page.path.parent.name == "problems":
            problem = by_id[page.path.stem]
            for text in captioned_moves(problem.position, problem.line, page.language):  # type: ignore[arg-type]
                assert text in page.answer


def test_the_answer_is_folded_away(found: list[Page]) -> None:
    for page in found:
        if page.path.parent.name == "problems":
            answers = [given for tag, given in page.elements if tag == "details"]
            assert answers == [{"class": "answer"}]


def test_themes_are_named_only_where_they_are_chosen(
    found: list[Page], problems: list[StoredProblem]
) -> None:
    names = {
        name(tag) for problem in problems for tag in problem.themes for name in (japanese_name, english_name)
    }
    assert names
    for page in found:
        if page.path.parent.name == "problems":
            assert not any(name in page.told() for name in names)


def test_data_says_nothing_of_lines(both: Path, problems: list[StoredProblem]) -> None:
    texts = [text for problem in problems for text in written(problem)]
    for name, data in files(both).items():
        assert not any(text in name for text in texts)
        folders = ("problems/", "en/problems/")
        silent = name in _WITH_MOVES or name.endswith(".png")
        if not name.startswith(folders) and not silent:
            assert not any(text in data.decode() for text in texts), name


# --- trees ------------------------------------------------------------------------------------------


def tree_in(script: str) -> dict[str, Any] | None:
    """The tree of a script that a page loads."""
    tree: dict[str, Any] | None = json.loads(script.split("\n", maxsplit=1)[0].split(" = ", 1)[1].rstrip(";"))
    return tree


def line_in(tree: dict[str, Any]) -> list[str]:
    line, turn = [], tree["turns"][0]
    while turn:
        (key,) = [one for one in turn["checks"] if one["move"] == turn["key"]]
        best = next((one for one in key["answers"] if one.get("best")), None)
        line += [key["move"], *([best["move"]] if best else [])]
        turn = tree["turns"][best["turn"]] if best else None
    return line


@pytest.mark.parametrize("most", [6000, 1500, 1000, 800, 300, 0])
def test_a_tree_that_is_too_large_keeps_its_line(
    problems: list[StoredProblem], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("tsume.site.data._MOST_TREE_BYTES", most)
    builder, problem = site_tree_builder(), problems[0]
    script = tree_script(problem, problem_tree(builder, problem), "en")
    tree = tree_in(script)
    assert (tree is None) == (most <= 300)
    if tree is None:
        return
    assert len(json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()) <= most
    assert line_in(tree) == [move.usi for move in problem.line]
    checks = [one for turn in tree["turns"] for one in turn["checks"]]
    assert all(one["text"].keys() == {"ja", "en"} for one in checks)
    turns = [one["turn"] for check in checks for one in check.get("answers", ()) if "turn" in one]
    assert turns == sorted(set(turns))
    assert turns[-1] < len(tree["turns"])
    assert any(one["result"] == "open" for one in checks) == (most < 1500)


def test_no_tree_of_a_long_problem_is_made(problems: list[StoredProblem]) -> None:
    assert problem_tree(site_tree_builder(), replace(problems[0], length=17)) is None


# --- what pages say ---------------------------------------------------------------------------------


def test_an_answer_has_the_line_and_what_is_stored(both: Path) -> None:
    japanese, english = page_of(both, "problems/1.html"), page_of(both, "en/problems/1.html")
    assert "▲２三金 △１一玉 ▲２二金まで3手詰" in japanese.answer
    assert "手筋" in japanese.answer
    assert "G-2c K-1a G-2b mate in 3." in english.answer
    assert "Themes" in english.answer
    assert "Variations" not in english.answer  # the solver finds them in the browser


def test_a_problem_says_its_length_stars_title_and_author(both: Path) -> None:
    page = page_of(both, "problems/1.html")
    assert "第1番 <b>&\"'" in page.words
    assert "3手詰" in page.words
    assert "難易度" in page.words
    assert "無名" in page.words
    assert any(str(given.get("aria-label", "")).startswith("5段階の") for _, given in page.elements)
    (described,) = [given["alt"] for tag, given in page.elements if tag == "img"]
    assert "１二玉" in str(described)


def test_languages_lead_to_each_other(both: Path, found: list[Page]) -> None:
    for page in found:
        name = page.path.relative_to(both)
        english = name.parts[0] == "en"
        assert page.language == ("en" if english else "ja")
        other = Path(*name.parts[1:]) if english else Path("en") / name
        links = {
            str(given["hreflang"]): str(given["href"]) for _, given in page.elements if "hreflang" in given
        }
        assert target(page, links["ja" if english else "en"]) == (both / other).resolve()
        assert target(page, links["en" if english else "ja"]) == page.path.resolve()


def test_lists_are_by_length_and_theme_and_easy_first(both: Path, problems: list[StoredProblem]) -> None:
    def numbers(name: str) -> list[int]:
        listed = [urlsplit(one).path for one in page_of(both, name).addresses]
        return [int(Path(one).stem) for one in listed if "problems/" in one and one.endswith(".html")]

    easiest = sorted(problems, key=lambda one: one.difficulty.score)
    assert numbers("index.html") == [problem.id for problem in problems]
    assert numbers("lists/all-easy.html") == [problem.id for problem in easiest]
    assert numbers("lists/moves-3.html") == [1, 2, 3]
    assert numbers("lists/moves-1.html") == [4]
    for tag in {tag for problem in problems for tag in problem.themes}:
        assert numbers(f"lists/theme-{tag}.html") == [one.id for one in easiest if tag in one.themes]


def test_the_days_are_all_problems_in_another_order(both: Path, problems: list[StoredProblem]) -> None:
    text = (both / "static/days.js").read_text(encoding="utf-8")
    days = json.loads(text.removeprefix("window.TSUME_DAYS = ").removesuffix(";\n"))
    assert sorted(days) == [[one.id, one.length, one.difficulty.stars] for one in problems]


def test_long_lists_have_pages(
    tsume: Run, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsume.site.pages.PER_PAGE", 1)
    assert tsume("site", "--db", library, "-o", tmp_path / "s", "-j", 1).exit_code == 0
    for number in range(1, 5):
        name = "index.html" if number == 1 else f"lists/all-{number}.html"
        page = page_of(tmp_path / "s", name)
        links = {given.get("rel") for tag, given in page.elements if tag == "a"}
        assert ("prev" in links, "next" in links) == (number > 1, number < 4)
        assert [given["href"] for _, given in page.elements if given.get("aria-current") == "page"] == [
            Path(name).name
        ]
        for address in page.addresses:
            assert address.endswith(("/0.html", "/0.svg")) or target(page, address).is_file()


def test_a_licence_says_who_composed(both: Path) -> None:
    page = page_of(both, "en/licence.html")
    assert "1 of the problems were composed by the program tsume" in page.words
    assert "3 of the problems were imported" in page.words
    assert "無名" in page.words
    assert "GNU General Public License" in page.words
    assert "IPA Font License" in page.words
    assert "GNU GENERAL PUBLIC LICENSE" in (both / "static/GPL-3.txt").read_text(encoding="utf-8")
