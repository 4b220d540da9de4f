# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of requests for long work, and those of what a page asks its worker (docs/browser.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from db.notebook import TEXTS, fault_of_text
from generator.theme_names import NAMES
from tsume.formats.text import text_excerpt
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
    """A field of a request; ``about`` is the name of the phrase that describes it."""

    about: str
    required: bool = field(default=False, kw_only=True)
    _type: ClassVar[str] = "string"
    """The name of its type in a JSON schema."""
    _mistyped: ClassVar[str] = "not a text"
    """The message for a value of another type."""

    def read(self, value: object) -> Any:
        """Convert a JSON value. Raises ValueError, whose message says what is wrong."""
        if not self._fits(value):
            raise ValueError(self._mistyped)
        return self._converted(value)

    def parse(self, text: str) -> Any:
        """Convert a value of a query. Raises ValueError."""
        return self.read(self._json_value(text))

    def schema(self) -> Schema:
        """Return the JSON schema of its values."""
        return {"type": self._type, **self._limits()}

    def _fits(self, value: object) -> bool:
        """Return whether a value has the type."""
        return isinstance(value, str)

    def _converted(self, value: Any) -> Any:
        return value

    def _json_value(self, text: str) -> object:
        return text

    def _limits(self) -> Schema:
        """Return what a JSON schema says of the values beside their type."""
        return {}


@dataclass(frozen=True)
class TextField(RequestField):
    """A string of at most ``most`` characters, converted by ``make``; ``note``: a column of the notebook."""

    most: int
    make: Callable[[str], Any] = str
    note: str = ""
    example: str = ""

    def _converted(self, value: str) -> Any:
        if len(value) > self.most:
            raise ValueError(f"more than {self.most} characters")
        if self.note and (fault := fault_of_text(self.note, value)):
            raise ValueError(fault)
        return self.make(value)

    def _limits(self) -> Schema:
        example = {"examples": [self.example]} if self.example else {}
        return {"maxLength": self.most, **example}


@dataclass(frozen=True)
class IntegerField(RequestField):
    """An integer from ``least`` to ``most``, in steps of ``step``."""

    least: int
    most: int
    step: int = 1
    _type: ClassVar[str] = "integer"
    _mistyped: ClassVar[str] = "not a whole number"

    def _fits(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def _converted(self, value: int) -> int:
        if not self.least <= value <= self.most or (value - self.least) % self.step:
            steps = "" if self.step == 1 else f", {self.step} apart"
            raise ValueError(f"{value} is not from {self.least} to {self.most}{steps}")
        return value

    def _json_value(self, text: str) -> object:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text

    def _limits(self) -> Schema:
        if self.step > 1:
            return {"enum": list(range(self.least, self.most + 1, self.step))}
        return {"minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class PositiveField(RequestField):
    """A number above 0."""

    _type: ClassVar[str] = "number"
    _mistyped: ClassVar[str] = "a number above 0 is needed"

    def _fits(self, value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and value > 0

    def _limits(self) -> Schema:
        return {"exclusiveMinimum": 0}


@dataclass(frozen=True)
class BooleanField(RequestField):
    """True or false."""

    _type: ClassVar[str] = "boolean"
    _mistyped: ClassVar[str] = "neither true nor false"

    def _fits(self, value: object) -> bool:
        return isinstance(value, bool)

    def _json_value(self, text: str) -> object:
        return {"true": True, "false": False}.get(text)


@dataclass(frozen=True)
class ChoiceField(RequestField):
    """One of some words."""

    words: tuple[str, ...]

    def _converted(self, value: str) -> str:
        if value not in self.words:
            raise ValueError(f"{text_excerpt(value)} is not one of {', '.join(self.words[:12])}")
        return value

    def _limits(self) -> Schema:
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class ListField(RequestField):
    """A list of at most ``most`` values, different ones unless they may be ``repeated``."""

    of: RequestField
    most: int
    repeated: bool = False
    _type: ClassVar[str] = "array"
    _mistyped: ClassVar[str] = "not a list"

    def _fits(self, value: object) -> bool:
        return isinstance(value, list | tuple)

    def _converted(self, value: list[Any]) -> list[Any]:
        if len(value) > self.most:
            raise ValueError(f"more than {self.most} values")
        if not self.repeated and len({repr(one) for one in value}) < len(value):
            raise ValueError("a value is given twice")
        return [self.of.read(one) for one in value]

    def _json_value(self, text: str) -> object:
        return [self.of._json_value(part) for part in text.split(",")] if text else []

    def _limits(self) -> Schema:
        return {"items": self.of.schema(), "maxItems": self.most, "uniqueItems": not self.repeated}


@dataclass(frozen=True)
class RequestForm:
    """The fields of a request by name."""

    fields: Mapping[str, RequestField]

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a JSON object. Raises `InvalidRequest`, which names the field."""
        return self._converted(given, RequestField.read)

    def parse(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of a query. Raises `InvalidRequest`, which names the field."""
        return self._converted(given, RequestField.parse)

    def _converted(self, given: Mapping[str, Any], convert: Callable[[RequestField, Any], Any]) -> dict[str, Any]:
        for name in given:
            if name not in self.fields:
                raise InvalidRequest(f"{text_excerpt(name)} is not a field: the fields are {', '.join(self.fields)}")
        values = {}
        for name, one in self.fields.items():
            if name in given:
                try:
                    values[name] = convert(one, given[name])
                except ValueError as error:
                    raise InvalidRequest(f"{name}: {' '.join(str(error).split())}") from None
            elif one.required:
                raise InvalidRequest(f"{name} is missing")
        return values


def notebook_field(column: str, about: str) -> TextField:
    """Return a text of the notebook that a person writes about a problem."""
    return TextField(about, TEXTS[column], make=str.strip, note=column)


LONGEST_SFEN = 300

_KEEP = ListField("api.keep", TextField("api.square", 2, make=parse_square, example="5e"), 81)

MENDING_FIELDS: dict[str, RequestField] = {
    "moves": IntegerField("api.length_mended", 3, 99),
    "keep": _KEEP,
    "edits": IntegerField("api.edits", 1, 3),
    "count": IntegerField("api.repairs", 1, 20),
}
ENRICHING_FIELDS: dict[str, RequestField] = {
    "keep": _KEEP,
    "edits": IntegerField("api.edits", 0, 3),
    "count": IntegerField("api.suggestions", 1, 20),
    "plies": IntegerField("api.plies", 2, 8, 2),
}
COMPOSED_COUNT = IntegerField("api.count", 1, MAX_COMPOSED)
GENERATING_FIELDS: dict[str, RequestField] = {
    "moves": IntegerField("api.length_composed", COMPOSED_LENGTHS[0], COMPOSED_LENGTHS[-1], 2, required=True),
    "count": COMPOSED_COUNT,
    "natural": BooleanField("api.natural"),
    "sound": BooleanField("api.sound"),
    "stars": IntegerField("api.stars", 1, 5),
    "themes": ListField("api.themes", ChoiceField("api.theme", tuple(NAMES)), 10),
    "pieces": IntegerField("api.pieces", 3, 40),
    "seed": IntegerField("api.seed", 0, 2**32 - 1),
}


# --- the fields of what a page asks its worker; docs/browser.md describes them ---------------------

_MAX_PLIES = 9999
_MAX_NODES = 10**15
_LONGEST_TEXT = 10_000_000
"""Characters of a text to read."""

_SFEN: dict[str, RequestField] = {"sfen": TextField("", LONGEST_SFEN, required=True, make=parse_sfen)}
_POSITION = TextField("", LONGEST_SFEN, required=True, make=parse_placement)
"""A position, legal or not."""
_SECONDS: dict[str, RequestField] = {"seconds": PositiveField("")}
_PLIES = IntegerField("", 1, _MAX_PLIES)
_MOVES = ListField("", TextField("", 5, make=parse_move), _MAX_PLIES, repeated=True)
_LINE: dict[str, RequestField] = {"line": _MOVES}
_PLACED: dict[str, RequestField] = {"sfen": _POSITION}
_JUDGED: dict[str, RequestField] = {**_PLACED, **_LINE, "moves": _PLIES, **_SECONDS}
_PLAYED = RequestForm({**_SFEN, "length": IntegerField("", 1, _MAX_PLIES, required=True), "moves": _MOVES, **_SECONDS})

FORMS: dict[str, RequestForm] = {
    "check": RequestForm({**_JUDGED, "all_findings": BooleanField("")}),
    "commentary": RequestForm({**_SFEN, **_LINE, **_SECONDS}),
    "diagram": RequestForm({"sfen": _POSITION, "language": ChoiceField("", LANGUAGES)}),
    "enrich": RequestForm({**_PLACED, **_LINE, **ENRICHING_FIELDS, **_SECONDS}),
    "explain": RequestForm({**_PLACED, **_LINE, "languages": ListField("", ChoiceField("", LANGUAGES), 2), **_SECONDS}),
    "generate": RequestForm({**GENERATING_FIELDS, "network": BooleanField(""), **_SECONDS}),
    "judgement": RequestForm(_JUDGED),
    "kif": RequestForm(
        {**_SFEN, **_LINE, "title": notebook_field("title", ""), "author": notebook_field("author", "")}
    ),
    "mend": RequestForm({**_PLACED, **_LINE, **MENDING_FIELDS, **_SECONDS}),
    "play_tree": _PLAYED,
    "position": _PLAYED,
    "reading": RequestForm({"text": TextField("", _LONGEST_TEXT, required=True)}),
    "solve": RequestForm({**_SFEN, "nodes": IntegerField("", 1, _MAX_NODES), **_SECONDS, "max_length": _PLIES}),
    "tree": RequestForm(
        {**_PLACED, **_SECONDS, "most_turns": IntegerField("", 1, _MAX_NODES), "all_answers": BooleanField("")}
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
