# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of each request about training."""

from __future__ import annotations

from datetime import date

from db.training.records import LONGEST_NAME, MODES, RUN_MODES
from generator.theme_names import NAMES
from tsume.training.persons import MOST_PASSPHRASE, valid_name, valid_passphrase
from tsume.web.api.forms import MOST_MOVES
from tsume.web.fields import (
    BooleanField,
    ChoiceField,
    IntegerField,
    ListField,
    RequestForm,
    TextField,
)
from tsume.web.pages import MOST_ID

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
