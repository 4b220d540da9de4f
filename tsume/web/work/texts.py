# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading and writing texts of problems in the worker of a page; nothing is searched."""

from __future__ import annotations

from typing import Any

from tsume.web.exported import diagram_svg, kif_text
from tsume.web.rendered_reading import UnreadableText, rendered_reading
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_placement, parse_sfen

Fields = dict[str, Any]


def reading_answer(fields: Fields) -> Fields:
    """The first problem of a text; of one that cannot be read, why: ``error`` and ``code``."""
    try:
        return rendered_reading(fields["text"])
    except UnreadableText as error:
        return {"error": str(error), "code": error.code}


def kif_answer(fields: Fields) -> Fields:
    """KIF of a position, its line, its ``title`` and ``author``.

    Raises ValueError for what cannot be read or played.
    """
    parsed = parse_sfen(fields["sfen"])
    line = tuple(parsed.outward(parse_move(move)) for move in fields.get("line", []))
    return {"text": kif_text(parsed.position, line, fields.get("title", ""), fields.get("author", ""))}


def diagram_answer(fields: Fields) -> Fields:
    """SVG of a position, legal or not, with its words in a language (``ja``)."""
    parsed = parse_placement(fields["sfen"])
    return {"text": diagram_svg(parsed.position, (), fields.get("language", "ja"))}
