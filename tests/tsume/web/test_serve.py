# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume serve` as a process: slow clients, workers, addresses, and hostile bytes"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from urllib.parse import urlsplit

import pytest

from compiler.build import PARTS
from tests.sampling import few
from tests.tsume.conftest import Run, refused, until
from tests.tsume.problems import COOKED, CORRECT, HARD, UNREADABLE
from tests.tsume.web.serving import GOOD, HOST, SECONDS, Served, command, post, serving
from tsume import extras
from tsume.web.server import own_host_name
from tsume_rules.kernel.compile import library_of

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")

has_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc: processes are not listed")


def test_what_is_missing_or_taken_is_named(
    tsume: Run, tmp_path: Path, served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(tsume, "serve", "--db", tmp_path / "none.db")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(tsume, "serve", "--db", served, "--port", port)
    assert line.startswith(f"Error: 127.0.0.1 port {port}: ")
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "uvicorn" else object())
    line = refused(tsume, "serve", "--db", served)
    assert line == "Error: uvicorn is not installed: pip install 'tsume-shogi[web]' (or uvicorn alone)"


@pytest.fixture(scope="module")
def server(served: Path) -> Iterator[Served]:
    with serving(served) as server:
        yield server


def judgement(sfen: str) -> bytes:
    return json.dumps({"sfen": sfen}).encode()


# --- slow clients -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HTTP/1.1\r\nHost: 127.", post("/api/judgement", b"x" * 500)[:-400]],
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


@has_proc
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
    assert [line for line in said.splitlines() if "builds the solver" not in line and "building" not in line] == []


@has_proc
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_while_it_builds(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    kernels = library_of("solver").path.parent
    (tmp_path / "tsume").mkdir()
    (tmp_path / "tsume" / kernels.name).symlink_to(kernels)  # nothing else is built there
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(served) as process:
        server = Served(urlsplit(first_line(process)).port or 0, process.pid)
        for _ in range(2):
            said = server.answer(GOOD.replace(b"/problems/1", b"/static/solver.json"))
            assert b'"state":"building"' in said
        assert server.serves()
        compiles = b"compiler.build"  # both parts: a part that has just been forked looks like its parent
        assert until(lambda: sum(compiles in command(pid) for pid in descendants(process.pid)) == PARTS)
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
    makefile.write_text(f"serve:\n\t@{sys.executable} -m tsume serve --db {served} --port 0\n", encoding="utf-8")
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
        (("--read-only",), OTHERS_UNSAVED),
        (("--open", "--read-only"), "Everybody may view and solve problems, and search. Nobody can save."),
        (("--open",), "Everybody may view and solve problems, search, and save. There is no password."),
    ],
)
def test_addresses_and_what_others_may_do(served: Path, options: tuple[str, ...], told: str) -> None:
    with told_by(served, "--host", "0.0.0.0", "--lang", "en", *options) as (server, said):
        assert server.serves()
    network, others = said
    assert others == told
    assert "0.0.0.0" not in network
    assert re.match("Addresses for other machines: http://|The address of this machine", network)


def test_the_host_name_of_the_machine_is_answered(named: Served) -> None:
    name = own_host_name()
    if name is None:
        pytest.skip("this machine has no name")
    asked = GOOD.replace(b"Host: 127.0.0.1", b"Host: " + name.encode())
    assert named.answer(asked)[9:12] == b"200"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6")
def test_everywhere_is_ipv4_too(served: Path) -> None:
    with told_by(served, "--host", "::", "--lang", "ja") as (server, said):
        assert b'"grade":"perfect"' in server.posted("/api/judgement", judgement(CORRECT))
    assert "ほかの端末からは閲覧して解くことだけができます。" in "".join(said)


@contextmanager
def told_by(store: Path, *options: str) -> Iterator[tuple[Served, list[str]]]:
    """`tsume serve` as a process; in the list is what it has said, once it was interrupted after the block."""
    with running(store, *options) as process:
        address = first_line(process)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        said: list[str] = []
        yield Served(urlsplit(address).port or 0, process.pid), said
        process.send_signal(signal.SIGINT)
        rest, told = process.communicate(timeout=SECONDS)
        assert rest == ""
        said += told.splitlines()


def test_this_machine_alone_is_told_nothing(served: Path) -> None:
    with told_by(served) as (_, said):
        pass
    assert said == []


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


def test_it_may_be_asked_by_its_address_where_it_listens_to_all_and_is_read_only(named: Served) -> None:
    for name, status in (
        ("192.168.1.5:8000", b"200"), ("[fe80::1]", b"200"), ("board.example", b"200"),
        ("localhost", b"200"), ("evil.example", b"421"), ("192.168.1.5.evil.example", b"421"),
        ("2130706433", b"421"),
    ):  # fmt: skip
        asked = GOOD.replace(b"Host: 127.0.0.1", b"Host: " + name.encode())
        assert named.answer(asked)[9:12] == status, name
    assert named.posted("/api/problems", judgement(COOKED)).startswith(b"HTTP/1.1 403 ")
    assert named.posted("/api/judgement", judgement(COOKED)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may write anything")
def test_a_store_that_cannot_be_written_to(served: Path, tmp_path: Path) -> None:
    store = tmp_path / "locked.db"
    store.write_bytes(served.read_bytes())
    store.chmod(0o444)
    tmp_path.chmod(0o555)
    with serving(store) as server:
        said = server.posted("/api/problems", judgement("5+B1Sl/7k1/5RPp1/9/9/9/9/9/9 b rb4g3s4n3l16p 1"))
    assert said.startswith(b"HTTP/1.1 422 ")


JSON = b"Content-Type: application/json\r\n"
JUDGED = json.dumps({"sfen": CORRECT}).encode()
END = b"\r\n"


def get(path: bytes, headers: bytes = b"", version: bytes = b"HTTP/1.1") -> bytes:
    return b"GET %s %s\r\n" % (path, version) + HOST + headers + END


def bare(method: bytes, headers: bytes, body: bytes = JUDGED, path: bytes = b"/api/judgement") -> bytes:
    """A request with these headers only, and a length."""
    length = b"Content-Length: %d\r\n" % len(body)
    return b"%s %s HTTP/1.1\r\n" % (method, path) + headers + length + END + body


def of_length(length: bytes) -> bytes:
    """The head of a request that is said to have so many bytes."""
    return b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: " + length + END * 2


def chunked(*parts: bytes, headers: bytes = b"") -> bytes:
    """A judgement that is sent in parts."""
    sent = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    head = b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + headers
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + sent


def judged(**fields: object) -> bytes:
    return json.dumps({"sfen": CORRECT, **fields}).encode()


BYTES = {
    "nothing": b"",
    "line ends": b"\r\n\r\n",
    "zeros": b"\x00" * 1000,
    "no text": b"\xff" * 1000,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a method only": b"GET",
    "no Host": b"GET / HTTP/1.1\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n",
    "HTTP/1.0 without Host": b"GET / HTTP/1.0\r\n\r\n",
    "spaces in the line": b"GET  /  HTTP/1.1\r\n" + HOST + END,
    "two Hosts": get(b"/", b"Host: evil.example\r\n"),
    "two equal Hosts": get(b"/", HOST),
    "a header without end": b"GET / HTTP/1.1\r\n" + b"x" * 100_000,
    "a large header": get(b"/", b"X: " + b"y" * 200_000 + END),
    "many headers": get(b"/", b"X: y\r\n" * 20_000),
    "a header without name": get(b"/", b": x\r\n"),
    "a header with a space": get(b"/", b"Content-Length : 5\r\n"),
    "zero in a header": get(b"/", b"X: a\x00b\r\n"),
    "a long address": get(b"/" + b"a" * 60_000),
    "a long query": get(b"/?title=" + b"x" * 5000),
    "the address of another site": get(b"http://evil.example/", b"Host: evil.example\r\n"),
    "CONNECT": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + END,
    "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + END,
    "a method of lower case": b"post /api/judgement HTTP/1.1\r\n" + HOST + JSON + END,
    "an endless method": b"G" * 70_000,
}
SMUGGLED = {
    "length and chunks": bare(b"POST", HOST + JSON + b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\nGET /x"),
    "two lengths": bare(b"POST", HOST + JSON + b"Content-Length: 3\r\n"),
    "a list of lengths": of_length(b"5, 6"),
    "a negative length": of_length(b"-1"),
    "a length with a sign": of_length(b"+5"),
    "a length in hexadecimal": of_length(b"0x5"),
    "another coding": bare(b"POST", HOST + JSON + b"Transfer-Encoding: gzip\r\n"),
    "chunked twice": bare(b"POST", HOST + JSON + b"Transfer-Encoding: chunked, chunked\r\n"),
    "chunked with a tab": bare(b"POST", HOST + JSON + b"Transfer-Encoding:\tchunked\r\n", b"0\r\n\r\n"),
    "chunked with a space": bare(b"POST", HOST + JSON + b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
    "a body with GET": bare(b"GET", HOST + b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"/"),
    "a huge chunk": chunked() + b"ffffffffffffffff\r\nx",
    "a chunk that is no number": chunked() + b"zz\r\nx\r\n0\r\n\r\n",
    "a chunk with a long extension": chunked() + b"1;" + b"x" * 70_000,
    "compressed": bare(b"POST", HOST + JSON + b"Content-Encoding: gzip\r\n", b"\x1f\x8b" + b"\x00" * 50),
}
LARGE = {
    "a large body": post("/api/judgement", b" " * 70_000 + JUDGED),
    "a body said to be large": of_length(b"999999999") + b"{",
    "a length of many digits": of_length(b"9" * 500),
    "large in parts": chunked(*[b" " * 4096] * 20, JUDGED, b""),
    "a long text": post("/api/judgement", judged(line="7g7f " * 10_000)),
    "a long position": post("/api/judgement", json.dumps({"sfen": "9/" * 20_000}).encode()),
    "a long list": post("/api/mending", judged(keep=["5e"] * 5000)),
    "deep lists": post("/api/judgement", b'{"sfen":' + b"[" * 60_000),
    "deep objects": post("/api/judgement", b'{"a":' * 10_000),
    "a number of many digits": post("/api/judgement", judged(moves=0)[:-2] + b"9" * 60_000 + b"}"),
    "many fields": post("/api/judgement", json.dumps({str(n): 1 for n in range(5000)}).encode()),
    "a long title": post("/api/problems", judged(title="x" * 201)),
    "a long comment": post("/api/problems", judged(comment="x" * 10_001)),
}
OTHER_SITES = {
    "another Host": bare(b"POST", b"Host: evil.example\r\n" + JSON),
    "a Host that begins alike": bare(b"POST", b"Host: 127.0.0.1.evil.example\r\n" + JSON),
    "a Host with a user": bare(b"POST", b"Host: 127.0.0.1@evil.example\r\n" + JSON),
    "an empty Host": bare(b"POST", b"Host:\r\n" + JSON),
    "a forwarded Host": bare(b"POST", b"Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\n" + JSON),
    "another Origin": bare(b"POST", HOST + JSON + b"Origin: http://evil.example\r\n"),
    "no Origin of a sandbox": bare(b"POST", HOST + JSON + b"Origin: null\r\n"),
    "an Origin at another port": bare(b"POST", HOST + JSON + b"Origin: http://127.0.0.1:9\r\n"),
    "two Origins": bare(b"POST", HOST + JSON + b"Origin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n"),
    "an Origin that is none": bare(b"POST", HOST + JSON + b"Origin: http://[\r\n"),
    "a fetch from another site": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\n"),
    "a fetch from another port": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: same-site\r\n"),
    "a typed address": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: none\r\n"),
    "a navigation from another site": bare(
        b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
    ),
    "a question before (CORS)": bare(
        b"OPTIONS", HOST + b"Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n", b""
    ),
    "signing out from another site": bare(b"DELETE", HOST + b"Origin: http://evil.example\r\n", b"", b"/api/session"),
    "a result from another site": bare(
        b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\n", b"{}", b"/api/results"
    ),
    "a person by a form": bare(
        b"POST", HOST + b"Content-Type: application/x-www-form-urlencoded\r\n", b"name=x", b"/api/persons"
    ),
    "a form": bare(b"POST", HOST + b"Content-Type: application/x-www-form-urlencoded\r\n", b"sfen=x"),
    "a form with files": bare(b"POST", HOST + b"Content-Type: multipart/form-data; boundary=x\r\n"),
    "JSON as a text": bare(b"POST", HOST + b"Content-Type: text/plain\r\n"),
    "JSON of no type": bare(b"POST", HOST),
    "JSON of two types": bare(b"POST", HOST + b"Content-Type: text/plain\r\n" + JSON),
    "JSON of a type that begins alike": bare(b"POST", HOST + b"Content-Type: application/jsonx\r\n"),
    "JSON behind a comma": bare(b"POST", HOST + b"Content-Type: text/plain, application/json\r\n"),
    "a save as a text": bare(b"POST", HOST + b"Content-Type: text/plain\r\n", JUDGED, b"/api/problems"),
    "a save by a form": bare(b"POST", HOST + b"Content-Type: text/plain\r\n", b'{"sfen":"=', b"/api/problems"),
}
METHODS = {
    "PUT": bare(b"PUT", HOST + JSON),
    "DELETE of persons": bare(b"DELETE", HOST + JSON, b"", b"/api/persons"),
    "DELETE of results": bare(b"DELETE", HOST + JSON, b"", b"/api/results"),
    "GET of results": get(b"/api/results"),
    "GET of a session": get(b"/api/session"),
    "PUT of a person": bare(b"PUT", HOST + JSON, b"{}", b"/api/me"),
    "DELETE": bare(b"DELETE", HOST + JSON, b"", b"/api/problems/1/tree"),
    "PATCH": bare(b"PATCH", HOST + JSON, JUDGED, b"/api/problems"),
    "a method of its own": bare(b"SAVE", HOST + JSON, JUDGED, b"/api/problems"),
    "GET of what is posted": get(b"/api/judgement?sfen=x"),
    "GET that says POST": get(b"/api/problems", b"X-HTTP-Method-Override: POST\r\n"),
    "POST that says PUT": bare(b"POST", HOST + JSON + b"X-HTTP-Method: PUT\r\n", JUDGED, b"/api/record"),
    "a method in the query": get(b"/api/problems?_method=POST&sfen=x"),
    "POST to a page": bare(b"POST", HOST + JSON, JUDGED, b"/problems/1"),
    "POST to the start": bare(b"POST", HOST + JSON, JUDGED, b"/"),
    "POST to a file": bare(b"POST", HOST + JSON, JUDGED, b"/static/board.js"),
    "POST to nothing": bare(b"POST", HOST + JSON, JUDGED, b"/api/nothing"),
    "POST beside the API": bare(b"POST", HOST + JSON, JUDGED, b"//api/problems"),
    "POST past the API": bare(b"POST", HOST + JSON, JUDGED, b"/api/../problems/1"),
}
FIELDS_OF: dict[str, dict[str, object]] = {
    "/api/persons": {"name": "太郎", "passphrase": "correct horse"},
    "/api/session": {"name": "太郎", "passphrase": "correct horse"},
    "/api/results": {
        "problem": 1, "mode": "free", "solved": True, "moves": 3, "mistakes": 0, "hints": 0, "seconds": 9
    },
    "/api/runs": {"mode": "timed", "solved": 1, "seconds": 9},
}  # fmt: skip
"""The other fields of a body; those of a judgement where none are given."""
VALUES = {
    f"{path} {name}: {value!r}"[:60]: post(
        path, json.dumps({**FIELDS_OF.get(path, {"sfen": CORRECT}), name: value}).encode()
    )
    for path, name, values in (
        ("/api/judgement", "sfen", [None, 1, True, [], {}, "", " ", "\n", "x" * 301, CORRECT + "\0", "１"]),
        ("/api/judgement", "line", [None, 1, [], ["3d2c"], "x", "3d2c,1b1a", "0a0b", "3d2c\n.", "٣d2c"]),
        ("/api/judgement", "moves", [None, "3", 0, -1, 1000, 1.5, 1e300, True, [3], 2**62]),
        ("/api/judgement", "position", ["x"]),
        ("/api/judgement", "__proto__", [{}]),
        ("/api/mending", "keep", [None, "5e", [5], ["5"], ["0a"], ["5e", "5e"], [["5e"]], {}]),
        ("/api/mending", "count", [0, 21, "1", False]),
        ("/api/enriching", "plies", [1, 3, 10]),
        ("/api/problems", "title", [1, "a\nb", "\u202e", "\u0000", "\ud800", ["x"]]),
        ("/api/problems", "author", ["\x1b[31m", {}]),
        ("/api/problems", "id", [1]),
        ("/api/persons", "name", [None, 1, [], {}, "", " ", "a\nb", "\u202e", "\u0000", "\ud800", "x" * 41]),
        ("/api/persons", "passphrase", [None, 1, ["x"], "", "7 lette", "x" * 201]),
        ("/api/persons", "id", [1]),
        ("/api/session", "name", [None, 1, True, ["太郎"], {}, "x" * 41]),
        ("/api/session", "token", ["x"]),
        ("/api/results", "problem", [None, "1", 0, -1, 1.5, True, [1], {}, 2**31, 2**62]),
        ("/api/results", "mode", [None, 1, "", "TRAINING", "x", ["day"]]),
        ("/api/results", "solved", [None, 0, 1, "true", []]),
        ("/api/results", "seconds", [None, "9", -1, 86401, 0.5, 1e300, True]),
        ("/api/results", "day", [None, 1, "", "x", "2026-02-30", "0000-01-01", "٢٠٢٦-٠١-٠١"]),
        ("/api/results", "person", [2]),
        ("/api/results", "rating", [3000]),
        ("/api/runs", "mode", [None, "training", "day"]),
        ("/api/runs", "solved", [None, -1, 10_000, "5"]),
    )
    for value in values
}
WISHES = {
    f"wish {number}": post("/api/generating", json.dumps(wish).encode())
    for number, wish in enumerate(
        [
            {}, {"moves": 3}, {"moves": 2, "count": 1}, {"moves": 17, "count": 1}, {"moves": 3, "count": 51},
            {"moves": 3, "count": 0}, {"moves": 3, "count": 1, "themes": ["x"]}, {"count": 1},
            {"moves": 3, "count": 1, "themes": "smothered"}, {"moves": 3, "count": 1, "stars": 6},
            {"moves": 3, "count": 1, "line": "x x"}, {"moves": 3, "count": 1, "last": "K*"},
            {"moves": 3, "count": 1, "seed": -1}, {"moves": 3, "count": 1, "seed": 2**32},
            {"moves": 3, "count": 1, "pieces": 2}, {"moves": 3, "count": 1, "natural": 1},
            {"moves": 3, "count": 1, "db": "/etc/passwd"}, {"moves": "3", "count": 1}, [3, 1], 3, None, "x",
        ]
    )
}  # fmt: skip
POSITIONS = {f"position {sfen[:30]}": post("/api/judgement", json.dumps({"sfen": sfen}).encode())
             for sfen in UNREADABLE}  # fmt: skip
TEXTS = {
    name: post("/api/judgement", text)
    for name, text in {
        "no text": b"", "half a text": b'{"sfen":"', "NaN": b'{"moves":NaN}', "Infinity": b'{"moves":1e999}',
        "a field twice": b'{"sfen":"x","sfen":"y"}', "half a character": b'{"sfen":"\\ud800"}',
        "UTF-16": '{"sfen":1}'.encode("utf-16"), "no UTF-8": b'{"sfen":"\xff"}', "XML": b"<!DOCTYPE x>",
        "a comment": b"{/**/}", "single quotes": b"{'sfen':1}", "a comma": b'{"sfen":"x",}',
        "two objects": b"{}{}", "a mark before": b"\xef\xbb\xbf{}",
    }.items()
}  # fmt: skip
PATHS = {
    path: get(path.encode())
    for path in (
        "//etc/passwd", "/static/../../../../etc/passwd", "/static/..%2f..%2fetc/passwd", "/static/%00",
        "/static/.", "/problems/%f0%9f", "/problems/1%00", "/problems/1;x", "/?moves=%ff&theme=%00", "/api/",
        "/api/record", "/api/record?sfen=%00", "/api/record?sfen=x&sfen=y", "/api/record?format=../../x",
        "/api/diagram.svg?sfen=<script>", "/api/problems/0/tree", "/api/problems/-1/tree", "*",
        "/api/problems/99999999999999999999/tree", "/api/openapi.json/../../x", "/%2e%2e/%2e%2e/etc/passwd",
        "/api/problems/1/tree?moves=x", "/api/problems/1/tree?moves=9a9b", "/api/problems/1/tree?moves=%00",
        "/api/problems/1/tree?moves=3d2c,9i9h", "/api/problems/1/tree?moves=" + "3d2c,1b1a," * 100,
        "/api/problems/1/tree?moves=" + "3d2c," * 1000, "/api/problems/1/tree?moves=3d2c&moves=3d2c",
        "/api/problems/1/tree?whole=yes", "/api/problems/1/tree?turn=1", "/api/problems/99/tree?moves=3d2c",
        "/templates/base.html", "/static/../templates/base.html", "/.git/config", "/api/judgement/", "/%ff",
        "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%5capp.py", "/static//etc/passwd", "/static/",
        "/static/%2fetc%2fpasswd", "/static/board.js%00.css", "/problems/0", "/problems/-1", "/problems/1.5",
        "/problems/" + "9" * 1500, "/problems/1/", "/problems/x", "/api/problems/99/tree", "/api/problems/1/tree/",
        "/problems/%31%00", "/static/../app.py",
    )
}  # fmt: skip
HOSTILE = {**BYTES, **SMUGGLED, **LARGE, **OTHER_SITES, **METHODS, **PATHS}
SECRETS = (b"Traceback", b'File "', b"root:", b"site-packages", b"access-control-allow", b"import ")


def test_what_is_hostile_is_refused_and_the_server_serves(server: Served) -> None:
    failures = []
    for name, sent in HOSTILE.items():
        said = server.answer(sent, patience=0.5, lull=0.5 if name in SMUGGLED else 0.1)
        held = said == b"" or said.startswith((b"HTTP/1.1 4", b"HTTP/1.1 307 "))
        held &= said.count(b"HTTP/1.1 ") <= 1 or b"HTTP/1.1 2" not in said
        held &= not any(secret.lower() in said.lower() for secret in SECRETS)
        if not (held and server.serves()):
            failures.append((name, said[:300]))
    assert failures == []


def test_what_is_wrong_is_told_in_one_line(server: Served) -> None:
    failures = []
    for name, sent in {**VALUES, **WISHES, **POSITIONS, **TEXTS}.items():
        said = server.answer(sent)
        head, _, body = said.partition(b"\r\n\r\n")
        error = json.loads(body).get("error") if head.split(b" ", 2)[1] == b"400" else None
        has_secret = any(secret.lower() in said.lower() for secret in SECRETS)
        if has_secret or not (error and error.isprintable() and len(error) < 700):
            failures.append((name, head, body))
    assert failures == []
    assert server.serves()


def test_who_may_ask(server: Served) -> None:
    for headers, status in {
        b"": b"200",
        b"Sec-Fetch-Site: same-origin\r\n": b"200",
        b"Origin: http://127.0.0.1\r\n": b"200",
        b"X-Forwarded-For: 127.0.0.1\r\n": b"403",  # a server in front of this one asks for somebody
        b"X-Forwarded-For: 10.0.0.1\r\n": b"403",
        b"Forwarded: for=127.0.0.1\r\n": b"403",
        b"X-Real-IP: 127.0.0.1\r\n": b"403",
    }.items():
        assert server.posted("/api/judgement", JUDGED, headers=headers)[9:12] == status, headers


def test_a_body_in_parts_another_protocol_and_the_store(server: Served) -> None:
    said = server.answer(chunked(JUDGED[:10], JUDGED[10:], b"", headers=b"Connection: close\r\n"))
    assert said.startswith(b"HTTP/1.1 200 ")
    asked = get(b"/", b"Upgrade: websocket\r\nConnection: Upgrade, close\r\n")
    assert server.answer(asked).startswith(b"HTTP/1.1 200 ")  # it is a GET
    assert b"/problems/4" not in server.answer(get(b"/", b"Connection: close\r\n")), "as it was"
