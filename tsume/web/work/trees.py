"""The reply tree of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tsume.web.told_tree import told_tree
from tsume.web.work.messages import SECONDS, SPARE, Told, as_json
from tsume_rules.sfen import parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.bench import Bench


@dataclass(frozen=True)
class Tree:
    """Makes the told tree of a position; the process's grower does so within ``limit`` seconds."""

    sfen: str
    limit: float = SECONDS

    seat: ClassVar[str] = "tree"

    @property
    def seconds(self) -> float:
        """After this time the process is killed."""
        return 1.5 * self.limit + SPARE

    def run(self, bench: Bench) -> Iterator[Told]:
        """The told tree."""
        parsed = parse_sfen(self.sfen)
        tree = bench.grower.tree(parsed.position)
        yield Told(as_json({"sfen": self.sfen, **told_tree(tree, parsed)}), settled=tree.length is not None)
