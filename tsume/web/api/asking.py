"""From a request to its values: the body is counted as it comes, and read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request

from tsume.files.entries import Entry
from tsume.web.api.answers import Gone, Refused
from tsume.web.api.fields import Form
from tsume.web.api.json_text import Unreadable, read_object
from tsume.web.guard import MOST_BODY
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen
from tsume_rules.squares import Square, rotated


@dataclass(frozen=True)
class Posed:
    """A position that was sent, and the line with it as the attacker sees it."""

    parsed: ParsedSfen
    line: tuple[Move, ...]

    @classmethod
    def of(cls, values: dict[str, Any]) -> Posed:
        """Take the position out of the values of a request."""
        parsed: ParsedSfen = values.pop("sfen")
        return cls(parsed, tuple(map(parsed.outward, values.pop("line", ()))))

    def seen(self, squares: list[Square]) -> frozenset[Square]:
        """Squares as the attacker sees them."""
        return frozenset(map(rotated, squares)) if self.parsed.rotated else frozenset(squares)

    @property
    def entry(self) -> Entry:
        """The same as the commands have it."""
        return Entry("request", self.parsed.sfen, self.parsed, line=self.line)


async def body_of(request: Request, form: Form) -> dict[str, Any]:
    """The values of a JSON body. Raises `Refused`, and `Gone` where it never ends.

    No form of another site can say that it sends JSON.
    """
    if _media_type(request) != "application/json":
        raise Refused(415, "Content-Type must be application/json")
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > MOST_BODY:
                raise Refused(413, f"the body has more than {MOST_BODY} bytes")
    except ClientDisconnect:
        raise Gone from None
    try:
        return form.read(read_object(data))
    except Unreadable as error:
        raise Refused(400, str(error)) from None


def _media_type(request: Request) -> str | None:
    """What a body says that it is, said once."""
    said = request.headers.getlist("content-type")
    return said[0].partition(";")[0].strip().lower() if len(said) == 1 else None


def query_of(request: Request, form: Form) -> dict[str, Any]:
    """The values of a query. Raises `Refused`."""
    try:
        names = [name for name, _ in request.query_params.multi_items()]
        if len(set(names)) < len(names):
            raise Unreadable("a field is given twice")
        return form.parse(request.query_params)
    except Unreadable as error:
        raise Refused(400, str(error)) from None
