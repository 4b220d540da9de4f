# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a booklet, each set alone so that memory does not grow with the number of problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tsume.book.options import PER_PAGE

_PROBLEMS_A_PART = 48
"""A part holds about so many problems: a multiple of every number of problems on a page."""
assert not any(_PROBLEMS_A_PART % number for number in PER_PAGE)

Kind = Literal["problems", "answers", "index"]


@dataclass(frozen=True)
class BookletPart:
    """Pages of one kind. A section is a title, its mark, whether it ``begins`` here, and its problems.

    ``begins``: the part starts with a heading of the first level.
    """

    kind: Kind
    sections: list[dict[str, Any]]
    begins: bool


@dataclass(frozen=True)
class Bookmark:
    """An entry of the document's outline; ``mark`` names its destination."""

    level: int
    title: str
    mark: str
    in_contents: bool = False


def booklet_parts(data: Mapping[str, Any]) -> list[BookletPart]:
    """The parts after the front, in their order, of the data of `tsume.book.content.Content`."""
    chunks = list(_chunks_of_sections(data["sections"]))
    parts = [BookletPart("problems", chunk, chunk[0]["begins"]) for chunk in chunks]
    if data["answers"] == "back":
        parts += [
            BookletPart("answers", _answered_sections(chunk), not number)
            for number, chunk in enumerate(chunks)
        ]
    if data["themes"]:
        parts.append(BookletPart("index", [], begins=True))
    return parts


def bookmarks(data: Mapping[str, Any]) -> Iterator[Bookmark]:
    """The outline of the whole booklet, in the order of its pages."""
    yield Bookmark(1, data["contents_title"], "contents")
    answers_follow = data["answers"] == "reverse"
    for section in data["sections"]:
        yield Bookmark(1, section["title"], section["mark"], in_contents=True)
        yield from _section_bookmarks(section, 2, "problem", *(["answer"] if answers_follow else []))
    if not answers_follow:
        yield Bookmark(1, data["answers_title"], "answers", in_contents=True)
        for section in data["sections"]:
            yield Bookmark(2, section["title"], _answers_mark(section), in_contents=True)
            yield from _section_bookmarks(section, 3, "answer")
    if data["themes"]:
        yield Bookmark(1, data["themes_title"], "themes", in_contents=True)


def _section_bookmarks(section: Mapping[str, Any], level: int, *kinds: str) -> Iterator[Bookmark]:
    for problem in section["problems"]:
        for kind in kinds:
            yield Bookmark(level, " ".join(problem["heads"]), f"{kind}-{problem['number']}")


def _chunks_of_sections(sections: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Sections, or pieces of long ones, that make a part together."""
    chunk: list[dict[str, Any]] = []
    for section in sections:
        problems = section["problems"]
        for start in range(0, len(problems), _PROBLEMS_A_PART):
            piece = problems[start : start + _PROBLEMS_A_PART]
            if chunk and sum(len(one["problems"]) for one in chunk) + len(piece) > _PROBLEMS_A_PART:
                yield chunk
                chunk = []
            chunk.append({**section, "begins": start == 0, "problems": piece})
    yield chunk


def _answered_sections(chunk: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**section, "mark": _answers_mark(section)} for section in chunk]


def _answers_mark(section: Mapping[str, Any]) -> str:
    return f"answers-{section['mark']}"
