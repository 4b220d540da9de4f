# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of the kernels' module, tested in Node.js."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser.files import runtime_source
from tests.javascript.node import run_node


def test_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "runtime.js"
    script.write_text(runtime_source(), encoding="utf-8")
    monkeypatch.setenv("TSUME_RUNTIME", str(script))
    done = run_node("--expose-gc", "--test", "--test-reporter=tap", str(Path(__file__).with_name("memory.test.mjs")))
    assert done.returncode == 0, done.stdout
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)
    assert "# skipped 0" in done.stdout
