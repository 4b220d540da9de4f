# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench store`: how long the commands of the store take on a large one, and how much memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from scripts.measuring.made_stores import make_store
from scripts.measuring.processes import TSUME, run

_LIST = ("list", "--db", "{db}")
_PAGE = ("--limit", "50")
_FORMS = ("sfen", "csv", "jsonl", "csa")
_COMMANDS: dict[str, tuple[str, ...]] = {
    "list, 50": (*_LIST, *_PAGE),
    "list, 50 by quality": (*_LIST, *_PAGE, "--sort", "quality"),
    "list": _LIST,
    "list --jsonl": (*_LIST, "--jsonl"),
    "show": ("show", "{last}", "--db", "{db}"),
    "stats": ("stats", "--db", "{db}"),
    **{f"export {form}": ("export", "--format", form, "--db", "{db}") for form in _FORMS},
}
_HEADS = ("list", *(f"export {form}" for form in _FORMS))
_IN_BETWEEN = """
import os, subprocess, sys
running = subprocess.Popen(sys.argv[2:])
_, _, used = os.wait4(running.pid, 0)
open(sys.argv[1], "w").write(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss}")
"""
"""A process of its own: what a new process is said to have used begins with the size of its parent."""
_ON_LINUX = sys.platform.startswith("linux")


@click.command("store")
@click.argument("store", type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--number", default=211_000, show_default=True, type=click.IntRange(1000),
              help="Problems of the store that is made.")  # fmt: skip
@click.option("--at", "place", metavar="PATH|URL", help="Make it here, where nothing is, and leave it there.")
@click.option("--import", "imported", default=1000, show_default=True, help="Lines that are imported.")
def store(store: Path, number: int, place: str | None, imported: int) -> None:
    """Make a large store of the problems of STORE, and run the commands on it.

    Wall-clock and processor seconds, start-up included, and the most memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = place or str(Path(folder) / "large.db")
        began = time.perf_counter()
        make_store(str(store), place, number)
        click.echo(f"made {number} problems: {time.perf_counter() - began:.1f} s")
        for name, words in _COMMANDS.items():
            _tell(name, _filled(words, place, number))
        for name in _HEADS:
            _tell(f"{name} | head -1", _filled(_COMMANDS[name], place, number), lines=1)
        _imports(store, Path(folder), imported)


def _imports(store: Path, folder: Path, number: int) -> None:
    """Import lines that were exported, with and without the check, and one line, which is the start-up."""
    for count in (1, number):
        lines = folder / f"{count}.jsonl"
        run("export", "--format", "jsonl", "--limit", count, "--db", store, "-o", lines, check=True)
        for options in ([], ["--trusted"]):
            target = folder / f"{count}{''.join(options)}.db"
            words = ["import", str(lines), "-j1", *options, "--db", str(target)]
            _tell(f"import {' '.join([*options, str(count)])}", words)


def _filled(words: Sequence[str], place: str, number: int) -> list[str]:
    return [word.format(db=place, last=number) for word in words]


def _tell(name: str, words: Sequence[str], lines: int | None = None) -> None:
    """Run a command, or until it has printed some lines, and print what it took."""
    began = time.perf_counter()
    with tempfile.NamedTemporaryFile("r") as used:
        program = [sys.executable, "-c", _IN_BETWEEN, used.name, *TSUME, *words]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
            assert running.stdout is not None
            for read, _ in enumerate(running.stdout, start=1):
                if read == lines:
                    break
            running.stdout.close()
        seconds = time.perf_counter() - began
        spent, memory = map(float, used.read().split())
    memory /= 1000 if _ON_LINUX else 1_000_000
    click.echo(f"{name}: {seconds:.2f} s, {spent:.2f} s of the processor, {memory:.0f} MB")
