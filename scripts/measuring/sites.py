# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench site`: how long a folder of pages takes, and how large it is."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

import click

from scripts.measuring.processes import run


@click.command("site")
@click.argument("store", type=click.Path(exists=True, path_type=Path))
@click.option("--count", default=1000, show_default=True, help="Problems, by id.")
@click.option("-j", "--jobs", default=os.cpu_count() or 1, help="Processes.")
@click.option("--lang", default="ja", show_default=True, help="Languages of the pages.")
def site(store: Path, count: int, jobs: int, lang: str) -> None:
    """Make a site of the problems of STORE by the command: wall-clock and processor time, bytes a problem."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        done = run(
            "site", "--db", store, "-o", folder, "--limit", count, "-j", jobs, "--lang", lang, check=True
        )
        click.echo(f"{done.seconds:.1f} s, {done.processor:.1f} s of the processors")
        sizes: Counter[str] = Counter()
        made = 0
        for path in folder.rglob("*"):
            if path.is_file():
                sizes[_kind(path.relative_to(folder))] += path.stat().st_size
                made += path.match("problems/*.svg") and path.parts[-3] != "en"
        for kind, size in sorted(sizes.items()):
            click.echo(f"{kind}: {size / 1e6:.2f} MB, {size / made:.0f} bytes a problem")


def _kind(path: Path) -> str:
    parts = path.parts[1:] if path.parts[0] == "en" else path.parts
    if parts[0] == "problems":
        return f"problems, {path.suffix}"
    return parts[0] if len(parts) > 1 else "lists" if path.name == "index.html" else "rest"
