# SPDX-License-Identifier: GPL-3.0-or-later
"""The module and its manifest."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser import files
from browser.files import KernelModule, build_module, memory_pages, runtime_source
from compiler.build import NoLinker
from solver.engines.dfpn.kernel.arena import SEARCH
from tests.browser.kernels.calling import called_by
from tests.browser.kernels.conftest import MODULES
from tests.javascript.node import run_node
from tsume_rules.kernel.tables import POSITION


def test_kernels_are_named_after_the_modules_that_define_them() -> None:
    called = called_by(["tsume_rules.packed"])
    assert called.kernels == [
        "tsume_rules.kernel.attacks.cells_between_count", "tsume_rules.kernel.attacks.in_check",
        "tsume_rules.kernel.move_generation.answered_checks", "tsume_rules.kernel.move_generation.checks",
        "tsume_rules.kernel.move_generation.evasions", "tsume_rules.kernel.state.do",
        "tsume_rules.kernel.state.has_pawn", "tsume_rules.kernel.state.set_up_position",
        "tsume_rules.kernel.state.undo",
    ]  # fmt: skip
    assert called.records == ["tsume_rules.kernel.tables.POSITION"]


def test_the_manifest_names_entries_and_types(module: KernelModule) -> None:
    assert module.manifest["entries"].keys() == set(called_by(MODULES).kernels)
    checks = module.manifest["entries"]["tsume_rules.kernel.move_generation.checks"]
    position = ["record", "tsume_rules.kernel.tables.POSITION"]
    assert checks["arguments"] == [["pos", position], ["out", ["array", "int64", 1]], ["end", "int64"]]
    assert checks["returns"] == "int64"
    arguments = module.manifest["entries"]["solver.engines.dfpn.kernel.sound.raise_bound"]
    assert arguments["returns"] == ["tuple", ["", "int64"], ["", "bool"]]
    assert [name for name, _ in arguments["arguments"][0][1][1:]][:3] == ["pos", "table", "search"]
    json.dumps(module.manifest)


@pytest.mark.parametrize(
    ("name", "layout"),
    [("tsume_rules.kernel.tables.POSITION", POSITION), ("solver.engines.dfpn.kernel.arena.SEARCH", SEARCH)],
)
def test_the_layouts_are_those_of_numpy(module: KernelModule, name: str, layout: np.dtype[np.void]) -> None:
    found = module.manifest["records"][name]
    assert found["size"] == layout.itemsize
    for field, (offset, kind, shape) in found["fields"].items():
        expected, place, *_ = (layout.fields or {})[field]
        assert (np.dtype((kind, tuple(shape))), offset) == (expected, place)


def test_the_second_time_nothing_is_built(module: KernelModule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "build_files", lambda *_: pytest.fail("built again"))
    called = called_by(MODULES)
    assert build_module(reversed(called.kernels), called.records) == module


def test_the_memory_is_small(module: KernelModule) -> None:
    assert memory_pages(module.wasm) == module.manifest["memory"]["pages"] < 32


def test_a_name_that_is_not_a_kernel() -> None:
    with pytest.raises(ValueError, match=r"tsume_rules\.kernel\.tables\.CELL is not a kernel"):
        build_module(["tsume_rules.kernel.tables.CELL"])


def test_without_a_linker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("compiler.build.find_spec", lambda _name: None)
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path)
    with pytest.raises(NoLinker, match="pip install ziglang"):
        build_module(["tsume_rules.kernel.state.do"])


# --- The memory of the kernels' module, tested in Node.js ---------------------------------------


def test_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "runtime.js"
    script.write_text(runtime_source(), encoding="utf-8")
    monkeypatch.setenv("TSUME_RUNTIME", str(script))
    done = run_node("--expose-gc", "--test", "--test-reporter=tap", str(Path(__file__).with_name("memory.test.mjs")))
    assert done.returncode == 0, done.stdout
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)
    assert "# skipped 0" in done.stdout


# --- Random numbers in JavaScript are NumPy's ---------------------------------------------------


SCRIPT = """
const drawn = (seed) => {
  const rng = numpy.random.default_rng(seed);
  return [
    rng.random(), rng.integers(0, 2n ** 63n), rng.integers(7), rng.integers(1, 5), rng.permutation(10),
    rng.choice([3, 4, 5]), rng.integers(-2, 3, 2), rng.random(), rng.integers(1), rng.permutation(300),
    rng.integers(2 ** 40), rng.integers(2 ** 32), rng.gumbel(0, 1, 20).tolist(), rng.random(),
  ].map((one) => (typeof one === "bigint" ? String(one) : one));
};
console.log(JSON.stringify(SEEDS.map(drawn)));
"""
SEEDS = [[0, 0], [7, 3], [2**32 - 1, 123456], 5, [2**40 + 3, 9, 1, 2, 3]]


def drawn_by_numpy(seed: Any) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [
        rng.random(), str(rng.integers(0, 2**63, dtype=np.uint64)), rng.integers(7), rng.integers(1, 5),
        rng.permutation(10).tolist(), rng.choice([3, 4, 5]), rng.integers(-2, 3, size=2).tolist(),
        rng.random(), rng.integers(1), rng.permutation(300).tolist(), rng.integers(2**40),
        rng.integers(2**32), pytest.approx(rng.gumbel(size=20).tolist(), rel=1e-14, abs=1e-15), rng.random(),
    ]  # fmt: skip


def test_the_same_seeds_give_the_same_numbers() -> None:
    done = run_node("-", text=f"{runtime_source()}\nconst SEEDS = {json.dumps(SEEDS)};{SCRIPT}")
    assert done.returncode == 0, done.stderr
    for seed, numbers in zip(SEEDS, json.loads(done.stdout), strict=True):
        for number, expected in zip(numbers, drawn_by_numpy(seed), strict=True):
            assert number == expected


# --- The memory that a module asks for ----------------------------------------------------------


HEADER = b"\0asm\1\0\0\0"
FUNCTION, TABLE = b"\3env\3log\0\0", b"\3env\1t\1\x70\0\1"
MEMORY, MEMORY_TO_300, SHARED = b"\3env\1m\2\0\7", b"\3env\1m\2\1\x81\1\xac\2", b"\3env\1m\2\3\1\2"


def importing(*imports: bytes) -> bytes:
    content = bytes([len(imports)]) + b"".join(imports)
    return HEADER + b"\2" + bytes([len(content)]) + content


def test_one_memory_and_functions() -> None:
    assert memory_pages(importing(MEMORY)) == 7
    assert memory_pages(importing(FUNCTION, MEMORY_TO_300, FUNCTION)) == 129


@pytest.mark.parametrize("imports", [(), (FUNCTION,), (MEMORY, MEMORY), (SHARED,), (MEMORY, TABLE)])
def test_anything_else(imports: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="the module"):
        memory_pages(importing(*imports))
