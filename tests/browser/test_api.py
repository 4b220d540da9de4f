# SPDX-License-Identifier: GPL-3.0-or-later
"""The API in Node.js."""

import re
from pathlib import Path

import pytest

from tests.javascript.node import run_node

TESTS = Path(__file__).parent / "api.test.mjs"


def test_api(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSUME_FOLDER", str(folder))
    done = run_node("--test", "--test-reporter=tap", str(TESTS))
    assert done.returncode == 0, done.stdout
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)


def test_an_idle_worker_does_not_keep_a_program_alive(folder: Path) -> None:
    script = f"""
        const {{ Solver }} = require({str(folder / "tsume.js")!r});
        new Solver().solve("a").then(({{ result }}) => console.log(result));
    """
    done = run_node("--eval", script)
    assert (done.returncode, done.stdout) == (0, "mate\n"), done.stderr
