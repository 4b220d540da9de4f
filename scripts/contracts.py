# SPDX-License-Identifier: GPL-3.0-or-later
"""A contract on imports that import-linter has no type for; pyproject.toml states it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Imports = list[tuple[str, str]]
"""Pairs of the module that imports and the module imported."""


class KernelContract(Contract):
    """Modules in a package called ``kernel`` import only each other, the standard library and ``others``.

    ``exempt`` are packages in which ``kernel`` has another meaning.
    """

    type_name = "kernel"

    others = fields.SetField(subfield=fields.StringField())
    exempt = fields.SetField(subfield=fields.StringField(), required=False, default=set())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  (import-linter's)
        """Check the contract; import-linter calls this."""
        found = foreign_imports(graph, cast(set[str], self.others), cast(set[str], self.exempt))
        return ContractCheck(kept=not found, metadata={"foreign": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that is not allowed."""
        for module, imported in check.metadata["foreign"]:
            output.print_error(f"{module} imports {imported}, which is neither a kernel nor allowed in one")


def foreign_imports(graph: ImportGraph, others: Iterable[str], exempt: Iterable[str] = ()) -> Imports:
    """Return the imports by kernels of anything but kernels, standard modules and ``others``."""
    allowed = {*sys.stdlib_module_names, *others}
    kernels = {module for module in graph.modules if "kernel" in module.split(".") and _root(module) not in set(exempt)}
    return [
        (module, imported)
        for module in sorted(kernels)
        for imported in sorted(graph.find_modules_directly_imported_by(module))
        if imported not in kernels and _root(imported) not in allowed
    ]


def _root(module: str) -> str:
    return module.partition(".")[0]
