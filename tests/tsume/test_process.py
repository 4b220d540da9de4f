# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands as processes: statuses, streams, signals, lost workers, and a database server that is gone"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Never

import pytest

from db.runs import RunState
from db.store import Store
from generator.run.processes import WorkerLostError
from tests.postgresql import NoServer, Server, server
from tests.sampling import few
from tests.tsume.conftest import Run, problems_of, until
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tests.tsume.problems import HARD as ENDLESS

TSUME = [sys.executable, "-m", "tsume"]
PATIENCE = 300.0
ANSWER = f"mate in 3: {' '.join(CORRECT_LINE)}\n"


def run(*arguments: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*TSUME, *map(str, arguments)]
    return subprocess.run(command, text=True, timeout=PATIENCE, check=False, **options)


class Generation:
    """An endless run of generate in its own session."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.store, self.out, self.err = folder / "store.db", folder / "out", folder / "err"
        self.printed_before = len(self.printed) if self.out.exists() else 0
        self.has_workers = jobs > 1
        options = ["-m1", "-n1000000", "--style=free", f"-j{jobs}", "--db", str(self.store)]
        with self.out.open("a") as out, self.err.open("a") as err:
            self.process = subprocess.Popen(
                [*TSUME, "generate", *options], stdout=out, stderr=err, start_new_session=True
            )

    @property
    def printed(self) -> list[str]:
        """The SFENs of the complete lines printed so far."""
        return [line.split(" moves")[0] for line in self.out.read_text().split("\n")[:-1]]

    def wait_for(self, number: int) -> None:
        """Wait until this run has printed ``number`` problems, and has workers if it is to have some."""
        number += self.printed_before

        def is_there() -> bool:
            return len(self.printed) >= number and (bool(self.workers()) or not self.has_workers)

        assert until(lambda: is_there() or self.process.poll() is not None)
        assert self.process.poll() is None, self.err.read_text()

    def members(self) -> list[int]:
        """The living processes of the session."""
        return [int(pid) for sid, pid, state, _ in processes() if int(sid) == self.process.pid and state[0] != "Z"]

    def workers(self) -> list[int]:
        """The worker processes, which compose."""
        return [
            int(pid) for sid, pid, _, words in processes() if int(sid) == self.process.pid and "spawn_main" in words
        ]

    def check_ended_well(self, *, killed: bool = False) -> None:
        """Assert that no process is left, that just what is stored was printed, in its order, and no traceback. What
        was stored last may not be printed yet when the process is killed."""
        assert until(lambda: not self.members())
        stored = sfens(self.store)
        if killed:
            rest = iter(stored)
            assert all(sfen in rest for sfen in self.printed)
        else:
            assert self.printed == stored
        assert "Traceback" not in self.err.read_text()


def processes() -> list[list[str]]:
    """Session, number, state and command of every process."""
    shown = subprocess.run(["ps", "-ewwo", "sid=,pid=,stat=,args="], capture_output=True, text=True, check=True)
    return [line.split(None, 3) for line in shown.stdout.splitlines() if len(line.split()) > 3]


@pytest.fixture
def generate(tmp_path: Path) -> Iterator[Callable[..., Generation]]:
    """Starts runs of generate; those still running after the test are killed."""
    with ExitStack() as stack:

        def start(jobs: int, folder: str = "") -> Generation:
            (tmp_path / folder).mkdir(exist_ok=True)
            generation = Generation(tmp_path / folder, jobs)
            stack.callback(generation.process.wait)
            stack.callback(generation.process.kill)
            return generation

        yield start


def test_the_process_ends_with_the_command_s_status() -> None:
    commands: list[tuple[list[str | bytes], int]] = [
        (["check", CORRECT], 0), (["solve", CORRECT, "--max-moves=1"], 1),
        (["solve"], 2), (["list", "--db=/nowhere/x"], 1), (["solve", "--jsonl", b"\xff\xfe"], 1),
    ]  # fmt: skip
    for arguments, status in commands:
        done = subprocess.run([*TSUME, *arguments], capture_output=True, timeout=PATIENCE, check=False)
        assert done.returncode == status, arguments
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("jobs", [(), pytest.param(("-j1",), marks=pytest.mark.slow), ("-j2",)])
def test_an_answer_comes_while_the_pipe_is_still_open(jobs: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [*TSUME, "solve", "--jsonl", "-f", "-", *jobs], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(CORRECT + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == CORRECT_LINE
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


class Solving:
    """A ``solve`` in its own session: two positions, one that takes long, one more; the pipe stays open."""

    def __init__(self, folder: Path, *jobs: str) -> None:
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(
                [*TSUME, "solve", "--time=1000", *jobs, "-f", "-"],
                stdin=subprocess.PIPE, stdout=out, stderr=err, text=True, start_new_session=True,
            )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write("\n".join([CORRECT, CORRECT, ENDLESS, CORRECT, ""]))
        self.process.stdin.flush()
        assert until(lambda: self.out.read_text() == 2 * ANSWER)

    def members(self) -> list[tuple[int, str]]:
        """The living processes of the session, with their commands."""
        mine = [one for one in processes() if int(one[0]) == self.process.pid and one[2][0] != "Z"]
        return [(int(pid), words) for _, pid, _, words in mine]

    def check_ended(self, status: int, message: str) -> None:
        """Assert how it ended, that nothing else was told, and that no process is left."""
        assert self.process.wait(PATIENCE) == status
        assert until(lambda: not self.members())
        assert self.out.read_text() == 2 * ANSWER
        assert self.err.read_text() == message


@pytest.fixture
def solving(tmp_path: Path) -> Iterator[Callable[..., Solving]]:
    """Starts a ``solve``; it is killed after the test if it still runs."""
    with ExitStack() as stack:

        def start(*jobs: str) -> Solving:
            started = Solving(tmp_path, *jobs)
            stack.enter_context(started.process)
            stack.callback(started.process.kill)
            return started

        yield start


@pytest.mark.parametrize(("jobs", "number"), few(
    [((), signal.SIGINT), (("-j2",), signal.SIGTERM), (("-j2",), signal.SIGINT), (("-j1",), signal.SIGINT),
     (("-j1",), signal.SIGTERM), ((), signal.SIGTERM)], 2,
))  # fmt: skip
def test_an_interrupted_command_says_how_to_go_on(
    jobs: tuple[str, ...], number: signal.Signals, solving: Callable[..., Solving]
) -> None:
    started = solving(*jobs)
    os.killpg(started.process.pid, number)
    started.check_ended(130, "interrupted after 2 positions; continue with --skip 2\n")


@pytest.mark.parametrize("options", [(), ("--skip=1",)])
def test_a_terminal_shows_how_many_positions_are_answered(options: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "in.sfen"
    file.write_text(f"# three positions\n{CORRECT}\n\n{CORRECT}\n{CORRECT}\n")
    terminal, far_end = os.openpty()
    words = [*TSUME, "solve", "-f", str(file), *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=far_end, text=True) as process:
        os.close(far_end)
        told = b""
        with suppress(OSError):  # its other end is closed
            while data := os.read(terminal, 4096):
                told += data
        assert process.stdout is not None
        assert process.stdout.read() == (2 if options else 3) * ANSWER
    os.close(terminal)
    assert b"3 of 3 positions" in told


def test_a_killed_process_or_command_leaves_none(solving: Callable[..., Solving]) -> None:
    started = solving("-j2")
    for pid, words in started.members():
        if "spawn_main" in words:
            os.kill(pid, signal.SIGKILL)
    lost = "Error: a worker process ended with status -9 after 2 positions; continue with --skip 2\n"
    started.check_ended(1, lost)
    started = solving("-j2")
    started.process.kill()
    started.check_ended(-signal.SIGKILL, "")


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_a_reader_that_goes_away_ends_a_command(jobs: str) -> None:
    with subprocess.Popen(
        [*TSUME, "solve", jobs, "--time=1000", CORRECT, CORRECT, CORRECT, ENDLESS, "-f", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", few([["solve", CORRECT], ["--help"], ["show", CORRECT]], 2))
def test_output_that_cannot_be_written_is_an_error(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(*arguments, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "Error: output: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
def test_a_run_whose_output_cannot_be_written_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["generate", "-m1", "-n200", "--seed=4", "--style=free", "--db", tmp_path / "a"]
    hint = f"to continue: tsume runs resume 1 --db {tmp_path / 'a'}"
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(*words, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.splitlines()[-2:]) == (
        1, ["Error: output: No space left on device", hint],
    )  # fmt: skip
    words[-1] = tmp_path / "b"
    done = run(*words, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == hint.replace(str(tmp_path / "a"), str(tmp_path / "b"))


def test_closed_streams_are_errors_where_they_are_needed_and_what_cannot_be_shown_is_escaped() -> None:
    for closed in range(3):  # there is nothing in stdin
        done = run(
            "solve", CORRECT, "-f", "-", stdin=subprocess.DEVNULL, capture_output=True,
            preexec_fn=partial(os.close, closed),
        )  # fmt: skip
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert ("mate in 3" in done.stdout) == (closed != 1)
    done = run("show", CORRECT, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0
    assert r"3\u624b\u8a70" in done.stdout


@pytest.mark.parametrize(("jobs", "number"), few(
    [(1, signal.SIGTERM), (2, signal.SIGINT), (2, signal.SIGHUP), (1, signal.SIGINT), (2, signal.SIGTERM),
     (1, signal.SIGHUP)], 3
))  # fmt: skip
def test_a_signal_to_a_run(number: signal.Signals, jobs: int, generate: Callable[..., Generation]) -> None:
    generation = generate(jobs)
    generation.wait_for(2)
    os.killpg(generation.process.pid, number)
    assert generation.process.wait(PATIENCE) == 130
    generation.check_ended_well()
    with Store.open(generation.store) as store:
        assert store.stats().unfinished_runs == 0


def test_no_signal_is_lost_between_calls_of_kernels(generate: Callable[..., Generation]) -> None:
    for i in range(2):
        generation = generate(1, f"{i}")
        generation.wait_for(1)
        generation.process.terminate()
        assert generation.process.wait(PATIENCE) == 130


@pytest.mark.parametrize("deep", [False, True])
def test_an_interrupt_is_put_off_where_it_would_be_dropped(deep: bool) -> None:
    code = f"""if True:
        import signal, time
        from tsume.__main__ import _handle_signals
        def interrupt():
            signal.raise_signal(signal.SIGTERM)
        class Record:
            def __del__(self):
                try:
                    {"interrupt()" if deep else "signal.raise_signal(signal.SIGTERM)"}
                except KeyboardInterrupt:
                    print("dropped")
        _handle_signals()
        try:
            record = Record()
            del record
            time.sleep(60)
        except KeyboardInterrupt:
            print("taken")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "taken\n"


def test_a_killed_run_loses_nothing_and_leaves_no_process(generate: Callable[..., Generation]) -> None:
    for _ in range(2):
        generation = generate(2)
        generation.wait_for(2)
        generation.process.kill()
        assert generation.process.wait(PATIENCE) == -signal.SIGKILL
        generation.check_ended_well(killed=True)
    with Store.open(generation.store) as store:
        assert store.stats().unfinished_runs == 2


def test_a_worker_that_is_killed_ends_the_run_with_an_error(generate: Callable[..., Generation]) -> None:
    generation = generate(2)
    generation.wait_for(1)
    os.kill(generation.workers()[0], signal.SIGKILL)
    assert generation.process.wait(PATIENCE) == 1
    assert generation.err.read_text().splitlines()[-2:] == [
        "Error: a worker process ended with status -9",
        f"to continue: tsume runs resume 1 --db {generation.store}",
    ]
    generation.check_ended_well()


COMPOSING = ["generate", "-m1", "-n150", "--style=free", "--seed=7", "-j2"]


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A server that nobody else uses."""
    try:
        with server() as found:
            yield found
    except NoServer as why:
        pytest.skip(str(why))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The problems of the run without an outage."""
    place = tmp_path_factory.mktemp("undisturbed") / "store.db"
    subprocess.run([*TSUME, *COMPOSING, "--db", place], check=True, capture_output=True)
    return sfens(place)


def sfens(place: str | Path) -> list[str]:
    return [problem.sfen for problem in problems_of(place)]


def started(place: str, folder: Path) -> subprocess.Popen[str]:
    """A run that has stored something."""
    words = [*TSUME, *COMPOSING, "--db", place]
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        run = subprocess.Popen(words, stdout=out, stderr=err, text=True)
    assert until(lambda: bool((folder / "out").read_text()) or run.poll() is not None)
    return run


@contextmanager
def asleep(run: subprocess.Popen[str]) -> Iterator[None]:
    """Let a run sleep, so that it cannot end meanwhile: what it does next, it does after the block."""
    run.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        run.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("seconds", few((1.0, 0.0, 0.1, 4.0, 8.0, 20.0), 1))
def test_a_run_outlasts_a_restart_of_the_server(
    seconds: float, own_server: Server, undisturbed: list[str], tmp_path: Path
) -> None:
    long = seconds >= 1  # a short outage may fall between two transactions
    with own_server.store() as place:
        run = started(place, tmp_path)
        with asleep(run):
            own_server.stop()
        if long:
            until_told(tmp_path / "err", "retrying")
        time.sleep(seconds)
        own_server.start()
        assert run.wait(PATIENCE) == 0, (tmp_path / "err").read_text()
        assert sfens(place) == undisturbed
        printed = [line.split(" moves")[0] for line in (tmp_path / "out").read_text().splitlines()]
        assert printed == undisturbed
        told = (tmp_path / "err").read_text()
        assert told.count("retrying for 120 s") == told.count("reconnected after")
        assert "retrying" in told or not long
        assert "Traceback" not in told


def test_an_interrupt(own_server: Server, undisturbed: list[str], tmp_path: Path, tsume: Run) -> None:
    with own_server.store() as place:
        run = started(place, tmp_path)
        with asleep(run):
            own_server.stop()
        until_told(tmp_path / "err", "retrying")
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130
        own_server.start()
        told = (tmp_path / "err").read_text()
        assert "tsume runs resume 1" in told
        assert "Traceback" not in told
        assert tsume("runs", "resume", "1", "--db", place, "-j2").exit_code == 0
        assert sfens(place) == undisturbed
        with Store.open(place) as store:
            found = store.runs.get(1)
        assert found is not None
        assert found.state is RunState.COMPLETE


def until_told(file: Path, words: str) -> None:
    assert until(lambda: words in file.read_text())


def test_a_lost_worker_is_one_line_in_every_command(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_arguments: object) -> Never:
        raise WorkerLostError("a worker process ended with status -9")

    for work, command, options in (
        ("tsume.book.pages.book_pdf", "book", ["-j", "1"]),
        ("tsume.commands.web._make_site", "site", ["-j", "1"]),
        ("tsume.commands.export.ordered_map", "export", ["--format", "jsonl"]),
    ):
        monkeypatch.setattr(work, lose)
        done = tsume(command, "--db", made, "-o", tmp_path / "out", *options, status=1)
        assert done.stderr.splitlines()[-1] == "Error: a worker process ended with status -9"
        assert "Traceback" not in done.stderr
