# SPDX-License-Identifier: GPL-3.0-or-later
"""Install lines: commands in pages, docstrings and messages that install this package."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from browser.npm import PACKAGE_NAME

_UV = r"uv (?:tool install|tool run|pip install|add)|uvx"
_TOOL = rf"(?:(?:python3? -m )?pip install|pipx (?:install|run|inject)|{_UV})"
_NODE_TOOL = r"(?:npm (?:install|i|add)|npx)"
_PACKAGE = rf"'?{re.escape(PACKAGE_NAME)}(?![\w.-]*/)(?:\[[^\]\s]*\])?(?:==[\w.]+)?'?"
_LINE = re.compile(rf"(?:{_TOOL}|{_NODE_TOOL})(?: +[-\w./=@]+)*? +{_PACKAGE}(?: +tsume[^`\"#\n()]*)?")
_WRAPPED = re.compile(r"`([^`\n]+)\n *([^`\n]+)`")
_EXTRA = re.compile(r"\[([^\]]*)\]")
_PLACEHOLDER = "{extra}"
_SOURCES = ("tsume_rules", "solver", "generator", "db", "tsume")
_PAGES = ("README*.md", "CONTRIBUTING.md", "docs/**/*.md")


@dataclass(frozen=True)
class InstallLine:
    """A command, and where it is written (``file:line``)."""

    command: str
    places: tuple[str, ...]

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras that it installs."""
        found = _EXTRA.search(self.command)
        return tuple(found[1].split(",")) if found else ()


def install_lines(root: Path) -> list[InstallLine]:
    """Every install line of a checkout, once."""
    known, places = extras(root), dict[str, list[str]]()
    for path in _files(root):
        for number, line in enumerate(unwrapped(path.read_text(encoding="utf-8")).splitlines(), 1):
            for command in commands(line, known):
                places.setdefault(command, []).append(f"{path.relative_to(root).as_posix()}:{number}")
    return [InstallLine(command, tuple(found)) for command, found in sorted(places.items())]


def commands(line: str, known: list[str]) -> Iterator[str]:
    """The install lines in a line of text; one for each known extra where a message leaves it open."""
    for found in _LINE.findall(line):
        command = found.strip()
        if _PLACEHOLDER in command:
            yield from (command.replace(_PLACEHOLDER, extra) for extra in known)
        else:
            yield command


def unwrapped(text: str) -> str:
    """A page whose inline code is not broken at the ends of lines; it keeps its number of lines."""
    return _WRAPPED.sub(r"`\1 \2`\n", text)


def extras(root: Path) -> list[str]:
    """The extras for users of the program."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(set(project["optional-dependencies"]) - {"dev", "docs"})


def _files(root: Path) -> Iterator[Path]:
    for pattern in _PAGES:
        yield from sorted(root.glob(pattern))
    for package in _SOURCES:
        yield from sorted((root / package).rglob("*.py"))
