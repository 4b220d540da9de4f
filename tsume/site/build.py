# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of a site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib.resources import files

from db.stored_problem import StoredProblem
from tsume.parallel.ordered_map import ordered_map
from tsume.services.trees import ReplyTreeBuilder
from tsume.site.addresses import (
    COMPOSE,
    LICENCE,
    OFFLINE,
    PROGRAM_LICENCE,
    STATIC,
    TRAINING,
    diagram_file,
    problem_file,
    tree_file,
)
from tsume.site.data import days_script, problem_tree, problems_script, site_tree_builder, tree_script
from tsume.site.feed import feeds, sitemaps
from tsume.site.installing import icon_files, manifest_file
from tsume.site.licence import program_licence
from tsume.site.lists import listings
from tsume.site.options import SiteOptions
from tsume.site.pages import (
    ListPages,
    compose_page,
    licence_page,
    offline_page,
    problem_page,
    training_page,
)
from tsume.warmup import KernelPart
from tsume.web.assets import (
    compose_words_script,
    diagram,
    pieces_script,
    training_words_script,
    words_script,
)
from tsume_rules.sfen import format_sfen

_SHARED = (
    "page.css", "print.css", "sheet.js", "board.css", "training.css", "compose.css", "icon.svg", "day.js",
    "day_rotation.js", "glicko2.js", "repetition.js", "training_store.js", "trainer_browser.js",
    "charts.js", "training_view.js", "training.js", "phrases.js", "dom.js", "storage.js", "settings.js",
    "settings_view.js", "sound.js", "position.js", "position_change.js", "movement.js", "notation.js",
    "board_drawing.js", "board_view.js", "piece_drag.js", "board_input.js", "promotion_dialog.js",
    "board.js", "glossary.js", "attempt.js", "attempts.js", "hints.js", "player_view.js", "player.js",
    "results.js", "move_line.js", "analysis.js", "answer.js", "errors.js", "local_solver.js",
    "tree_solver.js", "problem.js", "list.js", "arrangement.js", "sfen.js", "legality.js", "editor_view.js",
    "editor.js", "line_player.js", "findings.js", "explained_turns.js", "explanation.js", "verdict.js",
    "clipboard.js", "edit_history.js", "composition.js", "export.js", "reading.js", "reading_report.js",
    "compose_address.js", "compose_page.js", "compose_forms.js", "compose_keys.js", "compose_drop.js",
    "compose.js", "drafts.js", "compose_jobs.js", "find_store.js", "job_panel.js",
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


def problem_files(builder: ReplyTreeBuilder, job: ProblemJob) -> list[File]:
    """The page of a problem, its diagram and its reply tree in each language."""
    options, problem = job.options, job.problem
    tree = problem_tree(builder, problem)
    found: list[File] = []
    for language in options.languages:
        folder = options.folder(language)
        page = problem_page(options, language, problem, job.following)
        drawn = diagram(format_sfen(problem.position), language)
        found += [
            (folder + problem_file(problem.id), page),
            (folder + diagram_file(problem.id), drawn),
            (folder + tree_file(problem.id), tree_script(problem, tree, language)),
        ]
    return found


def all_problem_files(
    options: SiteOptions, problems: Sequence[StoredProblem], jobs: int | None
) -> Iterator[list[File]]:
    """The files of each problem, in their order, by ``jobs`` processes; None: as many as are worth it."""
    numbers = [problem.id for problem in problems]
    pairs = zip(problems, [*numbers[1:], None], strict=True)
    work = [ProblemJob(options, problem, after) for problem, after in pairs]
    make = partial(partial, problem_files, site_tree_builder())
    with closing(ordered_map(make, work, jobs, (KernelPart.ENGINE,))) as made:
        yield from made


def other_files(options: SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[File]:
    """Everything but the problems and the static files: lists, licence, feed, map, manifest."""
    lists = list(listings(problems))
    for language in options.languages:
        pages = ListPages(options, language, problems)
        for listing in lists:
            for page in range(1, listing.pages + 1):
                yield options.folder(language) + listing.file(page), pages.page(listing, page)
        yield options.folder(language) + TRAINING, training_page(options, language, problems)
        yield options.folder(language) + COMPOSE, compose_page(options, language)
        yield options.folder(language) + OFFLINE, offline_page(options, language)
        yield options.folder(language) + LICENCE, licence_page(options, language, problems)
    yield manifest_file(options)
    yield ".nojekyll", ""
    if options.url is not None:
        yield from feeds(options, problems)
        yield from sitemaps(options, problems, lists)


def static_files(
    options: SiteOptions, problems: Sequence[StoredProblem], solver: Mapping[str, str | bytes]
) -> Iterator[File]:
    """Scripts, styles and pictures of all pages; ``solver`` are the scripts of the solver, by name."""
    yield from icon_files()
    for room, names in (("tsume.web", _SHARED), ("tsume.site", _OWN)):
        for name in names:
            yield f"{STATIC}/{name}", (files(room) / "static" / name).read_text(encoding="utf-8")
    yield f"{STATIC}/pieces.js", pieces_script()
    yield f"{STATIC}/words.js", words_script(options.languages)
    yield f"{STATIC}/training_words.js", training_words_script(options.languages)
    yield f"{STATIC}/compose_words.js", compose_words_script(options.languages)
    for name, content in solver.items():
        yield f"{STATIC}/{name}", content
    yield f"{STATIC}/days.js", days_script(problems)
    yield f"{STATIC}/problems.js", problems_script(problems, options.languages)
    if text := program_licence():
        yield f"{STATIC}/{PROGRAM_LICENCE}", text
