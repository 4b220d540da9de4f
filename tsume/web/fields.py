# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of requests: each reads a value and gives the JSON schema of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from db.notebook import TEXTS, fault_of_text
from tsume.formats.text import text_excerpt

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
