# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a problem from a pasted text or a file."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tsume.formats.encoding import decode_record_file
from tsume.formats.errors import FormatError
from tsume.web.api.forms import READING
from tsume.web.api.parsing import parsed_body
from tsume.web.api.responses import RequestError, json_response
from tsume.web.rendered_reading import UnreadableText, rendered_reading
from tsume.web.work.results import json_bytes


async def reading(request: Request) -> Response:
    """The first problem of a text: position, line, title, author, comment. Nothing is judged."""
    values = await parsed_body(request, READING)
    if len(values) != 1:
        raise RequestError(400, "give either text or data")
    return json_response(json_bytes(await run_in_threadpool(_read, values)))


def _read(values: dict[str, Any]) -> dict[str, Any]:
    """The problem of a text, or of a file in any encoding. Raises `RequestError`."""
    try:
        text = decode_record_file(values["data"]) if "data" in values else values["text"]
        return rendered_reading(text)
    except UnreadableText as error:
        fields: dict[str, Any] = {"code": error.code} if error.code else {}
        raise RequestError(422, str(error), **fields) from None
    except FormatError as error:
        raise RequestError(422, str(error)) from None
