# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages: the list of problems with its query, the page of one, its answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from db.notebook import TEXTS
from db.selection import ALL, ORDERS, ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import StoredPerson
from generator.problem import STORED
from generator.theme_names import tag_of
from solver.results import Grade
from tsume.collection import TAG, course
from tsume.language.catalogue import LANGUAGES, Language, phrase, theme_choices, theme_name, theme_text
from tsume.parallel.job_pool import JobPool
from tsume.web import templates
from tsume.web.delivery import SharedResultCache
from tsume.web.guard import SOLVER_POLICY
from tsume.web.work.trees import AnswerJob
from tsume_rules.sfen import format_sfen

# --- the query of the problem list: its filters, order and page ------------------------------------

PER_PAGE = 60
"""Rows of 2 to 6 are full."""
_ON_FIRST = 12
"""Problems on the first page, below its board."""
MAX_PAGES = 1000
_RANGES = {"moves": (1, 999), "stars": (1, 5), "min_quality": (0, 100), "unsolved": (1, 1), "page": (1, MAX_PAGES)}
"""The smallest and largest value of each number."""


@dataclass(frozen=True)
class ListQuery:
    """The problems that the list shows, and the page of them (from 1)."""

    values: Mapping[str, str]
    selection: ProblemSelection
    page: int

    @classmethod
    def of(cls, query: Mapping[str, str], solved: Callable[[], Collection[int]] = tuple) -> ListQuery:
        """Read a query; empty and unknown fields are ignored. Raises ValueError for an invalid value. ``solved`` gives
        the ids of the problems that the person who asks has solved."""
        given = {name: value for name, value in query.items() if value and name in _READ}
        read: dict[str, Any] = {_READ[name]: _filter_value(name, text) for name, text in given.items()}
        page = read.pop("page", 1)
        if "without" in read:
            read["without"] = tuple(solved())
        return cls(given, ProblemSelection(**read), page)

    def conditions(self, language: Language) -> dict[str, str]:
        """Return the conditions on problems in words, by their names in the query."""
        of = self.selection
        quality = phrase(language, "page.quality_from", quality=of.min_quality)
        said = {
            "moves": of.moves and templates.mate_in_text(of.moves, language),
            "stars": of.stars and "★" * of.stars,
            "theme": theme_name(language, next(iter(of.themes), "")),
            "grade": of.grade and phrase(language, f"grades.{of.grade.value}"),
            "min_quality": of.min_quality and quality,
            "unsolved": "unsolved" in self.values and phrase(language, "page.unsolved"),
        }
        return {name: text for name, text in said.items() if text}

    def address(self, language: str, page: int | None = None) -> str:
        """Return the query of the same list in a language, or of another page of it."""
        return urlencode({**self.values, **({} if page is None else {"page": page}), "lang": language})

    def address_with(self, language: str, name: str, value: int | None) -> str:
        """Return the query of the first page with another value of a field, or without it."""
        kept = {key: given for key, given in self.values.items() if key not in (name, "page")}
        return urlencode({**kept, **({} if value is None else {name: value}), "lang": language})


ALL_PROBLEMS = ListQuery({}, ProblemSelection(), 1)
"""The first page of the list of all problems."""
_SAME = ("moves", "stars", "min_quality", "page", "grade", "order")
_READ = {"theme": "themes", "unsolved": "without", **{name: name for name in _SAME}}
"""From a name in the address to one of `ProblemSelection`."""


def _filter_value(name: str, text: str) -> Any:
    if name in _RANGES:
        least, most = _RANGES[name]
        if text.isascii() and text.isdigit() and len(text) < 5 and least <= int(text) <= most:
            return int(text)
    elif name == "theme" and (tag := tag_of(text)) is not None:
        return (tag,)
    elif name == "grade" and text in [grade.value for grade in STORED]:
        return Grade(text)
    elif name == "order" and text in ORDERS:
        return text
    raise ValueError(f"{name}={text[:50]}")


# --- the language that a browser asks for ----------------------------------------------------------


def browser_language(header: str | None) -> Language | None:
    """Return the language of pages for an ``Accept-Language`` header (RFC 9110, section 12.5.4).

    English for those who read neither it nor Japanese; None if the header names no language.
    """
    weights: dict[str, float] = {}
    for part in (header or "").split(","):
        tag, _, parameter = part.partition(";")
        name, (key, _, value) = tag.strip().lower().partition("-")[0], parameter.partition("=")
        try:  # ``q=0.8``; 1 if there is none, 0 if it cannot be read
            weight = float(value) if key.strip() else 1.0
        except ValueError:
            weight = 0.0
        if name and name != "*" and weight > 0:
            weights[name] = max(weight, weights.get(name, 0.0))
    if not weights:
        return None
    # of equal ones the first in the header
    return next(
        (language for name in sorted(weights, key=lambda one: -weights[one])
         for language in LANGUAGES if language == name), "en",
    )  # fmt: skip


# --- the pages -------------------------------------------------------------------------------------

MAX_ID = 2**31 - 1
_KEPT = 512
"""Answers in memory, of some KB each."""
_COUNTED_FOR = 60.0
"""Seconds for which the numbers beside the choices stay, while the store has as many problems."""


class BoardPages:
    """The pages of a store, in the language of the query, of the browser if ``asks_browser``, or else in ``language``.

    No page gives a solution away: themes are named only where the query names them. ``offered`` is how many problems
    the list of an empty store offers to a client, ``person`` is who asks. ``has_solver``: the browser can load the
    solver. Answers are made by the ``pool``, each within ``seconds``.
    """

    def __init__(
        self,
        store: Store,
        language: Language,
        offered: Callable[[Request], int],
        person: Callable[[Request], StoredPerson | None],
        pool: JobPool,
        seconds: float,
        *,
        has_solver: bool = False,
        asks_browser: bool = False,
    ) -> None:
        self._store = store
        self._language = language
        self._offered, self._person = offered, person
        self._has_solver = has_solver
        self._asks_browser = asks_browser
        self._templates = templates.template_environment()
        self._answers, self._seconds = SharedResultCache(pool, _KEPT), seconds
        self._counted = lru_cache(maxsize=64)(lambda wanted, *_: store.choice_counts(wanted))
        self._course = lru_cache(maxsize=1)(lambda *_: course(store.find(ProblemSelection(tags=(TAG,)))))

    def problems(self, request: Request) -> Response:
        """Return the list."""
        language = self.language_of(request)
        try:
            query = self._query(request)
        except ValueError as fault:
            return self.message(request, phrase(language, "page.bad_query", fault=fault), 400)
        total = self._store.count(query.selection)
        is_first = not query.values and total > 0
        shown = replace(query.selection, limit=_ON_FIRST if is_first else query.page * PER_PAGE)
        found = list(self._store.find(shown, skip=(query.page - 1) * PER_PAGE))
        last = min(-(-total // PER_PAGE), MAX_PAGES)
        choices = self._counted(query.selection, *self._period())
        theme = next(iter(query.selection.themes), None)
        conditions = query.conditions(language)
        return self.rendered(
            request, "list.html",
            query=query, problems=self._summaries(found, language), total=total, orders=ORDERS,
            heading=" · ".join(conditions.values()), is_first=is_first,
            page=query.page, first=(query.page - 1) * PER_PAGE + 1,
            paging=[] if is_first else [
                (number, f"/?{query.address(language, number)}" if number else "")
                for number in templates.near_pages(query.page, last)
            ],
            offered=0 if query.values or total else self._offered(request),
            choices=choices, theme=theme,
            themes=[
                (tag, theme_text(language, tag), choices.themes.get(tag, 0))
                for tag in dict.fromkeys([*choices.themes, *query.selection.themes])
            ],
            without=[] if total else self._relaxed(query, language, conditions),
            has_results=self._person(request) is not None,
            grades=[(grade.value, phrase(language, f"grades.{grade.value}")) for grade in STORED],
        )  # fmt: skip

    def _period(self) -> tuple[int, float]:
        """Return what changes when the store is to be read again."""
        return self._store.count(ALL), time.monotonic() // _COUNTED_FOR

    def _relaxed(
        self, query: ListQuery, language: Language, conditions: Mapping[str, str]
    ) -> list[tuple[str, str, int]]:
        """Return the conditions without which there are problems, the address of these, and how many they are."""
        counted = []
        for name, text in conditions.items():
            without = getattr(ALL, _READ[name])
            number = self._store.count(replace(query.selection, **{_READ[name]: without}))
            counted.append((text, f"/?{query.address_with(language, name, None)}", number))
        return [one for one in counted if one[2]]

    def _query(self, request: Request) -> ListQuery:
        def solved() -> Collection[int]:
            person = self._person(request)
            return () if person is None else self._store.training.results.solved(person.id)

        return ListQuery.of(request.query_params, solved)

    def _summaries(self, problems: Sequence[StoredProblem], language: Language) -> list[dict[str, Any]]:
        """Return the fields of problems, with their ratings by results."""
        played = self._store.training.results.problem_ratings([one.id for one in problems])
        ratings = {number: one.rating.rating for number, one in played.items()}
        return [templates.problem_summary(one, language, ratings.get(one.id)) for one in problems]

    def problem(self, request: Request) -> Response:
        """Return the page on which one problem is solved."""
        problem = self.requested(request)
        query, fault = ALL_PROBLEMS, None
        try:
            query = self._query(request)
        except ValueError as error:
            fault = str(error)
        following = next(self._store.find(replace(query.selection, after=problem.id, limit=1)), None)
        place = ""  # in the list
        if query.values:
            total = self._store.count(query.selection)
            place = f"{total - self._store.count(replace(query.selection, after=problem.id))} / {total}"
        return self.rendered(
            request, "problem.html", query=query, fault=fault, place=place,
            problem=self._summaries([problem], self.language_of(request))[0],
            next=None if following is None else following.id,
            described=templates.problem_description(problem, self.language_of(request)),
        )  # fmt: skip

    def compose(self, request: Request) -> Response:
        """Return the page for composing; its scripts read the address."""
        language = self.language_of(request)
        page = self.rendered(
            request, "compose.html", longest=TEXTS, themes=theme_choices(language),
            help=templates.compose_help(language), has_solver=self._has_solver,
        )  # fmt: skip
        page.headers["Content-Security-Policy"] = SOLVER_POLICY
        return page

    def training(self, request: Request) -> Response:
        """Return the page for training; its scripts ask for problems."""
        language = self.language_of(request)
        lengths = [(length, length) for length in self._store.lengths()]
        lessons = templates.lessons_shown(self._course(*self._period()), language)
        return self.rendered(request, "training.html", themes=theme_choices(language), lengths=lengths, lessons=lessons)

    def games(self, request: Request) -> Response:
        """Return the page on which games are read; its scripts search them."""
        page = self.rendered(request, "games.html", has_solver=self._has_solver)
        page.headers["Content-Security-Policy"] = SOLVER_POLICY
        return page

    def diagram(self, request: Request) -> Response:
        """Return the diagram of a problem's first position."""
        drawn = templates.diagram(format_sfen(self.requested(request).position), self.language_of(request))
        return Response(drawn, media_type="image/svg+xml")

    def line(self, request: Request) -> Response:
        """Return the line of a problem as text, for the answers of a sheet."""
        problem, language = self.requested(request), self.language_of(request)
        return PlainTextResponse(templates.answer_fields(problem, None, language)["line"])

    def requested(self, request: Request) -> StoredProblem:
        """Return the problem of the address. Raises `HTTPException`, 404, if there is none."""
        number = int(request.path_params["id"])
        problem = self._store.get(number) if 1 <= number <= MAX_ID else None
        if problem is None:
            raise HTTPException(404, "no such problem")
        return problem

    def missing(self, request: Request) -> Response:
        """Return the page for an unknown address."""
        return self.message(request, phrase(self.language_of(request), "page.not_found"), 404)

    def message(self, request: Request, text: str, status: int) -> Response:
        """Return a page with one message."""
        return self.rendered(request, "message.html", status, text=text)

    def language_of(self, request: Request) -> Language:
        """Return the language of the query, of the browser, or the default."""
        wanted = request.query_params.get("lang")
        if wanted not in LANGUAGES and self._asks_browser:
            wanted = browser_language(request.headers.get("Accept-Language"))
        return next((language for language in LANGUAGES if language == wanted), self._language)

    async def answer(self, request: Request) -> Response:
        """Return the answer of a problem, a part of its page, which asks for it after the solution."""
        problem, language = await run_in_threadpool(self.requested, request), self.language_of(request)
        content = await self._answers.content(AnswerJob.of(problem, language, self._seconds))
        to = _ServedAddresses(language, ALL_PROBLEMS)
        values = {"answer": json.loads(content)}
        return HTMLResponse(templates.rendered_template(self._templates, "answer.html", language, to, **values))

    def rendered(
        self, request: Request, template: str, status: int = 200, query: ListQuery = ALL_PROBLEMS, **values: Any
    ) -> Response:
        """Return a page from a template; ``query`` is the list to which it leads back."""
        language = self.language_of(request)
        other = "en" if language == "ja" else "ja"
        page = templates.rendered_template(
            self._templates, template, language, _ServedAddresses(language, query),
            query=query, other=other, other_address=f"?{request.url.include_query_params(lang=other).query}",
            **values,
        )  # fmt: skip
        return HTMLResponse(page, status, {"Vary": "Accept-Language"} if self._asks_browser else None)


class _ServedAddresses:
    """The addresses of the server, for pages in a language; those of problems remember their list."""

    def __init__(self, language: Language, query: ListQuery) -> None:
        self._language = language
        self._query = query.address(language)
        self._list = query.address(language, None if query.values else 1)

    @property
    def home(self) -> str:
        return f"/?{self._query}"

    @property
    def problems(self) -> str:
        return f"/?{self._list}"

    @property
    def training(self) -> str:
        return f"/training?lang={self._language}"

    @property
    def day_feed(self) -> str:
        return f"/day.xml?lang={self._language}"

    @property
    def games(self) -> str:
        return f"/games?lang={self._language}"

    @property
    def compose(self) -> str:
        return f"/compose?lang={self._language}"

    def compose_from(self, sfen: str) -> str:
        return f"/compose?{urlencode({'sfen': sfen, 'quiet': 1, 'lang': self._language})}"

    def static(self, name: str) -> str:
        return f"/static/{name}?v={templates.static_version()}"

    def solver(self, name: str) -> str:
        return f"/static/{name}"  # it may change while the server runs

    def problem(self, number: int) -> str:
        return f"/problems/{number}?{self._query}"

    def diagram(self, number: int) -> str:
        return f"/problems/{number}.svg?lang={self._language}"

    def api(self, number: int) -> str:
        return f"/api/problems/{number}"

    def line(self, number: int) -> str:
        return f"/problems/{number}/line?lang={self._language}"

    def answer(self, number: int) -> str:
        return f"/problems/{number}/answer?lang={self._language}"
