# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from browser.files import KernelModule, build_module
from compiler.build import WASM, NoLinker, linker_of
from tests.browser.kernels.calling import called_by
from tsume_rules.kernel.compile import is_python

MODULES = (
    "generator.likeness",
    "generator.themes.purposes",
    "solver.engines.base",
    "solver.engines.dfpn.engine",
    "solver.engines.dfpn.engine",
    "solver.explaining.tries",
    "solver.judging.interpositions",
    "solver.judging.interpositions",
    "solver.scoring.difficulty",
    "solver.scoring.difficulty",
    "solver.scoring.difficulty",
    "tsume_rules.packed",
    "tsume_rules.packed",
    "tsume_rules.packed",
)


@pytest.fixture(scope="session")
def module() -> KernelModule:
    if is_python:
        pytest.skip("kernels are plain Python")
    try:
        linker_of(WASM)
    except NoLinker as missing:
        pytest.skip(str(missing))
    called = called_by(MODULES)
    return build_module(called.kernels, called.records)
