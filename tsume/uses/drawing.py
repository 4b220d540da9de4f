# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions and lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from db.selection import ProblemSelection
from db.store import Store
from tsume.diagrams.look import Arrow, DiagramLook, DiagramScene, mate_caption
from tsume.diagrams.svg import animated_svg, svg
from tsume.files.inputs import PositionInputs
from tsume.formats.game_record import END
from tsume.uses.solving import COMMAND, Solver
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import Position, Square

# --- positions to be drawn: given ones, or problems of a store, with their lines if known ----------


@dataclass(frozen=True)
class PictureSubject:
    """A position to be drawn, seen by the attacker.

    ``place`` says where it was found, ``name`` is for its file. ``line`` is its solution, empty if it is
    not known. ``error`` says what is wrong with a position that cannot be drawn; it is None then.
    """

    place: str
    name: str
    position: Position | None
    line: tuple[Move, ...] = ()
    error: str = ""

    def at(self, ply: int) -> tuple[Position, Move | None]:
        """Return the position after that many moves of the line, and the last of them.

        Raises ValueError where the line is shorter or cannot be played.
        """
        assert self.position is not None
        if ply > len(self.line):
            raise ValueError(f"no move {ply}: the line has {len(self.line)}")
        return position_after_all(self.position, self.line[:ply]), self.line[ply - 1] if ply else None


def given_subjects(inputs: PositionInputs) -> Iterator[PictureSubject]:
    """Yield the positions of a command's arguments and files."""
    for number, entry in enumerate(inputs, start=1):
        name = str(number if entry.id is None else entry.id)
        if entry.parsed is None:
            yield PictureSubject(entry.place, name, None, error=entry.error)
        else:
            yield PictureSubject(entry.place, name, entry.parsed.position, entry.line)


def stored_subjects(place: str, wanted: ProblemSelection) -> Iterator[PictureSubject]:
    """Yield the problems of a store. Raises `db.errors.StoreError`."""
    with Store.open(place, create=False) as store:
        for problem in map(store.playable, store.find(wanted)):
            yield PictureSubject(f"problem {problem.id}", str(problem.id), problem.position, problem.line)


# --- pictures of positions and lines ---------------------------------------------------------------


@dataclass(frozen=True)
class DiagramRenderer:
    """Draws positions in one style.

    ``ply``: the position after that many moves of the line, `END`: after all of them, None: at the start.
    ``animate``: the line as a moving picture. ``caption`` stands above the board; None: the number of moves.
    ``solve``: a position without a line gets one. ``solver`` finds lines where they are needed.
    """

    look: DiagramLook
    caption: str | None = None
    ply: int | None = None
    animate: bool = False
    arrows: tuple[Arrow, ...] = ()
    marks: frozenset[Square] = frozenset()
    solve: bool = False
    solver: Solver = field(default_factory=lambda: Solver(COMMAND))

    def picture(self, subject: PictureSubject) -> str:
        """The SVG of a subject. Raises ValueError for one that cannot be drawn, or not in this style."""
        if subject.position is None:
            raise ValueError(subject.error)
        if not subject.line and (self.solve or self.animate or self.ply is not None):
            subject = replace(subject, line=self.solver.line(subject.position))
        ply = len(subject.line) if self.ply == END else self.ply or 0
        position, last = subject.at(ply)
        length, caption = len(subject.line), self.caption
        if caption is None:
            caption = mate_caption(length, self.look.language) if length % 2 else ""
        scene = DiagramScene(position, caption, last, self.arrows, self.marks)
        return animated_svg(scene, subject.line, self.look) if self.animate else svg(scene, self.look)
