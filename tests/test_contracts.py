# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract on kernels' imports finds what breaks it (`scripts/check` applies it to the packages)."""

from __future__ import annotations

import pytest
from grimp import ImportGraph

from scripts.contracts import foreign_imports


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("generator.reverse.kernel.final_positions", "tsume_rules.kernel.state", True),
        ("generator.reverse.kernel.final_positions", "tsume_rules.kernel", True),
        ("generator.reverse.kernel.final_positions", "numpy", True),
        ("generator.reverse.kernel.final_positions", "collections", True),
        ("generator.reverse.kernel.final_positions", "generator.line_keys", False),
        ("generator.kernel", "generator", False),
        ("solver.engines.new.kernel.search", "rich", False),
        ("generator.line_keys", "rich", True),
        ("tests.generator.kernel.test_final", "rich", True),
    ],
)
def test_a_kernel_imports_only_kernels(importer: str, imported: str, allowed: bool) -> None:
    graph = ImportGraph()
    for module in (importer, imported):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported)
    found = foreign_imports(graph, others=["numpy"], exempt=["tests"])
    assert found == ([] if allowed else [(importer, imported)])
