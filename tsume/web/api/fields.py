"""The fields of requests: each reads a value and says as a JSON schema which values it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from db.notebook import TEXTS, fault_of_text
from tsume.formats.errors import shown
from tsume.web.api.json_text import Unreadable

Schema = dict[str, Any]


class Field(Protocol):
    """One field: raises ValueError, whose message says what is wrong, for a value that it does not take."""

    @property
    def required(self) -> bool:
        """Whether it must be there."""

    @property
    def about(self) -> str:
        """The name of the phrase that says what it means."""

    def read(self, value: object) -> Any:
        """A value of JSON as the program uses it."""

    def parse(self, text: str) -> Any:
        """A value of a query as the program uses it."""

    def schema(self) -> Schema:
        """Which values it takes."""


@dataclass(frozen=True)
class Text:
    """A text of at most ``most`` characters; ``make`` reads it, ``note`` is a column of the notebook."""

    about: str
    most: int
    required: bool = False
    make: Callable[[str], Any] = str
    note: str = ""
    example: str = ""

    def read(self, value: object) -> Any:
        """A value of JSON as the program uses it."""
        if not isinstance(value, str):
            raise ValueError("not a text")
        return self.parse(value)

    def parse(self, text: str) -> Any:
        """A value of a query as the program uses it."""
        if len(text) > self.most:
            raise ValueError(f"more than {self.most} characters")
        if self.note and (fault := fault_of_text(self.note, text)):
            raise ValueError(fault)
        return self.make(text)

    def schema(self) -> Schema:
        """Which values it takes."""
        example = {"examples": [self.example]} if self.example else {}
        return {"type": "string", "maxLength": self.most, **example}


@dataclass(frozen=True)
class Whole:
    """A whole number from ``least`` to ``most``; ``step`` apart where that is not 1."""

    about: str
    least: int
    most: int
    step: int = 1
    required: bool = False

    def read(self, value: object) -> int:
        """A value of JSON as the program uses it."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError("not a whole number")
        if not self.least <= value <= self.most or (value - self.least) % self.step:
            raise ValueError(f"{value} is not {self._values()}")
        return value

    def parse(self, text: str) -> int:
        """A value of a query as the program uses it."""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError("not a whole number")
        return self.read(int(text))

    def _values(self) -> str:
        steps = "" if self.step == 1 else f", {self.step} apart"
        return f"from {self.least} to {self.most}{steps}"

    def schema(self) -> Schema:
        """Which values it takes."""
        if self.step > 1:
            return {"type": "integer", "enum": list(range(self.least, self.most + 1, self.step))}
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Flag:
    """True or false."""

    about: str
    required: bool = False

    def read(self, value: object) -> bool:
        """A value of JSON as the program uses it."""
        if not isinstance(value, bool):
            raise ValueError("neither true nor false")
        return value

    def parse(self, text: str) -> bool:
        """A value of a query as the program uses it."""
        return self.read({"true": True, "false": False}.get(text))

    def schema(self) -> Schema:
        """Which values it takes."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    about: str
    words: tuple[str, ...]
    required: bool = False

    def read(self, value: object) -> str:
        """A value of JSON as the program uses it."""
        if not isinstance(value, str):
            raise ValueError("not a text")
        return self.parse(value)

    def parse(self, text: str) -> str:
        """A value of a query as the program uses it."""
        if text not in self.words:
            raise ValueError(f"{shown(text)} is not one of {', '.join(self.words[:12])}")
        return text

    def schema(self) -> Schema:
        """Which values it takes."""
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True)
class Listed:
    """A list of at most ``most`` different values."""

    about: str
    of: Field
    most: int
    required: bool = False

    def read(self, value: object) -> list[Any]:
        """A value of JSON as the program uses it."""
        if not isinstance(value, list):
            raise ValueError("not a list")
        if len(value) > self.most:
            raise ValueError(f"more than {self.most} values")
        if len({repr(one) for one in value}) < len(value):
            raise ValueError("a value is given twice")
        return [self.of.read(one) for one in value]

    def parse(self, text: str) -> list[Any]:
        """A value of a query as the program uses it."""
        return self.read(text.split(","))

    def schema(self) -> Schema:
        """Which values it takes."""
        return {"type": "array", "items": self.of.schema(), "maxItems": self.most, "uniqueItems": True}


@dataclass(frozen=True)
class Form:
    """All fields of a request by name."""

    fields: Mapping[str, Field] = field(default_factory=dict)

    def read(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The values of an object. Raises `Unreadable`, which names the field."""
        return self._made(given, lambda one, value: one.read(value))

    def parse(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The values of a query. Raises `Unreadable`."""
        return self._made(given, lambda one, value: one.parse(str(value)))

    def _made(self, given: Mapping[str, Any], make: Callable[[Field, Any], Any]) -> dict[str, Any]:
        for name in given:
            if name not in self.fields:
                raise Unreadable(f"{shown(name)} is not a field: these are {', '.join(self.fields)}")
        made = {}
        for name, one in self.fields.items():
            if name in given:
                try:
                    made[name] = make(one, given[name])
                except ValueError as error:
                    raise Unreadable(f"{name}: {' '.join(str(error).split())}") from None
            elif one.required:
                raise Unreadable(f"{name} is missing")
        return made


def note(column: str, about: str) -> Text:
    """A text that a person writes to a problem."""
    return Text(about, TEXTS[column], make=str.strip, note=column)
