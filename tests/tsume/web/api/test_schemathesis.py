# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests made from the description, sensible ones and others: what comes back is as described.

Run with more of them, and with the bounds of each value, by hand: ``st run ADDRESS/api/openapi.json`` against
``tsume serve --time 0.1``.
"""

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")

import schemathesis

from tests.tsume.web.serving import Served, serving
from tsume.web.api.openapi import openapi_description

EXAMPLES = 10
"""Requests of each kind."""
CHECKS = {
    # Not every text is a position: the description cannot say which.
    "positive_data_acceptance": {"enabled": False},
    "negative_data_rejection": {"expected-statuses": ["400", "404", "405", "413", "414", "415", "422"]},
}

pytestmark = pytest.mark.filterwarnings("default")
schema = schemathesis.openapi.from_dict(
    openapi_description(),
    config=schemathesis.Config.from_dict(
        {"checks": CHECKS, "request-timeout": 90, "phases": {"coverage": {"enabled": False}}}
    ),
)


@pytest.fixture(scope="module")
def server(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    store = tmp_path_factory.mktemp("described") / "store.db"
    copy(served, store)
    with serving(store, "--time", "0.1") as server:
        yield server


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(server: Served, case: Any) -> None:
    case.call_and_validate(base_url=server.address)
