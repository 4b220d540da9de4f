# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench print`: how long pictures, a booklet and cards take, through the commands."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from scripts.measuring.processes import run
from tsume.files.inputs import PositionInputs


@click.command("print")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--pictures", default=600, show_default=True, help="Diagrams.")
@click.option("--problems", default=120, show_default=True, help="Problems of the booklet and the cards.")
def print_(file: Path, pictures: int, problems: int) -> None:
    """Draw, print and make cards of the positions of FILE, lines of SFEN with moves; wall-clock time."""
    given = [entry for entry in PositionInputs((), (str(file),)) if entry.parsed is not None]
    lines = [f"{entry.sfen} moves {' '.join(move.usi for move in entry.line)}" for entry in given]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        drawn, printed, store = folder / "drawn.sfen", folder / "printed.sfen", folder / "store.db"
        drawn.write_text("\n".join(lines[:pictures]), encoding="utf-8")
        printed.write_text("\n".join(lines[:problems]), encoding="utf-8")
        run("import", printed, "--db", store)
        for name, words in (
            ("draw", ("draw", drawn, "-o", f"{folder}/svg/")),
            ("draw png", ("draw", drawn, "-o", f"{folder}/png/", "--format", "png")),
            ("book", ("book", "--db", store, "-o", folder / "book.pdf")),
            ("cards", ("cards", "--db", store, "-o", folder / "deck.apkg")),
        ):
            click.echo(f"{name}: {run(*words).seconds:.1f} s")
