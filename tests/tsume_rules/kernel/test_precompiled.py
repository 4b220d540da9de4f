# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that a wheel carries compiled: which file fits, and that it is read instead of compiling."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from numba import config

from tests.places import ROOT
from tsume_rules.kernel import cache
from tsume_rules.kernel.cache import (
    PROCESSOR_LEVELS,
    current_build,
    fitting_kernels,
    precompiled_kernels,
    write_kernels,
)

BUILD = current_build()
NEWEST = PROCESSOR_LEVELS["x86-64-v3"] | {"avx512f"}


def never_called() -> None:
    """Stands for a kernel."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A wheel's folder with code for two processor levels."""
    for processor in ("x86-64-v2", "x86-64-v3"):
        write_kernels(tmp_path, processor, {"engine"}, {(never_called, "()"): b"code"})
    return tmp_path


@pytest.fixture
def wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process comes from a wheel with that folder, and runs on a new processor."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(cache, "FOLDER", folder)
    monkeypatch.setattr(cache, "processor_features", lambda: NEWEST)
    precompiled_kernels.cache_clear()
    yield
    precompiled_kernels.cache_clear()


# --- the file that fits -------------------------------------------------------------------


def test_the_file_that_uses_most_of_the_processor_is_taken(folder: Path) -> None:
    found = fitting_kernels(folder, NEWEST, BUILD)
    assert found is not None
    assert found.processor == "x86-64-v3"
    assert found.parts == {"engine"}


def test_code_for_features_that_the_processor_lacks_is_not_taken(folder: Path) -> None:
    for missing in PROCESSOR_LEVELS["x86-64-v3"] - PROCESSOR_LEVELS["x86-64-v2"]:
        found = fitting_kernels(folder, NEWEST - {missing}, BUILD)
        assert found is not None
        assert found.processor == "x86-64-v2"
    for missing in PROCESSOR_LEVELS["x86-64-v2"]:
        assert fitting_kernels(folder, NEWEST - {missing}, BUILD) is None, "an old processor compiles"
    for name in BUILD:
        assert fitting_kernels(folder, NEWEST, {**BUILD, name: "other"}) is None, "another build"


def test_an_unknown_processor_takes_only_generic_code(folder: Path) -> None:
    assert fitting_kernels(folder, frozenset(), BUILD) is None
    write_kernels(folder, "generic", set(), {})
    found = fitting_kernels(folder, frozenset(), BUILD)
    assert found is not None
    assert found.processor == "generic"


def test_changed_sources_are_another_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = tmp_path / "solver" / "kernel" / "search.py"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("DEPTH = 1\n")
    monkeypatch.setattr(cache, "_ROOT", tmp_path)
    before = current_build()
    os.utime(kernel, (0, 0))  # wheels are unpacked with other dates
    assert current_build() == before
    kernel.write_text("DEPTH = 2\n")
    assert current_build()["sources"] != before["sources"]


# --- what the user asks for ---------------------------------------------------------------


@pytest.mark.usefixtures("wheel")
def test_a_wheel_with_fitting_code_uses_it() -> None:
    assert precompiled_kernels() is not None
    assert cache.is_precompiled("engine")
    assert not cache.is_precompiled("generator")


@pytest.mark.usefixtures("wheel")
def test_without_the_folder_everything_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "none")
    assert precompiled_kernels() is None


@pytest.mark.usefixtures("wheel")
def test_who_asks_numba_for_other_code_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user by a variable, a program or a file by a setting; other variables do not matter."""
    for name in ("BOUNDSCHECK", "CPU_FEATURES", "CPU_NAME", "DISABLE_JIT", "OPT"):
        with monkeypatch.context() as patch:
            patch.setenv(f"NUMBA_{name}", "1")
            precompiled_kernels.cache_clear()
            assert precompiled_kernels() is None, name
    for setting in ("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES", "DISABLE_JIT"):
        with monkeypatch.context() as patch:
            patch.setattr(config, setting, "1")
            precompiled_kernels.cache_clear()
            assert precompiled_kernels() is None, setting
    for variable in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
        with monkeypatch.context() as patch:
            patch.setenv(variable, "1")
            precompiled_kernels.cache_clear()
            assert precompiled_kernels() is not None, variable


def test_processors_without_avx_and_unknown_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(NEWEST, True))
    assert cache.processor_features() == NEWEST
    monkeypatch.setattr(config, "ENABLE_AVX", 0)
    assert not any(name.startswith("avx") for name in cache.processor_features())

    def unknown() -> None:
        raise RuntimeError("unknown")

    monkeypatch.setattr(llvm, "get_host_cpu_features", unknown)
    assert cache.processor_features() == frozenset()


# --- code that is read --------------------------------------------------------------------

COLLECT = """
import sys
from pathlib import Path
from scripts.wheels import compiled_kernels
from tsume.warmup import KernelPart, run_example, warm_up
from tsume_rules.kernel.cache import write_kernels
warm_up(KernelPart.ENGINE)
run_example(KernelPart.ENGINE)
write_kernels(Path(sys.argv[1]), "generic", {"engine"}, compiled_kernels())
"""
"""Writes what is compiled for this processor as if it were for all."""
SOLVE = """
import sys
from pathlib import Path
from tsume_rules.kernel import cache
cache.FOLDER = Path(sys.argv.pop(1))
from tsume.__main__ import main
main()
"""
POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel's folder with the kernels of the engine."""
    folder = tmp_path_factory.mktemp("compiled")
    run(COLLECT, str(folder))
    return folder


def run(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True,
    )  # fmt: skip


def in_empty_home(folder: Path) -> dict[str, str]:
    (folder / "temporary").mkdir()
    return {"HOME": str(folder), "XDG_CACHE_HOME": "", "TMPDIR": str(folder / "temporary")}


def without_home(folder: Path) -> dict[str, str]:
    return in_empty_home(folder) | {"HOME": os.devnull}


@pytest.mark.parametrize("home", [in_empty_home, without_home])
def test_the_first_answer_needs_no_compiling(
    compiled: Path, tmp_path: Path, home: Callable[[Path], dict[str, str]]
) -> None:
    solved = run(SOLVE, str(compiled), "solve", POSITION, **home(tmp_path))
    assert solved.stdout.startswith("mate in 5: 4b3a+ 2b3a S*2b ")
    assert solved.stderr == ""
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


KERNEL = """
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.state import can_promote

@jit
def promoting(pos, out):
    end, count = checks(pos, out, 0), 0
    for i in range(end):
        count += can_promote(3, 20, 40, 0)
    return end * 10 + count
"""
"""Calls a unit, and is linked with another kernel; the wheel has both."""
CALL = """
import sys
from pathlib import Path
from tsume_rules.kernel import cache
cache.FOLDER = Path(sys.argv[1])
sys.path.insert(0, sys.argv[2])
import numpy as np
from own import promoting
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen
print(promoting(pack(parse_sfen(sys.argv[3]).position), np.zeros(600, dtype=np.int64)))
"""


def test_a_kernel_that_the_wheel_lacks_is_compiled_and_calls_those_that_it_has(compiled: Path, tmp_path: Path) -> None:
    home = in_empty_home(tmp_path)
    (tmp_path / "own.py").write_text(KERNEL)
    interpreted = run(CALL, str(compiled), str(tmp_path), POSITION, NUMBA_DISABLE_JIT="1", **home).stdout
    assert run(CALL, str(compiled), str(tmp_path), POSITION, **home).stdout == interpreted
    assert {path.name.split("-")[0] for path in tmp_path.rglob("*.nbi")} >= {"own.promoting"}
    assert not list(tmp_path.rglob("checks.checks-*"))
