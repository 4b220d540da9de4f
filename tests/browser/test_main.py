# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m browser``, and the process that builds for a checkout."""

import base64
import gzip
import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from pkgutil import resolve_name

import pytest
from click.testing import CliRunner

import browser.__main__ as command
from browser import files, npm_readme, npm_version
from browser.files import WorkerParts, browser_files, worker_parts, worker_script
from compiler import build
from compiler.build import NoLinker
from tests.browser.program import MODULE, fake_parts
from tests.javascript.node import run_node
from tests.places import ROOT
from tsume import __version__
from tsume.web import solver_scripts
from tsume.web.solver_scripts import API, WORKER


class Builds:
    """Counts builds; ``possible``: whether there is a linker."""

    number = 0
    possible = True

    def linker_of(self, _target: object) -> list[str]:
        if not self.possible:
            raise NoLinker("wasm-ld")
        return []

    def parts(self) -> WorkerParts:
        self.number += 1
        return fake_parts()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    builds = Builds()
    monkeypatch.setattr(command, "worker_parts", builds.parts)
    monkeypatch.setattr(command, "linker_of", builds.linker_of)
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
        "the solver for browsers cannot be built: no linker: install wasm-ld (Debian: apt install lld) or "
        "`pip install ziglang`\n"
    )


def test_a_cache_that_cannot_be_written(builds: Builds, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(SystemExit):
        command.build_once(str(tmp_path / "cache" / "browser" / "some sources"))
    assert capsys.readouterr().err.startswith("the solver for browsers cannot be built: ")
    assert builds.number == 0


def test_the_linker_is_looked_for_before_anything_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "Program", None)  # calling it would be an error
    monkeypatch.setattr(build, "find_spec", lambda _name: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(NoLinker, match=r"install wasm-ld \(Debian: apt install lld\) or .pip install"):
        worker_parts()
    monkeypatch.setattr("shutil.which", lambda name: f"/{name}" if name == "wasm-ld-19" else None)
    assert build.linker_command("wasm-ld") == ["/wasm-ld-19"]


def test_processes_build_one_at_a_time(builds: Builds, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from pathlib import Path; from tsume.child_processes import exclusive_file_lock\n"
    code += "with exclusive_file_lock(Path(sys.argv[1]), lambda: None): print(flush=True); sys.stdin.read()"
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
    assert WORKER in solver_scripts.build_files()
    assert builds.number == 1


@pytest.mark.parametrize("arguments", [[], ["--npm"], ["--wheel", "folder"], ["--npm", "--wheel"]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert CliRunner().invoke(command.main, arguments).exit_code == 2


# --- The files as texts -------------------------------------------------------------------------


def worker_fields(script: str) -> dict[str, str]:
    """The fields of ``TsumeWorker``."""
    found = re.search(r"const program = \{ version: (.*), source: (.*), module: (.*) \};\n", script)
    assert found
    names = ("version", "source", "module")
    return {name: json.loads(text) for name, text in zip(names, found.groups(), strict=True)}


@pytest.mark.parametrize("name", [*files.ABSENT, *files.REPLACED, *files.COMPUTED])
def test_what_is_left_out_or_replaced_exists(name: str) -> None:
    assert resolve_name(name)


def test_the_worker_has_program_and_module() -> None:
    script = worker_script(["function start() {}", "function answer() {}"], MODULE, {"table": 8}, "1.0")
    fields = worker_fields(script)
    assert fields["version"] == "1.0"
    assert gzip.decompress(base64.b64decode(fields["module"])) == MODULE
    assert 'const TSUME_MANIFEST = {"table": 8};' in fields["source"]
    assert "function start() {}\nfunction answer() {}\nreturn { start, answer, events, network };" in fields["source"]


def test_the_worker_may_have_any_text() -> None:
    source = "const text = '無駄合 {} </script>';"
    script = worker_script([source], MODULE, {}, "1.0")
    assert source in worker_fields(script)["source"]
    assert script.isascii()
    assert "</" not in script


def test_both_files_have_one_version() -> None:
    files = {name: content.decode() for name, content in browser_files(fake_parts()).items()}
    version = worker_fields(files[WORKER])["version"]
    assert version.startswith(f"{__version__}+")
    assert f'const VERSION = "{version}";' in files[API]
    assert "@VERSION@" not in files[API]


def test_the_same_parts_give_the_same_files_and_others_another_version() -> None:
    parts = fake_parts()
    assert browser_files(parts) == browser_files(fake_parts())
    other = browser_files(WorkerParts(parts.scripts, parts.module + b"\0\1\0", parts.manifest))
    assert other[API] != browser_files(parts)[API]


# --- docs/browser.md lists the scripts that are written by hand, with their sizes ---------------


FOLDERS = ("browser/runtime", "browser/api", "browser/worker", "tsume/web/static", "tsume/site/static")
TOLERANCE = 0.1


def lines_of(*names: str) -> int:
    paths = [path for name in names for path in (ROOT / name).glob("*.js")]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def rows() -> list[tuple[str, int]]:
    text = (ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
    table = text[text.index("## What is left to JavaScript") :]
    found = re.findall(r"^\| (`.*?) \| ([\d,]+) \|", table, re.MULTILINE)
    return [(names, int(number.replace(",", ""))) for names, number in found]


def named_scripts() -> dict[str, int]:
    """The scripts of the pages that have a row of their own, with their lines."""
    names = {name for row, _ in rows() for name in re.findall(r"`(\w+\.js)`", row)}
    static = ROOT / "tsume" / "web" / "static"
    return {name: len((static / name).read_text(encoding="utf-8").splitlines()) for name in names}


def test_the_sizes_of_scripts_are_those_of_the_table() -> None:
    named = named_scripts()
    for row, lines in rows():
        if ".js" in row:
            actual = sum(named[name] for name in re.findall(r"`(\w+\.js)`", row))
        elif "runtime" in row:
            actual = lines_of("browser/runtime")
        elif "api" in row:
            actual = lines_of("browser/api", "browser/worker")
        else:
            actual = lines_of("tsume/web/static", "tsume/site/static") - sum(named.values())
        assert abs(actual - lines) <= TOLERANCE * actual, f"{row}: {actual} lines"


def test_no_other_folder_has_scripts() -> None:
    elsewhere = {
        path.parent.relative_to(ROOT).as_posix()
        for package in ("tsume", "browser")
        for path in (ROOT / package).rglob("*.js")
        if "built" not in path.parts
    }
    assert elsewhere == set(FOLDERS)


# --- The package for npm ------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package, as npm installs it."""
    monkeypatch.setattr(command, "worker_parts", fake_parts)
    folder = tmp_path / "node_modules" / "tsume-shogi"
    done = CliRunner().invoke(command.main, ["--npm", str(folder)], catch_exceptions=False)
    assert done.exit_code == 0
    assert done.output.count(" KB, ") == len(list(folder.iterdir()))
    return folder


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("used.cjs", 'const { Solver } = require("tsume-shogi");'),
        ("used.mjs", 'import { Solver } from "tsume-shogi";'),
        ("default.mjs", 'import Tsume from "tsume-shogi"; const { Solver } = Tsume;'),
    ],
)
def test_the_package_is_used_by_its_name(package: Path, tmp_path: Path, name: str, script: str) -> None:
    used = tmp_path / name
    used.write_text(f'{script}\nnew Solver().solve("a").then(({{ result }}) => console.log(result));\n')
    done = run_node(str(used))
    assert (done.returncode, done.stdout) == (0, "mate\n"), done.stderr
    assert json.loads((package / "package.json").read_text())["license"] == "GPL-3.0-or-later AND OFL-1.1"


def test_its_types_are_complete(package: Path, tmp_path: Path) -> None:
    used = tmp_path / "used.ts"
    used.write_text(
        'import { Solver, type Checked } from "tsume-shogi";\n'
        "const solver = new Solver({ memory: 32 });\n"
        'const checked: Checked = await solver.check("a", { seconds: 1, signal: AbortSignal.timeout(1) });\n'
        'const played = await solver.ask("position", { sfen: "a", length: 3, moves: [] });\n'
        "export const told: string[] = [checked.grade ?? '', played.choices[0].text.ja];\n"
        "// @ts-expect-error no such option\n"
        'solver.solve("a", { second: 1 });\n'
        "// @ts-expect-error a field is missing\n"
        'solver.ask("play_tree", { sfen: "a" });\n'
    )
    tsc = ROOT / "tests" / "javascript" / "node_modules" / "typescript" / "bin" / "tsc"
    options = ("--ignoreConfig", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--types", "")
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    done = run_node(str(tsc), *options, str(used), packages=True)
    assert done.returncode == 0, done.stdout
    assert (package / "tsume-worker.d.ts").exists()


def test_its_page_needs_no_other() -> None:
    page = npm_readme()
    assert "## The API" in page
    assert "## How it is built" not in page
    assert ".md" not in page
    assert (ROOT / "browser/api/example.html").read_text(encoding="utf-8") in page


def test_the_example_is_short() -> None:
    lines = (ROOT / "browser/api/example.html").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 36


def test_versions_of_npm() -> None:
    versions = ("0.2.0.dev0", "0.2.0", "1.0.0rc1", "1.0.0a2")
    assert [*map(npm_version, versions)] == ["0.2.0-dev.0", "0.2.0", "1.0.0-rc.1", "1.0.0-a.2"]
