# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation as a site: it builds without warnings, links lead somewhere, nothing foreign is loaded.

The translations keep step with the English pages.
"""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from scripts.documentation import (
    GROUPS,
    REFERENCE,
    SECTIONS,
    CannotBuildPages,
    Page,
    code_blocks,
    headings,
    pages,
    sections,
)
from scripts.documentation.paper import ABLATIONS, NODES, PAGE, PAPERS, build_paper, draw_plots, table, typst_source
from tests.places import ROOT
from tsume import library
from tsume.cli import cli

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser loads by itself; `link` also names other pages, see `NAMED`."""
NAMED = {"index", "search", "next", "prev", "alternate", "canonical"}
LOADING = re.compile(r"""url\(\s*["']?(?!["']?(?:data:|#))([^)"']+)|@import\s+["']([^"']+)""")
REMOTE = re.compile(r"^(?:https?:)?//")
TRANSLATED = sorted({page.name: page for page in pages().values() if page.translation}.items())
each_translation = pytest.mark.parametrize("page", [page for _, page in TRANSLATED], ids=lambda page: page.name)


class Names(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given and not NAMED & set(given.get("rel", "").split()):
            self.loaded.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `scripts/docs` builds it."""
    for module in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(module, reason=f"{module} is not installed: the documentation is not built")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "scripts.docs", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def built(site: Path) -> dict[Path, Names]:
    """All pages of the site, without those that are there to be saved."""
    return {path: Names(path) for path in site.rglob("*.html") if "_downloads" not in path.parts}


def test_every_page_is_there_in_both_languages(site: Path) -> None:
    for name in {page.name for page in pages().values()} | {REFERENCE}:
        assert (site / f"{name}.html").exists(), name
        assert (site / "ja" / f"{name}.html").exists(), name


def test_every_link_leads_somewhere(built: dict[Path, Names]) -> None:
    broken = {
        (path.name, link)
        for path, names in built.items()
        for link in names.links
        if not _leads_somewhere(path, link, built)
    }
    assert broken == set()


def _leads_somewhere(path: Path, link: str, built: dict[Path, Names]) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme in ("http", "https", "mailto") and bool(parts.netloc or parts.path)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.suffix != ".html" or "_downloads" in target.parts:
        return target.is_file()
    return target in built and (not parts.fragment or unquote(parts.fragment) in built[target].anchors)


def test_what_a_page_loads_is_in_the_folder(site: Path, built: dict[Path, Names]) -> None:
    loaded = [(path, one) for path, names in built.items() for one in names.loaded]
    loaded += [
        (path, one or other)
        for path in site.rglob("*.css")
        for one, other in LOADING.findall(path.read_text(encoding="utf-8"))
    ]
    assert [(path.name, one) for path, one in loaded if REMOTE.match(one)] == []
    missing = [
        (path.name, one)
        for path, one in loaded
        if not one.startswith("data:") and not (path.parent / unquote(urlsplit(one).path)).is_file()
    ]
    assert missing == []


def test_no_script_names_another_host(site: Path) -> None:
    calls = re.compile(r"""(?:fetch|import|importScripts|open)\(\s*["'`](?:https?:)?//""")
    assert [path.name for path in site.rglob("*.js") if calls.search(path.read_text(encoding="utf-8"))] == []


def test_the_pictures_of_the_pages_are_shown(site: Path) -> None:
    shown = {path.name for path in (site / "_images").iterdir()}
    named = {
        Path(name).name
        for page in set(pages().values())
        for name in re.findall(r'<img\s[^>]*?src="([^"]+)"', page.text())
    }
    assert named
    assert sorted(named - shown) == []


def test_japanese_is_indexed_by_characters_and_pairs() -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: the documentation is not built")
    from scripts.documentation.extension import search_words

    assert search_words("余詰とmate in 3") == ["余", "詰", "と", "余詰", "詰と", "mate", "in", "3"]


def test_the_index_finds_japanese_words(site: Path) -> None:
    index = (site / "ja" / "searchindex.js").read_text(encoding="utf-8")
    assert [pair for pair in ("余詰", "打歩", "歩詰", "創作") if json.dumps(pair)[1:-1] not in index] == []


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = [sys.executable, "-m", "scripts.docs", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_every_page_is_in_a_section() -> None:
    names = {page.name for page in pages().values()}
    listed = {name for _, group in SECTIONS for name in group}
    below = {name for name in names if "/" in name}
    assert sorted(names - listed - below - {"index"}) == [], "add it to SECTIONS in scripts/documentation"
    assert sections({"readme", "new"})[-1][1] == ["new"]
    documented = [name for _, names in GROUPS for name in names]
    assert sorted(documented) == sorted(library.__all__)


@each_translation
def test_a_translation_has_the_headings_code_and_tables_of_the_original(page: Page) -> None:
    """Up to where it stops: what it leaves out is shown in English."""
    original = [heading.level for heading in headings(page.text())]
    translated = [heading.level for heading in headings(page.text("ja"))]
    assert translated == original[: len(translated)]
    assert _skeleton(page.text("ja")) == _skeleton(page.text().removesuffix(page.rest()))


_WORDS = re.compile(r' --lang \w+|"[^"]*"')
"""What a command may have otherwise in a translation: the language, and quoted texts."""


def _skeleton(text: str) -> list[str]:
    """The blocks of code, with commands but without output, and how many rows the tables have."""
    blocks = code_blocks(text)
    prose = text
    for block in blocks:
        prose = prose.replace(block, "")
    return [*map(_commands, blocks), f"{len(re.findall(r'^[|]', prose, re.MULTILINE))} rows"]


def _commands(block: str) -> str:
    kind, *lines = block.splitlines()
    if kind == "```console":
        lines = [_WORDS.sub("", line).rstrip() for line in lines if line.startswith("$ ")]
    elif kind == "```sh":
        lines = [line.partition("  #")[0].rstrip() for line in lines]
    elif kind in ("```", "```text"):
        lines = []
    return "\n".join([kind, *lines])


def test_every_command_is_in_the_overview() -> None:
    for name in ("commands.md", "commands.ja.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        commands = [command for command, one in cli.commands.items() if not one.hidden]
        assert [command for command in commands if f"[`{command}" not in text] == [], name


# --- The paper on exact lengths: its PDF and its figures -------------------------------------------

TEXT = PAGE.read_text(encoding="utf-8")
A4 = (595, 842)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper, as `scripts/docs` builds it."""
    for module in ("pypandoc", "typst"):
        pytest.importorskip(module, reason=f"{module} is not installed: no paper is built")
    folder = tmp_path_factory.mktemp("paper")
    words = [sys.executable, "-m", "scripts.docs", "--paper", "exact_lengths", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "exact_lengths.pdf"


def test_the_pdf_has_title_and_sections(pdf: Path) -> None:
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed: no PDF is read")
    with pikepdf.open(pdf) as document, document.open_outline() as outline:
        sections = [str(item.title) for item in outline.root]
        title, *_ = headings(TEXT)
        assert str(document.docinfo["/Title"]) == title.text
        assert sections == [one.text for one in headings(TEXT) if one.level == 2]
        assert len(document.pages) > len(sections)
        assert {tuple(round(float(x)) for x in page.mediabox[2:]) for page in document.pages} == {A4}
        assert "/StructTreeRoot" in document.Root


def test_sections_are_numbered() -> None:
    numbers = [one.text.split()[0] for one in headings(TEXT) if one.level == 2]
    assert numbers == [*"1234567", "References"]
    below = [one.text.split()[0] for one in headings(TEXT) if one.level == 3]
    assert all(re.fullmatch(r"\d\.\d", number) for number in below)
    assert sorted(below) == below


def test_captions_are_those_of_figures_and_tables() -> None:
    pytest.importorskip("pypandoc", reason="pypandoc-binary is not installed: no paper is built")
    source = typst_source(PAGE)
    captions = re.findall(r"^\*(Figure|Table) (\d)\.\*", TEXT, re.MULTILINE)
    for kind, numbers in (("Figure", "12"), ("Table", "123")):
        assert [number for one, number in captions if one == kind] == list(numbers)
        assert f"{kind} 1." not in source, "typst counts"
    assert source.count("caption:") == len(captions)
    assert "<img" not in source


def test_links_of_the_pdf_lead_to_the_repository() -> None:
    pytest.importorskip("pypandoc", reason="pypandoc-binary is not installed: no paper is built")
    links = re.findall(r'#link\("([^"]+)"', typst_source(PAGE))
    assert links
    for link in links:
        assert link.startswith("https://"), link
        found = re.fullmatch(r"https://github.com/tsume-shogi/tsume/blob/main/([^#]+).*", link)
        assert found is None or (ROOT / found[1]).exists()


def test_without_pandoc_a_message_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.documentation.paper.find_spec", lambda _: None)
    with pytest.raises(CannotBuildPages, match=r"tsume-shogi\[docs\]"):
        build_paper(PAPERS[0], tmp_path)


def test_formulas_are_mathml_in_the_site() -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: the documentation is not built")
    from docutils.utils.math.latex2mathml import tex2mathml

    formulas = re.findall(r"(?<![\\`$])\$([^$`\n]+(?:\n[^$`\n]+)?)\$", TEXT)
    assert len(formulas) > 100
    for formula in formulas:
        assert "<merror" not in tex2mathml(formula), formula


def test_the_figures_are_drawn_from_the_tables(tmp_path: Path) -> None:
    draw_plots(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([ABLATIONS, NODES])
    for name in (ABLATIONS, NODES):
        assert (PAGE.parent / name).stat().st_size < 150_000
    with pytest.raises(ValueError, match="no table 9"):
        table(TEXT, 9)
