# SPDX-License-Identifier: GPL-3.0-or-later
"""What the library answers: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tsume.library.drawing import DisplayableAnswer


@dataclass(frozen=True, repr=False)
class Solution(DisplayableAnswer):
    """The shortest mate of a position.

    ``result`` is ``mate``, ``no_mate`` or ``unresolved``; ``length`` the number of plies, None without a
    mate; ``line`` the best line; ``nodes`` the nodes searched. Of an unresolved position ``limit`` names
    the limit that was reached, and there is no mate within ``no_mate_within`` plies; ``mate_within`` is the
    length of a mate that was found, perhaps not the shortest.
    """

    sfen: str
    result: str
    length: int | None = None
    line: tuple[str, ...] = ()
    nodes: int = 0
    limit: str | None = None
    no_mate_within: int = 0
    mate_within: int | None = None


@dataclass(frozen=True, repr=False)
class Judgement(DisplayableAnswer):
    """A position judged as a problem; docs/cli.md, "check", says what each field means.

    ``grade`` is ``perfect``, ``sound``, ``unsound``, or None where a limit left it open. ``given``, the items
    of ``findings`` and ``readings`` are objects as ``tsume check --jsonl`` prints them.
    """

    sfen: str
    grade: str | None
    faults: tuple[str, ...]
    blemishes: tuple[str, ...]
    given: Mapping[str, Any] | None
    correct: bool
    complete_but_for: tuple[str, ...] | None
    defects: tuple[str, ...]
    unresolved: bool
    not_settled: tuple[str, ...]
    complete: bool
    length: int | None
    line: tuple[str, ...]
    without_longer: tuple[str, ...]
    without_moved: tuple[str, ...]
    moved_between: tuple[str, ...]
    cooks: tuple[tuple[str, ...], ...]
    searched: int | None
    notes: tuple[str, ...]
    findings: tuple[Mapping[str, Any], ...]
    readings: Mapping[str, Any] | None
    themes: tuple[str, ...]
    quality: float | None
    likeness: float | None


@dataclass(frozen=True)
class CertifiedProblem:
    """What a certificate proves of a problem; docs/certificates.md says what each field means.

    ``leftover``: whether pieces stay in hand after the line.
    """

    sfen: str
    mate: int | None
    no_mate: int | str | None
    line: tuple[str, ...]
    leftover: bool | None
    unique: int | str | None
    second: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, repr=False)
class Score(DisplayableAnswer):
    """The difficulty of a position that mates, and how good and how usual its line is.

    ``length`` is in plies, ``score`` on an open scale; ``rating`` is what people see of it, 600 to 2600, ``stars`` are
    its steps, 1 to 5; ``rank_in_length`` compares it with published problems of the length, 1 to 5; ``proof_tree`` is
    a number of positions, ``features`` are what the score is made of; ``quality`` and ``likeness`` go from 0 to 100.
    Without a mate, or at a limit, ``error`` says so and the rest is empty.
    """

    sfen: str
    length: int | None = None
    score: float | None = None
    rating: int | None = None
    stars: int | None = None
    rank_in_length: int | None = None
    proof_tree: int | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    themes: tuple[str, ...] = ()
    quality: float | None = None
    likeness: float | None = None
    error: str | None = None


@dataclass(frozen=True, repr=False)
class Explanation(DisplayableAnswer):
    """A solution explained; docs/cli.md, "explain", says what each field means.

    ``turns`` are objects as ``tsume explain --jsonl`` prints them, ``comment`` and ``text`` have the sentences of
    each language.
    """

    sfen: str
    correct: bool
    defects: tuple[str, ...]
    grade: str | None
    blemishes: tuple[str, ...]
    unresolved: bool
    length: int | None
    line: tuple[str, ...]
    complete: bool
    turns: tuple[Mapping[str, Any], ...]
    comment: Mapping[str, str]
    text: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, repr=False)
class Repair(DisplayableAnswer):
    """A correct problem near a position; ``changes`` lead there, objects as of ``tsume mend --jsonl``.

    ``alternatives``, objects too, do the same with a detail changed.
    """

    changes: tuple[Mapping[str, Any], ...]
    sfen: str
    length: int
    grade: str
    blemishes: tuple[str, ...]
    line: tuple[str, ...]
    alternatives: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, repr=False)
class MendedPosition(DisplayableAnswer):
    """The judgement of a position and its repairs, nearest first; none for a problem that is perfect.

    ``nearest``: without repairs the changed position that comes nearest to a problem, an object as of ``tsume
    mend --jsonl``. Of ``tried`` changed positions ``mating`` mate. ``complete``: time did not run out.
    """

    sfen: str
    grade: str | None
    faults: tuple[str, ...]
    blemishes: tuple[str, ...]
    unresolved: bool
    length: int | None
    line: tuple[str, ...]
    repairs: tuple[Repair, ...]
    nearest: Mapping[str, Any] | None
    tried: int
    mating: int
    complete: bool


@dataclass(frozen=True, repr=False)
class Suggestion(DisplayableAnswer):
    """An improvement of a problem.

    ``introduction``: the moves that come before its line. ``material``: what its pieces
    are worth, a pawn 1, a bishop or rook 5. ``gain``: what its quality and likeness are higher than the
    problem's, less what it uses more material.
    """

    kind: str
    introduction: tuple[str, ...]
    changes: tuple[Mapping[str, Any], ...]
    sfen: str
    length: int
    grade: str
    blemishes: tuple[str, ...]
    line: tuple[str, ...]
    quality: float
    likeness: float
    material: int
    gain: float


@dataclass(frozen=True, repr=False)
class EnrichedProblem(DisplayableAnswer):
    """The judgement of a problem, its quality, likeness and material, and its improvements, best first.

    For a problem that is not correct, or not judged in time, there are none, and ``complete`` is false.
    """

    sfen: str
    grade: str | None
    faults: tuple[str, ...]
    blemishes: tuple[str, ...]
    unresolved: bool
    length: int | None
    line: tuple[str, ...]
    quality: float | None
    likeness: float | None
    material: int | None
    suggestions: tuple[Suggestion, ...]
    complete: bool


@dataclass(frozen=True, repr=False)
class ComposedProblem(DisplayableAnswer):
    """A composed problem.

    ``score`` to ``proof_tree`` are as in `Score`, ``quality`` is 0 to 100. It grew from the root ``index``
    of the ``seed``.
    """

    sfen: str
    length: int
    line: tuple[str, ...]
    score: float
    rating: int
    stars: int
    rank_in_length: int
    proof_tree: int
    themes: tuple[str, ...]
    quality: float
    grade: str
    blemishes: tuple[str, ...]
    seed: int
    index: int


# --- reply trees as plain data ---------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """An answer of the defender to a check that mates; docs/tree.md says what each field means."""

    move: str
    length: int
    best: bool = False
    turn: int | None = None
    line: tuple[str, ...] = ()
    take: str | None = None

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Self:
        """Make an answer of its fields."""
        return cls(**{**given, "line": tuple(given.get("line", "").split())})


@dataclass(frozen=True)
class Check:
    """A check at a turn; ``result`` is ``mates``, ``fails`` or ``open``; docs/tree.md says the rest."""

    move: str
    result: str
    length: int | None = None
    rank: str | None = None
    answers: tuple[Answer, ...] = ()
    answer: str | None = None
    proof: str | None = None
    within: int | None = None
    manner: str | None = None
    piece: str | None = None
    taken: str | None = None
    cause: Mapping[str, Any] | None = None
    mates: bool = False

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Self:
        """Make a check of its fields."""
        return cls(**{**given, "answers": tuple(map(Answer.of_json, given.get("answers", ())))})


@dataclass(frozen=True)
class Turn:
    """A turn of the attacker: the moves that lead there, plies to the mate, the best check, all checks."""

    id: int
    path: tuple[str, ...]
    length: int | None
    key: str | None
    checks: tuple[Check, ...]
    forbidden: str | None = None

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Self:
        """Make a turn of its fields."""
        path, checks = tuple(given["path"].split()), tuple(map(Check.of_json, given["checks"]))
        return cls(**{**given, "path": path, "checks": checks})


@dataclass(frozen=True, repr=False)
class Tree(DisplayableAnswer):
    """The tree to play against; ``complete``: nothing of it was cut off by a limit."""

    sfen: str
    result: str
    length: int | None
    line: tuple[str, ...]
    complete: bool
    turns: tuple[Turn, ...]


@dataclass(frozen=True, repr=False)
class GameMate(DisplayableAnswer):
    """A turn of a game at which the side to move, ``black`` or ``white``, could mate.

    ``at`` is the number of moves before it, ``others`` are the other first moves that mate as soon, None where that is
    not known. ``fate`` says what became of it: ``played``, ``slower`` (the move played mates later), ``missed``,
    ``last`` (the game ended), ``open`` (whether the move played mates is not known); for so many turns of that side it
    ``stays``.
    """

    at: int
    side: str
    sfen: str
    length: int
    line: tuple[str, ...]
    others: tuple[str, ...] | None
    played: str | None
    fate: str
    stays: int


@dataclass(frozen=True)
class Game:
    """The mates of a game of so many ``moves``.

    ``unresolved`` are turns of which a limit left open whether there was one. ``error`` says what is wrong with a
    record, of which the moves before that are searched.
    """

    moves: int
    mates: tuple[GameMate, ...]
    unresolved: tuple[int, ...]
    error: str | None = None
    black: str | None = None
    white: str | None = None
    event: str | None = None
    date: str | None = None

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Self:
        """Make a game of its fields."""
        mates = tuple(map(GameMate.of_json, given["mates"]))
        names = ("moves", "error", "black", "white", "event", "date")
        known = {name: given[name] for name in names if name in given}
        return cls(mates=mates, unresolved=tuple(given["unresolved"]), **known)
