# SPDX-License-Identifier: GPL-3.0-or-later
"""Selections of problems of a store and their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from generator.constraints.problem import PropertyConstraints
from generator.theme_names import ThemeDetail, ThemeDetailError
from solver.results import Grade

Order = Literal["id", "score", "quality", "proof-tree"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True)
class ProblemSelection(PropertyConstraints):
    """Constraints on problems, facts among them; all must hold. None and empty ask for nothing.

    ``ids`` names problems one by one, ``without`` those left out. ``moves`` is the length in plies, ``seed`` that of
    the run, ``run`` its id. The bounds of score, quality, resistance, surprise, positions of the proof tree (problems
    of which they are not known satisfy none) and ``max_pieces`` (board and attacker's hand) are inclusive; all of
    ``themes`` (tags, or with a piece or a number as in `generator.theme_names`) and of ``tags`` are wanted; ``grade``
    is perfect or sound. ``title`` and ``author`` stand anywhere in those of a problem, in small letters or capitals.
    ``order`` puts the lowest id, the lowest score, the best quality or the smallest proof tree first; ``after`` is the
    id of a problem: only those behind it in that order are given. At most ``limit`` problems are given. Raises
    ``ValueError`` for an unknown order and a negative limit.
    """

    ids: Collection[int] = ()
    without: Collection[int] = ()
    moves: int | None = None
    min_score: float | None = None
    max_score: float | None = None
    stars: int | None = None
    max_pieces: int | None = None
    seed: int | None = None
    run: int | None = None
    themes: Collection[str] = ()
    tags: Collection[str] = ()
    title: str | None = None
    author: str | None = None
    min_quality: float | None = None
    min_resistance: float | None = None
    min_surprise: float | None = None
    min_proof_tree: int | None = None
    max_proof_tree: int | None = None
    grade: Grade | None = None
    limit: int | None = None
    order: Order = "id"
    after: int | None = None

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ValueError(f"order is {' or '.join(ORDERS)}, not {self.order!r}")
        if self.limit is not None and self.limit < 0:
            raise ValueError(f"limit is negative: {self.limit}")

    @property
    def theme_tags(self) -> list[str]:
        """The tags of the themes wanted."""
        return sorted({text if detail is None else detail.tag for text, detail in self._themes_read()})

    @property
    def theme_details(self) -> list[ThemeDetail]:
        """The themes that certain pieces must show, or several moves."""
        return [detail for _, detail in self._themes_read() if detail is not None]

    def _themes_read(self) -> Iterator[tuple[str, ThemeDetail | None]]:
        """Yield each text, and what it asks for if it is more than a tag."""
        for text in self.themes:
            try:
                detail = ThemeDetail.parse(text)
            except ThemeDetailError:
                yield text, None
            else:
                yield text, None if detail.is_plain else detail


ALL = ProblemSelection()
"""Every problem, by id."""
