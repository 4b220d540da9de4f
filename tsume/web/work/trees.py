"""The reply tree of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tsume.web.told_tree import told_tree
from tsume.web.work.judging import as_json
from tsume_rules.sfen import parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.bench import Bench


@dataclass(frozen=True)
class Tree:
    """Makes the told tree of a position."""

    sfen: str

    seat: ClassVar[str] = "tree"
    seconds: ClassVar[float] = 60.0

    def run(self, bench: Bench) -> Iterator[bytes]:
        """The tree as JSON."""
        parsed = parse_sfen(self.sfen)
        yield as_json({"sfen": self.sfen, **told_tree(bench.grower.tree(parsed.position), parsed)})
