# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/browser.md lists the scripts that are written by hand, with their sizes."""

from __future__ import annotations

import re

from tests.places import ROOT

FOLDERS = ("browser/runtime", "browser/api", "browser/worker", "tsume/web/static", "tsume/site/static")
TOLERANCE = 0.1


def lines_of(*names: str) -> int:
    paths = [path for name in names for path in (ROOT / name).glob("*.js")]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def rows() -> list[tuple[str, int]]:
    text = (ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
    table = text[text.index("## What is left to JavaScript") :]
    found = re.findall(r"^\| (`.*?) \| ([\d,]+) \|", table, re.MULTILINE)
    return [(names, int(number.replace(",", ""))) for names, number in found]


def named_scripts() -> dict[str, int]:
    """The scripts of the pages that have a row of their own, with their lines."""
    names = {name for row, _ in rows() for name in re.findall(r"`(\w+\.js)`", row)}
    static = ROOT / "tsume" / "web" / "static"
    return {name: len((static / name).read_text(encoding="utf-8").splitlines()) for name in names}


def test_the_sizes_of_scripts_are_those_of_the_table() -> None:
    named = named_scripts()
    for row, lines in rows():
        if ".js" in row:
            actual = sum(named[name] for name in re.findall(r"`(\w+\.js)`", row))
        elif "runtime" in row:
            actual = lines_of("browser/runtime")
        elif "api" in row:
            actual = lines_of("browser/api", "browser/worker")
        else:
            actual = lines_of("tsume/web/static", "tsume/site/static") - sum(named.values())
        assert abs(actual - lines) <= TOLERANCE * actual, f"{row}: {actual} lines"


def test_no_other_folder_has_scripts() -> None:
    elsewhere = {
        path.parent.relative_to(ROOT).as_posix()
        for package in ("tsume", "browser")
        for path in (ROOT / package).rglob("*.js")
        if "built" not in path.parts
    }
    assert elsewhere == set(FOLDERS)
