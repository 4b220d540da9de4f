# SPDX-License-Identifier: GPL-3.0-or-later
"""Composes by a cluster whose parts are killed at random, and compares with an undisturbed run.

``scripts/chaos --moves 3 --seed 1 --count 200 --workers 3 --kills 20`` starts a Dask scheduler, processes of
``tsume worker`` and ``tsume generate``. Now and then one of them is killed: a worker's process, its nanny or
the scheduler. Nannies and schedulers are started again, and so is the run, by ``tsume runs resume``. In
the end the problems, the log of the run and what it knows must be those of ``--jobs 1``, to the letter.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import click

from db.store import Store

_TSUME = [sys.executable, "-m", "tsume"]
_KINDS = ("worker", "worker", "worker", "nanny", "nanny", "scheduler")
_ENOUGH = 3600.0


class _Cluster:
    """A scheduler and nannies with one worker each, as processes."""

    def __init__(self, folder: Path, port: int, workers: int) -> None:
        self.address = f"tcp://127.0.0.1:{port}"
        self._log = (folder / "cluster.log").open("ab")
        self._port = port
        self._scheduler = self._start_scheduler()
        self._nannies = [self._start_nanny() for _ in range(workers)]

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        command = [str(Path(sys.executable).with_name("dask")), "scheduler", "--host", "127.0.0.1", "--port",
                   str(self._port), "--no-dashboard", "--no-show"]  # fmt: skip
        return subprocess.Popen(command, stdout=self._log, stderr=self._log, start_new_session=True)

    def _start_nanny(self) -> subprocess.Popen[bytes]:
        command = [*_TSUME, "worker", self.address]
        return subprocess.Popen(command, stdout=self._log, stderr=self._log, start_new_session=True)

    def kill(self, kind: str, chance: random.Random) -> None:
        """Kill a part, and restart what does not restart by itself."""
        if kind == "scheduler":
            self._scheduler.kill()
            self._scheduler.wait()
            self._scheduler = self._start_scheduler()
        elif kind == "nanny":
            place = chance.randrange(len(self._nannies))
            self._nannies[place].kill()
            self._nannies[place].wait()
            self._nannies[place] = self._start_nanny()
        else:
            nanny = chance.choice(self._nannies)
            for process in _children(nanny.pid):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self.mend()

    def mend(self) -> None:
        """Start again the nannies that have ended."""
        self._nannies = [one if one.poll() is None else self._start_nanny() for one in self._nannies]

    def close(self) -> None:
        """End all of it."""
        for process in (*self._nannies, self._scheduler):
            process.terminate()
        for process in (*self._nannies, self._scheduler):
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()


def _children(process: int) -> list[int]:
    """The processes started by one, directly or not, that compose: those of Python's spawn."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], check=True, capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()[1:]]
    return [int(pid) for pid, parent, words in rows if int(parent) == process and "spawn_main" in words]


def _contents(place: Path) -> tuple[list[str], dict[str, object]]:
    """The problems of a store in the order in which they were found, and the totals of its run."""
    with Store.open(place, create=False) as store:
        problems = [
            f"{problem.sfen} {' '.join(move.usi for move in problem.line)} {problem.difficulty.score} "
            f"{problem.quality} {sorted(problem.themes)} {problem.provenance}"
            for problem in store.find()
        ]
        (run,) = store.runs.all()
        roots, keys = store.runs.lines(run.id)
        totals = run.totals
    return problems, {
        "next_root": totals.next_root, "found": totals.found, "counters": dict(totals.counters),
        "rejections": dict(totals.rejections), "lines": (roots.tolist(), keys.tolist()),
    }  # fmt: skip


@click.command()
@click.option("-m", "--moves", default=3, show_default=True)
@click.option("-n", "--count", default=100, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--style", default="free", show_default=True)
@click.option("--workers", default=3, show_default=True, type=click.IntRange(1))
@click.option(
    "--jobs", "also", multiple=True, type=int, help="Compare so many processes of this machine too."
)
@click.option("--kills", default=10, show_default=True, type=click.IntRange(0))
@click.option("--every", default=3.0, show_default=True, help="Seconds between two of them, on the average.")
@click.option("--port", default=18790, show_default=True)
@click.option("--chance", default=1, show_default=True, help="The seed of the killing.")
def chaos(
    moves: int, count: int, seed: int, style: str, workers: int, also: tuple[int, ...], kills: int,
    every: float, port: int, chance: int,
) -> None:  # fmt: skip
    """Compose with and without deaths; exits 1 unless the result is the same to the letter."""
    folder = Path(tempfile.mkdtemp())
    asked = [*_TSUME, "generate", f"-m{moves}", f"-n{count}", f"--seed={seed}", f"--style={style}"]
    alone = folder / "alone.db"
    _run([*asked, "--db", str(alone)])
    wanted = _contents(alone)
    good = True
    for jobs in also:
        place = folder / f"jobs{jobs}.db"
        _run([*asked, "-j", str(jobs), "--db", str(place)])
        good &= _is_same(wanted, _contents(place), f"{jobs} processes")
    told = _disturbed(folder, asked, workers, kills, every, port, random.Random(chance))
    good &= _is_same(wanted, _contents(folder / "cluster.db"), f"{workers} workers, {told}")
    click.echo(f"{moves} moves, seed {seed}, {count} problems: {'the same' if good else 'NOT THE SAME'}")
    if good:
        shutil.rmtree(folder)
    sys.exit(0 if good else 1)


def _run(command: list[str]) -> int:
    return subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ).returncode


def _disturbed(
    folder: Path, asked: list[str], workers: int, kills: int, every: float, port: int, chance: random.Random
) -> str:
    """Compose by a cluster and kill parts of it; says how often."""
    place = folder / "cluster.db"
    cluster = _Cluster(folder, port, workers)
    known = ["--scheduler", cluster.address, "--db", str(place)]
    log = (folder / "generate.log").open("ab")
    killed = dict.fromkeys(_KINDS, 0)
    resumed = 0
    try:
        time.sleep(5)
        run = subprocess.Popen([*asked, *known], stdout=log, stderr=log)
        end = time.monotonic() + _ENOUGH
        while time.monotonic() < end:
            with suppress(subprocess.TimeoutExpired):
                if run.wait(chance.expovariate(1 / every)) == 0:
                    break
                cluster.mend()
                time.sleep(2)
                command = [*_TSUME, "runs", "resume", "1", *known]
                run = subprocess.Popen(
                    command if place.exists() else [*asked, *known], stdout=log, stderr=log
                )
                resumed += 1
                continue
            if sum(killed.values()) < kills:
                kind = chance.choice(_KINDS)
                cluster.kill(kind, chance)
                killed[kind] += 1
        else:
            run.kill()
    finally:
        cluster.close()
    deaths = ", ".join(f"{number} of a {kind}" for kind, number in killed.items())
    return f"deaths: {deaths}; resumed {resumed} times"


def _is_same(
    wanted: tuple[list[str], dict[str, object]], found: tuple[list[str], dict[str, object]], what: str
) -> bool:
    other = [name for name in wanted[1] if wanted[1][name] != found[1][name]]
    if wanted[0] != found[0]:
        other.append(f"problems ({len(wanted[0])}, {len(found[0])})")
    click.echo(f"  {what}: {'other ' + ', '.join(other) if other else 'the same'}")
    return not other


if __name__ == "__main__":
    chaos()
