# SPDX-License-Identifier: GPL-3.0-or-later
"""The module and its manifest."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from browser import kernels
from browser.kernels import KernelModule, NoLinker, build_module, memory_pages
from solver.engines.dfpn.kernel.arena import SEARCH
from tests.browser.kernels.calling import called_by
from tests.browser.kernels.conftest import MODULES
from tsume_rules.kernel.state import POSITION


def test_kernels_are_named_after_the_modules_that_define_them() -> None:
    called = called_by(["tsume_rules.packed"])
    assert called.kernels == [
        "tsume_rules.kernel.attacks.between",
        "tsume_rules.kernel.attacks.in_check",
        "tsume_rules.kernel.move_generation.answered_checks",
        "tsume_rules.kernel.move_generation.checks",
        "tsume_rules.kernel.move_generation.evasions",
        "tsume_rules.kernel.retract.captured_of",
        "tsume_rules.kernel.retract.move_of",
        "tsume_rules.kernel.state.do",
        "tsume_rules.kernel.state.dropped",
        "tsume_rules.kernel.state.has_pawn",
        "tsume_rules.kernel.state.make_drop",
        "tsume_rules.kernel.state.make_move",
        "tsume_rules.kernel.state.origin_of",
        "tsume_rules.kernel.state.set_up_position",
        "tsume_rules.kernel.state.target_of",
        "tsume_rules.kernel.state.undo",
    ]
    assert called.records == ["tsume_rules.kernel.state.POSITION"]


def test_the_manifest_names_entries_and_types(module: KernelModule) -> None:
    assert module.manifest["entries"].keys() == set(called_by(MODULES).kernels)
    checks = module.manifest["entries"]["tsume_rules.kernel.move_generation.checks"]
    position = ["record", "tsume_rules.kernel.state.POSITION"]
    assert checks["arguments"] == [["pos", position], ["out", ["array", "int64", 1]], ["end", "int64"]]
    assert checks["returns"] == "int64"
    arguments = module.manifest["entries"]["solver.engines.dfpn.kernel.queries.raise_bound"]
    assert arguments["returns"] == ["tuple", ["", "int64"], ["", "bool"]]
    assert [name for name, _ in arguments["arguments"][0][1][1:]][:3] == ["pos", "table", "search"]
    json.dumps(module.manifest)


@pytest.mark.parametrize(
    ("name", "layout"),
    [("tsume_rules.kernel.state.POSITION", POSITION), ("solver.engines.dfpn.kernel.arena.SEARCH", SEARCH)],
)
def test_the_layouts_are_those_of_numpy(module: KernelModule, name: str, layout: np.dtype[np.void]) -> None:
    found = module.manifest["records"][name]
    assert found["size"] == layout.itemsize
    for field, (offset, kind, shape) in found["fields"].items():
        expected, place, *_ = (layout.fields or {})[field]
        assert (np.dtype((kind, tuple(shape))), offset) == (expected, place)


def test_the_second_time_nothing_is_built(module: KernelModule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "compiled_module", lambda _wanted: pytest.fail("built again"))
    called = called_by(MODULES)
    assert build_module(reversed(called.kernels), called.records) == module


def test_the_memory_is_small(module: KernelModule) -> None:
    assert memory_pages(module.wasm) == module.manifest["memory"]["pages"] < 32


def test_a_name_that_is_not_a_kernel() -> None:
    with pytest.raises(ValueError, match=r"tsume_rules\.kernel\.tables\.CELL is not a kernel"):
        build_module(["tsume_rules.kernel.tables.CELL"])


def test_without_a_linker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr(kernels, "find_spec", lambda _name: None)
    monkeypatch.setattr(kernels, "use_kernel_cache", lambda: tmp_path)
    with pytest.raises(NoLinker, match="pip install ziglang"):
        build_module(["tsume_rules.kernel.state.do"])
