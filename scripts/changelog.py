# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of CHANGELOG.md. `python scripts/changelog.py VERSION` prints one; it needs nothing installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
_HEADING = re.compile(
    r"^## (?:Unreleased \((?P<next>\S+)\)|(?P<version>\d\S*)(?: \((?P<date>[\d-]+)\))?)\n", re.MULTILINE
)


class ChangelogError(ValueError):
    """CHANGELOG.md has no such section, or it is empty."""


def version_section(text: str, version: str) -> str:
    """What changed in a version: the text below its heading."""
    found = list(_HEADING.finditer(text))
    for number, heading in enumerate(found):
        if version in heading.group("version", "next"):
            end = found[number + 1].start() if number + 1 < len(found) else len(text)
            return text[heading.end() : end].strip() + "\n"
    raise ChangelogError(f"CHANGELOG.md has no section for {version}")


def with_release(text: str, version: str, date: str) -> str:
    """Return the changelog with "Unreleased" as the section of a version, released on a day (YYYY-MM-DD)."""
    heading = _HEADING.search(text)
    if heading is None or not heading["next"]:
        raise ChangelogError('the first section of CHANGELOG.md is not "Unreleased"')
    if not version_section(text, heading["next"]).strip():
        raise ChangelogError('the section "Unreleased" of CHANGELOG.md is empty')
    return f"{text[: heading.start()]}## {version} ({date})\n{text[heading.end() :]}"


def with_unreleased(text: str, following: str) -> str:
    """Return the changelog with an empty section "Unreleased" for the version that follows."""
    first = _HEADING.search(text)
    if first is None or first["next"]:
        raise ChangelogError('CHANGELOG.md has no section, or "Unreleased" already')
    return f"{text[: first.start()]}## Unreleased ({following})\n\n{text[first.start() :]}"


def last_release(text: str) -> tuple[str, str | None]:
    """Return the newest version that is released, and its day if the heading has one."""
    for heading in _HEADING.finditer(text):
        if heading["version"]:
            return heading["version"], heading["date"]
    raise ChangelogError("CHANGELOG.md has no released version")


if __name__ == "__main__":
    print(version_section(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1]), end="")
