# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit collection`: what published problems have on average (`generator.collection.published`)."""

from __future__ import annotations

from pathlib import Path

import click

from generator.collection.published import PublishedFeatures, write_published_features
from generator.likeness.features import shape_and_line
from scripts.fitting.sampling import is_held_back, published_of

LENGTHS = (3, 5, 7, 9, 11)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-m", "--moves", type=click.IntRange(3), multiple=True, default=LENGTHS, show_default=True,
    help="A length to count; may be given several times.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write; the program's own file."
)
def collection(files: tuple[Path, ...], moves: tuple[int, ...], output: Path | None) -> None:
    """Count the features of published problems, which collections are chosen to have."""
    counted: dict[int, PublishedFeatures] = {}
    for length in moves:
        published = [one for one in published_of(files, length, None) if not is_held_back(one.position)]
        counted[length] = PublishedFeatures.of([shape_and_line(one.position, one.line) for one in published])
        click.echo(f"{length} moves: {len(published)} problems")
    write_published_features(counted, output)
