"""The reply tree of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tsume.web.rendered_tree import rendered_tree
from tsume.web.work.results import SECONDS, SPARE, Rendered, json_bytes
from tsume_rules.sfen import parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext


@dataclass(frozen=True)
class TreeJob:
    """Makes the rendered tree of a position, within ``limit`` seconds."""

    sfen: str
    limit: float = SECONDS

    slot: ClassVar[str] = "tree"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 1.5 * self.limit + SPARE

    def run(self, context: WorkerContext) -> Iterator[Rendered]:
        """The rendered tree."""
        parsed = parse_sfen(self.sfen)
        tree = context.builder.build(parsed.position)
        yield Rendered(
            json_bytes({"sfen": self.sfen, **rendered_tree(tree, parsed)}), settled=tree.length is not None
        )
