# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's 237 games: 79 back ranks by three promotion zones (section 2), with its results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tsume.papers.shibahara2006.game import RANKS, Result, ShogiVariant

_KING_IN_THE_MIDDLE = """
    飛玉– DDD, 角玉– DDD, 角玉飛 WWW, 金玉– DDD, 金玉飛 WWW, 金玉角 WWW
    金玉金 DDD, 銀玉– DDD, 銀玉飛 WWW, 銀玉角 dWW, 銀玉金 ddd, 銀玉銀 DDd
    桂玉– WWW, 桂玉飛 WDD, 桂玉角 DWW, 桂玉金 WDD, 桂玉銀 dWd, 桂玉桂 WWW
    香玉– WWD, 香玉飛 WWW, 香玉角 WWW, 香玉金 WWW, 香玉銀 WWW, 香玉桂 WWW
    香玉香 WWW, 歩玉– DWD, 歩玉飛 WWD, 歩玉角 DWW, 歩玉金 WWd, 歩玉銀 WWd
    歩玉桂 WWD, 歩玉香 WWW, 歩玉歩 WWW
"""
_KING_IN_THE_CORNER = """
    玉–角 DDD, 玉–金 DDD, 玉–銀 DDD, 玉–桂 WWW, 玉–歩 DWD, 玉飛– DDD
    玉飛角 dWW, 玉飛金 WWW, 玉飛銀 DWW, 玉飛桂 dWW, 玉飛歩 DDW, 玉角– WWW
    玉角金 WWW, 玉角銀 WWW, 玉角桂 WWW, 玉角歩 WWW, 玉金– DDD, 玉金角 DWW
    玉金金 DDD, 玉金銀 ddd, 玉金桂 WDD, 玉金歩 WWW, 玉銀– DDD, 玉銀角 ddW
    玉銀金 ddd, 玉銀銀 DDD, 玉銀桂 dWD, 玉銀歩 WWd, 玉桂– WWW, 玉桂角 DWW
    玉桂金 WWW, 玉桂銀 ddW, 玉桂桂 WWW, 玉桂歩 WWW, 玉香– DWD, 玉香角 dWW
    玉香金 WWW, 玉香銀 WWW, 玉香桂 WWW, 玉香歩 dWW, 玉歩– DWD, 玉歩角 DDw
    玉歩金 DdD, 玉歩銀 dDD, 玉歩桂 ddW, 玉歩歩 dDW
"""
"""A back rank and a letter for each zone (tables 1 and 3): W won by the first player, D a draw; small
letters were open after the paper's first run (section 6.1: ten minutes, 2^22 entries, paths of 2^10)."""
RESEARCHES_PER_DRAW = 8.0
"""New starts for each of the 73 draws of the first run (section 6.2; the mean of table 1 is 7.96)."""
CHECKS_PER_DRAW = 747
"""Searches of candidates for each of them (section 6.2)."""
LATER_RESEARCHES_PER_DRAW = 26.9
"""New starts for each of the 30 draws of the second run: the mean of table 3."""
_RESULTS = {"w": Result.WIN, "d": Result.DRAW}


@dataclass(frozen=True)
class PaperGame:
    """One of the games: its number in the paper, the first player's back rank, the ranks of the zone."""

    number: int
    back_row: str
    zone: int
    paper: Result
    first_run: bool
    """Whether the paper's first run solved it."""

    @property
    def game(self) -> ShogiVariant:
        """The rules and pieces."""
        return ShogiVariant.of(self.back_row, self.zone)

    @property
    def state(self) -> int:
        """The first position, packed."""
        return self.game.start(self.back_row)


def games_of_the_paper() -> tuple[PaperGame, ...]:
    """All games in the paper's order."""
    return tuple(PaperGame(number, *rest) for number, rest in enumerate(_unnumbered(), start=1))


def _unnumbered() -> Iterator[tuple[str, int, Result, bool]]:
    for text in (_KING_IN_THE_MIDDLE, _KING_IN_THE_CORNER):
        entries = [entry.split() for entry in text.replace("\n", ",").split(",") if entry.strip()]
        for zone in range(1, RANKS):
            for back_row, letters in entries:
                letter = letters[zone - 1]
                yield back_row, zone, _RESULTS[letter.lower()], letter.isupper()
