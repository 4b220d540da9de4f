"""`tsume serve` as a process: its address, raw requests that no client library would send, its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.tsume.conftest import Run
from tsume import extras

SECONDS = 120


def test_an_extra_that_is_missing_is_named(tsume: Run, served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "uvicorn" else object())
    done = tsume("serve", "--db", served)
    assert done.exit_code == 1
    assert done.stderr == "Error: uvicorn is not installed: pip install 'tsume[web]' (or uvicorn alone)\n"


pytest.importorskip("starlette", reason="tsume[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume[web] is not installed")


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
def port(served: Path) -> Iterator[int]:
    arguments = [sys.executable, "-m", "tsume", "serve", "--db", str(served), "--port", "0"]
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        found = urlsplit(process.stdout.readline().strip())
        assert (found.scheme, found.hostname, found.path) == ("http", "127.0.0.1", "/")
        assert found.port is not None
        yield found.port
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to the worker too
        _, said = process.communicate(timeout=SECONDS)
        assert process.returncode in (0, 1, 130)
        assert "Traceback" not in said


def answer(port: int, request: bytes, patience: float = SECONDS) -> bytes:
    """What comes back for some bytes until the server ends, or says nothing for so many seconds."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as line:
        try:
            line.sendall(request)
            while part := line.recv(65536):
                said += part
        except (TimeoutError, ConnectionError):
            pass
    return said


HOST = b"Host: 127.0.0.1\r\n"
GOOD = b"GET /problems/1 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
HOSTILE = [
    b"", b"\r\n\r\n", b"\x00" * 1000, b"\xff" * 1000, b"GET", b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"x" * 100_000,
    b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 200_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET //etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /static/../../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000000\r\n\r\nx",
    b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\nx",
    b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET /problems/%f0%9f HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /?moves=%ff&theme=%00 HTTP/1.1\r\n" + HOST + b"\r\n",
]  # fmt: skip


@pytest.mark.parametrize("request_", HOSTILE, ids=lambda text: repr(text[:30]))
def test_hostile_bytes_leave_it_serving(port: int, request_: bytes) -> None:
    refused = answer(port, request_, patience=1)
    served = b"HTTP/1.1 2" if b"Upgrade" in request_ else b"HTTP/1.1 4"  # no other protocol: it is a GET
    assert refused == b"" or refused[:10] in (served, b"HTTP/1.1 3")
    assert b"root:" not in refused
    assert answer(port, GOOD).startswith(b"HTTP/1.1 200 ")


def test_slow_requests_leave_it_serving(port: int) -> None:
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    for line in slow:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.")
    good = answer(port, GOOD)
    for line in slow:
        line.close()
    assert good.startswith(b"HTTP/1.1 200 ")
