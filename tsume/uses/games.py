# SPDX-License-Identifier: GPL-3.0-or-later
"""The mates that were on the board in a game: at every turn of both sides the shortest one, what became of it, and the
problem that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.candidate import Candidate
from generator.problem import Problem
from solver.results import LimitReached, Limits, Mate
from tsume.files.entries import Entry
from tsume.formats.game_record import GameRecord, without_handicap_pieces
from tsume.reports.notation import usi_line
from tsume.uses.engines import EngineOptions, df_pn_engine
from tsume.uses.importing import EntryChecker
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import ImpossibleMove, Move, legal_position_after, position_after
from tsume_rules.position import HAND_KINDS, Hand, Kind, Piece, Position, Side
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

_QUICK_NODES = 1_000
"""Nodes for each turn at first; what they leave open is searched with as many as are allowed."""
_HEADERS = {
    "black": ("先手", "下手"), "white": ("後手", "上手"), "event": ("棋戦",), "date": ("開始日時", "対局日", "日付"),
}  # fmt: skip
"""What is known of a game by the names of JSON, and the headers that say it."""


@dataclass(frozen=True)
class GamesOptions:
    """Mates of at most ``max_moves`` plies, searched for within ``nodes`` at each turn and ``memory`` bytes."""

    max_moves: int = 15
    nodes: int = 100_000
    memory: int = EngineOptions.memory


class Fate(StrEnum):
    """What became of a mate."""

    PLAYED = "played"
    """The move that was played mates as soon."""
    SLOWER = "slower"
    """It mates, but later."""
    MISSED = "missed"
    """It does not mate, or not within the moves that are searched."""
    LAST = "last"
    """No move was played: the game ended here."""
    OPEN = "open"
    """Whether the move that was played mates was not found out."""


@dataclass(frozen=True)
class GameMate:
    """A turn at which the side to move could mate.

    ``at`` is the number of moves before it. The ``line`` may have futile drops, which ``length`` does not count. It and
    ``others``, the other first moves that mate as soon (None: not found out), are in the attacker's orientation, as
    ``parsed`` is. ``stays``: at so many turns of that side, from this one on, there was a mate.
    """

    at: int
    parsed: ParsedSfen
    length: int
    line: tuple[Move, ...]
    others: tuple[Move, ...] | None
    played: Move | None
    fate: Fate
    stays: int

    @property
    def seen(self) -> ParsedSfen:
        """The position as the game has it, Black the attacker, who may not be the one to move."""
        return ParsedSfen(self.parsed.position.sides_exchanged) if self.parsed.rotated else self.parsed

    @property
    def side(self) -> str:
        """Who could mate, ``black`` or ``white``."""
        return "white" if self.parsed.rotated else "black"

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume games --jsonl``, moves in USI as the game has them."""
        return {
            "at": self.at, "side": self.side, "sfen": self.parsed.sfen, "length": self.length,
            "line": usi_line(self.parsed, self.line),
            "others": None if self.others is None else usi_line(self.parsed, self.others),
            "played": self.parsed.outward(self.played).usi if self.played else None,
            "fate": self.fate.value, "stays": self.stays,
        }  # fmt: skip


@dataclass(frozen=True)
class SearchedGame:
    """A game of ``moves`` moves, as far as they are legal: its mates, and the turns that are unresolved.

    ``fault`` says which move is not legal, and why; the turns before it are searched.
    """

    moves: int
    mates: tuple[GameMate, ...]
    unresolved: tuple[int, ...]
    fault: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume games --jsonl``."""
        return {
            "moves": self.moves, "mates": [mate.to_json() for mate in self.mates],
            "unresolved": list(self.unresolved), "error": self.fault or None,
        }  # fmt: skip


def game_headers(record: GameRecord | None) -> dict[str, str]:
    """Return the players, the event and the date, by the names of JSON, as far as a record has them."""
    given = dict(record.headers) if record else {}
    return {name: given[key] for name, keys in _HEADERS.items() for key in reversed(keys) if given.get(key)}


class GameSearch:
    """Finds the mates of games with one engine."""

    def __init__(self, options: GamesOptions) -> None:
        self._options = options

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine, free for other questions between two games."""
        return df_pn_engine(EngineOptions(self._options.memory))

    def search(self, given: ParsedSfen, moves: Sequence[Move]) -> SearchedGame:
        """Search every turn of a game; its moves are in the orientation of ``given.position``, where it begins.

        Nothing depends on the games before. What a handicap leaves out is in nobody's hand.
        """
        positions, fault = [without_handicap_pieces(given)], ""
        for number, move in enumerate(moves, start=1):
            try:
                positions.append(legal_position_after(positions[-1], move))
            except ImpossibleMove as impossible:
                fault = f"move {number} is not legal: {impossible}"
                break
        turns = [
            ParsedSfen(one.sides_exchanged if at % 2 else one, given.rotated != bool(at % 2))
            for at, one in enumerate(positions)
        ]
        lengths = self._lengths([turn.position for turn in turns])
        mates: list[GameMate] = []
        stays = [0] * (len(turns) + 2)
        for at in range(len(turns) - 1, -1, -1):
            if lengths[at] > 0:
                stays[at] = stays[at + 2] + 1
                played = None if at == len(turns) - 1 else moves[at].rotated if at % 2 else moves[at]
                mates.append(self._mate(at, turns[at], lengths[at], played, stays[at]))
        unresolved = tuple(at for at, length in enumerate(lengths) if length < 0)
        return SearchedGame(len(turns) - 1, tuple(reversed(mates)), unresolved, fault)

    def _lengths(self, positions: Sequence[Position]) -> list[int]:
        """Return the shortest mate at each turn in plies; 0: none within the moves searched, -1: unresolved."""
        from tsume_rules.packed import pack_all

        most, packed = self._options.max_moves, pack_all(positions)
        found = self.engine.short_lengths(packed, most, min(_QUICK_NODES, self._options.nodes))
        is_open = (found < 0) & (-found <= most)
        found[is_open] = self.engine.short_lengths(packed[is_open], most, self._options.nodes)
        return [length if length >= 0 else 0 if -length > most else -1 for length in found.tolist()]

    def _mate(self, at: int, turn: ParsedSfen, length: int, played: Move | None, stays: int) -> GameMate:
        from solver.solving.solve import solve
        from tsume_rules.packed import legal_checks, pack, pack_move, unpack_move

        engine, most = self.engine, self._options.max_moves
        result = solve(turn.position, Limits(max_length=length), engine)
        assert isinstance(result, Mate)
        packed, line, limits = pack(turn.position), result.line, Limits(self._options.nodes)
        checks, code = legal_checks(packed), pack_move(played) if played else 0
        others = None
        fate = Fate.LAST if played is None else Fate.PLAYED if played == line[0] else Fate.MISSED
        try:
            with engine.within(limits):
                mating = engine.mating(packed, checks, length)
            others = tuple(unpack_move(check) for check in mating if check != pack_move(line[0]))
            if code in mating:
                fate = Fate.PLAYED
            elif code in checks:
                with engine.within(limits):
                    fate = Fate.SLOWER if engine.mating(packed, [code], most) else Fate.MISSED
        except LimitReached:
            fate = Fate.OPEN if fate is Fate.MISSED and code in checks else fate
        return GameMate(at, turn, length, line, others, played, fate, stays)


# --- problems made of mates ------------------------------------------------------------------------

_EDITS, _TRIES, _LIKELY = 60, 2, -1e9
"""Edits within which second solutions are mended, how often that is tried, and a level (`generator.likeness`) at which
every line is likely."""


def problem_position(mate: GameMate) -> Position:
    """Return the position of a mate as a problem: without the attacker's king and what its line leaves in hand, all
    other pieces the defender's."""
    position = mate.parsed.position
    board = [None if piece == Piece(Side.ATTACKER, Kind.KING) else piece for piece in position.board]
    hands = [position.attacker_hand]
    for move in mate.line:
        position = position_after(position, move)
        hands.append(position.attacker_hand)
    hand = Hand()
    for kind in HAND_KINDS:
        hand = hand.plus(kind, hands[0][kind] - min(one[kind] for one in hands))
    return Position.completed(tuple(board), hand)


def _has_same_checks(start: Candidate, other: Candidate) -> bool:
    return other.line[::2] == start.line[::2]


class ProblemMaker:
    """Makes problems of mates with an engine: what nothing needs goes, second solutions are mended by edits that leave
    the attacker's moves, and the result is judged and scored as an import is."""

    def __init__(self, engine: DfPnEngine) -> None:
        warm_up(KernelPart.GENERATOR)
        from generator.local_search.search import PositionSampler

        self._state = np.zeros(1, np.uint64)
        self._engine, self._sampler = engine, PositionSampler(engine, self._state)
        self._checker = EntryChecker(engine=engine)

    def problems(self, game: SearchedGame) -> Iterator[tuple[GameMate, Problem]]:
        """Yield perfect and sound problems of three moves and more, one at most of the turns at which a side had a mate
        again and again."""
        made: set[int] = set()
        for mate in game.mates:
            if mate.at - 2 in made:
                made.add(mate.at)
            elif mate.length > 1 and (problem := self._problem(mate)) is not None:
                made.add(mate.at)
                yield mate, problem

    def _problem(self, mate: GameMate) -> Problem | None:
        from generator.learned.search import nodes_for_tests
        from generator.likeness import model_for_length
        from tsume_rules.packed import pack, unpack

        length = mate.length
        self._engine.forget()
        self._state[0] = 1 + mate.at
        model, nodes = replace(model_for_length(length), level=_LIKELY), nodes_for_tests(length)
        start = self._sampler.with_line(pack(problem_position(mate)), length, nodes)
        if start is None:
            return None
        for _ in range(_TRIES):
            mended = self._sampler.repair_keeping(start, _EDITS, nodes, model, partial(_has_same_checks, start))
            minimal = mended and self._sampler.repair(mended.packed, length, 0, nodes, model)
            if minimal:
                position = unpack(minimal.packed)
                return self._checker.check(Entry("", format_sfen(position), ParsedSfen(position))).problem
        return None
