# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints about problems: judging, changing, composing, saving, reading, exports, the collection."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.errors import StoreError
from db.notebook import Notebook, NotebookEdit
from db.store import Store
from tsume.collection import CollectionError, add_collection, collection_size
from tsume.files.exported import notebook_of
from tsume.formats.registry import UTF_8, WRITERS
from tsume.formats.text import FormatError, decode_record_file
from tsume.language.catalogue import Language, Voice
from tsume.parallel.job_pool import Job, JobPool, only_result
from tsume.reports.runs import not_scored_text
from tsume.web.api import parsing
from tsume.web.api.access import Permissions
from tsume.web.delivery import ResultCache
from tsume.web.rendered import UnreadableText, diagram_svg, game_record, rendered_reading
from tsume.web.work.positions import Admission, EnrichingJob, GeneratingJob, JudgementJob, MendingJob, SavingJob
from tsume.web.work.results import json_bytes

# --- saving a problem to the store -----------------------------------------------------------------

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

    async def save(self, given: parsing.PositionInput, notes: dict[str, Any], *, replaces: bool) -> SavedProblem:
        """Save a problem unless it is known; ``replaces``: the texts of a known one are replaced.

        Raises `RequestError` for a problem that is not correct and for a store that is read-only, and as
        `JobPool.results` does.
        """
        position = given.parsed.position
        known = await run_in_threadpool(self._store.id_of, position)
        if known is None:
            texts = {_COLUMNS[name]: text for name, text in notes.items()}
            entry = replace(given.entry, notebook=Notebook(**texts))
            problem = _admitted(await only_result(self._pool.results(SavingJob(entry, self._seconds))))
            number = await _written(self._store.add, problem, notebook=notebook_of(entry))
            if number is not None:
                return SavedProblem(number, known=False, differing={})
            known = await run_in_threadpool(self._store.id_of, position)
            assert known is not None
        stored = await run_in_threadpool(self._store.get, known)
        kept = {name: getattr(stored.notebook, column) for name, column in _COLUMNS.items()} if stored else {}
        differing = {name: kept[name] for name, text in notes.items() if kept.get(name, text) != text}
        if replaces and differing:
            change = NotebookEdit(**{_COLUMNS[name]: notes[name] for name in differing})
            await _written(self._store.edit, [known], change)
        return SavedProblem(known, True, differing, replaced=replaces and bool(differing))


async def _written(write: Callable[..., T], *given: Any, **named: Any) -> T:
    """Return what a function that writes to the store returns. Raises `RequestError`."""
    try:
        return await run_in_threadpool(write, *given, **named)
    except StoreError as error:
        raise parsing.RequestError(422, f"the store is not writable: {error}") from None


def _admitted(admission: Admission) -> Any:
    """Return the problem that may be stored. Raises `RequestError`."""
    if admission.problem is not None:
        return admission.problem
    judgement = admission.judgement
    if admission.limit is not None:
        raise parsing.RequestError(422, not_scored_text(admission.limit, Voice.of("en")), judgement=judgement)
    raise parsing.RequestError(422, f"not saved: {judgement['headline']['en']}", judgement=judgement)


# --- the endpoints about problems ------------------------------------------------------------------

_SEEDS = 2**32
"""Seeds below this are drawn where none is given."""
_KEPT_JUDGEMENTS = 512
"""Judgements in the cache: 3 KB each, up to 30 KB with many second solutions."""


@dataclass
class JobEndpoints:
    """Answers requests with results of worker processes.

    A search takes at most ``seconds``, composing ten times that.
    """

    store: Store
    pool: JobPool
    permissions: Permissions
    seconds: float

    def __post_init__(self) -> None:
        self._judgements = ResultCache(self.pool, _KEPT_JUDGEMENTS)
        self._saver = ProblemSaver(self.store, self.pool, self.seconds)

    async def judgement(self, request: Request) -> Response:
        """Return the judgement of `tsume check`."""
        self.permissions.require_work(request)
        values = await parsing.parsed_body(request, parsing.JUDGEMENT)
        given = parsing.PositionInput.of(values)
        job = JudgementJob(given.parsed, given.line, values.get("moves"), self.seconds)
        return parsing.json_response(await parsing.while_connected(request.receive, self._judgements.content(job)))

    async def mending(self, request: Request) -> Response:
        """Return the judgement, then repairs."""
        self.permissions.require_work(request)
        return self._lines(MendingJob(**self._change(await parsing.parsed_body(request, parsing.MENDING))))

    async def enriching(self, request: Request) -> Response:
        """Return the judgement, then suggestions."""
        self.permissions.require_work(request)
        return self._lines(EnrichingJob(**self._change(await parsing.parsed_body(request, parsing.ENRICHING))))

    def _change(self, values: dict[str, Any]) -> dict[str, Any]:
        given = parsing.PositionInput.of(values)
        keep = given.parsed.seen_by_attacker(values.pop("keep", []))
        return {**values, "parsed": given.parsed, "line": given.line, "keep": keep, "limit": self.seconds}

    async def generating(self, request: Request) -> Response:
        """New problems as they are found."""
        self.permissions.require_work(request)
        values = await parsing.parsed_body(request, parsing.GENERATING)
        values.setdefault("seed", secrets.randbelow(_SEEDS))
        themes = tuple(values.pop("themes", ()))
        job = GeneratingJob(themes=themes, limit=10 * self.seconds, **values)
        return self._lines(job, seed=job.seed)

    async def saving(self, request: Request) -> Response:
        """The id of a problem; a new one is saved, the texts of a known one are replaced on request."""
        self.permissions.require_saving(request)
        values = await parsing.parsed_body(request, parsing.SAVING)
        given, replaces = parsing.PositionInput.of(values), values.pop("replace", False)
        work = self._saver.save(given, values, replaces=replaces)
        saved = await parsing.while_connected(request.receive, work)
        return parsing.json_response(json_bytes(saved.fields), 200 if saved.known else 201)

    def _lines(self, job: Job, **last: Any) -> parsing.NdjsonResponse:
        """Return the results of a job; ``last`` are fields of the last object of interrupted work."""

        def end(fault: str) -> dict[str, Any]:
            return {"event": "end", "complete": False, **last, "error": fault}

        return parsing.NdjsonResponse(self.pool.results(job), end)


# --- reading a problem from a pasted text or a file ------------------------------------------------


async def reading(request: Request) -> Response:
    """Return the first problem of a text: position, line, title, author, comment. Nothing is judged."""
    values = await parsing.parsed_body(request, parsing.READING)
    if len(values) != 1:
        raise parsing.RequestError(400, "give either text or data")
    return parsing.json_response(json_bytes(await run_in_threadpool(_read, values)))


def _read(values: dict[str, Any]) -> dict[str, Any]:
    """Return the problem of a text, or of a file in any encoding. Raises `RequestError`."""
    try:
        text = decode_record_file(values["data"]) if "data" in values else values["text"]
        return rendered_reading(text)
    except UnreadableText as error:
        fields: dict[str, Any] = {"code": error.code} if error.code else {}
        raise parsing.RequestError(422, str(error), **fields) from None
    except FormatError as error:
        raise parsing.RequestError(422, str(error)) from None


# --- records and diagrams of a position with its line ----------------------------------------------


class Exports:
    """The endpoints of records and diagrams; ``language`` is the default of diagrams."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def record(self, request: Request) -> Response:
        """Return the record of a position and its line, as a file to download."""
        values = parsing.parsed_query(request, parsing.RECORD)
        given, form = parsing.PositionInput.of(values), values["format"]
        position = given.parsed.position
        texts = values.get("title", ""), values.get("author", "")
        made = _checked(lambda: game_record(position, given.line, *texts))
        if form == "sfen":
            moves = "".join(f" {move.usi}" for move in map(given.parsed.outward, given.line))
            text, ending = f"{given.parsed.sfen}{' moves' * bool(moves)}{moves}\n", ".sfen"
        else:
            text = WRITERS[form].write(made)
            ending = WRITERS[form].ending(UTF_8)
        name = {"Content-Disposition": f'attachment; filename="tsume{ending}"'}
        return Response(text, headers=name, media_type="text/plain")

    def diagram(self, request: Request) -> Response:
        """Return the diagram of a position, after some moves of its line."""
        values = parsing.parsed_query(request, parsing.DIAGRAM)
        given = parsing.PositionInput.of(values)
        after = values.get("after", 0)
        if after > len(given.line):
            raise parsing.RequestError(422, f"after: the line has {len(given.line)} moves")
        drawn = _checked(
            lambda: diagram_svg(
                given.parsed.position, given.line[:after], values.get("lang", self._language),
                marks_last=values.get("last", True),
            )
        )  # fmt: skip
        return Response(drawn, media_type="image/svg+xml")


def _checked(write: Callable[[], T]) -> T:
    """Return what is written. Raises `RequestError` for an illegal move."""
    try:
        return write()
    except ValueError as error:
        raise parsing.RequestError(422, str(error)) from None


# --- the collection, for a store without problems --------------------------------------------------


class CollectionOffer:
    """Offers the collection to those who may save problems, and adds it to the store."""

    def __init__(self, store: Store, permissions: Permissions) -> None:
        self._store, self._permissions = store, permissions

    def number_for(self, request: Request) -> int:
        """Return how many problems the page of an empty store offers a client to add; 0 if none."""
        return collection_size() if self._permissions.may_save(request) else 0

    async def add(self, request: Request) -> Response:
        """Add the collection; returns how many of its problems are new."""
        self._permissions.require_saving(request)
        await parsing.parsed_body(request, parsing.COLLECTION)
        try:
            added = await run_in_threadpool(add_collection, self._store)
        except (CollectionError, StoreError) as error:
            raise parsing.RequestError(422, str(error)) from None
        return parsing.json_response(json_bytes({"added": len(added)}))
