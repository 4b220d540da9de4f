from __future__ import annotations

from pathlib import Path

import pytest

from tests.tsume.browser.program import fake_parts
from tsume.browser.build import browser_files
from tsume.browser.built import write_files


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files with a worker program that searches nothing; do not write to it."""
    folder = tmp_path_factory.mktemp("browser")
    write_files(folder, browser_files(fake_parts()))
    return folder
