"""``tsume edit``"""

from __future__ import annotations

from collections.abc import Callable

import click

from db.errors import StoreError
from db.notebook import MOST_TAGS, TEXTS, Edit, fault_of_tag, fault_of_text
from db.store import Store
from tsume.commands.options import MOST, ids_of, lang_option, store_option
from tsume.language.voice import MIXED, Voice
from tsume.reports.notebook import notebook_lines


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
        help=f"{what}, at most {TEXTS[name]} characters; an empty one removes it.",
    )  # fmt: skip


@click.command()
@click.argument("ids", metavar="ID[-ID]...", nargs=-1, required=True, callback=ids_of)
@store_option
@_text_option("title", "TEXT", "The title (作品名)")
@_text_option("author", "TEXT", "The author (作者)")
@_text_option("source", "TEXT", "Where it was published (発表誌)")
@_text_option("notes", "TEXT", "Notes, of several lines if need be")
@click.option(
    "--tag", "tags", multiple=True, callback=_tags, metavar="TAG",
    help="Add this tag, one word; may be given several times.",
)  # fmt: skip
@click.option(
    "--untag", "without", multiple=True, callback=_tags, metavar="TAG",
    help="Remove this tag; may be given several times.",
)  # fmt: skip
@click.option(
    "--version-of", "parent", type=click.IntRange(1, MOST), metavar="ID",
    help="The problems are versions of this one.",
)  # fmt: skip
@click.option("--no-version", is_flag=True, help="The problems are versions of no other one.")
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
    """Write to stored problems: title, author, source, notes, tags, what they are versions of.

    Prints what each problem has now. Of several problems all are changed or none.
    """  # fmt: skip
    if parent is not None and no_version:
        raise click.UsageError("--version-of and --no-version contradict each other")
    moves = no_version or parent is not None
    change = Edit(title, author, source, notes, tags, without, parent, moves)
    try:
        with Store.open(place, create=False) as store:
            if change.asks:
                store.edit(ids, change)
            for number in ids:
                _print(store, number, voice)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _print(store: Store, number: int, voice: Voice) -> None:
    problem = store.get(number)
    if problem is None:
        raise StoreError(f"{store.name}: no problem {number}")
    length = voice.on_board("common.length", length=problem.length)
    click.echo(f"{voice('problems.number', id=number)}  {length}")
    for line in notebook_lines(problem.notebook, store.versions(number), voice):
        click.echo(f"  {line}")
