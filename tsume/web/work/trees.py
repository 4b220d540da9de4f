# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs about a stored problem: its reply tree, a position in it, its answer."""

from __future__ import annotations

import gzip
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from db.notebook import Notebook
from db.stored_problem import StoredProblem
from solver.explaining.explanation import CheckResult, FailingCheck, MatingCheck
from solver.results import Mate, NoMate, SearchResult
from tsume.language.catalogue import Language
from tsume.uses.solving import SolveOptions, Solver
from tsume.web.rendered import MultilingualMoveWriter, check_fields, play_fields, rendered_tree
from tsume.web.templates import answer_fields
from tsume.web.work.results import SECONDS, RefusedResult, RenderedResult, WorkerContext, json_bytes, search_timeout
from tsume_rules.moves import Move, position_after, position_after_all
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, parse_sfen

# --- jobs about a problem of the store after some moves of a person --------------------------------

MAX_SHORT = 9
"""The most plies of a problem whose jobs are among the quick ones."""


@dataclass(frozen=True)
class PlayedMovesJob(ABC):
    """A job about a problem of ``length`` plies after some moves, within ``limit`` seconds."""

    sfen: str
    length: int
    moves: tuple[Move, ...] = ()
    limit: float = SECONDS

    @property
    def slot(self) -> str:
        """Long problems do not delay others."""
        return slot_of_length(self.length)

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[RenderedResult | RefusedResult]:
        """Yield the result, or why there is none."""
        began = time.monotonic()
        try:
            fields, known = self.fields(context)
        except ValueError as error:
            yield RefusedResult(str(error))
            return
        yield RenderedResult(self._written(fields), settled=known and time.monotonic() - began < self.limit)

    def fields(self, context: WorkerContext) -> tuple[dict[str, Any], bool]:
        """The result, and whether more time would not change it. Raises ValueError for illegal moves."""
        start = parse_sfen(self.sfen).position
        # Raise ValueError unless the moves are legal checks and, in turn, legal answers.
        moves = self.moves
        from tsume_rules.packed import first_illegal, pack, pack_move  # loads kernels

        ply = first_illegal(pack(start), tuple(map(pack_move, moves)))
        if ply is not None:
            name = "answer" if ply % 2 else "check"
            raise ValueError(f"moves: move {ply + 1}, {moves[ply].usi}, is not a legal {name}")
        return self._fields(context, start)

    @abstractmethod
    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        """As `fields`."""

    def _written(self, fields: dict[str, Any]) -> bytes:
        return json_bytes(fields)


def slot_of_length(length: int) -> str:
    """Return the slot of jobs about a problem of ``length`` plies."""
    return "tree" if length <= MAX_SHORT else "long tree"


# --- jobs about a stored problem -------------------------------------------------------------------

FORMAT = 1
"""Number of the form and content of trees; a stored tree of another number is not used."""
_COMPRESSION = 6


@dataclass(frozen=True)
class TreeJob(PlayedMovesJob):
    """Makes the tree to play against, as compressed JSON.

    If the last of the ``moves`` is a check, the tree starts at the turn before and says what that check
    does; the other checks of that turn are left out.
    """

    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        turns = len(self.moves) // 2
        position = position_after_all(start, self.moves[: 2 * turns])
        if len(self.moves) % 2:
            check = self.moves[-1]
            tree = context.builder.check_tree(position, self.length, check)
            fields = check_fields(tree, position, check)
        else:
            tree = context.builder.first_tree(position, self.length)
            fields = play_fields(tree, ParsedSfen(position))
        return fields, tree.no_mate or tree.length is not None

    def _written(self, fields: dict[str, Any]) -> bytes:
        return compressed_json(fields)


@dataclass(frozen=True)
class WholeTreeJob:
    """Makes the whole tree of a position, within ``limit`` seconds."""

    sfen: str
    limit: float = SECONDS

    slot: ClassVar[str] = "long tree"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[RenderedResult]:
        """Yield the tree as compressed JSON."""
        parsed = parse_sfen(self.sfen)
        tree = context.builder.build(parsed.position)
        fields = {"sfen": self.sfen, **rendered_tree(tree, parsed)}
        yield RenderedResult(compressed_json(fields), settled=tree.length is not None)


def compressed_json(fields: dict[str, Any]) -> bytes:
    """Return an object as JSON, by gzip; the same for the same object."""
    return gzip.compress(json_bytes(fields), _COMPRESSION, mtime=0)


# --- a position of a problem's analysis: whether it mates, and what each move leads to -------------

_ANSWER_NODES = 20_000
"""Nodes for each answer to a check that does not mate."""

Choice = dict[str, Any]


@dataclass(frozen=True)
class PositionJob(PlayedMovesJob):
    """Looks at the position after the moves: the fields of docs/board.md."""

    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        of_attacker = len(self.moves) % 2 == 0
        choices = self._checks(context, start) if of_attacker else self._answers(context, start)
        writer = MultilingualMoveWriter(start, self.moves)
        for choice in choices:
            choice["text"] = writer.texts(choice["move"])
            choice["move"] = choice["move"].usi
        side = "attacker" if of_attacker else "defender"
        return {"side": side, "choices": choices}, True

    def _checks(self, context: WorkerContext, start: Position) -> list[Choice]:
        position = position_after_all(start, self.moves)
        tree = context.builder.turn(position, only_best=True)
        turn = tree.turns[0]
        return [_check_choice(result, key=result.check == turn.key) for result in turn.checks]

    def _answers(self, context: WorkerContext, start: Position) -> list[Choice]:
        *before, check = self.moves
        turn = position_after_all(start, tuple(before))
        tree = context.builder.turn(turn, first_check=check)
        (result,) = [one for one in tree.turns[0].checks if one.check == check]
        if isinstance(result, MatingCheck):
            return [
                {
                    "move": answer.move, "result": "mates", "length": answer.length, "best": answer.best,
                    "futile": answer.take is not None,
                }
                for answer in result.answers
            ]  # fmt: skip
        # Answers to a check that is not known to mate, each searched; the refutation first.
        position = position_after(turn, check)
        from tsume_rules.packed import legal_evasions, pack, unpack_move  # loads kernels

        solver = Solver(SolveOptions(self.limit, _ANSWER_NODES), context.checker.engine)
        refutation = result.answer if isinstance(result, FailingCheck) else None
        choices: list[Choice] = []
        for move in map(unpack_move, legal_evasions(pack(position))):
            if move == refutation:
                choices.insert(0, {"move": move, "result": "fails", "best": True})
            else:
                solved = solver.solve(ParsedSfen(position_after(position, move)))
                choices.append({"move": move, **_result_fields(solved.result)})
        return choices


def _check_choice(result: CheckResult, *, key: bool) -> Choice:
    if isinstance(result, MatingCheck):
        return {"move": result.check, "result": "mates", "length": result.length, "best": key}
    return {"move": result.check, "result": "fails" if isinstance(result, FailingCheck) else "open"}


def _result_fields(result: SearchResult) -> Choice:
    if isinstance(result, Mate):
        return {"result": "mates", "length": result.length}
    return {"result": "fails" if isinstance(result, NoMate) else "open"}


# --- the answer of one problem ---------------------------------------------------------------------


@dataclass(frozen=True)
class AnswerJob:
    """Finds the variations and tries of a stored problem, within ``limit`` seconds.

    Two jobs are equal if position, notebook and language are.
    """

    sfen: str
    notebook: Notebook
    language: Language
    problem: StoredProblem = field(compare=False)
    limit: float = SECONDS

    @classmethod
    def of(cls, problem: StoredProblem, language: Language, limit: float = SECONDS) -> Self:
        """Return the job for a problem."""
        return cls(problem.sfen, problem.notebook, language, problem, limit)

    @property
    def slot(self) -> str:
        """The slot of trees."""
        return slot_of_length(self.problem.length)

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[RenderedResult]:
        """Yield the fields of `answer_fields`."""
        from tsume.uses.commenting import comment_on_tree

        tree = context.builder.build(self.problem.position, only_line=True)
        remarks = comment_on_tree(context.builder.engine, self.problem.position, tree)
        content = json_bytes(answer_fields(self.problem, tree, self.language, remarks))
        yield RenderedResult(content, settled=tree.length is not None)
