# SPDX-License-Identifier: GPL-3.0-or-later
"""The language that a browser asks for."""

from __future__ import annotations

from tsume.language.catalogue import LANGUAGES, Language


def browser_language(header: str | None) -> Language | None:
    """The language of pages for an ``Accept-Language`` header (RFC 9110, section 12.5.4).

    English for those who read neither it nor Japanese; None if the header names no language.
    """
    weights: dict[str, float] = {}
    for part in (header or "").split(","):
        tag, _, parameter = part.partition(";")
        name, weight = tag.strip().lower().partition("-")[0], _weight(parameter)
        if name and name != "*" and weight > 0:
            weights[name] = max(weight, weights.get(name, 0.0))
    if not weights:
        return None
    # of equal ones the first in the header
    return next(
        (language for name in sorted(weights, key=lambda one: -weights[one])
         for language in LANGUAGES if language == name), "en",
    )  # fmt: skip


def _weight(parameter: str) -> float:
    """The weight in ``q=0.8``; 1 if there is none, 0 if it cannot be read."""
    name, _, value = parameter.partition("=")
    if not name.strip():
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
