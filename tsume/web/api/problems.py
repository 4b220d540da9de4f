# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints about problems: judging, changing, composing, saving, reading, exports, the collection, trees."""

from __future__ import annotations

import queue
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.errors import StoreError
from db.notebook import Notebook, NotebookEdit
from db.store import Store, StoredTree, StoredTrees
from tsume import __version__
from tsume.collection import CollectionError, add_collection, collection_size
from tsume.files.exported import imported_notebook
from tsume.formats.registry import UTF_8, WRITERS
from tsume.formats.text import FormatError, decode_record_file
from tsume.language.catalogue import Language, Voice
from tsume.parallel.job_pool import Job, JobPool, single_result
from tsume.reports.runs import not_scored_text
from tsume.uses.composing import ContradictionError
from tsume.web.api import parsing
from tsume.web.api.access import Permissions
from tsume.web.delivery import ResultCache, SharedResultCache, compressed_json_response
from tsume.web.pages import BoardPages
from tsume.web.rendered import UnreadableText, diagram_svg, game_record, rendered_reading
from tsume.web.work.positions import EnrichingJob, GeneratingJob, JudgementJob, MendingJob, SavingDecision, SavingJob
from tsume.web.work.results import json_bytes
from tsume.web.work.trees import FORMAT, PositionJob, TreeJob, WholeTreeJob
from tsume_rules.sfen import format_sfen

T = TypeVar("T")
_COLUMNS = {"title": "title", "author": "author", "comment": "notes"}
"""The column of the notebook for each field of a request."""


async def _written(write: Callable[..., T], *given: Any, **named: Any) -> T:
    """Return what a function that writes to the store returns. Raises `RequestError`."""
    try:
        return await run_in_threadpool(write, *given, **named)
    except StoreError as error:
        raise parsing.RequestError(422, f"the store is not writable: {error}") from None


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
        try:
            _ = job.wished_line
        except ContradictionError as error:
            raise parsing.RequestError(400, str(error)) from None
        return self._lines(job, seed=job.seed)

    async def saving(self, request: Request) -> Response:
        """The id of a problem; a new one is saved, the texts of a known one are replaced on request."""
        self.permissions.require_saving(request)
        values = await parsing.parsed_body(request, parsing.SAVING)
        given, replaces = parsing.PositionInput.of(values), values.pop("replace", False)
        saved = await parsing.while_connected(request.receive, self._saved(given, values, replaces=replaces))
        return parsing.json_response(json_bytes(saved), 200 if saved["known"] else 201)

    async def _saved(self, given: parsing.PositionInput, notes: dict[str, Any], *, replaces: bool) -> dict[str, Any]:
        """Save a problem unless it is known; ``replaces``: the texts of a known one are replaced.

        ``differing`` are the given texts for which the store keeps others, with those others; they are lost if they
        were ``replaced``. Raises `RequestError` for a problem that is neither perfect nor sound and for a store that
        is read-only, and as `JobPool.results` does.
        """
        position = given.parsed.position
        known = await run_in_threadpool(self.store.id_of, position)
        if known is None:
            entry = replace(given.entry, notebook=Notebook(**{_COLUMNS[name]: text for name, text in notes.items()}))
            admission: SavingDecision = await single_result(self.pool.results(SavingJob(entry, self.seconds)))
            judgement = admission.judgement
            if admission.problem is None:
                fault = f"not saved: {judgement['headline']['en']}"
                if admission.limit is not None:
                    fault = not_scored_text(admission.limit, Voice.of("en"))
                raise parsing.RequestError(422, fault, judgement=judgement)
            number = await _written(self.store.add, admission.problem, notebook=imported_notebook(entry))
            if number is not None:
                return {"id": number, "known": False, "replaced": False, "differing": {}}
            known = await run_in_threadpool(self.store.id_of, position)
            assert known is not None
        stored = await run_in_threadpool(self.store.get, known)
        kept = {name: getattr(stored.notebook, column) for name, column in _COLUMNS.items()} if stored else {}
        differing = {name: kept[name] for name, text in notes.items() if kept.get(name, text) != text}
        if replaces and differing:
            change = NotebookEdit(**{_COLUMNS[name]: notes[name] for name in differing})
            await _written(self.store.edit, [known], change)
        return {"id": known, "known": True, "replaced": replaces and bool(differing), "differing": differing}

    def _lines(self, job: Job, **last: Any) -> parsing.NdjsonResponse:
        """Return the results of a job; ``last`` are fields of the last object of interrupted work."""

        def end(fault: str) -> dict[str, Any]:
            return {"event": "end", "complete": False, **last, "error": fault}

        return parsing.NdjsonResponse(self.pool.results(job), end)


# --- reading a problem from a pasted text or a file ------------------------------------------------


async def read_text(request: Request) -> Response:
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


def record_file(request: Request) -> Response:
    """Return the record of a position and its line, as a file to download."""
    values = parsing.parsed_query(request, parsing.RECORD)
    given, form = parsing.PositionInput.of(values), values["format"]
    texts = values.get("title", ""), values.get("author", "")
    made = _checked(lambda: game_record(given.parsed.position, given.line, *texts))
    if form == "sfen":
        moves = "".join(f" {move.usi}" for move in map(given.parsed.outward, given.line))
        text, ending = f"{given.parsed.sfen}{' moves' * bool(moves)}{moves}\n", ".sfen"
    else:
        text, ending = WRITERS[form].write(made), WRITERS[form].ending(UTF_8)
    name = {"Content-Disposition": f'attachment; filename="tsume{ending}"'}
    return Response(text, headers=name, media_type="text/plain")


def position_diagram(language: Language, request: Request) -> Response:
    """Return the diagram of a position, after some moves of its line; ``language`` is the default."""
    values = parsing.parsed_query(request, parsing.DIAGRAM)
    given = parsing.PositionInput.of(values)
    position, line, after = given.parsed.position, given.line, values.get("after", 0)
    if after > len(line):
        raise parsing.RequestError(422, f"after: the line has {len(line)} moves")
    language, marks_last = values.get("lang", language), values.get("last", True)
    drawn = _checked(lambda: diagram_svg(position, line[:after], language, marks_last=marks_last))
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


# --- saves reply trees to the store, by a thread of its own: no request waits for a store that is locked ---

_MAX_WAITING = 1000
"""Trees that wait to be saved; further ones are not saved."""
_LAST_SECONDS = 2.0
"""Seconds for the last trees when the server ends."""


class TreeSaver:
    """Saves trees soon; those that cannot be saved are lost."""

    def __init__(self, trees: StoredTrees) -> None:
        self._trees = trees
        self._waiting: queue.Queue[StoredTree | None] = queue.Queue(_MAX_WAITING)
        self._thread = threading.Thread(target=self._save_all, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def save(self, tree: StoredTree) -> None:
        """Save a tree later."""
        with suppress(queue.Full):
            self._waiting.put_nowait(tree)

    def close(self) -> None:
        """Save what waits, unless that takes long."""
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
            self._thread.join(_LAST_SECONDS)

    def _save_all(self) -> None:
        ended = False
        while not ended:
            found = [self._waiting.get()]
            with suppress(queue.Empty):
                while True:
                    found.append(self._waiting.get_nowait())
            ended = None in found
            with suppress(StoreError):
                self._trees.save([tree for tree in found if tree is not None])


# --- the reply trees of stored problems, and their storage -----------------------------------------

_KEPT, _KEPT_WHOLE, _KEPT_POSITIONS = 4096, 64, 1024
"""Trees in memory, compressed: 3 KB each, a whole one up to some hundred; positions, of some KB each."""


class TreeEndpoint:
    """Answers requests for trees and for positions in them: from memory, from the store, by the pool.

    The first tree of a problem is saved in the store if that ``saves``. ``builder_name`` says what trees
    depend on (`ReplyTreeBuilder.name`).
    """

    def __init__(
        self, store: Store, pool: JobPool, pages: BoardPages, builder_name: str, seconds: float, *, saves: bool
    ) -> None:
        self._pages = pages
        self._trees, self._whole = SharedResultCache(pool, _KEPT), SharedResultCache(pool, _KEPT_WHOLE)
        self._positions = SharedResultCache(pool, _KEPT_POSITIONS)
        self._stored = StoredTrees(store)
        self._saver = TreeSaver(self._stored) if saves else None
        self._builder_name = builder_name
        self._seconds = seconds

    def start(self) -> None:
        """Begin to save trees."""
        if self._saver:
            self._saver.start()

    def close(self) -> None:
        """Save no more."""
        if self._saver:
            self._saver.close()

    async def tree(self, request: Request) -> Response:
        """Return the tree of a problem to play against, from some moves on; or everything."""
        values = parsing.parsed_query(request, parsing.TREE)
        whole, moves = values.get("whole", False), values.get("moves", ())
        if whole and moves:
            raise parsing.RequestError(400, "whole: a whole tree has no moves")
        problem = await run_in_threadpool(self._pages.requested, request)
        sfen = format_sfen(problem.position)
        if whole:
            content = await self._whole.content(WholeTreeJob(sfen, self._seconds))
        else:
            content = await self._content(problem.id, TreeJob(sfen, problem.length, moves, self._seconds))
        return compressed_json_response(request, content)

    async def position(self, request: Request) -> Response:
        """Return what each move of a position of a problem leads to."""
        moves = parsing.parsed_query(request, parsing.POSITION).get("moves", ())
        problem = await run_in_threadpool(self._pages.requested, request)
        job = PositionJob(format_sfen(problem.position), problem.length, moves, self._seconds)
        return parsing.json_response(await self._positions.content(job))

    async def _content(self, number: int, job: TreeJob) -> bytes:
        if job.moves or self._trees.kept(job) is not None:
            return await self._trees.content(job)
        key = self._key(job)
        if (stored := await run_in_threadpool(self._stored_content, number, key)) is not None:
            self._trees.keep(job, stored)
            return stored
        content = await self._trees.content(job)
        if self._saver and self._trees.kept(job) is not None:
            self._saver.save(StoredTree(number, key, content))
        return content

    def _stored_content(self, number: int, key: str) -> bytes | None:
        try:
            return self._stored.content(number, key)
        except StoreError:  # it can be made again
            return None

    def _key(self, job: TreeJob) -> str:
        """Name all that a tree depends on."""
        parts = (FORMAT, __version__, self._builder_name, job.sfen, job.length)
        return sha256(repr(parts).encode()).hexdigest()
