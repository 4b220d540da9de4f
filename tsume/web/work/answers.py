# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of one problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from db.notebook import Notebook
from db.stored_problem import StoredProblem
from tsume.language.catalogue import Language
from tsume.web.answers import answer_fields
from tsume.web.work.played import slot_of_length
from tsume.web.work.results import SECONDS, Rendered, json_bytes, search_timeout

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext


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
        """The job for a problem."""
        return cls(problem.sfen, problem.notebook, language, problem, limit)

    @property
    def slot(self) -> str:
        """The slot of trees."""
        return slot_of_length(self.problem.length)

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[Rendered]:
        """The fields of `answer_fields`."""
        tree = context.builder.build(self.problem.position, only_line=True)
        content = json_bytes(answer_fields(self.problem, tree, self.language))
        yield Rendered(content, settled=tree.length is not None)
