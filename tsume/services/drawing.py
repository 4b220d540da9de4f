# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions and lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from solver.results import Limits
from tsume.diagrams.animation import animated_svg
from tsume.diagrams.captions import mate_in
from tsume.diagrams.look import Arrow, DiagramLook, DiagramScene
from tsume.diagrams.svg import svg
from tsume.files.subjects import PictureSubject
from tsume.formats.game_record import END
from tsume.services.solving import Solver
from tsume_rules.position import Square

SECONDS = 30.0
"""The time limit of the search for one line."""


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
    solver: Solver = field(default_factory=lambda: Solver(Limits(seconds=SECONDS)))

    def picture(self, subject: PictureSubject) -> str:
        """The SVG of a subject. Raises ValueError for one that cannot be drawn, or not in this style."""
        if subject.position is None:
            raise ValueError(subject.error)
        if not subject.line and (self.solve or self.animate or self.ply is not None):
            subject = replace(subject, line=self.solver.line(subject.position))
        ply = len(subject.line) if self.ply == END else self.ply or 0
        position, last = subject.at(ply)
        scene = DiagramScene(position, self._caption(subject), last, self.arrows, self.marks)
        return animated_svg(scene, subject.line, self.look) if self.animate else svg(scene, self.look)

    def _caption(self, subject: PictureSubject) -> str:
        if self.caption is not None:
            return self.caption
        return mate_in(len(subject.line), self.look.language) if len(subject.line) % 2 else ""
