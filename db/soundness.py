"""What a row must hold to be a problem: SQLite keeps anything in any column."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any

from db.errors import shown
from db.models import ProblemRow
from db.notebook import TEXTS
from generator.problem import STORED
from tsume_rules.pieces import ALL_PIECES, LETTERS, LETTERS_IN_HAND

_LARGEST = 2**63 - 1
_RANGES = {
    "id": (-_LARGEST, _LARGEST), "length": (1, 2**31 - 1), "stars": (1, 5),
    "board_pieces": (0, ALL_PIECES), "hand_pieces": (0, ALL_PIECES),
}  # fmt: skip
_OPTIONAL = ("searched", "root_index", "run_id", "recipe", "defenders")
_TEXTS = ("canonical", "sfen", "line", "version", *TEXTS)
_GRADES = tuple(grade.value for grade in STORED)
_ON_BOARD, _IN_HAND = "".join(LETTERS.values()), LETTERS_IN_HAND
_SFEN = re.compile(
    rf"[1-9+{_ON_BOARD}{_ON_BOARD.lower()}/]{{17,110}} b [0-9{_IN_HAND}{_IN_HAND.lower()}-]{{1,60}} 1"
)


def require_sound(row: ProblemRow) -> None:
    """Raise ValueError, with the name of the column, for a value that no problem has."""
    for name, (least, most) in _RANGES.items():
        _require(name, getattr(row, name), _is_whole(getattr(row, name), least, most))
    for name in _OPTIONAL:
        value = getattr(row, name)
        _require(name, value, value is None or _is_whole(value, 0, _LARGEST))
    for name in _TEXTS:
        _require(name, getattr(row, name), isinstance(getattr(row, name), str))
    _require("sfen", row.sfen, _SFEN.fullmatch(row.sfen) is not None)
    _require("score", row.score, _is_finite(row.score))
    _require("quality", row.quality, _is_finite(row.quality))
    _require("remarks", row.remarks, _is_list_of_texts(row.remarks))
    _require("grade", row.grade, row.grade in _GRADES)
    _require("blemishes", row.blemishes, _is_list_of_texts(row.blemishes))
    _require("record", row.record, row.record is None or isinstance(row.record, str))
    _require(
        "parent_id", row.parent_id, row.parent_id is None or _is_whole(row.parent_id, -_LARGEST, _LARGEST)
    )
    _require("key_kinds", row.key_kinds, row.key_kinds is None or isinstance(row.key_kinds, str))
    _require("same_when_counted", row.same_when_counted, row.same_when_counted in (None, True, False))
    _require("features", row.features, _are_features(row.features))
    _require("created_at", row.created_at, isinstance(row.created_at, datetime))


def _require(name: str, value: Any, sound: bool) -> None:
    if not sound:
        raise ValueError(f"{name} is {shown(repr(value))}")


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and least <= value <= most


def _is_finite(value: Any) -> bool:
    return isinstance(value, float | int) and math.isfinite(value)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_features(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_finite(number) for number in value.values())
