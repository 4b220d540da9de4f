# SPDX-License-Identifier: GPL-3.0-or-later
"""The server as a process, for the tests that need one."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

SECONDS = 300
HOST = b"Host: 127.0.0.1\r\n"
GOOD = b"GET /problems/1 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"


@dataclass(frozen=True)
class Served:
    """A server that runs: its port and its process."""

    port: int
    pid: int

    @property
    def address(self) -> str:
        """Where it is asked."""
        return f"http://127.0.0.1:{self.port}"

    def answer(self, request: bytes, patience: float = SECONDS, lull: float = SECONDS) -> bytes:
        """What comes back for some bytes until it ends, or says nothing for so many seconds.

        ``lull``: how long it may say nothing when it has said something.
        """
        said = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as line:
            try:
                line.sendall(request)
                while part := line.recv(65536):
                    said += part
                    line.settimeout(min(lull, patience))
            except (TimeoutError, ConnectionError):
                pass
        return said

    def posted(self, path: str, body: bytes, patience: float = SECONDS, headers: bytes = b"") -> bytes:
        """What comes back for a JSON body."""
        return self.answer(post(path, body, headers), patience)

    def serves(self) -> bool:
        """Whether it answers what makes sense."""
        return self.answer(GOOD).startswith(b"HTTP/1.1 200 ")

    def workers(self) -> list[int]:
        """Its processes, by `/proc`; those that keep its semaphores are none of them."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        return [int(pid) for pid in children if b"spawn_main" in command(int(pid))]


def post(path: str, body: bytes, headers: bytes = b"") -> bytes:
    """A request with a JSON body."""
    length = b"Content-Length: %d\r\n" % len(body)
    kind = b"Content-Type: application/json\r\nConnection: close\r\n"
    return b"POST %s HTTP/1.1\r\n" % path.encode() + HOST + kind + length + headers + b"\r\n" + body


def command(pid: int) -> bytes:
    """What a process runs; empty if it is gone or a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def serving(store: Path, *options: str) -> Iterator[Served]:
    """Serve a store; at the end Ctrl-C is pressed, which the workers get too."""
    arguments = [sys.executable, "-m", "tsume", "serve", "--db", str(store), "--port", "0", *options]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        found = urlsplit(process.stdout.readline().strip())
        assert (found.scheme, found.path) == ("http", "/")
        assert found.port is not None
        try:
            yield Served(found.port, process.pid)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            _, said = process.communicate(timeout=SECONDS)
            assert process.returncode in (0, -signal.SIGKILL)
            assert "Traceback" not in said, said
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
