"""Items of an iterator, read by a thread: one that comes late keeps nobody waiting."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
_MOST = 256
"""Items that are read before they are fetched, at most."""


class _End:
    """The end of the items, and the error that ended them, if any."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error


class Source(Generic[Item]):
    """Items that a thread reads; ``bell`` is ready when there is one to be fetched.

    `fetch` lets items wait: ``look`` is called with each, in the thread that fetches, and what it returns
    waits in ``waiting``. ``ended``: no more items will.
    """

    def __init__(self, items: Iterable[Item], look: Callable[[Item], Any] | None) -> None:
        self.waiting: deque[Any] = deque()
        self.ended = False
        self._look = look
        self._error: Exception | None = None
        self._items = items
        self._read: deque[Item | _End] = deque()
        self._change = threading.Condition()
        self._closed = False
        self.bell, self._rope = Pipe(duplex=False)
        """Holds one message as long as something that was read is to be fetched."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        end = _End()
        try:
            for item in self._items:
                if not self._put(item):
                    return
        except Exception as error:
            end = _End(error)
        self._put(end)

    def _put(self, item: Item | _End) -> bool:
        """Hand over an item, as soon as there is room; False if nobody wants it."""
        with self._change:
            self._change.wait_for(lambda: self._closed or len(self._read) < _MOST)
            if self._closed:
                return False
            self._read.append(item)
            if len(self._read) == 1:
                with suppress(OSError):  # the other end is gone
                    self._rope.send_bytes(b"")
            return True

    def close(self) -> None:
        """Want no more items; the thread ends after the one that it is reading."""
        with self._change:
            self._closed = True
            self._change.notify()
        self.bell.close()

    def fetch(self, most: int, patience: float | None = 0.0) -> None:
        """Let up to ``most`` items wait; give up after ``patience`` seconds (None: never) without one."""
        while len(self.waiting) < most and not self.ended and (self._read or self.bell.poll(patience)):
            for item in self._taken(most - len(self.waiting)):
                if isinstance(item, _End):
                    self.ended, self._error = True, item.error
                else:
                    self.waiting.append(item if self._look is None else self._look(item))

    def _taken(self, most: int) -> list[Item | _End]:
        """Up to ``most`` items that are read, taken from there."""
        with self._change:
            taken = [self._read.popleft() for _ in range(min(most, len(self._read)))]
            if taken and not self._read:
                self.bell.recv_bytes()
            if len(self._read) <= _MOST // 2:
                self._change.notify()
            return taken

    @property
    def is_over(self) -> bool:
        """Whether no item is left; waits for one to know that. Raises what ended them."""
        self.fetch(1, None)
        if self.waiting or not self.ended:
            return False
        if self._error is not None:
            raise self._error
        return True


@contextmanager
def reading(items: Iterable[Item], look: Callable[[Item], Any] | None) -> Iterator[Source[Item]]:
    """A source of items, closed at the end of the block."""
    source = Source(items, look)
    try:
        yield source
    finally:
        source.close()
