# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any, TypeVar

import pytest
import shogi
from click.testing import CliRunner, Result

from db.store import Store
from db.stored_problem import StoredProblem
from tsume.cli import cli
from tsume_rules.sfen import format_sfen, parse_sfen

Run = Callable[..., Result]
T = TypeVar("T")


def present(found: T | None) -> T:
    """What was found, which is not None."""
    assert found is not None
    return found


def rotated(sfen: str) -> str:
    """A position as its other player sees it."""
    return format_sfen(parse_sfen(sfen).position, rotated=True)


def replay(sfen: str, *lines: str) -> shogi.Board:
    """The position after moves in USI, each legal for python-shogi."""
    board = shogi.Board(sfen)
    for usi in " ".join(lines).split():
        move = shogi.Move.from_usi(usi)
        assert move in board.legal_moves, (sfen, lines, usi)
        board.push(move)
    return board


def answer(tsume: Run, *arguments: Any, status: int = 0) -> dict[str, Any]:
    """The one JSON object that a command prints."""
    (fields,) = json_lines(tsume(*arguments, "--jsonl", status=status))
    return fields


def json_lines(done: Result) -> list[dict[str, Any]]:
    """The objects that a command has printed."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def refused(tsume: Run, *arguments: Any, status: int = 1, stdin: str | bytes | None = None) -> str:
    """The one line in which a command says why it does nothing."""
    done = tsume(*arguments, status=status, stdin=stdin)
    (line,) = done.stderr.splitlines()
    return str(line)


def problems_of(place: Path | str) -> list[StoredProblem]:
    """The problems of a store that is there."""
    with Store.open(place, create=False) as store:
        return list(store.find())


def until(holds: Callable[[], bool], seconds: float = 300.0) -> bool:
    """Wait until something holds, at most so long; whether it does in the end."""
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run each test of a page in Chromium and in one of Firefox and WebKit, by turns; in both with the slow tests.

    What fails in a browser is run once more: drivers lose an event now and then.
    """
    others: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))
            engine = item.callspec.params["browser"]  # type: ignore[attr-defined]
            if engine != "chromium" and item.get_closest_marker("slow") is None:
                others[item.nodeid.replace(engine, "")].append(item)
    for number, both in enumerate(others.values()):
        if len(both) == 2:
            both[number % 2].add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose in this process unless a test asks for more: processes take long to start."""
    monkeypatch.setattr("tsume.commands.options._processors", lambda: 1)


@pytest.fixture(autouse=True)
def _quick_solver_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites have empty scripts in place of the solver unless a test brings others: it takes long to build."""
    scripts = dict.fromkeys(("tsume.js", "tsume-worker.js"), "")
    monkeypatch.setattr("tsume.commands.web.solver_scripts", lambda: scripts)


@pytest.fixture
def tsume() -> Run:
    """Run a command in this process; an exception fails the test, and another status than one that is given."""

    def run(*arguments: Any, stdin: str | bytes | None = None, status: int | None = None) -> Result:
        done = CliRunner().invoke(cli, [str(a) for a in arguments], input=stdin, catch_exceptions=False)
        assert status in (None, done.exit_code), (arguments, done.exit_code, done.output)
        return done

    return run


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with six composed problems; do not write to it."""
    path = tmp_path_factory.mktemp("made") / "made.db"
    for moves in (1, 3):
        arguments = ["generate", "-m", str(moves), "-n", "3", "--seed", "1", "-j1", "--db", str(path)]
        assert CliRunner().invoke(cli, arguments).exit_code == 0
    return path


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of ``made`` that may be written to."""
    return Path(copy(made, tmp_path / "store.db"))
