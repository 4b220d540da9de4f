"""Which problems of a store are asked for, and in which order."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from generator.facts import unwanted_remarks
from solver.results import Grade, Remark

Order = Literal["id", "score", "quality"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True)
class Selection:
    """Constraints on problems; all must hold. None and empty ask for nothing.

    ``ids`` names problems one by one. ``moves`` is the length in plies, ``seed`` that of the run. The
    bounds of score and quality and ``max_pieces`` (board and attacker's hand) are inclusive; all of
    ``themes`` and of ``tags`` are wanted; ``grade`` is perfect or sound. ``title`` and ``author`` stand
    anywhere in those of a problem, in small letters or capitals. The facts from ``no_promoted`` to
    ``key`` are asked for as in `generator.wishes.Wishes`. ``order`` puts the lowest id, the lowest score
    or the best quality first; at most ``limit`` problems are given. Raises ``ValueError`` for an unknown
    order and a negative limit.
    """

    ids: Collection[int] = ()
    moves: int | None = None
    min_score: float | None = None
    max_score: float | None = None
    stars: int | None = None
    max_pieces: int | None = None
    seed: int | None = None
    themes: Collection[str] = ()
    tags: Collection[str] = ()
    title: str | None = None
    author: str | None = None
    min_quality: float | None = None
    grade: Grade | None = None
    no_promoted: bool = False
    defenders: int | None = None
    no_equal_defences: bool = False
    no_variation_cooks: bool = False
    one_finish: bool = False
    same_when_counted: bool = False
    key: str | None = None
    limit: int | None = None
    order: Order = "id"

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ValueError(f"order is {' or '.join(ORDERS)}, not {self.order!r}")
        if self.limit is not None and self.limit < 0:
            raise ValueError(f"limit is negative: {self.limit}")

    @property
    def unwanted(self) -> Remark:
        """The remarks that no problem may have."""
        return unwanted_remarks(
            no_equal_defences=self.no_equal_defences,
            no_variation_cooks=self.no_variation_cooks,
            one_finish=self.one_finish,
        )


ALL = Selection()
"""Every problem, by id."""
