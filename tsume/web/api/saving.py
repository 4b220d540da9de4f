# SPDX-License-Identifier: GPL-3.0-or-later
"""Saving a problem to the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from db.errors import StoreError
from db.notebook import Notebook, NotebookEdit
from db.store import Store
from tsume.files.composer_records import notebook_of
from tsume.language.voice import Voice
from tsume.parallel.job_pool import JobPool, only_result
from tsume.reports.importing import not_scored_text
from tsume.web.api.parsing import PositionInput
from tsume.web.api.responses import RequestError
from tsume.web.work.admitting import Admission, SavingJob

T = TypeVar("T")
_COLUMNS = {"title": "title", "author": "author", "comment": "notes"}
"""The column of the notebook for each field of a request."""


@dataclass(frozen=True)
class SavedProblem:
    """The id of a problem in the store.

    ``known``: it was stored already. ``differing``: the given texts for which the store keeps others, with
    those others; they are lost if they were ``replaced``.
    """

    id: int
    known: bool
    differing: dict[str, str]
    replaced: bool = False

    @property
    def fields(self) -> dict[str, Any]:
        """As JSON fields."""
        return {"id": self.id, "known": self.known, "replaced": self.replaced, "differing": self.differing}


class ProblemSaver:
    """Saves problems that are perfect or sound."""

    def __init__(self, store: Store, pool: JobPool, seconds: float) -> None:
        self._store, self._pool, self._seconds = store, pool, seconds

    async def save(self, given: PositionInput, notes: dict[str, Any], *, replaces: bool) -> SavedProblem:
        """Save a problem unless it is known; ``replaces``: the texts of a known one are replaced.

        Raises `RequestError` for a problem that is not correct and for a store that is read-only, and as
        `JobPool.results` does.
        """
        position = given.parsed.position
        known = await run_in_threadpool(self._store.id_of, position)
        if known is None:
            entry = replace(given.entry, notebook=_notebook(notes))
            problem = _admitted(await only_result(self._pool.results(SavingJob(entry, self._seconds))))
            number = await _written(self._store.add, problem, notebook=notebook_of(entry))
            if number is not None:
                return SavedProblem(number, known=False, differing={})
            known = await run_in_threadpool(self._store.id_of, position)
            assert known is not None
        return await self._saved_again(known, notes, replaces)

    async def _saved_again(self, number: int, notes: dict[str, Any], replaces: bool) -> SavedProblem:
        stored = await run_in_threadpool(self._store.get, number)
        kept = {name: getattr(stored.notebook, column) for name, column in _COLUMNS.items()} if stored else {}
        differing = {name: kept[name] for name, text in notes.items() if kept.get(name, text) != text}
        if replaces and differing:
            change = NotebookEdit(**{_COLUMNS[name]: notes[name] for name in differing})
            await _written(self._store.edit, [number], change)
        return SavedProblem(number, True, differing, replaced=replaces and bool(differing))


async def _written(write: Callable[..., T], *given: Any, **named: Any) -> T:
    """What a function that writes to the store returns. Raises `RequestError`."""
    try:
        return await run_in_threadpool(write, *given, **named)
    except StoreError as error:
        raise RequestError(422, f"the store is not writable: {error}") from None


def _notebook(notes: dict[str, Any]) -> Notebook:
    return Notebook(notes.get("title", ""), notes.get("author", ""), notes=notes.get("comment", ""))


def _admitted(admission: Admission) -> Any:
    """The problem that may be stored. Raises `RequestError`."""
    if admission.problem is not None:
        return admission.problem
    judgement = admission.judgement
    if admission.limit is not None:
        raise RequestError(422, not_scored_text(admission.limit, Voice.of("en")), judgement=judgement)
    raise RequestError(422, f"not saved: {judgement['headline']['en']}", judgement=judgement)
