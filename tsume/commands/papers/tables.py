# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of figures measured here beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tsume.commands.output import print_line

_GAP = "  "


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells below their heads, the first column flush left, the others flush right.

    Full-width characters take two columns, as in a terminal.
    """
    lines = [heads, *rows]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        others = (blank + cell for blank, cell in zip(blanks[1:], line[1:], strict=True))
        print_line(_GAP.join((line[0] + blanks[0], *others)).rstrip())


def print_beside_paper(rows: Sequence[tuple[str, str, str]], what: str = "") -> None:
    """Print rows of a name, the figure measured here and the paper's ("" if it has none)."""
    print_table((what, "here", "paper"), rows)
