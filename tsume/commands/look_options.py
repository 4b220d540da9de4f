# SPDX-License-Identifier: GPL-3.0-or-later
"""The options for the style of pictures."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from tsume.diagrams.look import COLOURS, DiagramLook, PieceStyle
from tsume.language.catalogue import LANGUAGES, Language
from tsume.language.voice import LANG_VARIABLE

F = TypeVar("F", bound=Callable[..., Any])
_BOTH = "both"


def _language_option(choices: Sequence[str], text: str) -> Callable[[F], F]:
    return click.option(
        "--lang", "language", type=click.Choice(choices), default="ja", show_default=True,
        envvar=LANG_VARIABLE, show_envvar=True, help=text,
    )  # fmt: skip


_LANGUAGE = _language_option(LANGUAGES, "Language of captions, coordinates and descriptions.")
_LANGUAGES = _language_option(
    [*LANGUAGES, _BOTH], "Language of the text; pictures are Japanese for both, or English with letters."
)
_PIECES = click.option(
    "--pieces", "piece_style", type=click.Choice([style.value for style in PieceStyle]),
    default=PieceStyle.KANJI.value, show_default=True,
    help="Labels of the pieces: Japanese characters, international letters, or letters with the moves.",
)  # fmt: skip
_STYLE = (
    click.option(
        "--colors", type=click.Choice(list(COLOURS)), default="book", show_default=True,
        help="Black on white, or a wooden board.",
    ),
    click.option("--no-coordinates", is_flag=True, help="Omit the coordinates."),
    click.option("--defender-hand", is_flag=True, help="Also show the defender's hand."),
)  # fmt: skip


def look_options(command: F) -> F:
    """Add the options for the style of pictures; the command gets ``look``, a `DiagramLook`."""

    @functools.wraps(command)
    def looking(
        *arguments: Any, piece_style: str, language: Language, colors: str, no_coordinates: bool,
        defender_hand: bool, **options: Any,
    ) -> Any:  # fmt: skip
        look = DiagramLook(
            PieceStyle(piece_style), language, COLOURS[colors], not no_coordinates, defender_hand
        )
        return command(*arguments, look=look, **options)

    return _with_options(looking, (_PIECES, _LANGUAGE, *_STYLE))  # type: ignore[return-value]


def spoken_look_options(command: F) -> F:
    """The same where words may be in both languages; the command gets ``languages`` too, a tuple."""

    @functools.wraps(command)
    def looking(
        *arguments: Any, piece_style: str, language: str, colors: str, no_coordinates: bool,
        defender_hand: bool, **options: Any,
    ) -> Any:  # fmt: skip
        languages = tuple(name for name in LANGUAGES if language in (name, _BOTH))
        drawn = languages[-1 if PieceStyle(piece_style).is_international else 0]
        look = DiagramLook(PieceStyle(piece_style), drawn, COLOURS[colors], not no_coordinates, defender_hand)
        return command(*arguments, look=look, languages=languages, **options)

    return _with_options(looking, (_PIECES, _LANGUAGES, *_STYLE))  # type: ignore[return-value]


def _with_options(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command
