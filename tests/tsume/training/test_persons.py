# SPDX-License-Identifier: GPL-3.0-or-later
"""Persons: names, passphrases, sessions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from db.store import Store
from db.training.records import LOGINS, PERSONS
from tsume.training.persons import SESSION_DAYS, NameTakenError, Persons, valid_name, valid_passphrase

WORDS = "correct horse"


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.open(":memory:") as opened:
        yield opened


@pytest.fixture
def persons(store: Store) -> Persons:
    return Persons(store.training.persons)


def test_signing_up_in_and_out(persons: Persons) -> None:
    person, token = persons.sign_up("Taro", WORDS)
    assert persons.of_token(token) == person
    signed_in = persons.sign_in("Taro", WORDS)
    assert signed_in is not None
    assert signed_in[0] == person
    assert signed_in[1] != token
    persons.sign_out(token)
    assert persons.of_token(token) is None
    assert persons.of_token(signed_in[1]) == person


def test_a_name_is_taken_whatever_its_looks(persons: Persons) -> None:
    person, _ = persons.sign_up("Taro", WORDS)
    for name in ("taro", "TARO", "Ｔａｒｏ", "ｔARO"):
        with pytest.raises(NameTakenError):
            persons.sign_up(name, "another phrase")
        assert persons.sign_in(name, "another phrase") is None
        found = persons.sign_in(name, WORDS)
        assert found is not None
        assert found[0] == person


def test_a_wrong_passphrase_or_no_name(persons: Persons, store: Store) -> None:
    persons.sign_up("Taro", WORDS)
    store.training.persons.stored_unnamed(datetime.now(UTC))
    for passphrase in ("", "x", "Correct horse", "correct horse ", "x" * 10_000, "\0"):
        assert persons.sign_in("Taro", passphrase) is None, passphrase
    for name in ("", " ", "Hanako", "\0"):
        for passphrase in ("", WORDS):
            assert persons.sign_in(name, passphrase) is None, name


def test_names_and_passphrases_that_are_valid_or_not() -> None:
    assert valid_name("  山田 太郎 ") == "山田 太郎"
    assert valid_passphrase("8 letter") == "8 letter"
    with pytest.raises(ValueError, match="at least 8"):
        valid_passphrase("7 lette")
    for text in ("", " ", "\u3000", "a\nb", "a\0", "\u202ea", "x" * 41, "\ud800", "ﷺ" * 40):
        with pytest.raises(ValueError, match=r"a name has|not printable"):
            valid_name(text)


def test_a_session_expires(store: Store) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    persons = Persons(store.training.persons, lambda: now)
    person, token = persons.sign_up("Taro", WORDS)
    now += timedelta(days=SESSION_DAYS) - timedelta(seconds=1)
    assert persons.of_token(token) == person
    now += timedelta(seconds=1)
    assert persons.of_token(token) is None
    persons.sign_in("Taro", WORDS)  # removes expired ones
    with store._sessions.reading() as session:
        assert len(session.execute(select(LOGINS)).all()) == 1


def test_the_store_has_neither_passphrases_nor_tokens(store: Store, persons: Persons) -> None:
    tokens = [persons.sign_up(name, WORDS)[1] for name in ("a", "b")]
    with store._sessions.reading() as session:
        people = session.execute(select(PERSONS)).all()
        kept = f"{people} {session.execute(select(LOGINS)).all()}"
    for secret in (WORDS, *tokens):
        assert secret not in kept
    assert len({row.salt for row in people}) == len({row.digest for row in people}) == 2
