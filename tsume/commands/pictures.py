# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume draw``, ``tsume book`` and ``tsume cards``: problems as pictures."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from db.errors import StoreError, stored_value_excerpt
from db.notebook import fault_of_text, is_unprintable
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume import __version__
from tsume.book.content import ANSWERS, PAPERS, PER_PAGE, Answers, BookletOptions, Paper, booklet_content
from tsume.cards import AnkiPackage, CardBuilder
from tsume.commands import options
from tsume.diagrams.glyphs import MISSING
from tsume.diagrams.look import COLOURS, Arrow, DiagramLook, PieceStyle, number_text
from tsume.extras import require_extra
from tsume.files.inputs import PositionInputs, print_complaint
from tsume.files.writing import FORMS, Form, PictureFiles, require_one_file, write_data
from tsume.language.catalogue import LANGUAGES, Language, phrase
from tsume.progress import with_progress_bar
from tsume.reports.explanation import Remark, explanation_text
from tsume.uses.drawing import DiagramRenderer, given_subjects, stored_subjects
from tsume.uses.explaining import PRINTED, Explainer
from tsume.uses.trees import BOOKLET, ReplyTreeBuilder, map_with_builder
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Position

# --- the options for the style of pictures ---------------------------------------------------------

_PIECES = click.option(
    "--pieces", "piece_style", type=click.Choice([style.value for style in PieceStyle]),
    default=PieceStyle.KANJI.value, show_default=True,
    help="What is on the pieces: one or two Japanese characters, letters, or letters with the moves.",
)  # fmt: skip
_STYLE = (
    click.option(
        "--colors", type=click.Choice(list(COLOURS)), default="book", show_default=True,
        help="Black on white, or a wooden board.",
    ),
    options.flag("--no-coordinates", help="Omit the coordinates."),
    options.flag("--defender-hand", help="Also show the defender's hand."),
)  # fmt: skip


def _look_in_languages(
    piece_style: str, language: str, colors: str, no_coordinates: bool, defender_hand: bool
) -> tuple[DiagramLook, tuple[Language, ...]]:
    languages = tuple(name for name in LANGUAGES if language in (name, "both"))
    drawn = languages[-1 if PieceStyle(piece_style).is_international else 0]
    look = DiagramLook(PieceStyle(piece_style), drawn, COLOURS[colors], not no_coordinates, defender_hand)
    return look, languages


_LANGUAGE = options.drawn_language_option("Language of captions, coordinates and descriptions.")
look_options = options.grouped_options("look", lambda **got: _look_in_languages(**got)[0], _PIECES, _LANGUAGE, *_STYLE)
"""The style of pictures: the command gets ``look``, a `DiagramLook`."""
_LANGUAGES = options.drawn_language_option(
    "Language of the text; pictures are Japanese for both, or English with letters.", "both"
)
spoken_look_options = options.grouped_options("spoken_look", _look_in_languages, _PIECES, _LANGUAGES, *_STYLE)
"""The same where words may be in both languages: the command gets ``spoken_look``, with a tuple of these."""


# --- ``tsume draw`` --------------------------------------------------------------------------------


def _moves(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[Move, ...]:
    try:
        moves = tuple(parse_move(word) for text in texts for word in text.split(","))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if still := next((move for move in moves if move.origin == move.target), None):
        raise click.BadParameter(f"{still} starts and ends on the same square")
    return moves


def _caption(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """Return a caption, as long as notes may be; of other characters an SVG would not be well-formed."""
    if text is not None and (fault := fault_of_text("notes", text)):
        raise click.BadParameter(fault)
    return text


@click.command()
@options.position_arguments
@options.store_option
@click.option(
    "-o", "--output", metavar="PATH", help="Output file, or a folder for one picture per problem; - for stdout."
)
@click.option("--format", "form", type=click.Choice(FORMS),
              help="Format; by default that of the file name, else SVG.")  # fmt: skip
@click.option("--scale", type=click.FloatRange(0.1, 20), default=1.5, show_default=True, callback=options.finite_only,
              help="PNG: pixels per unit; a picture is about 460 units wide.")  # fmt: skip
@look_options
@click.option("--caption", callback=_caption, metavar="TEXT",
              help="Text above the board instead of the number of moves; may be empty.")  # fmt: skip
@click.option("--ply", callback=options.parse_move_number, metavar="N|end",
              help="Show the position after this many moves, with the last move marked.")  # fmt: skip
@options.flag("--animate", help="Animate the line (SVG).")
@click.option("--arrow", "arrows", multiple=True, callback=_moves, metavar="USI",
              help="Draw an arrow for a move such as 2c2b or G*5b; repeatable.")  # fmt: skip
@click.option("--mark", "marks", multiple=True, callback=options.parse_squares, metavar="SQUARES",
              help="Draw a ring around these squares, such as 2b,3c.")  # fmt: skip
@options.flag("--solve", help="Solve each position that has no line.")
@options.selection_options
def draw(
    sfens: tuple[str, ...], files: tuple[str, ...], at: int | None, place: str, output: str | None, form: Form | None,
    scale: float, ply: int | None, arrows: tuple[Move, ...], wanted: ProblemSelection, **drawing: Any,
) -> None:  # fmt: skip
    """Draw positions as pictures: given ones, those in files, or the problems of a store.

    The line is the given or stored one; --solve, --ply and --animate solve positions that have none.
    Exits with status 1 if a position is invalid, or needs a line and has none.
    """
    animate = drawing["animate"]
    if animate and (form == "png" or ply is not None):
        raise click.UsageError("--animate excludes --format png and --ply")
    if animate and output is not None and output.lower().endswith(".png"):
        raise click.UsageError("--animate writes SVG: give a file name that ends in .svg")
    pictures = PictureFiles(output, "svg" if animate else form, scale)
    if at is None and (animate or ply is not None):
        at = 0  # the moves are counted and shown from the first position
    inputs = PositionInputs(sfens, files, at=at) if sfens or files else None
    renderer = DiagramRenderer(ply=ply, arrows=tuple(map(Arrow.of, arrows)), **drawing)
    good, found = True, False
    try:
        for subject in given_subjects(inputs) if inputs else stored_subjects(place, wanted):
            found = True
            try:
                pictures.write(subject.name, renderer.picture(subject))
            except StoreError:
                raise
            except ValueError as error:
                good = False
                print_complaint(subject.place, str(error))
    finally:
        pictures.close()
    if not inputs and not found:
        raise click.ClickException(f"{place}: no problems")
    options.exit_with_status(good and not (inputs and inputs.unreadable))


_SLOW_SECONDS = 5.0
"""A problem whose explanation takes longer is named."""
_MAX_SIGNS = 20
"""Characters that a message lists."""


# --- ``tsume book`` --------------------------------------------------------------------------------


@click.command()
@options.store_option
@click.option("-o", "--output", metavar="PATH", required=True, help="Output file; - for stdout.")
@click.option("--paper", type=click.Choice(PAPERS), default="a5", show_default=True, help="Page size.")
@click.option("--per-page", type=click.Choice([str(n) for n in PER_PAGE]), default="2", show_default=True,
              help="Problems per page.")  # fmt: skip
@click.option("--answers", type=click.Choice(ANSWERS), default="back", show_default=True,
              help="Where the answers are: all at the end, or on the reverse of each page.")  # fmt: skip
@click.option("--book-title", default="", callback=options.valid_title, metavar="TEXT", help="Title on the title page.")
@click.option(
    "--book-author", default="", callback=options.valid_title, metavar="TEXT", help="Author on the title page."
)
@options.flag("--no-explanations", help="Only the lines, without variations and tries.")
@options.jobs_option("Number of processes; by default one per processor.")
@spoken_look_options
@options.seconds_option(10.0)
@options.memory_option
@options.selection_options
def book(
    place: str, output: str, paper: Paper, per_page: str, answers: Answers, book_title: str, book_author: str,
    no_explanations: bool, jobs: int | None, spoken_look: tuple[DiagramLook, tuple[Language, ...]],
    wanted: ProblemSelection, **limits: Any,
) -> None:  # fmt: skip
    """Print stored problems as a booklet: PDF with answers, variations, tries and an index of themes.

    The problems are in sections by length, sorted by --sort.
    """
    require_extra("print")
    from tsume.book.pages import book_pdf

    require_one_file(output, "a booklet")
    look, languages = spoken_look
    layout = BookletOptions(paper, int(per_page), answers, languages, book_title, book_author, look)
    builder = None if no_explanations else ReplyTreeBuilder(replace(BOOKLET, **limits))
    try:
        with Store.open(place, create=False) as store:
            problems = sorted(map(store.playable, store.find(wanted)), key=lambda problem: problem.length)
        explained = _with_reply_trees(problems, builder, jobs or os.cpu_count() or 1)
        with TemporaryDirectory(prefix="tsume-") as folder:
            made = booklet_content(
                explained, layout, f"tsume {__version__}", len(problems), partial(_save_picture, Path(folder))
            )
            if made.missing:
                signs = " ".join(stored_value_excerpt(sign) for sign in sorted(made.missing)[:_MAX_SIGNS])
                more = " ..." if len(made.missing) > _MAX_SIGNS else ""
                print_complaint(output, f"the font lacks these characters, each shown as {MISSING}: {signs}{more}")
            moment = os.environ.get("SOURCE_DATE_EPOCH", "")  # for reproducible builds
            created = int(moment) if moment.isascii() and moment.isdigit() else int(time.time())
            pdf = book_pdf(made, Path(folder), created, partial(_page_words, languages[0]))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    write_data(pdf, output)


def _page_words(language: Language, number: int) -> str:
    """Return what a link to a page of a booklet says; a function that another process can be sent."""
    return phrase(language, "book.page", number=number_text(number, language))


def _save_picture(folder: Path, name: str, picture: str) -> None:
    (folder / name).write_text(picture, encoding="utf-8")


def _with_reply_trees(
    problems: list[StoredProblem], builder: ReplyTreeBuilder | None, jobs: int
) -> Iterator[tuple[StoredProblem, ReplyTree | None, Sequence[Remark]]]:
    if builder is None:
        yield from ((problem, None, ()) for problem in problems)
        return
    trees = map_with_builder(_timed_tree, [problem.position for problem in problems], jobs, builder)
    for problem, (tree, remarks, seconds) in zip(problems, with_progress_bar(trees, len(problems)), strict=True):
        if seconds > _SLOW_SECONDS:
            print_complaint(f"problem {problem.id}", f"its explanation took {seconds:.0f} s")
        yield problem, tree, remarks


def _timed_tree(builder: ReplyTreeBuilder, position: Position) -> tuple[ReplyTree, list[Remark], float]:
    """Return the tree of a position, a comment from it, and the seconds they took."""
    from tsume.uses.commenting import comment_on_tree

    began = time.monotonic()
    tree = builder.build(position)
    return tree, comment_on_tree(builder.engine, position, tree), time.monotonic() - began


_LONGEST_NAME = 200


# --- ``tsume cards`` -------------------------------------------------------------------------------


def _deck_name(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Return a name that Anki leaves as it is."""
    if name is None:
        return None
    if len(name) > _LONGEST_NAME or any(map(is_unprintable, name)):
        raise click.BadParameter(f"give at most {_LONGEST_NAME} printable characters")
    if any(not part or part != part.strip() for part in name.split("::")):
        raise click.BadParameter(f"{stored_value_excerpt(name)!r}: every level of a deck (A::B) needs a name")
    return name


@click.command()
@options.store_option
@click.option("-o", "--output", required=True, metavar="PATH",
              help="Output file (.apkg); - for stdout.")  # fmt: skip
@click.option("--deck", callback=_deck_name, metavar="NAME",
              help="Name of the deck; by default 詰将棋 or Tsume-shogi.")  # fmt: skip
@options.flag("--by-length", help="Make a subdeck for each number of moves.")
@options.flag("--no-variations", help="Omit the variations, which need a search.")
@spoken_look_options
@options.selection_options
@options.seconds_option(10.0)
@options.memory_option
def cards(
    place: str, output: str, deck: str | None, by_length: bool, no_variations: bool,
    spoken_look: tuple[DiagramLook, tuple[Language, ...]], wanted: ProblemSelection, **limits: Any,
) -> None:  # fmt: skip
    """Make flash cards of stored problems for Anki.

    Front: the diagram and the number of moves. Back: the final position, the line and the variations.
    Importing the deck again updates the existing cards.
    """
    require_extra("anki")
    require_one_file(output, "a package")
    look, languages = spoken_look
    builder = CardBuilder(look, languages)
    explainer = None if no_variations else Explainer(replace(PRINTED, **limits))
    name = deck or phrase(languages[0], "cards.deck")
    with Store.open(place, create=False) as store, AnkiPackage(time.time()) as package:
        problems = list(store.find(wanted))
        if not problems:
            raise click.ClickException(f"{store.name}: no problems")
        for problem in with_progress_bar(map(store.playable, problems), len(problems)):
            try:
                text = None
                if explainer is not None:
                    explanation = explainer.explain_judged(problem.problem, checks=False)
                    text = explanation_text(problem.problem, explanation, "ja")
                card = builder.card(problem, text)
            except ValueError as error:
                raise StoreError(f"{store.name}: problem {problem.id} cannot be read: {error}") from None
            if text and not text.explanation.complete:
                print_complaint(f"No. {problem.id}", "a limit was reached: some variations are missing")
            below = phrase(languages[0], "cards.subdeck", length=card.length)
            package.add(card, f"{name}::{below}" if by_length else name)
        data = package.data()
    write_data(data, output)
