# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import numba
import pytest

from tests.tsume.browser.program import SMALL_NETWORK, fake_parts
from tsume.browser.build import CannotBuild, browser_files
from tsume.browser.built import built_files, write_files
from tsume.browser.network import NETWORK, network_script, script_of


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with a worker program that searches nothing; do not write to it."""
    folder = tmp_path_factory.mktemp("browser")
    write_files(folder, {**browser_files(fake_parts()), NETWORK: script_of(SMALL_NETWORK)})
    return folder


@pytest.fixture(scope="session")
def solver_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with the real worker program; do not write to it."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        pytest.skip("kernels are plain Python")
    try:
        files = built_files()
    except CannotBuild as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("solver")
    write_files(folder, {**files, NETWORK: network_script()})
    return folder
