# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of the USI engine: sends bytes, receives lines with the times of their arrival."""

import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Self

ENGINE = (sys.executable, "-m", "tsume", "usi")
HANG = 300.0
"""Seconds after which an engine that says nothing is taken to hang."""


class EngineEnded(AssertionError):
    """The engine ended or fell silent while an answer was expected."""


@dataclass(frozen=True)
class Received:
    """A line, and when it came (`time.perf_counter`)."""

    text: str
    at: float


class UsiClient:
    """An engine in a process of its own; a context manager that ends it."""

    def __init__(self, command: Sequence[str] = ENGINE, environment: Mapping[str, str] | None = None) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0,
            env=None if environment is None else dict(environment),
        )  # fmt: skip
        self.received: list[Received] = []
        self._is_reading = True
        self._waiting: queue.SimpleQueue[Received | None] = queue.SimpleQueue()
        threading.Thread(target=self._receive, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def send(self, line: str | bytes) -> float:
        """Send a line; returns when it was sent."""
        data = line if isinstance(line, bytes) else line.encode()
        assert self.process.stdin is not None
        self.process.stdin.write(data + b"\n")
        return time.perf_counter()

    def wait(self, *starts: str, seconds: float = HANG) -> Received:
        """The next line that begins with one of these words. Raises `EngineEnded`."""
        while True:
            try:
                received = self._waiting.get(timeout=seconds)
            except queue.Empty:
                raise EngineEnded(f"no {starts} within {seconds} s") from None
            if received is None:
                self._waiting.put(None)
                raise EngineEnded(f"ended before {starts}; {self.errors()}")
            if received.text.startswith(starts):
                return received

    def prepare(self, **options: object) -> None:
        """Begin a session with these options, and wait until the engine is ready."""
        self.send("usi")
        self.wait("usiok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        self.wait("readyok")

    def ask(self, go: str, position: str | None = None) -> str:
        """The answer to a ``go`` command, for a ``position`` if one is given."""
        if position is not None:
            self.send(f"position {position}")
        self.send(go)
        return self.wait("checkmate", "bestmove").text

    def stop_reading(self) -> None:
        """Close the engine's output with the next line that it prints."""
        self._is_reading = False

    def errors(self) -> str:
        """What the engine has written to stderr."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def end(self, seconds: float = HANG) -> int:
        """Close the engine's input; returns its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(seconds)

    def close(self) -> None:
        """End the engine, whatever it does."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self._errors):
            assert pipe is not None
            pipe.close()

    def _receive(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                if not self._is_reading:
                    break
                received = Received(line.decode(errors="replace").strip(), time.perf_counter())
                self.received.append(received)
                self._waiting.put(received)
        self._waiting.put(None)
