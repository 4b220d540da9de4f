# SPDX-License-Identifier: GPL-3.0-or-later
"""The query of the problem list: its filters, order and page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from db.selection import ORDERS, ProblemSelection
from generator.problem import STORED
from generator.theme_names import tag_of
from solver.results import Grade
from tsume.collection.levels import LEVELS, level_tag

PER_PAGE = 48
MOST_PAGES = 1000
_RANGES = {
    "moves": (1, 999), "level": (1, LEVELS), "stars": (1, 5), "min_quality": (0, 100), "page": (1, MOST_PAGES)
}  # fmt: skip
"""The smallest and largest value of each number."""


@dataclass(frozen=True)
class ListQuery:
    """The problems that the list shows, and the page of them (from 1)."""

    values: Mapping[str, str]
    selection: ProblemSelection
    page: int

    @classmethod
    def of(cls, query: Mapping[str, str]) -> ListQuery:
        """Read a query; empty and unknown fields are ignored. Raises ValueError for an invalid value."""
        given = {name: value for name, value in query.items() if value and name in _READ}
        read: dict[str, Any] = {_READ[name]: _filter_value(name, text) for name, text in given.items()}
        page = read.pop("page", 1)
        return cls(given, ProblemSelection(**read), page)

    @classmethod
    def of_problem(cls, query: Mapping[str, str]) -> tuple[ListQuery, str | None]:
        """The list from which a problem was opened; all problems and the fault if the query is invalid."""
        try:
            return cls.of(query), None
        except ValueError as fault:
            return ALL_PROBLEMS, str(fault)

    @property
    def on_page(self) -> ProblemSelection:
        """The problems of the list up to the first after its page."""
        return replace(self.selection, limit=self.page * PER_PAGE + 1)

    @property
    def narrowed(self) -> bool:
        """Whether the query has anything but a page and what the links beside the filter choose."""
        return not self.values.keys() <= {"page", "moves", "level"}

    def address(self, language: str, page: int | None = None) -> str:
        """The query of the same list in a language, or of another page of it."""
        return urlencode({**self.values, **({} if page is None else {"page": page}), "lang": language})

    def address_with(self, language: str, name: str, value: int | None) -> str:
        """The query of the first page with another value of a field, or without it."""
        kept = {key: given for key, given in self.values.items() if key not in (name, "page")}
        return urlencode({**kept, **({} if value is None else {name: value}), "lang": language})

    def following(self, problem: int) -> ProblemSelection:
        """The problem after one of the list, in its order."""
        return replace(self.selection, after=problem, limit=1)


ALL_PROBLEMS = ListQuery({}, ProblemSelection(), 1)
"""The first page of the list of all problems."""
_READ = {
    "moves": "moves",
    "level": "tags",
    "stars": "stars",
    "min_quality": "min_quality",
    "page": "page",
    "theme": "themes",
    "grade": "grade",
    "order": "order",
}
"""From a name in the address to one of `ProblemSelection`."""


def _filter_value(name: str, text: str) -> Any:
    if name in _RANGES:
        least, most = _RANGES[name]
        if text.isascii() and text.isdigit() and len(text) < 5 and least <= int(text) <= most:
            return (level_tag(int(text)),) if name == "level" else int(text)
    elif name == "theme" and (tag := tag_of(text)) is not None:
        return (tag,)
    elif name == "grade" and text in [grade.value for grade in STORED]:
        return Grade(text)
    elif name == "order" and text in ORDERS:
        return text
    raise ValueError(f"{name}={text[:50]}")
