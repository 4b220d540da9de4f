# SPDX-License-Identifier: GPL-3.0-or-later
"""Persons of a server: a name and a passphrase, sessions of browsers, classes that persons open and join.

Passphrases are kept as scrypt hashes with a salt, tokens of sessions as SHA-256: the store tells neither.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from db.notebook import is_unprintable
from db.training.log import ClassTable, PersonTable
from db.training.records import LONGEST_KEY, LONGEST_NAME, Rating, StoredClass, StoredPerson, StoredResult
from tsume.formats.text import csv_line

SESSION_DAYS = 90
MIN_PASSPHRASE, MAX_PASSPHRASE = 8, 200
"""Characters."""
_SALT_BYTES, _TOKEN_BYTES = 16, 32
_SCRYPT = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
"""16 MB and about 50 ms for each try."""


class NameTakenError(ValueError):
    """Another person or class has this name, or one that looks the same."""


def valid_name(text: str) -> str:
    """A name as it is stored, without spaces around it. Raises ValueError, which says what is wrong."""
    name = unicodedata.normalize("NFC", text).strip()
    if not (name and name_key(name)):
        raise ValueError("a name has at least one character")
    if len(name) > LONGEST_NAME or len(name_key(name)) > LONGEST_KEY:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters")
    if odd := next(filter(is_unprintable, name), None):
        raise ValueError(f"the character {odd!r} is not printable")
    return name


def name_key(name: str) -> str:
    """Return the form in which names are compared: without capitals, wide letters and other looks."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


def valid_passphrase(text: str) -> str:
    """Return a passphrase of a new person. Raises ValueError, whose message says what is wrong."""
    if len(text) < MIN_PASSPHRASE:
        raise ValueError(f"a passphrase has at least {MIN_PASSPHRASE} characters")
    return text


class Persons:
    """Signs persons in and out. ``clock`` gives the time in UTC."""

    def __init__(self, table: PersonTable, clock: Callable[[], datetime] | None = None) -> None:
        self._table = table
        self._clock = clock or (lambda: datetime.now(UTC))

    def sign_up(self, name: str, passphrase: str) -> tuple[StoredPerson, str]:
        """Add a person with a valid name and passphrase, signed in; returns the token of the session.

        Raises `NameTakenError`.
        """
        salt = secrets.token_hex(_SALT_BYTES)
        person = StoredPerson(0, name, Rating(), None, salt, hashed_passphrase(passphrase, salt))
        added = self._table.add(person, name_key(name), self._clock())
        if added is None:
            raise NameTakenError("the name is taken")
        return added, self._new_session(added)

    def sign_in(self, name: str, passphrase: str) -> tuple[StoredPerson, str] | None:
        """Return the person and the token of a new session; None if name or passphrase is wrong.

        An unknown name takes as long as a wrong passphrase.
        """
        person = self._table.named(name_key(unicodedata.normalize("NFC", name)))
        is_right = _is_passphrase_of(person, passphrase)
        return None if person is None or not is_right else (person, self._new_session(person))

    def of_token(self, token: str) -> StoredPerson | None:
        """Return the person of a session; None if it is unknown or has expired."""
        return self._table.signed_in(_token_digest(token), self._clock())

    def sign_out(self, token: str) -> None:
        """End a session."""
        self._table.sign_out(_token_digest(token))

    def unnamed(self) -> StoredPerson:
        """Return the person of this machine who has not signed in."""
        return self._table.unnamed()

    def _new_session(self, person: StoredPerson) -> str:
        token, now = secrets.token_urlsafe(_TOKEN_BYTES), self._clock()
        self._table.sign_in(person.id, _token_digest(token), now, now + timedelta(days=SESSION_DAYS))
        return token


class Classes:
    """Opens classes and lets persons join them. ``clock`` gives the time in UTC."""

    def __init__(self, table: ClassTable, clock: Callable[[], datetime] | None = None) -> None:
        self._table = table
        self._clock = clock or (lambda: datetime.now(UTC))

    def open(self, teacher: StoredPerson, name: str, passphrase: str) -> None:
        """Add a class with a valid name and passphrase.

        Raises `NameTakenError` and `db.training.records.ClassLimitError`.
        """
        salt = secrets.token_hex(_SALT_BYTES)
        digest = hashed_passphrase(passphrase, salt)
        if not self._table.add(teacher.id, name, name_key(name), salt, digest, self._clock()):
            raise NameTakenError("the name is taken")

    def join(self, pupil: StoredPerson, name: str, passphrase: str) -> bool:
        """Add a pupil to a class, unless it is the person's own; False if name or passphrase is wrong.

        An unknown class takes as long as a wrong passphrase. Raises `db.training.records.ClassLimitError`.
        """
        found = self._table.named(name_key(unicodedata.normalize("NFC", name)))
        is_right = _is_passphrase_of(found, passphrase)
        if found is None or not is_right:
            return False
        return found.teacher == pupil.id or self._table.join(found.id, pupil.id, self._clock())


def _is_passphrase_of(owner: StoredPerson | StoredClass | None, passphrase: str) -> bool:
    """Compare a passphrase in the same time whether there is an owner or not; nobody has one."""
    salt = owner.salt if owner is not None and owner.salt else "00" * _SALT_BYTES
    return hmac.compare_digest(hashed_passphrase(passphrase, salt), owner.digest if owner is not None else "")


def hashed_passphrase(passphrase: str, salt: str) -> str:
    """Return the scrypt hash of a passphrase, hexadecimal, as ``salt`` is."""
    plain = unicodedata.normalize("NFKC", passphrase).encode()
    return hashlib.scrypt(plain, salt=bytes.fromhex(salt), **_SCRYPT).hex()


def _token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# --- results as fields and as lines of CSV, for `tsume results export` and for the list of a server ---

_COLUMNS = (
    "solved", "problem", "sfen", "moves", "seconds", "mistakes", "hints",
    "person", "mode", "success", "rated", "rating",
)  # fmt: skip
"""Those of the CSV of a browser (results.js) come first; ``solved`` is a time there."""

_FORMULA = tuple("=+-@")
"""With these a spreadsheet would take the name of a person for a formula; an apostrophe prevents it."""


def result_csv_lines(found: Iterable[StoredResult]) -> Iterator[str]:
    """Yield a line of names, then one for each result."""
    yield csv_line(_COLUMNS)
    for one in found:
        fields = result_fields(one)
        yield csv_line(_csv_value(fields[name]) for name in _COLUMNS)


def result_fields(one: StoredResult) -> dict[str, Any]:
    """Return the fields of a result by name."""
    values = {
        "solved": one.ended_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),  # as JavaScript writes it
        "success": one.solved,
        "rating": round(one.rating),
        **{name: getattr(one, name) for name in _COLUMNS if name not in ("solved", "success", "rating")},
    }
    return {name: values[name] for name in _COLUMNS}


def _csv_value(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    is_formula = isinstance(value, str) and value[:1] in _FORMULA
    return f"'{value}" if is_formula else value
