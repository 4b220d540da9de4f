# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of the house, its limits, and the aims. Run through `scripts/metrics`.

A change that needs more than a limit has to take something away elsewhere; one that gets below lowers it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume", "compiler", "browser", "papers", "scripts")
PAGES = ("tsume/web/", "tsume/site/")
PERCENT = "%"


class Metric(NamedTuple):
    """A number, the most that it may be now, and the aim."""

    name: str
    value: float
    limit: float
    aim: float
    unit: str = ""


def metrics() -> list[Metric]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = {
        name: (ROOT / name).read_text(encoding="utf-8")
        for name in listed.stdout.splitlines()
        if name.endswith((".py", ".js", ".css", ".html")) and (ROOT / name).is_file()
    }

    def lines_of(starts: str | tuple[str, ...], ends: tuple[str, ...] = (".py",)) -> int:
        return sum(
            len(text.splitlines())
            for name, text in texts.items() if name.startswith(starts) and name.endswith(ends)
        )  # fmt: skip

    code = [text for name, text in texts.items() if name.startswith(PACKAGES) and name.endswith(".py")]
    imports = functions = called_once = 0
    for nodes in (list(ast.walk(ast.parse(text))) for text in code):
        imports += sum(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
        )  # fmt: skip
        defined = [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        functions += len(defined)
        # Private functions that are named once in their module beside their definition.
        named = Counter(
            node.id if isinstance(node, ast.Name) else node.attr
            for node in nodes if isinstance(node, ast.Name | ast.Attribute)
        )  # fmt: skip
        private = {name for name in defined if name.startswith("_") and not name.startswith("__")}
        called_once += sum(named[name] == 1 for name in private)
    lines, pages = lines_of(PACKAGES), lines_of(PAGES, (".js", ".css", ".html"))
    return [
        Metric("Python files outside tests", len(code), 330, 330),
        Metric("lines of them", lines, 83_340, 70_000),
        Metric("imports among these", 100 * imports / lines, 6.51, 5, PERCENT),
        Metric("private functions with one caller", 100 * called_once / functions, 11.7, 12, PERCENT),
        Metric("lines of JavaScript, CSS and HTML of pages", pages, 10_190, 10_000),
        Metric("lines of tests", lines_of("tests/"), 56_520, 48_000),
    ]


@click.command()
def main() -> None:
    """Print the numbers; exit status 1 if one is above its limit."""
    found = metrics()
    for one in found:
        value = f"{one.value:,.2f}" if one.unit else f"{one.value:,.0f}"
        click.echo(f"{one.name:44} {value:>8}{one.unit or ' '}  limit {one.limit:>8,}  aim {one.aim:>8,}")
    sys.exit(any(one.value > one.limit for one in found))


if __name__ == "__main__":
    main()
