"""`scripts/bench board`: how long a person waits for the pages of `tsume serve`, for trees and judgements."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import click

from scripts.measuring.problem_files import Lined, read_problems
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
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--count", default=150, show_default=True, type=click.IntRange(1),
              help="Problems that are judged.")  # fmt: skip
@click.option("--trees", default=20, show_default=True, type=click.IntRange(1), help="Problems with trees.")
@click.option("-m", "--moves", default=9, show_default=True, type=click.IntRange(1),
              help="The longest problems that are judged; those that have trees.")  # fmt: skip
@click.option("--seed", default=1, show_default=True)
def board(files: tuple[Path, ...], count: int, trees: int, moves: int, seed: int) -> None:
    """Ask a server for pages, trees and judgements, one after the other; wall-clock time over HTTP."""
    problems = [one for one in read_problems(files) if one.length <= moves]
    random.Random(seed).shuffle(problems)
    longest = [one for one in problems if one.length == moves][:trees]
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "board.db"
        _store(longest, store)
        with _served(store) as ask:
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


def _store(problems: Sequence[Lined], store: Path) -> None:
    """Import problems into a new store; those that are not correct are left out."""
    lines = store.with_suffix(".sfen")
    text = "".join(f"{format_sfen(one.position)}\n" for one in problems)
    lines.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tsume", "import", str(lines), "--db", str(store)]
    subprocess.run(command, check=False, capture_output=True)


@contextmanager
def _served(store: Path) -> Iterator[Ask]:
    """A server that is warm: it has judged, and made a tree."""
    command = [sys.executable, "-m", "tsume", "serve", "--db", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
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
            server.terminate()


def _timed(ask: Ask, method: str, path: str, body: bytes | None = None) -> float:
    began = time.monotonic()
    ask(method, path, body)
    return time.monotonic() - began


def _report(name: str, seconds: Sequence[float]) -> None:
    ranked = sorted(seconds)
    fast = sum(one <= FAST for one in ranked) / len(ranked)
    click.echo(
        f"{name}, {len(ranked)}: median {median(ranked):.3f} s, 90% within "
        f"{ranked[-(-9 * len(ranked) // 10) - 1]:.3f} s, {fast:.0%} within {FAST:.0f} s, "
        f"longest {ranked[-1]:.2f} s"
    )
