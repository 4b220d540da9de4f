# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume serve` as a process: its address, slow and hostile requests, its workers, its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from urllib.parse import urlsplit

import pytest

from tests.sampling import few
from tests.tsume.conftest import Run
from tests.tsume.problems import COOKED, CORRECT, HARD
from tests.tsume.web.serving import GOOD, SECONDS, Served, command, post, serving
from tsume import extras
from tsume.web.own_addresses import own_host_name

has_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="no /proc: processes are not listed"
)


def test_an_extra_that_is_missing_is_named(tsume: Run, served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "uvicorn" else object())
    done = tsume("serve", "--db", served)
    assert done.exit_code == 1
    assert (
        done.stderr == "Error: uvicorn is not installed: pip install 'tsume-shogi[web]' (or uvicorn alone)\n"
    )


pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")


def test_a_store_that_is_not_there(tsume: Run, tmp_path: Path) -> None:
    done = tsume("serve", "--db", tmp_path / "none.db")
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken(tsume: Run, served: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = tsume("serve", "--db", served, "--port", port)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: 127.0.0.1 port {port}: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def server(served: Path) -> Iterator[Served]:
    with serving(served) as server:
        yield server


def judgement(sfen: str) -> bytes:
    return json.dumps({"sfen": sfen}).encode()


# --- slow clients -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.",
        post("/api/judgement", b"x" * 500)[:-400],
    ],
    ids=["idle", "half a header", "half a body"],
)
def test_slow_requests_leave_it_serving(server: Served, sent: bytes) -> None:
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
    try:
        for line in slow:
            line.sendall(sent)
        assert server.serves()
        assert b'"grade":"unsound"' in server.posted("/api/judgement", judgement(COOKED))
    finally:
        for line in slow:
            line.close()


@pytest.mark.slow
def test_a_request_that_never_ends_is_given_up(server: Served) -> None:
    assert is_given_up(server.port, pause=0.5)
    assert server.serves()


def test_a_request_is_waited_for_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, with less timeouts."""
    import uvicorn
    from starlette.applications import Starlette

    from tsume.web import server as http_server

    monkeypatch.setattr(http_server, "REQUEST_SECONDS", 1.0)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(Starlette(), http=http_server.TimeoutProtocol, log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    began = time.monotonic()
    try:
        assert is_given_up(listener.getsockname()[1], pause=0.05)
        assert time.monotonic() - began >= 1.0
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def is_given_up(port: int, pause: float) -> bool:
    """Whether a request of which a byte comes now and then, but never the end, is given up."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        for _ in range(120):
            try:
                line.sendall(b"X")
                line.settimeout(pause)
                if line.recv(100) == b"":
                    return True
            except TimeoutError:
                continue
            except ConnectionError:
                return True
    return False


# --- workers ------------------------------------------------------------------------------


def until(holds: Callable[[], bool], timeouts: float = 300.0) -> bool:
    """Wait until something holds; whether it does in the end."""
    deadline = time.monotonic() + timeouts
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def has_all_workers(server: Served) -> bool:
    """Wait until it has its processes, of which there are more where there are more processors."""
    from tsume.web.app import PROCESSES

    return until(lambda: len(server.workers()) == PROCESSES)


def test_closing_the_connection_ends_the_work(server: Served) -> None:
    for _ in range(20):  # more than may wait
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(post("/api/judgement", judgement(HARD)))
            time.sleep(0.05)
    assert b'"grade":"perfect"' in server.posted("/api/judgement", judgement(CORRECT))


@has_proc
def test_a_worker_that_is_killed_while_it_works(server: Served) -> None:
    assert has_all_workers(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as line:
        line.sendall(post("/api/generating", b'{"moves":15,"count":50}'))
        assert line.recv(4096).startswith(b"HTTP/1.1 200 ")
        before = server.workers()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        said = b""
        while part := line.recv(4096):
            said += part
    assert b'"event":"end","complete":false' in said
    assert b'"grade":"perfect"' in server.posted("/api/judgement", judgement(CORRECT))
    assert has_all_workers(server)
    assert not set(before) & set(server.workers())


def test_a_lost_judgement_is_told(server: Served) -> None:
    assert has_all_workers(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as line:
        line.sendall(post("/api/judgement", judgement(HARD)))
        time.sleep(0.5)
        for pid in server.workers():
            os.kill(pid, signal.SIGKILL)
        said = line.recv(4096)
    assert said.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after:" in said.lower()
    assert b'"grade":"perfect"' in server.posted("/api/judgement", judgement(CORRECT))


@has_proc
@pytest.mark.parametrize("how", few([signal.SIGTERM, signal.SIGKILL, signal.SIGINT], 2))
def test_no_process_is_left(served: Path, how: signal.Signals) -> None:
    with serving(served) as server:
        assert server.serves()
        assert until(lambda: len(server.workers()) > 1)
        workers = server.workers()
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(post("/api/generating", b'{"moves":15,"count":50}'))
            time.sleep(0.5)
            os.kill(server.pid, how)
            assert until(lambda: not any(b"spawn_main" in command(pid) for pid in workers))
            assert until(lambda: not command(server.pid))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_no_error(served: Path, how: signal.Signals) -> None:
    with running(served) as process:
        assert first_line(process)
        process.send_signal(how)
        _, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert [
        line for line in said.splitlines() if "builds the solver" not in line and "building" not in line
    ] == []


@has_proc
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_while_it_compiles_and_builds(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where nothing is compiled or built
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    with running(served) as process:
        server = Served(urlsplit(first_line(process)).port or 0, process.pid)
        for _ in range(2):
            said = server.answer(GOOD.replace(b"/problems/1", b"/static/solver.json"))
            assert b'"state":"building"' in said
        assert server.serves()
        assert until(lambda: any(b"browser.lowering" in command(pid) for pid in descendants(process.pid)))
        children = descendants(process.pid)
        builders = [pid for pid in children if b"browser.__main__" in command(pid)]
        assert len(builders) == 1
        process.send_signal(how)
        _, said_on_stderr = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "Traceback" not in said_on_stderr
        assert until(lambda: not any(command(pid) for pid in children), 30)


def descendants(pid: int) -> list[int]:
    """The children of a process and theirs, by `/proc`."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in path.read_text(encoding="ascii").split()]
    return found + [one for child in found for one in descendants(child)]


@pytest.mark.skipif(sys.platform == "win32" or which("make") is None, reason="make is not installed")
def test_make_ends_well_too(served: Path, tmp_path: Path) -> None:
    import pty

    makefile = tmp_path / "Makefile"
    makefile.write_text(
        f"serve:\n\t@{sys.executable} -m tsume serve --db {served} --port 0\n", encoding="utf-8"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("make", ["make", "-f", str(makefile), "serve"])
    said = b""
    with os.fdopen(terminal, "r+b", buffering=0) as keyboard:
        while b"http://" not in said:
            said += keyboard.read(1024)
        keyboard.write(b"\x03")
        with suppress(OSError):  # the terminal is closed at the end
            while part := keyboard.read(1024):
                said += part
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"Error" not in said
    assert b"Traceback" not in said


# --- addresses ----------------------------------------------------------------------------


OTHERS_UNSAVED = "Others may view and solve problems. Only this machine may search. Nobody can save."
OTHERS = "Others may view and solve problems. Only this machine may search and save (--open allows all)."


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), OTHERS),
        (
            ("--read-only",),
            "Others may view and solve problems. Only this machine may search. Nobody can save.",
        ),
        (("--open", "--read-only"), "Everybody may view and solve problems, and search. Nobody can save."),
        (("--open",), "Everybody may view and solve problems, search, and save. There is no password."),
    ],
)
def test_an_address_that_can_be_opened_and_what_others_may_do(
    served: Path, options: tuple[str, ...], told: str
) -> None:
    with running(served, "--host", "0.0.0.0", "--lang", "en", *options) as process:
        address = first_line(process)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        assert Served(urlsplit(address).port or 0, process.pid).serves()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
    network, others = said.splitlines()
    assert others == told
    assert "0.0.0.0" not in said
    assert re.match("Addresses for other machines: http://|The address of this machine", network)


def test_the_host_name_of_the_machine_is_answered(named: Served) -> None:
    name = own_host_name()
    if name is None:
        pytest.skip("this machine has no name")
    asked = GOOD.replace(b"Host: 127.0.0.1", b"Host: " + name.encode())
    assert named.answer(asked)[9:12] == b"200"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6")
def test_everywhere_is_ipv4_too(served: Path) -> None:
    with running(served, "--host", "::", "--lang", "ja") as process:
        address = first_line(process)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        server = Served(urlsplit(address).port or 0, process.pid)
        assert b'"grade":"perfect"' in server.posted("/api/judgement", judgement(CORRECT))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
    assert "ほかの端末からは閲覧して解くことだけができます。" in said


def test_this_machine_alone_is_told_nothing(served: Path) -> None:
    with running(served) as process:
        assert first_line(process).startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=SECONDS) == ("", "")


@contextmanager
def running(store: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`tsume serve` as a process."""
    arguments = [sys.executable, "-m", "tsume", "serve", "--db", str(store), "--port", "0", *options]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture(scope="module")
def named(served: Path) -> Iterator[Served]:
    """A server that listens to all, has a name, and writes nothing."""
    with serving(served, "--host", "0.0.0.0", "--name", "board.example", "--read-only") as server:
        yield server


def test_it_may_be_asked_by_its_address_where_it_listens_to_all(named: Served) -> None:
    for name, status in (
        ("192.168.1.5:8000", b"200"), ("[fe80::1]", b"200"), ("board.example", b"200"),
        ("localhost", b"200"), ("evil.example", b"421"), ("192.168.1.5.evil.example", b"421"),
        ("2130706433", b"421"),
    ):  # fmt: skip
        asked = GOOD.replace(b"Host: 127.0.0.1", b"Host: " + name.encode())
        assert named.answer(asked)[9:12] == status, name


def test_reading_only(named: Served) -> None:
    assert named.posted("/api/problems", judgement(COOKED)).startswith(b"HTTP/1.1 403 ")
    assert named.posted("/api/judgement", judgement(COOKED)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may write anything"
)
def test_a_store_that_cannot_be_written_to(served: Path, tmp_path: Path) -> None:
    store = tmp_path / "locked.db"
    store.write_bytes(served.read_bytes())
    store.chmod(0o444)
    tmp_path.chmod(0o555)
    with serving(store) as server:
        said = server.posted("/api/problems", judgement("5+B1Sl/7k1/5RPp1/9/9/9/9/9/9 b rb4g3s4n3l16p 1"))
    assert said.startswith(b"HTTP/1.1 422 ")
