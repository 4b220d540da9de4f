"""The growth of positions: `generator.kernel.growth` as Python uses it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from generator.kernel.final import ANYWHERE, KINDS, draw_mate
from generator.kernel.growth import CHILD, NURSERY, SEEN, Workshop, first_moves, grow
from generator.lines import Step, key_of
from generator.options import Effort
from generator.stages import OF_CANDIDATE, new_tally
from generator.themes import THEMES
from generator.themes.story import Story, replay
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from tsume_rules.kernel.retract import MOST_UNMOVES, move_of
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import Move
from tsume_rules.packing import Record, dropped, origin_of, pack, target_of, unpack, unpack_move
from tsume_rules.pieces import ALL_PIECES, LETTERS_IN_HAND
from tsume_rules.position import Position
from tsume_rules.record_play import Moves
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import SQUARES, file_of, rank_of

EMPTY = "8k/9/9/9/9/9/9/9/9 b - 1"
_MOST_CHILDREN = 256
_FILE = [file_of(int(sq)) if 0 <= sq < SQUARES else 0 for sq in SQUARE]
_RANK = [rank_of(int(sq)) if 0 <= sq < SQUARES else 0 for sq in SQUARE]
_DROPS = ("", *LETTERS_IN_HAND)


@dataclass(frozen=True)
class Bounds:
    """What each position on the way to a problem must keep to (`generator.preferences`).

    At most ``pieces`` on the board and in the attacker's hand; only kinds whose bit is set in
    ``kinds``; at most ``hand[kind]`` of a kind in the attacker's hand.
    """

    pieces: int = ALL_PIECES
    kinds: int = KINDS
    hand: tuple[int, ...] = (ALL_PIECES,) * 8


@dataclass
class Sprout:
    """A position on the way to a problem: it mates in ``length`` plies by ``line``.

    ``family`` numbers the final positions of a root. ``still`` counts the other checks that
    were not refuted for good when it was found, ``checks`` all checks, ``defences`` the
    longest defences against the key.
    """

    record: Record
    length: int
    line: Moves
    family: int
    still: int = 0
    checks: int = 1
    defences: int = 1

    @property
    def line_key(self) -> str:
        """`generator.lines.line_key` of the line."""
        return key_of([_step(move) for move in self.line])

    @cached_property
    def readable(self) -> tuple[Position, tuple[Move, ...]]:
        """The position and the line as readable types."""
        return unpack(self.record), tuple(unpack_move(move) for move in self.line)

    @cached_property
    def story(self) -> Story:
        """The replay of the line."""
        return replay(*self.readable)

    def shown(self, themes: Iterable[str]) -> frozenset[str]:
        """Those of some themes that the line shows (`generator.themes`); purposes are not proved."""
        return frozenset(name for name in themes if THEMES[name].predicate(self.story))


def _step(move: int) -> Step:
    target, kind = target_of(move), dropped(move)
    start = target if kind else origin_of(move)
    return _DROPS[kind], _FILE[start], _RANK[start], _FILE[target], _RANK[target]


@dataclass
class Nursery:
    """Grows positions with one engine.

    Random choices follow ``state``, the caller's uint64 array [1]; ``tally`` counts what the
    tests did (`generator.stages`). A ``lenient`` one lets blemishes pass.
    """

    engine: DfPnEngine
    effort: Effort
    state: np.ndarray
    tally: np.ndarray = field(default_factory=new_tally)
    lenient: bool = False

    def __post_init__(self) -> None:
        self._options = np.zeros(1, dtype=NURSERY).view(np.recarray)[0]
        for name, value in vars(self.effort).items():
            setattr(self._options, name, value)
        self._options.lenient = self.lenient
        self.keep_to(Bounds())
        self._seen = np.zeros(SEEN, dtype=np.uint64)
        self._records = np.zeros(_MOST_CHILDREN, dtype=POSITION).view(np.recarray)
        self._children = np.zeros(_MOST_CHILDREN, dtype=CHILD).view(np.recarray)
        self._final = pack(parse_sfen(EMPTY).position)
        self._scratch = np.zeros(8192, dtype=np.int64)
        self._workshop = Workshop(
            self._options, np.array(OF_CANDIDATE, dtype=np.int64), self.state, self.tally, self._seen,
            np.zeros(STACK, dtype=np.int64), np.zeros(MOST_UNMOVES, dtype=np.int64),
            np.zeros(MOST_UNMOVES, dtype=np.int64), self._records, self._children,
        )  # fmt: skip

    def forget(self) -> None:
        """Forget which positions were seen."""
        self._seen[:] = 0

    def keep_to(self, bounds: Bounds) -> None:
        """From now on find only positions within these bounds."""
        self._options.pieces = bounds.pieces
        self._options.kinds = bounds.kinds
        self._options.hand[:] = bounds.hand

    def draw_final(self, region: int = ANYWHERE, walled: bool = False, tries: int = 4000) -> Record | None:
        """A random mated position (`generator.kernel.final.draw_mate`), None if no draw was one."""
        kinds = int(self._options.kinds)
        drawn = draw_mate(self._final, self.state, self._scratch, region, walled, kinds, tries)
        return self._final if drawn else None

    def first_moves(self, final: Record, family: int) -> list[Sprout]:
        """The mates in one that lead to a mated position."""
        number = first_moves(self.engine.arena(final), self._workshop)
        return [self._sprout(i, 1, (), family) for i in range(number)]

    def children(self, parent: Sprout) -> list[Sprout]:
        """Positions that mate in two plies more, sound as far as ``effort.margin`` goes."""
        number = grow(self.engine.arena(parent.record), parent.length, self._workshop)
        return [self._sprout(i, parent.length + 2, parent.line, parent.family) for i in range(number)]

    def _sprout(self, i: int, length: int, rest: Moves, family: int) -> Sprout:
        child = self._children[i]
        check, answer = int(move_of(int(child.check))), int(move_of(int(child.answer)))
        line = (check, answer, *rest) if length > 1 else (check,)
        return Sprout(
            self._records[i].copy(),
            length,
            line,
            family,
            int(child.open),
            int(child.checks),
            int(child.defences),
        )
