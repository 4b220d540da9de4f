"""The pages: the list of problems and the page of one."""

from __future__ import annotations

from itertools import islice
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from db.selection import ORDERS, Selection
from db.store import Store
from db.stored_problem import StoredProblem
from generator.problem import STORED
from generator.theme_names import NAMES
from tsume.diagrams.words import mate_in
from tsume.language.catalogue import LANGUAGES, Language, phrase
from tsume.language.voice import theme_name
from tsume.web.asked import PER_PAGE, Asked
from tsume.web.sprite import diagram
from tsume_rules.sfen import format_sfen

_NEAR = 500
"""Ids that are looked at for the next problem."""
MOST_ID = 2**31 - 1
_KEYS = {
    "arrows": "← ↑ ↓ →",
    "letters": "P L N S G B R K",
    "enter": "Enter Esc",
    "plus": "+",
    "x": "X",
    "h": "H",
    "delete": "Delete",
    "undo": "U Y",
    "mirror": "M",
    "steps": ", . Esc",
    "mouse": "",
}
"""What the keys of the compose page do, by the name of its phrase."""


class Pages:
    """The pages on a store, in the language that the address asks for or else in ``language``.

    What a page says gives nothing away: themes are named only where they were asked for.
    """

    def __init__(self, store: Store, language: Language) -> None:
        self._store = store
        self._language = language
        self._templates = Environment(
            loader=PackageLoader("tsume.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip

    def problems(self, request: Request) -> Response:
        """The list."""
        language = self.language_of(request)
        try:
            asked = Asked.of(request.query_params)
        except ValueError as fault:
            return self.message(request, phrase(language, "web.bad_query", fault=fault), 400)
        first = (asked.page - 1) * PER_PAGE
        found = list(islice(self._store.find(asked.selection), first, None))
        return self._page(
            request,
            "list.html",
            problems=[self._summary(problem, language) for problem in found[:PER_PAGE]],
            asked=asked,
            more=len(found) > PER_PAGE,
            themes=[(tag, theme_name(language, tag)) for tag in NAMES],
            grades=[(grade.value, phrase(language, f"grades.{grade.value}")) for grade in STORED],
            orders=ORDERS,
        )

    def problem(self, request: Request) -> Response:
        """The page of one problem, to solve it."""
        problem = self.found(request)
        if problem is None:
            return self.missing(request)
        return self._page(
            request,
            "problem.html",
            problem=self._summary(problem, self.language_of(request)),
            next=self._next(problem.id),
        )

    def compose(self, request: Request) -> Response:
        """The page on which problems are composed; its scripts read the address."""
        language = self.language_of(request)
        return self._page(
            request,
            "compose.html",
            themes=[(tag, theme_name(language, tag)) for tag in NAMES],
            help=[(keys, phrase(language, f"compose.key_{name}")) for name, keys in _KEYS.items()],
        )

    def diagram(self, request: Request) -> Response:
        """The diagram of a problem, as it is before the first move."""
        problem = self.found(request)
        if problem is None:
            return self.missing(request)
        drawn = diagram(format_sfen(problem.position), self.language_of(request))
        return Response(drawn, media_type="image/svg+xml")

    def found(self, request: Request) -> StoredProblem | None:
        """The problem that the address names."""
        number = int(request.path_params["id"])
        return self._store.get(number) if 1 <= number <= MOST_ID else None

    def missing(self, request: Request) -> Response:
        """The answer where nothing is."""
        return self.message(request, phrase(self.language_of(request), "web.not_found"), 404)

    def message(self, request: Request, text: str, status: int) -> Response:
        """A page with one sentence."""
        return self._page(request, "message.html", status, text=text)

    def rendered(self, request: Request, template: str, **values: Any) -> Response:
        """A page from a template."""
        return self._page(request, template, **values)

    def language_of(self, request: Request) -> Language:
        """The language that the address asks for."""
        asked = request.query_params.get("lang")
        return next((language for language in LANGUAGES if language == asked), self._language)

    def _next(self, number: int) -> int | None:
        wanted = Selection(ids=range(number + 1, number + 1 + _NEAR), limit=1)
        return next((problem.id for problem in self._store.find(wanted)), None)

    def _summary(self, problem: StoredProblem, language: Language) -> dict[str, Any]:
        return {
            "id": problem.id,
            "sfen": format_sfen(problem.position),
            "title": problem.notebook.title,
            "author": problem.notebook.author,
            "length": problem.length,
            "mate_in": mate_in(problem.length, language),
            "stars": problem.difficulty.stars,
        }

    def _page(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        language = self.language_of(request)
        page = self._templates.get_template(template).render(
            say=lambda name, **parts: phrase(language, name, **parts),
            language=language,
            composes=True,
            other="en" if language == "ja" else "ja",
            other_address=str(
                request.url.include_query_params(lang="en" if language == "ja" else "ja").query
            ),
            **values,
        )
        return HTMLResponse(page, status)
