# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench board`: how long a person waits for the pages of `tsume serve`, for trees and judgements."""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import click

from scripts.measuring.options import FILES, shuffled
from scripts.measuring.processes import run, served, write_sfens
from scripts.metrics import quantile
from tsume_rules.sfen import format_sfen

FAST = 2.0
"""Seconds that an answer should stay below."""
LOADING = 10.0
"""Seconds after the first answer until the other processes have loaded."""
_PATIENCE = 120
_ROUNDS = 20
"""How often each page is loaded."""
Ask = Callable[[str, str, bytes | None], bytes]


@click.command()
@FILES
@click.option("-n", "--count", default=150, show_default=True, type=click.IntRange(1),
              help="Problems that are judged.")  # fmt: skip
@click.option("--trees", default=20, show_default=True, type=click.IntRange(1), help="Problems with trees.")
@click.option("-m", "--moves", default=9, show_default=True, type=click.IntRange(1),
              help="The longest problems that are judged; those that have trees.")  # fmt: skip
@click.option("--seed", default=1, show_default=True)
def board(files: tuple[Path, ...], count: int, trees: int, moves: int, seed: int) -> None:
    """Ask a server for pages, trees and judgements, one after the other; wall-clock time over HTTP."""
    problems = [one for one in shuffled(files, (), seed) if one.length <= moves]
    longest = [one for one in problems if one.length == moves][:trees]
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "board.db"
        run("import", write_sfens(Path(folder) / "board.sfen", longest), "--db", store)
        with _warm_server(store) as ask:
            _report("list", [_timed(ask, "GET", "/") for _ in range(_ROUNDS)])
            _report("problem", [_timed(ask, "GET", "/problems/1") for _ in range(_ROUNDS)])
            numbers = range(1, len(longest) + 1)
            tree_seconds = [_timed(ask, "GET", f"/api/problems/{number}/tree") for number in numbers]
            _report(f"tree of {moves} moves", tree_seconds)
            bodies = [json.dumps({"sfen": format_sfen(one.position)}).encode() for one in problems[:count]]
            _report(f"judgement, up to {moves} moves",
                    [_timed(ask, "POST", "/api/judgement", body) for body in bodies])  # fmt: skip
            again = [_timed(ask, "POST", "/api/judgement", body) for body in bodies]
            _report("the same again", again)


@contextmanager
def _warm_server(store: Path) -> Iterator[Ask]:
    """A server that has judged once and has loaded its other processes."""
    with served(store) as found:
        address = urlsplit(found)
        assert address.hostname is not None
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=_PATIENCE)

        def ask(method: str, path: str, body: bytes | None = None) -> bytes:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            return connection.getresponse().read()

        try:
            ask("POST", "/api/judgement", b'{"sfen":"9/8k/6+S2/6G2/9/9/9/9/9 b - 1"}')
            connection.close()  # the next request opens another
            time.sleep(LOADING)
            yield ask
        finally:
            connection.close()


def _timed(ask: Ask, method: str, path: str, body: bytes | None = None) -> float:
    began = time.monotonic()
    ask(method, path, body)
    return time.monotonic() - began


def _report(name: str, seconds: Sequence[float]) -> None:
    ranked = sorted(seconds)
    fast = sum(one <= FAST for one in ranked) / len(ranked)
    click.echo(
        f"{name}, {len(ranked)}: median {median(ranked):.3f} s, 90% within "
        f"{quantile(ranked, 0.9):.3f} s, {fast:.0%} within {FAST:.0f} s, "
        f"longest {ranked[-1]:.2f} s"
    )
