# SPDX-License-Identifier: GPL-3.0-or-later
"""A game record: a position, its line with variations, comments, headers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.problem import Problem
from solver.results import Grade, Judgement
from tsume.formats.symbols import stars_text
from tsume.language.terms import TERMS
from tsume_rules.moves import Move
from tsume_rules.position import Position

AUTHOR, LENGTH, INTEGRITY = "作者", "手数", "完全性"
PERFECT = "完全作"
HEADERS = (AUTHOR, "発表誌", "発表年月", "出典", LENGTH, INTEGRITY, "分類", "受賞", "備考")
"""The headers of a problem that others know, besides its title (作品名), in the order of a file."""

END = -1
"""Stands for the number of moves of a line: the position after all of them."""

MoveComments = tuple[tuple[int, str], ...]
"""Texts, each with the number of the move it belongs to, in the order of the moves."""


@dataclass(frozen=True)
class Branch:
    """A line of moves, and the lines that leave it.

    ``first`` is the number of its first move, counted from 1 at the position. Each of ``branches``
    begins with another move in place of one of this line, or after its last move; they are sorted
    by ``first``.
    """

    first: int
    line: tuple[Move, ...]
    move_comments: MoveComments = ()
    branches: tuple[Branch, ...] = ()

    @property
    def end(self) -> int:
        """The number of the move that would follow the last one."""
        return self.first + len(self.line)

    @property
    def mates(self) -> bool:
        """Whether the line ends with a move of the attacker, an odd one."""
        return bool(self.line) and self.end % 2 == 0

    def comments_on(self, number: int) -> list[str]:
        """The comments on a move, cut into lines."""
        return cut_into_lines(text for of, text in self.move_comments if of == number)

    def leaving(self, number: int) -> list[Branch]:
        """The branches that begin in place of a move."""
        return [branch for branch in self.branches if branch.first == number]


@dataclass(frozen=True)
class GameRecord:
    """One problem of a file.

    ``line`` is the solution, mate at its end when it has an odd number of
    moves, and may be empty; ``title`` names the problem (its id); ``comments``
    are free text on the position, ``move_comments`` on moves of the line. ``branches`` are the
    variations (`Branch`). ``headers`` are keys and values as Japanese files write them, the title apart.
    """

    position: Position
    line: tuple[Move, ...] = ()
    title: str = ""
    comments: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    move_comments: MoveComments = ()
    branches: tuple[Branch, ...] = ()

    @property
    def mates(self) -> bool:
        """Whether the line ends with a move of the attacker."""
        return len(self.line) % 2 == 1

    @property
    def main(self) -> Branch:
        """The solution with its comments and variations."""
        return Branch(1, self.line, self.move_comments, self.branches)

    @property
    def title_line(self) -> str:
        """The title without line breaks."""
        return " ".join(self.title.split())

    @property
    def comment_lines(self) -> list[str]:
        """The comments cut into lines."""
        return cut_into_lines(self.comments)

    @property
    def header_lines(self) -> list[tuple[str, str]]:
        """The known, non-empty headers without line breaks, with the length of the line."""
        known = {key: " ".join(value.split()) for key, value in self.headers if key in HEADERS}
        if self.line:
            known[LENGTH] = f"{len(self.line)}手"
        return [(key, known[key]) for key in HEADERS if known.get(key)]


def cut_into_lines(texts: Iterator[str] | tuple[str, ...]) -> list[str]:
    """Texts as lines, without spaces at their ends."""
    return [line.rstrip() for text in texts for line in text.splitlines()]


def game_record_of(problem: Problem, title: str = "") -> GameRecord:
    """The record of a problem: main line, stars, score, provenance."""
    stars = problem.difficulty.stars
    comments = [f"難易度 {stars_text(stars)} ({problem.difficulty.score:.2f})"]
    if problem.provenance is not None:
        made = problem.provenance
        comments.append(f"tsume {made.version} seed {made.seed} index {made.index}")
    headers = tuple(integrity_headers(problem.judgement).items())
    return GameRecord(problem.position, problem.line, title, tuple(comments), headers)


def integrity_headers(judgement: Judgement) -> dict[str, str]:
    """The header 完全性: perfect, or the blemishes of a sound problem.

    Empty where the problem is neither perfect nor sound.
    """
    if judgement.grade not in (Grade.PERFECT, Grade.SOUND):
        return {}
    marks = "、".join(TERMS[name] for name in judgement.blemishes.blemish_names)
    named = f"（{marks}）" if marks and judgement.grade is Grade.SOUND else ""
    return {INTEGRITY: PERFECT + named}
