"""Saving a problem to the store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool

from db.errors import StoreError
from db.notebook import Notebook
from db.store import Store
from tsume.files.composer_records import notebook_of
from tsume.language.voice import Voice
from tsume.parallel.job_pool import JobPool, only_result
from tsume.reports.importing import not_scored_text
from tsume.web.api.parsing import PositionInput
from tsume.web.api.responses import RequestError
from tsume.web.work.admitting import Admission, SavingJob


class ProblemSaver:
    """Saves problems that are perfect or sound."""

    def __init__(self, store: Store, pool: JobPool, seconds: float) -> None:
        self._store, self._pool, self._seconds = store, pool, seconds

    async def save(self, given: PositionInput, notes: dict[str, Any]) -> tuple[int, bool]:
        """Save a problem unless it is known; its id in the store, and whether it was known.

        Raises `RequestError` for a problem that is not correct and for a store that is read-only, and as
        `JobPool.results` does.
        """
        position = given.parsed.position
        known = await run_in_threadpool(self._store.id_of, position)
        if known is not None:
            return known, True
        entry = replace(given.entry, notebook=_notebook(notes))
        admission = await only_result(self._pool.results(SavingJob(entry, self._seconds)))
        problem = _admitted(admission)
        try:
            number = await run_in_threadpool(self._store.add, problem, notebook=notebook_of(entry))
            if number is not None:
                return number, False
            known = await run_in_threadpool(self._store.id_of, position)
        except StoreError as error:
            raise RequestError(422, f"the store is not writable: {error}") from None
        assert known is not None
        return known, True


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
