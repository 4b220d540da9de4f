# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging two lines with their variations."""

from __future__ import annotations

from dataclasses import replace

from tsume.formats.game_record import Branch


def merged_branches(base: Branch, other: Branch) -> Branch:
    """A line with the variations and comments of another one that begins at the same move.

    The line itself stays; where the other one continues with another move, that is a variation. Moves of
    the other one beyond the end of ``base`` are dropped.
    """
    parting = base.first + _shared_length(base.line, other.line)
    comments = [one for one in other.move_comments if one[0] < parting and one not in base.move_comments]
    together = sorted([*base.move_comments, *comments], key=lambda one: one[0])
    found = replace(base, move_comments=tuple(together))
    for branch in other.branches:
        if branch.first <= parting:
            found = _with_branch(found, branch)
    if base.end > parting < other.end:
        found = _with_branch(found, _rest_of_branch(other, parting))
    return found


def _shared_length(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """The number of moves that two lines share at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (this, that) in pairs if this != that), min(len(one), len(other)))


def _rest_of_branch(line: Branch, number: int) -> Branch:
    """A line from a move on, with the variations of later moves."""
    return Branch(
        number,
        line.line[number - line.first :],
        tuple(one for one in line.move_comments if one[0] >= number),
        tuple(branch for branch in line.branches if branch.first > number),
    )


def _with_branch(line: Branch, branch: Branch) -> Branch:
    """A line with one more variation; one that begins with an existing move is merged."""
    before = line.line[: branch.first - line.first]
    if branch.line and line.line[len(before) : len(before) + 1] == branch.line[:1]:
        longer = replace(branch, first=line.first, line=(*before, *branch.line))
        return merged_branches(line, longer)
    for place, sibling in enumerate(line.branches):
        if sibling.first == branch.first and sibling.line[:1] == branch.line[:1]:
            siblings = (*line.branches[:place], merged_branches(sibling, branch), *line.branches[place + 1 :])
            return replace(line, branches=siblings)
    ordered = sorted([*line.branches, branch], key=lambda one: one.first)
    return replace(line, branches=tuple(ordered))
