"""Training by the API: who asks, the next problem, results, progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="tsume[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from db.store import Store
from tests.tsume.web.api.test_description import answered, faults
from tsume.services.trees import ReplyTreeBuilder
from tsume.web.api.permissions import Permissions
from tsume.web.app import application

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HERE, THERE = "127.0.0.1", "192.168.1.9"
GOOD = {"mode": "training", "solved": True, "moves": 3, "mistakes": 0, "hints": 0, "seconds": 20}
FAILED = {**GOOD, "mistakes": 1}
PERSON = {"name": "太郎", "passphrase": "correct horse"}
UNRATED = {"name": "", "rating": 1500, "deviation": 350}


@pytest.fixture
def store(served: Path, tmp_path: Path) -> Iterator[Store]:
    """A store with three problems of its own."""
    path = tmp_path / "store.db"
    copy(served, path)
    with Store.open(path, create=False) as opened:
        yield opened


@contextmanager
def client_of(
    store: Store, builder: ReplyTreeBuilder, host: str = HERE, **permissions: bool
) -> Iterator[TestClient]:
    from starlette.testclient import TestClient

    app = application(store, builder, permissions=Permissions(**permissions))
    with TestClient(app, base_url="http://127.0.0.1", client=(host, 5)) as client:
        yield client


@pytest.fixture
def here(store: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    """A browser on this machine."""
    with client_of(store, builder) as client:
        yield client


@pytest.fixture
def there(store: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    """A browser on another machine, whose person may sign up."""
    with client_of(store, builder, THERE, sign_up=True) as client:
        yield client


def next_problem(client: TestClient, mode: str = "training", **query: Any) -> dict[str, Any]:
    got = client.get("/api/training/next", params={"mode": mode, **query})
    assert got.status_code == 200, got.text
    assert faults(answered("/api/training/next", "get")["schema"], got.json()) == []
    found: dict[str, Any] = got.json()
    return found


def record(client: TestClient, problem: int, **fields: Any) -> dict[str, Any]:
    got = client.post("/api/results", json={"problem": problem, **GOOD, **fields})
    assert got.status_code == 200, got.text
    assert faults(answered("/api/results")["schema"], got.json()) == []
    found: dict[str, Any] = got.json()
    return found


def progress(client: TestClient) -> dict[str, Any]:
    got = client.get("/api/progress")
    assert got.status_code == 200, got.text
    assert faults(answered("/api/progress", "get")["schema"], got.json()) == []
    found: dict[str, Any] = got.json()
    return found


# --- who asks -----------------------------------------------------------------------------


def test_this_machine_is_the_unnamed_person(here: TestClient, store: Store) -> None:
    assert here.get("/api/me").json() == {"person": UNRATED, "sign_up": True}
    assert store.training.persons.named("") is None  # GET changes nothing
    after = record(here, 1)["after"]
    assert here.get("/api/me").json()["person"]["rating"] == after > 1500


def test_another_machine_is_nobody(store: Store, builder: ReplyTreeBuilder) -> None:
    with client_of(store, builder, THERE) as client:
        assert client.get("/api/me").json() == {"person": None, "sign_up": False}
        for got in (
            client.get("/api/training/next?mode=training"),
            client.get("/api/progress"),
            client.post("/api/results", json={"problem": 1, **GOOD}),
            client.post("/api/runs", json={"mode": "timed", "solved": 1, "seconds": 9}),
        ):
            assert (got.status_code, got.json()["code"]) == (403, "nobody")
        got = client.post("/api/persons", json=PERSON)
        assert (got.status_code, got.json()["code"]) == (403, "no_sign_up")
        assert next_problem(client, "day")["reason"] == "day"


def test_signing_up_in_and_out(there: TestClient) -> None:
    got = there.post("/api/persons", json=PERSON)
    assert (got.status_code, got.json()["person"]) == (201, {**UNRATED, "name": "太郎"})
    cookie = got.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert part in cookie
    record(there, 1)
    rating = there.get("/api/me").json()["person"]["rating"]
    assert there.delete("/api/session").json() == {"person": None, "sign_up": True}
    assert there.get("/api/me").json()["person"] is None
    assert "tsume_session" not in there.cookies
    assert there.post("/api/session", json=PERSON).json()["person"]["rating"] == rating
    assert there.get("/api/me").json()["person"]["name"] == "太郎"


def test_next_problem_works(here: TestClient) -> None:
    first = next_problem(here)
    assert first["reason"] == "unseen"
    number = first["problem"]["id"]
    assert record(here, number, **FAILED)["rated"]
    assert not record(here, number)["rated"]
    assert next_problem(here, **{"not": f"{number}"})["problem"]["id"] != number
    told = progress(here)
    assert (told["results"], told["solved"]) == (2, 2)
