"""Transactions on one database, to read or to write; errors name its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from db.engine import reader, reported, writer
from db.errors import LostConnectionError, StoreError
from db.location import Location


class Sessions:
    """Gives out sessions, each a transaction, committed when it is left without an exception."""

    def __init__(self, location: Location, engine: Engine) -> None:
        self.location = location
        self.reader = reader(engine)
        self.writer = writer(engine)

    def fault(self, text: object) -> StoreError:
        """The error that names this place and a fault."""
        return self.location.fault(text)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads, all of one moment; what is not of its column's type is a fault."""
        try:
            with self._guarded(self.reader) as session:
                yield session
        except StoreError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise self.fault(f"holds what cannot be read: {error}") from None

    def writing(self) -> AbstractContextManager[Session]:
        """A session that writes; other processes that write wait for it."""
        self.location.require_writable()
        return self._guarded(self.writer)

    @staticmethod
    def once_more(work: Callable[[], None]) -> None:
        """Do what may be done twice, and do it again if the connection is lost meanwhile."""
        try:
            work()
        except LostConnectionError:
            work()

    @contextmanager
    def _guarded(self, engine: Engine) -> Iterator[Session]:
        with (
            reported(self.location),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session
