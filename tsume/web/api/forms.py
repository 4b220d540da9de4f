# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of each request."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from datetime import date
from functools import partial

from db.training.records import LONGEST_NAME, MODES, RUN_MODES
from generator.theme_names import NAMES
from tsume.formats.registry import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.training.persons import MOST_PASSPHRASE, valid_name, valid_passphrase
from tsume.web.fields import (
    BooleanField,
    ChoiceField,
    IntegerField,
    ListField,
    RequestField,
    RequestForm,
    TextField,
    notebook_field,
)
from tsume.web.pages import MOST_ID
from tsume.web.work.forms import (
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


def _parsed_moves(text: str) -> tuple[Move, ...]:
    """Moves separated by commas; a space is a plus sign that was not encoded in the address."""
    return tuple(map(parse_move, text.replace(" ", "+").split(","))) if text else ()


_SFEN = TextField(
    "api.sfen", LONGEST_SFEN, required=True, make=parse_sfen,
    example=_EXAMPLE,
)  # fmt: skip
_LINE = TextField(
    "api.line", LONGEST_LINE, make=lambda text: tuple(map(parse_move, text.split())),
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
        "data": TextField("api.data", LONGEST_TEXT, make=partial(b64decode, validate=True)),
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


# --- the fields of each request about training -----------------------------------------------------

_MOST_LEFT_OUT = 300
"""Ids in one request, whose address has a limit too."""
_MOST_COUNT, _MOST_SECONDS = 9999, 86400


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("not a date (YYYY-MM-DD)") from None


_DAY = TextField("api.day", 10, make=_read_day, example="2026-01-31")
_ID = IntegerField("api.id", 1, MOST_ID, required=True)

PERSON = RequestForm(
    {
        "name": TextField("api.name", LONGEST_NAME, make=valid_name, required=True),
        "passphrase": TextField("api.passphrase", MOST_PASSPHRASE, make=valid_passphrase, required=True),
    }
)
SESSION = RequestForm(
    {
        "name": TextField("api.name", LONGEST_NAME, required=True),
        "passphrase": TextField("api.passphrase", MOST_PASSPHRASE, required=True),
    }
)
NEXT = RequestForm(
    {
        "mode": ChoiceField("api.mode", MODES[:-1], required=True),
        "theme": ChoiceField("api.theme_wanted", tuple(NAMES)),
        "moves": IntegerField("api.moves_wanted", 1, MOST_MOVES),
        "not": ListField("api.not", _ID, _MOST_LEFT_OUT),
        "solved": IntegerField("api.solved_in_run", 0, _MOST_COUNT),
        "day": _DAY,
    }
)
RESULT = RequestForm(
    {
        "problem": _ID,
        "mode": ChoiceField("api.mode", MODES, required=True),
        "solved": BooleanField("api.solved", required=True),
        "moves": IntegerField("api.moves_played", 0, _MOST_COUNT, required=True),
        "mistakes": IntegerField("api.mistakes", 0, _MOST_COUNT, required=True),
        "hints": IntegerField("api.hints", 0, _MOST_COUNT, required=True),
        "seconds": IntegerField("api.seconds", 0, _MOST_SECONDS, required=True),
        "day": _DAY,
        "completes": IntegerField("api.completes", 1, MOST_ID),
    }
)
RUN = RequestForm(
    {
        "mode": ChoiceField("api.run_mode", RUN_MODES, required=True),
        "solved": IntegerField("api.solved_in_run", 0, _MOST_COUNT, required=True),
        "seconds": IntegerField("api.seconds", 0, _MOST_SECONDS, required=True),
    }
)
