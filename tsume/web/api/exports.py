# SPDX-License-Identifier: GPL-3.0-or-later
"""Records and diagrams of a position with its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tsume.formats.writers import UTF_8, WRITERS
from tsume.language.catalogue import Language
from tsume.web.api.forms import DIAGRAM, RECORD
from tsume.web.api.parsing import PositionInput, parsed_query
from tsume.web.api.responses import RequestError
from tsume.web.exported import diagram_svg, game_record

T = TypeVar("T")


class Exports:
    """The endpoints of records and diagrams; ``language`` is the default of diagrams."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def record(self, request: Request) -> Response:
        """The record of a position and its line, as a file to download."""
        values = parsed_query(request, RECORD)
        given, form = PositionInput.of(values), values["format"]
        position = given.parsed.position
        texts = values.get("title", ""), values.get("author", "")
        made = _checked(lambda: game_record(position, given.line, *texts))
        if form == "sfen":
            moves = "".join(f" {move.usi}" for move in map(given.parsed.outward, given.line))
            text, ending = f"{given.parsed.sfen}{' moves' * bool(moves)}{moves}\n", ".sfen"
        else:
            text = WRITERS[form].write(made)
            ending = WRITERS[form].ending(UTF_8)
        name = {"Content-Disposition": f'attachment; filename="tsume{ending}"'}
        return Response(text, headers=name, media_type="text/plain")

    def diagram(self, request: Request) -> Response:
        """The diagram of a position, after some moves of its line."""
        values = parsed_query(request, DIAGRAM)
        given = PositionInput.of(values)
        after = values.get("after", 0)
        if after > len(given.line):
            raise RequestError(422, f"after: the line has {len(given.line)} moves")
        drawn = _checked(
            lambda: diagram_svg(
                given.parsed.position, given.line[:after], values.get("lang", self._language),
                marks_last=values.get("last", True),
            )
        )  # fmt: skip
        return Response(drawn, media_type="image/svg+xml")


def _checked(write: Callable[[], T]) -> T:
    """What is written. Raises `RequestError` for an illegal move."""
    try:
        return write()
    except ValueError as error:
        raise RequestError(422, str(error)) from None
