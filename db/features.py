# SPDX-License-Identifier: GPL-3.0-or-later
"""The features of a stored problem: JSON as text, parsed on first access."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import isfinite
from typing import Any

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?"
_USUAL = re.compile(rf"\[(?:{_NUMBER}(?:, {_NUMBER})*)?\]", re.ASCII)


class StoredFeatures(Mapping[str, float]):
    """Names, and their values as the text of a JSON list, since most callers never read them."""

    def __init__(self, names: Sequence[str], values: str) -> None:
        self._names = names
        self._text = values

    @property
    def json(self) -> str:
        """The features as a JSON object."""
        if not is_usual_feature_text(self._text) or not self._names:
            return json.dumps(dict(self), ensure_ascii=False)
        values = self._text[1:-1].split(", ")
        return _json_object_template(tuple(self._names)) % tuple(values)

    @cached_property
    def _read(self) -> dict[str, float]:
        return dict(zip(self._names, map(float, json.loads(self._text)), strict=True))

    def __getitem__(self, name: str) -> float:
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def __repr__(self) -> str:
        return repr(self._read)


@lru_cache(1000)
def _json_object_template(names: tuple[str, ...]) -> str:
    """A JSON object with a %s for each value."""
    told = (json.dumps(name, ensure_ascii=False).replace("%", "%%") for name in names)
    return "{" + ", ".join(f"{name}: %s" for name in told) + "}"


def is_usual_feature_text(text: Any) -> bool:
    """Whether a text is a list of numbers as this program writes them."""
    return type(text) is str and _USUAL.fullmatch(text) is not None


def is_json_numbers(text: Any) -> bool:
    """Whether a text is a JSON list of finite numbers."""
    try:
        values = json.loads(text)
        return isinstance(values, list) and all(
            isinstance(value, float | int) and isfinite(value) for value in values
        )
    except (ValueError, TypeError, RecursionError, OverflowError):
        return False


def stored_features(names: Sequence[str], text: str) -> StoredFeatures:
    """The features of a row. Raises ValueError unless there is a value for each name."""
    number = text.count(",") + 1 if len(text) > len("[]") else 0
    if number != len(names) or not {str}.issuperset(map(type, names)):
        raise ValueError("features have other names than values")
    return StoredFeatures(names, text)
