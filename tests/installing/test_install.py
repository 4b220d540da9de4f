# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/install`: what it tells while it works, with programs in place of Python and npm."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script of a shell")
_PYTHON = """#!/bin/sh
case "$1 $2" in
    "--version ") echo Python 3.99 ;;
    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip")
        echo "Collecting one"
        : >seconds
        until [ "$(wc -l <seconds)" -ge 10 ]; do /bin/sleep 0.01; done
        exit ${PIP_STATUS:-0} ;;
esac
"""
_NPM = "#!/bin/sh\necho nothing; exit ${NPM_STATUS:-0}\n"
_SLEEP = "#!/bin/sh\necho >>seconds\nexec /bin/sleep 0.01\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the script, and the programs in its folder ``programs``."""
    for name in ("pyproject.toml", "tests/javascript/package.json", "tsume/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/install", tmp_path / "scripts/install")
    (tmp_path / "programs").mkdir()
    for name, text in (("python3", _PYTHON), ("npm", _NPM), ("sleep", _SLEEP)):
        (tmp_path / "programs" / name).write_text(text, encoding="utf-8")
        (tmp_path / "programs" / name).chmod(0o755)
    return tmp_path


def installed(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{project / 'programs'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [project / "scripts/install", *arguments], env={"PATH": path, **variables}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip


def test_each_step_is_told_and_how_far_it_is(project: Path) -> None:
    done = installed(project, "dev")
    assert (done.returncode, done.stdout) == (0, "")
    steps = [line for line in done.stderr.splitlines() if line.startswith("[")]
    assert [line.split("]")[0] for line in steps] == ["[1 of 3", "[2 of 3", "[3 of 3"]
    assert "Python 3.99" in steps[0]
    assert "  10 s: Collecting one" in done.stderr.splitlines()
    assert installed(project, "dev").stderr == ""
    assert installed(project, "web").stderr.startswith("[2 of 2] ")


def test_a_step_that_fails_shows_its_output(project: Path) -> None:
    done = installed(project, PIP_STATUS="3")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == "Collecting one"
    assert "[2 of 2]" in installed(project).stderr, "it is not taken to be installed"
    done = installed(project, "dev", NPM_STATUS="1")
    assert done.returncode == 0
    assert "npm packages not installed" in done.stderr
