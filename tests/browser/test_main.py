# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m browser``, and the process that builds for a checkout."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

import browser.__main__ as command
from browser import files, kernels
from browser.files import WorkerParts, worker_parts
from browser.kernels import NoLinker
from tests.browser.program import fake_parts
from tsume.web import solver_scripts
from tsume.web.solver_scripts import API, WORKER


class Builds:
    """Counts builds; ``possible``: whether there is a linker."""

    number = 0
    possible = True

    def linker_command(self) -> list[str]:
        if not self.possible:
            raise NoLinker
        return []

    def parts(self) -> WorkerParts:
        self.number += 1
        return fake_parts()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    builds = Builds()
    monkeypatch.setattr(command, "worker_parts", builds.parts)
    monkeypatch.setattr(command, "linker_command", builds.linker_command)
    return builds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder in the cache."""
    return tmp_path / "cache" / "browser" / "some sources"


def test_built_once_with_a_line_on_stderr(builds: Builds, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.build_once(str(folder))
    names = {path.name for path in folder.iterdir()}
    assert {WORKER, API, "tsume.mjs", "tsume.d.ts", "example.html"} <= names
    assert capsys.readouterr().err.startswith("building the solver for browsers")
    command.build_once(str(folder))
    assert (builds.number, capsys.readouterr().err) == (1, "")


def test_some_folders_from_other_sources_stay(builds: Builds, folder: Path) -> None:
    for number in range(9):
        command.build_once(str(folder.with_name(f"changed {number}")))
    command.build_once(str(folder))
    assert builds.number == 10
    assert len(list(folder.parent.iterdir())) == 4  # two checkouts share the cache
    assert folder.exists()


def test_without_a_linker_there_are_none(builds: Builds, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builds.possible = False
    with pytest.raises(SystemExit):
        command.build_once(str(folder))
    assert builds.number == 0
    assert capsys.readouterr().err == (
        "the solver for browsers cannot be built: no linker for WebAssembly: "
        "install wasm-ld (Debian: apt install lld) or `pip install ziglang`\n"
    )


def test_a_cache_that_cannot_be_written(builds: Builds, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(SystemExit):
        command.build_once(str(tmp_path / "cache" / "browser" / "some sources"))
    assert capsys.readouterr().err.startswith("the solver for browsers cannot be built: ")
    assert builds.number == 0


def test_the_linker_is_looked_for_before_anything_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "Program", None)  # calling it would be an error
    monkeypatch.setattr(kernels, "find_spec", lambda _name: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(NoLinker, match=r"install wasm-ld \(Debian: apt install lld\) or .pip install"):
        worker_parts()
    monkeypatch.setattr("shutil.which", lambda name: f"/{name}" if name == "wasm-ld-19" else None)
    assert kernels.linker_command() == ["/wasm-ld-19"]


def test_processes_build_one_at_a_time(builds: Builds, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from pathlib import Path; from tsume.child_processes import exclusive\n"
    code += "with exclusive(Path(sys.argv[1]), lambda: None): print(flush=True); sys.stdin.read()"
    lock = folder.parent.with_suffix(".lock")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        threading.Timer(0.5, other.kill).start()  # the lock does not outlive it
        command.build_once(str(folder))
        assert other.wait() != 0
    assert builds.number == 1
    assert capsys.readouterr().err.startswith("another process builds the solver for browsers; waiting")


def test_files_of_the_wheel(builds: Builds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = tmp_path / "tsume" / "web" / "built"
    monkeypatch.setattr(command, "BUILT", built)
    monkeypatch.setattr(solver_scripts, "BUILT", built)
    assert CliRunner().invoke(command.main, ["--wheel"], catch_exceptions=False).exit_code == 0
    monkeypatch.setattr(solver_scripts, "BUILDER", tmp_path / "browser")  # which is not installed
    assert WORKER in solver_scripts.built_files()
    assert builds.number == 1


@pytest.mark.parametrize("arguments", [[], ["--npm"], ["--wheel", "folder"], ["--npm", "--wheel"]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert CliRunner().invoke(command.main, arguments).exit_code == 2
