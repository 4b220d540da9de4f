# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of requests for long work, which the server and the worker of a page read alike."""

from __future__ import annotations

from generator.theme_names import NAMES
from tsume.web.fields import BooleanField, ChoiceField, IntegerField, ListField, RequestField, TextField
from tsume.web.work.generating import COMPOSED_LENGTHS, MOST_COMPOSED
from tsume_rules.position import parse_square

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
COMPOSED_COUNT = IntegerField("api.count", 1, MOST_COMPOSED)
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
