# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints of training."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from db.store import Store
from db.training.records import MissingProblemError, Outcome
from tsume.language.catalogue import LANGUAGES
from tsume.training.persons import Persons, result_csv_lines
from tsume.training.trainer import Trainer, TrainingRequest
from tsume.web.api.access import Authentication, Permissions, private_response
from tsume.web.api.parsing import NEXT, PROBLEMS, RESULT, RUN, RequestError, json_response, parsed_body, parsed_query
from tsume.web.rendered import rendered_progress
from tsume.web.templates import problem_summary
from tsume.web.work.results import json_bytes


class TrainingEndpoints:
    """Answers requests about persons, problems to solve, and results."""

    def __init__(self, store: Store, permissions: Permissions) -> None:
        self._store, self._trainer = store, Trainer(store)
        self._identity = Authentication(Persons(store.training.persons), permissions)
        self.person = self._identity.person

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
        ]

    def next(self, request: Request) -> Response:
        """Return the next problem; without one, when the next one is due."""
        values = parsed_query(request, NEXT)
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
        found = map(self._problem_fields, parsed_query(request, PROBLEMS)["ids"])
        return json_response(json_bytes({"problems": [one for one in found if one is not None]}))

    def days(self, _request: Request) -> Response:
        """Return the rotation of the problem of the day."""
        return json_response(json_bytes({"days": self._trainer.days()}))

    async def result(self, request: Request) -> Response:
        """Save a result."""
        values = await parsed_body(request, RESULT)
        day, completes = values.pop("day", None), values.pop("completes", None)
        outcome = Outcome(**values, day=None if day is None else day.isoformat())
        return await run_in_threadpool(self._record, request, outcome, completes)

    async def run(self, request: Request) -> Response:
        """Save a run."""
        values = await parsed_body(request, RUN)

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

    def _problem_fields(self, number: int) -> dict[str, Any] | None:
        problem = self._store.get(number)
        if problem is None:
            return None
        rating = self._trainer.problem_rating(problem.id, problem.difficulty.score).rating
        summaries = {language: problem_summary(problem, language, rating) for language in LANGUAGES}
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
