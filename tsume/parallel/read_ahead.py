# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of an iterator, read ahead by a thread, so that an item that comes late delays no result."""

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


class _EndOfItems:
    """The end of the items, and the error that ended them, if any."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error


class ReadAhead(Generic[Item]):
    """Items read by a thread; the connection ``available`` is ready when one can be fetched.

    `fetch` moves items to ``waiting``, each as ``prepare`` returns it, which is called in the thread that
    fetches. ``ended``: nothing is left to fetch.
    """

    def __init__(self, items: Iterable[Item], prepare: Callable[[Item], Any] | None) -> None:
        self.waiting: deque[Any] = deque()
        self.ended = False
        self._prepare = prepare
        self._error: Exception | None = None
        self._items = items
        self._read: deque[Item | _EndOfItems] = deque()
        self._change = threading.Condition()
        self._closed = False
        self.available, self._notification = Pipe(duplex=False)
        """Holds one message as long as something that was read is to be fetched."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        end = _EndOfItems()
        try:
            for item in self._items:
                if not self._put(item):
                    return
        except Exception as error:
            end = _EndOfItems(error)
        self._put(end)

    def _put(self, item: Item | _EndOfItems) -> bool:
        """Hand over an item as soon as there is room; returns False once `close` was called."""
        with self._change:
            self._change.wait_for(lambda: self._closed or len(self._read) < _MOST)
            if self._closed:
                return False
            self._read.append(item)
            if len(self._read) == 1:
                with suppress(OSError):  # the other end is closed
                    self._notification.send_bytes(b"")
            return True

    def close(self) -> None:
        """Stop reading; the thread ends after the item that it is reading."""
        with self._change:
            self._closed = True
            self._change.notify()
        self.available.close()

    def fetch(self, most: int, timeout: float | None = 0.0) -> None:
        """Move items to ``waiting`` until it holds ``most`` or none comes for ``timeout`` seconds.

        None: wait for as long as it takes.
        """
        while len(self.waiting) < most and not self.ended and (self._read or self.available.poll(timeout)):
            for item in self._take(most - len(self.waiting)):
                if isinstance(item, _EndOfItems):
                    self.ended, self._error = True, item.error
                else:
                    self.waiting.append(item if self._prepare is None else self._prepare(item))

    def _take(self, most: int) -> list[Item | _EndOfItems]:
        """Take up to ``most`` items that were read."""
        with self._change:
            taken = [self._read.popleft() for _ in range(min(most, len(self._read)))]
            if taken and not self._read:
                self.available.recv_bytes()
            if len(self._read) <= _MOST // 2:
                self._change.notify()
            return taken

    def is_exhausted(self) -> bool:
        """Whether no item is left; waits until one is read or the items end. Raises what ended them."""
        self.fetch(1, None)
        if self.waiting or not self.ended:
            return False
        if self._error is not None:
            raise self._error
        return True


@contextmanager
def reading_ahead(items: Iterable[Item], prepare: Callable[[Item], Any] | None) -> Iterator[ReadAhead[Item]]:
    """Read items ahead; reading stops at the end of the block."""
    source = ReadAhead(items, prepare)
    try:
        yield source
    finally:
        source.close()
