# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker's streams give the events that Python gives."""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.javascript.node import run_node
from tests.places import DATA
from tests.tsume.problems import COOKED, MISSED
from tsume.web.work import in_browser, positions
from tsume_rules.sfen import format_sfen, parse_sfen

SCRIPT = Path(__file__).parent / "streams.mjs"
MEMORY = 64
"""Megabytes, as in a page by default."""
WHITE_MATES = format_sfen(parse_sfen("9/8k/6+S2/6G2/9/9/9/9/9 b - 1").position, rotated=True)
PERFECT, WITH_INTRODUCTION = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1", "8k/6S2/9/7L1/6B2/9/9/9/9 b - 1"
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("mend", {"sfen": PERFECT}),
    ("mend", {"sfen": COOKED, "edits": 1, "count": 3}),
    ("mend", {"sfen": "6r1k/6S2/9/7L1/6B2/9/9/9/9 b - 1", "edits": 1}),
    ("mend", {"sfen": "9/9/9/9/9/9/9/8+R/5Pk2 b B 1", "edits": 1, "count": 1}),
    ("mend", {"sfen": "9/8k/7P1/6B2/9/9/9/9/7R1 b - 1", "edits": 1, "keep": ["1b", "3d"], "count": 3}),
    ("mend", {"sfen": "8k/9/6+S1P/9/9/9/9/9/9 b G 1", "edits": 1, "moves": 3, "line": ["G*1b"]}),
    ("mend", {"sfen": "9/9/9/9/9/9/p1+s6/9/K8 w g 1", "edits": 1, "count": 2, "keep": ["9g"]}),
    ("mend", {"sfen": "6R2/8S/8k/9/7G1/9/9/9/9 b - 1", "edits": 1, "moves": 5}),
    ("enrich", {"sfen": PERFECT, "edits": 1}),
    ("enrich", {"sfen": PERFECT, "edits": 0, "plies": 4, "count": 2}),
    ("enrich", {"sfen": WITH_INTRODUCTION, "edits": 1, "keep": ["1a"]}),
    ("enrich", {"sfen": "9/9/9/9/9/9/9/8+R/5Pk2 b B 1", "edits": 1}),
    ("enrich", {"sfen": "8k/9/9/9/9/9/9/9/9 b G 1"}),
]
COMPOSING: list[dict[str, Any]] = [
    {"moves": 3, "count": 2, "seed": 7},
    {"moves": 5, "seed": 7},
    {"moves": 1, "count": 2, "seed": 3, "natural": False},
    {"moves": 3, "count": 2, "seed": 7, "natural": False, "sound": True},
    {"moves": 7, "seed": 2**32 - 1, "natural": False},
    {"moves": 5, "seed": 3, "sound": True, "pieces": 9},
    {"moves": 3, "seed": 1, "themes": ["sacrifice"], "natural": False},
    {"moves": 3, "seed": 1, "stars": 1},
    {"moves": 3, "seed": 1, "last": "G*", "mate_on": "corner", "natural": False},
    {"moves": 3, "seed": 1, "themes": ["symmetric"]},
    {"moves": 3, "count": 2, "seed": 7, "network": False},
    {"moves": 5, "seed": 3, "sound": True, "pieces": 9, "network": False},
]
SECONDS = 600
"""So many that the limit makes no difference."""
LONGEST = 5


def worker_events(folder: Path, requests: list[tuple[str, dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The events of each request in the worker."""
    text = "".join(json.dumps({"kind": kind, "fields": fields}) + "\n" for kind, fields in requests)
    done = run_node(str(SCRIPT), str(folder), text=text)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def python_events(kind: str, fields: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a request as JSON has them."""
    _start()
    found: list[dict[str, Any]] = json.loads(json.dumps(list(in_browser.query_events(kind, fields))))
    return found


@cache
def _start() -> None:
    in_browser.start(MEMORY)


def same_events(folder: Path, requests: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The events of all requests, which are the same in the worker and in Python."""
    found = worker_events(folder, requests)
    for (kind, fields), events in zip(requests, found, strict=True):
        assert _lasting(events) == _lasting(python_events(kind, fields)), f"{kind} {fields}"
    return [event for events in found for event in events]


def _lasting(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that do not depend on how long the work took."""
    return [event for event in events if event["event"] != "progress"]


def test_progress_is_reported_during_a_root(solver_folder: Path) -> None:
    fields = {"moves": 3, "pieces": 3, "seed": 1, "network": False, "seconds": 4}
    (found,) = worker_events(solver_folder, [("generate", fields)])
    assert _reports_within_a_root(found)


def test_python_reports_during_a_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "_REPORT_SECONDS", 0)
    _start()
    reported: list[dict[str, Any]] = []
    list(in_browser.query_events("generate", {"moves": 1, "seed": 3, "natural": False}, reported.append))
    assert _reports_within_a_root(reported)


def _reports_within_a_root(events: list[dict[str, Any]]) -> bool:
    reports = [event for event in events if event["event"] == "progress"]
    return any(one["roots"] == other["roots"] for one, other in pairwise(reports[:-1]))


def test_the_worker_gives_the_events_of_python(solver_folder: Path) -> None:
    events = same_events(solver_folder, [(kind, {**fields, "seconds": SECONDS}) for kind, fields in REQUESTS])
    named = [event["event"] for event in events]
    assert named.count("judgement") == named.count("end") == len(REQUESTS)
    assert sum(1 + len(event["alternatives"]) for event in events if event["event"] == "repair") > 10
    assert any(event.get("text") for event in events if event["event"] == "end")  # the nearest position
    assert named.count("suggestion") > 5


def test_the_worker_composes_what_python_composes(solver_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.uses.composing.collection_keys", frozenset)  # a page knows no collection
    same_events(solver_folder, [("generate", {**fields, "seconds": SECONDS}) for fields in COMPOSING])


def test_the_worker_finds_the_mates_of_games(solver_folder: Path) -> None:
    lines = [MISSED, "startpos moves 7g7f 3c3d 8h1a+", f"position sfen {WHITE_MATES}"]
    kif = "先手：甲\n棋戦：練習\n手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(77)\n"
    requests = [("games", {"text": text}) for text in ("\n".join(lines), kif, "startpos moves 1a1a")]
    games = [event for event in same_events(solver_folder, requests) if event["event"] == "game"]
    assert [len(game["mates"]) for game in games] == [2, 0, 1, 0, 0]
    assert games[3]["headers"] == {"black": "甲", "event": "練習"}
    assert [game["error"] is None for game in games] == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "moves is missing"),
        ({"moves": 4}, "moves: 4 is not from 1 to 15, 2 apart"),
        ({"moves": 3, "count": 51}, "count: 51 is not from 1 to 50"),
        ({"moves": 3, "themes": ["beauty"]}, "themes: 'beauty' is not one of "),
    ],
)
def test_what_cannot_be_composed(fields: dict[str, Any], message: str) -> None:
    _start()
    with pytest.raises(ValueError, match=message):
        in_browser.query_events("generate", fields)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["published_daily.tsv", "generated_peer_mate5.txt"])
def test_published_and_composed_problems(solver_folder: Path, file: str) -> None:
    path = DATA / file
    if not path.exists():
        pytest.skip(f"{path} is absent")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    sfens = [sfen for sfen, *more in rows if not more or int(more[-1]) <= LONGEST][:6]
    requests = [("enrich", {"sfen": sfen, "edits": 1, "seconds": SECONDS}) for sfen in sfens]
    same_events(solver_folder, requests)


def test_no_query_is_both_an_answer_and_a_stream() -> None:
    _start()
    with pytest.raises(ValueError, match="mend: unknown query; known are check, "):
        in_browser.answer_query("mend", {"sfen": PERFECT})
    with pytest.raises(ValueError, match="solve: unknown query; known are enrich, "):
        in_browser.query_events("solve", {"sfen": PERFECT})
