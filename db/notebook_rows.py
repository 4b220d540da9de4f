# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the notebooks of stored problems and follows their versions, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from db.models import ProblemRow, TagRow
from db.notebook import MAX_TAGS, NotebookEdit

_PROBLEMS, _TAGS = cast(Table, ProblemRow.__table__), cast(Table, TagRow.__table__)
_AT_ONCE = 500
"""Maximum ids in one statement."""
_MAX_VERSIONS = 1000
"""Maximum number of versions listed for a problem."""


class EditError(ValueError):
    """A change is impossible; nothing was written."""


@dataclass(frozen=True)
class Versions:
    """The ids of the problems of which this one is a version, the oldest first, and of its own versions."""

    earlier: tuple[int, ...] = ()
    later: tuple[int, ...] = ()


def edit_problems(session: Session, numbers: Sequence[int], change: NotebookEdit) -> None:
    """Apply a change to all these problems. Raises `EditError`, then the caller rolls back."""
    numbers = list(dict.fromkeys(numbers))
    named = numbers if change.parent is None else [*numbers, change.parent]
    known: set[int] = set()
    for part in _chunks_of_ids(named):
        known.update(session.scalars(select(_PROBLEMS.c.id).where(_PROBLEMS.c.id.in_(part))))
    if unknown := [number for number in named if number not in known]:
        raise EditError(f"no problem {unknown[0]}")
    values: dict[str, object] = dict(change.texts)
    if change.moves:
        values["parent_id"] = change.parent
        if change.parent is not None:
            line = {change.parent, *_earlier_versions(session, change.parent)}
            if own := [number for number in numbers if number in line]:
                raise EditError(f"problem {own[0]} cannot be a version of itself")
    for part in _chunks_of_ids(numbers):
        if values:
            session.execute(update(_PROBLEMS).where(_PROBLEMS.c.id.in_(part)).values(**values))
        _edit_tags(session, part, change)


def _chunks_of_ids(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (numbers[at : at + _AT_ONCE] for at in range(0, len(numbers), _AT_ONCE))


def _edit_tags(session: Session, numbers: Sequence[int], change: NotebookEdit) -> None:
    """Remove tags, then add tags where missing."""
    of_these = _TAGS.c.problem_id.in_(numbers)
    if change.without:
        session.execute(delete(_TAGS).where(of_these, _TAGS.c.tag.in_(change.without)))
    if not change.tags:
        return
    had = session.execute(select(_TAGS.c.problem_id, _TAGS.c.tag).where(of_these))
    tags: dict[int, set[str]] = {number: set() for number in numbers}
    for number, tag in had:
        tags[number].add(tag)
    if full := [number for number in numbers if len(tags[number].union(change.tags)) > MAX_TAGS]:
        raise EditError(f"problem {full[0]} would have more than {MAX_TAGS} tags")
    rows = [{"problem_id": number, "tag": tag} for number in numbers for tag in sorted(set(change.tags) - tags[number])]
    if rows:
        session.execute(insert(_TAGS), rows)


def versions_of(session: Session, number: int) -> Versions:
    """Return the versions before and after a problem; in a damaged database they may form a cycle."""
    rows = select(_PROBLEMS.c.id)
    tree = rows.where(_PROBLEMS.c.parent_id == number).cte(recursive=True)
    tree = tree.union(rows.where(_PROBLEMS.c.parent_id == tree.c.id))
    later = select(tree.c.id).where(tree.c.id != number).order_by(tree.c.id).limit(_MAX_VERSIONS)
    earlier = reversed(_earlier_versions(session, number))
    return Versions(tuple(earlier), tuple(session.scalars(later)))


def versions_among(session: Session, numbers: Sequence[int]) -> dict[int, Versions]:
    """Return the versions before and after each of these problems that has any."""
    own, parent = _PROBLEMS.c.id, _PROBLEMS.c.parent_id
    found: dict[int, Versions] = {}
    for part in _chunks_of_ids(numbers):
        versions = session.scalars(select(own).where(own.in_(part), parent.is_not(None)))
        parents = session.scalars(select(parent).where(parent.in_(part)))
        found |= {number: versions_of(session, number) for number in sorted({*versions, *parents})}
    return found


def _earlier_versions(session: Session, number: int) -> list[int]:
    """Return the problems that one is a version of, the nearest first."""
    rows = select(_PROBLEMS.c.id, _PROBLEMS.c.parent_id)
    line = rows.where(_PROBLEMS.c.id == number).cte(recursive=True)
    line = line.union(rows.where(_PROBLEMS.c.id == line.c.parent_id))  # no row twice, so cycles end
    parents = {row.id: row.parent_id for row in session.execute(select(line))}
    found = {number: None}
    while (parent := parents.get(number)) is not None and parent not in found:
        found[parent] = None
        number = parent
    return list(found)[1:]
