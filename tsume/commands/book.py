# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume book``"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from db.errors import StoreError, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume import __version__
from tsume.book.content import ANSWERS, PAPERS, PER_PAGE, Answers, BookletOptions, Paper, booklet_content
from tsume.book.pages import book_pdf
from tsume.commands.look_options import spoken_look_options
from tsume.commands.options import (
    memory_option,
    seconds_option,
    selection_options,
    store_option,
    title_text,
)
from tsume.diagrams.captions import number_text
from tsume.diagrams.font_glyphs import MISSING
from tsume.diagrams.look import DiagramLook
from tsume.extras import require_extra
from tsume.files.inputs import print_complaint
from tsume.files.writing import require_one_file, write_data
from tsume.language.catalogue import Language, phrase
from tsume.progress import with_progress_bar
from tsume.services.trees import ReplyTreeBuilder, map_with_builder
from tsume_rules.position import Position

_PROOF_NODES = 20_000
"""Nodes for the proofs of a problem's tries: a booklet shows only a few, those that are proved quickly."""
_SLOW_SECONDS = 5.0
"""A problem whose explanation takes longer is named."""
_MOST_SIGNS = 20
"""Characters that a message lists."""


@click.command()
@store_option
@click.option("-o", "--output", metavar="PATH", required=True, help="Output file; - for stdout.")
@click.option("--paper", type=click.Choice(PAPERS), default="a5", show_default=True, help="Page size.")
@click.option("--per-page", type=click.Choice([str(n) for n in PER_PAGE]), default="2", show_default=True,
              help="Problems per page.")  # fmt: skip
@click.option("--answers", type=click.Choice(ANSWERS), default="back", show_default=True,
              help="Where the answers are: all at the end, or on the reverse of each page.")  # fmt: skip
@click.option(
    "--book-title", default="", callback=title_text, metavar="TEXT", help="Title on the title page."
)
@click.option(
    "--book-author",
    default="",
    callback=title_text,
    metavar="TEXT",
    help="Author on the title page.",
)
@click.option("--no-explanations", is_flag=True, help="Only the lines, without variations and tries.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256),
              help="Number of processes; by default one per processor.")  # fmt: skip
@spoken_look_options
@seconds_option(10.0)
@memory_option
@selection_options
def book(
    place: str,
    output: str,
    paper: Paper,
    per_page: str,
    answers: Answers,
    book_title: str,
    book_author: str,
    no_explanations: bool,
    jobs: int | None,
    look: DiagramLook,
    languages: tuple[Language, ...],
    seconds: float,
    memory: int,
    wanted: ProblemSelection,
) -> None:
    """Print stored problems as a booklet: PDF with answers, variations, tries and an index of themes.

    The problems are in sections by length, sorted by --sort.
    """
    require_extra("print")
    require_one_file(output, "a booklet")
    options = BookletOptions(paper, int(per_page), answers, languages, book_title, book_author, look)
    builder = (
        None
        if no_explanations
        else ReplyTreeBuilder(seconds, memory, proof_nodes=_PROOF_NODES, only_line=True)
    )
    try:
        problems = _problems_by_length(place, wanted)
        explained = _with_reply_trees(problems, builder, jobs or os.cpu_count() or 1)
        with TemporaryDirectory(prefix="tsume-") as folder:
            made = booklet_content(
                explained,
                options,
                f"tsume {__version__}",
                len(problems),
                partial(_save_picture, Path(folder)),
            )
            _complain_of_missing(made.missing, output)
            page_words = partial(_page_words, options.languages[0])
            pdf = book_pdf(made, Path(folder), _creation_time(), page_words)
    except (StoreError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    write_data(pdf, output)


def _save_picture(folder: Path, name: str, picture: str) -> None:
    (folder / name).write_text(picture, encoding="utf-8")


def _page_words(language: Language, number: int) -> str:
    return phrase(language, "book.page", number=number_text(number, language))


def _complain_of_missing(missing: frozenset[str], output: str) -> None:
    if missing:
        signs = " ".join(stored_value_excerpt(sign) for sign in sorted(missing)[:_MOST_SIGNS])
        more = " ..." if len(missing) > _MOST_SIGNS else ""
        print_complaint(output, f"the font lacks these characters, each shown as {MISSING}: {signs}{more}")


def _problems_by_length(place: str, wanted: ProblemSelection) -> list[StoredProblem]:
    """The problems by length, in the order asked for."""
    with Store.open(place, create=False) as store:
        return sorted(map(store.playable, store.find(wanted)), key=lambda problem: problem.length)


def _with_reply_trees(
    problems: list[StoredProblem], builder: ReplyTreeBuilder | None, jobs: int
) -> Iterator[tuple[StoredProblem, ReplyTree | None]]:
    if builder is None:
        yield from ((problem, None) for problem in problems)
        return
    trees = map_with_builder(_timed_tree, [problem.position for problem in problems], jobs, builder)
    for problem, (tree, seconds) in zip(problems, with_progress_bar(trees, len(problems)), strict=True):
        if seconds > _SLOW_SECONDS:
            print_complaint(f"problem {problem.id}", f"its explanation took {seconds:.0f} s")
        yield problem, tree


def _timed_tree(builder: ReplyTreeBuilder, position: Position) -> tuple[ReplyTree, float]:
    """The tree of a position, and the seconds it took."""
    began = time.monotonic()
    return builder.build(position), time.monotonic() - began


def _creation_time() -> int:
    """Seconds since 1970; SOURCE_DATE_EPOCH overrides it, for reproducible builds."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(given) if given.isascii() and given.isdigit() else int(time.time())
