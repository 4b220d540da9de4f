# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests of the scripts that need no browser, which Node.js runs."""

from __future__ import annotations

import re

import pytest

from tests.javascript.node import FOLDER, run_node

FILES = sorted(path.name for path in FOLDER.glob("*.test.mjs"))


@pytest.mark.parametrize("name", FILES)
def test_scripts(name: str) -> None:
    done = run_node("--test", "--test-reporter=tap", name)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) > 0
