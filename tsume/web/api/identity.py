# SPDX-License-Identifier: GPL-3.0-or-later
"""Who asks: the person of a session, of this machine, or nobody; signing in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.training.records import StoredPerson
from tsume.training.persons import SESSION_DAYS, NameTakenError, Persons, name_key
from tsume.web.api.attempts import AttemptLimiter
from tsume.web.api.parsing import parsed_body
from tsume.web.api.permissions import Permissions, is_local
from tsume.web.api.responses import RequestError, json_response
from tsume.web.api.training_forms import PERSON, SESSION
from tsume.web.work.results import json_bytes

T = TypeVar("T")
COOKIE = "tsume_session"
_HASHES_AT_ONCE = 2
"""Passphrases that are hashed at a time: each takes 16 MB and a processor."""
_MOST_TOKEN = 100
"""Characters of a cookie that may be a token."""


class Identity:
    """Tells who asks, and signs persons in and out.

    Where nothing is saved everybody is nobody.
    """

    def __init__(self, persons: Persons, permissions: Permissions) -> None:
        self._persons, self._permissions = persons, permissions
        self._passphrases, self._names = AttemptLimiter(), AttemptLimiter()
        self._hashing = asyncio.Semaphore(_HASHES_AT_ONCE)

    def person(self, request: Request) -> StoredPerson | None:
        """The person who asks, None for nobody."""
        if not self._permissions.saving:
            return None
        token = _token_of(request)
        found = None if token is None else self._persons.of_token(token)
        if found is None and is_local(request):
            return self._persons.unnamed()
        return found

    def require_person(self, request: Request) -> StoredPerson:
        """The person who asks. Raises `RequestError` for nobody."""
        found = self.person(request)
        if found is None:
            raise RequestError(403, "nobody is signed in", code="nobody")
        return found

    def me(self, request: Request) -> Response:
        """The name and the rating of the person who asks."""
        return self._described(request, self.person(request))

    async def sign_up(self, request: Request) -> Response:
        """Add a person and sign in."""
        self._permissions.require_writable()
        if not self._permissions.may_sign_up(request):
            fault = "new names are allowed from this machine only (tsume serve --sign-up allows others)"
            raise RequestError(403, fault, code="no_sign_up")
        values = await parsed_body(request, PERSON)
        if not is_local(request):
            self._names.begin(request.client.host if request.client else "")
        try:
            person, token = await self._hashed(self._persons.sign_up, values["name"], values["passphrase"])
        except NameTakenError as error:
            raise RequestError(409, str(error)) from None
        return _signed_in(self._described(request, person, 201), token)

    async def sign_in(self, request: Request) -> Response:
        """Sign in by name and passphrase."""
        self._permissions.require_writable()
        values = await parsed_body(request, SESSION)
        key = name_key(values["name"])
        self._passphrases.begin(key)
        found = await self._hashed(self._persons.sign_in, values["name"], values["passphrase"])
        if found is None:
            raise RequestError(403, "name or passphrase is wrong")
        self._passphrases.forget(key)
        person, token = found
        return _signed_in(self._described(request, person), token)

    def sign_out(self, request: Request) -> Response:
        """End the session, if there is one."""
        token = _token_of(request)
        if token is not None and self._permissions.saving:
            self._persons.sign_out(token)
        is_here = self._permissions.saving and is_local(request)
        response = self._described(request, self._persons.unnamed() if is_here else None)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    def _described(self, request: Request, person: StoredPerson | None, status: int = 200) -> Response:
        fields = {
            "person": None if person is None else _person_fields(person),
            "sign_up": self._permissions.may_sign_up(request),
        }
        return private_response(fields, status)

    async def _hashed(self, work: Callable[[str, str], T], name: str, passphrase: str) -> T:
        async with self._hashing:
            return await run_in_threadpool(work, name, passphrase)


def private_response(fields: dict[str, Any], status: int = 200) -> Response:
    """An object that is meant for one person: no cache keeps it."""
    response = json_response(json_bytes(fields), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _person_fields(person: StoredPerson) -> dict[str, Any]:
    rating = person.rating
    return {"name": person.name, "rating": round(rating.rating), "deviation": round(rating.deviation)}


def _token_of(request: Request) -> str | None:
    token = request.cookies.get(COOKIE)
    return token if token is not None and 0 < len(token) <= _MOST_TOKEN else None


def _signed_in(response: Response, token: str) -> Response:
    seconds = SESSION_DAYS * 86400
    response.set_cookie(COOKIE, token, max_age=seconds, path="/", httponly=True, samesite="strict")
    return response
