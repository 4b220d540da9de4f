# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a line shows themes with particulars (`generator.theme_details`)."""

from __future__ import annotations

from collections.abc import Iterable

from generator.replay.line import ReplayedLine, ReplayedPly
from generator.theme_details import ThemeDetail
from generator.themes.table import THEMES
from tsume_rules.kernel.tables import KING
from tsume_rules.position import LETTERS, Kind

_KINDS = {letter: int(kind) for kind, letter in LETTERS.items()}


def shows_details(replayed: ReplayedLine, details: Iterable[str]) -> bool:
    """Whether a line shows all of some themes by the pieces and as often as asked, purposes not tested."""
    return all(shows_detail(replayed, ThemeDetail.parse(text)) for text in details)


def shows_detail(replayed: ReplayedLine, detail: ThemeDetail) -> bool:
    """The same for one theme."""
    theme = THEMES[detail.tag]
    if theme.moves is None:
        return theme.predicate(replayed)
    return sum(_is_by(ply, detail.piece) for ply in theme.moves.plies(replayed)) >= detail.least


def _is_by(ply: ReplayedPly, piece: str | None) -> bool:
    """Whether a move is made by a piece of the kind named."""
    if piece is None:
        return True
    kind, base = Kind(ply.kind), _KINDS[piece.lstrip("+")]
    return kind.base == base and (not piece.startswith("+") or ply.piece_after > KING)
