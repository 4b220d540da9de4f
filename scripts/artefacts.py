# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a release: built, and tried as a user would install them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = "dist"
SUMS = "SHA256SUMS"
_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_ANSWER = "mate in 5"


class Failed(Exception):
    """An artefact cannot be built, or does not work."""


def build(root: Path, version: str) -> None:
    """Build everything into dist/ of the checkout, in place of what was there."""
    folder = root / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    commit_time = _run(["git", "log", "-1", "--format=%ct"], root).strip()
    settings = {"SOURCE_DATE_EPOCH": commit_time}  # the same commit gives the same files
    if (root / "scripts" / "wheels").exists():
        _run([str(root / "scripts" / "wheels"), str(folder)], root, **settings)
    else:
        _run([str(root / "scripts" / "wasm"), "--wheel"], root)
        _run([sys.executable, "-m", "build", "--outdir", str(folder)], root, **settings)
    with tempfile.TemporaryDirectory() as name:
        npm, docs = Path(name) / "npm", Path(name) / "docs"
        _run([str(root / "scripts" / "wasm"), "--npm", str(npm)], root)
        _run(["npm", "pack", "--pack-destination", str(folder), str(npm)], root)
        if (root / "scripts" / "docs").exists():
            _run([str(root / "scripts" / "docs"), str(docs)], root)
            shutil.make_archive(str(folder / f"tsume-shogi-{version}-docs"), "zip", docs)
    (folder / SUMS).write_text(checksums(folder), encoding="utf-8")


def checksums(folder: Path) -> str:
    """A line for each file, as `sha256sum --check` reads them."""
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def verify(folder: Path, version: str) -> None:
    """Check the metadata and the names, and run the program of a wheel in a fresh environment."""
    for name in expected_names(version):
        if not (folder / name).is_file():
            raise Failed(f"{folder / name} has not been built")
    distributions = sorted(str(path) for kind in ("*.whl", "*.tar.gz") for path in folder.glob(kind))
    _run([sys.executable, "-m", "twine", "check", "--strict", *distributions], folder)
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        _run([sys.executable, "-m", "venv", str(fresh)], fresh)
        programs, wanted = fresh / "bin", f"tsume-shogi=={version}"
        _run([str(programs / "pip"), "install", "--quiet", "--find-links", str(folder), wanted], fresh)
        told = _run([str(programs / "tsume"), "--version"], fresh)
        if told.split()[-1:] != [version]:
            raise Failed(f"the installed program says: {told.strip()}, not {version}")
        solved = _run([str(programs / "tsume"), "solve", _POSITION], fresh)
        if _ANSWER not in solved:
            raise Failed(f"the installed program solves a problem wrongly: {solved.strip()}")


def expected_names(version: str) -> list[str]:
    """The files that every release has; wheels with compiled kernels depend on the platform."""
    return [
        f"tsume_shogi-{version}.tar.gz",
        f"tsume_shogi-{version}-py3-none-any.whl",
        f"tsume-shogi-{version}.tgz",
        SUMS,
    ]


def _run(command: list[str], folder: Path, **settings: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    return done.stdout
