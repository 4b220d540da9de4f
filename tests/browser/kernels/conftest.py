# SPDX-License-Identifier: GPL-3.0-or-later
import numba
import pytest

from browser.kernels import KernelModule, NoLinker, build_module, linker_command
from tests.browser.kernels.calling import called_by

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
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        pytest.skip("kernels are plain Python")
    try:
        linker_command()
    except NoLinker as missing:
        pytest.skip(str(missing))
    called = called_by(MODULES)
    return build_module(called.kernels, called.records)
