# SPDX-License-Identifier: GPL-3.0-or-later
"""Node.js, as tests run it."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent


def run_node(
    *arguments: str, text: str = "", packages: bool = False, seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run Node.js in this folder with ``text`` as input; skip the test where it is not installed."""
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    if packages and not (FOLDER / "node_modules").is_dir():
        pytest.skip(f"no node_modules in {FOLDER}: run scripts/install dev")
    return subprocess.run(
        ["node", *arguments],
        cwd=FOLDER, input=text, capture_output=True, text=True, encoding="utf-8", check=False,
        timeout=seconds,
    )  # fmt: skip


def answers(script: str, questions: Iterable[dict[str, Any]], *, packages: bool = False) -> list[Any]:
    """What a script that reads and writes JSON lines answers."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = run_node(script, text=text, packages=packages)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
