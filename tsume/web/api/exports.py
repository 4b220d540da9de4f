"""Records and diagrams of a position with its line."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tsume.diagrams.look import WOOD, DiagramLook, DiagramScene
from tsume.diagrams.svg import svg
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import UTF_8, WRITERS
from tsume.language.catalogue import Language
from tsume.web.api.forms import DIAGRAM, RECORD
from tsume.web.api.parsing import PositionInput, parsed_query
from tsume.web.api.responses import RequestError
from tsume_rules.play import position_after
from tsume_rules.position import Position


class Exports:
    """The endpoints of records and diagrams; ``language`` is the default of diagrams."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def record(self, request: Request) -> Response:
        """The record of a position and its line, as a file to download."""
        values = parsed_query(request, RECORD)
        given, form = PositionInput.of(values), values["format"]
        _position(given, len(given.line))
        if form == "sfen":
            moves = "".join(f" {move.usi}" for move in map(given.parsed.outward, given.line))
            text, ending = f"{given.parsed.sfen}{' moves' * bool(moves)}{moves}\n", ".sfen"
        else:
            text = WRITERS[form].write(GameRecord(given.parsed.position, given.line))
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
        last = given.line[after - 1] if after and values.get("last", True) else None
        scene = DiagramScene(_position(given, after), last_move=last)
        look = DiagramLook(language=values.get("lang", self._language), colours=WOOD)
        return Response(svg(scene, look), media_type="image/svg+xml")


def _position(given: PositionInput, number: int) -> Position:
    """The position after some moves of the line. Raises `RequestError` for an illegal move."""
    position = given.parsed.position
    for at, move in enumerate(given.line[:number], start=1):
        try:
            position = position_after(position, move)
        except ValueError as error:
            raise RequestError(422, f"line: move {at}: {error}") from None
    return position
