"""The templates of pages and the addresses in them, shared by `tsume serve` and folders of pages."""

from __future__ import annotations

from typing import Any, Protocol

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from db.notebook import printable
from db.stored_problem import StoredProblem
from tsume.diagrams.captions import description, mate_in
from tsume.diagrams.look import Scene
from tsume.language.catalogue import Language, phrase
from tsume_rules.sfen import format_sfen


class Addresses(Protocol):
    """The addresses in a page."""

    @property
    def home(self) -> str:
        """The list."""

    def static(self, name: str) -> str:
        """A script, a style or a picture of all pages."""

    def problem(self, number: int) -> str:
        """The page of a problem."""

    def diagram(self, number: int) -> str:
        """The diagram of a problem."""

    def tree(self, number: int) -> str:
        """The reply tree of a problem."""


def environment(*packages: str) -> Environment:
    """The templates of these packages, in this order, and those of the board."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, "tsume.web")]), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def rendered(templates: Environment, name: str, language: Language, to: Addresses, **values: Any) -> str:
    """A page in a language, with the addresses ``to``."""
    return templates.get_template(name).render(
        say=lambda phrase_name, **parts: phrase(language, phrase_name, **parts),
        language=language,
        to=to,
        **values,
    )


def described(problem: StoredProblem, language: Language) -> str:
    """The first position in words, for screen readers."""
    return f"{mate_in(problem.length, language)}. {description(Scene(problem.position), language)}"


def summary(problem: StoredProblem, language: Language) -> dict[str, Any]:
    """The fields of a problem that pages show before it is solved."""
    return {
        "id": problem.id,
        "sfen": format_sfen(problem.position),
        "title": printable(problem.notebook.title),
        "author": printable(problem.notebook.author),
        "length": problem.length,
        "mate_in": mate_in(problem.length, language),
        "stars": problem.difficulty.stars,
    }
