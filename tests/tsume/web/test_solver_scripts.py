# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in a browser are found in an installation and built in a checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tsume.web import solver_scripts
from tsume.web.solver_scripts import API, build_command, built_files, found_files

BUILD = """
import sys
from pathlib import Path
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "tsume.js").write_bytes(b"built")
with (folder.parent / "builds").open("a") as builds: builds.write("x")
"""
"""A process in place of the one that builds."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for a checkout, of which another process builds."""

    def child_command(_module: str, _function: str, folder: str) -> list[str]:
        return [sys.executable, "-c", BUILD, folder]

    monkeypatch.setattr(solver_scripts, "child_command", child_command)
    monkeypatch.setattr(solver_scripts, "BUILT", tmp_path / "built")
    monkeypatch.setattr("tsume_rules.kernel.cache.use_kernel_cache", lambda: tmp_path)
    return tmp_path / "browser"


@pytest.fixture
def installed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_scripts, "BUILDER", cache / "nothing")


def test_a_checkout_builds_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_files() is None
    assert built_files() == built_files() == found_files() == {API: b"built"}
    assert (cache / "builds").read_text() == "x"
    monkeypatch.setattr(solver_scripts, "sources_hash", lambda: "changed")
    assert found_files() is None
    assert built_files() == {API: b"built"}
    assert (cache / "builds").read_text() == "xx"


def test_a_checkout_does_not_use_files_for_a_wheel(cache: Path) -> None:
    (cache.parent / "built").mkdir()
    (cache.parent / "built" / API).write_bytes(b"of the wheel")
    assert found_files() is None


@pytest.mark.usefixtures("installed")
def test_an_installation_has_the_files(tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / API).write_bytes(b"of the wheel")
    assert built_files() == found_files() == {API: b"of the wheel"}


@pytest.mark.usefixtures("installed")
def test_an_installation_without_them_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert found_files() is None
    assert built_files() == {}
    assert build_command() is None
    line = "the solver for browsers cannot be built: this installation has neither its files nor their sources\n"
    assert capsys.readouterr().err == 2 * line


@pytest.mark.usefixtures("cache")
def test_without_a_cache_they_are_built_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume_rules.kernel.cache.use_kernel_cache", lambda: None)
    assert found_files() is None
    assert built_files() == {API: b"built"}
    assert build_command() is None


@pytest.mark.usefixtures("cache")
def test_a_build_that_fails_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_scripts, "child_command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    assert built_files() == {}


def test_the_hash_is_that_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_scripts, "ROOT", tmp_path)
    monkeypatch.setattr(solver_scripts, "BUILDER", tmp_path / "browser")
    found = {solver_scripts.sources_hash.__wrapped__()}
    for name in ("tsume/web/work.py", "browser/api/tsume.js", "browser/files.py", "generator/network.npz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("more")
        found.add(solver_scripts.sources_hash.__wrapped__())
    assert len(found) == 5
    (tmp_path / "tsume/web/page.js").write_text("not a part")
    assert solver_scripts.sources_hash.__wrapped__() in found
