"""A selection of problems as the address of the list says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from db.selection import ORDERS, Selection
from generator.problem import STORED
from generator.theme_names import tag_of
from solver.results import Grade

PER_PAGE = 48
MOST_PAGES = 1000
_MOST = {"moves": 999, "stars": 5, "min_quality": 100, "page": MOST_PAGES}
"""The largest value of each number; the least is 1, of a quality 0."""


@dataclass(frozen=True)
class Asked:
    """What the list shows: which problems, and which page of them (from 1).

    Raises ValueError, in `of`, for a value that cannot be asked for.
    """

    values: Mapping[str, str]
    selection: Selection
    page: int

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Asked:
        """Read the query of an address; what is empty asks for nothing."""
        given = {name: value for name, value in query.items() if value and name in _READ}
        read: dict[str, Any] = {_READ[name]: _value(name, text) for name, text in given.items()}
        page = read.pop("page", 1)
        return cls(given, Selection(**read, limit=page * PER_PAGE + 1), page)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the page is asked for."""
        return not self.values.keys() <= {"page"}

    def address(self, page: int, language: str) -> str:
        """The query of another page of the same list."""
        return urlencode({**self.values, "page": page, "lang": language})


_READ = {
    "moves": "moves",
    "stars": "stars",
    "min_quality": "min_quality",
    "page": "page",
    "theme": "themes",
    "grade": "grade",
    "order": "order",
}
"""From a name in the address to one of `Selection`."""


def _value(name: str, text: str) -> Any:
    fault = ValueError(f"{name}={text[:50]}")
    if name in _MOST:
        if not (text.isascii() and text.isdigit() and len(text) < 5):
            raise fault
        if not (name != "min_quality") <= int(text) <= _MOST[name]:
            raise fault
        return int(text)
    if name == "theme":
        tag = tag_of(text)
        if tag is None:
            raise fault
        return (tag,)
    if name == "grade" and text in [grade.value for grade in STORED]:
        return Grade(text)
    if name == "order" and text in ORDERS:
        return text
    raise fault
