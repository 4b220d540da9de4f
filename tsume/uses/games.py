# SPDX-License-Identifier: GPL-3.0-or-later
"""The mates that were on the board in a game: at every turn of both sides the shortest one, what became of it, and the
exercise and the problem that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from db.notebook import LONGEST_TAG, Notebook, cleaned_notebook_text, fault_of_tag
from generator.candidate import Candidate
from generator.problem import Problem
from solver.results import LimitReached, Limits, Mate
from tsume.files.entries import Entry, entry_with_start_faults
from tsume.formats.game_record import without_handicap_pieces
from tsume.reports.notation import usi_line
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_engine
from tsume.uses.importing import EntryChecker
from tsume_rules.moves import ImpossibleMove, Move, legal_position_after, position_after, position_after_all
from tsume_rules.position import HAND_KINDS, Hand, Kind, Piece, Position, Side
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from tsume_rules.packed import PackedPosition

_QUICK_NODES = 1_000
"""Nodes for each turn at first; what they leave open is searched with as many as are allowed."""
_HEADERS = {
    "black": ("先手", "下手"), "white": ("後手", "上手"), "event": ("棋戦",), "date": ("開始日時", "対局日", "日付"),
}  # fmt: skip
"""What is known of a game by the names of JSON, and the headers that say it."""


@dataclass(frozen=True)
class GamesOptions:
    """Mates of at most ``max_moves`` plies, searched for within ``nodes`` at each turn and ``memory`` bytes.

    What is made of them: ``exercises``, ``problems``; with ``training`` an exercise of each mate that was not played at
    once, or else a problem.
    """

    max_moves: int = 15
    nodes: int = 1_000_000
    memory: int = DEFAULT_MEMORY << 20
    exercises: bool = False
    problems: bool = False
    training: bool = False

    @property
    def makes_problems(self) -> bool:
        """Whether anything is made of the mates."""
        return self.exercises or self.problems or self.training


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


class GameSearch:
    """Finds the mates of games with one engine, which is free for other questions between two games."""

    def __init__(self, options: GamesOptions, engine: DfPnEngine | None = None) -> None:
        self._options = options
        self.engine = engine or df_pn_engine(EngineOptions(options.memory))

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

        most, nodes = self._options.max_moves, self._options.nodes
        found = self.engine.short_lengths(pack_all(positions), most, min(_QUICK_NODES, nodes)).tolist()
        unresolved = [at for at, length in enumerate(found) if -most <= length < 0]
        again = self.engine.short_lengths(pack_all([positions[at] for at in unresolved]), most, nodes).tolist()
        for at, length in zip(unresolved, again, strict=True):
            found[at] = length
        return [length if length >= 0 else 0 if -length > most else -1 for length in found]

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


# --- exercises and problems made of mates ------------------------------------------------------------

_EDITS, _PASSES = 12, 4
"""Edits within which second solutions are mended, and how often what nothing needs is taken off, unless nothing is."""
_LIKELY = -1e9
"""A level (`generator.likeness`) at which every line is likely."""
_MANY_NODES = 20_000
"""Nodes for the mate of a position that is made."""


class MadeKind(StrEnum):
    """What is made of a mate."""

    EXERCISE = "exercise"
    """Its board as it stands; pieces that would be left in hand are the defender's."""
    PROBLEM = "problem"
    """What is left of it without what nothing needs, second solutions mended."""


@dataclass(frozen=True)
class MadeProblem:
    """A perfect or sound problem made of a mate, or of what is left of it after ``later`` plies of its line."""

    mate: GameMate
    kind: MadeKind
    problem: Problem
    later: int = 0

    def notebook(self, place: str, headers: Mapping[str, str]) -> Notebook:
        """Return source and tags for the store: what it is, the fate, the ply, who could mate, and against whom."""
        mate, number = self.mate, self.mate.at + 1
        other = "black" if mate.side == "white" else "white"
        names = [headers.get(mate.side, ""), f"against {headers[other]}" if other in headers else ""]
        words = ["game", self.kind.value, mate.fate.value, f"move-{number}", *names]
        tags = ("-".join(word.split())[:LONGEST_TAG] for word in words)
        said = [place, *headers.values(), f"move {number}", *([f"{self.later} plies later"] if self.later else [])]
        source = cleaned_notebook_text("source", ", ".join(said))
        return Notebook(source=source, tags=tuple(sorted({tag for tag in tags if not fault_of_tag(tag)})))


class ProblemMaker:
    """Makes exercises and problems of mates with an engine; each is judged and scored as an import is."""

    def __init__(self, options: GamesOptions, engine: DfPnEngine) -> None:
        from generator.local_search.search import PositionSampler

        self._options = options
        self._state = np.zeros(1, np.uint64)
        self._engine, self._sampler = engine, PositionSampler(engine, self._state)
        self._checker = EntryChecker(engine=engine)

    def problems(self, game: SearchedGame) -> Iterator[MadeProblem]:
        """Yield what the options ask for, once of a mate that stays with its first move."""
        made: dict[tuple[int, MadeKind], Move] = {}
        for mate in game.mates:
            for kind, is_enough in self._kinds(mate):
                found = made.get((mate.at - 2, kind)) == mate.line[0]
                if not found and (problem := self._made(mate, kind)) is not None:
                    found = True
                    yield problem
                if found:
                    made[mate.at, kind] = mate.line[0]
                    if is_enough:
                        break

    def _kinds(self, mate: GameMate) -> Iterator[tuple[MadeKind, bool]]:
        """Yield what is to be made of a mate, and whether that is enough."""
        wanted = self._options
        is_trained = wanted.training and mate.fate in (Fate.MISSED, Fate.SLOWER)
        if wanted.exercises or is_trained:
            yield MadeKind.EXERCISE, not wanted.problems
        if wanted.problems or is_trained:
            yield MadeKind.PROBLEM, True

    def _made(self, mate: GameMate, kind: MadeKind) -> MadeProblem | None:
        """Return what is made of a mate or, in plies of its line, as soon as possible after it."""
        position = mate.parsed.position
        self._state[0] = 1 + mate.at
        for later in range(0, mate.length - 2, 2) or (0,):
            self._engine.forget()
            if kind is MadeKind.EXERCISE:
                positions = exercise_positions(position, self._engine, self._options.max_moves)
                problem = next(filter(None, map(self._checked, positions)), None)
            else:
                problem = self._mended(position)
            if problem is not None:
                return MadeProblem(mate, kind, problem, later)
            position = position_after_all(position, mate.line[later : later + 2])
        return None

    def _mended(self, position: Position) -> Problem | None:
        """Return a problem of three moves or more."""
        from generator.learned.search import nodes_for_tests
        from generator.likeness import model_for_length
        from tsume_rules.packed import pack, unpack

        found = self._settled(_without_attackers_king(position))
        if found and position_after_all(found[0], found[1]).attacker_hand:
            found = self._settled(_without_captured(*found)) or found
        if found is None or len(found[1]) == 1:
            return None
        length = len(found[1])
        model, nodes = replace(model_for_length(length), level=_LIKELY), nodes_for_tests(length)
        start = self._candidate(pack(found[0]), length, nodes)
        if start is None:
            return None
        checks = start.line[::2]
        made = self._sampler.repair_keeping(
            start, _EDITS, nodes, model, lambda edited: edited.line[::2] == checks, self._candidate
        )
        for _ in range(_PASSES):
            if made is None:
                return None
            before, made = made, self._sampler.repair(made.packed, length, 0, nodes, model)
            if made is not None and made.packed == before.packed:
                break
        return self._checked(unpack(made.packed)) if made else None

    def _settled(self, position: Position) -> tuple[Position, tuple[Move, ...]] | None:
        return _without_spare_hand(position, self._engine, self._options.max_moves)

    def _candidate(self, packed: PackedPosition, length: int, nodes: int) -> Candidate | None:
        """Return a position with its line, which may leave pieces in hand; None unless it mates in so many plies."""
        from tsume_rules.packed import pack_move, unpack

        line = _line(unpack(packed), self._engine, length, 8 * nodes)
        if line is None or len(line) != length:
            return None
        return Candidate(packed.copy(), length, tuple(map(pack_move, line)), 0, open_checks=1)

    def _checked(self, position: Position) -> Problem | None:
        return self._checker.check(Entry("", format_sfen(position), ParsedSfen(position))).problem


def exercise_positions(position: Position, engine: DfPnEngine, max_moves: int) -> Iterator[Position]:
    """Yield positions that a mate makes an exercise with, if their judgement allows it: the board as it stands, then
    without the attacker's king; pieces that would be left in hand are the defender's."""
    for one in dict.fromkeys((position, _without_attackers_king(position))):
        found = _without_spare_hand(one, engine, max_moves)
        if found is not None:
            yield found[0]


def _without_spare_hand(
    position: Position, engine: DfPnEngine, max_moves: int
) -> tuple[Position, tuple[Move, ...]] | None:
    """Give what the line leaves in the attacker's hand to the defender until it leaves nothing that was there.

    Returns the position and its line; None if it has no mate then.
    """
    while (line := _line(position, engine, max_moves, _MANY_NODES)) is not None:
        hands = [position.attacker_hand]
        reached = position
        for move in line:
            reached = position_after(reached, move)
            hands.append(reached.attacker_hand)
        hand = Hand()
        for kind in HAND_KINDS:
            hand = hand.plus(kind, hands[0][kind] - min([one[kind] for one in hands]))
        if hand == hands[0]:
            return position, line
        position = Position.completed(position.board, hand)
    return None


def _line(position: Position, engine: DfPnEngine, most: int, nodes: int) -> tuple[Move, ...] | None:
    from solver.solving.solve import solve

    found = solve(position, Limits(nodes, max_length=most), engine)
    return found.line if isinstance(found, Mate) and found.length == len(found.line) else None


def _without_attackers_king(position: Position) -> Position:
    king = Piece(Side.ATTACKER, Kind.KING)
    board = tuple([None if piece == king else piece for piece in position.board])
    return Position.completed(board, position.attacker_hand)


def _without_captured(position: Position, line: Sequence[Move]) -> Position:
    """Return the position without the first piece that its line captures where it stands at first."""
    reached, board = position, list(position.board)
    for at, move in enumerate(line):
        taken = reached.board[move.target]
        if at % 2 == 0 and taken is not None and taken == position.board[move.target]:
            board[move.target] = None
            break
        reached = position_after(reached, move)
    return Position.completed(tuple(board), position.attacker_hand)


# --- one game of a file ----------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundGame:
    """A game that was given, its first position, what was found in it and made of it."""

    entry: Entry
    parsed: ParsedSfen
    game: SearchedGame
    made: tuple[MadeProblem, ...] = ()

    @property
    def headers(self) -> dict[str, str]:
        """The players, the event and the date, by the names of JSON, as far as the record has them."""
        given = dict(self.entry.record.headers) if self.entry.record else {}
        return {name: given[key] for name, keys in _HEADERS.items() for key in reversed(keys) if given.get(key)}

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume games --jsonl``."""
        return {**replace(self.entry, at=None).names, **self.headers, **self.game.to_json()}


class GameAnswerer:
    """Searches games one by one, and makes of their mates what the options ask for."""

    def __init__(self, options: GamesOptions, engine: DfPnEngine | None = None) -> None:
        self._search = GameSearch(options, engine)
        self._maker = ProblemMaker(options, self._search.engine) if options.makes_problems else None

    def answer(self, given: Entry) -> FoundGame:
        """Return what is in a game, up to a move that cannot be read.

        Raises ValueError for one of which nothing can be.
        """
        entry = given
        if given.before is not None:
            parsed, record = given.before
            entry = replace(given, parsed=parsed, record=record, line=record.line)
        entry = entry_with_start_faults(entry)
        if entry.parsed is None:
            raise ValueError(entry.error)
        game = self._search.search(entry.parsed, entry.line)
        game = replace(game, fault=game.fault or given.error)
        return FoundGame(entry, entry.parsed, game, tuple(self._maker.problems(game)) if self._maker else ())
