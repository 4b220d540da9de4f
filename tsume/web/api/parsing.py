# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading requests: the body is limited while it arrives, and read strictly."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from tsume.files.entries import Entry
from tsume.formats.text import text_excerpt
from tsume.web.api.responses import ClientGone, RequestError
from tsume.web.fields import InvalidRequest, RequestForm
from tsume.web.guard import MOST_BODY
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen

# ---------------------------------------------------------------------------------------------------
#
# Strict reading of JSON bodies: texts that two parsers could read differently are rejected.

_MOST_DIGITS = 18
_DEEPEST = 16


def read_object(data: bytes) -> dict[str, Any]:
    """Return the object of a JSON text in UTF-8.

    Raises `InvalidRequest`, also for a repeated name, NaN, a number of more than 18 digits, a lone
    surrogate, and nesting deeper than 16.
    """
    try:
        value = json.loads(
            data.decode(), object_pairs_hook=_object_of_pairs, parse_constant=_reject_constant,
            parse_int=_bounded_integer,
            parse_float=_finite_number,
        )  # fmt: skip
    except UnicodeDecodeError:
        raise InvalidRequest("the body is not UTF-8") from None
    except RecursionError:
        raise InvalidRequest("the body is nested too deep") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the body is not JSON: {error}") from None
    _require_plain_json(value, 0)
    if not isinstance(value, dict):
        raise InvalidRequest("the body is not a JSON object")
    return value


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidRequest(f"{text_excerpt(twice)} is given twice")
    return fields


def _reject_constant(text: str) -> NoReturn:
    raise InvalidRequest(f"{text} is not a number")


def _bounded_integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise InvalidRequest(f"a number of {len(text)} digits")
    return int(text)


def _finite_number(text: str) -> float | int:
    value = float(text)
    if abs(value) >= 10**_MOST_DIGITS:
        raise InvalidRequest(f"{text_excerpt(text)} is too large")
    return int(value) if value.is_integer() else value  # JSON has one kind of number


def _require_plain_json(value: object, depth: int) -> None:
    """Raise `InvalidRequest` for a lone surrogate and for deep nesting."""
    if depth > _DEEPEST:
        raise InvalidRequest("the body is nested too deep")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidRequest(f"{text_excerpt(value)} has half of a surrogate pair") from None
    elif isinstance(value, dict):
        for name, held in value.items():
            _require_plain_json(name, depth)
            _require_plain_json(held, depth + 1)
    elif isinstance(value, list):
        for held in value:
            _require_plain_json(held, depth + 1)


# --- reading requests ------------------------------------------------------------------------------


@dataclass(frozen=True)
class PositionInput:
    """A position of a request, and its line from the attacker's side."""

    parsed: ParsedSfen
    line: tuple[Move, ...]

    @classmethod
    def of(cls, values: dict[str, Any]) -> PositionInput:
        """Take position and line out of the values of a request."""
        parsed: ParsedSfen = values.pop("sfen")
        return cls(parsed, tuple(map(parsed.outward, values.pop("line", ()))))

    @property
    def entry(self) -> Entry:
        """The same as commands read it."""
        return Entry("request", self.parsed.sfen, self.parsed, line=self.line)


async def parsed_body(request: Request, form: RequestForm) -> dict[str, Any]:
    """Return the values of a JSON body. Raises `RequestError`, and `ClientGone` where it never ends.

    The content type must be JSON: a form of another site cannot send it.
    """
    given = request.headers.getlist("content-type")
    if len(given) != 1 or given[0].partition(";")[0].strip().lower() != "application/json":
        raise RequestError(415, "Content-Type must be application/json")
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > MOST_BODY:
                raise RequestError(413, f"the body has more than {MOST_BODY} bytes")
    except ClientDisconnect:
        raise ClientGone from None
    try:
        return form.read(read_object(data))
    except InvalidRequest as error:
        raise RequestError(400, str(error)) from None


def parsed_query(request: Request, form: RequestForm) -> dict[str, Any]:
    """Return the values of a query. Raises `RequestError`."""
    try:
        names = [name for name, _ in request.query_params.multi_items()]
        if len(set(names)) < len(names):
            raise InvalidRequest("a field is given twice")
        return form.parse(request.query_params)
    except InvalidRequest as error:
        raise RequestError(400, str(error)) from None
