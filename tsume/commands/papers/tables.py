"""Tables in columns: what was measured here beside what the paper says."""

from __future__ import annotations

from collections.abc import Sequence

from tsume.output import print_line

_GAP = "  "


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells below their heads, the first column flush left, the others flush right."""
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        first = line[0].ljust(widths[0])
        others = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        print_line(_GAP.join((first, *others)).rstrip())


def print_beside_paper(rows: Sequence[tuple[str, str, str]], what: str = "") -> None:
    """Print rows of a name, the figure measured here and the paper's ("" where it tells none)."""
    print_table((what, "here", "paper"), rows)
