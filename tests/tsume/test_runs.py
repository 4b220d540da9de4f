# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs are listed, shown and resumed; a killed run, once resumed, finds the same problems."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import Result

from db.errors import LostConnectionError
from db.runs import RunLog, RunState, RunTotals, RunTransaction
from db.store import Store
from generator.constraints.options import ComposingOptions
from generator.constraints.problem import ProblemConstraints
from generator.problem import line_key
from generator.problem_keys import key_hash, natural_problem_keys
from generator.run.composer import Composer, RootResult
from generator.run.novelty import NOTHING, KnownKeysView
from solver.results import Grade
from tests.sampling import few
from tests.tsume.conftest import Run, present
from tsume.commands import runs as commands
from tsume_rules.sfen import canonical_sfen

TSUME = [sys.executable, "-m", "tsume"]
PATIENCE = 300.0


def contents(place: Path) -> list[tuple[str, int | None]]:
    """Problems and their roots in a store, in the order they were found."""
    with Store.open(place, create=False) as store:
        return [(p.sfen, p.provenance.index if p.provenance else None) for p in store.find()]


def the_run(place: Path) -> Any:
    with Store.open(place, create=False) as store:
        (run,) = store.runs.all()
    return run


def counted(totals: RunTotals) -> RunTotals:
    """Totals without times."""
    return replace(totals, elapsed=0.0, seconds={})


# --- resuming -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("jobs", "kind"), few([(1, "--distinct-lines"), (2, "--style=natural"), (2, "--distinct-lines")], 2)
)
def test_a_run_killed_twice_gives_the_same(jobs: int, kind: str, tsume: Run, tmp_path: Path) -> None:
    asked = ["-m1", "-n12", "--seed=4", kind]
    assert tsume("generate", *asked, "--db", tmp_path / "whole").exit_code == 0
    broken = tmp_path / "broken"
    words = ["generate", *asked, "-j", str(jobs)]
    for kill_after in (1, 6):
        kill_when_stored([*words, "--db", str(broken)], broken, kill_after)
        words = ["runs", "resume", "1", "-j", str(3 - jobs)]
        assert the_run(broken).state in (RunState.RUNNING, RunState.COMPLETE)
    assert tsume(*words, "--db", broken).exit_code == 0
    assert contents(broken) == contents(tmp_path / "whole")
    assert the_run(broken).state is RunState.COMPLETE
    assert counted(the_run(broken).totals) == counted(the_run(tmp_path / "whole").totals)


def kill_when_stored(words: list[str], place: Path, number: int) -> None:
    """Run a command and kill it (SIGKILL) once ``number`` problems are stored."""
    with subprocess.Popen(
        [*TSUME, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        deadline = time.monotonic() + PATIENCE
        ended = False
        while stored_number(place) < number:
            assert not ended  # before that look: it would have stored more
            assert time.monotonic() < deadline
            time.sleep(0.01)
            ended = process.poll() is not None
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)


def stored_number(place: Path) -> int:
    if not place.exists() or not place.stat().st_size:
        return 0
    with Store.open(place) as store:
        return len(list(store.find()))


def test_a_run_out_of_time_is_resumed_with_its_grade(tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    stopped = tsume("generate", "-m1", "-n12", "--seed=4", "--time-limit=0.01", "--db", place, status=3)
    assert stopped.stderr.endswith(f"to continue: tsume runs resume 1 --db {place}\n")
    assert the_run(place).state is RunState.STOPPED
    done = tsume("runs", "resume", "1", "--db", place, "--jsonl", status=0)
    assert {json.loads(line)["seed"] for line in done.stdout.splitlines()} == {4}
    tsume("generate", "-m1", "-n12", "--seed=4", "--db", tmp_path / "whole", status=0)
    assert contents(place) == contents(tmp_path / "whole")
    asked = ("generate", "-m3", "-n8", "--seed=6", "--grade=sound", "--style=free", "--db")
    assert tsume(*asked, tmp_path / "whole2").exit_code == 0
    assert tsume(*asked, tmp_path / "a2", "--time-limit=0.01").exit_code == 3
    assert tsume("runs", "resume", "1", "--db", tmp_path / "a2").exit_code == 0
    assert contents(tmp_path / "a2") == contents(tmp_path / "whole2")
    with Store.open(tmp_path / "a2") as store:
        assert Grade.SOUND in {problem.grade for problem in store.find()}


@pytest.mark.parametrize("at_the_end", [False, True])
def test_an_interrupt_right_after_a_commit_loses_nothing(
    at_the_end: bool, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step is committed, but the process does not know that; what was found is printed all the same."""
    real = RunLog.advancing
    steps: list[int] = []

    class Cut:
        def __init__(self, step: Any) -> None:
            self._step = step

        def __enter__(self) -> Any:
            return self._step.__enter__()

        def __exit__(self, *error: Any) -> None:
            self._step.__exit__(*error)
            if at_the_end == (the_run(tmp_path / "a").totals.found == 12) and (at_the_end or len(steps) == 2):
                raise KeyboardInterrupt

    def step(log: RunLog, run_id: int, next_root: int) -> Any:
        steps.append(next_root)
        return Cut(real(log, run_id, next_root))

    monkeypatch.setattr(RunLog, "advancing", step)
    done = tsume("generate", "-m1", "-n12", "--seed=4", "--db", tmp_path / "a")
    assert (done.exit_code == 0) == at_the_end
    monkeypatch.undo()
    run, found = the_run(tmp_path / "a"), contents(tmp_path / "a")
    state = RunState.COMPLETE if at_the_end else RunState.INTERRUPTED
    assert (run.state, run.totals.found) == (state, len(found))
    assert [line.split(" moves")[0] for line in done.stdout.splitlines()] == [sfen for sfen, _ in found]
    if not at_the_end:
        assert tsume("runs", "resume", "1", "--db", tmp_path / "a").exit_code == 0
    assert tsume("generate", "-m1", "-n12", "--seed=4", "--db", tmp_path / "b").exit_code == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert counted(the_run(tmp_path / "a").totals) == counted(the_run(tmp_path / "b").totals)


def test_two_processes_of_one_run(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Composer.root

    def root(composer: Composer, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        if index == 3:
            with Store.open(tmp_path / "a") as other, other.runs.advancing(1, the_next(other)) as step:
                step.set_totals(RunTotals(next_root=99))
        return real(composer, index, known)

    def the_next(store: Store) -> int:
        return store.runs.all()[0].totals.next_root

    monkeypatch.setattr(Composer, "root", root)
    done = tsume("generate", "-m1", "-n50", "--seed=4", "--db", tmp_path / "a", status=1)
    told, line = done.stderr.splitlines()
    assert told.startswith("no model for mates in 1: ")
    assert "run 1 is at root 99, not " in line
    run = the_run(tmp_path / "a")
    assert (run.totals.next_root, run.state, run.ended_at) == (99, RunState.RUNNING, None)


@pytest.mark.parametrize("committed", [False, True])
def test_a_lost_connection_loses_nothing(
    committed: bool, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that was not committed is done again; one that was is not."""
    asked = ["generate", "-m1", "-n12", "--seed=4", "--distinct-lines", "--db"]
    assert tsume(*asked, tmp_path / "whole").exit_code == 0
    real, steps = RunLog.advancing, count()

    @contextmanager
    def step(log: RunLog, run_id: int, next_root: int) -> Iterator[RunTransaction]:
        lost = next(steps) == 2
        with real(log, run_id, next_root) as given:
            yield given
            if lost and not committed:
                raise LostConnectionError("gone")
        if lost:
            raise LostConnectionError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(RunLog, "advancing", step)
        done = tsume(*asked, tmp_path / "broken")
    assert done.exit_code == 0
    _, lost, back, *_ = done.stderr.splitlines()
    assert lost == "gone; retrying for 120 s"
    assert "reconnected after " in back
    assert contents(tmp_path / "whole") == contents(tmp_path / "broken")
    assert counted(the_run(tmp_path / "whole").totals) == counted(the_run(tmp_path / "broken").totals)


@pytest.mark.parametrize("verbose", [False, True])
def test_a_root_that_raises_is_recorded_and_the_run_goes_on(
    verbose: bool, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other roots give what they give; the summary, `runs show` and the exit status tell."""
    asked = ["generate", "-m1", "-n12", "--seed=4", "--style=free", "--db"]
    assert tsume(*asked, tmp_path / "whole").exit_code == 0
    whole = contents(tmp_path / "whole")
    broken = whole[0][1]
    real = Composer.root

    def root(composer: Composer, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        if index == broken:
            raise AssertionError("the board is odd")
        return real(composer, index, known)

    monkeypatch.setattr(Composer, "root", root)
    done = tsume(*asked, tmp_path / "broken", *["--verbose"] * verbose, status=1)
    name = f"root {broken}: AssertionError the board is odd (test_runs.py, line "
    assert f"an error ended {name}" in done.stderr
    assert done.stderr.count("Traceback") == verbose
    head, failure = done.stderr.splitlines()[-2:]
    assert head == "roots of seed 4 ended by an error, a bug that should be reported: 1"
    assert failure.startswith(f"  {name}")
    run = the_run(tmp_path / "broken")
    assert (run.state, run.totals.found) == (RunState.COMPLETE, 12)
    others = [problem for problem in whole if problem[1] != broken]
    assert contents(tmp_path / "broken")[: len(others)] == others
    assert name in tsume("runs", "show", "1", "--db", tmp_path / "broken").stdout


def test_a_finished_run_says_so(tsume: Run, store: Path) -> None:
    done = tsume("runs", "resume", "1", "--db", store)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "run 1 is finished: 3 of 3 problems\n"
    with Store.open(store) as opened:
        opened.runs.reopen(1)
    assert tsume("runs", "resume", "1", "--db", store).exit_code == 0
    with Store.open(store) as opened:
        assert opened.stats().unfinished_runs == 0


def test_a_run_that_cannot_be_resumed_gives_one_line(tsume: Run, made: Path, tmp_path: Path) -> None:
    for spoilt, fault in {
        "version = '0.0.9'": "run 1 was started by tsume 0.0.9; this is",
        "recipe = 0": "run 1 was started with generator version 0; this is ",
        "recipe = NULL": "run 1 was started with generator version unknown; this is ",
        "next_root = NULL": "run 1 was made by a version without resumable runs",
        'options = \'{"length": 3, "odd": 1}\'': "the options of run 1 are unreadable",
        "options = '[]'": "the options of run 1 are unreadable",
    }.items():
        store = Path(copy(made, tmp_path / "store.db"))
        with Store.open(store) as opened, opened._sessions.writer.begin() as connection:
            connection.exec_driver_sql(f"UPDATE runs SET count = 1000, {spoilt} WHERE id = 1")
        done = tsume("runs", "resume", "1", "--db", store, status=1)
        (line,) = done.stderr.splitlines()
        assert fault in line


# --- looking --------------------------------------------------------------------------------------


def test_runs_are_listed_and_unknown_ones_are_errors(tsume: Run, made: Path) -> None:
    lines = tsume("runs", "list", "--db", made).stdout.splitlines()
    assert len(lines) == 3
    assert [line.split()[:4] for line in lines[1:]] == [["1", "1", "3", "3"], ["2", "3", "3", "3"]]
    assert all("complete" in line for line in lines[1:])
    assert set(commands.runs.commands) == {"list", "show", "resume"}
    for command in ("show", "resume"):
        done = tsume("runs", command, "9", "--db", made)
        assert (done.exit_code, done.stderr) == (1, f"Error: {made}: no run 9\n")
        assert tsume("runs", command, "0", "--db", made).exit_code == 2
        assert tsume("runs", command, "9" * 30, "--db", made).exit_code == 2
    wishes = ProblemConstraints(themes=("sacrifice",), min_score=2.5, hand="R2P", distinct_lines=True)
    for options in (ComposingOptions(3), ComposingOptions(5, table_bits=18, wishes=wishes, starts=("a", "b"))):
        assert ComposingOptions.from_dict(json.loads(json.dumps(options.to_dict()))) == options


def test_a_run_is_shown_with_rejections_in_the_order_of_the_tests(tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    assert tsume(
        "generate", "-m3", "-n2", "--seed=4", "--max-score=90", "--distinct-lines", "--db", place
    ).exit_code == 0  # fmt: skip
    lines = tsume("runs", "show", "1", "--db", place).stdout.splitlines()
    assert lines[0].startswith("run 1 complete: 2 of 2 problems in ")
    assert lines[1].startswith("requested: 2 problems of 3 moves, seed 4, tsume ")
    assert lines[2:4] == ["style: natural", "conditions: max_score 90.0, distinct_lines"]
    assert {"stages", "rejected", "ratings"} <= set(lines)
    assert tsume("generate", "-m1", "-n1", "--seed=4", "--style=free", "--db", place).exit_code == 0
    assert "style: natural" not in tsume("runs", "show", "2", "--db", place).stdout.splitlines()
    from generator.acceptance import Rejection

    place = tmp_path / "a2"
    assert tsume("generate", "-m3", "-n12", "--seed=2", "--db", place).exit_code == 0
    lines = tsume("runs", "show", "1", "--db", place).stdout.splitlines()
    shown = lines[lines.index("rejected") + 1 : lines.index("ratings")]
    order = [reason.value for reason in Rejection]
    places = [order.index(line.rsplit(None, 1)[0].strip()) for line in shown]
    assert places == sorted(places)
    assert len(places) > 2


def test_a_run_with_odd_options_is_shown_as_far_as_possible(tsume: Run, store: Path) -> None:
    options: Any
    for options, line in (
        ({"around": "x", "fixed": [0, 81, -1, 0, 4.5, "a", None, []]}, "composed around x, keeping 1a"),
        ({"around": ["x"], "fixed": 3}, "composed around ['x']"),
        ({"around": "x"}, "composed around x"),
    ):
        with Store.open(store) as opened, opened._sessions.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE runs SET options = ?", (json.dumps(options),))
        assert line in tsume("runs", "show", "2", "--db", store).stdout.splitlines()
    with Store.open(store) as opened, opened._sessions.writer.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET options = '[1]', next_root = NULL")
        connection.exec_driver_sql("UPDATE rejections SET reason = 'odd' WHERE reason = 'mates sooner'")
    assert tsume("runs", "show", "2", "--db", store).exit_code == 0
    assert tsume("runs", "list", "--db", store).exit_code == 0


# --- distinct lines -------------------------------------------------------------------------------


def test_with_distinct_lines_no_two_lines_of_a_run_are_the_same(tsume: Run, tmp_path: Path) -> None:
    asked = ["-m1", "-n20", "--seed=3", "--style=free"]
    assert tsume("generate", *asked, "--db", tmp_path / "any").exit_code == 0
    asked.append("--distinct-lines")
    assert tsume("generate", *asked, "--db", tmp_path / "distinct").exit_code == 0
    keys = []
    for name in ("any", "distinct"):
        with Store.open(tmp_path / name) as store:
            keys.append({line_key(problem.line) for problem in store.find()})
            rejected = store.stats().rejections
    assert (len(keys[0]) < 20, len(keys[1])) == (True, 20)
    assert rejected["its line is that of another problem of the run"] > 0


def test_two_of_one_root_and_line(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Composer.root

    def root(composer: Composer, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        result = real(composer, index, known)
        return replace(result, problems=[one for one in result.problems for _ in range(2)])

    monkeypatch.setattr(Composer, "root", root)
    asked = ["generate", "-m1", "-n5", "--seed=3", "--style=free", "--db"]
    assert tsume(*asked, tmp_path / "a").exit_code == 0
    assert tsume(*asked, tmp_path / "b", "--distinct-lines").exit_code == 0
    for name, reason in (("a", "already found or stored"), ("b", "its line is that of another problem of the run")):
        with Store.open(tmp_path / name) as store:
            positions = {canonical_sfen(problem.position) for problem in store.find()}
            assert len(positions) == 5
            assert store.stats().rejections[reason] >= 4


def interrupted_at(cut: int, run: Callable[[], Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command that is interrupted when it comes to root ``cut``."""
    real = Composer.root

    def root(composer: Composer, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        if index == cut:
            raise KeyboardInterrupt
        return real(composer, index, known)

    with monkeypatch.context() as patch:
        patch.setattr(Composer, "root", root)
        assert run().exit_code != 0


def run_whole_and_broken(
    asked: Sequence[object], cut: int, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run once to the end, once interrupted at root ``cut`` and resumed: the stores must be the same."""
    assert tsume(*asked, tmp_path / "whole").exit_code == 0
    interrupted_at(cut, lambda: tsume(*asked, tmp_path / "broken"), monkeypatch)
    assert tsume("runs", "resume", "2", "--db", tmp_path / "broken").exit_code == 0
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


@pytest.mark.parametrize("cut", few([5, 2, 9], 1))
def test_resumed_distinct(cut: int, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of duplicates of another run count alike, whether the run was interrupted or not."""
    for name in ("whole", "broken"):
        assert tsume("generate", "-m1", "-n12", "--seed=3", "--db", tmp_path / name).exit_code == 0
    asked = ["generate", "-m1", "-n20", "--seed=3", "--distinct-lines", "--db"]
    run_whole_and_broken(asked, cut, tsume, tmp_path, monkeypatch)
    totals = []
    for name in ("whole", "broken"):
        with Store.open(tmp_path / name) as store:
            run = present(store.runs.get(2))
            totals.append(counted(run.totals))
            keys = [line_key(problem.line) for problem in store.find() if problem.run_id == 2]
        assert len(set(keys)) == len(keys) == 20
    assert totals[0] == totals[1]
    assert totals[0].rejections["already found or stored"] > 0


@pytest.mark.parametrize("cut", [1, 50])
def test_resumed_and_exhausted(cut: int, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    final = "7k1/6+RG1/9/9/9/9/9/9/9 w -"  # no check leads to it
    asked = ["generate", "-m3", "--final", final, "--exact", "--seed=1", "--db"]
    assert tsume(*asked, tmp_path / "whole").exit_code == 3
    whole = the_run(tmp_path / "whole")
    interrupted_at(cut, lambda: tsume(*asked, tmp_path / "broken"), monkeypatch)
    assert the_run(tmp_path / "broken").totals.next_root == cut
    for _ in range(2):  # an exhausted run stays so
        done = tsume("runs", "resume", "1", "--db", tmp_path / "broken", status=3)
        assert "to continue" not in done.stderr
        broken = the_run(tmp_path / "broken")
        assert broken.state is RunState.EXHAUSTED
        assert counted(broken.totals) == counted(whole.totals)


# --- natural problems -----------------------------------------------------------------------------


def key_sets(place: Path, run: int) -> list[tuple[str, ...]]:
    with Store.open(place) as store:
        return [
            natural_problem_keys(problem.position, problem.line) for problem in store.find() if problem.run_id == run
        ]


@pytest.mark.parametrize("cut", few([18, 10, 26], 1))
def test_resumed_natural(cut: int, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys of all problems found come back, those too of problems that were in the store before."""
    grown = ["-m1", "--seed=3", "--style=natural"]  # one move: by reverse construction, which is quicker
    for name in ("whole", "broken"):
        asked = ["generate", *grown, "-n8", "--db", tmp_path / name]
        assert tsume(*asked).exit_code == 0
    asked = ["generate", *grown, "-n20", "--db"]
    run_whole_and_broken(asked, cut, tsume, tmp_path, monkeypatch)
    totals = []
    for name in ("whole", "broken"):
        with Store.open(tmp_path / name) as store:
            run = present(store.runs.get(2))
            totals.append(counted(run.totals))
            earlier = set(store.runs.lines(2)[1].tolist())
        keys = [key for pair in key_sets(tmp_path / name, 2) for key in pair]
        assert len(set(keys)) == len(keys) == 40
        assert set(map(key_hash, keys)) < earlier
    assert totals[0] == totals[1]
    assert totals[0].rejections["already found or stored"] > 0
