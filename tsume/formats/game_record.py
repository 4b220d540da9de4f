"""What the file formats write: a position, its line, a title, comments."""

from __future__ import annotations

from dataclasses import dataclass

from generator.problem import Problem
from tsume_rules.moves import Move
from tsume_rules.position import Position

MAX_STARS = 5


@dataclass(frozen=True)
class GameRecord:
    """One problem of a file.

    ``line`` is the solution, mate at its end when it has an odd number of
    moves, and may be empty; ``title`` names the problem (its id); ``comments``
    are free text.
    """

    position: Position
    line: tuple[Move, ...] = ()
    title: str = ""
    comments: tuple[str, ...] = ()

    @property
    def mates(self) -> bool:
        """Whether the line ends with a move of the attacker."""
        return len(self.line) % 2 == 1

    @property
    def title_line(self) -> str:
        """The title without line breaks."""
        return " ".join(self.title.split())

    @property
    def comment_lines(self) -> list[str]:
        """The comments cut into lines."""
        return [line.rstrip() for comment in self.comments for line in comment.splitlines()]


def game_record_of(problem: Problem, title: str = "") -> GameRecord:
    """The record of a problem: main line, stars and score, where it comes from."""
    stars = problem.difficulty.stars
    comments = [f"難度 {'★' * stars}{'☆' * (MAX_STARS - stars)} ({problem.difficulty.score:.2f})"]
    if problem.provenance is not None:
        made = problem.provenance
        comments.append(f"tsume {made.version} seed {made.seed} index {made.index}")
    return GameRecord(problem.position, problem.line, title, tuple(comments))
