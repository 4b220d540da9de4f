# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading requests: the body is limited while it arrives, and read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request

from tsume.files.entries import Entry
from tsume.web.api.responses import ClientGone, RequestError
from tsume.web.api.strict_json import read_object
from tsume.web.fields import InvalidRequest, RequestForm
from tsume.web.guard import MOST_BODY
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen


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
    """The values of a JSON body. Raises `RequestError`, and `ClientGone` where it never ends.

    The content type must be JSON: a form of another site cannot send it.
    """
    if _media_type(request) != "application/json":
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


def _media_type(request: Request) -> str | None:
    """The media type of the body; None unless there is exactly one header."""
    given = request.headers.getlist("content-type")
    return given[0].partition(";")[0].strip().lower() if len(given) == 1 else None


def parsed_query(request: Request, form: RequestForm) -> dict[str, Any]:
    """The values of a query. Raises `RequestError`."""
    try:
        names = [name for name, _ in request.query_params.multi_items()]
        if len(set(names)) < len(names):
            raise InvalidRequest("a field is given twice")
        return form.parse(request.query_params)
    except InvalidRequest as error:
        raise RequestError(400, str(error)) from None
