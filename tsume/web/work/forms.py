# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of requests for long work, and those of what a page asks its worker (docs/browser.md)."""

from __future__ import annotations

from typing import Any

from generator.theme_names import NAMES
from tsume.language.catalogue import LANGUAGES
from tsume.web.fields import (
    BooleanField,
    ChoiceField,
    IntegerField,
    ListField,
    PositiveField,
    RequestField,
    RequestForm,
    TextField,
    notebook_field,
)
from tsume.web.work.composing import COMPOSED_LENGTHS, MAX_COMPOSED
from tsume_rules.moves import parse_move
from tsume_rules.position import parse_square
from tsume_rules.sfen import parse_placement, parse_sfen

LONGEST_SFEN = 300

_KEEP = ListField("api.keep", TextField("api.square", 2, make=parse_square, example="5e"), 81)

MENDING_FIELDS: dict[str, RequestField] = {
    "moves": IntegerField("api.length_mended", 3, 99),
    "keep": _KEEP,
    "edits": IntegerField("api.edits", 1, 3),
    "count": IntegerField("api.repairs", 1, 20),
}
ENRICHING_FIELDS: dict[str, RequestField] = {
    "keep": _KEEP,
    "edits": IntegerField("api.edits", 0, 3),
    "count": IntegerField("api.suggestions", 1, 20),
    "plies": IntegerField("api.plies", 2, 8, 2),
}
COMPOSED_COUNT = IntegerField("api.count", 1, MAX_COMPOSED)
GENERATING_FIELDS: dict[str, RequestField] = {
    "moves": IntegerField("api.length_composed", COMPOSED_LENGTHS[0], COMPOSED_LENGTHS[-1], 2, required=True),
    "count": COMPOSED_COUNT,
    "natural": BooleanField("api.natural"),
    "sound": BooleanField("api.sound"),
    "stars": IntegerField("api.stars", 1, 5),
    "themes": ListField("api.themes", ChoiceField("api.theme", tuple(NAMES)), 10),
    "pieces": IntegerField("api.pieces", 3, 40),
    "seed": IntegerField("api.seed", 0, 2**32 - 1),
}


# --- the fields of what a page asks its worker; docs/browser.md describes them ---------------------

_MAX_PLIES = 9999
_MAX_NODES = 10**15
_LONGEST_TEXT = 10_000_000
"""Characters of a text to read."""

_SFEN: dict[str, RequestField] = {"sfen": TextField("", LONGEST_SFEN, required=True, make=parse_sfen)}
_POSITION = TextField("", LONGEST_SFEN, required=True, make=parse_placement)
"""A position, legal or not."""
_SECONDS: dict[str, RequestField] = {"seconds": PositiveField("")}
_PLIES = IntegerField("", 1, _MAX_PLIES)
_MOVES = ListField("", TextField("", 5, make=parse_move), _MAX_PLIES, repeated=True)
_LINE: dict[str, RequestField] = {"line": _MOVES}
_PLACED: dict[str, RequestField] = {"sfen": _POSITION}
_JUDGED: dict[str, RequestField] = {**_PLACED, **_LINE, "moves": _PLIES, **_SECONDS}
_PLAYED = RequestForm({**_SFEN, "length": IntegerField("", 1, _MAX_PLIES, required=True), "moves": _MOVES, **_SECONDS})

FORMS: dict[str, RequestForm] = {
    "check": RequestForm({**_JUDGED, "all_findings": BooleanField("")}),
    "commentary": RequestForm({**_SFEN, **_LINE, **_SECONDS}),
    "diagram": RequestForm({"sfen": _POSITION, "language": ChoiceField("", LANGUAGES)}),
    "enrich": RequestForm({**_PLACED, **_LINE, **ENRICHING_FIELDS, **_SECONDS}),
    "explain": RequestForm({**_PLACED, **_LINE, "languages": ListField("", ChoiceField("", LANGUAGES), 2), **_SECONDS}),
    "generate": RequestForm({**GENERATING_FIELDS, "network": BooleanField(""), **_SECONDS}),
    "judgement": RequestForm(_JUDGED),
    "kif": RequestForm(
        {**_SFEN, **_LINE, "title": notebook_field("title", ""), "author": notebook_field("author", "")}
    ),
    "mend": RequestForm({**_PLACED, **_LINE, **MENDING_FIELDS, **_SECONDS}),
    "play_tree": _PLAYED,
    "position": _PLAYED,
    "reading": RequestForm({"text": TextField("", _LONGEST_TEXT, required=True)}),
    "solve": RequestForm({**_SFEN, "nodes": IntegerField("", 1, _MAX_NODES), **_SECONDS, "max_length": _PLIES}),
    "tree": RequestForm(
        {**_PLACED, **_SECONDS, "most_turns": IntegerField("", 1, _MAX_NODES), "all_answers": BooleanField("")}
    ),
}
"""The fields of each query."""


def checked_fields(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a query that have a value, as they were given: answers repeat an SFEN as it is.

    Raises ValueError for an unknown field, a missing one, and one that cannot be read; it names the field.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    FORMS[kind].read(given)
    return given
