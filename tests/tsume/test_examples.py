# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the pages run as they are written, and print what the pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.tsume.examples import Example, examples, language_settings, rewritten, trimmed

PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "collection").rglob("*.md"))
    if examples(path.read_text(encoding="utf-8"))
)
SLOW = ("docs/papers/kaneko2005.md",)
"""Pages whose commands take minutes."""
WITH_EXAMPLES = ("README.md", "docs/cli.md", "docs/tree.md", "docs/workbench.md", "docs/papers/sugyan2018.md",
                 "docs/papers/sekine.md", *SLOW)  # fmt: skip
_OUTPUT = re.compile(r"^ *(?:\$ tsume |mate in \d|perfect in \d|unsound in \d)", re.MULTILINE)
_CONSOLE = re.compile(r"^```(console|python|text)\n.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else []) for page in PAGES]
)
def test_a_page_has_what_its_commands_print(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in examples((ROOT / page).read_text(encoding="utf-8")):
        output = example.run(language_settings(page))
        if not example.prints(output):  # so that the difference is shown
            assert trimmed(output) == trimmed(example.output), f"{page}: {example.command}"


def test_no_output_stands_outside_a_block_that_is_run() -> None:
    assert set(WITH_EXAMPLES) <= set(PAGES)
    for page in (ROOT / "docs").rglob("*.md"):
        assert not _OUTPUT.search(_CONSOLE.sub("", page.read_text(encoding="utf-8"))), page


def test_the_commands_of_a_block_and_what_they_print() -> None:
    page = "```console\n$ tsume a 'b c' # why\nd\n\n$ tsume e\n```\n\n```sh\n$ tsume f\n```\n"
    one, two = examples(page)
    assert (one.arguments, one.output) == (["a", "b c"], "d\n\n")
    assert (two.arguments, two.output) == (["e"], "")


@pytest.mark.parametrize(
    ("promised", "printed", "same"),
    [
        ("a\nb\n", "a  \nb\n", True),
        ("a\n", "a\nb\n", False),
        ("run 1 in 2.5 s, 3.0 a minute\n", "run 1 in 12.0 s, 9.9 a minute\n", True),
        ("run 1 in 2.5 s\n", "run 2 in 2.5 s\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a\nc\n", False),
        ("a\n", "looking for mates in 5; seed 1\n1 of 5 found in 12 s, 5.0 a minute\na\n", True),
    ],
)
def test_what_counts_as_the_same_output(promised: str, printed: str, same: bool) -> None:
    assert Example("tsume", promised).prints(printed) is same


def test_only_what_changed_is_rewritten() -> None:
    page = "before\n```console\n$ tsume solve\nold\n```\nafter\n```console\n$ tsume --version\n...\n```\n"
    new = rewritten(page)
    assert new.startswith("before\n```console\n$ tsume solve\nUsage: ")
    assert new.endswith("\n```\nafter\n```console\n$ tsume --version\n...\n```\n")
