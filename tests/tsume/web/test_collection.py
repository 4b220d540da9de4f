# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection in the browser: offered by an empty store, chosen by length and level."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from db.store import Store
from tests.tsume.conftest import Run
from tsume.collection.problems import add_collection, collection_size, read_collection
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.api.access import Permissions
from tsume.web.app import application

HERE = "http://127.0.0.1:8000"
OFFER = f"Add the collection ({collection_size()} problems)"
SECONDS = 300


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "empty.db") as store:
        yield store


@contextmanager
def asking(store: Store, builder: ReplyTreeBuilder, host: str, **permissions: bool) -> Iterator[TestClient]:
    app = application(store, builder, permissions=Permissions(**permissions))
    with TestClient(app, base_url=HERE, client=(host, 5)) as client:
        yield client


def test_an_empty_store_offers_the_collection_and_takes_it(empty: Store, builder: ReplyTreeBuilder) -> None:
    with asking(empty, builder, "127.0.0.1") as client:
        assert OFFER in client.get("/?lang=en").text
        answer = client.post("/api/collection", json={})
        assert (answer.status_code, answer.json()) == (200, {"added": collection_size()})
        assert OFFER not in client.get("/?lang=en").text
        assert client.post("/api/collection", json={}).json() == {"added": 0}
    assert empty.count() == collection_size()


@pytest.mark.parametrize(
    ("host", "permissions"),
    [("192.168.1.9", {}), ("127.0.0.1", {"saving": False}), ("10.0.0.1", {"remote": True, "saving": False})],
)
def test_only_those_who_may_save_are_offered_it(
    empty: Store, builder: ReplyTreeBuilder, host: str, permissions: dict[str, bool]
) -> None:
    with asking(empty, builder, host, **permissions) as client:
        assert OFFER not in client.get("/?lang=en").text
        assert client.post("/api/collection", json={}).status_code == 403
    assert empty.count() == 0


def test_a_filter_without_matches_offers_nothing(empty: Store, builder: ReplyTreeBuilder) -> None:
    with asking(empty, builder, "127.0.0.1") as client:
        page = client.get("/?moves=5&lang=en").text
    assert OFFER not in page
    assert "No matches" in page


def test_a_form_of_another_site_adds_nothing(empty: Store, builder: ReplyTreeBuilder) -> None:
    with asking(empty, builder, "127.0.0.1") as client:
        assert client.post("/api/collection", data={"a": "b"}).status_code == 415
    assert empty.count() == 0


def test_the_list_is_chosen_by_length_and_level(empty: Store, builder: ReplyTreeBuilder) -> None:
    problems = read_collection()
    add_collection(empty, problems)
    wanted = [i for i, one in enumerate(problems, 1) if (one.problem.length, one.level) == (5, 2)]
    with asking(empty, builder, "127.0.0.1") as client:
        page = client.get("/?moves=5&level=2&lang=en").text
        first = client.get("/?lang=en").text
        assert client.get("/?level=6").status_code == 400
    assert f"{len(wanted)} in all" in page
    assert f"/problems/{wanted[0]}?" in page
    assert "/problems/1?" not in page
    assert "/?moves=3&amp;lang=en&amp;level=1" in first
    assert "/?level=2&amp;moves=3&amp;lang=en" in page  # another length keeps the level


def test_without_the_collection_there_are_no_levels(opened: Store, builder: ReplyTreeBuilder) -> None:
    with asking(opened, builder, "127.0.0.1") as client:
        assert "level=1" not in client.get("/?lang=en").text


# --- the command --------------------------------------------------------------------------


def test_serve_without_a_store_begins_with_the_collection(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tsume", "serve", "--port", "0", "--lang", "en"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        start_new_session=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with urlopen(f"{address}?lang=en", timeout=SECONDS) as page:
                assert f"{collection_size()} in all" in page.read().decode()
        finally:
            os.killpg(server.pid, signal.SIGINT)
            _, said = server.communicate(timeout=SECONDS)
    assert f"{collection_size()} problems stored" in said


def test_a_store_that_is_named_is_not_made(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for options in (["--db", "tsume.db"], ["--read-only"]):
        assert tsume("serve", *options).exit_code == 1
    assert list(tmp_path.iterdir()) == []
