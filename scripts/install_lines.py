# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the install lines of the pages, docstrings and messages. Run through `scripts/install_lines`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from scripts.installing.index import serve_index
from scripts.installing.lines import InstallLine, install_lines
from scripts.installing.trial import Failed, Trials

_ROOT = Path(__file__).parents[1]
_PROBLEM = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"


@click.command()
@click.option("--list", "only_list", is_flag=True, help="Only list the lines and where they are.")
@click.option("--match", metavar="TEXT", default="", help="Only lines that contain this text.")
@click.option(
    "--dist", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder with a release."
)
def main(only_list: bool, match: str, dist: Path | None) -> None:
    """Run each line in an empty home, with the package built from this checkout or taken from --dist."""
    lines = [line for line in install_lines(_ROOT) if match in line.command]
    if only_list:
        for line in lines:
            click.echo(f"{line.command}  # {', '.join(line.places)}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = dist or _build(folder / "dist", npm=any(line.command.startswith("np") for line in lines))
        with serve_index(files) as index:
            # An environment with pipx and uv.
            _run(sys.executable, "-m", "venv", str(folder / "tools"))
            _run(str(folder / "tools" / "bin" / "pip"), "install", "--quiet", "pipx", "uv")
            failed = _try_all(lines, Trials(index, folder / "tools", _store(folder), _version(files)))
    if failed:
        raise click.ClickException(f"{failed} of {len(lines)} lines failed")


def _try_all(lines: list[InstallLine], trials: Trials) -> int:
    """Print a row for each line; the number of those that failed."""
    failed = 0
    for line in lines:
        start = time.monotonic()
        try:
            trials.run(line)
            result = "ok"
        except Failed as error:
            failed += 1
            result = f"failed: {error}"
        click.echo(
            f"| `{line.command}` | {', '.join(line.places)} | {time.monotonic() - start:.0f} s | {result} |"
        )
    return failed


def _build(folder: Path, *, npm: bool) -> Path:
    _run(sys.executable, "-m", "build", "--outdir", str(folder))
    if npm:
        _run("scripts/wasm", "--npm", str(folder / "npm"))
        _run("npm", "pack", "--pack-destination", str(folder), str(folder / "npm"))
    return folder


def _version(folder: Path) -> str:
    """The version of the wheels in a folder."""
    return next(folder.glob("*.whl")).name.split("-")[1]


def _store(folder: Path) -> Path:
    """A store with a problem."""
    _run(sys.executable, "-m", "tsume", "import", _PROBLEM, "--db", str(folder / "store.db"))
    return folder / "store.db"


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(re.sub(r"\s+$", "", f"{' '.join(command)}: {done.stdout}{done.stderr}"))


if __name__ == "__main__":
    main()
