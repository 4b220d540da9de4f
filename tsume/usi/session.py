# SPDX-License-Identifier: GPL-3.0-or-later
"""A session with a GUI: what is said, and when; the thread that searches, and the loop of the engine.

The session never waits for a search. It answers ``stop`` and the end of the time itself, with what the search
has reported by then, and ignores all that the search reports later.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from tsume import __version__
from tsume.usi import protocol

_ALIVE_SECONDS = 5.0
"""Seconds between two signs of life while kernels are compiled: some GUIs give up a silent engine."""


class Worker(Protocol):
    """What carries out jobs."""

    def submit(self, job: protocol.PreparationRequest | protocol.SearchRequest) -> None:
        """Carry out a job after those before it."""


@dataclass
class _CurrentSearch:
    """A ``go`` that is not answered yet, and what its search has reported.

    ``waits``: the answer waits for ``stop`` or ``ponderhit``.
    """

    request: protocol.SearchRequest
    deadline: float | None
    waits: bool
    best: protocol.KnownMate | None = None
    move: str | None = None
    ending: protocol.SearchEnding | None = None


class Session:
    """A conversation with a GUI; ``send`` writes one line, ``settings`` are the defaults."""

    def __init__(
        self,
        send: Callable[[str], None],
        worker: Worker,
        settings: protocol.Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send = send
        self._worker = worker
        self._clock = clock
        self._defaults = self._settings = settings
        self._position: protocol.UsiPosition | None = protocol.start_position()
        self._current: _CurrentSearch | None = None
        self._number = 0
        self._is_ready = False
        self._awaited = 0  # `isready` commands without `readyok`
        self._waiting_since = self._alive = 0.0

    # --- input ----------------------------------------------------------------------------

    def receive(self, line: str) -> bool:
        """Obey a line; False after ``quit``. Unknown commands are ignored."""
        command, rest = protocol.split_command(line)
        try:
            match command:
                case "quit":
                    return False
                case "usi":
                    self._send(f"id name tsume {__version__}")
                    self._send("id author the tsume project")
                    for declaration in protocol.option_declarations(self._defaults):
                        self._send(declaration)
                    self._send("usiok")
                case "isready":
                    self._isready()
                case "setoption":
                    self._settings = protocol.settings_with_option(self._settings, *protocol.parse_setoption(rest))
                case "position":
                    self._position = None
                    self._position = protocol.parse_position(rest)
                case "go":
                    self._go(rest)
                case "ponderhit":
                    self._ponderhit(rest)
                case "stop" | "gameover" if self._current is not None:
                    self._answer(self._current)
        except protocol.UsiError as error:
            self._report_error(str(error))
        return True

    def refuse_long_line(self, head: str, most: int) -> None:
        """Report a line of more than ``most`` bytes; if it was a position, that is unknown now."""
        command, _ = protocol.split_command(head)
        if command == "position":
            self._position = None
        self._report_error(f"a line is longer than {most} bytes")

    def _report_error(self, text: str) -> None:
        self._send(f"info string Error: {text}")

    def hear(self, number: int, event: protocol.SearchEvent) -> None:
        """Handle what the search of a number reports; 0: the preparation."""
        if isinstance(event, protocol.Ready):
            self._is_ready = True
            for _ in range(self._awaited):
                self._send("readyok")
            self._awaited = 0
        elif number == 0 and isinstance(event, protocol.InfoText):
            self._note(event.text)
        elif self._current is not None and self._current.request.number == number:
            if isinstance(event, protocol.Info):
                self._send(event.text)
            elif isinstance(event, protocol.InfoText):
                self._note(event.text)
            elif isinstance(event, protocol.KnownMate):
                self._current.best = event
            elif isinstance(event, protocol.MoveToPlay):
                self._current.move = event.move
            elif isinstance(event, protocol.SearchEnding):
                self._current.ending = event
                self._answer_if_due(self._current)

    def close(self) -> None:
        """Cancel the search; nothing more is said."""
        if self._current is not None:
            self._current.request.cancelled.set()

    # --- time -----------------------------------------------------------------------------

    def timeout(self) -> float | None:
        """Seconds until `tick` must be called; None: it need not be."""
        times = []
        if self._current is not None and self._current.deadline is not None:
            times.append(self._current.deadline)
        if self._awaited:
            times.append(self._alive + _ALIVE_SECONDS)
        return max(0.0, min(times) - self._clock()) if times else None

    def tick(self) -> None:
        """Do what is due: answer when the time is up, show signs of life."""
        now = self._clock()
        current = self._current
        if current is not None and current.deadline is not None and now >= current.deadline:
            self._answer(current)
        if self._awaited and now >= self._alive + _ALIVE_SECONDS:
            self._alive = now
            seconds = now - self._waiting_since
            self._note(f"preparing; the first start compiles the engine: {seconds:.0f} s")

    # --- commands -------------------------------------------------------------------------

    def _isready(self) -> None:
        if self._is_ready and self._current is not None:
            self._send("readyok")  # the next `go` prepares what options changed
            return
        if not self._awaited:
            self._waiting_since = self._alive = self._clock()
        self._awaited += 1
        self._worker.submit(protocol.PreparationRequest(self._settings))

    def _go(self, rest: str) -> None:
        if self._current is not None:
            self._answer(self._current)
        try:
            go = protocol.parse_go(rest)
        except protocol.UsiError as error:
            self._report_error(str(error))
            self._refuse(error.go or protocol.Go())
            return
        if self._position is None:
            self._report_error("go: there is no valid position")
            self._refuse(go)
            return
        illegal = [move for move in go.only if not self._position.is_legal(move)]
        if illegal:
            self._report_error(f"go searchmoves: not legal here: {' '.join(illegal)}")
        if illegal and len(illegal) == len(go.only):
            self._refuse(go)
            return
        only = tuple(move for move in go.only if move not in illegal)
        self._search(replace(go, only=only), self._position)

    def _ponderhit(self, rest: str) -> None:
        """The expected move was played: the time runs from now on, by the clock given here or with ``go``."""
        current = self._current
        if current is None or not current.waits or not current.request.go.ponder:
            return
        go = protocol.parse_go(rest) if rest else current.request.go
        current.waits = go.infinite
        current.deadline = self._deadline(go, current.request.position)
        self._answer_if_due(current)

    # --- searches -------------------------------------------------------------------------

    def _search(self, go: protocol.Go, position: protocol.UsiPosition) -> None:
        self._number += 1
        request = protocol.SearchRequest(self._number, position, go, self._settings)
        deadline = None if go.ponder else self._deadline(go, position)
        self._current = _CurrentSearch(request, deadline, waits=go.infinite or go.ponder)
        if position.missing:
            self._note(self._settings.voice("judgement.completed", number=position.missing))
        self._worker.submit(request)

    def _refuse(self, go: protocol.Go) -> None:
        """Answer a search that is impossible; as always not before ``stop``, if the GUI wants that."""
        self._number += 1
        request = protocol.SearchRequest(self._number, protocol.start_position(), go, self._settings)
        waits = go.infinite or go.ponder
        self._current = _CurrentSearch(request, None, waits, ending=protocol.SearchEnding.FAILED)
        self._answer_if_due(self._current)

    def _deadline(self, go: protocol.Go, position: protocol.UsiPosition) -> float | None:
        limit = go.time_limit(white=position.white_to_move)
        return None if limit is None else self._clock() + limit / 1000

    def _answer_if_due(self, current: _CurrentSearch) -> None:
        if current.ending is not None and not current.waits:
            self._answer(current)

    def _answer(self, current: _CurrentSearch) -> None:
        """Answer a ``go``, once."""
        self._current = None
        current.request.cancelled.set()
        if current.best is not None and not current.best.proved:
            name = "shorter_open" if current.request.settings.shortest else "any_mate"
            self._note(current.request.settings.voice(f"usi.{name}", length=current.best.length))
        best, ending, go = current.best, current.ending, current.request.go
        if not go.mate:
            move, answer = current.move, ""
            if best is not None:
                move, answer = best.line[0], "".join(f" ponder {move}" for move in best.line[1:2])
            elif move is None and ending in (None, protocol.SearchEnding.OPEN):
                move = current.request.position.a_defence(go.only)
            self._send(f"bestmove {move or 'resign'}{answer}")
        elif best is not None:
            self._send("checkmate " + " ".join(best.line))
        else:
            texts = {protocol.SearchEnding.NO_MATE: "nomate", protocol.SearchEnding.FAILED: "notimplemented"}
            self._send(f"checkmate {texts.get(ending, 'timeout') if ending else 'timeout'}")

    # --- output ---------------------------------------------------------------------------

    def _note(self, text: str) -> None:
        self._send("info string " + " ".join(text.split()))


# --- the thread that searches ----------------------------------------------------------------------

_STACK = 1 << 26
"""Bytes of the thread's stack; on some systems a thread has little otherwise."""


class SearchWorker:
    """Carries out jobs in their order, in a thread; ``post`` delivers an event of the search of a number."""

    def __init__(self, post: Callable[[int, protocol.SearchEvent], None]) -> None:
        self._jobs: queue.SimpleQueue[protocol.PreparationRequest | protocol.SearchRequest | None] = queue.SimpleQueue()

        def run() -> None:
            from tsume.usi.worker import JobRunner  # best loaded while the GUI has not asked for anything

            runner = JobRunner(post)
            while (job := self._jobs.get()) is not None:
                runner.run(job)

        before = threading.stack_size(_STACK)
        try:
            self._thread = threading.Thread(target=run, name="tsume usi search", daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(before)

    def submit(self, job: protocol.PreparationRequest | protocol.SearchRequest) -> None:
        """Carry out a job after those before it."""
        self._jobs.put(job)

    def close(self, seconds: float) -> bool:
        """End the thread after its jobs; returns whether it ended within so many seconds."""
        self._jobs.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()


# --- the loop of the engine: lines from the GUI and reports of the search, handled one by one ------

MAX_BYTES = 1 << 16
"""Longer lines are refused."""
_CHUNK = 1 << 16
_HEAD = 40
"""Bytes of a line that is too long that tell its command."""
_MAX_LINES = 10_000
"""Lines that are read before they are handled."""
_SWITCH_SECONDS = 0.001
"""Seconds that a thread waits for one that runs Python code: the search, when ``stop`` comes."""
_END_SECONDS = 0.1
"""Seconds in which a cancelled search usually ends."""
_GRACE_SECONDS = 3.0
"""Seconds after the end of the input in which the output must take what is left."""

Read = Callable[[int], bytes]
"""Returns at most so many bytes of input, waiting for at least one; none at the end."""
Write = Callable[[bytes], None]
"""Writes and flushes; raises OSError."""


def serve_gui(read: Read, write: Write, settings: protocol.Settings) -> bool:
    """Serve a GUI until ``quit`` or the end of the input or output; ``settings`` are the defaults.

    Returns whether the search has ended too; otherwise the process must be ended without waiting for it.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    inbox = _Inbox(read)
    worker = SearchWorker(inbox.post)
    session = Session(lambda line: write(line.encode(errors="backslashreplace") + b"\n"), worker, settings)
    try:
        while inbox.next(session):
            pass
    except OSError:  # the GUI has closed our output
        pass
    finally:
        session.close()
        inbox.ended.set()
    return worker.close(_END_SECONDS)


@dataclass(frozen=True)
class LongLine:
    """A line that is too long, of which only the beginning was kept."""

    head: bytes


def input_lines(read: Read) -> Iterator[bytes | LongLine]:
    """Yield the lines of an input, also an unfinished last one."""
    rest, head = b"", b""
    while True:
        try:
            chunk = read(_CHUNK)
        except (OSError, ValueError):  # closed
            chunk = b""
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            is_long = head or len(line) > MAX_BYTES
            yield LongLine((head or line)[:_HEAD]) if is_long else line
            head = b""
        if len(rest) > MAX_BYTES:
            rest, head = b"", head or rest[:_HEAD]
    if rest and not head:
        yield rest


class _Inbox:
    """What a session handles, in the order of its arrival: lines and events of searches."""

    def __init__(self, read: Read) -> None:
        self.ended = threading.Event()
        self._read = read
        self._items: queue.SimpleQueue[bytes | LongLine | tuple[int, protocol.SearchEvent] | bool] = queue.SimpleQueue()
        self._free = threading.Semaphore(_MAX_LINES)
        threading.Thread(target=self._receive, name="tsume usi input", daemon=True).start()

    def post(self, number: int, event: protocol.SearchEvent) -> None:
        """Add an event of a search."""
        self._items.put((number, event))

    def next(self, session: Session) -> bool:
        """Handle the next item, or what is due when none comes in time; False at the end."""
        try:
            item = self._items.get(timeout=session.timeout())
        except queue.Empty:
            session.tick()
            return True
        if isinstance(item, bool):
            return False
        if isinstance(item, tuple):
            session.hear(*item)
        else:
            self._free.release()
            if isinstance(item, LongLine):
                session.refuse_long_line(item.head.decode(errors="replace"), MAX_BYTES)
            elif not session.receive(item.decode(errors="replace")):
                return False
        session.tick()
        return True

    def _receive(self) -> None:
        """Put the lines; then end the process if the session cannot write what is left."""
        for line in input_lines(self._read):
            self._free.acquire()
            self._items.put(line)
            if isinstance(line, bytes) and line.strip() == b"quit":
                break
        self._items.put(False)
        if not self.ended.wait(_GRACE_SECONDS):
            os._exit(0)
