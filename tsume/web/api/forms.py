# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of each request."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

from generator.theme_names import NAMES
from tsume.formats.writers import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.web.api.fields import (
    BooleanField,
    ChoiceField,
    IntegerField,
    ListField,
    RequestField,
    RequestForm,
    TextField,
    notebook_field,
)
from tsume.web.work.generating import COMPOSED_LENGTHS, MOST_COMPOSED
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import parse_placement, parse_sfen
from tsume_rules.squares import parse_square

_EXAMPLE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
LONGEST_SFEN, LONGEST_LINE, LONGEST_GAME = 300, 3000, 1500
MOST_MOVES = 999
LONGEST_TEXT = 60_000
"""Characters of a text to read, and of bytes in base64; `tsume.web.guard.MOST_BODY` limits both too."""
_LANG = ChoiceField("api.lang", LANGUAGES)


def _decoded_bytes(text: str) -> bytes:
    return b64decode(text, validate=True)


def _parsed_line(text: str) -> tuple[Move, ...]:
    return tuple(map(parse_move, text.split()))


def _parsed_moves(text: str) -> tuple[Move, ...]:
    """Moves separated by commas; a space is a plus sign that was not encoded in the address."""
    return tuple(map(parse_move, text.replace(" ", "+").split(","))) if text else ()


_SFEN = TextField(
    "api.sfen", LONGEST_SFEN, required=True, make=parse_sfen,
    example=_EXAMPLE,
)  # fmt: skip
_LINE = TextField(
    "api.line", LONGEST_LINE, make=_parsed_line,
    example="3d2c 1b1a 2c2b",
)  # fmt: skip
_POSITION: dict[str, RequestField] = {"sfen": _SFEN, "line": _LINE}
_CHANGING: dict[str, RequestField] = {
    "keep": ListField(
        "api.keep",
        TextField("api.square", 2, make=parse_square, example="5e"), 81,
    ),
}  # fmt: skip

JUDGEMENT = RequestForm({**_POSITION, "moves": IntegerField("api.length_wanted", 1, MOST_MOVES)})
MENDING = RequestForm(
    {
        **_POSITION,
        "moves": IntegerField("api.length_mended", 3, 99),
        **_CHANGING,
        "edits": IntegerField("api.edits", 1, 3),
        "count": IntegerField("api.repairs", 1, 20),
    }
)
ENRICHING = RequestForm(
    {
        **_POSITION,
        **_CHANGING,
        "edits": IntegerField("api.edits", 0, 3),
        "count": IntegerField("api.suggestions", 1, 20),
        "plies": IntegerField("api.plies", 2, 8, 2),
    }
)
GENERATING = RequestForm(
    {
        "moves": IntegerField(
            "api.length_composed", COMPOSED_LENGTHS[0], COMPOSED_LENGTHS[-1], 2, required=True
        ),
        "count": IntegerField("api.count", 1, MOST_COMPOSED, required=True),
        "natural": BooleanField("api.natural"),
        "sound": BooleanField("api.sound"),
        "stars": IntegerField("api.stars", 1, 5),
        "themes": ListField("api.themes", ChoiceField("api.theme", tuple(NAMES)), 10),
        "pieces": IntegerField("api.pieces", 3, 40),
        "seed": IntegerField("api.seed", 0, 2**32 - 1),
    }
)
READING = RequestForm(
    {
        "text": TextField("api.text", LONGEST_TEXT, example=_EXAMPLE),
        "data": TextField("api.data", LONGEST_TEXT, make=_decoded_bytes),
    }
)
SAVING = RequestForm(
    {
        **_POSITION,
        "title": notebook_field("title", "api.problem_title"),
        "author": notebook_field("author", "api.author"),
        "comment": notebook_field("notes", "api.comment"),
        "replace": BooleanField("api.replace"),
    }
)
COLLECTION = RequestForm({})
RECORD = RequestForm(
    {
        **_POSITION,
        "format": ChoiceField("api.format", (*WRITERS, "sfen"), required=True),
        "title": notebook_field("title", "api.problem_title"),
        "author": notebook_field("author", "api.author"),
    }
)
_PLAYED = TextField("api.moves_before", LONGEST_GAME, make=_parsed_moves, example="3d2c,1b1a")
POSITION = RequestForm({"moves": _PLAYED})
TREE = RequestForm(
    {
        "moves": _PLAYED,
        "whole": BooleanField("api.whole"),
    }
)
DIAGRAM = RequestForm(
    {
        "sfen": replace(_SFEN, make=parse_placement),
        "line": _LINE,
        "after": IntegerField("api.after", 0, MOST_MOVES),
        "last": BooleanField("api.last"),
        "lang": _LANG,
    }
)
