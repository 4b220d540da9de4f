# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of lines in KIF, KI2 and BOD texts, and the boundaries between problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from tsume.formats.symbols import DIGITS, WIDE_DIGITS
from tsume_rules.pieces import Side

HAND_KEYS = {
    **dict.fromkeys(("先手の持駒", "下手の持駒", "攻方の持駒", "攻め方の持駒", "持駒"), Side.ATTACKER),
    **dict.fromkeys(("後手の持駒", "上手の持駒", "玉方の持駒"), Side.DEFENDER),
}
TURNS = {
    **dict.fromkeys(("先手番", "下手番"), Side.ATTACKER),
    **dict.fromkeys(("後手番", "上手番"), Side.DEFENDER),
}
HANDICAP = "手合割"
TITLE_KEYS = ("作品名", "表題", "題名")
"""The headers that name a problem, the best first."""

_NUMBERED = re.compile(r"\s*([0-9]{1,6})\s+(\S.*)")
_HEADER = re.compile(r"([^：:\s|+()▲△]+)\s*[：:](.*)")  # no move with its time
_BRANCH = re.compile(r"\s*変化\s*[：:]\s*([0-9]{1,6})\s*手?.*")
_IGNORED = re.compile(r"\s*(?:[#&].*)?|\+-+\+|手数[＝=].*|盤面回転")
_MOVES_HEADER = re.compile(r"手数-.*")
_MARKED = re.compile(r"\s*[▲△▼▽☗☖]\s*(?:[１-９1-9]|同).*")


class LineKind(Enum):
    """The kind of a line."""

    IGNORED = auto()
    COMMENT = auto()
    MOVES_HEADER = auto()
    RANK = auto()
    FILES = auto()
    KIF_MOVE = auto()
    """A move of KIF, with its number."""
    KI2_MOVES = auto()
    """Moves of KI2, each after a mark of its side."""
    TURN = auto()
    RESULT = auto()
    BRANCH = auto()
    HEADER = auto()
    UNKNOWN = auto()


_OF_THE_MOVES = (
    LineKind.MOVES_HEADER,
    LineKind.KIF_MOVE,
    LineKind.KI2_MOVES,
    LineKind.RESULT,
    LineKind.BRANCH,
)


@dataclass(frozen=True)
class KifLine:
    """A line of a text: its number in the file, its kind and its content.

    ``key`` is the key of a header, the number of a move or of a branch; ``value`` the rest.
    """

    number: int
    kind: LineKind
    text: str
    key: str = ""
    value: str = ""


def kif_line(number: int, text: str) -> KifLine:
    """A line and its kind."""
    stripped = text.strip()
    if _IGNORED.fullmatch(text):
        return KifLine(number, LineKind.IGNORED, text)
    if stripped.startswith("*"):
        return KifLine(number, LineKind.COMMENT, text, value=stripped[1:])
    if _MOVES_HEADER.fullmatch(stripped):
        return KifLine(number, LineKind.MOVES_HEADER, text)
    if text.startswith("|"):
        return KifLine(number, LineKind.RANK, text)
    if _is_row_of_file_numbers(text):
        return KifLine(number, LineKind.FILES, text)
    if found := _NUMBERED.fullmatch(text):
        return KifLine(number, LineKind.KIF_MOVE, text, found[1], found[2].rstrip())
    if _MARKED.fullmatch(text):
        return KifLine(number, LineKind.KI2_MOVES, text, value=stripped)
    if stripped in TURNS:
        return KifLine(number, LineKind.TURN, text, stripped)
    if stripped.startswith("まで"):
        return KifLine(number, LineKind.RESULT, text)
    if found := _BRANCH.fullmatch(text):
        return KifLine(number, LineKind.BRANCH, text, found[1])
    if found := _HEADER.fullmatch(stripped):
        return KifLine(number, LineKind.HEADER, text, found[1], found[2].strip())
    return KifLine(number, LineKind.UNKNOWN, text)


def split_problems(lines: Iterable[tuple[int, str]]) -> Iterator[list[KifLine]]:
    """The lines problem by problem; a faulty one does not affect the others."""
    splitter = _ProblemSplitter()
    for number, text in lines:
        line = kif_line(number, text)
        if splitter.begins(line):
            yield splitter.lines
            splitter = _ProblemSplitter()
        splitter.take(line)
    yield splitter.lines


class _ProblemSplitter:
    """The lines of a problem so far, and the parts seen."""

    def __init__(self) -> None:
        self.lines: list[KifLine] = []
        self._ranks = 0
        self._board_ended = False
        self._moves = False
        self._keys: set[str | Side] = set()

    def begins(self, line: KifLine) -> bool:
        """Whether a line belongs to the next problem."""
        if line.kind in (LineKind.RANK, LineKind.FILES):
            return self._moves or self._ranks == 9 or (self._board_ended and self._ranks > 0)
        if line.kind is not LineKind.HEADER:
            return False
        again = _header_meaning(line.key) in self._keys and (self._ranks > 0 or _is_position_header(line.key))
        return self._moves or again or (self._ranks > 0 and line.key in TITLE_KEYS)

    def take(self, line: KifLine) -> None:
        """Add a line to the problem."""
        self.lines.append(line)
        self._moves |= line.kind in _OF_THE_MOVES
        self._ranks += line.kind is LineKind.RANK
        self._board_ended |= self._ranks > 0 and line.kind in (LineKind.HEADER, LineKind.TURN)
        if line.kind is LineKind.HEADER:
            self._keys.add(_header_meaning(line.key))


def _header_meaning(key: str) -> str | Side:
    """Hands have several names."""
    return HAND_KEYS.get(key, key)


def _is_position_header(key: str) -> bool:
    return key in HAND_KEYS or key == HANDICAP


def _is_row_of_file_numbers(text: str) -> bool:
    digits = (DIGITS[WIDE_DIGITS.index(c)] if c in WIDE_DIGITS else c for c in "".join(text.split()))
    return "".join(digits) == "987654321"
