# SPDX-License-Identifier: GPL-3.0-or-later
"""The files are built once, and again when a source has changed."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tsume.browser.program import fake_parts
from tsume.browser import built
from tsume.browser.build import API, WORKER, CannotBuild, WorkerParts
from tsume.browser.parts import worker_parts
from tsume.browser.wasm.build import linker_command
from tsume.child_processes import exclusive


class Builds:
    """Counts builds; ``possible``: whether there is a linker."""

    number = 0
    possible = True

    def require_linker(self) -> None:
        if not self.possible:
            raise CannotBuild("no linker")

    def parts(self) -> WorkerParts:
        self.number += 1
        return fake_parts()


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builds:
    """Builds with an empty cache, and without files in the package."""
    builds = Builds()
    monkeypatch.setattr(built, "worker_parts", builds.parts)
    monkeypatch.setattr(built, "require_linker", builds.require_linker)
    monkeypatch.setattr(built, "WHEEL_FOLDER", tmp_path / "package" / "built")
    monkeypatch.setattr("tsume_rules.kernel.cache.use_kernel_cache", lambda: tmp_path / "cache")
    return builds


def change_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "sources_hash", lambda: "changed")


def test_built_once_with_a_line_on_stderr(builds: Builds, capsys: pytest.CaptureFixture[str]) -> None:
    files = built.built_files()
    assert {WORKER, API, "tsume.mjs", "tsume.d.ts", "example.html"} <= set(files)
    assert capsys.readouterr().err.startswith("building the solver for browsers")
    assert built.built_files() == files
    assert (builds.number, capsys.readouterr().err) == (1, "")


def test_built_again_after_a_change(builds: Builds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = built.sources_hash()
    built.built_files()
    change_sources(monkeypatch)
    built.built_files()
    assert builds.number == 2
    monkeypatch.setattr(built, "sources_hash", lambda: first)
    built.built_files()
    assert builds.number == 2  # two checkouts share the cache
    for number in range(9):
        monkeypatch.setattr(built, "sources_hash", lambda number=number: f"changed {number}")
        built.built_files()
    assert len(list((tmp_path / "cache" / "browser").iterdir())) == 4


def test_the_files_of_a_wheel_come_first(builds: Builds) -> None:
    files = {API: b"of the wheel"}
    built.write_wheel_files(files)
    assert built.built_files() == files
    assert builds.number == 0


def test_files_of_a_wheel_from_other_sources_are_not_used(
    builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    built.write_wheel_files({API: b"of the wheel"})
    change_sources(monkeypatch)
    assert built.built_files()[API] != b"of the wheel"
    assert builds.number == 1


def test_without_a_linker_there_are_none(builds: Builds, capsys: pytest.CaptureFixture[str]) -> None:
    builds.possible = False
    with pytest.raises(CannotBuild, match="no linker"):
        built.built_files()
    assert (builds.number, capsys.readouterr().err) == (0, "")


def test_the_linker_is_looked_for_before_anything_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.browser.parts.worker_program", None)  # calling it would be an error
    monkeypatch.setattr("tsume.browser.wasm.build.find_spec", lambda _name: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(CannotBuild, match=r"install wasm-ld \(Debian: apt install lld\) or .pip install"):
        worker_parts()
    monkeypatch.setattr("shutil.which", lambda name: f"/{name}" if name == "wasm-ld-19" else None)
    assert linker_command() == ["/wasm-ld-19"]


def test_without_a_cache_they_are_built_each_time(builds: Builds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume_rules.kernel.cache.use_kernel_cache", lambda: None)
    assert built.built_files() == built.built_files()
    assert builds.number == 2


def test_a_cache_that_cannot_be_written_is_no_error(builds: Builds, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert WORKER in built.built_files()
    assert builds.number == 1


def test_a_change_of_a_script_changes_the_hash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = built.sources_hash.__wrapped__()
    script = tmp_path / "more.js"
    script.write_text("more")
    sources = list(built._sources())
    monkeypatch.setattr(built, "_sources", lambda: [*sources, script])
    monkeypatch.setattr(built, "_ROOT", Path("/"))
    assert built.sources_hash.__wrapped__() != before
    assert built.sources_hash() == before


def test_threads_and_processes_build_one_at_a_time(
    builds: Builds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = builds.parts

    def slow() -> WorkerParts:
        time.sleep(0.2)
        return quick()

    monkeypatch.setattr(built, "worker_parts", slow)
    with ThreadPoolExecutor(4) as threads:
        files = [one.result() for one in [threads.submit(built.built_files) for _ in range(4)]]
    assert files == files[:1] * 4
    assert builds.number == 1
    waits: list[bool] = []
    lock = tmp_path / "lock"
    code = "import sys, time; from pathlib import Path; from tsume.child_processes import exclusive\n"
    code += "with exclusive(Path(sys.argv[1]), lambda: None): print(flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        other.stdout.readline()

        def on_wait() -> None:
            waits.append(True)
            other.kill()  # the lock does not outlive it

        with exclusive(lock, on_wait):
            assert waits == [True]
