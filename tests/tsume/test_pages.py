# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages: what they name exists, and their commands, pictures and notebook show what the program shows"""

import importlib
import re
from pathlib import Path

import pytest

from generator.themes import THEMES
from tests.places import ROOT
from tests.tsume.conftest import Run
from tests.tsume.examples import Example, examples, language_settings, rewritten, trimmed
from tests.tsume.notebooks import executed, read_notebook, stable_outputs

PAGES = sorted(
    [ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")] + [*(ROOT / "docs").rglob("*.md")]
)
FILES = {"tsume.db", "tsume.js", "tsume.mjs", "tsume.d.ts"}
_ROOMS = "tsume_rules|solver|generator|db|tsume|tests|scripts|docs"
_PATH = re.compile(rf"(?<![\w/.:-])(?:{_ROOMS})/[\w./-]*\w/?(?![\w*{{])")
_NAME = re.compile(rf"`((?:{_ROOMS})(?:\.\w+)+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return _CODE.sub("", page.read_text(encoding="utf-8"))


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not heading or heading in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """The headings of a page, spelt as in links."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_links_and_modules_that_a_page_names_are_there(page: Path) -> None:
    text = prose(page)
    named = set(_PATH.findall(_LINK.sub("]", text)))
    assert sorted(path for path in named if not (ROOT / path).exists()) == []
    links = [link for link in _LINK.findall(text) if "://" not in link]
    assert [link for link in links if not _leads_somewhere(page, link)] == []
    names = set(_NAME.findall(text)) - FILES
    assert sorted(name for name in names if not _exists(name)) == []


def _exists(name: str) -> bool:
    """Whether a dotted name is a module or something in one; fields of classes are found by annotation."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        return _holds(found, parts[end:])
    return False


def _holds(found: object, parts: list[str]) -> bool:
    for part in parts:
        if not hasattr(found, part):
            return part in getattr(found, "__annotations__", {})
        found = getattr(found, part)
    return True


def test_indexes_and_tables_are_complete_and_all_output_is_run() -> None:
    originals = {page.name for page in (ROOT / "docs").glob("*.md") if not page.name.endswith(".ja.md")}
    for index in ("index.md", "index.ja.md"):
        listed = re.findall(r"\(([\w.]+\.md)\)", prose(ROOT / "docs" / index))
        assert sorted(originals - {page.replace(".ja.md", ".md") for page in listed} - {"index.md"}) == []
    for page in ("themes.md", "glossary.md"):
        text = prose(ROOT / "docs" / page)
        assert [name for name in THEMES if f"`{name}`" not in text] == []
    for name in ("README.md", "README.ja.md"):
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= 120
    assert set(WITH_EXAMPLES) <= set(RUN)
    for path in (ROOT / "docs").rglob("*.md"):
        assert not _OUTPUT.search(_CONSOLE.sub("", path.read_text(encoding="utf-8"))), path


RUN = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "collection").rglob("*.md"))
    if examples(path.read_text(encoding="utf-8"))
)
SLOW = tuple(f"docs/papers/{name}.md" for name in ("kaneko2005", "katoh1988", "sekine", "shibahara2006"))
"""Pages whose commands take minutes."""
WITH_EXAMPLES = ("README.md", "docs/cli.md", "docs/tree.md", "docs/workbench.md", "docs/papers/sugyan2018.md",
                 *SLOW)  # fmt: skip
_OUTPUT = re.compile(r"^ *(?:\$ tsume |mate in \d|perfect in \d|unsound in \d)", re.MULTILINE)
_CONSOLE = re.compile(r"^```(console|python|text)\n.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else []) for page in RUN])
def test_what_commands_of_a_page_print(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for example in examples((ROOT / page).read_text(encoding="utf-8")):
        output = example.run(language_settings(page))
        if not example.prints(output):  # so that the difference is shown
            assert trimmed(output) == trimmed(example.output), f"{page}: {example.command}"


def test_examples_of_a_page() -> None:
    page = "```console\n$ tsume a 'b c' # why\nd\n\n$ tsume e\n```\n\n```sh\n$ tsume f\n```\n"
    one, two = examples(page)
    assert (one.arguments, one.output) == (["a", "b c"], "d\n\n")
    assert (two.arguments, two.output) == (["e"], "")
    for promised, printed, same in (
        ("a\nb\n", "a  \nb\n", True),
        ("a\n", "a\nb\n", False),
        ("run 1 in 2.5 s, 3.0 a minute\n", "run 1 in 12.0 s, 9.9 a minute\n", True),
        ("run 1 in 2.5 s\n", "run 2 in 2.5 s\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a\nc\n", False),
        ("a\n", "looking for mates in 5; seed 1\n1 of 5 found in 12 s, 5.0 a minute\na\n", True),
    ):
        assert Example("tsume", promised).prints(printed) is same
    page = "before\n```console\n$ tsume solve\nold\n```\nafter\n```console\n$ tsume --version\n...\n```\n"
    new = rewritten(page)
    assert new.startswith("before\n```console\n$ tsume solve\nUsage: ")
    assert new.endswith("\n```\nafter\n```console\n$ tsume --version\n...\n```\n")


def test_the_page_of_pictures_has_what_its_commands_draw(tsume: Run, tmp_path: Path) -> None:
    pytest.importorskip("anki", reason="anki is not installed: no card can be photographed")
    from scripts.pictures import FOLDER, PAGE, commands, pictures

    for *options, name in (words for words in commands() if words[0] == "draw"):
        assert tsume(*options, tmp_path / name).exit_code == 0
        assert (tmp_path / name).read_text(encoding="utf-8") == (FOLDER / name).read_text(encoding="utf-8")
    assert {path.name for path in FOLDER.iterdir()} == pictures()
    for picture in re.findall(r"<img [^>]*>", PAGE.read_text(encoding="utf-8")):
        assert re.search(r'alt="[^"]+"', picture), picture


def test_the_notebook_has_what_its_cells_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TSUME_LANG", raising=False)
    stored = read_notebook()
    shown = stable_outputs(executed(stored))
    for (source, now), (_, before) in zip(shown, stable_outputs(stored), strict=True):
        assert now == before, f"{source}\nupdate with python -m tests.tsume.notebooks"
    pictures = [source for source, outputs in shown if "data:image/svg" in outputs.get("text/html", "")]
    assert len(pictures) == 7
