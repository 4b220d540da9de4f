"""Records and diagrams of a position with its line."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tsume.diagrams.look import WOOD, Look, Scene
from tsume.diagrams.svg import svg
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import UTF_8, WRITERS
from tsume.language.catalogue import Language
from tsume.web.api.answers import Refused
from tsume.web.api.asking import Posed, query_of
from tsume.web.api.forms import DIAGRAM, RECORD
from tsume_rules.play import position_after


class Drawing:
    """Writes and draws; ``language`` is that of pictures where none is asked for."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def record(self, request: Request) -> Response:
        """The record of a position and its line, as a file to be kept."""
        values = query_of(request, RECORD)
        posed, form = Posed.of(values), values["format"]
        _played(posed, len(posed.line))
        if form == "sfen":
            moves = "".join(f" {move.usi}" for move in map(posed.parsed.outward, posed.line))
            text, ending = f"{posed.parsed.sfen}{' moves' * bool(moves)}{moves}\n", ".sfen"
        else:
            text = WRITERS[form].write(GameRecord(posed.parsed.position, posed.line))
            ending = WRITERS[form].ending(UTF_8)
        name = {"Content-Disposition": f'attachment; filename="tsume{ending}"'}
        return Response(text, headers=name, media_type="text/plain")

    def diagram(self, request: Request) -> Response:
        """The diagram of a position, after some moves of its line."""
        values = query_of(request, DIAGRAM)
        posed = Posed.of(values)
        after = values.get("after", 0)
        if after > len(posed.line):
            raise Refused(422, f"after: the line has {len(posed.line)} moves")
        last = posed.line[after - 1] if after and values.get("last", True) else None
        scene = Scene(_played(posed, after), last_move=last)
        look = Look(language=values.get("lang", self._language), colours=WOOD)
        return Response(svg(scene, look), media_type="image/svg+xml")


def _played(posed: Posed, number: int) -> Any:
    """The position after some moves of the line. Raises `Refused` where they cannot be played."""
    position = posed.parsed.position
    for at, move in enumerate(posed.line[:number], start=1):
        try:
            position = position_after(position, move)
        except ValueError as error:
            raise Refused(422, f"line: move {at}: {error}") from None
    return position
