# SPDX-License-Identifier: GPL-3.0-or-later
"""The variations and tries along a line as JSON fields, in both languages."""

from __future__ import annotations

from typing import Any

from solver.explaining.explanation import ReplyTree
from tsume.book.commentary import LineCommentary
from tsume.language.catalogue import LANGUAGES, phrase
from tsume_rules.moves import Move
from tsume_rules.position import Position


def rendered_commentary(position: Position, line: tuple[Move, ...], tree: ReplyTree) -> dict[str, Any]:
    """The variations and tries along a line by language: parts, each a label and texts."""
    return {
        language: [
            {"label": phrase(language, f"book.{name}"), "items": items}
            for name, items in LineCommentary(position, line, tree, language).parts()
            if items
        ]
        for language in LANGUAGES
    }
