# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of commands: `scripts/bench start`, `commands` (without start-up), `tree` (reply trees), `site`,
`games`."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from math import ceil
from pathlib import Path
from random import Random
from shutil import which
from statistics import median
from threading import Thread
from typing import Any

import click
import shogi
from playwright.sync_api import sync_playwright

from scripts.measuring import LinedProblem, problem_options, quantile, shuffled, warm_engine
from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.reply_tree_builder import PROOF_NODES, reply_tree
from solver.results import Limits
from tsume.reports.explanation import tree_fields
from tsume_rules.kernel.attacks import in_check
from tsume_rules.packed import pack
from tsume_rules.sfen import ParsedSfen, format_sfen, parse_sfen

# --- commands of tsume run as processes, with the time they take -----------------------------------

TSUME = [sys.executable, "-m", "tsume"]


@dataclass(frozen=True)
class FinishedCommand:
    """A command that has ended: what it printed, its wall-clock and processor ``seconds``."""

    output: bytes
    seconds: float
    processor: float


def run(*words: object) -> FinishedCommand:
    began, before = time.perf_counter(), os.times()
    done = subprocess.run([*TSUME, *map(str, words)], check=False, capture_output=True)
    seconds, after = time.perf_counter() - began, os.times()
    processor = after.children_user - before.children_user + after.children_system - before.children_system
    return FinishedCommand(done.stdout, seconds, processor)


# --- `scripts/bench start`: what a command costs before it works ------------------------------------

_MATE_IN_FIVE = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"


@click.command()
@click.option("--repeat", default=9, show_default=True, type=click.IntRange(1), help="Runs; the median counts.")
def start(repeat: int) -> None:
    """Processor seconds and peak memory of `--help` and of `solve` for one position; what a kernel's call costs."""
    for words in (["--help"], ["solve", _MATE_IN_FIVE]):
        used = []
        for _ in range(repeat):
            with subprocess.Popen([*TSUME, *words], stdout=subprocess.DEVNULL) as process:
                used.append(os.wait4(process.pid, 0)[2])
                process.returncode = 0
        processor, peak = median(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used)
        click.echo(f"{words[0]:8} {processor:.2f} s of processor, {peak / 1024:.0f} MB")
    packed, began = pack(parse_sfen(_MATE_IN_FIVE).position), time.perf_counter()
    for _ in range(100_000):
        in_check(packed, 1)
    click.echo(f"{'call':8} {10 * (time.perf_counter() - began):.2f} microseconds")


# --- `scripts/bench commands`: positions a second, without start-up --------------------------------

COMMANDS = ("solve", "check", "score", "explain")
_SHARE = {"solve": 1, "check": 2, "score": 2, "explain": 10}
"""Of how many positions a command gets one: the slower the fewer."""
_LEAST = 4
_TICK = 0.01
"""Seconds: processor time is not told more finely."""
LONG = 40.0
"""Seconds for which one process is kept busy where several are compared with it: these start more slowly."""


@click.command()
@problem_options
@click.option("-n", "--count", default=1000, show_default=True, type=click.IntRange(_LEAST),
              help="Positions of each length for solve; the others get fewer.")  # fmt: skip
@click.option("--command", "names", multiple=True, type=click.Choice(COMMANDS), help="Only this command.")
@click.option("--repeat", default=3, show_default=True, type=click.IntRange(1), help="Runs; the median counts.")
@click.option(
    "-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
    help="Compare so many processes with one too, by wall clock: on an idle machine.",
)  # fmt: skip
def commands(
    files: tuple[Path, ...], count: int, moves: tuple[int, ...], names: tuple[str, ...], repeat: int,
    seed: int, jobs: int,
) -> None:  # fmt: skip
    """Run commands on files of positions; processor time, start-up counted apart."""
    problems = shuffled(files, moves, seed)
    for length in sorted({problem.length for problem in problems}):
        chosen = [problem for problem in problems if problem.length == length][:count]
        for name in names or COMMANDS:
            some = chosen[: max(_LEAST, len(chosen) // _SHARE[name])]
            if len(some) > 1:
                times = [(_run(name, some[:1]).processor, _run(name, some).processor) for _ in range(repeat)]
                rate = median((len(some) - 1) / max(every - one, _TICK) for one, every in times)
                start = median(one for one, _ in times)
                head = f"{name}, {length} moves, {len(some)} positions"
                click.echo(f"{head}: {rate:.0f} a second, {1000 / rate:.2f} ms each; one position {start:.2f} s")
                if jobs > 1:
                    many = some * ceil(LONG * rate / len(some))
                    ratios, same = [], True
                    for _ in range(repeat):
                        by_one, by_several = _run(name, many), _run(name, many, jobs)
                        same &= by_one.output == by_several.output
                        ratios.append(by_one.seconds / by_several.seconds)
                    told = "the same output" if same else "ANOTHER OUTPUT"
                    click.echo(f"  {jobs} processes: {median(ratios):.2f} times as fast, {told}")


def _run(name: str, problems: list[LinedProblem], jobs: int = 1) -> FinishedCommand:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problems.sfen"
        file.write_text("".join(f"{format_sfen(one.position)}\n" for one in problems), encoding="utf-8")
        return run(name, f"-j{jobs}", "-f", file)


# --- `scripts/bench site`: what a reader's browser loads before the first move, and how long that takes ----

_LINES = {"fast": None, "1.6 Mbit/s": 200_000.0}
"""Bytes a second of the lines that are tried."""
_ROUND_TRIP = 150
"""Milliseconds of the slow line."""


@click.command()
@click.option("--moves", default=7, show_default=True, type=click.IntRange(1), help="The length of the problems.")
@click.option("--repeat", default=9, show_default=True, type=click.IntRange(1), help="Pages; medians count.")
def site(moves: int, repeat: int) -> None:
    """Bytes, and seconds to the board and until it can be played, of problem pages that `tsume site` made.

    In Chromium, without a cache and without compression, from a server on this machine.
    """
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        for words in (["import", "--collection"], ["site", "-m", str(moves), "-o", f"{work}/pages"]):
            subprocess.run([*TSUME, *words, "--db", f"{work}/site.db"], check=True, capture_output=True)
        pages = sorted(Path(work, "pages", "problems").glob("*.html"))[:repeat]
        server = _Server(("127.0.0.1", 0), partial(_SilentFiles, directory=f"{work}/pages"))
        Thread(target=server.serve_forever, daemon=True).start()
        chromium = which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"] if chromium else [])
        for line, rate in _LINES.items():
            found = []
            for page in pages:
                with browser.new_page() as tab:
                    session = tab.context.new_cdp_session(tab)
                    session.send("Network.enable")
                    if rate is not None:
                        slow = {"offline": False, "latency": _ROUND_TRIP, "downloadThroughput": rate}
                        session.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": rate})
                    tab.add_init_script(_WATCH)
                    tab.goto(f"http://127.0.0.1:{server.server_port}/problems/{page.name}", wait_until="networkidle")
                    found.append(tab.evaluate("[window.boardAt, window.playableAt, ...window.loaded()]"))
            board, playable, size, files = (median(one) for one in zip(*found, strict=True))
            largest = max(one[2] for one in found)
            click.echo(f"{line}: {size / 1000:.0f} KB (largest {largest / 1000:.0f}) in {files:.0f} files, "
                       f"board after {board / 1000:.2f} s, playable after {playable / 1000:.2f} s")  # fmt: skip
        server.shutdown()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A closed page breaks its connections."""


class _SilentFiles(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of a request."""


_WATCH = """
new MutationObserver(() => {
  window.boardAt ||= document.querySelector(".tb-piece") ? performance.now() : 0;
  window.playableAt ||= document.querySelector(".tp-typed input:not(:disabled)") ? performance.now() : 0;
}).observe(document, { childList: true, subtree: true, attributes: true });
window.loaded = () => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return [all.reduce((sum, one) => sum + one.decodedBodySize, 0), all.length];
};
"""


# --- `scripts/bench tree`: how long reply trees take, and how large they are -----------------------

FAST, SMALL = 2.0, 1_000_000
"""Seconds and bytes that a tree should stay below."""


@dataclass(frozen=True)
class MeasuredTree:
    seconds: float
    size: int
    fields: dict[str, Any]

    @property
    def turns(self) -> int:
        return len(self.fields["turns"])

    @property
    def proofs(self) -> Counter[str]:
        """Return how many checks fail by each proof, and how many are open."""
        checks = (check for turn in self.fields["turns"] for check in turn["checks"])
        return Counter(
            "open" if one["result"] == "open" else one["proof"] for one in checks if one["result"] != "mates"
        )


@click.command()
@problem_options
@click.option("-n", "--count", default=100, show_default=True, type=click.IntRange(1), help="Problems of each length.")
@click.option("--proof-nodes", default=PROOF_NODES, show_default=True, help="Nodes for proofs.")
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each tree.")
@click.option("--process", is_flag=True, help="Run the command for each problem: start-up counts.")
def tree(
    files: tuple[Path, ...], count: int, moves: tuple[int, ...], proof_nodes: int, seconds: float,
    process: bool, seed: int,
) -> None:  # fmt: skip
    """Make the trees of problems; wall-clock time."""
    engine, limits = DfPnEngine(), Limits(seconds=seconds)
    if not process:
        warm_engine(engine)
    by_length: dict[int, list[MeasuredTree]] = {}
    for problem in shuffled(files, moves, seed):
        measured = by_length.setdefault(problem.length, [])
        if len(measured) == count:
            continue
        sfen = format_sfen(problem.position)
        if process:
            done = run("tree", "--jsonl", "--proof-nodes", proof_nodes, "--time", seconds, sfen)
            measured.append(MeasuredTree(done.seconds, len(done.output), json.loads(done.output)))
            continue
        began = time.monotonic()
        found = reply_tree(engine, problem.position, limits, proof_nodes=proof_nodes)
        fields = tree_fields(found, ParsedSfen(problem.position))
        size = len(json.dumps(fields, ensure_ascii=False).encode())
        measured.append(MeasuredTree(time.monotonic() - began, size, fields))
    for length, measured in sorted(by_length.items()):
        click.echo(_tree_text(length, measured))


def _tree_text(length: int, measured: Sequence[MeasuredTree]) -> str:
    seconds = sorted(one.seconds for one in measured)
    sizes = sorted(one.size for one in measured)
    turns = sorted(one.turns for one in measured)
    slowest, largest, longest = (quantile(values, 0.9) for values in (seconds, sizes, turns))
    fast = sum(one <= FAST for one in seconds) / len(seconds)
    small = sum(one <= SMALL for one in sizes) / len(sizes)
    whole = sum(one.fields["complete"] for one in measured) / len(measured)
    proofs = sum((one.proofs for one in measured), Counter[str]())
    shares = ", ".join(f"{name} {number / proofs.total():.1%}" for name, number in proofs.most_common())
    return (
        f"{length:3} moves, {len(measured)} problems: median {median(seconds):.2f} s, 90% within "
        f"{slowest:.2f} s, {fast:.0%} within {FAST:.0f} s; median {median(sizes) / 1000:.1f} kB, "
        f"90% within {largest / 1000:.1f} kB, {small:.0%} within 1 MB; turns: median "
        f"{median(turns):.0f}, 90% within {longest}; complete {whole:.0%}; checks that do not mate: "
        f"{shares or 'none'}"
    )


# --- `scripts/bench games`: games played at random -------------------------------------------------


def random_game(seed: int, start: str = shogi.STARTING_SFEN, moves: int = 110) -> list[str]:
    """Return the moves of a game, at most so many, in which captures and promotions are liked."""
    board, rng = shogi.Board(start), Random(seed)
    line: list[str] = []
    while len(line) < moves and (legal := list(board.legal_moves)):
        weights = [1 + 4 * bool(board.piece_at(move.to_square)) + 2 * move.promotion for move in legal]
        (move,) = rng.choices(legal, weights)
        line.append(move.usi())
        board.push(move)
    return line


@click.command()
@click.option("-n", "--count", default=1000, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("-m", "--moves", default=110, show_default=True, type=click.IntRange(1), help="Moves of a game.")
@click.option("--copies", default=1, show_default=True, help="Give each game so often, to measure memory.")
@click.option("--max-moves", default=15, show_default=True, help="The longest mates that are searched for.")
@click.option("--made", is_flag=True, help="Make exercises and problems, too.")
@click.option("--seed", default=1, show_default=True, help="That of the first game.")
def games(count: int, moves: int, copies: int, max_moves: int, made: bool, seed: int) -> None:
    """Search games played at random with python-shogi for mates; wall clock, processor time, memory."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor() as pool:
        played = pool.map(partial(random_game, moves=moves), range(seed, seed + count), chunksize=8)
        lines = [f"startpos moves {' '.join(one)}\n" for one in played]
        path = Path(folder, "games.txt")
        path.write_text("".join(lines * copies))
        more = ["--exercises", "--problems", "--db", Path(folder, "made.db")] if made else []
        done = run("games", "--jsonl", "--max-moves", max_moves, *more, path)
    found = [json.loads(line) for line in done.output.splitlines()]
    number, turns = len(found), sum(game["moves"] + 1 for game in found)
    mates, unresolved = (sum(len(game[name]) for game in found) for name in ("mates", "unresolved"))
    kinds = Counter(one["kind"] for game in found for one in game.get("problems", ()))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    click.echo(f"{number} games, {turns} turns: {mates} mates, {unresolved} unresolved{f', made {dict(kinds)}' * made}")
    click.echo(
        f"{done.seconds:.0f} s, {done.processor / number:.2f} s of processor a game, at most {peak:.0f} MB a process"
    )
