"""Reading a problem from a pasted text or a file."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.notebook import cleaned_notebook_text
from tsume.files.composer_records import notebook_of
from tsume.files.pasted_text import PastedProblem, UnknownTextError, read_pasted_text
from tsume.formats.addresses import NoPositionError
from tsume.web.api.forms import READING
from tsume.web.api.parsing import parsed_body
from tsume.web.api.responses import RequestError, json_response
from tsume.web.work.results import json_bytes
from tsume_rules.sfen import format_sfen


async def reading(request: Request) -> Response:
    """The first problem of a text: position, line, title, author, comment. Nothing is judged."""
    values = await parsed_body(request, READING)
    if len(values) != 1:
        raise RequestError(400, "give either text or data")
    data = values["data"] if "data" in values else values["text"].encode()
    return json_response(json_bytes(_rendered(await run_in_threadpool(_read, data))))


def _read(data: bytes) -> PastedProblem:
    """The problem. Raises `RequestError`."""
    try:
        return read_pasted_text(data)
    except UnknownTextError as error:
        raise RequestError(422, str(error), code="unknown_text") from None
    except NoPositionError as error:
        raise RequestError(422, str(error), code="no_position") from None
    except ValueError as error:
        raise RequestError(422, " ".join(str(error).split())) from None


def _rendered(pasted: PastedProblem) -> dict[str, Any]:
    """Position and line are seen by the attacker, as the page shows them."""
    entry = pasted.entry
    assert entry.parsed is not None
    notes = notebook_of(entry)
    comments = entry.record.comment_lines if entry.record is not None else []
    return {
        "sfen": format_sfen(entry.parsed.position),
        "line": [move.usi for move in entry.line],
        "title": notes.title,
        "author": notes.author,
        "comment": notes.notes or cleaned_notebook_text("notes", "\n".join(comments)),
        "format": pasted.form,
        "more": pasted.more,
    }
