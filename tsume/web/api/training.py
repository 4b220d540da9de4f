# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints of training: problems and results, classes, the feed of the problem of the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from db.store import Store
from db.training.records import ClassLimitError, MissingProblemError, Outcome, StoredPerson
from solver.results import stars_of_rating
from tsume.language.catalogue import LANGUAGES, phrase
from tsume.training.persons import Classes, NameTakenError, Persons, name_key, result_csv_lines
from tsume.training.trainer import Trainer, TrainingRequest
from tsume.web import templates
from tsume.web.api import parsing
from tsume.web.api.access import AttemptLimiter, Authentication, Permissions, private_response
from tsume.web.api.parsing import RequestError, json_response, parsed_body, parsed_query
from tsume.web.pages import MAX_ID, BoardPages
from tsume.web.rendered import rendered_progress
from tsume.web.work.results import json_bytes

_FEED_DAYS = 14
_MAX_FEED_AGE = 3600
"""Seconds for which a reader may keep the feed; a new day comes at midnight of this machine."""


class TrainingEndpoints:
    """Answers requests about persons, problems to solve, and results."""

    def __init__(self, store: Store, permissions: Permissions) -> None:
        self._store, self._trainer = store, Trainer(store)
        self._identity = Authentication(Persons(store.training.persons), permissions)
        self.person = self._identity.person
        self._classes = ClassEndpoints(store, self._identity)

    def routes(self) -> list[Route]:
        """Return the routes of the endpoints."""
        identity = self._identity
        return [
            Route("/api/me", identity.me),
            Route("/api/persons", identity.sign_up, methods=["POST"]),
            Route("/api/session", identity.sign_in, methods=["POST"]),
            Route("/api/session", identity.sign_out, methods=["DELETE"]),
            Route("/api/training/next", self.next),
            Route("/api/training/days", self.days),
            Route("/api/training/problems", self.problems),
            Route("/api/results", self.result, methods=["POST"]),
            Route("/api/runs", self.run, methods=["POST"]),
            Route("/api/progress", self.progress),
            Route("/api/results.csv", self.results),
            *self._classes.routes(),
        ]

    def next(self, request: Request) -> Response:
        """Return the next problem; without one, when the next one is due."""
        values = parsed_query(request, parsing.NEXT)
        wish = TrainingRequest(
            values["mode"], values.get("theme", ()), values.get("moves", ()), tuple(values.get("not", ())),
            values.get("solved", 0), values.get("day"), values.get("tag"), values.get("unsolved", False),
        )  # fmt: skip
        person = None if wish.mode == "day" else self._identity.require_person(request)
        choice = self._trainer.next(person, wish)
        problem = None if choice is None else self._problem_fields(choice.problem)
        if choice is not None and problem is not None:
            return private_response({"problem": problem, "reason": choice.reason})
        due = None if person is None else self._trainer.next_due(person, wish)
        return private_response({"problem": None, "due_at": due and due.isoformat()})

    def problems(self, request: Request) -> Response:
        """Return problems by their ids, in this order; missing ones are left out."""
        found = map(self._problem_fields, parsed_query(request, parsing.PROBLEMS)["ids"])
        return json_response(json_bytes({"problems": [one for one in found if one is not None]}))

    def days(self, _request: Request) -> Response:
        """Return the rotation of the problem of the day."""
        return json_response(json_bytes({"days": self._trainer.days()}))

    async def result(self, request: Request) -> Response:
        """Save a result."""
        values = await parsed_body(request, parsing.RESULT)
        day, completes = values.pop("day", None), values.pop("completes", None)
        outcome = Outcome(**values, day=None if day is None else day.isoformat())
        return await run_in_threadpool(self._record, request, outcome, completes)

    async def run(self, request: Request) -> Response:
        """Save a run."""
        values = await parsed_body(request, parsing.RUN)

        def recorded() -> Response:
            best, is_best = self._trainer.record_run(self._identity.require_person(request), **values)
            return private_response({"best": best, "is_best": is_best})

        return await run_in_threadpool(recorded)

    def progress(self, request: Request) -> Response:
        """Return what the person has done."""
        person = self._identity.require_person(request)
        return private_response(rendered_progress(person, self._trainer.progress(person)))

    def results(self, request: Request) -> Response:
        """Return the results of the person who asks as CSV, as `tsume results export` writes them."""
        person = self._identity.require_person(request)
        found = self._store.training.results.all(person.id)
        text = "".join(result_csv_lines(found))
        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="tsume-results.csv"'}
        return Response(text, headers=headers, media_type="text/csv")

    def feed(self, pages: BoardPages, request: Request) -> Response:
        """Return the Atom feed of the last problems of the day, newest first, without their answers."""
        language, today = pages.language_of(request), self._trainer.today()
        is_encrypted = request.headers.get("x-forwarded-proto") == "https"  # by a proxy
        base = str(request.base_url.replace(scheme="https") if is_encrypted else request.base_url)
        own = f"{base}day.xml?lang={language}"
        entries = []
        for day, number in self._trainer.last_days(_FEED_DAYS):
            problem = self._store.get(number)
            if problem is None:  # it was removed just now
                continue
            page = f"{base}training?lang={language}#mode=day&day={day}"
            picture = f"{base}problems/{problem.id}.svg?lang={language}"
            title = f"{phrase(language, 'web.day')} {day}: {templates.feed_title(problem, language)}"
            began = datetime.combine(day, time()).astimezone(UTC)
            entries.append(templates.FeedEntry(f"{own}#{day}", page, title, began, picture, problem.notebook.author))
        began, tomorrow = (datetime.combine(one, time()).astimezone(UTC) for one in (today, today + timedelta(days=1)))
        title = f"{phrase(language, 'web.day')} | {phrase(language, 'page.title')}"
        text = templates.atom_feed(language, title, (own, own, f"{base}training?lang={language}"), began, entries)
        age = max(0, min(_MAX_FEED_AGE, int((tomorrow - self._trainer.now).total_seconds())))
        headers = {"Cache-Control": f"max-age={age}", "Vary": "Accept-Language"}
        return Response(text, headers=headers, media_type="application/atom+xml")

    def _problem_fields(self, number: int) -> dict[str, Any] | None:
        problem = self._store.get(number)
        if problem is None:
            return None
        rating = self._trainer.problem_rating(problem.id, problem.difficulty.score).rating
        summaries = {language: templates.problem_summary(problem, language, rating) for language in LANGUAGES}
        texts = {name: {one: summaries[one][name] for one in LANGUAGES} for name in ("mate_in", "difficulty")}
        return {**summaries[LANGUAGES[0]], **texts}

    def _record(self, request: Request, outcome: Outcome, completes: int | None) -> Response:
        person = self._identity.require_person(request)
        try:
            recorded = self._trainer.record(person, outcome, completes)
            before, after, problem = recorded.before, recorded.after, recorded.problem_rating
            return private_response({
                "result": recorded.id, "rated": recorded.rated, "before": round(before.rating),
                "after": round(after.rating), "deviation": round(after.deviation),
                "problem_rating": round(problem.rating), "due": recorded.due.isoformat(),
            })  # fmt: skip
        except MissingProblemError:
            raise RequestError(404, "no such problem") from None


class ClassEndpoints:
    """Answers requests about classes, each with all classes of the person who asks.

    Nobody but the teacher sees the results of others; to whom a class does not belong it is not there.
    """

    def __init__(self, store: Store, identity: Authentication) -> None:
        self._table, self._identity = store.training.classes, identity
        self._classes = Classes(self._table)
        self._attempts = AttemptLimiter()

    def routes(self) -> list[Route]:
        """Return the routes of the endpoints."""
        return [
            Route("/api/classes", self.classes),
            Route("/api/classes", self.open, methods=["POST"]),
            Route("/api/classes/pupils", self.join, methods=["POST"]),
            Route("/api/classes/{id:int}", self.close, methods=["DELETE"]),
            Route("/api/classes/{id:int}/list", self.set_list, methods=["POST"]),
            Route("/api/classes/{id:int}/pupils/{pupil:int}", self.remove_pupil, methods=["DELETE"]),
        ]

    def classes(self, request: Request) -> Response:
        """Return the classes that the person teaches, with all pupils, or has joined, with the person alone."""
        return self._described(self._identity.require_named(request))

    async def open(self, request: Request) -> Response:
        """Open a class, whose teacher is the person who asks."""
        values = await parsed_body(request, parsing.PERSON)
        person = await run_in_threadpool(self._identity.require_named, request)
        self._attempts.begin(f"opening {person.id}")

        def opened(name: str, passphrase: str) -> None:
            self._classes.open(person, name, passphrase)

        try:
            await self._identity.hashed(opened, values["name"], values["passphrase"])
        except NameTakenError as error:
            raise RequestError(409, str(error), code="class_taken") from None
        except ClassLimitError as error:
            raise RequestError(409, str(error), code="class_full") from None
        return await run_in_threadpool(self._described, person, 201)

    async def join(self, request: Request) -> Response:
        """Join a class by its name and passphrase."""
        values = await parsed_body(request, parsing.SESSION)
        person = await run_in_threadpool(self._identity.require_named, request)
        keys = f"class {name_key(values['name'])}", f"joining {person.id}"
        for key in keys:
            self._attempts.begin(key)

        def joined(name: str, passphrase: str) -> bool:
            return self._classes.join(person, name, passphrase)

        try:
            if not await self._identity.hashed(joined, values["name"], values["passphrase"]):
                raise RequestError(403, "name or passphrase is wrong", code="class_unknown")
        except ClassLimitError as error:
            raise RequestError(409, str(error), code="class_full") from None
        for key in keys:
            self._attempts.forget(key)
        return await run_in_threadpool(self._described, person)

    def close(self, request: Request) -> Response:
        """Close a class."""
        return self._changed(request, lambda person, number: self._table.close(person.id, number))

    def remove_pupil(self, request: Request) -> Response:
        """Remove a pupil from a class, as the teacher or as the pupil, who leaves it."""
        pupil = _path_number(request, "pupil")
        return self._changed(request, lambda person, number: self._table.remove_pupil(person.id, number, pupil))

    async def set_list(self, request: Request) -> Response:
        """Give a class another list of problems; an empty one takes it away."""
        values = await parsed_body(request, parsing.CLASS_LIST)
        title, ids = values.get("title", ""), values["ids"]
        try:
            return await run_in_threadpool(
                self._changed, request, lambda person, number: self._table.set_list(person.id, number, title, ids)
            )
        except MissingProblemError:
            raise RequestError(404, "no such problem", code="no_problem") from None

    def _changed(self, request: Request, change: Callable[[StoredPerson, int], bool]) -> Response:
        number = _path_number(request, "id")
        person = self._identity.require_named(request)
        if not change(person, number):
            raise RequestError(404, "no such class")
        return self._described(person)

    def _described(self, person: StoredPerson, status: int = 200) -> Response:
        since = datetime.now(UTC) - timedelta(days=7)
        described = []
        for one in self._table.of_person(person.id):
            pupils = [
                {
                    "id": pupil.id, "name": pupil.name, "rating": round(pupil.rating.rating),
                    "deviation": round(pupil.rating.deviation), "stars": stars_of_rating(pupil.rating.rating),
                    "tried": pupil.tried, "solved": pupil.solved, "failed": pupil.tried - pupil.solved,
                    "last": pupil.last and pupil.last.isoformat(),
                    "list": [pupil.outcomes.get(number, "open") for number in one.problems],
                }
                for pupil in self._table.pupils(person.id, one, since)
            ]  # fmt: skip
            described.append({
                "id": one.id, "name": one.name, "teacher": one.teacher_name, "teaches": one.teacher == person.id,
                "title": one.title, "problems": one.problems, "pupils": pupils,
            })  # fmt: skip
        return private_response({"classes": described}, status)


def _path_number(request: Request, name: str) -> int:
    number = int(request.path_params[name])
    if number > MAX_ID:
        raise RequestError(404, "no such class")
    return number
