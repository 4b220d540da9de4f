# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume draw``"""

from __future__ import annotations

import click

from db.errors import StoreError
from db.notebook import fault_of_text
from db.selection import ProblemSelection
from tsume.commands.file_options import move_number, position_arguments
from tsume.commands.look_options import look_options
from tsume.commands.options import finite_only, selection_options, squares_of, store_option
from tsume.diagrams.look import Arrow, DiagramLook
from tsume.files.inputs import PositionInputs, print_complaint
from tsume.files.picture_files import FORMS, Form, PictureFiles
from tsume.files.subjects import given_subjects, stored_subjects
from tsume.services.drawing import DiagramRenderer
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Square


def _moves(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[Move, ...]:
    try:
        moves = tuple(parse_move(word) for text in texts for word in text.split(","))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if still := next((move for move in moves if move.origin == move.target), None):
        raise click.BadParameter(f"{still} starts and ends on the same square")
    return moves


def _caption(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """A caption, as long as notes may be; of other characters an SVG would not be well-formed."""
    if text is not None and (fault := fault_of_text("notes", text)):
        raise click.BadParameter(fault)
    return text


@click.command()
@position_arguments
@store_option
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Output file, or a folder for one picture per problem; - for stdout.",
)
@click.option("--format", "form", type=click.Choice(FORMS),
              help="Format; by default that of the file name, else SVG.")  # fmt: skip
@click.option("--scale", type=click.FloatRange(0.1, 20), default=1.5, show_default=True, callback=finite_only,
              help="PNG: pixels per unit; a picture is about 460 units wide.")  # fmt: skip
@look_options
@click.option("--caption", callback=_caption, metavar="TEXT",
              help="Text above the board instead of the number of moves; may be empty.")  # fmt: skip
@click.option("--ply", callback=move_number, metavar="N|end",
              help="Show the position after this many moves, with the last move marked.")  # fmt: skip
@click.option("--animate", is_flag=True, help="Animate the line (SVG).")
@click.option("--arrow", "arrows", multiple=True, callback=_moves, metavar="USI",
              help="Draw an arrow for a move such as 2c2b or G*5b; repeatable.")  # fmt: skip
@click.option("--mark", "marks", multiple=True, callback=squares_of, metavar="SQUARES",
              help="Draw a ring around these squares, such as 2b,3c.")  # fmt: skip
@click.option("--solve", is_flag=True, help="Solve each position that has no line.")
@selection_options
@click.pass_context
def draw(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    place: str,
    output: str | None,
    form: Form | None,
    scale: float,
    look: DiagramLook,
    caption: str | None,
    ply: int | None,
    animate: bool,
    arrows: tuple[Move, ...],
    marks: frozenset[Square],
    solve: bool,
    wanted: ProblemSelection,
) -> None:
    """Draw positions as pictures: given ones, those in files, or the problems of a store.

    The line is the given or stored one; --solve, --ply and --animate solve positions that have none.
    Exits with status 1 if a position is invalid, or needs a line and has none.
    """
    if animate and (form == "png" or ply is not None):
        raise click.UsageError("--animate excludes --format png and --ply")
    if animate and output is not None and output.lower().endswith(".png"):
        raise click.UsageError("--animate writes SVG: give a file name that ends in .svg")
    pictures = PictureFiles(output, "svg" if animate else form, scale)
    if at is None and (animate or ply is not None):
        at = 0  # the moves are counted and shown from the first position
    inputs = PositionInputs(sfens, files, at=at) if sfens or files else None
    renderer = DiagramRenderer(look, caption, ply, animate, tuple(map(Arrow.of, arrows)), marks, solve)
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
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    finally:
        pictures.close()
    if not inputs and not found:
        raise click.ClickException(f"{place}: no problems")
    context.exit(0 if good and not (inputs and inputs.unreadable) else 1)
