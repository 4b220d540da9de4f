# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume site`: its pages, lists, feeds, and the folder that it writes"""

import errno
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from tests.tsume.site.conftest import ADDRESSES
from tsume.site.pages import PER_PAGE, ProblemListing, list_file

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")

from db.store import Store
from db.stored_problem import StoredProblem
from generator.theme_names import english_name, japanese_name
from tests.tsume.conftest import Run, present
from tsume.commands.web import solver_scripts
from tsume.diagrams.look import captioned_moves
from tsume.files.writing import FolderDraft
from tsume.site.pages import problem_tree, site_tree_builder, tree_script
from tsume.web.templates import near_pages

_EMPTY = {"meta", "link", "img", "input", "br", "hr"}
_POINTING = {"href", "src", "data-api", "data-next", "data-page", "data-picture", "data-manifest", "data-worker"}


@dataclass
class Page(HTMLParser):
    """A page: its elements, where it points to, its words inside and outside the answer."""

    path: Path
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    words: str = ""
    answer: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, str | None]] = []
        self.feed(self.path.read_text(encoding="utf-8"))
        self.close()
        self.faults += [f"<{name}> is not closed" for name, _ in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if len(given) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        self.elements.append((tag, given))
        if tag not in _EMPTY:
            self._open.append((tag, given.get("class")))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop()[0] != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if ("details", "answer") in self._open and not any(name == "summary" for name, _ in self._open):
            self.answer += data
        else:
            self.words += data

    @property
    def language(self) -> str | None:
        return next(given.get("lang") for tag, given in self.elements if tag == "html")

    @property
    def addresses(self) -> list[str]:
        """Where it points to, but to itself."""
        found = [
            str(given[name]) for _, given in self.elements for name in _POINTING if name in given
        ]  # fmt: skip
        return [address for address in found if not address.startswith("#")]

    def told(self) -> str:
        """All it says before the answer is opened: words and attributes."""
        return self.words + " ".join(str(text) for _, given in self.elements for text in given.values())


def pages(folder: Path) -> list[Page]:
    return [Page(path) for path in sorted(folder.rglob("*.html"))]


def target(page: Page, address: str) -> Path:
    """The file that a relative address means."""
    parts = urlsplit(address)
    assert not parts.scheme, address
    assert not parts.netloc, address
    assert not parts.path.startswith("/"), address
    return (page.path.parent / unquote(parts.path)).resolve()


def files(folder: Path) -> dict[str, bytes]:
    """All files by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


_POLICY = "default-src 'self' file:; object-src 'none'; base-uri 'none'; form-action 'none'"
_WITH_MOVES = (
    "static/notation.js", "static/tsume-worker.js", "static/tsume-network.js", "static/GPL-3.txt",
)  # fmt: skip
_SOLVER_POLICY = _POLICY.replace(
    ";", "; img-src 'self' file: data:; script-src 'self' file: 'wasm-unsafe-eval'; worker-src 'self' blob:;", 1
)


@pytest.fixture(scope="module")
def problems(library: Path) -> list[StoredProblem]:
    with Store.open(library, create=False) as store:
        return list(store.find())


@pytest.fixture(scope="module")
def found(both: Path) -> list[Page]:
    return pages(both)


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


def test_scripts_ask_for_nothing_foreign_and_data_tell_no_lines(both: Path, problems: list[StoredProblem]) -> None:
    for name, data in files(both).items():
        if name.endswith((".js", ".css")):
            addresses = re.findall(r"https?://[^\\\"' ]*", data.decode())
            assert set(addresses) - set(ADDRESSES) <= {"http://www.w3.org/2000/svg"}, name
            assert name == "service-worker.js" or "fetch(" not in data.decode()
            assert "import " not in data.decode()
            assert "url(" not in data.decode()
    texts = [text for problem in problems for text in written(problem)]
    for name, data in files(both).items():
        assert not any(text in name for text in texts)
        folders = ("problems/", "en/problems/")
        silent = name in _WITH_MOVES or name.endswith(".png")
        if not name.startswith(folders) and not silent:
            assert not any(text in data.decode() for text in texts), name


def test_pages_are_well_formed_without_scripts_and_their_addresses_lead_to_files(found: list[Page]) -> None:
    assert len(found) > 20
    assert [(page.path.name, page.faults) for page in found if page.faults] == []
    for page in found:
        assert page.addresses
        for address in page.addresses:
            path = target(page, address)
            if path.stem == "0":  # the script puts the day's number there
                path = path.with_stem("1")
            assert path.is_file(), (page.path, address)
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


def test_line_and_themes_are_only_in_a_folded_answer(found: list[Page], problems: list[StoredProblem]) -> None:
    by_id = {str(problem.id): problem for problem in problems}
    themes = {tag for problem in problems for tag in problem.themes}
    names = {name(tag) for tag in themes for name in (japanese_name, english_name)}
    assert names
    for page in found:
        told = page.told().replace("GPL", "")
        for problem in problems:
            for text in written(problem):
                assert text not in told, (page.path, text)
        if page.path.parent.name == "problems":
            problem = by_id[page.path.stem]
            for text in captioned_moves(problem.position, problem.line, page.language):  # type: ignore[arg-type]
                assert text in page.answer
            assert [given["class"] for tag, given in page.elements if tag == "details"] == ["share", "answer"]
            assert not any(name in page.told() for name in names)


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


def test_a_large_tree_keeps_its_line(problems: list[StoredProblem], monkeypatch: pytest.MonkeyPatch) -> None:
    builder, problem = site_tree_builder(), problems[0]
    assert problem_tree(builder, replace(problem, length=17)) is None, "none of a long problem"
    for most in (6000, 1500, 1000, 800, 300, 0):
        monkeypatch.setattr("tsume.site.pages._MAX_TREE_BYTES", most)
        tree = tree_in(tree_script(problem, problem_tree(builder, problem), "en"))
        assert (tree is None) == (most <= 300)
        if tree is None:
            continue
        assert len(json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()) <= most
        assert line_in(tree) == [move.usi for move in problem.line]
        checks = [one for turn in tree["turns"] for one in turn["checks"]]
        assert all(one["text"].keys() == {"ja", "en"} for one in checks)
        turns = [one["turn"] for check in checks for one in check.get("answers", ()) if "turn" in one]
        assert turns == sorted(set(turns))
        assert turns[-1] < len(tree["turns"])
        assert any(one["result"] == "open" for one in checks) == (most < 1500)


# --- what pages say ---------------------------------------------------------------------------------


def test_what_pages_say_of_problems_and_their_composers(both: Path) -> None:
    japanese, english = Page(both / "problems/1.html"), Page(both / "en/problems/1.html")
    assert "▲２三金 △１一玉 ▲２二金まで3手詰" in japanese.answer
    assert "手筋" in japanese.answer
    assert "G-2c K-1a G-2b mate in 3." in english.answer
    assert "Themes" in english.answer
    assert "Variations" not in english.answer  # the solver finds them in the browser
    page = japanese
    assert "第1番 <b>&\"'" in page.words
    assert "3手詰" in page.words
    assert "難易度" in page.words
    assert "無名" in page.words
    assert any(str(given.get("aria-label", "")).startswith("5段階の") for _, given in page.elements)
    (described,) = [given["alt"] for tag, given in page.elements if tag == "img" and given["alt"]]
    assert "１二玉" in str(described)
    page = Page(both / "en/licence.html")
    assert "1 of the problems were composed by the program tsume" in page.words
    assert "3 of the problems were imported" in page.words
    assert "無名" in page.words
    assert "GNU General Public License" in page.words
    assert "IPA Font License" in page.words
    assert "GNU GENERAL PUBLIC LICENSE" in (both / "static/GPL-3.txt").read_text(encoding="utf-8")


def test_languages_lead_to_each_other(both: Path, found: list[Page]) -> None:
    for page in found:
        name = page.path.relative_to(both)
        english = name.parts[0] == "en"
        assert page.language == ("en" if english else "ja")
        other = Path(*name.parts[1:]) if english else Path("en") / name
        links = {str(given["hreflang"]): str(given["href"]) for _, given in page.elements if "hreflang" in given}
        assert target(page, links["ja" if english else "en"]) == (both / other).resolve()
        assert target(page, links["en" if english else "ja"]) == page.path.resolve()


def test_lists_are_by_length_and_theme_and_days_in_another_order(both: Path, problems: list[StoredProblem]) -> None:
    def numbers(name: str) -> list[int]:
        listed = [urlsplit(one).path for one in Page(both / name).addresses]
        found = [int(Path(one).stem) for one in listed if "problems/" in one and one.endswith(".html")]
        return [number for number in found if number > 0]  # 0 stands for the problem of the day

    easiest = sorted(problems, key=lambda one: one.difficulty.score)
    assert numbers("index.html") == [problem.id for problem in problems]
    assert numbers("lists/all-easy.html") == [problem.id for problem in easiest]
    assert numbers("lists/moves-3.html") == [1, 2, 3]
    assert numbers("lists/moves-1.html") == [4]
    for tag in {tag for problem in problems for tag in problem.themes}:
        assert numbers(f"lists/theme-{tag}.html") == [one.id for one in easiest if tag in one.themes]
    text = (both / "static/days.js").read_text(encoding="utf-8")
    days = json.loads(text.removeprefix("window.TSUME_DAYS = ").removesuffix(";\n"))
    assert sorted(days) == [
        [one.id, one.length, round(one.difficulty.rating), one.difficulty.stars] for one in problems
    ]


def test_long_lists_have_pages(tsume: Run, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.site.pages.PER_PAGE", 1)
    assert tsume("site", "--db", library, "-o", tmp_path / "s", "-j", 1).exit_code == 0
    for number in range(1, 5):
        name = "index.html" if number == 1 else f"lists/all-{number}.html"
        page = Page(tmp_path / "s" / name)
        links = {given.get("rel") for tag, given in page.elements if tag == "a"}
        assert ("prev" in links, "next" in links) == (number > 1, number < 4)
        here = [given["href"] for _, given in page.elements if given.get("aria-current") == "page"]
        assert here == [Path(name).name] * 2  # above and below the problems
        for address in page.addresses:
            assert address.endswith(("/0.html", "/0.js")) or target(page, address).is_file()


def listing(number: int) -> ProblemListing:
    return ProblemListing("all", "", False, cast(Sequence[Any], range(number)))


def test_every_problem_stands_on_one_page_which_leads_to_those_near_it() -> None:
    for number, most in ((1, 1), (PER_PAGE, 1), (PER_PAGE + 1, 2), (1000, 17)):
        found = listing(number)
        assert found.pages == most
        numbers = [one for page in range(1, most + 1) for one in cast(Any, found.on(page))]
        assert numbers == list(range(number))
    near = {
        1: [1, 2, 3, 0, 21], 4: [1, 2, 3, 4, 5, 6, 0, 21], 5: [1, 0, 3, 4, 5, 6, 7, 0, 21],
        11: [1, 0, 9, 10, 11, 12, 13, 0, 21], 21: [1, 0, 19, 20, 21],
    }  # fmt: skip
    assert {page: near_pages(page, 21) for page in near} == near
    assert near_pages(1, 1) == []
    assert list_file("all", "", easy=False) == "index.html"
    assert list_file("all", "", 2, easy=False) == "lists/all-2.html"
    assert list_file("all", "", easy=True) == "lists/all-easy.html"
    assert list_file("moves", "3", 2, easy=True) == "lists/moves-3-easy-2.html"
    assert list_file("theme", "sacrifice", 3, easy=True) == "lists/theme-sacrifice-3.html"


_ATOM = "{http://www.w3.org/2005/Atom}"
_MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "site"


def make(tsume: Run, store: Path, out: Path, *options: object) -> str:
    done = tsume("site", "--db", store, "-o", out, "-j", 1, *options, status=0)
    return done.output


def test_it_says_what_it_made_and_the_same_store_gives_the_same(tsume: Run, made: Path, out: Path) -> None:
    done = tsume("site", "--db", made, "-o", out, "-j", 1)
    assert done.stderr == f"{out}: without --url, no feed and no sitemap are made\n"
    size = sum(map(len, files(out).values())) - (out / ".tsume-site").stat().st_size
    assert done.stdout == f"{out}: 6 problems, {size / 1e6:.1f} MB; open {out}/index.html\n"
    assert [path.name for path in out.parent.iterdir()] == ["site"]
    make(tsume, made, out, "--lang", "both", "--url", "https://example.org/a")
    first = files(out)
    done = tsume("site", "--db", made, "-o", out, "-j", 2, "--lang", "both", "--url", "https://example.org/a/")
    assert done.exit_code == 0
    assert files(out) == first


def test_problems_are_selected_and_a_licence_is_a_text_or_a_file(
    tsume: Run, made: Path, out: Path, tmp_path: Path
) -> None:
    make(tsume, made, out, "-m", 3, "--limit", 2, "--sort", "score")
    listed = [Path(one).stem for one in Page(out / "index.html").addresses if one.startswith("problems/")]
    assert len(set(listed) - {"0"}) == 2
    assert len(list((out / "problems").iterdir())) == 6
    make(tsume, made, out, "--id", 4, "--licence", "CC BY 4.0 <&>")
    assert "CC BY 4.0 <&>" in Page(out / "licence.html").words
    (tmp_path / "terms.txt").write_text("\ufeff自由に\nどうぞ", encoding="utf-8")
    make(tsume, made, out, "--id", 4, "--licence", tmp_path / "terms.txt")
    assert "自由に\nどうぞ" in Page(out / "licence.html").words


@pytest.mark.parametrize("language", ["ja", "en"])
def test_one_language_is_in_the_folder_itself(tsume: Run, made: Path, out: Path, language: str) -> None:
    make(tsume, made, out, "--lang", language, "--id", 4, "--site-title", "朝の一題")
    page = Page(out / "problems/4.html")
    assert page.language == language
    assert not any("hreflang" in given for _, given in page.elements)
    assert not (out / "en").exists()
    assert "朝の一題" in page.words
    words = (out / f"static/words.{language}.js").read_text(encoding="utf-8")
    assert [f'"{one}":' in words for one in ("ja", "en")] == [language == "ja", language == "en"]
    assert len(list((out / "static").glob("*words.*.js"))) == 3


def test_answers_without_solver(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.commands.web.solver_scripts", solver_scripts)
    monkeypatch.setattr("tsume.web.solver_scripts.BUILDER", out / "no builder")
    monkeypatch.setattr("tsume.web.solver_scripts.BUILT", out / "nothing built")
    said = make(tsume, made, out, "--id", 4)
    first, last = (
        said.index("the solver for browsers cannot be built: this installation has neither its files nor"),
        said.index("without the solver for browsers, only short problems can be played, and none composed"),
    )
    assert first < last
    page = Page(out / "problems/4.html")
    assert not any("data-worker" in given and "data-api" in given for _, given in page.elements)
    assert "まで3手詰" in page.answer


def test_all_share_the_solver(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = {"tsume.js": "// the API", "tsume-worker.js": b"// the worker"}
    monkeypatch.setattr("tsume.commands.web.solver_scripts", lambda: scripts)
    said = make(tsume, made, out, "--id", 4)
    assert "without the solver" not in said
    assert (out / "static/tsume-worker.js").read_bytes() == b"// the worker"
    for name in ("problems/4.html", "training.html", "compose.html"):
        scripts_of_page = [given for tag, given in Page(out / name).elements if tag == "script"]
        (solver,) = [given for given in scripts_of_page if "data-api" in given]
        assert "static/tsume-worker.js?v=" in str(solver["data-worker"])


# --- an address -------------------------------------------------------------------------------------


def test_with_an_address_there_is_a_feed(tsume: Run, made: Path, out: Path) -> None:
    said = make(tsume, made, out, "--url", "https://example.org/tsume", "--lang", "both")
    assert "no feed" not in said
    page = (out / "en/problems/1.html").read_text(encoding="utf-8")
    assert '<meta property="og:image" content="https://example.org/tsume/en/problems/1.png">' in page
    assert (out / "en/problems/1.png").read_bytes().startswith(b"\x89PNG")
    for name, language in (("feed.xml", "ja"), ("en/feed.xml", "en")):
        feed = ElementTree.parse(out / name).getroot()
        assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == language
        assert all(feed.find(_ATOM + tag) is not None for tag in ("id", "title", "updated", "author"))
        entries = feed.findall(_ATOM + "entry")
        assert len(entries) == 6
        for entry in entries:
            link = present(entry.find(_ATOM + "link"))
            address = str(link.get("href"))
            assert address == entry.findtext(_ATOM + "id")
            assert (out / address.removeprefix("https://example.org/tsume/")).is_file()
            content = str(entry.findtext(_ATOM + "content"))
            assert "<img src=" in content
            assert "▲" not in content


def test_with_an_address_there_is_a_map_of_all_pages_in_parts_where_it_is_long(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mapped(name: str) -> list[str]:
        return [str(one.text) for one in ElementTree.parse(out / name).getroot().iter(_MAP + "loc")]

    make(tsume, made, out, "--url", "https://example.org/tsume/")
    addresses = mapped("sitemap.xml")
    pages = {path.relative_to(out).as_posix() for path in out.rglob("*.html")}
    pages -= {"licence.html", "index.html", "offline.html"}
    assert sorted(addresses) == sorted(f"https://example.org/tsume/{name}" for name in pages | {""})
    monkeypatch.setattr("tsume.site.build._MAX_ADDRESSES", 4)
    make(tsume, made, out, "--url", "https://example.org/tsume/")
    parts = mapped("sitemap.xml")
    found = [one for part in parts for one in mapped(part.removeprefix("https://example.org/tsume/"))]
    assert found == addresses


def test_what_is_no_address_or_licence_is_refused(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    for address in (
        "", "example.org", "ftp://example.org", "https://", "https://a b", 'https://a/"', "https://a/?b",
        "https://a/#b", "https://例え.jp", "javascript:alert(1)", "https://" + "a" * 2000,
    ):  # fmt: skip
        done = tsume("site", "--db", made, "-o", out, "--url", address)
        refused(done, out, "is not an address such as", status=2)
    for name in ("none.txt", "a/b", "folder/"):
        done = tsume("site", "--db", made, "-o", out, "--licence", name)
        refused(done, out, "No such file or directory", status=2)
    (tmp_path / "terms").write_bytes(b"\xff\xfe\xff")
    done = tsume("site", "--db", made, "-o", out, "--licence", tmp_path / "terms")
    refused(done, out, "not UTF-8", status=2)


# --- places -----------------------------------------------------------------------------------------


def refused(done: Any, out: Path, error: str, status: int = 1) -> None:
    assert (done.exit_code, done.stdout) == (status, "")
    assert error in done.stderr.splitlines()[-1]
    assert status == 2 or len(done.stderr.splitlines()) == 1
    assert not list(out.parent.iterdir())


def test_no_problems_and_impossible_places(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    refused(tsume("site", "--db", made, "-m", 99, "-o", out), out, f"Error: {made}: no problems")
    refused(tsume("site", "--db", tmp_path / "no.db", "-o", out), out, "no.db")
    refused(tsume("site", "--db", made, "-o", out / "a" / "b"), out, f"{out}/a/b: No such file or directory")
    refused(tsume("site", "--db", made, "-o", ""), out, "-o: No such file or directory")
    refused(tsume("site", "--db", made, "-o", f"{out}\0"), out, "null")


def test_without_the_extra(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    error = "Error: jinja2 is not installed: pip install 'tsume-shogi[site]' (or jinja2 alone)"
    refused(tsume("site", "--db", made, "-o", out), out, error)


def test_files_loops_of_links_and_folders_with_something_else_are_left_alone(tsume: Run, made: Path, out: Path) -> None:
    def refuses(error: str) -> None:
        done = tsume("site", "--db", made, "-o", out)
        assert (done.exit_code, done.stderr) == (1, f"Error: {out}: {error}\n")

    out.write_text("mine")
    refuses("Not a directory")
    assert out.read_text() == "mine"
    out.unlink()
    out.symlink_to(out.name)
    refuses(os.strerror(errno.ELOOP))
    out.unlink()
    out.mkdir()
    (out / "mine").write_text("mine")
    refuses("is not empty and not a site made by tsume")
    assert files(out) == {"mine": b"mine"}


def test_the_current_folder(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out.parent)
    for place in (".", "..", out.parent):
        done = tsume("site", "--db", made, "-o", place, status=1)
        assert "is the current folder" in done.stderr


def test_an_empty_folder_and_a_link_are_places_and_a_server_may_read_it(tsume: Run, made: Path, out: Path) -> None:
    out.mkdir(mode=0o750)
    link = out.parent / "link"
    link.symlink_to(out)
    make(tsume, made, link, "--id", 4)
    assert link.is_symlink()
    assert (out / "index.html").is_file()
    assert out.stat().st_mode & 0o777 == 0o750
    mask = os.umask(0o022)
    try:
        make(tsume, made, out.parent / "new", "--id", 4)
    finally:
        os.umask(mask)
    assert (out.parent / "new").stat().st_mode & 0o777 == 0o755
    assert (out.parent / "new/index.html").stat().st_mode & 0o777 == 0o644


def test_an_older_site_is_replaced_and_what_is_not_its_own_stays(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out)
    (out / ".git" / "objects").mkdir(parents=True)
    (out / ".git" / "objects" / "1").write_text("one")
    (out / "CNAME").write_text("example.org")
    (out / "problems" / "notes.txt").write_text("notes")
    make(tsume, made, out, "--id", 4)
    assert (out / ".git" / "objects" / "1").read_text() == "one"
    assert (out / "CNAME").read_text() == "example.org"
    assert (out / "problems" / "notes.txt").read_text() == "notes"
    assert [path.name for path in sorted((out / "problems").glob("*.html"))] == ["4.html"]
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_what_is_not_its_own_is_never_overwritten(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--id", 4)
    (out / "feed.xml").write_text("mine")
    before = files(out)
    done = tsume("site", "--db", made, "-o", out, "--id", 4, "--url", "https://example.org/")
    error = f"Error: {out}: feed.xml is in the way and was not made by tsume"
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (1, error)
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
def test_what_was_there_stays_when_it_is_not_finished(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    make(tsume, made, out, "--id", 4)
    before = files(out)
    write = FolderDraft.write

    def failing(draft: FolderDraft, name: str, text: str) -> None:
        if name.startswith("lists/"):
            raise fault
        write(draft, name, text)

    monkeypatch.setattr(FolderDraft, "write", failing)
    done = tsume("site", "--db", made, "-o", out, "-j", 1, status=1)
    if isinstance(fault, OSError):
        assert done.stderr == f"Error: {out}: {os.strerror(errno.ENOSPC)}\n"
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_the_older_site_comes_back(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tsume, made, out, "--id", 4)
    before = files(out)
    rename = Path.rename

    def failing(path: Path, to: Path) -> Path:
        if to == out and "-older-" not in str(path):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", failing)
    done = tsume("site", "--db", made, "-o", out, "-j", 1, "--id", 4)
    assert done.stderr.splitlines()[-1] == f"Error: {out}: {os.strerror(errno.EBUSY)}"
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]
