# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of the engine: lines from the GUI and reports of the search, handled one by one."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tsume.usi.messages import SearchEvent
from tsume.usi.options import Settings
from tsume.usi.session import Session
from tsume.usi.worker import SearchWorker

MOST_BYTES = 1 << 16
"""Longer lines are refused."""
_CHUNK = 1 << 16
_HEAD = 40
"""Bytes of a line that is too long that tell its command."""
_MOST_LINES = 10_000
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


def serve_gui(read: Read, write: Write, settings: Settings) -> bool:
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


def lines_of(read: Read) -> Iterator[bytes | LongLine]:
    """Yield the lines of an input, also an unfinished last one."""
    rest, head = b"", b""
    while chunk := _chunk(read):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            is_long = head or len(line) > MOST_BYTES
            yield LongLine((head or line)[:_HEAD]) if is_long else line
            head = b""
        if len(rest) > MOST_BYTES:
            rest, head = b"", head or rest[:_HEAD]
    if rest and not head:
        yield rest


def _chunk(read: Read) -> bytes:
    try:
        return read(_CHUNK)
    except (OSError, ValueError):  # closed
        return b""


class _Inbox:
    """What a session handles, in the order of its arrival: lines and events of searches."""

    def __init__(self, read: Read) -> None:
        self.ended = threading.Event()
        self._read = read
        self._items: queue.SimpleQueue[bytes | LongLine | tuple[int, SearchEvent] | bool] = (
            queue.SimpleQueue()
        )
        self._free = threading.Semaphore(_MOST_LINES)
        threading.Thread(target=self._receive, name="tsume usi input", daemon=True).start()

    def post(self, number: int, event: SearchEvent) -> None:
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
                session.refuse_long_line(item.head.decode(errors="replace"), MOST_BYTES)
            elif not session.receive(item.decode(errors="replace")):
                return False
        session.tick()
        return True

    def _receive(self) -> None:
        """Put the lines; then end the process if the session cannot write what is left."""
        for line in lines_of(self._read):
            self._free.acquire()
            self._items.put(line)
            if isinstance(line, bytes) and line.strip() == b"quit":
                break
        self._items.put(False)
        if not self.ended.wait(_GRACE_SECONDS):
            os._exit(0)
