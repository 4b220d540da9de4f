from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from tests.chromium import chromium
from tsume.cli import cli

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Run = Callable[..., Result]


def answer(tsume: Run, *arguments: Any, status: int = 0) -> dict[str, Any]:
    """The one JSON object that a command prints."""
    done = tsume(*arguments, "--jsonl")
    assert done.exit_code == status
    (line,) = done.stdout.splitlines()
    fields: dict[str, Any] = json.loads(line)
    return fields


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose in this process unless a test asks for more: processes take long to start."""
    monkeypatch.setattr("tsume.commands.options._processors", lambda: 1)


@pytest.fixture
def tsume() -> Run:
    """Run a command in this process; an exception fails the test."""

    def run(*arguments: Any, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, [str(a) for a in arguments], input=stdin, catch_exceptions=False)

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for the tests of pages."""
    with chromium() as browser:
        yield browser
