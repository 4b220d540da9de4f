# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of rows: SQLite accepts any value in any column."""

from __future__ import annotations

import re
from datetime import datetime
from math import isfinite
from types import NoneType
from typing import Any

from db.errors import stored_value_excerpt
from db.features import is_json_numbers, is_usual_feature_text
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
_NUMBER_OR_NONE = frozenset({int, NoneType})
_REAL_OR_NONE = {float, NoneType}
_GRADES = tuple(grade.value for grade in STORED)
_ON_BOARD, _IN_HAND = "".join(LETTERS.values()), LETTERS_IN_HAND
_SFEN = re.compile(
    rf"[1-9+{_ON_BOARD}{_ON_BOARD.lower()}/]{{17,110}} b [0-9{_IN_HAND}{_IN_HAND.lower()}-]{{1,60}} 1"
)


def require_valid(row: ProblemRow) -> None:
    """Raise ValueError, with the name of the column, for an invalid value."""
    if not _is_usual_row(row):
        _require_each_column(row)


def require_sfen(sfen: str) -> None:
    """Raise ValueError for a text that is not the SFEN of a problem."""
    _require_column_value("sfen", sfen, isinstance(sfen, str) and _SFEN.fullmatch(sfen) is not None)


def _is_usual_row(row: ProblemRow) -> bool:
    """Whether `_require_each_column` certainly passes, in a fifth of its time; False for unusual rows."""
    whole = (row.id, row.length, row.stars, row.board_pieces, row.hand_pieces)
    optional = (row.searched, row.root_index, row.run_id, row.recipe, row.defenders)
    texts = (row.canonical, row.sfen, row.line, row.version, row.title, row.author, row.source, row.notes)
    return (
        {int}.issuperset(map(type, whole))
        and 0 < row.id <= _LARGEST
        and 0 < row.length < 2**31
        and 0 < row.stars < 6
        and 0 <= row.board_pieces <= ALL_PIECES
        and 0 <= row.hand_pieces <= ALL_PIECES
        and _NUMBER_OR_NONE.issuperset(map(type, optional))
        and all(0 <= number <= _LARGEST for number in filter(None, optional))
        and {str}.issuperset(map(type, texts))
        and row.grade in _GRADES
        and _SFEN.fullmatch(row.sfen) is not None
        and type(row.score) is type(row.quality) is float
        and isfinite(row.score)
        and isfinite(row.quality)
        and type(row.remarks) is type(row.blemishes) is list
        and {str}.issuperset(map(type, row.remarks))
        and {str}.issuperset(map(type, row.blemishes))
        and type(row.record) in (str, NoneType)
        and type(row.parent_id) in _NUMBER_OR_NONE
        and 0 <= (row.parent_id or 0) <= _LARGEST
        and type(row.key_kinds) in (str, NoneType)
        and row.same_when_counted in (None, True, False)
        and _REAL_OR_NONE.issuperset((type(row.resistance), type(row.surprise)))
        and isfinite(row.resistance or 0)
        and isfinite(row.surprise or 0)
        and is_usual_feature_text(row.features)
        and type(row.feature_set) is int
        and -_LARGEST <= row.feature_set <= _LARGEST
        and type(row.created_at) is datetime
    )


def _require_each_column(row: ProblemRow) -> None:
    for name, (least, most) in _RANGES.items():
        _require_column_value(
            name, getattr(row, name), _is_whole_column_value(getattr(row, name), least, most)
        )
    for name in _OPTIONAL:
        value = getattr(row, name)
        _require_column_value(name, value, value is None or _is_whole_column_value(value, 0, _LARGEST))
    for name in _TEXTS:
        _require_column_value(name, getattr(row, name), isinstance(getattr(row, name), str))
    _require_column_value("sfen", row.sfen, _SFEN.fullmatch(row.sfen) is not None)
    _require_column_value("score", row.score, _is_finite_column_value(row.score))
    _require_column_value("quality", row.quality, _is_finite_column_value(row.quality))
    for name in ("resistance", "surprise"):
        value = getattr(row, name)
        _require_column_value(name, value, value is None or _is_finite_column_value(value))
    _require_column_value("remarks", row.remarks, _is_text_list_column_value(row.remarks))
    _require_column_value("grade", row.grade, row.grade in _GRADES)
    _require_column_value("blemishes", row.blemishes, _is_text_list_column_value(row.blemishes))
    _require_column_value("record", row.record, row.record is None or isinstance(row.record, str))
    _require_column_value(
        "parent_id",
        row.parent_id,
        row.parent_id is None or _is_whole_column_value(row.parent_id, -_LARGEST, _LARGEST),
    )
    _require_column_value("key_kinds", row.key_kinds, row.key_kinds is None or isinstance(row.key_kinds, str))
    _require_column_value(
        "same_when_counted", row.same_when_counted, row.same_when_counted in (None, True, False)
    )
    _require_column_value("features", row.features, is_json_numbers(row.features))
    _require_column_value(
        "feature_set", row.feature_set, _is_whole_column_value(row.feature_set, -_LARGEST - 1, _LARGEST)
    )
    _require_column_value("created_at", row.created_at, isinstance(row.created_at, datetime))


def _require_column_value(name: str, value: Any, sound: bool) -> None:
    if not sound:
        raise ValueError(f"{name} is {stored_value_excerpt(repr(value))}")


def _is_whole_column_value(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and least <= value <= most


def _is_finite_column_value(value: Any) -> bool:
    return isinstance(value, float | int) and isfinite(value)


def _is_text_list_column_value(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
