"""Reply trees of positions: what a person plays against, or everything."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tsume.web.play_tree import check_fields, check_tree, first_tree, play_fields
from tsume.web.rendered_tree import rendered_tree
from tsume.web.work.results import SECONDS, SPARE, Refused, Rendered, json_bytes
from tsume_rules.moves import Move
from tsume_rules.play import position_after
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

FORMAT = 1
"""Number of the form and content of trees; a stored tree of another number is not used."""
MOST_SHORT = 9
"""The most plies of a problem whose tree is made among the quick ones."""
_COMPRESSION = 6


@dataclass(frozen=True)
class TreeJob:
    """Makes the tree of a problem of ``length`` plies, to play against from some moves on, within ``limit``
    seconds.

    If the last of the ``moves`` is a check, the tree starts at the turn before and says what that check
    does; the other checks of that turn are left out.
    """

    sfen: str
    length: int
    moves: tuple[Move, ...] = ()
    limit: float = SECONDS

    @property
    def slot(self) -> str:
        """Trees of long problems do not delay others."""
        return tree_slot(self.length)

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 1.5 * self.limit + SPARE

    def run(self, context: WorkerContext) -> Iterator[Rendered | Refused]:
        """The tree as compressed JSON, or why there is none."""
        line, check = self.moves, None
        if len(line) % 2:
            *before, check = line
            line = tuple(before)
        try:
            position = legal_position_after(parse_sfen(self.sfen).position, self.moves[: len(line)])
            if check is not None:
                require_legal(position, check, len(line))
        except ValueError as error:
            yield Refused(str(error))
            return
        yield self._rendered(context, position, check)

    def _rendered(self, context: WorkerContext, position: Position, check: Move | None) -> Rendered:
        began = time.monotonic()
        if check is None:
            tree = first_tree(context.builder, position, self.length)
            fields = play_fields(tree, ParsedSfen(position))
        else:
            tree = check_tree(context.builder, position, self.length, check)
            fields = check_fields(tree, position, check)
        in_time = time.monotonic() - began < self.limit
        return Rendered(compressed(fields), settled=in_time and (tree.no_mate or tree.length is not None))


@dataclass(frozen=True)
class WholeTreeJob:
    """Makes the whole tree of a position, within ``limit`` seconds."""

    sfen: str
    limit: float = SECONDS

    slot: ClassVar[str] = "long tree"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 1.5 * self.limit + SPARE

    def run(self, context: WorkerContext) -> Iterator[Rendered]:
        """The tree as compressed JSON."""
        parsed = parse_sfen(self.sfen)
        tree = context.builder.build(parsed.position)
        fields = {"sfen": self.sfen, **rendered_tree(tree, parsed)}
        yield Rendered(compressed(fields), settled=tree.length is not None)


def tree_slot(length: int) -> str:
    """The slot of jobs that make a tree of a problem of ``length`` plies."""
    return "tree" if length <= MOST_SHORT else "long tree"


def compressed(fields: dict[str, Any]) -> bytes:
    """An object as JSON, by gzip; the same for the same object."""
    return gzip.compress(json_bytes(fields), _COMPRESSION, mtime=0)


def legal_position_after(position: Position, moves: tuple[Move, ...]) -> Position:
    """The position after checks and legal answers to them. Raises ValueError."""
    for ply, move in enumerate(moves):
        require_legal(position, move, ply)
        position = position_after(position, move)
    return position


def require_legal(position: Position, move: Move, ply: int) -> None:
    """Raise ValueError unless a move is a legal check (``ply`` is even) or a legal answer."""
    from tsume_rules.packing import pack, pack_move  # loads numba
    from tsume_rules.record_moves import legal_checks, legal_evasions

    legal, name = (legal_evasions, "answer") if ply % 2 else (legal_checks, "check")
    if pack_move(move) not in legal(pack(position)):
        raise ValueError(f"moves: move {ply + 1}, {move.usi}, is not a legal {name}")
