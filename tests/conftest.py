# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.browsers.engines import ENGINES, LaunchedEngines, launched_engines, missing
from tests.markers import markers

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("tsume", deadline=None)  # machines are busy
settings.load_profile("tsume")
os.environ.pop("TSUME_LANG", None)  # what commands print is compared
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes import the same modules


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once, on all processors, before several processes need them."""
    if not hasattr(session.config, "workerinput") and session.config.getoption("numprocesses", None):
        from tsume_rules.kernel.compile import is_python, library_of

        for name in () if is_python else ("solver", "papers", "scripts"):
            library_of(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests by what they need.

    Those in a browser come last: its driver keeps an event loop running in the process.
    """
    for item in items:
        if isinstance(item, pytest.Function):
            for name in markers(item):
                item.add_marker(name)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def engines() -> Iterator[LaunchedEngines]:
    """The browsers of this process."""
    with launched_engines() as engines:
        yield engines


@pytest.fixture(scope="module", params=ENGINES)
def browser(request: pytest.FixtureRequest, engines: LaunchedEngines) -> Browser:
    """A browser, for the tests of pages: one of each engine that is installed."""
    if reason := missing(request.param):
        pytest.skip(reason)
    return engines[request.param]


@pytest.fixture(scope="session")
def real_solver() -> dict[str, bytes]:
    """The scripts of the solver in a browser, built if necessary. What cannot be translated is a failure."""
    from compiler.build import WASM, NoLinker, linker_of
    from tsume.web.solver_scripts import build_files
    from tsume_rules.kernel.compile import is_python

    if is_python:
        pytest.skip("kernels are plain Python")
    try:
        linker_of(WASM)
    except NoLinker as error:
        pytest.skip(str(error))
    files = build_files()
    assert files, "the solver for browsers was not built"
    return files
