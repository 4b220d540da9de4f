"""The options for the style of pictures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tsume.commands.options import LANG_VARIABLE
from tsume.diagrams.look import COLOURS, Look, Signs
from tsume.language.catalogue import LANGUAGES, Language

F = TypeVar("F", bound=Callable[..., Any])
_LOOK = (
    click.option(
        "--pieces", "signs", type=click.Choice([sign.value for sign in Signs]), default=Signs.KANJI.value,
        show_default=True, help="What stands on the pieces: Japanese characters or international letters.",
    ),
    click.option(
        "--lang", "language", type=click.Choice(LANGUAGES), default="ja", show_default=True,
        envvar=LANG_VARIABLE, show_envvar=True,
        help="The language of captions, coordinates and descriptions.",
    ),
    click.option(
        "--colors", type=click.Choice(list(COLOURS)), default="book", show_default=True,
        help="Black on white, or a wooden board.",
    ),
    click.option("--no-coordinates", is_flag=True, help="Leave the coordinates out."),
    click.option("--defender-hand", is_flag=True, help="Show the defender's hand too."),
)  # fmt: skip


def look_options(command: F) -> F:
    """Add the options for the style of pictures; the command gets ``look``, a `Look`."""

    @functools.wraps(command)
    def looking(
        *arguments: Any, signs: str, language: Language, colors: str, no_coordinates: bool,
        defender_hand: bool, **options: Any,
    ) -> Any:  # fmt: skip
        look = Look(Signs(signs), language, COLOURS[colors], not no_coordinates, defender_hand)
        return command(*arguments, look=look, **options)

    for option in reversed(_LOOK):
        looking = option(looking)
    return looking  # type: ignore[return-value]
