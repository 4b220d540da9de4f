# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that write to one store, killed at random, and what the store must hold afterwards."""

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from db.runs import RunTransaction
from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Grade, Judgement
from tsume_rules.moves import parse_move
from tsume_rules.position import Hand, Kind, Piece, Position, Side
from tsume_rules.sfen import canonical_sfen

_ROOT = Path(__file__).parents[2]
_COUNT = 2**40
_FEATURES = {"checks": 4.5, "quiet": 1.0}
_LINE = tuple(map(parse_move, ("G*5b", "5a4a", "2b3c+")))
_HANDS = ((Kind.PAWN, 18), (Kind.LANCE, 5), (Kind.KNIGHT, 5), (Kind.SILVER, 5), (Kind.GOLD, 5), (Kind.BISHOP, 3))
_KINGS = 36
"""Squares of files 1 to 4: no two are mirror images."""
_SHARED = 1_000_000
"""Problems from this number on are found by every writer."""
_LONGEST_PAUSE = 2.5
"""Seconds between two kills; a process takes about one to begin."""
_EACH = 90_000
"""Numbers of problems for each writer's own."""


def problem(number: int, seed: int, root: int) -> Problem:
    """A made-up problem by its number: no two are the same."""
    number, king = divmod(number, _KINGS)
    hand: dict[Kind, int] = {}
    for kind, sizes in _HANDS:
        number, hand[kind] = divmod(number, sizes)
    board: list[Piece | None] = [None] * 81
    board[king], board[53] = Piece(Side.DEFENDER, Kind.KING), Piece(Side.ATTACKER, Kind.DRAGON)
    judgement = Judgement(Defect.NONE, length=3, line=_LINE, grade=Grade.PERFECT)
    made, difficulty = Provenance(seed, root, "0", 1), Difficulty(_FEATURES, float(king))
    position = Position.completed(tuple(board), Hand.of(hand))
    return Problem(position, judgement, difficulty, made, ("drop",), float(root % 100))


def numbers(writer: int, root: int) -> list[int]:
    """The problems that a root of a writer gives: none, one of its own, and one that others find too."""
    own = [writer * _EACH + root] if root % 4 else []
    return [*own, _SHARED + root // 3] if root % 3 == 0 else own


def key(number: int) -> int:
    """What stands for the key of a problem."""
    return number * 2_654_435_761 - 2**62


def write(place: str, run_id: int, writer: int) -> None:
    """Take a run on root by root until the process is killed; prints each root once it is committed."""
    with Store.open(place) as store:
        run = store.runs.get(run_id)
        assert run is not None
        totals = run.totals
        while True:
            root = totals.next_root
            with store.runs.advancing(run_id, root) as step:
                found = totals.found + _add(step, run.seed, writer, root)
                totals = replace(totals, next_root=root + 1, found=found)
                step.set_totals(totals)
            print(root, flush=True)


def _add(step: RunTransaction, seed: int, writer: int, root: int) -> int:
    found = numbers(writer, root)
    given = [problem(number, seed, root) for number in found]
    stored = step.stored_sfens(given)
    step.add([one for one in given if canonical_sfen(one.position) not in stored])
    step.add_lines((root, key(number)) for number in found)
    return len(given) - len(stored)


@dataclass
class Outcome:
    """What became of the writers' work: what is wrong, and how much there was."""

    faults: list[str] = field(default_factory=list)
    kills: int = 0
    roots: int = 0
    problems: int = 0


def contest(place: str, writers: int, seconds: float, folder: Path, seed: int = 1) -> Outcome:
    """Let writers work on a new store, kill one after the other and start it again, then compare."""
    rng = random.Random(seed)
    with Store.open(place) as store:
        runs = [
            store.runs.start(seed=writer, moves=3, count=_COUNT, version="0", recipe=1, options={}).id
            for writer in range(writers)
        ]
    outcome = Outcome()
    with ExitStack() as opened:
        told = [opened.enter_context((folder / f"{run}.txt").open("wb")) for run in runs]

        def started(writer: int) -> subprocess.Popen[bytes]:
            words = [sys.executable, "-m", __name__, place, str(runs[writer]), str(writer)]
            return subprocess.Popen(words, cwd=_ROOT, stdout=told[writer])

        working = [started(writer) for writer in range(writers)]
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                time.sleep(rng.uniform(0.05, _LONGEST_PAUSE))
                writer = rng.randrange(writers)
                if working[writer].poll() is not None:
                    outcome.faults.append(f"writer {writer} ended by itself: {working[writer].returncode}")
                _kill(working[writer])
                outcome.kills += 1
                working[writer] = started(writer)
        finally:
            for process in working:
                _kill(process)
    _compare(place, runs, folder, outcome)
    return outcome


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _compare(place: str, runs: list[int], folder: Path, outcome: Outcome) -> None:
    """What the store holds must be what the roots gave, all of it and nothing else."""
    expected: set[int] = set()
    found = 0
    with Store.open(place, create=False) as store:
        for writer, run_id in enumerate(runs):
            run = store.runs.get(run_id)
            assert run is not None
            outcome.roots += run.totals.next_root
            found += run.totals.found
            given = [(root, number) for root in range(run.totals.next_root) for number in numbers(writer, root)]
            expected.update(number for _, number in given)
            told = [int(line) for line in (folder / f"{run_id}.txt").read_text().split()]
            outcome.faults += _run_faults(run_id, run.totals.next_root, told)
            roots, keys = store.runs.lines(run_id)
            lines = sorted((root, key(number)) for root, number in given)
            if list(zip(roots.tolist(), keys.tolist(), strict=True)) != lines:
                outcome.faults.append(f"run {run_id}: the lines are not those of its roots")
        canonical = [one.canonical for one in store.find(ProblemSelection(themes=("drop",)))]
        wanted = {canonical_sfen(problem(number, 0, 0).position) for number in expected}
        outcome.problems = len(canonical)
        if len(canonical) != len(set(canonical)) or set(canonical) != wanted:
            outcome.faults.append(f"{len(canonical)} problems are stored, {len(wanted)} were found")
        if found != len(canonical):
            outcome.faults.append(f"the totals say {found} problems, {len(canonical)} are stored")
    outcome.faults += _file_faults(place)


def _run_faults(run_id: int, next_root: int, told: list[int]) -> Iterator[str]:
    """A root that was told was committed; one that was committed was told unless the kill came between."""
    if told != sorted(set(told)):
        yield f"run {run_id}: a root was done twice"
    if told and told[-1] >= next_root:
        yield f"run {run_id}: root {told[-1]} was done, the store stands at {next_root}"


def _file_faults(place: str) -> list[str]:
    if "://" in place:
        return []
    with closing(sqlite3.connect(place)) as connection:
        said = connection.execute("PRAGMA integrity_check").fetchall()
    return [] if said == [("ok",)] else [f"{place}: {said[0]}"]


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
