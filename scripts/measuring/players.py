# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench players`: how long many players at once wait for trees, on a store that has none yet."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import sqlite3
import tempfile
import threading
import time
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote, urlsplit

import click

from scripts.measuring.processes import served
from scripts.metrics import quantile

_LOADING = 30.0
"""Seconds until all processes of the server have loaded."""
_PATIENCE = 120
_RETRIES = 5
_SLIPS = 0.4
"""How often a player tries any check instead of the key."""
_HEADERS = {"Accept-Encoding": "gzip"}
Tree = dict[str, Any]


@dataclass
class _Answers:
    """The seconds and the statuses of requests, by what was asked for."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    sizes: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def lines(self) -> list[str]:
        """A line for each kind of request."""
        return [self._line(name) for name in sorted(self.seconds)]

    def _line(self, name: str) -> str:
        ranked = sorted(self.seconds[name])
        found = {status: n for (kind, status), n in sorted(self.statuses.items()) if kind == name}
        return (
            f"{name}, {len(ranked)}: median {median(ranked):.3f} s, "
            f"95% within {quantile(ranked, 0.95):.3f} s, longest {ranked[-1]:.2f} s; "
            f"{median(self.sizes[name]) / 1000:.1f} kB; statuses {found}"
        )


class _Player(threading.Thread):
    """Opens problems at random and plays them, with pauses of ``pause`` seconds on average, until ``end``."""

    def __init__(
        self, address: str, problems: list[int], pause: float, end: float, answers: _Answers, seed: int
    ) -> None:
        super().__init__(daemon=True)
        found = urlsplit(address)
        assert found.hostname is not None
        self._connection = http.client.HTTPConnection(found.hostname, found.port, timeout=_PATIENCE)
        self._problems, self._pause, self._end = problems, pause, end
        self._answers, self._random = answers, random.Random(seed)
        self._loaded: set[str] = set()

    def run(self) -> None:
        """Play one problem after the other."""
        time.sleep(self._random.uniform(0, self._pause))
        while time.monotonic() < self._end:
            self._solve(self._random.choice(self._problems))

    def _solve(self, number: int) -> None:
        self._load_page(number)
        tree, played = self._tree(number, "first tree", []), list[str]()
        turn = tree and tree["turns"][0]
        while tree and turn and time.monotonic() < self._end:
            time.sleep(self._random.expovariate(1 / self._pause))
            check, after = self._chosen(turn), tree
            if check and check["result"] == "open":
                after = self._tree(number, "tree of a check", [*played, check["move"]]) or tree
                check = after["turns"][0]["checks"][0]
            best = next((a for a in (check or {}).get("answers", ()) if a.get("best")), None)
            if check and best:
                played += [check["move"], best["move"]]
                tree = after if "turn" in best else self._tree(number, "tree of a turn", played)
                turn = tree and tree["turns"][best.get("turn", 0)]
            elif not check or check["result"] != "fails":
                return

    def _load_page(self, number: int) -> None:
        page = self._got("page", f"/problems/{number}").decode()
        for name in re.findall(r'"(/static/[^"]+)"', page):
            if name not in self._loaded:
                self._loaded.add(name)
                self._got("script", name)

    def _chosen(self, turn: Tree) -> Tree | None:
        """The key, or any check."""
        if self._random.random() < _SLIPS and turn["checks"]:
            slip: Tree = self._random.choice(turn["checks"])
            return slip
        return next((check for check in turn["checks"] if check["move"] == turn["key"]), None)

    def _tree(self, number: int, kind: str, moves: list[str]) -> Tree | None:
        query = f"?moves={quote(','.join(moves))}" if moves else ""
        text = self._got(kind, f"/api/problems/{number}/tree{query}")
        return json.loads(text) if text else None

    def _got(self, kind: str, path: str) -> bytes:
        """The body of a response; nothing after an error. A busy server is asked again."""
        for _ in range(_RETRIES):
            began = time.monotonic()
            response, body = self._response(path)
            self._answers.seconds[kind].append(time.monotonic() - began)
            self._answers.statuses[kind, response.status] += 1
            self._answers.sizes[kind].append(len(body))
            if response.status == 200:
                return _unpacked(response, body)
            if response.status != 503:
                return b""
            time.sleep(float(response.headers.get("Retry-After", 2)))
        return b""

    def _response(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        """A response; the server may have closed the connection in a pause."""
        try:
            self._connection.request("GET", path, headers=_HEADERS)
            response = self._connection.getresponse()
        except http.client.RemoteDisconnected:
            self._connection.close()
            return self._response(path)
        return response, response.read()


def _unpacked(response: http.client.HTTPResponse, body: bytes) -> bytes:
    return gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body


@click.command()
@click.argument("store", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-p", "--players", default=50, show_default=True, type=click.IntRange(1))
@click.option("--pause", default=2.0, show_default=True, help="Average seconds before a move.")
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds of play.")
@click.option("-n", "--count", default=1000, show_default=True, help="Problems, by id.")
@click.option("--seed", default=1, show_default=True)
def players(store: Path, players: int, pause: float, seconds: float, count: int, seed: int) -> None:
    """Let players open and play the problems of a copy of STORE without trees; wall-clock time over HTTP."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "cold.db"
        problems = _cold_copy(store, copy)[:count]
        answers = _Answers()
        with served(copy) as address:
            time.sleep(_LOADING)
            end = time.monotonic() + seconds
            playing = [
                _Player(address, problems, pause, end, answers, seed + number) for number in range(players)
            ]
            for player in playing:
                player.start()
            for player in playing:
                player.join()
    for line in answers.lines():
        click.echo(line)


def _cold_copy(store: Path, copy: Path) -> list[int]:
    """Copy a store without its trees; returns the ids of its problems."""
    with closing(sqlite3.connect(store)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
        tables = {name for (name,) in new.execute("SELECT name FROM sqlite_master")}
        if "problem_trees" in tables:
            new.execute("DELETE FROM problem_trees")
            new.commit()
        return [number for (number,) in new.execute("SELECT id FROM problems ORDER BY id")]
