# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import numba
import pytest

from browser.__main__ import write_files
from browser.files import browser_files
from tests.browser.program import SMALL_NETWORK, fake_parts
from tsume.web.solver_scripts import NETWORK, arrays_script, built_files, network_script


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with a worker program that searches nothing; do not write to it."""
    folder = tmp_path_factory.mktemp("browser")
    write_files(folder, {**browser_files(fake_parts()), NETWORK: arrays_script(SMALL_NETWORK)})
    return folder


@pytest.fixture(scope="session")
def solver_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with the real worker program; do not write to it."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        pytest.skip("kernels are plain Python")
    files = built_files()
    if not files:
        pytest.skip("the solver for browsers cannot be built")
    folder = tmp_path_factory.mktemp("solver")
    write_files(folder, {**files, NETWORK: network_script()})
    return folder
