# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the papers: one form, one index, commands that are there."""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT
from tests.tsume.test_help import ALL

PAGES = ROOT / "docs" / "papers"
INDEX = (PAGES / "index.md").read_text(encoding="utf-8")
NAMES = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")
FORM = ("What the paper says", "What was rebuilt", "Part by part", "How to repeat",
        "Results compared with the paper", "What differs and why")  # fmt: skip
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


def parts(name: str) -> list[str]:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


@pytest.mark.parametrize("name", ["kaneko2005", "katoh1988", "sekine", "shibahara2006", "sugyan2018"])
def test_a_page_has_the_form(name: str) -> None:
    assert [part.replace("the text", "the paper") for part in parts(name)] == [
        part.replace("the text", "the paper") for part in FORM
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_index_has_each_page(name: str) -> None:
    assert f"({name}.md)" in INDEX


def test_the_index_names_each_command() -> None:
    named = set(re.findall(r"scripts/papers (\w+)", INDEX))
    assert {name.split()[1] for name in ALL if name.startswith("papers ")} <= named


@pytest.mark.parametrize("name", NAMES)
def test_the_pictures_and_files_of_a_page_are_there(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (PAGES / link).exists(), link
    for test in re.findall(r"`(test_\w+)`", text):
        assert f"def {test}(" in TESTS, test
    for path in re.findall(r"`((?:papers|solver|rules|tests|tsume)/[\w/]+\.(?:py|txt))`", text):
        assert (PAGES.parents[1] / path).exists(), path
