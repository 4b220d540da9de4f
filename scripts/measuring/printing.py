"""`scripts/bench print`: how long pictures, a booklet and cards take, through the commands."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from tsume.files.inputs import Inputs


@click.command("print")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--pictures", default=600, show_default=True, help="Diagrams.")
@click.option("--problems", default=120, show_default=True, help="Problems of the booklet and the cards.")
def print_(file: Path, pictures: int, problems: int) -> None:
    """Draw, print and make cards of the positions of FILE, lines of SFEN with moves; wall-clock time."""
    given = [entry for entry in Inputs((), (str(file),)) if entry.parsed is not None]
    lines = [f"{entry.sfen} moves {' '.join(move.usi for move in entry.line)}" for entry in given]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawn, printed, store = folder / "drawn.sfen", folder / "printed.sfen", folder / "store.db"
        drawn.write_text("\n".join(lines[:pictures]), encoding="utf-8")
        printed.write_text("\n".join(lines[:problems]), encoding="utf-8")
        _run("import", printed, "--db", store, timed=False)
        _run("draw", drawn, "-o", f"{folder}/svg/")
        _run("draw", drawn, "-o", f"{folder}/png/", "--format", "png")
        _run("book", "--db", store, "-o", folder / "book.pdf")
        _run("cards", "--db", store, "-o", folder / "deck.apkg")


def _run(command: str, *options: object, timed: bool = True) -> None:
    words = [str(option) for option in options]
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tsume", command, *words], check=False, capture_output=True)
    if timed:
        form = " png" if "png" in words else ""
        click.echo(f"{command}{form}: {time.perf_counter() - started:.1f} s")
