# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tsume.usi_client import UsiClient


@pytest.fixture
def engine() -> Iterator[UsiClient]:
    """An engine in a process of its own, not yet introduced."""
    with UsiClient() as client:
        yield client


@pytest.fixture(scope="module")
def prepared() -> Iterator[UsiClient]:
    """An engine that the tests of a module share; each leaves it without a search and with its options."""
    with UsiClient() as client:
        client.prepare()
        yield client
