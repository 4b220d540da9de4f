"""Classes, functions and modules have standard names: no word of docs/glossary.md, "Words not used"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume")
STORED = {"recipe"}
"""Words that are names of stored columns and of fields in JSON too."""


def banned() -> frozenset[str]:
    """The words of the first column of the glossary's table."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \|", text.partition("## Words not used")[2], re.MULTILINE)
    return frozenset(word for row in rows for word in row.split(", ")) - {"not"}


def names(path: Path) -> Iterator[str]:
    """The name of a module, and those of the classes and functions in it."""
    yield path.parent.name if path.stem == "__init__" else path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def words(name: str) -> set[str]:
    """The words of a name in CamelCase or snake_case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_has_a_word_that_is_not_used(package: str) -> None:
    paths = sorted((ROOT / package).rglob("*.py"))
    named = [(path, name) for path in paths if "migrations" not in path.parts for name in names(path)]
    bad = [f"{path.relative_to(ROOT)}: {name}" for path, name in named if words(name) & (banned() - STORED)]
    assert bad == []


def test_the_words_of_a_name() -> None:
    assert words("_LocalPool") == {"local", "pool"}
    assert words("told_tree") == {"told", "tree"}
    assert words("HTTPBench") == {"http", "bench"}
    assert {"crew", "sowing", "sown"} <= banned()
