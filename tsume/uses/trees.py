# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees: every check at every turn of a solution, and the answers to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from solver.explaining.explanation import ReplyTree
from solver.results import Judgement, Limits
from tsume.parallel.ordered_map import ordered_map
from tsume.reports.explanation import illegal_tree_fields, tree_fields
from tsume.uses.checking import illegal_judgement
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_engine
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class TreeOptions:
    """How trees are built, each within ``seconds``, ``nodes`` if these are given, and ``memory`` MB.

    ``threads`` search one position. The others are options of
    `solver.explaining.reply_tree_builder.reply_tree`.
    """

    seconds: float | None = 60.0
    memory: int = DEFAULT_MEMORY
    nodes: int | None = None
    threads: int = 1
    most_turns: int = 1000
    proof_nodes: int = 250_000
    all_answers: bool = False
    only_line: bool = False


COMMAND = TreeOptions()
"""Of the command, the library and `tree` in a browser: the whole tree, in a minute."""
BOARD = TreeOptions(20.0, most_turns=500, proof_nodes=50_000)
"""Of the board: a person waits for it, and others too."""
BOOKLET = TreeOptions(10.0, proof_nodes=20_000, only_line=True)
"""Of a booklet, which prints the line, its variations and only a few tries, those that are proved quickly."""
SITE = TreeOptions(None, nodes=300_000)
"""Of a site. Time is no limit: the same store gives the same bytes."""
_REST_NODES = 40_000
"""Nodes for all but the best line of the first tree of a played problem: some checks may stay open."""
_CHECK_NODES = 150_000
"""Nodes for a check that was played, for all checks of a turn, or for all answers to a check that mates."""
_MIN_TURNS = 20
"""The least limit on the turns of a played tree, which always contains the problem's line."""


@dataclass(frozen=True)
class SolutionTree:
    """The tree of a position, and its judgement by the rules; there is no tree of an illegal start."""

    parsed: ParsedSfen
    judgement: Judgement
    tree: ReplyTree | None

    @property
    def complete(self) -> bool:
        """Whether nothing was cut off by a limit."""
        return self.tree is not None and self.tree.complete

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume tree --jsonl`` (docs/tree.md)."""
        if self.tree is None:
            return illegal_tree_fields(self.judgement, self.parsed)
        return tree_fields(self.tree, self.parsed)


class ReplyTreeBuilder:
    """Builds reply trees with one engine, made when it is first needed unless one is given."""

    def __init__(self, options: TreeOptions = COMMAND, engine: DfPnEngine | None = None) -> None:
        self._options = options
        if engine is not None:
            self.engine = engine

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: it makes an engine of its own."""
        return {"_options": self._options}

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine."""
        return df_pn_engine(EngineOptions(self._options.memory << 20, jobs=self._options.threads))

    @property
    def name(self) -> str:
        """Says what played trees depend on beside the position and the program, apart from the seconds."""
        options = asdict(self._options)
        named = sorted((name, options[name]) for name in ("most_turns", "proof_nodes"))
        return f"{self._options.nodes} {self._options.memory} {named}"

    def solution(self, parsed: ParsedSfen) -> SolutionTree:
        """Build the tree of a position, legal or not."""
        judgement = illegal_judgement(parsed.position)
        tree = None if judgement.findings else self.build(parsed.position)
        return SolutionTree(parsed, judgement, tree)

    def build(self, position: Position, **changes: Any) -> ReplyTree:
        """Build the tree of a position whose start is legal; ``changes`` are options of `reply_tree`."""
        from solver.explaining.reply_tree_builder import reply_tree

        options = self._options
        given = {
            "most_turns": options.most_turns, "proof_nodes": options.proof_nodes,
            "all_answers": options.all_answers, "only_line": options.only_line,
        }  # fmt: skip
        limits = Limits(options.nodes, options.seconds)
        return reply_tree(self.engine, position, limits, **{**given, **changes})

    # --- trees that a person plays against --------------------------------------------------------

    def first_tree(self, position: Position, length: int) -> ReplyTree:
        """Build the tree with which a problem of ``length`` plies begins; some checks may be open."""
        return self._played(position, length, rest_nodes=_REST_NODES)

    def check_tree(self, position: Position, length: int, check: Move) -> ReplyTree:
        """Build the tree of a position in which the result of one check is known, if possible."""
        return self._played(position, length, rest_nodes=_CHECK_NODES, first_check=check)

    def _played(self, position: Position, length: int, **changes: Any) -> ReplyTree:
        turns = max(_MIN_TURNS, length)
        return self.build(position, most_turns=turns, only_best=True, proof_nodes=BOARD.proof_nodes, **changes)

    def turn(self, position: Position, **changes: Any) -> ReplyTree:
        """Build the tree of one turn of a problem's analysis."""
        return self.build(position, most_turns=1, rest_nodes=_CHECK_NODES, **changes)


def map_with_builder(
    work: Callable[[ReplyTreeBuilder, Item], Made], items: Sequence[Item], jobs: int, builder: ReplyTreeBuilder
) -> Iterator[Made]:
    """Yield what ``work`` makes of each item with a builder, in their order, by ``jobs`` processes."""
    processes = max(1, min(jobs, len(items)))
    with closing(ordered_map(partial(partial, work, builder), items, processes)) as made:
        yield from made
