# SPDX-License-Identifier: GPL-3.0-or-later
"""The API: what it answers to requests that make sense."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from db.errors import StoreError
from db.notebook import NotebookEdit
from db.store import Store
from tests.tsume.conftest import Run, answer, present
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, NO_MATE
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.api.access import Permissions
from tsume.web.app import web_application
from tsume_rules.moves import parse_move, position_after
from tsume_rules.sfen import format_sfen, parse_sfen

if TYPE_CHECKING:
    from starlette.testclient import TestClient

LINE = " ".join(CORRECT_LINE)
NEW = "5+B1Sl/7k1/5RPp1/9/9/9/9/9/9 b rb4g3s4n3l16p 1"

ANOTHER = "9/9/8p/6+RSk/9/7s1/9/5b3/9 b Prb4g2s4n4l16p 1"


def events(api: TestClient, path: str, **fields: Any) -> list[dict[str, Any]]:
    got = api.post(path, json=fields)
    assert got.status_code == 200
    assert got.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in got.text.splitlines()]


@pytest.mark.parametrize("sfen", [CORRECT, CORRECT_WHITE, COOKED, NO_MATE])
def test_a_judgement_is_that_of_check(api: TestClient, tsume: Run, sfen: str) -> None:
    told = api.post("/api/judgement", json={"sfen": sfen}).json()
    checked = answer(tsume, "check", sfen, "--all-findings", status=0 if told["correct"] else 1)
    without_words = ("sfen", "error", "findings")
    assert {name: told[name] for name in checked if name not in without_words} == {
        name: value for name, value in checked.items() if name not in without_words
    }
    assert [one["line"].split() for one in told["findings"]] == [one["line"] for one in checked["findings"]]
    parsed = parse_sfen(sfen)
    for finding in told["findings"]:
        assert finding["text"].keys() == {"ja", "en"}
        position = parsed.position
        for usi in finding["line"].split():
            position = position_after(position, parsed.outward(parse_move(usi)))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_judgement_in_words_is_what_check_prints(api: TestClient, tsume: Run, language: str) -> None:
    told = api.post("/api/judgement", json={"sfen": COOKED}).json()
    printed = tsume("check", COOKED, "--all-findings", "--lang", language).stdout.splitlines()
    assert printed[-len(told["texts"][language]) :] == told["texts"][language]
    assert told["texts"][language][0] == told["headline"][language]


def test_the_line_and_the_length_that_are_given_count(api: TestClient) -> None:
    wrong = {"sfen": CORRECT, "line": "3d2c 1b2a 2c2b", "moves": 5}
    told = api.post("/api/judgement", json=wrong).json()
    assert told["grade"] == "unsound"
    assert told["given"]["line"] == ["3d2c", "1b2a", "2c2b"]
    given = api.post("/api/judgement", json={"sfen": CORRECT, "line": LINE}).json()["given"]
    assert given["reading"] == "narrow"


def test_mending(api: TestClient) -> None:
    first, *repairs, last = events(api, "/api/mending", sfen=COOKED, count=2, edits=1)
    assert (first["event"], first["grade"]) == ("judgement", "unsound")
    assert last == {"event": "end", "complete": True}
    assert [one["event"] for one in repairs] == ["repair", "repair"]
    for one in repairs:
        assert one["text"].keys() == {"ja", "en"}
        judged = api.post("/api/judgement", json={"sfen": one["sfen"]}).json()
        assert judged["grade"] == "perfect"
        assert (one["quality"], one["likeness"]) == (judged["quality"], judged["likeness"])
        assert one["material"] > 0
    squares = ["3b", "2d", "3e", "1a"]
    _, *repairs, _ = events(api, "/api/mending", sfen=COOKED, keep=squares, count=3, edits=1)
    assert repairs
    for one in repairs:
        assert not {change.get("square") for change in one["changes"]} & set(squares)
    first, last = events(api, "/api/mending", sfen=CORRECT)
    assert (first["grade"], last) == ("perfect", {"event": "end", "complete": True, "reason": "perfect"})


def test_enriching_and_generating(api: TestClient) -> None:
    first, *suggestions, last = events(api, "/api/enriching", sfen=CORRECT, count=1, edits=1)
    assert (first["event"], last["event"]) == ("judgement", "end")
    assert {one["event"] for one in suggestions} == {"suggestion"}
    assert all(one["text"]["ja"] and one["text"]["en"] for one in suggestions)
    first, last = events(api, "/api/enriching", sfen=COOKED)
    assert (first["grade"], last) == ("unsound", {"event": "end", "complete": True, "reason": "unsound"})
    wish = {"moves": 1, "count": 3, "natural": False, "seed": 1}
    found = events(api, "/api/generating", **wish)
    problems = [one for one in found if one["event"] == "problem"]
    assert len({one["sfen"] for one in problems}) == 3
    assert found[0] == {"event": "progress", "roots": 0, "found": 0, "seconds": 0.0}
    assert found[-1] == {"event": "end", "complete": True, "seed": 1, "network": False}
    again = events(api, "/api/generating", **wish)
    assert [one for one in again if one["event"] == "problem"] == problems
    for one in problems:
        assert api.post("/api/judgement", json={"sfen": one["sfen"]}).json()["length"] == 1
    got = api.post("/api/generating", json={"moves": 3, "count": 1, "pieces": 3, "themes": ["no-theme"]})
    assert (got.status_code, got.json()["error"][:6]) == (400, "themes")


# --- saving -------------------------------------------------------------------------------


def test_other_texts_of_a_known_problem_are_replaced_on_request(api: TestClient, written: Store) -> None:
    first = {"title": "one", "author": "A", "comment": "c"}
    number = present(written.id_of(parse_sfen(CORRECT).position))
    written.edit([number], NotebookEdit(title="one", author="A", notes="c"))
    same = api.post("/api/problems", json={"sfen": CORRECT, **first}).json()
    assert same == {"id": number, "known": True, "replaced": False, "differing": {}}
    other = {"sfen": CORRECT, "title": "two", "author": "A"}
    told = api.post("/api/problems", json=other).json()
    assert told == {"id": number, "known": True, "replaced": False, "differing": {"title": "one"}}
    assert notes_of(written, number) == ("one", "A", "c")
    replaced = api.post("/api/problems", json={**other, "replace": True})
    assert (replaced.status_code, replaced.json()["replaced"]) == (200, True)
    assert notes_of(written, number) == ("two", "A", "c")


def notes_of(store: Store, number: int) -> tuple[str, str, str]:
    stored = present(store.get(number))
    return stored.notebook.title, stored.notebook.author, stored.notebook.notes


def test_a_store_that_cannot_be_written_to(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: Any, **__: Any) -> None:
        raise StoreError("attempt to write a readonly database")

    for method, fields in (("edit", {"sfen": CORRECT, "title": "three", "replace": True}), ("add", {"sfen": ANOTHER})):
        monkeypatch.setattr(Store, method, locked)
        got = api.post("/api/problems", json=fields)
        assert got.status_code == 422
        assert got.json()["error"] == "the store is not writable: attempt to write a readonly database"


def test_saving_what_is_correct(api: TestClient, written: Store) -> None:
    got = api.post("/api/problems", json={"sfen": COOKED})
    assert got.status_code == 422
    assert got.json()["error"].startswith("not saved: unsound")
    assert got.json()["judgement"]["faults"] == ["COOK"]
    assert got.json()["judgement"]["findings"]
    assert written.id_of(parse_sfen(COOKED).position) is None
    notes = {"title": " 曙光 ", "author": "無名", "comment": "a\nb"}
    got = api.post("/api/problems", json={"sfen": NEW, **notes})
    assert (got.status_code, got.json()["known"]) == (201, False)
    stored = present(written.get(got.json()["id"]))
    assert stored.notebook.title == "曙光"
    assert (stored.notebook.author, stored.notebook.notes) == ("無名", "a\nb")
    assert stored.difficulty.score > 0
    again = api.post("/api/problems", json={"sfen": NEW, "title": "other"})
    assert (again.status_code, again.json()["id"], again.json()["known"]) == (200, stored.id, True)
    assert api.get(f"/api/problems/{stored.id}/tree").json()["result"] == "mate"


@pytest.mark.parametrize(
    ("permissions", "client", "judged", "saved"),
    [
        (Permissions(), "127.0.0.1", 200, 422),
        (Permissions(), "::1", 200, 422),
        (Permissions(), "192.168.1.9", 403, 403),
        (Permissions(), "nobody", 403, 403),
        (Permissions(remote=True), "192.168.1.9", 200, 422),
        (Permissions(saving=False), "127.0.0.1", 200, 403),
        (Permissions(remote=True, saving=False), "192.168.1.9", 200, 403),
    ],
)
def test_who_may_have_work_done_and_save(
    written: Store, builder: ReplyTreeBuilder, permissions: Permissions, client: str, judged: int, saved: int
) -> None:
    from starlette.testclient import TestClient

    app = web_application(written, builder, permissions=permissions)
    with TestClient(app, base_url="http://127.0.0.1", client=(client, 5)) as asking:
        if judged == 403:
            for path in ("judgement", "mending", "enriching", "generating"):
                assert asking.post(f"/api/{path}", json={"sfen": COOKED}).status_code == 403
        else:
            assert asking.post("/api/judgement", json={"sfen": COOKED}).status_code == judged
        assert asking.post("/api/problems", json={"sfen": COOKED}).status_code == saved
        assert asking.get("/problems/1").status_code == 200


# --- reading ------------------------------------------------------------------------------


def test_reading(api: TestClient) -> None:
    kif = api.get(
        "/api/record", params={"sfen": CORRECT_WHITE, "format": "kif", "line": " ".join(CORRECT_WHITE_LINE)}
    ).text
    text = "作品名：題名\n作者：無名\n*解説\n" + kif
    read = {
        "sfen": format_sfen(parse_sfen(CORRECT).position), "line": CORRECT_LINE, "title": "題名",
        "author": "無名", "comment": "解説", "format": "kif", "more": False,
    }  # fmt: skip
    assert api.post("/api/reading", json={"text": text}).json() == read
    data = b64encode(text.encode("cp932")).decode()
    assert api.post("/api/reading", json={"data": data}).json() == read


@pytest.mark.parametrize(
    ("fields", "status", "error", "code"),
    [
        ({}, 400, "give either text or data", None),
        ({"text": CORRECT, "data": ""}, 400, "give either text or data", None),
        ({"data": "*"}, 400, "data: ", None),
        ({"text": "x" * 60_001}, 400, "text: more than 60000 characters", None),
        ({"text": "zz"}, 422, "neither an SFEN nor a game record", "unknown_text"),
        ({"text": "https://lishogi.org/training/x"}, 422, "the address holds no position", "no_position"),
        ({"text": f"{CORRECT} moves zz"}, 422, "not a move in USI notation: 'zz'", None),
    ],
)
def test_what_cannot_be_read(
    api: TestClient, fields: dict[str, str], status: int, error: str, code: str | None
) -> None:
    got = api.post("/api/reading", json=fields)
    assert (got.status_code, got.json().get("code")) == (status, code)
    assert got.json()["error"].startswith(error)


# --- records and diagrams -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "name", "part"),
    [
        ("kif", "tsume.kifu", "1 ２三金(34)"),
        ("ki2", "tsume.ki2u", "▲２三金 △１一玉 ▲２二金"),
        ("csa", "tsume.csa", "+3423KI"),
        ("jkf", "tsume.jkf", '"piece": "KI"'),
        ("sfen", "tsume.sfen", f"{CORRECT} moves {LINE}\n"),
    ],
)
def test_records(api: TestClient, form: str, name: str, part: str) -> None:
    got = api.get("/api/record", params={"sfen": CORRECT, "line": LINE, "format": form})
    assert got.headers["content-type"] == "text/plain; charset=utf-8"
    assert got.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert part in got.text


def test_records_with_titles_and_diagrams(api: TestClient) -> None:
    texts = {"title": "題名", "author": "無名"}
    got = api.get("/api/record", params={"sfen": CORRECT, "line": LINE, "format": "kif", **texts})
    assert got.text.startswith("作品名：題名\n作者：無名\n")
    got = api.get("/api/diagram.svg", params={"sfen": "9/9/9/9/4G4/9/9/9/9 b - 1", "lang": "en"})
    assert "Defender: none. Attacker: gold 5e." in got.text

    def drawn(**query: Any) -> str:
        got = api.get("/api/diagram.svg", params={"sfen": CORRECT, "line": LINE, **query})
        assert got.headers["content-type"] == "image/svg+xml"
        return got.text

    assert drawn() == drawn(after=0) != drawn(after=1) != drawn(after=1, last="false")
    assert drawn(lang="en") != drawn()


@pytest.mark.parametrize(
    ("path", "query", "status", "fault"),
    [
        ("record", {"sfen": CORRECT}, 400, "format is missing"),
        ("record", {"sfen": CORRECT, "format": "pdf"}, 400, "format: 'pdf' is not one of"),
        ("record", {"format": "kif"}, 400, "sfen is missing"),
        ("record", {"sfen": CORRECT, "format": "kif", "line": "9i9h"}, 422, "line: move 1: "),
        ("diagram.svg", {"sfen": CORRECT, "after": "1"}, 422, "after: the line has 0 moves"),
        ("diagram.svg", {"sfen": CORRECT, "after": "x"}, 400, "after: not a whole number"),
        ("diagram.svg", {"sfen": CORRECT, "after": "1000"}, 400, "after: 1000 is not from 0 to 999"),
        ("diagram.svg", {"sfen": CORRECT, "lang": "fr"}, 400, "lang: 'fr' is not one of ja, en"),
        ("diagram.svg", {"sfen": CORRECT, "last": "1"}, 400, "last: neither true nor false"),
        ("diagram.svg", {"sfen": CORRECT, "size": "9"}, 400, "'size' is not a field"),
    ],
)
def test_faults_of_a_query(api: TestClient, path: str, query: dict[str, str], status: int, fault: str) -> None:
    got = api.get(f"/api/{path}", params=query)
    assert got.status_code == status
    assert got.json()["error"].startswith(fault)
