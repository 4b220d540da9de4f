# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of the page for composing."""

from __future__ import annotations

from tsume.language.catalogue import Language, phrase

_KEYS = {
    "arrows": "← ↑ ↓ →",
    "letters": "P L N S G B R K",
    "enter": "Enter Esc",
    "plus": "+",
    "x": "X",
    "h": "H",
    "delete": "Delete",
    "undo": "U Y",
    "mirror": "M",
    "steps": ", . Esc",
    "mouse": "",
}
"""The keys by the name of the phrase that says what they do."""


def compose_help(language: Language) -> list[tuple[str, str]]:
    """The keys of the compose page, and what they do."""
    return [(keys, phrase(language, f"compose.key_{name}")) for name, keys in _KEYS.items()]
