"""Transactions on one database, to read or to write; errors name its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from db.engine import reported, writer
from db.errors import StoreError
from db.location import Location


class Sessions:
    """Gives out sessions, each a transaction, committed when it is left without an exception."""

    def __init__(self, location: Location, engine: Engine) -> None:
        self.location = location
        self.reader = engine
        self.writer = writer(engine)

    def fault(self, text: object) -> StoreError:
        """The error that names this place and a fault."""
        return self.location.fault(text)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads; a value that cannot be read as its column's type is a fault."""
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

    @contextmanager
    def _guarded(self, engine: Engine) -> Iterator[Session]:
        with (
            reported(self.location),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session


def hold_still(session: Session) -> None:
    """Let all that a new transaction reads be of one moment; SQLite does so by itself."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
