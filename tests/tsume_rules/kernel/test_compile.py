# SPDX-License-Identifier: GPL-3.0-or-later
"""How Python calls compiled kernels, and which library it opens."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import SEARCH
from solver.engines.dfpn.kernel.sound import raise_bound, raise_bound_for_each
from tests.fuzzing.kernels import REFUSALS, called_kernels, check_call, damaged_arrays
from tests.places import ROOT
from tests.tsume.problems import CORRECT
from tsume_rules.kernel import compile as declarations
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.compile import (
    INTEGERS,
    Library,
    int64,
    is_python,
    kernel_of,
    library_of,
    named_tuple,
    record,
    unit,
)
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions
from tsume_rules.kernel.state import dropped, make_drop
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen

pytestmark = pytest.mark.skipif(is_python, reason="kernels are plain Python")
POSITION = parse_sfen(CORRECT).position


@pytest.fixture
def out() -> np.ndarray:
    return np.zeros(MAX_MOVES, np.int64)


def test_a_kernel_takes_and_returns_numbers_booleans_and_tuples(out: np.ndarray) -> None:
    packed = pack(POSITION)
    assert in_check(packed, 1) is False
    end = checks(packed, out, np.int64(0))
    assert type(end) is int
    assert end > 0
    assert find_checkers(packed, True) == (0, 0)  # a boolean is a number
    with pytest.raises(TypeError, match="positional argument"):
        checks(packed, out)


def test_what_python_does_not_call_compiled_runs_as_python() -> None:
    assert dropped(make_drop(7, 60)) == 7
    assert kernel_of(dropped) is not None
    assert kernel_of(len) is None


@pytest.mark.parametrize("number", range(len(damaged_arrays(np.zeros(MAX_MOVES, np.int64), INTEGERS))))
def test_other_arrays_are_refused(number: int, out: np.ndarray) -> None:
    with pytest.raises(REFUSALS):
        evasions(pack(POSITION), damaged_arrays(out, INTEGERS)[number], 0)


def test_an_error_says_what_is_expected(out: np.ndarray) -> None:
    packed = pack(POSITION)
    with pytest.raises(TypeError, match=r"takes 1-dimensional int64 of shape \(640,\) at least, not int8 of shape"):
        checks(packed, out.astype(np.int8), 0)
    with pytest.raises(TypeError, match=r"at least, not int64 of shape \(639,\)"):
        checks(packed, out[1:], 0)
    with pytest.raises(TypeError, match="takes a record of"):
        checks(np.zeros(1, SEARCH)[0], out, 0)
    with pytest.raises(TypeError, match="takes a tuple Arena, not tuple"):
        raise_bound(tuple(DfPnEngine(table_bits=4)._box), 3, 10)


def test_damaged_arguments_are_refused() -> None:
    assert len(called_kernels()) > 60
    for seed in range(2000):
        check_call(seed)


def test_a_tuple_may_have_one_type_and_then_another() -> None:
    engine = DfPnEngine(table_bits=8)
    packed = np.zeros(1, declarations.layout_of(kernel_of(checks).arguments["pos"]))  # type: ignore[union-attr, arg-type]
    packed[0] = pack(POSITION)
    lengths = np.zeros(1, np.int64)
    for _ in range(2):
        assert raise_bound_for_each(packed.view(np.recarray), engine._box, 99, 10_000, lengths) == 1
        assert lengths[0] == 3
        with pytest.raises(REFUSALS):
            raise_bound(engine._box, 3, 10)  # it has no position


def test_a_declaration_names_parameters() -> None:
    with pytest.raises(TypeError, match="has no parameter y"):
        unit(y=int64)(lambda x: x)
    pair = named_tuple("Pair", "first second")
    assert (pair(1, 2)._replace(first=3), pair.__module__) == (pair(3, 2), __name__)


def test_layouts_are_aligned_and_their_elements_have_attributes() -> None:
    layout = record([("small", np.int8), ("large", np.int64)])
    assert (layout.itemsize, np.zeros(2, layout)[1].large) == (16, 0)


# --- which library is opened, and how it gets there ------------------------------------------------


def folder_with(folder: Path, level: int, *files: str) -> Path:
    """A folder of libraries, on a processor of a level of x86-64."""
    (folder / "calls.py").write_text(f"def processor_level(path): return {level}\ndef open_library(path): pass\n")
    for name in files:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize(("level", "opened"), [(2, "v2"), (3, "v3"), (4, "v3")])
def test_the_highest_level_is_opened(level: int, opened: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declarations, "_SUFFIX", ".so")
    names = [f"kernels-x86-64-{one}.so" for one in ("v3", "v2")]
    assert Library(folder_with(tmp_path, level, *names)).path.name == f"kernels-x86-64-{opened}.so"


def test_a_processor_that_is_too_old_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declarations, "_SUFFIX", ".so")
    with pytest.raises(ImportError, match="no kernels for this processor, whose x86-64 level is 1"):
        Library(folder_with(tmp_path, 1, "kernels-x86-64-v2.so"))


def test_the_library_is_that_of_the_sources() -> None:
    path = library_of("solver").path
    assert declarations.library_hash("tsume") in path.parent.name
    assert library_of("generator.kernel.positions") is library_of("tsume_rules.kernel.state")


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_a_program_needs_neither_numba_nor_llvm() -> None:
    code = "import sys; sys.modules.update(numba=None, llvmlite=None)\nfrom tsume.library import check\n"
    done = run(f"{code}print(check({CORRECT!r}).grade, [name for name in sys.modules if name.startswith('compiler')])")
    assert (done.stdout, done.stderr) == ("perfect []\n", "")


WITHOUT_NUMBA = """
import importlib.util, runpy, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *package: None if name == "numba" else find(name, *package)
sys.argv = ["compiler", "library", "tsume", "folder"]
runpy.run_module("compiler", run_name="__main__")
"""


def test_compiling_needs_numba() -> None:
    done = run(WITHOUT_NUMBA)
    assert (done.returncode, done.stderr) == (1, "compiling kernels needs numba: pip install 'tsume-shogi[kernels]'\n")


def test_kernels_that_cannot_be_compiled_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declarations, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(ImportError, match="the kernels of unknown could not be compiled; see above"):
        library_of("unknown.kernel")


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_a_changed_checkout_compiles_once(count: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tsume", "solve", CORRECT]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    answers = [process.communicate() for process in started]
    assert all(answer.startswith("mate in 3: ") for answer, _ in answers)
    assert sum("compiling kernels" in said for _, said in answers) == 1
    assert sum("another process compiles the kernels" in said for _, said in answers) == count - 1
    again = run(f"from tsume.library import solve; print(solve({CORRECT!r}).length)", XDG_CACHE_HOME=str(tmp_path))
    assert (again.stdout, again.stderr) == ("3\n", "")
