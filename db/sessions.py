# SPDX-License-Identifier: GPL-3.0-or-later
"""Transactions on one database, to read or to write; errors name its place."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from db.engine import Location, database_errors_reported, reading_engine, writing_engine
from db.errors import LostConnectionError, StoreError

T = TypeVar("T")
RETRY_SECONDS = 120.0
"""How long a server that is lost is tried again."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


def wait_for_server(seconds: float) -> None:
    """Wait before the next try; `tsume.__main__` knows this function as one that may be interrupted."""
    time.sleep(seconds)


class DatabaseSessions:
    """Gives out sessions, each a transaction, committed when it is left without an exception."""

    def __init__(self, location: Location, engine: Engine) -> None:
        self.location = location
        self.reader = reading_engine(engine)
        self.writer = writing_engine(engine)
        self.tell: Callable[[str], None] = lambda _text: None
        """Called with a line when the server is lost, and when it is back."""
        self._is_lost = False

    def fault(self, text: object) -> StoreError:
        """Return the error that names this place and a fault."""
        return self.location.fault(text)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads, all of one moment; what is not of its column's type is a fault."""
        try:
            with self._session(self.reader) as session:
                yield session
        except StoreError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise self.fault(f"contains unreadable data: {error}") from None

    def writing(self) -> AbstractContextManager[Session]:
        """Return a session that writes; other processes that write wait for it."""
        self.location.require_writable()
        return self._session(self.writer)

    def persist(self, work: Callable[[], T]) -> T:
        """Do what may be done twice, again with growing pauses while the server cannot be reached.

        For `RETRY_SECONDS` at most; then, and after an interrupt, the next call tries only once. ``tell`` is
        called when the server is lost and when it is back. Raises `LostConnectionError`.
        """
        began, pause = time.monotonic(), _FIRST_PAUSE
        may_retry = not self._is_lost
        while True:
            try:
                result = work()
            except LostConnectionError as error:
                if not may_retry or time.monotonic() + pause > began + RETRY_SECONDS:
                    raise
                if not self._is_lost:
                    self.tell(f"{error}; retrying for {RETRY_SECONDS:g} s")
                    self._is_lost = True
                wait_for_server(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if self._is_lost:
                    self.tell(f"{self.location.name}: reconnected after {time.monotonic() - began:.1f} s")
                    self._is_lost = False
                return result

    @contextmanager
    def _session(self, engine: Engine) -> Iterator[Session]:
        with (
            database_errors_reported(self.location),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session
