# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING

import pytest

from db.store import Store
from tsume.uses.trees import ReplyTreeBuilder

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="session")
def written(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that may be written to."""
    path = tmp_path_factory.mktemp("written") / "written.db"
    copy(served, path)
    with Store.open(path, create=False) as store:
        yield store


@pytest.fixture(scope="session")
def api(written: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    """The server, asked by this machine."""
    pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    from starlette.testclient import TestClient

    from tsume.web.app import web_application

    app = web_application(written, builder)
    with TestClient(app, base_url=HERE, client=("127.0.0.1", 50000)) as client:
        yield client
