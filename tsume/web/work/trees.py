# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees of positions: what a person plays against, or everything."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tsume.web.play_tree import check_fields, check_tree, first_tree, play_fields
from tsume.web.rendered_tree import rendered_tree
from tsume.web.work.played import PlayedJob
from tsume.web.work.results import SECONDS, Rendered, json_bytes, search_timeout
from tsume_rules.moves import position_after_all
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

FORMAT = 1
"""Number of the form and content of trees; a stored tree of another number is not used."""
_COMPRESSION = 6


@dataclass(frozen=True)
class TreeJob(PlayedJob):
    """Makes the tree to play against, as compressed JSON.

    If the last of the ``moves`` is a check, the tree starts at the turn before and says what that check
    does; the other checks of that turn are left out.
    """

    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        turns = len(self.moves) // 2
        position = position_after_all(start, self.moves[: 2 * turns])
        if len(self.moves) % 2:
            check = self.moves[-1]
            tree = check_tree(context.builder, position, self.length, check)
            fields = check_fields(tree, position, check)
        else:
            tree = first_tree(context.builder, position, self.length)
            fields = play_fields(tree, ParsedSfen(position))
        return fields, tree.no_mate or tree.length is not None

    def _written(self, fields: dict[str, Any]) -> bytes:
        return compressed(fields)


@dataclass(frozen=True)
class WholeTreeJob:
    """Makes the whole tree of a position, within ``limit`` seconds."""

    sfen: str
    limit: float = SECONDS

    slot: ClassVar[str] = "long tree"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[Rendered]:
        """The tree as compressed JSON."""
        parsed = parse_sfen(self.sfen)
        tree = context.builder.build(parsed.position)
        fields = {"sfen": self.sfen, **rendered_tree(tree, parsed)}
        yield Rendered(compressed(fields), settled=tree.length is not None)


def compressed(fields: dict[str, Any]) -> bytes:
    """An object as JSON, by gzip; the same for the same object."""
    return gzip.compress(json_bytes(fields), _COMPRESSION, mtime=0)
