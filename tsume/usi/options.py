# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the engine: what `usi` declares and `setoption` sets."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from solver.results import Interposition
from tsume.language.catalogue import LANGUAGES, Language
from tsume.language.voice import Voice
from tsume.uses.engines import LEAST_MEMORY, MOST_MEMORY, EngineOptions
from tsume.usi.protocol import UsiError, excerpt

READINGS = {
    "narrow": Interposition.NARROW,
    "wide": Interposition.WIDE,
    "count-futile": Interposition.COUNT_ALL,
}
"""The readings of futile interpositions by which the engine can search."""
MOST_LINES, MOST_THREADS = 600, 256
"""No position has more legal moves than 593."""


@dataclass(frozen=True)
class Settings:
    """The values of all options; ``hash_size`` is in MB."""

    hash_size: int = 256
    threads: int = 1
    lines: int = 10
    reading: str = "narrow"
    find_all: bool = False
    shortest: bool = True
    language: Language = "en"

    @property
    def engine(self) -> EngineOptions:
        """Those that need another engine when they change."""
        return EngineOptions(self.hash_size << 20, READINGS[self.reading], jobs=self.threads)

    @property
    def voice(self) -> Voice:
        """How texts are written: English ones with moves in USI."""
        return Voice.of("ja") if self.language == "ja" else Voice("en", "usi")


class _Spin:
    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def parse(self, text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(self.most))):
            raise ValueError(f"a number from {self.least} to {self.most}")
        if not self.least <= int(text) <= self.most:
            raise ValueError(f"a number from {self.least} to {self.most}")
        return int(text)

    def declaration(self, value: Any) -> str:
        return f"type spin default {value} min {self.least} max {self.most}"


class _Check:
    def parse(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise ValueError("true or false")
        return text == "true"

    def declaration(self, value: Any) -> str:
        return f"type check default {str(value).lower()}"


class _Combo:
    def __init__(self, values: tuple[str, ...]) -> None:
        self.values = values

    def parse(self, text: str) -> str:
        if text not in self.values:
            raise ValueError("one of " + ", ".join(self.values))
        return text

    def declaration(self, value: Any) -> str:
        return f"type combo default {value} " + " ".join(f"var {one}" for one in self.values)


def _machine_memory() -> int:
    """Return the memory of this machine in MB, or of any if it is not known."""
    ask: Callable[[str], int] | None = getattr(os, "sysconf", None)  # not on Windows
    if ask is None:
        return MOST_MEMORY
    try:
        return min(MOST_MEMORY, ask("SC_PHYS_PAGES") * ask("SC_PAGE_SIZE") >> 20)
    except (OSError, ValueError):
        return MOST_MEMORY


_OPTIONS: dict[str, tuple[str, _Spin | _Check | _Combo]] = {
    "USI_Hash": ("hash_size", _Spin(LEAST_MEMORY, max(LEAST_MEMORY, _machine_memory()))),
    "Threads": ("threads", _Spin(1, MOST_THREADS)),
    "MultiPV": ("lines", _Spin(1, MOST_LINES)),
    "Reading": ("reading", _Combo(tuple(READINGS))),
    "FindAll": ("find_all", _Check()),
    "Shortest": ("shortest", _Check()),
    "Lang": ("language", _Combo(tuple(sorted(LANGUAGES)))),
}
"""Each option with its field of `Settings` and its type."""


def declarations(default: Settings) -> list[str]:
    """Return the ``option`` lines."""
    return [
        f"option name {name} {kind.declaration(getattr(default, field))}"
        for name, (field, kind) in _OPTIONS.items()
    ]


def with_option(settings: Settings, name: str, text: str) -> Settings:
    """Return the settings with one option set, its name in any case.

    Other options whose names begin with ``USI_`` change nothing: GUIs set them without a declaration. Raises
    `UsiError`.
    """
    names = {known.lower(): known for known in _OPTIONS}
    known = names.get(name.lower())
    if known is None:
        if name.startswith("USI_"):
            return settings
        raise UsiError(f"setoption: no option {excerpt(name)}")
    field, kind = _OPTIONS[known]
    try:
        changes: dict[str, Any] = {field: kind.parse(text)}
    except ValueError as error:
        raise UsiError(f"setoption {known}: {excerpt(text)} is not {error}") from None
    return replace(settings, **changes)
