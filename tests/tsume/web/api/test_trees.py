# SPDX-License-Identifier: GPL-3.0-or-later
"""The trees of problems: what is played first, the rest on demand, everything; kept in the store."""

from __future__ import annotations

from pathlib import Path
from shutil import copy
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from db.store import Store, StoredTree, StoredTrees
from tests.tsume.conftest import present
from tests.tsume.problems import CORRECT, CORRECT_LINE, DROPS
from tests.tsume.web.api.conftest import HERE
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume.web.api import problems as trees
from tsume.web.api.access import Permissions
from tsume.web.api.problems import TreeEndpoint
from tsume.web.app import web_application
from tsume.web.work.results import RefusedResult, RenderedResult
from tsume.web.work.trees import MAX_SHORT, TreeJob, WholeTreeJob, compressed_json
from tsume_rules.moves import parse_move

if TYPE_CHECKING:
    from starlette.testclient import TestClient

TREE = "/api/problems/1/tree"


@pytest.fixture
def place(served: Path, tmp_path: Path) -> Path:
    """A store that may be written to."""
    return Path(copy(served, tmp_path / "own.db"))


def asked(place: str, builder: ReplyTreeBuilder, permissions: Permissions | None = None) -> dict[str, Any]:
    """The first tree, as a server on a store of its own gives it."""
    from starlette.testclient import TestClient

    with (
        Store.open(place, create=False) as store,
        TestClient(web_application(store, builder, permissions=permissions), base_url=HERE) as client,
    ):
        return dict(client.get(TREE).json())


def test_first_trees_whole_trees_and_trees_after_some_moves(api: TestClient) -> None:
    tree = api.get(TREE).json()
    assert (tree["sfen"], tree["result"], tree["length"]) == (CORRECT, "mate", 3)
    first = tree["turns"][0]
    assert {check["move"] for check in first["checks"]} == {"3d2c", "3c2b", "3c2c"}
    key = first["checks"][0]
    assert [answer["move"] for answer in key["answers"]] == ["1b1a"]
    for check in first["checks"][1:]:
        assert check["result"] == "fails"
        assert check["proof"] in ("no_check", "any_length", "bounded")
    whole = api.get(f"{TREE}?whole=true").json()
    assert whole["line"] == " ".join(CORRECT_LINE)
    assert [answer["length"] for answer in whole["turns"][0]["checks"][0]["answers"]] == [1, 1]
    assert whole["complete"]
    tree = api.get(f"{TREE}?moves=3d2c,1b2a").json()
    assert (tree["result"], tree["length"]) == ("mate", 1)
    assert tree["turns"][0]["key"] == "2c2b"
    mate = api.get(f"{TREE}?moves=3d2c,1b2a,2c2b").json()
    assert mate["turns"][0]["checks"][0]["answers"] == []
    tree = api.get("/api/problems/2/tree").json()
    promoting = next(one["move"] for one in tree["turns"][0]["checks"] if one["move"].endswith("+"))
    for text in (promoting, promoting.replace("+", "%2B")):
        got = api.get(f"/api/problems/2/tree?moves={text}").json()
        assert got["turns"][0]["checks"][0]["move"] == promoting


def test_a_check_alone(api: TestClient) -> None:
    for check in ("3d2c", "3c2b", "3c2c"):
        first, alone = (api.get(f"{TREE}{query}").json() for query in ("", f"?moves={check}"))
        (found,) = alone["turns"][0]["checks"]
        (expected,) = [one for one in first["turns"][0]["checks"] if one["move"] == check]
        assert (found["move"], found["result"], found["text"]) == (check, expected["result"], expected["text"])
        for answer in found.get("answers", ()):
            assert alone["turns"][answer["turn"]]["key"] == CORRECT_LINE[2]


def test_moves_that_cannot_be_played_are_refused(api: TestClient) -> None:
    bad = [
        "moves=x", "moves=3d2c,", "moves=,", "moves=3d2c;1b1a", "moves=" + ",".join(["3d2c"] * 390),
        "moves=3d2c&moves=3d2c", "whole=1", "whole=true&moves=3d2c", "path=3d2c", "moves=%00", "moves=٣d2c",
    ]  # fmt: skip
    impossible = ["3d3c", "9a9b", "P*5e", "3d2c,9i9h", "3d2c,1b1c", "3d2c,1b1a,2c2b,1a1b", "1b1a"]
    for query, status in [(one, 400) for one in bad] + [(f"moves={one}", 422) for one in impossible]:
        got = api.get(f"{TREE}?{query}")
        assert got.status_code == status, got.text
        assert got.json()["error"].startswith(("moves", "whole", "'path'", "a field"))
        assert got.json()["error"].isprintable()
    assert api.get(TREE).status_code == 200
    assert api.get(f"{TREE}?moves={'3d2c,' * 500}").status_code == 414


# --- kept in the store ------------------------------------------------------------------------------


def kept_tree(place: Path, builder: ReplyTreeBuilder) -> dict[str, Any]:
    """The first tree; another one is then kept under its key."""
    first = asked(str(place), builder)
    with Store.open(place, create=False) as store:
        found = present(_tree_in(store))
        StoredTrees(store).save([StoredTree(1, found.key, compressed_json({"kept": True}))])
    return first


def test_a_tree_is_kept_and_used_again(place: Path, builder: ReplyTreeBuilder) -> None:
    assert kept_tree(place, builder)["turns"]
    assert asked(str(place), builder) == {"kept": True}


@pytest.mark.parametrize("what", ["format", "version", "builder"])
def test_a_tree_of_another_program_is_not_used(
    place: Path, builder: ReplyTreeBuilder, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    first = kept_tree(place, builder)
    if what == "builder":
        builder = ReplyTreeBuilder(TreeOptions(60.0, 72, most_turns=200, proof_nodes=60_000))
    else:
        monkeypatch.setattr(trees, {"format": "FORMAT", "version": "__version__"}[what], "another")
    assert asked(str(place), builder) == first


def test_a_server_that_saves_nothing_keeps_no_tree(place: Path, builder: ReplyTreeBuilder) -> None:
    assert asked(str(place), builder, Permissions(saving=False))["turns"]
    assert asked(f"file:{place}?mode=ro", builder)["turns"]
    with Store.open(place, create=False) as store:
        assert _tree_in(store) is None


def _tree_in(store: Store) -> StoredTree | None:
    from sqlalchemy import text

    with store._sessions.reading() as session:
        row = session.execute(text("SELECT problem_id, key, content FROM problem_trees")).one_or_none()
    return None if row is None else StoredTree(*row)


# --- the jobs ---------------------------------------------------------------------------------------


def run(job: TreeJob | WholeTreeJob, builder: ReplyTreeBuilder) -> RenderedResult | RefusedResult:
    (result,) = job.run(SimpleNamespace(builder=builder))  # type: ignore[arg-type]
    return result


def test_what_was_cut_by_time_is_not_kept(builder: ReplyTreeBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    job = TreeJob(DROPS, 3)
    result = run(job, builder)
    assert isinstance(result, RenderedResult)
    assert result.settled
    seconds = iter([0.0, job.limit + 1])
    monkeypatch.setattr("tsume.web.work.trees.time.monotonic", lambda: next(seconds, 1e9))
    late = run(job, builder)
    assert isinstance(late, RenderedResult)
    assert not late.settled


def test_an_illegal_move_is_no_bug_and_the_same_job_gives_the_same_bytes(builder: ReplyTreeBuilder) -> None:
    result = run(TreeJob(CORRECT, 3, (parse_move("5e5d"),)), builder)
    assert result == RefusedResult("moves: move 1, 5e5d, is not a legal check")
    assert run(TreeJob(DROPS, 3), builder) == run(TreeJob(DROPS, 3), builder)


def test_keys_and_slots_of_trees(opened: Store, builder: ReplyTreeBuilder) -> None:
    endpoint = TreeEndpoint(opened, None, None, builder.name, 20.0, saves=False)  # type: ignore[arg-type]
    jobs = [TreeJob(CORRECT, 3), TreeJob(DROPS, 3), TreeJob(CORRECT, 5)]
    keys = {endpoint._key(job) for job in jobs}
    assert len(keys) == len(jobs)
    assert endpoint._key(TreeJob(CORRECT, 3, limit=1.0)) == endpoint._key(jobs[0])
    slots = {TreeJob(CORRECT, length).slot for length in range(1, MAX_SHORT + 1, 2)}
    assert len(slots) == 1
    assert {TreeJob(CORRECT, MAX_SHORT + 2).slot, WholeTreeJob(CORRECT).slot}.isdisjoint(slots)
