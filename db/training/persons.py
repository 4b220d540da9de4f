# SPDX-License-Identifier: GPL-3.0-or-later
"""Persons and the browsers in which they are signed in."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from db.inserting import insert_missing
from db.sessions import DatabaseSessions
from db.training.models import LOGINS, PERSONS
from db.training.records import UNNAMED, Rating, StoredPerson, rating_of_row

_COLUMNS = PERSONS.c


class PersonTable:
    """The persons of a store. Every method is a transaction; all raise `StoreError`."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def add(self, person: StoredPerson, name_key: str, now: datetime) -> StoredPerson | None:
        """Add a person, whose id is given; None if the name is taken."""
        with self._sessions.writing() as session:
            taken = session.execute(select(_COLUMNS.id).where(_COLUMNS.name_key == name_key)).first()
            if taken is not None:
                return None
            session.execute(insert(PERSONS).values(**_person_values(person, name_key, now)))
            return _one_person(session, _COLUMNS.name_key == name_key)

    def named(self, name_key: str) -> StoredPerson | None:
        """The person with a name, None if there is none."""
        with self._sessions.reading() as session:
            return _one_person(session, _COLUMNS.name_key == name_key)

    def unnamed(self) -> StoredPerson:
        """The unnamed person of this machine, with id 0 if nothing is stored of that person."""
        return self.named(UNNAMED) or StoredPerson(0, UNNAMED, Rating())

    def stored_unnamed(self, now: datetime) -> StoredPerson:
        """The unnamed person of this machine, who is added if necessary."""
        with self._sessions.writing() as session:
            values = _person_values(StoredPerson(0, UNNAMED, Rating()), UNNAMED, now)
            insert_missing(session, PERSONS, [values])
            found = _one_person(session, _COLUMNS.name_key == UNNAMED)
        assert found is not None
        return found

    def sign_in(self, person: int, digest: str, now: datetime, expires: datetime) -> None:
        """Store a session by the hash of its token; expired ones are removed."""
        with self._sessions.writing() as session:
            session.execute(delete(LOGINS).where(LOGINS.c.expires_at <= now))
            row = {"digest": digest, "person_id": person, "created_at": now, "expires_at": expires}
            session.execute(insert(LOGINS).values(**row))

    def signed_in(self, digest: str, now: datetime) -> StoredPerson | None:
        """The person of a session, None if it is unknown or has expired."""
        valid = select(LOGINS.c.person_id).where(LOGINS.c.digest == digest, LOGINS.c.expires_at > now)
        with self._sessions.reading() as session:
            return _one_person(session, _COLUMNS.id.in_(valid))

    def sign_out(self, digest: str) -> None:
        """Remove a session, if it is there."""
        with self._sessions.writing() as session:
            session.execute(delete(LOGINS).where(LOGINS.c.digest == digest))


def person_of_id(session: Session, number: int) -> StoredPerson | None:
    """The person with an id, in the caller's transaction."""
    return _one_person(session, _COLUMNS.id == number)


def _person_values(person: StoredPerson, name_key: str, now: datetime) -> dict[str, Any]:
    named = {"name": person.name, "name_key": name_key, "salt": person.salt, "digest": person.digest}
    return {**named, **asdict(person.rating), "created_at": now}


def _one_person(session: Session, wanted: ColumnElement[bool]) -> StoredPerson | None:
    row = session.execute(select(PERSONS).where(wanted)).first()
    if row is None:
        return None
    texts = str(row.salt), str(row.digest)
    return StoredPerson(row.id, str(row.name), rating_of_row(row), row.rated_at, *texts)
