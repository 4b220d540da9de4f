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
PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume", "browser", "papers", "scripts")
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
    """All numbers, of the files that git knows."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    code = [name for name in names if name.endswith(".py") and name.startswith(PACKAGES)]
    tests = [name for name in names if name.endswith(".py") and name.startswith("tests/")]
    pages = [name for name in names if name.endswith((".js", ".css", ".html")) and name.startswith(PAGES)]
    trees = [ast.parse((ROOT / name).read_text(encoding="utf-8")) for name in code]
    lines = sum(map(_lines_of, code))
    imports = sum(map(_import_lines, trees))
    functions = sum(len(_functions(tree)) for tree in trees)
    return [
        Metric("Python files outside tests", len(code), 466, 330),
        Metric("lines of them", lines, 90_300, 70_000),
        Metric("imports among these", 100 * imports / lines, 8, 5, PERCENT),
        Metric(
            "private functions with one caller",
            100 * sum(map(_called_once, trees)) / functions,
            29,
            12,
            PERCENT,
        ),
        Metric("lines of JavaScript, CSS and HTML of pages", sum(map(_lines_of, pages)), 9_500, 10_000),
        Metric("lines of tests", sum(map(_lines_of, tests)), 63_500, 48_000),
    ]


def _lines_of(name: str) -> int:
    return len((ROOT / name).read_text(encoding="utf-8").splitlines())


def _import_lines(tree: ast.Module) -> int:
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def _functions(tree: ast.Module) -> list[str]:
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _called_once(tree: ast.Module) -> int:
    """How many private functions are named once in their module beside their definition."""
    named = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)
    )  # fmt: skip
    private = {name for name in _functions(tree) if name.startswith("_") and not name.startswith("__")}
    return sum(named[name] == 1 for name in private)


@click.command()
def main() -> None:
    """Print the numbers; exit status 1 if one is above its limit."""
    found = metrics()
    for one in found:
        value = f"{one.value:,.1f}" if one.unit else f"{one.value:,.0f}"
        click.echo(f"{one.name:44} {value:>8}{one.unit or ' '}  limit {one.limit:>8,}  aim {one.aim:>8,}")
    sys.exit(any(one.value > one.limit for one in found))


if __name__ == "__main__":
    main()
