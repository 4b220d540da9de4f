# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m browser``: builds the files into a folder. Run through `scripts/wasm`."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import click

from browser import npm_files
from browser.files import browser_files, worker_parts
from compiler.build import WASM, NoLinker, linker_of
from tsume.child_processes import exclusive_file_lock
from tsume.web.solver_scripts import BUILT, CANNOT_BUILD, NETWORK, network_as_script

_MAX_OTHERS = 3
"""Folders from other sources that stay in the cache: several checkouts share it."""


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--npm", is_flag=True, help="Add what makes the folder a package for npm.")
@click.option("--wheel", is_flag=True, help="Build into the package tsume, for the wheel that is built next.")
def main(folder: Path | None, npm: bool, wheel: bool) -> None:
    """Build tsume.js, tsume-worker.js and tsume-network.js, with types and an example, into FOLDER."""
    if (folder is None) != wheel or (npm and wheel):
        raise click.UsageError("needs FOLDER, with or without --npm, or --wheel alone")
    try:
        files = browser_files(worker_parts())
    except NoLinker as error:
        raise click.ClickException(str(error)) from None
    if folder is None:
        replace_folder(BUILT, files)
    else:
        files |= {NETWORK: network_as_script(), **(npm_files() if npm else {})}
        write_files(folder, files)
    for name, content in sorted(files.items()):
        size, compressed = (f"{len(data) / 1000:,.1f}" for data in (content, gzip.compress(content)))
        click.echo(f"{(folder or BUILT) / name}: {size} KB, {compressed} compressed")


def build_once(place: str) -> None:
    """Build the files into a folder of the cache unless it is there; exit with status 1 if they cannot be.

    One process builds at a time. The others wait, and find what it has built.
    """
    folder = Path(place)
    waiting = "another process builds the solver for browsers; waiting for it"
    try:
        with exclusive_file_lock(folder.parent.with_suffix(".lock"), partial(click.echo, waiting, err=True)):
            if folder.exists():
                return
            linker_of(WASM)
            click.echo("building the solver for browsers, which happens once after each change of it", err=True)
            replace_folder(folder, browser_files(worker_parts()))
            others = sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
            for other in others[_MAX_OTHERS + 1 :]:
                shutil.rmtree(other, ignore_errors=True)
    except (NoLinker, OSError) as error:
        click.echo(f"{CANNOT_BUILD}{error}", err=True)
        sys.exit(1)


def replace_folder(folder: Path, files: dict[str, bytes]) -> None:
    """Replace a folder as a whole: other processes find all files or none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent.parent, prefix="browser-") as temporary:
        new = Path(temporary) / "new"
        write_files(new, files)
        shutil.rmtree(folder, ignore_errors=True)
        new.replace(folder)


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files to a folder, which is created."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
