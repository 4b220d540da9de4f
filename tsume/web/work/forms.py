# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of requests for long work, and those of what a page asks its worker (docs/browser.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from db.notebook import TEXTS, fault_of_text
from generator.constraints.line_pattern import LONGEST_PATTERN, parse_line_pattern, parse_move_patterns
from generator.constraints.problem import parse_mate_squares
from generator.theme_names import NAMES
from tsume.formats.text import is_integer, text_excerpt
from tsume.language.catalogue import LANGUAGES
from tsume.web.work.positions import COMPOSED_LENGTHS, MAX_COMPOSED
from tsume_rules.moves import parse_move
from tsume_rules.position import parse_square
from tsume_rules.sfen import parse_placement, parse_sfen

Schema = dict[str, Any]


class InvalidRequest(ValueError):
    """A request that cannot be read; the message is one line and names the field."""


@dataclass(frozen=True)
class RequestField:
    """A field of a request. ``about`` is the name of the phrase that describes it, ``schema`` the JSON schema of its
    values; texts are converted by ``make``. ``note``: a column of the notebook; ``of``: the values of a list."""

    about: str
    schema: Schema
    make: Callable[[str], Any] = str
    note: str = ""
    of: RequestField | None = None
    required: bool = False

    def read(self, value: object) -> Any:  # noqa: PLR0912 - one for each kind of value
        """Convert a JSON value. Raises ValueError, whose message says what is wrong."""
        schema = self.schema
        kind, known = schema["type"], schema.get("enum")
        if kind == "string":
            if not isinstance(value, str):
                raise ValueError("not a text")
            if known is not None and value not in known:
                raise ValueError(f"{text_excerpt(value)} is not one of {', '.join(known[:12])}")
            if known is None and len(value) > schema["maxLength"]:
                raise ValueError(f"more than {schema['maxLength']} characters")
            if self.note and (fault := fault_of_text(self.note, value)):
                raise ValueError(fault)
            return self.make(value)
        if kind == "array":
            if not isinstance(value, list | tuple):
                raise ValueError("not a list")
            if len(value) > schema["maxItems"]:
                raise ValueError(f"more than {schema['maxItems']} values")
            if schema["uniqueItems"] and len({repr(one) for one in value}) < len(value):
                raise ValueError("a value is given twice")
            assert self.of is not None
            return [self.of.read(one) for one in value]
        if kind == "boolean" and not isinstance(value, bool):
            raise ValueError("neither true nor false")
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0  # NaN is not
        if kind == "number" and not is_number:
            raise ValueError("a number above 0 is needed")
        if kind == "integer":
            if not is_integer(value):
                raise ValueError("not a whole number")
            least, most = (schema["minimum"], schema["maximum"]) if known is None else (known[0], known[-1])
            if not least <= value <= most or (known is not None and value not in known):
                steps = "" if known is None else f", {known[1] - known[0]} apart"
                raise ValueError(f"{value} is not from {least} to {most}{steps}")
        return value

    def json_value(self, text: str) -> object:
        """Return the JSON value for a value of a query; another one where there is none."""
        kind = self.schema["type"]
        if kind == "integer":
            return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
        if kind == "array" and self.of is not None:
            return [self.of.json_value(part) for part in text.split(",")] if text else []
        return {"true": True, "false": False}.get(text) if kind == "boolean" else text


def text_field(
    about: str, most: int, make: Callable[[str], Any] = str, example: str = "", *, required: bool = False
) -> RequestField:
    """Return a field for texts of at most ``most`` characters."""
    schema = {"type": "string", "maxLength": most, **({"examples": [example]} if example else {})}
    return RequestField(about, schema, make, required=required)


def integer_field(about: str, least: int, most: int, step: int = 1, *, required: bool = False) -> RequestField:
    """Return a field for integers from ``least`` to ``most``, in steps of ``step``."""
    limits: Schema = {"minimum": least, "maximum": most} if step == 1 else {"enum": list(range(least, most + 1, step))}
    return RequestField(about, {"type": "integer", **limits}, required=required)


def boolean_field(about: str, *, required: bool = False) -> RequestField:
    """Return a field for true or false."""
    return RequestField(about, {"type": "boolean"}, required=required)


def choice_field(about: str, words: tuple[str, ...], *, required: bool = False) -> RequestField:
    """Return a field for one of some words."""
    return RequestField(about, {"type": "string", "enum": list(words)}, required=required)


def list_field(about: str, of: RequestField, most: int, *, repeated: bool = False) -> RequestField:
    """Return a field for lists of at most ``most`` values, different ones unless they may be ``repeated``."""
    schema = {"type": "array", "items": of.schema, "maxItems": most, "uniqueItems": not repeated}
    return RequestField(about, schema, of=of)


@dataclass(frozen=True)
class RequestForm:
    """The fields of a request by name."""

    fields: Mapping[str, RequestField]

    def parse(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of a query. Raises `InvalidRequest`, which names the field."""
        return self.read(
            {name: self.fields[name].json_value(text) if name in self.fields else text for name, text in given.items()}
        )

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a JSON object. Raises `InvalidRequest`, which names the field."""
        for name in given:
            if name not in self.fields:
                raise InvalidRequest(f"{text_excerpt(name)} is not a field: the fields are {', '.join(self.fields)}")
        values = {}
        for name, one in self.fields.items():
            if name in given:
                try:
                    values[name] = one.read(given[name])
                except ValueError as error:
                    raise InvalidRequest(f"{name}: {' '.join(str(error).split())}") from None
            elif one.required:
                raise InvalidRequest(f"{name} is missing")
        return values


def notebook_field(column: str, about: str) -> RequestField:
    """Return a text of the notebook that a person writes about a problem."""
    return replace(text_field(about, TEXTS[column], str.strip), note=column)


def _as_read_by(read: Callable[[str], object]) -> Callable[[str], str]:
    """Return what leaves a text as it is. Raises ValueError for one that ``read`` cannot read."""
    return lambda text: text if read(text) is not None else ""


LONGEST_SFEN = 300

_KEEP = list_field("api.keep", text_field("api.square", 2, make=parse_square, example="5e"), 81)

MENDING_FIELDS: dict[str, RequestField] = {
    "moves": integer_field("api.length_mended", 3, 99),
    "keep": _KEEP,
    "edits": integer_field("api.edits", 1, 3),
    "count": integer_field("api.repairs", 1, 20),
}
ENRICHING_FIELDS: dict[str, RequestField] = {
    "keep": _KEEP,
    "edits": integer_field("api.edits", 0, 3),
    "count": integer_field("api.suggestions", 1, 20),
    "plies": integer_field("api.plies", 2, 8, 2),
}
COMPOSED_COUNT = integer_field("api.count", 1, MAX_COMPOSED)
GENERATING_FIELDS: dict[str, RequestField] = {
    "moves": integer_field("api.length_composed", COMPOSED_LENGTHS[0], COMPOSED_LENGTHS[-1], 2, required=True),
    "count": COMPOSED_COUNT,
    "natural": boolean_field("api.natural"),
    "sound": boolean_field("api.sound"),
    "stars": integer_field("api.stars", 1, 5),
    "themes": list_field("api.themes", choice_field("api.theme", tuple(NAMES)), 10),
    "pieces": integer_field("api.pieces", 3, 40),
    "line": text_field("api.line_wished", LONGEST_PATTERN, _as_read_by(parse_line_pattern), "x x S*2b Px2b x"),
    "last": text_field("api.last_move", 40, _as_read_by(parse_move_patterns), "P"),
    "mate_on": text_field("api.mate_on", 40, _as_read_by(parse_mate_squares), "5e"),
    "seed": integer_field("api.seed", 0, 2**32 - 1),
}


# --- the fields of what a page asks its worker; docs/browser.md describes them ---------------------

_MAX_PLIES = 9999
_MAX_NODES = 10**15
_LONGEST_TEXT = 10_000_000
"""Characters of a text to read."""

_SFEN: dict[str, RequestField] = {"sfen": text_field("", LONGEST_SFEN, required=True, make=parse_sfen)}
_POSITION = text_field("", LONGEST_SFEN, required=True, make=parse_placement)
"""A position, legal or not."""
_SECONDS: dict[str, RequestField] = {"seconds": RequestField("", {"type": "number", "exclusiveMinimum": 0})}
_PLIES = integer_field("", 1, _MAX_PLIES)
_MOVES = list_field("", text_field("", 5, make=parse_move), _MAX_PLIES, repeated=True)
_LINE: dict[str, RequestField] = {"line": _MOVES}
_PLACED: dict[str, RequestField] = {"sfen": _POSITION}
_JUDGED: dict[str, RequestField] = {**_PLACED, **_LINE, "moves": _PLIES, **_SECONDS}
_PLAYED = RequestForm({**_SFEN, "length": integer_field("", 1, _MAX_PLIES, required=True), "moves": _MOVES, **_SECONDS})

FORMS: dict[str, RequestForm] = {
    "check": RequestForm({**_JUDGED, "all_findings": boolean_field("")}),
    "commentary": RequestForm({**_SFEN, **_LINE, **_SECONDS}),
    "diagram": RequestForm({"sfen": _POSITION, "language": choice_field("", LANGUAGES)}),
    "enrich": RequestForm({**_PLACED, **_LINE, **ENRICHING_FIELDS, **_SECONDS}),
    "exercise": RequestForm({**_SFEN, **_SECONDS}),
    "explain": RequestForm(
        {**_PLACED, **_LINE, "languages": list_field("", choice_field("", LANGUAGES), 2), **_SECONDS}
    ),
    "games": RequestForm(
        {
            "text": text_field("", _LONGEST_TEXT, required=True),
            "max_moves": integer_field("", 1, 99),
            "nodes": integer_field("", 1, _MAX_NODES),
        }
    ),
    "generate": RequestForm({**GENERATING_FIELDS, "network": boolean_field(""), **_SECONDS}),
    "judgement": RequestForm(_JUDGED),
    "kif": RequestForm(
        {**_SFEN, **_LINE, "title": notebook_field("title", ""), "author": notebook_field("author", "")}
    ),
    "mend": RequestForm({**_PLACED, **_LINE, **MENDING_FIELDS, **_SECONDS}),
    "play_tree": _PLAYED,
    "position": _PLAYED,
    "reading": RequestForm({"text": text_field("", _LONGEST_TEXT, required=True)}),
    "solve": RequestForm({**_SFEN, "nodes": integer_field("", 1, _MAX_NODES), **_SECONDS, "max_length": _PLIES}),
    "tree": RequestForm(
        {**_PLACED, **_SECONDS, "most_turns": integer_field("", 1, _MAX_NODES), "all_answers": boolean_field("")}
    ),
}
"""The fields of each query."""


def checked_fields(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a query that have a value, as they were given: answers repeat an SFEN as it is.

    Raises ValueError for an unknown field, a missing one, and one that cannot be read; it names the field.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    FORMS[kind].read(given)
    return given
