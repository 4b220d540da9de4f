# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of a site, in pages: all problems, by length, by theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from db.stored_problem import StoredProblem
from tsume.site.addresses import INDEX
from tsume.site.options import PER_PAGE

Kind = Literal["all", "moves", "theme"]
_NEAR = 2
"""Pages linked on each side of a page, besides the first and the last."""


@dataclass(frozen=True)
class ProblemListing:
    """Some of the problems in an order: as they were selected, or ``easy``, the lowest score first.

    ``value`` is the length of lists by length, the tag of lists by theme, empty for the list of all.
    """

    kind: Kind
    value: str
    easy: bool
    problems: Sequence[StoredProblem]

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return -(-len(self.problems) // PER_PAGE)

    def on(self, page: int) -> Sequence[StoredProblem]:
        """The problems on a page, from 1."""
        return self.problems[(page - 1) * PER_PAGE : page * PER_PAGE]

    @property
    def name(self) -> str:
        """The name of the list in addresses."""
        return list_name(self.kind, self.value, easy=self.easy)

    def file(self, page: int = 1) -> str:
        """The file of a page, from the folder of its language."""
        return list_file(self.kind, self.value, page, easy=self.easy)

    def near(self, page: int) -> list[int]:
        """The pages linked from a page, itself included; 0 stands for a gap."""
        told = {1, self.pages, *range(max(1, page - _NEAR), min(self.pages, page + _NEAR) + 1)}
        found: list[int] = []
        for number in sorted(told):
            if found and number > found[-1] + 1:
                found.append(0)
            found.append(number)
        return found


def list_file(kind: Kind, value: str, page: int = 1, *, easy: bool) -> str:
    """The file of a page of a list, from the folder of its language."""
    name = list_name(kind, value, easy=easy) + (f"-{page}" if page > 1 else "")
    return INDEX if name == "all" else f"lists/{name}.html"


def list_name(kind: Kind, value: str, *, easy: bool) -> str:
    """The name of a list in addresses: ``moves-5-easy``."""
    return "-".join([kind, *([value] if value else []), *(["easy"] if easy and kind != "theme" else [])])


def listings(problems: Sequence[StoredProblem]) -> Iterator[ProblemListing]:
    """All lists: of all problems and of each length in both orders, of each theme the easiest first."""
    easiest = easiest_first(problems)
    for length in [None, *problem_counts_by_length(problems)]:
        for found, easy in ((problems, False), (easiest, True)):
            if length is None:
                yield ProblemListing("all", "", easy, found)
            else:
                yield ProblemListing(
                    "moves", str(length), easy, [one for one in found if one.length == length]
                )
    for tag in problem_counts_by_theme(problems):
        yield ProblemListing("theme", tag, True, [one for one in easiest if tag in one.themes])


def easiest_first(problems: Sequence[StoredProblem]) -> list[StoredProblem]:
    """Problems in the order of their scores."""
    return sorted(problems, key=lambda one: (one.difficulty.score, one.id))


def problem_counts_by_length(problems: Sequence[StoredProblem]) -> dict[int, int]:
    """How many problems there are of each length, the shortest first."""
    found = [problem.length for problem in problems]
    return {length: found.count(length) for length in sorted(set(found))}


def problem_counts_by_theme(problems: Sequence[StoredProblem]) -> dict[str, int]:
    """How many problems have each theme, by tag."""
    found = [tag for problem in problems for tag in problem.themes]
    return {tag: found.count(tag) for tag in sorted(set(found))}
