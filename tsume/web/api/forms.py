# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of each request."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

from tsume.formats.writers import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.web.fields import (
    BooleanField,
    ChoiceField,
    IntegerField,
    RequestField,
    RequestForm,
    TextField,
    notebook_field,
)
from tsume.web.work.request_fields import (
    COMPOSED_COUNT,
    ENRICHING_FIELDS,
    GENERATING_FIELDS,
    LONGEST_SFEN,
    MENDING_FIELDS,
)
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import parse_placement, parse_sfen

_EXAMPLE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
LONGEST_LINE, LONGEST_GAME = 3000, 1500
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
_JUDGED: dict[str, RequestField] = {**_POSITION, "sfen": replace(_SFEN, make=parse_placement)}
"""A position, legal or not: the judge says what is illegal in it."""
JUDGEMENT = RequestForm({**_JUDGED, "moves": IntegerField("api.length_wanted", 1, MOST_MOVES)})
MENDING = RequestForm({**_JUDGED, **MENDING_FIELDS})
ENRICHING = RequestForm({**_JUDGED, **ENRICHING_FIELDS})
GENERATING = RequestForm({**GENERATING_FIELDS, "count": replace(COMPOSED_COUNT, required=True)})
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
