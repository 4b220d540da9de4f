# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation as web pages, and papers as PDF. Run through `scripts/docs`."""

from __future__ import annotations

from pathlib import Path

import click

from scripts.documentation.build import CannotBuildPages, build_site
from scripts.documentation.paper import PAPERS, build_paper


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice(PAPERS), help="Write only this page of docs/papers, as PDF.")
def docs(folder: Path, paper: str | None) -> None:
    """Write the documentation into FOLDER: in English, and in Japanese below FOLDER/ja."""
    try:
        if paper:
            made = build_paper(paper, folder)
            click.echo(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
            return
        build_site(folder)
    except CannotBuildPages as error:
        raise click.ClickException(str(error)) from None
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    click.echo(f"{folder / 'index.html'}: {len(files)} files, {size:.1f} MB")


if __name__ == "__main__":
    docs()
