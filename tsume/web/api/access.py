# SPDX-License-Identifier: GPL-3.0-or-later
"""Who asks, and what clients may do: permissions, sessions, limits on attempts."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from math import ceil
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.training.records import StoredPerson
from tsume.training.persons import SESSION_DAYS, NameTakenError, Persons, name_key
from tsume.web.api.parsing import PERSON, SESSION, RequestError, json_response, parsed_body
from tsume.web.work.results import json_bytes

# --- which clients may start jobs, save problems and add persons -----------------------------------

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers in which a proxy names its client."""


@dataclass(frozen=True)
class Permissions:
    """``remote``: other machines may start jobs and save too. ``saving``: problems may be saved at all.

    ``sign_up``: persons on other machines may choose a name and a passphrase.
    """

    remote: bool = False
    saving: bool = True
    sign_up: bool = False

    def require_work(self, request: Request) -> None:
        """Raise `RequestError` unless the client may start jobs."""
        if not self.remote and not is_local(request):
            fault = "work is allowed from this machine only (tsume serve --open allows others)"
            raise RequestError(403, fault, code="not_here")

    def require_saving(self, request: Request) -> None:
        """Raise `RequestError` unless the client may save problems."""
        self.require_work(request)
        self.require_writable()

    def may_save(self, request: Request) -> bool:
        """Return whether the client may save problems."""
        return self.saving and (self.remote or is_local(request))

    def require_writable(self) -> None:
        """Raise `RequestError` if nothing is saved."""
        if not self.saving:
            raise RequestError(403, "saving is turned off (tsume serve --read-only)", code="read_only")

    def may_sign_up(self, request: Request) -> bool:
        """Return whether the client may add a person."""
        return self.saving and (self.sign_up or is_local(request))


def is_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    server = request.scope.get("server")
    if server is not None and request.client.host == server[0]:  # its own address, not the loopback
        return True
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


# --- a limit on attempts: of a passphrase for a name, of new names by a client ---------------------

_MAX_KEYS = 10_000
"""Keys that are remembered, the latest ones."""


class AttemptLimiter:
    """At most ``most`` attempts in ``seconds`` for each key; those that succeed do not count."""

    def __init__(self, most: int = 10, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def begin(self, key: str) -> None:
        """Count an attempt before it is made. Raises `RequestError` if there were too many."""
        now, times = self._clock(), self._times.setdefault(key, deque())
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            retry = max(1, ceil(times[0] + self._seconds - now))
            raise RequestError(429, f"too many attempts: try again in {retry} s", retry=retry, code="too_often")
        times.append(now)
        self._times.move_to_end(key)
        while len(self._times) > _MAX_KEYS:
            self._times.popitem(last=False)

    def forget(self, key: str) -> None:
        """An attempt has succeeded: the key begins anew."""
        self._times.pop(key, None)


# --- who asks, and what clients may do -------------------------------------------------------------

T = TypeVar("T")
COOKIE = "tsume_session"
_HASHES_AT_ONCE = 2
"""Passphrases that are hashed at a time: each takes 16 MB and a processor."""
_MAX_TOKEN = 100
"""Characters of a cookie that may be a token."""


class Authentication:
    """Tells who asks, and signs persons in and out. Where nothing is saved everybody is nobody."""

    def __init__(self, persons: Persons, permissions: Permissions) -> None:
        self._persons, self._permissions = persons, permissions
        self._passphrases, self._names = AttemptLimiter(), AttemptLimiter()
        self._hashing = asyncio.Semaphore(_HASHES_AT_ONCE)

    def person(self, request: Request) -> StoredPerson | None:
        """Return the person who asks, None for nobody."""
        if not self._permissions.saving:
            return None
        token = _token_of(request)
        found = None if token is None else self._persons.of_token(token)
        if found is None and is_local(request):
            return self._persons.unnamed()
        return found

    def require_person(self, request: Request) -> StoredPerson:
        """Return the person who asks. Raises `RequestError` for nobody."""
        found = self.person(request)
        if found is None:
            raise RequestError(403, "nobody is signed in", code="nobody")
        return found

    def require_named(self, request: Request) -> StoredPerson:
        """Return the person who has signed in. Raises `RequestError` for nobody and for the unnamed person."""
        found = self.require_person(request)
        if not found.name:
            raise RequestError(403, "nobody is signed in", code="nobody")
        return found

    def me(self, request: Request) -> Response:
        """Return the name and the rating of the person who asks."""
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
            person, token = await self.hashed(self._persons.sign_up, values["name"], values["passphrase"])
        except NameTakenError as error:
            raise RequestError(409, str(error)) from None
        return _signed_in(self._described(request, person, 201), token)

    async def sign_in(self, request: Request) -> Response:
        """Sign in by name and passphrase."""
        self._permissions.require_writable()
        values = await parsed_body(request, SESSION)
        key = name_key(values["name"])
        self._passphrases.begin(key)
        found = await self.hashed(self._persons.sign_in, values["name"], values["passphrase"])
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
        fields: dict[str, Any] = {"person": None, "sign_up": self._permissions.may_sign_up(request)}
        if person is not None:
            rating, deviation = round(person.rating.rating), round(person.rating.deviation)
            fields["person"] = {"name": person.name, "rating": rating, "deviation": deviation}
        return private_response(fields, status)

    async def hashed(self, work: Callable[[str, str], T], name: str, passphrase: str) -> T:
        """Do what hashes a passphrase; others wait for it."""
        async with self._hashing:
            return await run_in_threadpool(work, name, passphrase)


def private_response(fields: dict[str, Any], status: int = 200) -> Response:
    """Return an object that is meant for one person: no cache keeps it."""
    response = json_response(json_bytes(fields), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _token_of(request: Request) -> str | None:
    token = request.cookies.get(COOKIE)
    return token if token is not None and 0 < len(token) <= _MAX_TOKEN else None


def _signed_in(response: Response, token: str) -> Response:
    seconds = SESSION_DAYS * 86400
    response.set_cookie(COOKIE, token, max_age=seconds, path="/", httponly=True, samesite="strict")
    return response
