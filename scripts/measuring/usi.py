# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench usi`: how soon the USI engine answers ``go``, and how soon ``stop``."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from statistics import median

import click

from scripts.measuring.options import problem_options, shuffled
from scripts.measuring.usi_client import UsiClient
from tsume_rules.sfen import format_sfen

_PAUSES = (0.02, 0.3, 1.5)
"""Seconds of a search before it is stopped, at most the last."""
_COMPILING_SECONDS = 10.0


@click.command()
@problem_options
@click.option("-n", "--count", default=500, show_default=True, type=click.IntRange(1),
              help="Positions for `go mate`.")  # fmt: skip
@click.option("--hard", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="SFENs, one a line, whose searches are stopped.")  # fmt: skip
@click.option("--cache", type=click.Path(file_okay=False, path_type=Path),
              help="An empty folder: `stop` is also measured during compiling into it.")  # fmt: skip
def usi(
    files: tuple[Path, ...],
    moves: tuple[int, ...],
    seed: int,
    count: int,
    hard: Path | None,
    cache: Path | None,
) -> None:
    """Time from `go mate` to the answer, and from `stop` to the answer, seen by a client of the engine."""
    sfens = [format_sfen(problem.position) for problem in shuffled(files, moves, seed)][:count]
    with UsiClient() as client:
        client.prepare()
        click.echo(_text("go mate", [_go_seconds(client, sfen) for sfen in sfens]))
    hard_ones = hard.read_text(encoding="utf-8").splitlines() if hard else []
    for find_all in ("false", "true") if hard_ones else ():
        with UsiClient() as client:
            client.prepare(FindAll=find_all)
            times = [_stop_seconds(client, sfen, pause) for sfen in hard_ones for pause in _pauses(seed)]
            click.echo(_text(f"stop, FindAll {find_all}", [found for found in times if found is not None]))
    if cache is not None:
        click.echo(_text("stop while compiling", _seconds_while_compiling(cache)))


def _text(name: str, seconds: list[float]) -> str:
    if not seconds:
        return f"{name}: nothing was measured"
    ranked = sorted(1000 * one for one in seconds)
    late = ranked[int(0.99 * (len(ranked) - 1))]
    times = f"median {median(ranked):.2f} ms, 99% {late:.2f} ms, longest {ranked[-1]:.2f} ms"
    return f"{name}, {len(ranked)}: {times}"


def _go_seconds(client: UsiClient, sfen: str) -> float:
    client.send(f"position sfen {sfen}")
    sent = client.send("go mate 60000")
    return client.wait("checkmate").at - sent


def _pauses(seed: int) -> list[float]:
    return [*_PAUSES[:-1], random.Random(seed).uniform(*_PAUSES[-2:])]


def _stop_seconds(client: UsiClient, sfen: str, pause: float) -> float | None:
    """Seconds from ``stop`` to the answer; None if the search ended before."""
    client.send(f"position sfen {sfen}")
    first = len(client.received)
    client.send("go mate infinite")
    time.sleep(pause)
    sent = client.send("stop")
    answer = client.wait("checkmate")
    client.send("isready")
    client.wait("readyok")
    answers = [line for line in client.received[first:] if line.text.startswith("checkmate")]
    assert answers == [answer]
    return answer.at - sent if answer.at > sent else None


def _seconds_while_compiling(cache: Path) -> list[float]:
    found = []
    with UsiClient(environment={**os.environ, "XDG_CACHE_HOME": str(cache)}) as client:
        client.send("usi")
        client.send("isready")
        end = time.monotonic() + _COMPILING_SECONDS
        while time.monotonic() < end:
            client.send("go mate infinite")
            time.sleep(0.2)
            sent = client.send("stop")
            found.append(client.wait("checkmate").at - sent)
    return found
