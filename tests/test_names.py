# SPDX-License-Identifier: GPL-3.0-or-later
"""Names are standard terms: no word of docs/glossary.md, "Words not used".

That holds for modules, classes, functions, parameters, fields and attributes.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume", "browser")
STORED = {"recipe", "finalists"}
"""Words that are names of stored columns and of fields in JSON too."""
STILL = {("solver/explaining/explainer.py", "told")}
"""Names that are still to be changed."""


def banned() -> frozenset[str]:
    """The words of the first column of the glossary's table."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \|", text.partition("## Words not used")[2], re.MULTILINE)
    return frozenset(word for row in rows for word in row.split(", ")) - {"not"}


def names(path: Path) -> Iterator[str]:
    """The name of a module, and all names of things in it that others may meet."""
    yield path.parent.name if path.stem == "__init__" else path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from parameters(node.args)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield node.name
            yield from fields(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def parameters(arguments: ast.arguments) -> Iterator[str]:
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    yield from (one.arg for one in (*listed, arguments.vararg, arguments.kwarg) if one is not None)


def fields(node: ast.ClassDef) -> Iterator[str]:
    """The fields and constants in the body of a class."""
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def words(name: str) -> set[str]:
    """The words of a name in CamelCase or snake_case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_has_a_word_that_is_not_used(package: str) -> None:
    paths = sorted((ROOT / package).rglob("*.py"))
    named = [(path, name) for path in paths if "migrations" not in path.parts for name in names(path)]
    bad = {(path.relative_to(ROOT).as_posix(), name) for path, name in named if words(name) & (banned() - STORED)}
    assert bad - STILL == set()
    assert {one for one in STILL if one[0].startswith(f"{package}/")} <= bad, "STILL names what is changed"


def test_parameters_and_fields_are_names_too(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "class Pool:\n    seat: int = 0\n    CREW = 1\n"
        "    def put(self, bench, *orders, told=1, **sown):\n        self.tilt = lambda station: station\n"
    )
    expected = "module Pool put seat CREW bench orders told sown tilt station"
    assert {*expected.split()} <= {*names(path)}


def test_the_words_of_a_name() -> None:
    assert words("_LocalPool") == {"local", "pool"}
    assert words("told_tree") == {"told", "tree"}
    assert words("HTTPBench") == {"http", "bench"}
    assert {"crew", "sowing", "sown"} <= banned()
