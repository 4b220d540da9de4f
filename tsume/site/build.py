"""All files of a site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from db.stored_problem import StoredProblem
from tsume.services.trees import ReplyTreeBuilder, map_with_builder
from tsume.site.addresses import (
    LICENCE,
    PROGRAM_LICENCE,
    STATIC,
    TRAINING,
    diagram_file,
    problem_file,
    tree_file,
)
from tsume.site.data import days_script, problems_script
from tsume.site.feed import feeds, sitemaps
from tsume.site.installing import icon_files, manifest_file
from tsume.site.licence import program_licence
from tsume.site.lists import listings
from tsume.site.options import SiteOptions
from tsume.site.pages import ListPages, licence_page, problem_page, training_page
from tsume.site.play import tree_script
from tsume.web.assets import diagram, pieces_script, training_words_script, words_script
from tsume.web.play_tree import first_tree, is_playable, settled_fields
from tsume_rules.sfen import format_sfen

_SHARED = (
    "page.css", "board.css", "training.css", "icon.svg", "day.js", "day_rotation.js", "glicko2.js",
    "repetition.js", "training_store.js", "trainer_browser.js", "charts.js", "training_view.js",
    "training.js", "phrases.js", "dom.js", "storage.js", "settings.js", "settings_view.js", "sound.js",
    "position.js", "position_change.js", "movement.js", "notation.js", "board_drawing.js",
    "board_view.js", "piece_drag.js", "board_input.js", "promotion_dialog.js", "board.js", "glossary.js",
    "attempt.js", "player_view.js", "player.js", "results.js", "move_line.js", "analysis.js", "answer.js",
    "tree_script.js", "problem.js", "list.js",
)  # fmt: skip
"""Files of the board that a site copies."""
_OWN = ("site.css", "install.js", "list_order.js")

File = tuple[str, str | bytes]
"""A path relative to the site's folder, and the content."""


@dataclass(frozen=True)
class ProblemJob:
    """The job for the files of one problem; ``following`` is the next problem's id."""

    options: SiteOptions
    problem: StoredProblem
    following: int | None


@dataclass(frozen=True)
class ProblemFiles:
    """The files of a problem; whether it can be played and whether its tree is whole."""

    files: list[File] = field(default_factory=list)
    playable: bool = True
    complete: bool = True


def problem_files(builder: ReplyTreeBuilder, job: ProblemJob) -> ProblemFiles:
    """The page of a problem in each language, its diagrams, its tree."""
    options, problem = job.options, job.problem
    position = problem.position
    tree = first_tree(builder, position, problem.length)
    fields = settled_fields(builder, tree, position, problem.length, options.languages)
    found: list[File] = [(tree_file(problem.id), tree_script(fields))] if is_playable(tree) else []
    explained = builder.build(position, only_line=True)
    for language in options.languages:
        folder = options.folder(language)
        page = problem_page(options, language, problem, explained, job.following)
        drawn = diagram(format_sfen(problem.position), language)
        found += [(folder + problem_file(problem.id), page), (folder + diagram_file(problem.id), drawn)]
    return ProblemFiles(found, is_playable(tree), _is_complete(fields))


def _is_complete(fields: dict[str, Any]) -> bool:
    """Whether each check of a tree has a result."""
    return all(check["result"] != "open" for turn in fields["turns"] for check in turn["checks"])


def built_problem_files(
    options: SiteOptions, problems: Sequence[StoredProblem], jobs: int, builder: ReplyTreeBuilder
) -> Iterator[ProblemFiles]:
    """The files of each problem, in their order, by ``jobs`` processes."""
    numbers = [problem.id for problem in problems]
    pairs = zip(problems, [*numbers[1:], None], strict=True)
    return map_with_builder(
        problem_files, [ProblemJob(options, problem, after) for problem, after in pairs], jobs, builder
    )


def other_files(options: SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[File]:
    """Everything but the problems and the static files: lists, licence, feed, map, manifest."""
    lists = list(listings(problems))
    for language in options.languages:
        pages = ListPages(options, language, problems)
        for listing in lists:
            for page in range(1, listing.pages + 1):
                yield options.folder(language) + listing.file(page), pages.page(listing, page)
        yield options.folder(language) + TRAINING, training_page(options, language, problems)
        yield options.folder(language) + LICENCE, licence_page(options, language, problems)
    yield manifest_file(options)
    yield ".nojekyll", ""
    if options.url is not None:
        yield from feeds(options, problems)
        yield from sitemaps(options, problems, lists)


def static_files(options: SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[File]:
    """Scripts, styles and pictures of all pages."""
    yield from icon_files()
    for room, names in (("tsume.web", _SHARED), ("tsume.site", _OWN)):
        for name in names:
            yield f"{STATIC}/{name}", (files(room) / "static" / name).read_text(encoding="utf-8")
    yield f"{STATIC}/pieces.js", pieces_script()
    yield f"{STATIC}/words.js", words_script(options.languages)
    yield f"{STATIC}/training_words.js", training_words_script(options.languages)
    yield f"{STATIC}/days.js", days_script(problems)
    yield f"{STATIC}/problems.js", problems_script(problems, options.languages)
    if text := program_licence():
        yield f"{STATIC}/{PROGRAM_LICENCE}", text
