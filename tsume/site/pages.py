# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a site: problems, lists, the first page, the terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any, Literal
from urllib.parse import urlencode

from jinja2 import Environment

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume import __version__
from tsume.collection import course
from tsume.files.writing import OutputFolderKind
from tsume.language.catalogue import Language, phrase, theme_choices, theme_name, theme_text
from tsume.reports.explanation import Remark
from tsume.training.ratings import daily_problem_rotation
from tsume.uses.trees import SITE as SITE_TREE
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web import templates
from tsume.web.rendered import play_fields
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

# --- the options of a site -------------------------------------------------------------------------

PER_PAGE = 60
"""Problems on a page of a list."""


@dataclass(frozen=True)
class SiteOptions:
    """``languages`` are those of the pages; the first is in the folder itself, the other in a subfolder.

    An empty ``title`` is the default one. ``url`` is the site's address, with a slash at its end, None if
    unknown. ``licence`` replaces the default text on terms. ``static_version`` is that of scripts and
    styles. ``has_solver``: these contain the solver. ``previews``: problems have a PNG, to which other sites link.
    """

    languages: tuple[Language, ...] = ("ja",)
    title: str = ""
    url: str | None = None
    licence: str | None = None
    static_version: str = ""
    has_solver: bool = False
    previews: bool = False

    def folder(self, language: Language) -> str:
        """Return the subfolder of a language: empty or with a slash at its end."""
        return "" if language == self.languages[0] else f"{language}/"


# --- the folder of a site --------------------------------------------------------------------------

INDEX, TRAINING, GAMES, COMPOSE = "index.html", "training.html", "games.html", "compose.html"
LICENCE, FEED, OFFLINE = "licence.html", "feed.xml", "offline.html"
MANIFEST, WORKER = "manifest.webmanifest", "service-worker.js"
STATIC = "static"
PROGRAM_LICENCE = "GPL-3.txt"
"""The licence of the scripts and styles, beside them."""


def problem_file(number: int) -> str:
    """Return the page of a problem, relative to the folder of its language."""
    return f"problems/{number}.html"


def diagram_file(number: int) -> str:
    """Return the diagram of a problem, relative to the folder of its language."""
    return f"problems/{number}.svg"


def preview_file(number: int) -> str:
    """Return the diagram of a problem as a PNG, relative to the folder of its language."""
    return f"problems/{number}.png"


def tree_file(number: int) -> str:
    """Return the script with the reply tree of a problem, relative to the folder of its language."""
    return f"problems/{number}.js"


def static_address(options: SiteOptions, name: str) -> str:
    """Return the address of a file that all pages use: it changes with the contents of these files."""
    return f"{name}?v={options.static_version}" if options.static_version else name


@dataclass(frozen=True)
class _RelativeAddresses:
    """Addresses relative to ``page`` in the folder of ``language``."""

    options: SiteOptions
    language: Language
    page: str

    @property
    def home(self) -> str:
        return self.file(INDEX)

    @property
    def problems(self) -> str:
        return f"{self.home}#problems"

    @property
    def training(self) -> str:
        return self.file(TRAINING)

    @property
    def games(self) -> str:
        return self.file(GAMES)

    @property
    def compose(self) -> str:
        return self.file(COMPOSE)

    def compose_from(self, sfen: str) -> str:
        """Return the page for composing with a position, whose verdict is not shown yet."""
        return f"{self.compose}?{urlencode({'sfen': sfen, 'quiet': 1})}"

    def static(self, name: str) -> str:
        """Return the address of a script or a style; words are those of the page's language."""
        name = name.replace("words.js", f"words.{self.language}.js")
        return self.of_site(static_address(self.options, f"{STATIC}/{name}"))

    def solver(self, name: str) -> str:
        return self.static(name)

    def of_site(self, name: str) -> str:
        return _relative(name, dirname(self.options.folder(self.language) + self.page))

    def problem(self, number: int) -> str:
        return self.file(problem_file(number))

    def diagram(self, number: int) -> str:
        return self.file(diagram_file(number))

    def api(self, number: int) -> str:
        """Return the script with the reply tree of a problem: all that answers without the solver."""
        return self.file(tree_file(number))

    def line(self, number: int) -> str:
        """Return the script with the line of a problem, which is that of its tree."""
        return self.api(number)

    def file(self, name: str) -> str:
        return self.of_site(self.options.folder(self.language) + name)

    def absolute(self, language: Language) -> str:
        """Return the same page in a language, absolute if the site's URL is known."""
        name = self.options.folder(language) + self.page
        return self.of_site(name) if self.options.url is None else self.options.url + name


@lru_cache(4096)
def _relative(name: str, folder: str) -> str:
    return relpath(name, folder or ".")


# --- the folder of a site --------------------------------------------------------------------------

SITE = OutputFolderKind("site", ".tsume-site")
"""A folder of pages."""


# --- the lists of a site, in pages: all problems, by length, by theme ------------------------------

Kind = Literal["all", "moves", "theme"]


@dataclass(frozen=True)
class ProblemListing:
    """Some of the problems in an order: as they were selected, or ``easy``, the lowest score first.

    ``value`` is the length of lists by length, the tag of lists by theme, empty for the list of all.
    """

    kind: Kind
    value: str
    easy: bool
    problems: Sequence[StoredProblem]

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return -(-len(self.problems) // PER_PAGE)

    def on(self, page: int) -> Sequence[StoredProblem]:
        """Return the problems on a page, from 1."""
        return self.problems[(page - 1) * PER_PAGE : page * PER_PAGE]

    @property
    def name(self) -> str:
        """The name of the list in addresses."""
        return list_name(self.kind, self.value, easy=self.easy)

    def file(self, page: int = 1) -> str:
        """Return the file of a page, from the folder of its language."""
        return list_file(self.kind, self.value, page, easy=self.easy)


def list_file(kind: Kind, value: str, page: int = 1, *, easy: bool) -> str:
    """Return the file of a page of a list, from the folder of its language."""
    name = list_name(kind, value, easy=easy) + (f"-{page}" if page > 1 else "")
    return INDEX if name == "all" else f"lists/{name}.html"


def list_name(kind: Kind, value: str, *, easy: bool) -> str:
    """Return the name of a list in addresses: ``moves-5-easy``."""
    return "-".join([kind, *([value] if value else []), *(["easy"] if easy and kind != "theme" else [])])


def problem_listings(problems: Sequence[StoredProblem]) -> Iterator[ProblemListing]:
    """Yield all lists: of all problems and of each length in both orders, of each theme the easiest first."""
    easiest = easiest_first(problems)
    for length in [None, *problem_counts_by_length(problems)]:
        for found, easy in ((problems, False), (easiest, True)):
            if length is None:
                yield ProblemListing("all", "", easy, found)
            else:
                yield ProblemListing("moves", str(length), easy, [one for one in found if one.length == length])
    for tag in problem_counts_by_theme(problems):
        yield ProblemListing("theme", tag, True, [one for one in easiest if tag in one.themes])


def easiest_first(problems: Sequence[StoredProblem]) -> list[StoredProblem]:
    """Problems in the order of their scores."""
    return sorted(problems, key=lambda one: (one.difficulty.score, one.id))


def problem_counts_by_length(problems: Sequence[StoredProblem]) -> dict[int, int]:
    """Return how many problems there are of each length, the shortest first."""
    return dict(sorted(Counter(problem.length for problem in problems).items()))


def problem_counts_by_theme(problems: Sequence[StoredProblem]) -> dict[str, int]:
    """Return how many problems have each theme, by tag."""
    return dict(sorted(Counter(tag for problem in problems for tag in problem.themes).items()))


# --- the terms of a site's problems, scripts and fonts ---------------------------------------------

_FILE = "LICENSE"


def licence_texts(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> list[str]:
    """Return the paragraphs of the licence page."""

    def say(name: str, **parts: object) -> str:
        return phrase(language, f"site.{name}", **parts)

    composed = [problem for problem in problems if problem.provenance is not None]
    by_people = [problem for problem in problems if problem.provenance is None]
    authors = sorted({printable_note(problem.notebook.author) for problem in problems if problem.notebook.author})
    told = [options.licence.strip()] if options.licence is not None else [say("rights")]
    if composed:
        versions = sorted({printable_note(problem.version) for problem in composed})
        told.append(say("composed", number=len(composed), versions=say("comma").join(versions)))
    if by_people:
        told.append(say("by_people", number=len(by_people)))
    if authors:
        told.append(say("authors", names=say("comma").join(authors)))
    return [*told, say("program", program=f"tsume {__version__}"), say("font")]


def program_licence() -> str | None:
    """Return the licence of the program's scripts and styles; None if its file is missing."""
    beside = Path(__file__).parents[2] / _FILE
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        return distribution("tsume-shogi").read_text(f"licenses/{_FILE}")
    except PackageNotFoundError:
        return None


# --- the pages of a site ---------------------------------------------------------------------------


def problem_page(
    options: SiteOptions, language: Language, problem: StoredProblem, following: int | None, remarks: Sequence[Remark]
) -> str:
    """Return the page of a problem; ``following`` is the next one's id, ``remarks`` are those of its comment."""
    return _site_page(
        options, language, problem_file(problem.id), "problem_page.html",
        problem=templates.problem_summary(problem, language),
        next=following,
        described=templates.problem_description(problem, language),
        preview=f"{options.url}{options.folder(language)}{preview_file(problem.id)}" if options.previews else "",
        answer=templates.answer_fields(problem, None, language, remarks),
    )  # fmt: skip


def single_pages(
    options: SiteOptions, language: Language, problems: Sequence[StoredProblem]
) -> Iterator[tuple[str, str]]:
    """Yield the files of the pages that a language has once, and their contents: for training with ``problems``, for
    games, for composing, without a network (instead of a page that the service worker has not kept), on licences."""
    themes = sorted((theme_name(language, tag), tag) for tag in problem_counts_by_theme(problems))
    lengths = [(length, length) for length in problem_counts_by_length(problems)]
    keys, choices = templates.compose_help(language), theme_choices(language)
    texts = licence_texts(options, language, problems)
    licence = PROGRAM_LICENCE if program_licence() else None
    lessons = templates.lessons_shown(course(problems), language)
    trained = {"themes": [(tag, name) for name, tag in themes], "lengths": lengths, "lessons": lessons}
    made: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (TRAINING, "training_page.html", trained),
        (GAMES, "games_page.html", {}),
        (COMPOSE, "compose_page.html", {"help": keys, "themes": choices}),
        (OFFLINE, "offline.html", {}),
        (LICENCE, "licence.html", {"texts": texts, "program_licence": licence}),
    )
    for file, template, values in made:
        yield file, _site_page(options, language, file, template, **values)


class ListPages:
    """Makes the pages of lists in a language; ``problems`` are all of the site."""

    def __init__(self, options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> None:
        self._plan = options
        self._language = language
        self._number = len(problems)
        self._lengths = [
            (templates.mate_in_text(length, language), number, list_file("moves", str(length), easy=False), str(length))
            for length, number in problem_counts_by_length(problems).items()
        ]
        self._themes = sorted(
            (
                (theme_text(language, tag), number, list_file("theme", tag, easy=True), tag)
                for tag, number in problem_counts_by_theme(problems).items()
            ),
            key=lambda one: -one[1],
        )

    def page(self, listing: ProblemListing, page: int) -> str:
        """Return a page of a list, from 1."""
        return _site_page(
            self._plan, self._language, listing.file(page), "list_page.html",
            listing=listing,
            list_hash=f"#list={listing.name}",
            page=page,
            first=(page - 1) * PER_PAGE + 1,
            paging=[
                (number, _relative(listing.file(number), dirname(listing.file(page))) if number else "")
                for number in templates.near_pages(page, listing.pages)
            ],
            total=len(listing.problems),
            heading=self._heading(listing),
            problems=[templates.problem_summary(problem, self._language) for problem in listing.on(page)],
            number=self._number,
            lengths=self._lengths,
            themes=self._themes,
            list_file=list_file,
            is_first=listing.kind == "all" and page == 1 and not listing.easy,
        )  # fmt: skip

    def _heading(self, listing: ProblemListing) -> str:
        if listing.kind == "moves":
            return templates.mate_in_text(int(listing.value), self._language)
        return theme_name(self._language, listing.value) if listing.kind == "theme" else ""


def _site_page(options: SiteOptions, language: Language, file: str, template: str, **values: Any) -> str:
    to = _RelativeAddresses(options, language, file)
    other = next((name for name in options.languages if name != language), None)
    return templates.rendered_template(
        _templates(), template, language, to,
        options=options,
        feed=FEED,
        licence=LICENCE,
        manifest=MANIFEST,
        worker=WORKER,
        has_solver=options.has_solver,
        version=__version__,
        other=other,
        other_address=to.of_site(options.folder(other) + file) if other else None,
        **values,
    )  # fmt: skip


@lru_cache(1)
def _templates() -> Environment:
    return templates.template_environment("tsume.site")


# --- scripts with data about the problems of a site: their trees, the problem of the day, training ---

_LONGEST_WITH_TREE, _MAX_TREE_BYTES = 15, 6000
"""Plies of a problem whose tree is made, and the size of the tree, which pages load before the solver."""
_TREE_CHECK = ("move", "result", "rank", "text", "answer", "answers", "answer_text", "why", "proof_text")
"""The fields of a check that the player uses (docs/board.md)."""
_IN_ONE = ("answer_text", "why", "proof_text")
"""Those of them that are in the language of the page."""
_MAX_TRAINED = 5000
"""Problems for training; all of them are in one script, 150 bytes each."""


def site_tree_builder() -> ReplyTreeBuilder:
    """Return the builder of a site's trees."""
    return ReplyTreeBuilder(SITE_TREE)


def problem_tree(builder: ReplyTreeBuilder, problem: StoredProblem) -> ReplyTree | None:
    """Return the tree with which a problem is played; None if it is long or takes too many nodes."""
    if problem.length > _LONGEST_WITH_TREE:
        return None
    tree = builder.first_tree(problem.position, problem.length)
    return tree if tree.length == problem.length else None


def tree_script(problem: StoredProblem, tree: ReplyTree | None, language: Language) -> str:
    """Return ``TSUME_TREES`` with a problem's tree by its SFEN, and ``TSUME_LINES`` with its line as text.

    The tree is null if there is none, or none so small.

    A tree that is too large loses the turns that its best line does not pass through, the last ones first;
    then what is known of the checks beside this line. The solver is asked for what is missing.
    """
    sfen = json.dumps(format_sfen(problem.position))
    fields = None if tree is None else _fitting(_short_fields(tree, problem.position, language))
    line = templates.compact_json(templates.answer_fields(problem, None, language)["line"])
    return (
        f"(window.TSUME_TREES ||= {{}})[{sfen}] = {templates.compact_json(fields)};\n"
        f"(window.TSUME_LINES ||= {{}})[{sfen}] = {line};\n"
    )


def _short_fields(tree: ReplyTree, position: Position, language: Language) -> dict[str, Any]:
    """The fields that the player uses, in one language but for the texts of checks, which can be typed."""
    fields = play_fields(tree, ParsedSfen(position))
    turns = []
    for turn in fields["turns"]:
        checks = [{name: check[name] for name in _TREE_CHECK if name in check} for check in turn["checks"]]
        for check in checks:
            for holder, names in ((check, _IN_ONE), *((answer, ("text",)) for answer in check.get("answers", ()))):
                holder.update({name: {language: holder[name][language]} for name in names if name in holder})
        turns.append({"key": turn["key"], "checks": checks})
    return {"result": fields["result"], "turns": turns}


def _fitting(fields: dict[str, Any]) -> dict[str, Any] | None:
    turns = fields["turns"]
    line = _line_turns(turns)
    if line is None:
        return None
    while len(turns) > len(line) and _size(fields) > _MAX_TREE_BYTES:
        turns.pop()
        for answer in _answers(turns):
            if answer.get("turn") == len(turns):
                del answer["turn"]
    for number in reversed(line):
        if _size(fields) <= _MAX_TREE_BYTES:
            return fields
        turn = turns[number]
        turn["checks"] = [_opened(one, one["move"] == turn["key"]) for one in turn["checks"]]
    return fields if _size(fields) <= _MAX_TREE_BYTES else None


def _line_turns(turns: list[dict[str, Any]]) -> list[int] | None:
    """Return the turns of the best line, which are the first; None if they are not all there."""
    line = [0]
    while True:
        turn = turns[line[-1]]
        key = next((one for one in turn["checks"] if one["move"] == turn["key"]), None)
        best = None if key is None else next((one for one in key["answers"] if one.get("best")), None)
        if key is None or (best is not None and best.get("turn") != len(line)):
            return None
        if best is None:
            return line
        line.append(best["turn"])


def _answers(turns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for turn in turns:
        for check in turn["checks"]:
            yield from check.get("answers", ())


def _opened(check: dict[str, Any], is_key: bool) -> dict[str, Any]:
    return check if is_key else {"move": check["move"], "text": check["text"], "result": "open"}


def _size(fields: dict[str, Any]) -> int:
    return len(templates.compact_json(fields).encode())


def daily_problems_script(problems: Sequence[StoredProblem]) -> str:
    """``TSUME_DAYS``: number, moves, rating and stars of problems, in random order."""
    rotation = daily_problem_rotation(problems, lambda one: one.canonical)
    days = [(one.id, one.length, round(one.difficulty.rating), one.difficulty.stars) for one in rotation]
    return templates.assignment_script("TSUME_DAYS", days)


def problems_script(problems: Sequence[StoredProblem], languages: Sequence[Language]) -> str:
    """``TSUME_PROBLEMS``: what training knows of at most `_MAX_TRAINED` problems, spread evenly over all;
    ``TSUME_THEMES``: the names of themes."""
    ranks = {one.id: rank for rank, one in enumerate(easiest_first(problems))}
    step = max(1.0, len(problems) / _MAX_TRAINED)
    rows = []
    for one in (problems[int(at * step)] for at in range(min(len(problems), _MAX_TRAINED))):
        stars, rating = one.difficulty.stars, round(one.difficulty.rating)
        title, sfen = printable_note(one.notebook.title), format_sfen(one.position)
        rows.append((one.id, sfen, one.length, stars, rating, title, one.themes, ranks[one.id], one.notebook.tags))
    tags = sorted({tag for one in problems for tag in one.themes})
    names = {tag: {language: theme_name(language, tag) for language in languages} for tag in tags}
    return templates.assignment_script("TSUME_PROBLEMS", rows) + templates.assignment_script("TSUME_THEMES", names)
