# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading requests: the body is limited while it arrives, and read strictly."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, NoReturn, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from db.notebook import LONGEST_TAG
from db.training.records import LONGEST_NAME, MODES, RUN_MODES
from generator.theme_names import NAMES
from tsume.files.entries import Entry
from tsume.formats.registry import WRITERS
from tsume.formats.text import text_excerpt
from tsume.language.catalogue import LANGUAGES
from tsume.parallel.job_pool import JobTimeout, PoolBusy, WorkerLost
from tsume.training.persons import MAX_PASSPHRASE, valid_name, valid_passphrase
from tsume.web.guard import MAX_BODY
from tsume.web.pages import MAX_ID
from tsume.web.work import forms
from tsume.web.work.results import json_bytes
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import ParsedSfen, parse_placement, parse_sfen

# --- responses of the API: objects, errors and NDJSON; work ends when the client disconnects -------

T = TypeVar("T")
RETRY = {"Retry-After": "2"}
NDJSON = "application/x-ndjson"
_UNAVAILABLE = {
    PoolBusy: "busy: try again later",
    WorkerLost: "the worker stopped: try again",
    JobTimeout: "stopped: it took too long",
}


class ClientGone(Exception):
    """The client closed the connection."""


class RequestError(Exception):
    """A request that is rejected: the status, a message of one line, and further fields.

    ``retry`` is the number of seconds after which it may be repeated.
    """

    def __init__(self, status: int, fault: str, *, retry: int | None = None, **fields: Any) -> None:
        super().__init__(fault)
        self.status = status
        self.retry = retry
        self.fields = fields


def json_response(content: bytes, status: int = 200) -> Response:
    """Return an object that is JSON already."""
    return Response(content, status, media_type="application/json")


def error_response(fault: str, status: int, *, retry: int | None = None, **fields: Any) -> Response:
    """An error with a message of one line; ``retry``: seconds after which the request may be repeated."""
    headers = {"Retry-After": str(retry)} if retry is not None else RETRY if status == 503 else None
    content = json.dumps({"error": fault, **fields}, ensure_ascii=True)  # a fault may quote anything
    return Response(content, status, headers, media_type="application/json")


def unavailable_response(error: Exception) -> Response:
    """Return the response to a job that could not be done."""
    final = {"final": True} if isinstance(error, JobTimeout) else {}  # it would take as long again
    return error_response(_UNAVAILABLE[type(error)], 503, **final)


async def while_connected(receive: Receive, work: Awaitable[T]) -> T:
    """Await work. When the client disconnects, cancel it and raise `ClientGone`."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientGone
        return working.result()
    finally:
        for task in (working, leaving):
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class NdjsonResponse(Response):
    """Results as NDJSON, each sent at once; ``end`` makes the last line of interrupted work."""

    media_type = NDJSON

    def __init__(self, results: AsyncGenerator[bytes, None], end: Callable[[str], dict[str, Any]]) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._results = results
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the results until the last one, or until the client disconnects."""
        with suppress(ClientGone):
            await while_connected(receive, self._send(scope, receive, send))

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._results):
            try:
                first = await anext(self._results)
            except (PoolBusy, WorkerLost, JobTimeout) as error:
                await unavailable_response(error)(scope, receive, send)
                return
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await _send_line(send, first)
            try:
                async for line in self._results:
                    await _send_line(send, line)
            except (WorkerLost, JobTimeout) as error:
                await _send_line(send, json_bytes(self._end(_UNAVAILABLE[type(error)])))
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_line(send: Send, line: bytes) -> None:
    await send({"type": "http.response.body", "body": line + b"\n", "more_body": True})


# --- strict reading of JSON bodies: texts that two parsers could read differently are rejected -----

_MAX_DIGITS = 18
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
        raise forms.InvalidRequest("the body is not UTF-8") from None
    except RecursionError:
        raise forms.InvalidRequest("the body is nested too deep") from None
    except json.JSONDecodeError as error:
        raise forms.InvalidRequest(f"the body is not JSON: {error}") from None
    _require_plain_json(value, 0)
    if not isinstance(value, dict):
        raise forms.InvalidRequest("the body is not a JSON object")
    return value


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise forms.InvalidRequest(f"{text_excerpt(twice)} is given twice")
    return fields


def _reject_constant(text: str) -> NoReturn:
    raise forms.InvalidRequest(f"{text} is not a number")


def _bounded_integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise forms.InvalidRequest(f"a number of {len(text)} digits")
    return int(text)


def _finite_number(text: str) -> float | int:
    value = float(text)
    if abs(value) >= 10**_MAX_DIGITS:
        raise forms.InvalidRequest(f"{text_excerpt(text)} is too large")
    return int(value) if value.is_integer() else value  # JSON has one kind of number


def _require_plain_json(value: object, depth: int) -> None:
    """Raise `InvalidRequest` for a lone surrogate and for deep nesting."""
    if depth > _DEEPEST:
        raise forms.InvalidRequest("the body is nested too deep")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise forms.InvalidRequest(f"{text_excerpt(value)} has half of a surrogate pair") from None
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


async def parsed_body(request: Request, form: forms.RequestForm) -> dict[str, Any]:
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
            if len(data) > MAX_BODY:
                raise RequestError(413, f"the body has more than {MAX_BODY} bytes")
    except ClientDisconnect:
        raise ClientGone from None
    try:
        return form.read(read_object(data))
    except forms.InvalidRequest as error:
        raise RequestError(400, str(error)) from None


def parsed_query(request: Request, form: forms.RequestForm) -> dict[str, Any]:
    """Return the values of a query. Raises `RequestError`."""
    try:
        names = [name for name, _ in request.query_params.multi_items()]
        if len(set(names)) < len(names):
            raise forms.InvalidRequest("a field is given twice")
        return form.parse(request.query_params)
    except forms.InvalidRequest as error:
        raise RequestError(400, str(error)) from None


# --- the fields of each request --------------------------------------------------------------------

_EXAMPLE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
LONGEST_LINE, LONGEST_GAME = 3000, 1500
MAX_MOVES = 999
LONGEST_TEXT = 60_000
"""Characters of a text to read, and of bytes in base64; `tsume.web.guard.MAX_BODY` limits both too."""
_LANG = forms.choice_field("api.lang", LANGUAGES)


def _parsed_moves(text: str) -> tuple[Move, ...]:
    """Moves separated by commas; a space is a plus sign that was not encoded in the address."""
    return tuple(map(parse_move, text.replace(" ", "+").split(","))) if text else ()


def _form(**fields: forms.RequestField) -> forms.RequestForm:
    return forms.RequestForm(fields)


_SFEN = forms.text_field("api.sfen", forms.LONGEST_SFEN, required=True, make=parse_sfen, example=_EXAMPLE)
_LINE = forms.text_field(
    "api.line", LONGEST_LINE, make=lambda text: tuple(map(parse_move, text.split())), example="3d2c 1b1a 2c2b"
)
_POSITION: dict[str, forms.RequestField] = {"sfen": _SFEN, "line": _LINE}
_JUDGED: dict[str, forms.RequestField] = {**_POSITION, "sfen": replace(_SFEN, make=parse_placement)}
"""A position, legal or not: the judge says what is illegal in it."""
JUDGEMENT = forms.RequestForm({**_JUDGED, "moves": forms.integer_field("api.length_wanted", 1, MAX_MOVES)})
MENDING = forms.RequestForm({**_JUDGED, **forms.MENDING_FIELDS})
ENRICHING = forms.RequestForm({**_JUDGED, **forms.ENRICHING_FIELDS})
GENERATING = forms.RequestForm({**forms.GENERATING_FIELDS, "count": replace(forms.COMPOSED_COUNT, required=True)})
READING = _form(
    text=forms.text_field("api.text", LONGEST_TEXT, example=_EXAMPLE),
    data=forms.text_field("api.data", LONGEST_TEXT, make=partial(b64decode, validate=True)),
)
SAVING = _form(
    **_POSITION,
    title=forms.notebook_field("title", "api.problem_title"),
    author=forms.notebook_field("author", "api.author"),
    comment=forms.notebook_field("notes", "api.comment"),
    replace=forms.boolean_field("api.replace"),
)
COLLECTION = forms.RequestForm({})
RECORD = _form(
    **_POSITION,
    format=forms.choice_field("api.format", (*WRITERS, "sfen"), required=True),
    title=forms.notebook_field("title", "api.problem_title"),
    author=forms.notebook_field("author", "api.author"),
)
_PLAYED = forms.text_field("api.moves_before", LONGEST_GAME, make=_parsed_moves, example="3d2c,1b1a")
POSITION = forms.RequestForm({"moves": _PLAYED})
TREE = forms.RequestForm({"moves": _PLAYED, "whole": forms.boolean_field("api.whole")})
DIAGRAM = _form(
    sfen=replace(_SFEN, make=parse_placement),
    line=_LINE,
    after=forms.integer_field("api.after", 0, MAX_MOVES),
    last=forms.boolean_field("api.last"),
    lang=_LANG,
)


# --- the fields of each request about training -----------------------------------------------------

_MAX_LEFT_OUT = 300
"""Ids in one request, whose address has a limit too."""
_MAX_LISTED = 200
"""Problems in the list of a class, which the page asks for in one request."""
_MAX_COUNT, _MAX_SECONDS = 9999, 86400


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("not a date (YYYY-MM-DD)") from None


_DAY = forms.text_field("api.day", 10, make=_read_day, example="2026-01-31")
_ID = forms.integer_field("api.id", 1, MAX_ID, required=True)

PERSON = _form(
    name=forms.text_field("api.name", LONGEST_NAME, make=valid_name, required=True),
    passphrase=forms.text_field("api.passphrase", MAX_PASSPHRASE, make=valid_passphrase, required=True),
)
SESSION = _form(
    name=forms.text_field("api.name", LONGEST_NAME, required=True),
    passphrase=forms.text_field("api.passphrase", MAX_PASSPHRASE, required=True),
)
NEXT = forms.RequestForm(
    {
        "mode": forms.choice_field("api.mode", MODES[:-1], required=True),
        "theme": forms.list_field("api.theme_wanted", forms.choice_field("api.theme", tuple(NAMES)), len(NAMES)),
        "moves": forms.list_field("api.moves_wanted", forms.integer_field("api.length_wanted", 1, MAX_MOVES), 50),
        "not": forms.list_field("api.not", _ID, _MAX_LEFT_OUT),
        "solved": forms.integer_field("api.solved_in_run", 0, _MAX_COUNT),
        "day": _DAY,
        "tag": forms.text_field("api.tag_wanted", LONGEST_TAG, example="missed"),
        "unsolved": forms.boolean_field("api.unsolved"),
    }
)
CLASS_LIST = _form(
    title=forms.notebook_field("title", "api.list_title"),
    ids=replace(forms.list_field("api.list_ids", _ID, _MAX_LISTED), required=True),
)
PROBLEMS = _form(ids=replace(forms.list_field("api.ids", _ID, _MAX_LEFT_OUT), required=True))
RESULT = _form(
    problem=_ID,
    mode=forms.choice_field("api.mode", MODES, required=True),
    solved=forms.boolean_field("api.solved", required=True),
    moves=forms.integer_field("api.moves_played", 0, _MAX_COUNT, required=True),
    mistakes=forms.integer_field("api.mistakes", 0, _MAX_COUNT, required=True),
    hints=forms.integer_field("api.hints", 0, _MAX_COUNT, required=True),
    seconds=forms.integer_field("api.seconds", 0, _MAX_SECONDS, required=True),
    day=_DAY,
    completes=forms.integer_field("api.completes", 1, MAX_ID),
)
RUN = _form(
    mode=forms.choice_field("api.run_mode", RUN_MODES, required=True),
    solved=forms.integer_field("api.solved_in_run", 0, _MAX_COUNT, required=True),
    seconds=forms.integer_field("api.seconds", 0, _MAX_SECONDS, required=True),
)
