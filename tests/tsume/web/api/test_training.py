# SPDX-License-Identifier: GPL-3.0-or-later
"""Training by the API: who asks, the next problem, results, progress."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import update

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from db.notebook import NotebookEdit
from db.store import Store
from db.training.records import CARDS, LOGINS, CandidateFilter
from tests.db.samples import problem
from tests.tsume.conftest import present
from tests.tsume.web.api.test_description import answered, faults
from tsume.site.pages import daily_problems_script
from tsume.training.ratings import initial_rating
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.api.access import Permissions
from tsume.web.app import web_application

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HERE, THERE = "127.0.0.1", "192.168.1.9"
GOOD = {"mode": "training", "solved": True, "moves": 3, "mistakes": 0, "hints": 0, "seconds": 20}
FAILED = {**GOOD, "mistakes": 1}
PERSON = {"name": "太郎", "passphrase": "correct horse"}
dumps = partial(json.dumps, separators=(",", ":"))
UNRATED = {"name": "", "rating": 1500, "deviation": 350}


@pytest.fixture
def store(served: Path, tmp_path: Path) -> Iterator[Store]:
    """A store with three problems of its own."""
    path = tmp_path / "store.db"
    copy(served, path)
    with Store.open(path, create=False) as opened:
        yield opened


@contextmanager
def client_of(store: Store, builder: ReplyTreeBuilder, host: str = HERE, **permissions: bool) -> Iterator[TestClient]:
    from starlette.testclient import TestClient

    app = web_application(store, builder, permissions=Permissions(**permissions))
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
    return dict(got.json())


def record(client: TestClient, problem: int, **fields: Any) -> dict[str, Any]:
    got = client.post("/api/results", json={"problem": problem, **GOOD, **fields})
    assert got.status_code == 200, got.text
    assert faults(answered("/api/results")["schema"], got.json()) == []
    return dict(got.json())


def progress(client: TestClient) -> dict[str, Any]:
    got = client.get("/api/progress")
    assert got.status_code == 200, got.text
    assert faults(answered("/api/progress", "get")["schema"], got.json()) == []
    return dict(got.json())


# --- who asks -----------------------------------------------------------------------------


def test_this_machine_is_the_unnamed_person_unless_it_is_a_proxy(here: TestClient, store: Store) -> None:
    assert here.get("/api/me").json() == {"person": UNRATED, "sign_up": True}
    assert store.training.persons.named("") is None  # GET changes nothing
    after = record(here, 1)["after"]
    assert here.get("/api/me").json()["person"]["rating"] == after > 1500
    assert here.get("/api/me", headers={"X-Forwarded-For": "10.0.0.1"}).json()["person"] is None


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


def test_persons_that_cannot_be(there: TestClient) -> None:
    table: list[tuple[dict[str, Any], str]] = [
        ({"passphrase": "7 lette"}, "passphrase: a passphrase has at least 8 characters"),
        ({"name": " "}, "name: a name has at least one character"),
        ({"name": "a\u202e"}, "name: the character '\\u202e' is not printable"),
        ({"name": "x" * 41}, "name: more than 40 characters"),
        ({"passphrase": "x" * 201}, "passphrase: more than 200 characters"),
        ({"name": 5}, "name: not a text"),
        ({"admin": True}, "'admin' is not a field"),
    ]
    for fields, fault in table:
        got = there.post("/api/persons", json={**PERSON, **fields})
        assert got.status_code == 400
        assert got.json()["error"].startswith(fault)
        assert "set-cookie" not in got.headers
    there.post("/api/persons", json={**PERSON, "name": "Taro"})
    got = there.post("/api/persons", json={"name": "ＴＡＲＯ", "passphrase": "another phrase"})
    assert (got.status_code, got.json()) == (409, {"error": "the name is taken"})


def test_wrong_passphrases_are_limited(there: TestClient) -> None:
    there.post("/api/persons", json=PERSON)
    there.delete("/api/session")
    for name in ("太郎", "nobody", ""):
        wrong = {"name": name, "passphrase": "wrong horse"}
        for _ in range(10):
            got = there.post("/api/session", json=wrong)
            assert (got.status_code, got.json()) == (403, {"error": "name or passphrase is wrong"})
        got = there.post("/api/session", json=wrong)
        assert got.status_code == 429
        assert 0 < int(got.headers["retry-after"]) <= 60
    assert there.post("/api/session", json=PERSON).status_code == 429
    assert there.get("/api/me").json()["person"] is None


def test_new_names_of_strangers_are_limited(there: TestClient) -> None:
    got = [there.post("/api/persons", json={**PERSON, "name": f"n{n}"}).status_code for n in range(11)]
    assert got == [201] * 10 + [429]


def test_persons_do_not_see_each_other(store: Store, builder: ReplyTreeBuilder) -> None:
    from starlette.testclient import TestClient

    app = web_application(store, builder, permissions=Permissions(sign_up=True))
    with TestClient(app, base_url="http://127.0.0.1", client=(THERE, 5)) as one:
        other = TestClient(app, base_url="http://127.0.0.1", client=("192.168.1.10", 5))
        for client, name in ((one, "one"), (other, "other")):
            assert client.post("/api/persons", json={**PERSON, "name": name}).status_code == 201
        record(one, 1)
        record(one, 2, **FAILED)
        record(other, 3)
        assert progress(one)["solved_ids"] == [1, 2]
        assert progress(other)["solved_ids"] == [3]
        assert (progress(one)["results"], progress(other)["results"]) == (2, 1)
        assert (progress(one)["streak"], progress(other)["streak"]) == (0, 1)
        for client, name, number in ((one, "one", 2), (other, "other", 1)):
            lines = client.get("/api/results.csv").text.splitlines()
            assert [line.split(",")[7] for line in lines] == ["person", *[name] * number]
        assert next_problem(other)["reason"] == "unseen"
        assert other.get("/api/me").json()["person"]["name"] == "other"


def test_unknown_cookies_and_expired_sessions_are_nobody_s(there: TestClient, store: Store) -> None:
    for token in ("x", "", "a" * 5000, "../"):
        got = there.get("/api/me", headers={"cookie": f"tsume_session={token}"})
        assert got.json()["person"] is None
    there.post("/api/persons", json=PERSON)
    with store._sessions.writing() as session:
        session.execute(update(LOGINS).values(expires_at=datetime.now(UTC)))
    assert there.get("/api/me").json()["person"] is None
    assert there.get("/api/progress").status_code == 403
    assert there.get("/api/results.csv").status_code == 403


@pytest.mark.parametrize("host", [HERE, THERE])
def test_a_server_that_is_read_only_knows_nobody(store: Store, builder: ReplyTreeBuilder, host: str) -> None:
    with client_of(store, builder, host, saving=False, sign_up=True, remote=True) as client:
        assert client.get("/api/me").json() == {"person": None, "sign_up": False}
        for path in ("persons", "session"):
            got = client.post(f"/api/{path}", json=PERSON)
            assert (got.status_code, got.json()["code"]) == (403, "read_only")
        assert client.delete("/api/session").json()["person"] is None
        assert client.post("/api/results", json={"problem": 1, **GOOD}).json()["code"] == "nobody"
        assert next_problem(client, "day")["problem"]["id"] in (1, 2, 3)
    assert list(store.training.results.all()) == []


# --- classes ------------------------------------------------------------------------------

MONDAY = {"name": "月曜 <b>", "passphrase": "getsuyoubi"}


@pytest.fixture
def school(store: Store, builder: ReplyTreeBuilder) -> Iterator[dict[str, TestClient]]:
    """The browsers of a teacher, two pupils of the class and a stranger, all signed in."""
    from starlette.testclient import TestClient

    app = web_application(store, builder, permissions=Permissions(sign_up=True))
    with TestClient(app, base_url="http://127.0.0.1", client=(THERE, 5)) as teacher:
        found = {"teacher": teacher}
        for number, name in enumerate(("one", "two", "stranger")):
            found[name] = TestClient(app, base_url="http://127.0.0.1", client=(f"192.168.1.{20 + number}", 5))
        for name, client in found.items():
            assert client.post("/api/persons", json={**PERSON, "name": name}).status_code == 201
        got = teacher.post("/api/classes", json=MONDAY)
        assert (got.status_code, got.json()["classes"][0]["teaches"]) == (201, True)
        for name in ("one", "two"):
            got = found[name].post("/api/classes/pupils", json=MONDAY)
            assert got.status_code == 200
        yield found


def classes(client: TestClient) -> list[dict[str, Any]]:
    got = client.get("/api/classes")
    assert (got.status_code, got.headers["cache-control"]) == (200, "no-store")
    assert faults(answered("/api/classes", "get")["schema"], got.json()) == []
    return list(got.json()["classes"])


def test_a_teacher_sees_the_pupils_and_they_see_themselves(school: dict[str, TestClient]) -> None:
    teacher, one = school["teacher"], school["one"]
    got = teacher.post("/api/classes/1/list", json={"title": "First", "ids": [3, 1]})
    assert (got.status_code, got.json()["classes"][0]["problems"]) == (200, [3, 1])
    rating = record(one, 3)["after"]
    record(one, 1, **FAILED)
    record(one, 2, solved=False)
    record(school["stranger"], 1)
    (told,) = classes(teacher)
    assert (told["name"], told["teacher"], told["title"], told["teaches"]) == ("月曜 <b>", "teacher", "First", True)
    assert [pupil["name"] for pupil in told["pupils"]] == ["one", "two"]
    first, second = told["pupils"]
    assert (first["tried"], first["solved"], first["failed"], first["list"]) == (3, 2, 1, ["solved", "helped"])
    assert first["rating"] < rating
    assert datetime.fromisoformat(first["last"]).date() == datetime.now(UTC).date()
    assert (second["tried"], second["last"], second["list"], second["rating"]) == (0, None, ["open", "open"], 1500)
    (own,) = classes(one)
    assert own == {**told, "teaches": False, "pupils": [first]}
    assert [pupil["name"] for pupil in classes(school["two"])[0]["pupils"]] == ["two"]
    assert classes(school["stranger"]) == []


def test_who_leaves_is_not_seen_any_more(school: dict[str, TestClient]) -> None:
    teacher, one, two, stranger = school.values()
    first, second = (pupil["id"] for pupil in classes(teacher)[0]["pupils"])
    for client, number, pupil in ((stranger, 1, first), (one, 1, second), (one, 2, first), (one, 2**40, first)):
        assert client.delete(f"/api/classes/{number}/pupils/{pupil}").status_code == 404
    for client in (one, stranger):
        assert client.delete("/api/classes/1").status_code == 404
        assert client.post("/api/classes/1/list", json={"ids": [1]}).status_code == 404
    assert one.delete(f"/api/classes/1/pupils/{first}").json() == {"classes": []}
    assert [pupil["name"] for pupil in classes(teacher)[0]["pupils"]] == ["two"]
    assert teacher.delete(f"/api/classes/1/pupils/{second}").json()["classes"][0]["pupils"] == []
    assert classes(two) == []
    assert one.post("/api/classes/pupils", json=MONDAY).status_code == 200
    assert teacher.delete("/api/classes/1").json() == {"classes": []}
    assert classes(one) == []


def test_classes_that_cannot_be_joined_or_opened(school: dict[str, TestClient]) -> None:
    stranger, teacher = school["stranger"], school["teacher"]
    wrong = [{**MONDAY, "passphrase": "wrong horse"}, {**MONDAY, "name": "Tuesday"}]
    said = [stranger.post("/api/classes/pupils", json=one) for one in wrong]
    assert [one.status_code for one in said] == [403, 403]
    assert said[0].json() == said[1].json() == {"error": "name or passphrase is wrong", "code": "class_unknown"}
    got = stranger.post("/api/classes", json={"name": "月曜　＜ｂ＞", "passphrase": "another one"})
    assert (got.status_code, got.json()["code"]) == (409, "class_taken")
    got = teacher.post("/api/classes/1/list", json={"ids": [1, 99]})
    assert (got.status_code, got.json()["code"]) == (404, "no_problem")
    assert teacher.post("/api/classes/1/list", json={"ids": [1, 1]}).status_code == 400
    assert teacher.post("/api/classes", json={"name": "x", "passphrase": "short"}).status_code == 400
    assert teacher.post("/api/classes/pupils", json=MONDAY).json()["classes"][0]["pupils"] != []
    for _ in range(8):
        assert stranger.post("/api/classes/pupils", json=wrong[0]).status_code == 403
    for client, body in ((stranger, wrong[1]), (stranger, MONDAY)):  # many names, and one name
        got = client.post("/api/classes/pupils", json=body)
        assert (got.status_code, got.json()["code"]) == (429, "too_often")
        assert 0 < int(got.headers["retry-after"]) <= 60
    opened = [stranger.post("/api/classes", json={**MONDAY, "name": f"n{n}"}).status_code for n in range(10)]
    assert opened == [201] * 9 + [429]


def test_classes_are_for_persons_with_names(store: Store, builder: ReplyTreeBuilder, here: TestClient) -> None:
    with client_of(store, builder, THERE) as there, client_of(store, builder, saving=False) as unsaved:
        for client in (here, there, unsaved):
            for got in (
                client.get("/api/classes"), client.post("/api/classes", json=MONDAY),
                client.post("/api/classes/pupils", json=MONDAY), client.delete("/api/classes/1"),
                client.post("/api/classes/1/list", json={"ids": []}), client.delete("/api/classes/1/pupils/1"),
            ):  # fmt: skip
                assert (got.status_code, got.json()["code"]) == (403, "nobody")
    assert store.training.classes.named("monday") is None


# --- the next problem ---------------------------------------------------------------------


def test_what_comes_next(here: TestClient) -> None:
    first = next_problem(here)
    assert first["reason"] == "unseen"
    number = first["problem"]["id"]
    assert next_problem(here) == first
    assert record(here, number, **FAILED)["rated"]
    for left_out in (f"{number}", f"9,{number}"):
        assert next_problem(here, **{"not": left_out})["problem"]["id"] != number
    for other in {1, 2, 3} - {number}:
        record(here, other)
    assert next_problem(here)["reason"] == "rating"
    nothing = next_problem(here, **{"not": "1,2,3"})
    assert nothing == {"problem": None, "due_at": None}


def test_failed_problems_come_back_first(here: TestClient, store: Store) -> None:
    due = record(here, 2, **FAILED)["due"]
    assert next_problem(here, "review") == {"problem": None, "due_at": due}
    with store._sessions.writing() as session:
        session.execute(update(CARDS).values(due=datetime.now(UTC)))
    found = next_problem(here)
    assert (found["problem"]["id"], found["reason"]) == (2, "failed")
    found = next_problem(here, "review")
    assert (found["problem"]["id"], found["reason"]) == (2, "due")
    assert not record(here, 2, mode="review")["rated"]
    assert next_problem(here)["reason"] == "unseen"


def test_the_fields_of_a_problem_and_selected_problems(here: TestClient, store: Store) -> None:
    found = next_problem(here, **{"not": "2,3"})["problem"]
    stored = present(store.get(1))
    assert (found["id"], found["sfen"].split()[0]) == (1, stored.sfen.split()[0])
    assert (found["title"], found["length"], found["stars"]) == ("<b>&", 3, stored.difficulty.stars)
    assert found["mate_in"] == {"ja": "3手詰", "en": "Mate in 3"}
    assert found["rating"] == round(initial_rating(stored.difficulty.score).rating)
    assert not {"line", "themes"} & set(found)
    themes = {theme for one in store.find() for theme in one.themes}
    assert themes
    for theme in themes:
        showing = [one.id for one in store.find() if theme in one.themes]
        assert next_problem(here, theme=theme)["problem"]["id"] in showing
    assert next_problem(here, moves=3)["problem"] is not None
    assert next_problem(here, moves=5)["problem"] is None
    assert next_problem(here, moves="1,3", theme=",".join(sorted(themes)))["problem"] is not None
    assert next_problem(here, "choices")["reason"] == "unseen"
    record(here, 1)
    others = {
        next_problem(here, mode="survival", unsolved="true", **{"not": number})["problem"]["id"] for number in (2, 3)
    }
    assert others == {2, 3}
    assert next_problem(here, unsolved="true", **{"not": "2,3"})["problem"] is None
    page = here.get("/?lang=en&unsolved=1").text
    assert [f'data-problem="{number}"' in page for number in (1, 2, 3)] == [False, True, True]
    assert "/problems/3?unsolved=1" in page
    assert here.get("/?unsolved=2").status_code == 400
    assert next_problem(here, tag="missed")["problem"] is None
    store.edit([2], NotebookEdit(tags=("missed",)))
    assert next_problem(here, tag="missed")["problem"]["id"] == 2


@pytest.mark.parametrize("mode", ["timed", "survival"])
def test_a_run_leaves_out_what_it_had(here: TestClient, mode: str) -> None:
    had: list[int] = []
    while found := next_problem(here, mode, solved=len(had), **{"not": ",".join(map(str, had))})["problem"]:
        assert found["id"] not in had
        had.append(found["id"])
        assert not record(here, had[-1], mode=mode)["rated"]
    assert sorted(had) == [1, 2, 3]


def test_the_problem_of_the_day_is_that_of_a_site(here: TestClient, store: Store) -> None:
    days = here.get("/api/training/days").json()
    assert faults(answered("/api/training/days", "get")["schema"], days) == []
    assert daily_problems_script(list(store.find())) == f"window.TSUME_DAYS = {dumps(days['days'])};\n"
    for day in range(1, 8):
        place = (date(2026, 1, day) - date(1970, 1, 1)).days % 3
        found = next_problem(here, "day", day=f"2026-01-0{day}")
        assert (found["problem"]["id"], found["reason"]) == (days["days"][place][0], "day")
    assert len(here.get("/api/training/days").json()["days"]) == 3
    store.add(problem(0))
    days = here.get("/api/training/days").json()["days"]
    assert daily_problems_script(list(store.find())) == f"window.TSUME_DAYS = {dumps(days)};\n"


def test_the_feed_of_the_problems_of_the_day(here: TestClient) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    got = here.get("/day.xml?lang=en")
    assert got.headers["content-type"] == "application/atom+xml"
    assert 0 <= int(got.headers["cache-control"].removeprefix("max-age=")) <= 3600
    assert here.get("/day.xml?lang=en", headers={"If-None-Match": got.headers["etag"]}).status_code == 304
    feed = ElementTree.fromstring(got.content)
    entries = feed.findall(f"{atom}entry")
    days = [datetime.now().astimezone().date() - timedelta(days=number) for number in range(14)]
    own = "http://127.0.0.1/day.xml?lang=en"
    assert feed.findtext(f"{atom}id") == own
    assert feed.findtext(f"{atom}title") == "Problem of the day | Tsume-shogi"
    assert [one.findtext(f"{atom}id") for one in entries] == [f"{own}#{day}" for day in days]
    times = [str(one.findtext(f"{atom}updated")) for one in (feed, *entries)]
    assert times[0] == times[1] == max(times)
    assert all(datetime.fromisoformat(time).tzinfo is UTC for time in times)
    for day, one in zip(days, entries, strict=True):
        number = next_problem(here, "day", day=str(day))["problem"]["id"]
        assert f"{day}: No. {number} " in str(one.findtext(f"{atom}title"))
        assert present(one.find(f"{atom}link")).get("href") == f"http://127.0.0.1/training?lang=en#mode=day&day={day}"
        assert f'src="http://127.0.0.1/problems/{number}.svg?lang=en"' in str(one.findtext(f"{atom}content"))
    japanese = here.get("/day.xml?lang=ja", headers={"X-Forwarded-Proto": "https"}).text
    assert "<title>今日の一題 | 詰将棋</title>\n<id>https://127.0.0.1/day.xml?lang=ja</id>" in japanese
    for page in ("/?lang=ja", "/training?lang=ja"):
        link = '<link rel="alternate" type="application/atom+xml" href="/day.xml?lang=ja" title="今日の一題">'
        assert link in here.get(page).text
    assert "day.xml" not in here.get("/?lang=ja&moves=3").text


def test_an_empty_store(builder: ReplyTreeBuilder, tmp_path: Path) -> None:
    with Store.open(tmp_path / "empty.db") as store, client_of(store, builder) as client:
        for mode in ("training", "review", "timed", "survival", "day"):
            assert next_problem(client, mode) == {"problem": None, "due_at": None}
        assert client.get("/api/training/days").json() == {"days": []}
        assert "<entry>" not in client.get("/day.xml").text


def test_faults_of_a_query_and_of_a_result(here: TestClient) -> None:
    for query, fault in {
        "": "mode is missing",
        "mode=free": "mode: 'free' is not one of",
        "mode=day&day=x": "day: not a date",
        "mode=day&day=2026-02-30": "day: not a date",
        "mode=training&not=a": "not: not a whole number",
        "mode=training&not=1,1": "not: a value is given twice",
        "mode=training&not=0": "not: 0 is not from 1",
        "mode=training&moves=0": "moves: 0 is not from 1",
        "mode=training&theme=x": "theme: 'x' is not one of",
        "mode=training&person=2": "'person' is not a field",
        "mode=training&mode=day": "a field is given twice",
    }.items():
        got = here.get(f"/api/training/next?{query}")
        assert got.status_code == 400, query
        assert got.json()["error"].startswith(fault)
    table: list[tuple[str, Any, str]] = [
        ("problem", 0, "problem: 0 is not from 1"), ("problem", "1", "problem: not a whole number"),
        ("mode", "x", "mode: 'x' is not one of"), ("solved", 1, "solved: neither true nor false"),
        ("mistakes", -1, "mistakes: -1 is not from 0"), ("seconds", 86401, "seconds: 86401 is not from 0"),
        ("seconds", 1.5, "seconds: not a whole number"), ("day", "20", "day: not a date"),
        ("person", 1, "'person' is not a field"), ("rated", True, "'rated' is not a field"),
    ]  # fmt: skip
    for name, value, fault in table:
        got = here.post("/api/results", json={"problem": 1, **GOOD, name: value})
        assert got.status_code == 400, name
        assert got.json()["error"].startswith(fault)
    got = here.post("/api/results", json={"problem": 99, **GOOD})
    assert (got.status_code, got.json()) == (404, {"error": "no such problem"})


# --- results and progress -----------------------------------------------------------------


def test_only_the_first_result_is_rated(here: TestClient) -> None:
    won = record(here, 1)
    assert won["rated"]
    assert won["before"] == 1500 < won["after"]
    assert won["deviation"] < 350
    again = record(here, 1, **FAILED)
    assert not again["rated"]
    assert again["before"] == again["after"] == won["after"]
    assert again["problem_rating"] == won["problem_rating"]
    lost = record(here, 2, hints=1)
    assert lost["after"] < lost["before"] == won["after"]
    assert not record(here, 3, mode="survival")["rated"]


def test_a_settled_attempt_is_completed_once(here: TestClient, store: Store) -> None:
    """What came of it afterwards is written to the same result; the rating stays, as does the mode."""
    settled = record(here, 1, mode="day", day="2026-01-31", solved=False, hints=1)
    assert settled["rated"]
    assert settled["after"] < settled["before"]
    done = record(here, 1, solved=True, hints=2, completes=settled["result"])
    assert (done["result"], done["rated"], done["after"]) == (settled["result"], False, settled["after"])
    (one,) = store.training.results.all()
    assert (one.solved, one.hints, one.mode, one.rated) == (True, 2, "day", True)
    later = datetime.fromisoformat(done["due"])
    due = [store.training.candidates.due(CandidateFilter(1), later, failed=failed) for failed in (True, False)]
    assert due == [1, None], "what was solved with a hint waits to be solved cleanly"
    for completes in (settled["result"], 99, record(here, 2, solved=False)["result"]):
        number = store.training.results.count(1)
        other = record(here, 2, completes=completes)  # solved already, unknown, given up without a mistake
        assert other["result"] != completes
        assert store.training.results.count(1) == number + 1


def test_progress_counts(here: TestClient) -> None:
    assert progress(here) == {
        "rating": 1500, "deviation": 350, "history": [], "results": 0, "streak": 0, "solved": 0, "due": 0,
        "next_due": None, "by_length": [], "by_theme": [], "days": [],
        "runs": {"timed": None, "ten_minutes": None, "survival": None}, "solved_ids": [], "tried": [],
    }  # fmt: skip
    record(here, 1)
    record(here, 2, mode="day", day="2026-01-31", hints=1)
    last = record(here, 3, mode="free", solved=False)
    found = progress(here)
    assert (found["results"], found["solved"], found["solved_ids"]) == (3, 2, [1, 2])
    assert found["days"] == [["2026-01-31", 2, True, False]]
    assert found["by_length"] == [{"length": 3, "tried": 3, "clean": 1, "solved": 2}]
    assert found["history"][-1][1] == found["rating"] == last["after"]
    assert found["next_due"] is not None
    assert [(one["problem"], one["solved"], one["failed"]) for one in found["tried"]] == [
        (3, False, True), (2, True, True), (1, True, False)
    ]  # fmt: skip
    assert found["tried"][0]["themes"] == []
    listed = here.get("/api/training/problems?ids=3,99,1")
    assert faults(answered("/api/training/problems", "get")["schema"], listed.json()) == []
    assert [one["id"] for one in listed.json()["problems"]] == [3, 1]
    for one in found["by_theme"]:
        assert one["name"].keys() == {"ja", "en"}
        assert 1 <= one["tried"] <= 2


def test_a_result_of_the_day_is_that_of_today_and_runs_have_their_best(here: TestClient) -> None:
    record(here, 1, mode="day")
    ((day, number, solved, clean),) = progress(here)["days"]
    assert abs((date.fromisoformat(day) - datetime.now().astimezone().date()).days) <= 1
    assert (number, solved, clean) == (1, True, True)

    def run(mode: str, solved: int) -> Any:
        got = here.post("/api/runs", json={"mode": mode, "solved": solved, "seconds": 180})
        assert faults(answered("/api/runs")["schema"], got.json()) == []
        return got.json()

    assert run("timed", 5) == {"best": 5, "is_best": True}
    assert run("timed", 4) == {"best": 5, "is_best": False}
    assert run("survival", 2) == {"best": 2, "is_best": True}
    assert progress(here)["runs"] == {"timed": 5, "ten_minutes": None, "survival": 2}
