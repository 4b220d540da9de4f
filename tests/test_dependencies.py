# SPDX-License-Identifier: GPL-3.0-or-later
"""The dependencies in pyproject.toml: all that is imported is declared, and numba has an upper bound."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions

import pytest
from grimp import ImportGraph

from scripts.contracts import foreign_imports
from tests.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
INSTALLED = ("tsume_rules", "solver", "generator", "db", "tsume")
OWN = (*INSTALLED, "compiler", "browser", "papers", "scripts", "tests")
UNDECLARED = {"atheris"}
"""Installed by hand for guided fuzzing: it has no wheels for most platforms."""
NUMBA = "numba>=0.61,<0.69"
"""The compiler uses private parts of numba, so its next release needs a look before this bound is raised:

1. `PRIVATE` below must still exist and mean the same: compare numba/core/codegen.py, dispatcher.py and
   typing/templates.py with the release before. `compiler/lowering.py` takes the code of functions before numba
   optimises it.
2. ``scripts/test --slow`` must pass: kernels compiled, and as plain Python.
"""
PRIVATE = [
    ("numba.core.cgutils", "get_or_insert_function"),
    ("numba.core.codegen", "JITCPUCodegen._library_class"),
    ("numba.core.codegen", "JITCodeLibrary._optimize_functions"),
    ("numba.core.cpu", "CPUContext.get_executable"),
    ("numba.core.registry", "CPUDispatcher.get_call_template"),
    ("numba.core.registry", "CPUDispatcher.get_overload"),
    ("numba.core.types", "unliteral"),
    ("numba.core.typing.templates", "make_concrete_template"),
    ("numba.core.typing.templates", "signature"),
    ("numba.np.arrayobj", "populate_array"),
]


@cache
def imported(package: str) -> frozenset[str]:
    """The full names of the modules that a package imports."""
    return frozenset(_imported(package))


def _imported(package: str) -> Iterator[str]:
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def declared(*extras: str) -> set[str]:
    """The distributions that are installed with some extras."""
    lines = [*PROJECT["dependencies"], *(one for name in extras for one in extra(name))]
    return {normal(re.split(r"[^\w.-]", line)[0]) for line in lines}


def extra(name: str) -> list[str]:
    lines: list[str] = PROJECT["optional-dependencies"][name]
    return lines


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("package", OWN)
def test_what_is_imported_is_declared(package: str) -> None:
    extras = set(PROJECT["optional-dependencies"]) - ({"dev"} if package in INSTALLED else set())
    known, providers = declared(*extras), packages_distributions()
    others = {*OWN, *sys.stdlib_module_names, *UNDECLARED}
    foreign = {name.split(".")[0] for name in imported(package)} - others
    missing = {name for name in foreign if not known & {normal(one) for one in providers.get(name, [name])}}
    assert missing == set(), f"{package} imports what pyproject.toml does not declare"


def test_private_parts_of_numba_are_there() -> None:
    for module, name in PRIVATE:
        found = import_module(module)
        for part in name.split("."):
            assert hasattr(found, part), f"{module}.{name}: see NUMBA in this file"
            found = getattr(found, part)
    assert NUMBA in extra("kernels"), "see NUMBA in this file before the bound is changed"
    assert not {name.split(".")[0] for package in INSTALLED for name in imported(package)} & {"numba", "llvmlite"}


# --- the contract on imports of kernels ------------------------------------------------------------


def test_a_kernel_imports_only_kernels() -> None:
    final = "generator.reverse.kernel.final_positions"
    for importer, imported, allowed in (
        (final, "tsume_rules.kernel.state", True), (final, "tsume_rules.kernel", True),
        (final, "numpy", True), (final, "collections", True), (final, "generator.problem", False),
        ("generator.kernel", "generator", False), ("solver.engines.new.kernel.search", "rich", False),
        ("generator.problem", "rich", True), ("tests.generator.kernel.test_final", "rich", True),
    ):  # fmt: skip
        graph = ImportGraph()
        for module in (importer, imported):
            graph.add_module(module)
        graph.add_import(importer=importer, imported=imported)
        found = foreign_imports(graph, others=["numpy"], exempt=["tests"])
        assert found == ([] if allowed else [(importer, imported)])
