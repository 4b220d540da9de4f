# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of the program: what it may be, and the files that have it."""

from __future__ import annotations

import re
from pathlib import Path

from scripts import changelog

_RELEASE = re.compile(r"(\d+)\.(\d+)\.\d+")
_COMPOSED = re.compile(r"(?<=^\*tsume )\S+(?= seed )", re.MULTILINE)  # in the record of a composed problem
_PLACES = {
    "tsume/__init__.py": re.compile(r'(?<=^__version__ = ")[^"]+', re.MULTILINE),
    "docs/cli.md": _COMPOSED,
    "docs/workbench.ja.md": _COMPOSED,
    "docs/workbench.md": _COMPOSED,
}
"""Where the version stands, by file."""
_CITED_VERSION = re.compile(r"(?<=^version: ).+", re.MULTILINE)
_CITED_DATE = re.compile(r"(?<=^date-released: ).+", re.MULTILINE)


class VersionError(ValueError):
    """A version that cannot be released, or a file without a version."""


def following(version: str) -> str:
    """The development version after a release: 1.3.0.dev0 after 1.2.0 and after 1.2.1."""
    numbers = _RELEASE.fullmatch(version)
    if numbers is None:
        raise VersionError(f"not the version of a release: {version} (it has three numbers, like 1.2.3)")
    return f"{numbers[1]}.{int(numbers[2]) + 1}.0.dev0"


def release_files(root: Path, version: str, date: str) -> dict[str, str]:
    """The new texts of all files that change with a release, by their names."""
    text = changelog.released(_read(root, "CHANGELOG.md"), version, date)
    cited = _replaced("CITATION.cff", _CITED_VERSION, version, _read(root, "CITATION.cff"))
    cited = _replaced("CITATION.cff", _CITED_DATE, date, cited)
    return {"CHANGELOG.md": text, "CITATION.cff": cited, **_version_files(root, version)}


def development_files(root: Path, version: str) -> dict[str, str]:
    """The new texts of all files that change when the next version is begun."""
    return {
        "CHANGELOG.md": changelog.opened(_read(root, "CHANGELOG.md"), version),
        **_version_files(root, version),
    }


def _version_files(root: Path, version: str) -> dict[str, str]:
    return {name: _replaced(name, place, version, _read(root, name)) for name, place in _PLACES.items()}


def _replaced(name: str, place: re.Pattern[str], new: str, text: str) -> str:
    changed, number = place.subn(new, text)
    if not number:
        raise VersionError(f"{name} has no version where it is expected: {place.pattern}")
    return changed


def _read(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")
