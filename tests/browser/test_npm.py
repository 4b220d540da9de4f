# SPDX-License-Identifier: GPL-3.0-or-later
"""The package for npm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import browser.__main__ as command
from browser import npm_readme, npm_version
from tests.browser.program import fake_parts
from tests.javascript.node import run_node
from tests.places import ROOT


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
    assert json.loads((package / "package.json").read_text())["license"] == "GPL-3.0-or-later"


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
