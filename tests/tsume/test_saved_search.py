# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume solve --state``: a long search can be stopped and gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from solver.engines.dfpn import team
from solver.engines.dfpn.engine import DfPnEngine
from solver.solving import deepening
from tests.tsume.conftest import Run, answer
from tsume.uses import saved_search

LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11."""
OTHER = "4k4/9/9/9/9/9/9/9/9 b P 1"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a search is kept; every search counts as long."""
    monkeypatch.setattr(deepening, "QUICKLY", 1)
    monkeypatch.setattr(deepening, "LAST_RAISED", 1)
    return tmp_path / "search.state"


def test_it_goes_on_until_there_is_an_answer(tsume: Run, state: Path) -> None:
    nodes: list[int] = []
    while True:
        done = tsume("solve", LONG, "--state", state, "--nodes=200", "--jsonl")
        found = json.loads(done.stdout)
        nodes.append(found["nodes"])
        if found["result"] != "unresolved":
            break
        assert done.exit_code == 1
        assert f"saved to {state} (" in done.stderr
        assert "run the same command to continue" in done.stderr
    assert (found["result"], found["length"], len(found["line"])) == ("mate", 11, 11)
    assert len(nodes) > 1
    assert nodes == sorted(nodes)  # those of all starts together
    assert not state.exists()
    assert not list(state.parent.iterdir())


def test_an_interruption_keeps_it(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DfPnEngine, "mates_ever", interrupted)
        done = tsume("solve", LONG, "--state", state)
    assert done.exit_code == 130
    assert f"saved to {state} (" in done.stderr
    assert answer(tsume, "solve", LONG, "--state", state)["length"] == 11


def test_it_is_written_while_the_search_goes_on(
    tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a search that is killed loses little."""
    monkeypatch.setattr(saved_search, "_SECONDS", 0.0)
    monkeypatch.setattr(saved_search.SavedSearch, "_save", lambda _: None)
    tsume("solve", LONG, "--state", state, "--nodes=600")
    with ZipFile(state) as archive:
        assert archive.testzip() is None
    assert answer(tsume, "solve", LONG, "--state", state)["length"] == 11


def test_nothing_is_kept_of_a_short_search(tsume: Run, tmp_path: Path) -> None:
    state = tmp_path / "search.state"
    done = tsume("solve", LONG, "--state", state, "--nodes=100")
    assert done.exit_code == 1
    assert "nothing to save yet: only mates of at most 11 moves were searched for" in done.stderr
    assert not state.exists()


def test_what_several_threads_learn_is_kept(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written while they search, too: then they stop, and start again."""
    defaults = DfPnEngine.__init__.__kwdefaults__ or {}
    monkeypatch.setattr(DfPnEngine.__init__, "__kwdefaults__", {**defaults, "alone": 0})
    monkeypatch.setattr("solver.engines.dfpn.engine.SLICE", 150)
    monkeypatch.setattr(team, "SLICE", 150)
    monkeypatch.setattr(saved_search, "_SECONDS", 0.0)
    started: list[object] = []
    start = team.HelperThreads.start

    def noted(*arguments: Any) -> None:
        started.append(state.exists())
        start(*arguments)

    monkeypatch.setattr(team.HelperThreads, "start", noted)
    assert answer(tsume, "solve", LONG, "--state", state, "--jobs=2")["length"] == 11
    assert True in started
    assert not state.exists()


def test_a_larger_bound_goes_on(tsume: Run, state: Path) -> None:
    done = tsume("solve", LONG, "--state", state, "--max-moves=7", "--jsonl")
    assert json.loads(done.stdout)["error"] == "length limit reached; no mate within 7 moves"
    assert answer(tsume, "solve", LONG, "--state", state, "--max-moves=13")["length"] == 11


def test_a_file_of_another_search_is_left_as_it_is(tsume: Run, state: Path) -> None:
    tsume("solve", LONG, "--state", state, "--nodes=400")
    kept = state.read_bytes()
    for arguments, fault in (
        ((OTHER,), f"the search state is of another position, {LONG}"),
        ((LONG, "--memory=200"), "the search state was written with another --memory: a table of "),
        ((LONG, "--count-futile"), "the search state was made with other rules for futile interpositions"),
    ):
        done = tsume("solve", *arguments, "--state", state)
        assert done.exit_code == 1
        assert done.stdout == ""
        assert done.stderr.startswith(f"Error: {state}: {fault}")
        assert done.stderr.endswith("; the file is unchanged\n")
        assert done.stderr.count("\n") == 1
        assert state.read_bytes() == kept


@pytest.mark.parametrize("cut", [0, 10, 3000, -30])
def test_a_damaged_file_is_left_as_it_is(tsume: Run, state: Path, cut: int) -> None:
    tsume("solve", LONG, "--state", state, "--nodes=400")
    damaged = state.read_bytes()[:cut]
    state.write_bytes(damaged)
    done = tsume("solve", LONG, "--state", state)
    assert done.exit_code == 1
    assert done.stderr == f"Error: {state}: not a search state, or damaged; the file is unchanged\n"
    assert state.read_bytes() == damaged


def test_a_state_of_another_version_is_not_used(
    tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tsume("solve", LONG, "--state", state, "--nodes=400")
    monkeypatch.setattr("tsume_rules.kernel.cache.kernel_sources_hash", lambda: "another")
    done = tsume("solve", LONG, "--state", state)
    assert done.exit_code == 1
    assert "by another version of tsume" in done.stderr


def test_where_it_cannot_be_written_is_said_first(tsume: Run, state: Path) -> None:
    for place in (state.parent, state.parent / "no folder" / "search.state"):
        done = tsume("solve", LONG, "--state", place)
        assert done.exit_code != 0
        assert done.stdout == ""


def test_it_is_for_one_position_and_the_first_engine(tsume: Run, state: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.txt"
    two.write_text(f"{LONG}\n{OTHER}\n")
    for arguments in ((LONG, OTHER), ("-f", two), (LONG, "--engine=rsearch")):
        done = tsume("solve", *arguments, "--state", state)
        assert done.exit_code == 2
        assert "--state" in done.stderr
        assert not state.exists()
