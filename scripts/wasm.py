# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the solver for browsers and Node.js. Run through `scripts/wasm`."""

from __future__ import annotations

import gzip
from pathlib import Path

import click

from scripts.npm_package import npm_files
from tsume.browser.build import CannotBuild, browser_files
from tsume.browser.built import WHEEL_FOLDER, write_files, write_wheel_files
from tsume.browser.network import NETWORK, network_script
from tsume.browser.parts import worker_parts


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--npm", is_flag=True, help="Add what makes the folder a package for npm.")
@click.option("--wheel", is_flag=True, help="Build into the package, for the wheel that is built next.")
def wasm(folder: Path | None, npm: bool, wheel: bool) -> None:
    """Build tsume.js, tsume-worker.js and tsume-network.js, with types and an example, into FOLDER."""
    if (folder is None) != wheel or (npm and wheel):
        raise click.UsageError("needs FOLDER, with or without --npm, or --wheel alone")
    try:
        files = browser_files(worker_parts())
    except CannotBuild as error:
        raise click.ClickException(str(error)) from None
    if folder is None:
        write_wheel_files(files)
    else:
        files |= {NETWORK: network_script(), **(npm_files() if npm else {})}
        write_files(folder, files)
    for name, content in sorted(files.items()):
        size, compressed = (f"{len(data) / 1000:,.1f}" for data in (content, gzip.compress(content)))
        click.echo(f"{(folder or WHEEL_FOLDER) / name}: {size} KB, {compressed} compressed")


if __name__ == "__main__":
    wasm()
