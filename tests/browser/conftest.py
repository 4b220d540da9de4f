# SPDX-License-Identifier: GPL-3.0-or-later
from pathlib import Path

import pytest

from browser.__main__ import write_files
from browser.files import browser_files
from tests.browser.program import SMALL_NETWORK, fake_parts
from tsume.web.solver_scripts import NETWORK, network_arrays_script, network_as_script


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with a worker program that searches nothing; do not write to it."""
    folder = tmp_path_factory.mktemp("browser")
    write_files(folder, {**browser_files(fake_parts()), NETWORK: network_arrays_script(SMALL_NETWORK)})
    return folder


@pytest.fixture(scope="session")
def solver_folder(real_solver: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with the real worker program; do not write to it."""
    folder = tmp_path_factory.mktemp("solver")
    write_files(folder, {**real_solver, NETWORK: network_as_script()})
    return folder
