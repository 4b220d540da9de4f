# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes with particulars: which piece shows one, and how often. Nothing here needs a compiler."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from generator.theme_names import OF_THE_WHOLE, tag_of
from tsume_rules.position import LETTERS

_PARTS = re.compile(r"(?P<name>.*?)(?::(?P<piece>\+?[A-Za-z]))?(?:>=(?P<least>[0-9]{1,2}))?")


class ThemeDetailError(ValueError):
    """A theme that cannot be read; the text says what is wrong."""


@dataclass(frozen=True)
class ThemeDetail:
    """A theme that at least so many moves show, each by a ``piece``.

    ``piece``: its SFEN letter, promoted or not; with ``+`` only promoted, if only by this move; None: any.
    """

    tag: str
    piece: str | None = None
    least: int = 1

    @classmethod
    def parse(cls, text: str) -> ThemeDetail:
        """A theme by tag or name, with a piece as in ``switchback:B`` and a number as in ``sacrifice>=3``.

        Raises `ThemeDetailError`.
        """
        plain = unicodedata.normalize("NFKC", text.replace("≧", ">=").replace("≥", ">="))
        parts = _PARTS.fullmatch(plain)
        name, piece, least = parts.group("name", "piece", "least") if parts else (plain, None, None)
        tag = tag_of(name)
        if tag is None:
            raise ThemeDetailError(f"{text[:50]!r} is not a theme; `tsume themes` lists them")
        if piece is not None and piece.lstrip("+").upper() not in LETTERS.values():
            raise ThemeDetailError(f"{piece!r} in {text[:50]!r} is not a piece: give an SFEN letter")
        if tag in OF_THE_WHOLE and (piece or least):
            raise ThemeDetailError(f"{text[:50]!r}: {tag} is shown by no single move")
        if least is not None and int(least) < 1:
            raise ThemeDetailError(f"{text[:50]!r}: a number is at least 1")
        return cls(tag, piece.upper() if piece else None, int(least or 1))

    def __str__(self) -> str:
        piece = f":{self.piece}" if self.piece else ""
        return f"{self.tag}{piece}" + (f">={self.least}" if self.least > 1 else "")

    @property
    def is_plain(self) -> bool:
        """Whether it asks for the theme alone."""
        return self.piece is None and self.least == 1


def split_themes(texts: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags of themes as they are asked for, and those of the texts that ask for more; each once.

    Raises `ThemeDetailError`.
    """
    asked = [ThemeDetail.parse(text) for text in texts]
    tags = dict.fromkeys(one.tag for one in asked)
    return tuple(tags), tuple(dict.fromkeys(str(one) for one in asked if not one.is_plain))
