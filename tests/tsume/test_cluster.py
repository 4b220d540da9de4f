# SPDX-License-Identifier: GPL-3.0-or-later
"""Many machines compose what one composes: a Dask scheduler and its workers, as processes."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import product
from pathlib import Path

import pytest

from db.store import Store
from tests.tsume.conftest import Run, problems_of, refused, until
from tsume.cluster import differences_between_builds, fingerprint_of_build, own_build_properties

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'tsume-shogi[cluster]'")

TSUME = [sys.executable, "-m", "tsume"]
DASK = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
ASKED = ["generate", "-m3", "-n80", "--seed=7", "--style=free"]
PATIENCE = 300.0


class Cluster:
    """A scheduler and what works for it."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.log = folder / "cluster.log"
        self.scheduler = self.start_scheduler()

    def listens(self) -> bool:
        """Whether the scheduler takes connections."""
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        ends = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-show"]
        return self.start(*DASK, *ends)

    def start_worker(self, jobs: int = 1) -> subprocess.Popen[bytes]:
        return self.start(*TSUME, "worker", self.address, "--jobs", str(jobs), "--wait", "120")

    def close(self) -> None:
        """End the workers first: without their scheduler they would wait for it."""
        for process in reversed(self.processes):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    place = tmp_path_factory.mktemp("alone") / "store.db"
    subprocess.run([*TSUME, *ASKED, "--db", place], check=True, capture_output=True)
    return contents(place)


def contents(place: Path) -> list[str]:
    """The problems in the order in which they were found, and the totals of the run."""
    with Store.open(place, create=False) as store:
        (run,) = store.runs.all()
        counts = sorted({**run.totals.counters, **run.totals.rejections}.items())
        found = [f"{one.sfen} {one.line} {one.difficulty} {one.provenance}" for one in store.find()]
        return [*found, f"{run.totals.next_root} {counts}"]


def found_in(place: Path) -> int:
    with suppress(Exception):
        return len(problems_of(place))
    return 0


def children(process: int) -> list[int]:
    """The worker processes of a nanny."""
    told = subprocess.run(["ps", "-eo", "pid,ppid,args"], check=True, capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in told.splitlines()[1:]]
    return [int(pid) for pid, parent, words in rows if int(parent) == process and "spawn_main" in words]


def composing(cluster: Cluster, place: Path, *words: str) -> subprocess.Popen[str]:
    """A run for the cluster; it does not wait for a scheduler that does not listen yet."""
    assert until(cluster.listens)
    command = [*TSUME, *(words or ASKED), "--scheduler", cluster.address, "--db", str(place)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_killed_workers_change_nothing(cluster: Cluster, alone: list[str], tmp_path: Path) -> None:
    nannies = [cluster.start_worker(), cluster.start_worker()]
    place = tmp_path / "store.db"
    run = composing(cluster, place)
    assert until(lambda: found_in(place) > 0 or run.poll() is not None)
    for process in children(nannies[0].pid):
        os.kill(process, signal.SIGKILL)
    nannies[1].kill()
    stdout, stderr = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, stderr
    assert contents(place) == alone
    assert len(stdout.splitlines()) == 80


def test_a_run_goes_on_with_another_scheduler(cluster: Cluster, alone: list[str], tmp_path: Path) -> None:
    cluster.start_worker()
    place = tmp_path / "store.db"
    run = composing(cluster, place)
    assert until(lambda: found_in(place) > 0 or run.poll() is not None)
    cluster.scheduler.kill()
    _, stderr = run.communicate(timeout=PATIENCE)
    if run.returncode != 0:  # else it was quicker
        (line,) = (line for line in stderr.splitlines() if line.startswith("Error"))
        assert "the scheduler is gone" in line
        assert "tsume runs resume 1" in stderr
        assert "Traceback" not in stderr
        cluster.scheduler.wait()
        cluster.start_scheduler()
        cluster.start_worker()
        again = composing(cluster, place, "runs", "resume", "1")
        _, stderr = again.communicate(timeout=PATIENCE)
        assert again.returncode == 0, stderr
    assert contents(place) == alone


def test_a_worker_of_another_build_gets_no_work(cluster: Cluster, tmp_path: Path) -> None:
    settings = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    cluster.start(sys.executable, "-m", "distributed.cli.dask_worker", cluster.address, *settings)
    assert until(lambda: b"Registered to" in cluster.log.read_bytes())
    run = composing(cluster, tmp_path / "store.db")
    _, stderr = run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    assert "gets no work: it was not started by `tsume worker`" in stderr
    assert "no worker of the scheduler gets the same results as this tsume" in stderr
    assert "Traceback" not in stderr


COMMANDS = [[*ASKED, "--scheduler"], ["runs", "resume", "1", "--scheduler"], ["worker"]]
ADDRESSES = ["tcp://127.0.0.1:1", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "tls://[::1]:1"]


def test_where_no_scheduler_listens(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command, address in product(COMMANDS, ADDRESSES):
        line = refused(tsume, *command, address, *(["--wait", "0.1"] if command == ["worker"] else []))
        assert f"{address}: the scheduler does not respond" in line
        assert list(tmp_path.iterdir()) == []


@contextmanager
def silent() -> Iterator[socket.socket]:
    """Something that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        yield listener


def address_of(listener: socket.socket) -> str:
    return f"tcp://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Begins commands without waiting for them: several at once wait no longer than one."""
    with ExitStack() as stack:

        def begin(*words: str) -> subprocess.Popen[str]:
            run = subprocess.Popen(
                [*TSUME, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
            )
            stack.enter_context(run)
            stack.callback(run.kill)
            return run

        yield begin


def test_what_is_no_scheduler_is_one_line(begun: Callable[..., subprocess.Popen[str]]) -> None:
    with silent() as listener:
        asked = [(command, address_of(listener)) for command in COMMANDS] + [(COMMANDS[0], ADDRESSES[0])]
        for run, address in [(begun(*command, address), address) for command, address in asked]:
            _, stderr = run.communicate(timeout=PATIENCE)
            assert run.returncode == 1
            (line,) = stderr.splitlines()
            assert f"{address}: the scheduler does not respond" in line


def test_waiting_for_a_scheduler_can_be_interrupted(begun: Callable[..., subprocess.Popen[str]]) -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(silent()) for _ in COMMANDS]
        runs = [begun(*command, address_of(one)) for command, one in zip(COMMANDS, listeners, strict=True)]
        for run, listener in zip(runs, listeners, strict=True):
            stack.enter_context(waiting(listener))
            run.send_signal(signal.SIGINT)
            _, stderr = run.communicate(timeout=PATIENCE)
            assert run.returncode in (130, 1)  # 1: it had given up before
            assert "Traceback" not in stderr


def waiting(listener: socket.socket) -> socket.socket:
    """The first connection that is not closed at once: whoever made it waits for an answer."""
    while True:
        line, _ = listener.accept()
        line.settimeout(0.5)
        try:
            if line.recv(1):
                return line
        except TimeoutError:
            return line
        line.close()


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--scheduler", "host:8786"), "'host:8786' is not the address of a scheduler"),
        (("--scheduler", "tcp://"), "'tcp://' is not the address of a scheduler"),
        (("--scheduler", "tcp://host:1", "-j2"), "--jobs is for this machine"),
        (("--tls-ca", __file__), "need --scheduler"),
    ],
)
def test_contradicting_options(words: tuple[str, ...], fault: str, tsume: Run, tmp_path: Path) -> None:
    for command in (ASKED, ["runs", "resume", "1"]):
        done = tsume(*command, *words, "--db", tmp_path / "store.db", status=2)
        assert fault in done.stderr
    assert not (tmp_path / "store.db").exists()


OURS = {"tsume": "1.0", "numpy": "2.0", "numpy's processor features": "AVX AVX2"}


def test_builds_and_their_differences() -> None:
    assert fingerprint_of_build(OURS) == fingerprint_of_build(dict(reversed(OURS.items())))
    assert all(fingerprint_of_build({**OURS, name: "other"}) != fingerprint_of_build(OURS) for name in OURS)
    assert differences_between_builds(OURS, OURS) == []
    theirs = {**OURS, "numpy": "2.1", "numpy's processor features": "AVX AVX512F", "cffi": "2.0"}
    assert differences_between_builds(OURS, theirs) == [
        "cffi 2.0 there, none here",
        "numpy 2.1 there, 2.0 here",
        "numpy's processor features: AVX512F only there, AVX2 only here",
    ]
    found = own_build_properties()
    assert set(found) == {"tsume", "recipe", "kernels", "numpy", "numpy's processor features"}
    assert all(found.values())
    assert found == own_build_properties()
