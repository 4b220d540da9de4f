# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume edit``"""

from __future__ import annotations

from collections.abc import Callable

import click

from db.errors import StoreError
from db.notebook import MOST_TAGS, TEXTS, NotebookEdit, fault_of_tag, fault_of_text
from db.notebook_rows import Versions
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands.options import MOST, ids_of, lang_option, store_option
from tsume.language.voice import MIXED, Voice
from tsume.reports.notebook import notebook_lines

_PAGE = 500
"""Problems that are read at once."""


def _text(_context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A text without spaces at its ends; one that cannot be kept is refused."""
    if value is None:
        return None
    text = value.strip()
    fault = fault_of_text(str(parameter.name), text)
    if fault is not None:
        raise click.BadParameter(fault)
    return text


def _tags(_context: click.Context, _parameter: click.Parameter, tags: tuple[str, ...]) -> tuple[str, ...]:
    fault = next(filter(None, map(fault_of_tag, tags)), None)
    if fault is not None:
        raise click.BadParameter(fault)
    if len(tags) > MOST_TAGS:
        raise click.BadParameter(f"more than {MOST_TAGS} tags")
    return tuple(dict.fromkeys(tags))


def _text_option(name: str, metavar: str, what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        f"--{name}", metavar=metavar, callback=_text,
        help=f"{what}, at most {TEXTS[name]} characters; an empty text removes it.",
    )  # fmt: skip


@click.command()
@click.argument("ids", metavar="ID[-ID]...", nargs=-1, required=True, callback=ids_of)
@store_option
@_text_option("title", "TEXT", "Title (作品名)")
@_text_option("author", "TEXT", "Author (作者)")
@_text_option("source", "TEXT", "Where it was published (出典)")
@_text_option("notes", "TEXT", "Notes, possibly of several lines")
@click.option(
    "--tag", "tags", multiple=True, callback=_tags, metavar="TAG",
    help="Add a tag, one word; repeatable.",
)  # fmt: skip
@click.option(
    "--untag", "without", multiple=True, callback=_tags, metavar="TAG",
    help="Remove a tag; repeatable.",
)  # fmt: skip
@click.option(
    "--version-of", "parent", type=click.IntRange(1, MOST), metavar="ID",
    help="Mark the problems as versions of this one.",
)  # fmt: skip
@click.option("--no-version", is_flag=True, help="The problems are no longer versions of another one.")
@lang_option(MIXED)
def edit(
    ids: tuple[int, ...],
    place: str,
    title: str | None,
    author: str | None,
    source: str | None,
    notes: str | None,
    tags: tuple[str, ...],
    without: tuple[str, ...],
    parent: int | None,
    no_version: bool,
    voice: Voice,
) -> None:
    """Edit stored problems: title, author, source, notes, tags, and which problem they are versions of.

    Prints the new data of each problem. Either all the given problems are changed or none.
    """  # fmt: skip
    if parent is not None and no_version:
        raise click.UsageError("--version-of and --no-version contradict each other")
    moves = no_version or parent is not None
    change = NotebookEdit(title, author, source, notes, tags, without, parent, moves)
    try:
        with Store.open(place, create=False) as store:
            if change.asks:
                store.edit(ids, change)
            for at in range(0, len(ids), _PAGE):
                _print_problems(store, ids[at : at + _PAGE], voice)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _print_problems(store: Store, ids: tuple[int, ...], voice: Voice) -> None:
    """Print what problems have; raises StoreError for one that is not there."""
    found = {problem.id: problem for problem in store.find(ProblemSelection(ids=ids))}
    versions = store.versions_among(ids)
    for number in ids:
        if number not in found:
            raise StoreError(f"{store.name}: no problem {number}")
        _print_problem(found[number], versions.get(number, Versions()), voice)


def _print_problem(problem: StoredProblem, versions: Versions, voice: Voice) -> None:
    length = voice.on_board("common.length", length=problem.length)
    click.echo(f"{voice('problems.number', id=problem.id)}  {length}")
    for line in notebook_lines(problem.notebook, versions, voice):
        click.echo(f"  {line}")
