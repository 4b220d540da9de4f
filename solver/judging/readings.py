# SPDX-License-Identifier: GPL-3.0-or-later
"""The readings of futile interpositions side by side, and the drop on which they differ."""

from __future__ import annotations

from dataclasses import dataclass

from solver.engines.base import MateEngine, futility_by_drop_cell
from solver.engines.kernel.mate import may_be_futile
from solver.results import Interposition, LimitReached, Limits, ReadingChoices, Readings, ReadingsDifference
from solver.solving.deepening import lowered_defence_length
from solver.solving.tree import Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    legal_checks,
    legal_evasions,
    line_played,
    played,
    target_of,
    unpack_move,
)
from tsume_rules.position import Side

# --- the grey zone of futile interpositions: two more readings, to reject problems that depend on the choice ---
#
# wide: any attacking piece, not only the checker, may be the one that takes.
# purist: a drop is futile only if sliding to its square mates no later than the best
# answer that is not a futile drop; otherwise all its plies count. An answer that is
# played out may be a drop itself, so the definition is circular; the least consistent
# solution is taken:
#
#     D_purist(q, n) = for some even m <= n:
#         every answer r has A(q.r, m-1) or futile(q, r, m), with D_purist after the slide
#         and (m = 0 or some answer r has A(q.r, m-1) and not A(q.r, m-3))
#
# What mates by the purist reading mates by the narrow one, and what mates by the
# narrow one mates by the wide one, within the same number of plies.

PURIST_CALLS = 4
"""A purist walk takes about this many times the calls of a main tree for each ply."""
_NODES = 20_000
"""Nodes for the search with every interposition counted."""


def is_in_grey_zone(engine: MateEngine, packed: PackedPosition, line: Moves) -> bool:
    """Return whether the readings differ in length or mating first moves along the main line.

    ``packed`` stands at the start; ``line`` is the main line, as long as the mate. Raises `LimitReached`.
    """
    purist = PuristReading(engine)
    for ply in range(2 * engine.readings_agree(packed, line), len(line), 2):
        n = len(line) - ply
        with line_played(packed, line[:ply]):
            checks = legal_checks(packed)
            narrow = engine.mating(packed, checks, n)
            if any(not purist.mates_after(packed, check, n) for check in narrow):
                return True
            with engine.reading(Interposition.WIDE):
                if n > 1 and engine.mates(packed, n - 2):
                    return True
                if engine.mating(packed, [check for check in checks if check not in narrow], n):
                    return True
    return False


class PuristReading:
    """Mate within n plies by the purist reading, for checks that mate by the narrow one.

    A mate with every interposition counted is a purist mate too. This is searched first, as one search is
    cheaper than a walk.

    A walk tries the bounds from 0 upwards, or with ``from_exact`` from the exact narrow length upwards, below
    which no purist mate exists: faster in long works, where most bounds are below. Only numbers of nodes
    differ, on which the acceptance of generated problems rests.
    """

    def __init__(self, engine: MateEngine, *, from_exact: bool = False) -> None:
        self._engine = engine
        self._from_exact = from_exact
        self._known: dict[tuple[int, int, int], bool] = {}

    def mates(self, packed: PackedPosition, n: int) -> bool:
        """Return whether the attacker, to move, mates within n plies."""
        if n < 1:
            return False
        checks = legal_checks(packed)
        likely = [check for check in checks if self._engine.known_after(packed, check, n)]
        return any(self.mates_after(packed, check, n) for check in likely) or any(
            self.mates_after(packed, check, n) for check in checks if check not in likely
        )

    def mates_after(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a check mates within n plies, itself counted."""
        with played(packed, check, Side.ATTACKER):
            return self.is_mated(packed, n - 1)

    def is_mated(self, packed: PackedPosition, n: int) -> bool:
        """Return whether the defender, in check, is mated within n plies by the purist reading: then he is by
        the narrow one too, which the engine is asked for first."""
        name = (int(packed.key), int(packed_hand(packed)), n)
        if name not in self._known:
            self._known[name] = self._engine.is_mated(packed, n) and self._holds(packed, n)
        return self._known[name]

    def _holds(self, packed: PackedPosition, n: int) -> bool:
        """Return whether a mate within n plies by the narrow reading is one by this reading."""
        engine = self._engine
        with engine.reading(Interposition.COUNT_ALL):
            if engine.answered_within(_NODES, lambda: engine.is_mated(packed, n)):
                return True
        ordinary, cells = self.answers(packed)
        answers = [*ordinary, *(drop for drops in cells.values() for drop in drops)]
        least = lowered_defence_length(engine, packed, n) if self._from_exact else 0
        return any(
            self.all_mated(packed, ordinary, cells, m)
            and (m == 0 or any(self.lasts_exactly(packed, answer, m) for answer in answers))
            for m in range(least, n + 1, 2)
        )

    def all_mated(self, packed: PackedPosition, ordinary: list[int], cells: dict[int, list[int]], m: int) -> bool:
        """Return whether every answer is met within m plies or futile under that bound."""
        return all(self.mates_against(packed, answer, m) for answer in ordinary) and all(
            self.slide_mates(packed, cell, m) or all(self.mates_against(packed, drop, m) for drop in drops)
            for cell, drops in cells.items()
        )

    def lasts_exactly(self, packed: PackedPosition, answer: int, m: int) -> bool:
        """Return whether the attacker needs exactly m plies to mate against an answer that is played out."""
        return self.mates_against(packed, answer, m) and not self.mates_against(packed, answer, m - 2)

    def answers(self, packed: PackedPosition) -> tuple[list[int], dict[int, list[int]]]:
        """Return the ordinary answers, and by cell the drops that might be futile."""
        ordinary: list[int] = []
        cells: dict[int, list[int]] = {}
        for move, is_taken in futility_by_drop_cell(
            packed, legal_evasions(packed), lambda cell: bool(self._engine.slides(packed, cell)), False
        ):
            if is_taken:
                cells.setdefault(target_of(move), []).append(move)
            else:
                ordinary.append(move)
        return ordinary, cells

    def mates_against(self, packed: PackedPosition, answer: int, n: int) -> bool:
        """Return whether the attacker mates within n plies, the answer counted."""
        with played(packed, answer, Side.DEFENDER):
            return self.mates(packed, n - 1)

    def slide_mates(self, packed: PackedPosition, cell: int, n: int) -> bool:
        """Return whether sliding the checking piece to a cell mates within n plies."""
        for take in self._engine.slides(packed, cell):
            with played(packed, take, Side.ATTACKER):
                if self.is_mated(packed, n):
                    return True
        return False


# --- the readings of futile interpositions side by side --------------------------------------------

BEYOND = 8
"""Plies beyond the narrow length within which to search for a purist mate."""
NODES = 300_000
"""Nodes for that search."""


@dataclass(frozen=True)
class PackedReadingsDifference:
    """The first turn at which the readings part: its path, the ``n`` plies left, the checks that mate by each."""

    path: Moves
    n: int
    narrow: tuple[int, ...]
    purist: tuple[int, ...]
    wide: tuple[int, ...]


class ReadingComparer:
    """Compares the readings along one main line. All methods raise `LimitReached`.

    ``packed`` stands at the start, ``root`` is its main tree.
    """

    def __init__(self, engine: MateEngine, packed: PackedPosition, root: Turn) -> None:
        self._engine = engine
        self._packed = packed
        self._root = root
        self._purist = PuristReading(engine, from_exact=True)
        self._drop_played = len(root.line()) != root.n

    def split(self) -> PackedReadingsDifference | None:
        """Return the first turn of the main line at which the readings differ in length or mating moves."""
        packed, engine = self._packed, self._engine
        path: Moves = ()
        agree = 0 if self._drop_played else engine.readings_agree(packed, self._root.line())
        for number, turn in enumerate(self._root.best_turns()):
            if number >= agree:
                with line_played(packed, path):
                    n, checks = turn.n, legal_checks(packed)
                    narrow = tuple(engine.mating(packed, checks, n))
                    purist = tuple(check for check in narrow if self._purist.mates_after(packed, check, n))
                    with engine.reading(Interposition.WIDE):
                        sooner = n > 1 and engine.mates(packed, n - 2)
                        more = engine.mating(packed, [check for check in checks if check not in narrow], n)
                wide = tuple(check for check in checks if check in narrow or check in more)
                if sooner or not purist == narrow == wide:
                    return PackedReadingsDifference(path, n, narrow, purist, wide)
            path += turn.key_and_defence
        return None

    def is_grey(self, split: PackedReadingsDifference | None) -> bool:
        """Return whether the problem is in the grey zone, given `split`."""
        return split is not None or self._drop_played

    def readings(self, split: PackedReadingsDifference | None) -> Readings:
        """Return the result of each reading."""
        n = self._root.n
        if split is None:
            return Readings(n, n, n, n, None, self._drop_played)
        purist, searched, wide = self._lengths(n)
        with line_played(self._packed, split.path):
            there = self._lengths(split.n) if split.path else (purist, searched, wide)
        parting = ReadingsDifference(
            tuple(map(unpack_move, split.path)),
            split.n,
            ReadingChoices(split.n, tuple(map(unpack_move, split.narrow))),
            ReadingChoices(there[0], tuple(map(unpack_move, split.purist))),
            ReadingChoices(there[2], tuple(map(unpack_move, split.wide))),
        )
        return Readings(n, purist, wide, searched, parting, self._drop_played)

    def _lengths(self, narrow: int) -> tuple[int | None, int, int]:
        """Return the purist length of ``packed`` (None: not found), the plies searched for it, and the wide length."""
        with self._engine.reading(Interposition.WIDE):
            wide = next(n for n in range(1, narrow + 1, 2) if n == narrow or self._engine.mates(self._packed, n))
        searched = narrow - 2
        try:
            with self._engine.within(Limits(nodes=NODES)):
                for n in range(narrow, narrow + BEYOND + 1, 2):
                    if self._purist.mates(self._packed, n):
                        return n, n, wide
                    searched = n
        except LimitReached:
            self._engine.check_limits()
        return None, searched, wide

    # --- the drop on which they differ --------------------------------------------

    def disputed_drop(self, split: PackedReadingsDifference | None) -> tuple[Moves, tuple[str, ...]]:
        """Return a line that ends with a drop, and the readings by which the drop is futile.

        Without a split it is the futile drop that the main line plays.
        """
        path: Moves = ()
        if split is None:
            for turn in self._root.best_turns():
                if turn.reply and len(turn.reply.moves) > 1:
                    return (*path, *turn.key_and_defence[:2]), ("narrow",)
                path += turn.key_and_defence
            return (), ("narrow",)
        fewer = next((check for check in split.narrow if check not in split.purist), None)
        with line_played(self._packed, split.path):
            if fewer is not None:
                return (*split.path, fewer, *self._only_narrow(fewer, split.n)), ("narrow", "wide")
            return (*split.path, *self._line_to_disputed_drop(split.n)), ("wide",)

    def _line_to_disputed_drop(self, n: int) -> Moves:
        """Return the moves, from here with the attacker to move, to a drop that is futile by the wide reading alone.

        They begin with a check that mates by the wide reading only, within n - 2 plies if there is one, else within n.
        Empty if there is none."""
        packed, engine = self._packed, self._engine

        def is_met(answer: int, n: int) -> bool:
            """Return whether an answer loses within n plies, itself counted, or is futile."""
            with played(packed, answer, Side.DEFENDER):
                mates = n > 1 and engine.mates(packed, n - 1)
            return mates or self._is_futile(answer, n)

        for m in (n - 2, n):
            for check in legal_checks(packed) if m > 0 else ():
                with engine.reading(Interposition.WIDE):
                    mates = engine.mates_after(packed, check, m)
                if not mates or engine.mates_after(packed, check, m):
                    continue
                with played(packed, check, Side.ATTACKER):
                    answer = next(one for one in legal_evasions(packed) if not is_met(one, m - 1))
                    with engine.reading(Interposition.WIDE):
                        if self._is_futile(answer, m - 1):
                            return (check, answer)
                    with played(packed, answer, Side.DEFENDER):
                        return (check, answer, *self._line_to_disputed_drop(m - 2))
        return ()

    def _is_futile(self, answer: int, n: int) -> bool:
        may_be = may_be_futile(self._packed, answer)
        return may_be and self._engine.is_futile(self._packed, target_of(answer), n)

    def _only_narrow(self, check: int, n: int) -> Moves:
        """Return the moves from a check, which mates in n plies but not by the purist one, to the drop."""
        packed, purist = self._packed, self._purist
        with played(packed, check, Side.ATTACKER):
            ordinary, cells = purist.answers(packed)
            least = next((m for m in range(0, n, 2) if purist.all_mated(packed, ordinary, cells, m)), None)
            if least is not None:  # every answer is met, but none that is played out lasts as long
                # A drop that the slide meets within n plies, and not within fewer.
                for cell, drops in cells.items():
                    late = (drop for drop in drops if not purist.mates_against(packed, drop, least - 2))
                    if not purist.slide_mates(packed, cell, least - 2) and (drop := next(late, 0)):
                        return (drop,)
                return ()
            # An answer that lasts longer by the purist reading.
            for answer in ordinary:
                if not purist.mates_against(packed, answer, n - 1):
                    return self._after(answer, n - 1)
            for cell, drops in cells.items():
                saved = next((drop for drop in drops if not purist.mates_against(packed, drop, n - 1)), 0)
                if saved and not purist.slide_mates(packed, cell, n - 1):
                    is_futile = self._engine.is_futile(packed, cell, n - 1)
                    return (saved,) if is_futile else self._after(saved, n - 1)
            return ()

    def _after(self, answer: int, n: int) -> Moves:
        with played(self._packed, answer, Side.DEFENDER):
            checks = legal_checks(self._packed)
            key = next(c for c in checks if self._engine.mates_after(self._packed, c, n - 1))
            return (answer, key, *self._only_narrow(key, n - 1))
