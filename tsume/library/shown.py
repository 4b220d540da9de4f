# SPDX-License-Identifier: GPL-3.0-or-later
"""What answers about a position have in common: a picture, a row of a table, a short text."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Self

from tsume.formats.symbols import stars_text
from tsume.language.catalogue import LANGUAGES, Language
from tsume.language.voice import LANG_VARIABLE, MIXED, Voice
from tsume.library.drawing import Png, Svg, draw
from tsume.reports.notation import move_writer
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.sfen import parse_sfen

# --- answers in one line ---------------------------------------------------------------------------


def voice_of_environment() -> Voice:
    """Return the voice in which notebooks are written to: ``TSUME_LANG``, as for the commands."""
    language = os.environ.get(LANG_VARIABLE)
    return next((Voice.of(name) for name in LANGUAGES if name == language), MIXED)


def headline(answer: Any, voice: Voice) -> str:
    """Return what an answer says, in a few words."""
    return voice.listed(text for part in _PARTS for text in part(answer, voice) if text)


def line_text(sfen: str, line: Sequence[str], voice: Voice) -> str:
    """Return a line as people write it; in USI if it cannot be played."""
    parsed = parse_sfen(sfen)
    moves = tuple(parsed.outward(parse_move(usi)) for usi in line)
    try:
        return move_writer(voice, parsed, moves).line(moves)
    except ImpossibleMove:
        return " ".join(line)


def _error(answer: Any, _voice: Voice) -> Iterator[str]:
    yield getattr(answer, "error", None) or ""


def _mate(answer: Any, voice: Voice) -> Iterator[str]:
    if (length := getattr(answer, "length", None)) is not None:
        yield voice("common.length", length=length)
    elif (result := getattr(answer, "result", None)) is not None:
        yield voice(f"solving.{result}")


def _grade(answer: Any, voice: Voice) -> Iterator[str]:
    if hasattr(answer, "grade"):
        yield voice(f"grades.{answer.grade or 'unresolved'}")
    faults = getattr(answer, "faults", ()) or getattr(answer, "blemishes", ())
    yield from (voice.known(f"blemishes.{name}", voice.known(f"terms.{name}", name)) for name in faults)


def _numbers(answer: Any, voice: Voice) -> Iterator[str]:
    if getattr(answer, "score", None) is not None:
        yield voice("notebooks.score", score=answer.score, stars=stars_text(answer.stars))
    if getattr(answer, "quality", None) is not None:
        yield voice("common.quality", quality=answer.quality)
    for name in ("turns", "repairs", "suggestions"):
        found = getattr(answer, name, None)
        if found is not None and (name != "turns" or not hasattr(answer, "grade")):
            yield voice(f"notebooks.{name}", number=len(found))


def _themes(answer: Any, voice: Voice) -> Iterator[str]:
    yield from map(voice.theme, getattr(answer, "themes", ()))


_PARTS: tuple[Callable[[Any, Voice], Iterator[str]], ...] = (_error, _mate, _grade, _numbers, _themes)


# --- what answers about a position have in common --------------------------------------------------

_SENTENCES = ("notes",)
_FIGURE = "display:inline-block;vertical-align:top;max-width:24em;margin:0 1em 1em 0"


class ShownAnswer:
    """An answer about the position ``sfen``, which notebooks show with its diagram."""

    sfen: str

    @classmethod
    def of_json(cls, given: Mapping[str, Any], **more: Any) -> Self:
        """Make an answer of its fields among those given, lists as tuples."""
        found = {**given, **more}
        names = (one.name for one in fields(cls))  # type: ignore[arg-type]  # all answers are dataclasses
        return cls(**{name: _frozen(found[name]) for name in names if name in found})

    def draw(self, **style: Any) -> Svg | Png:
        """Return the picture of its position; the arguments are those of `tsume.library.draw`.

        ``ply="end"`` shows the final position of its line, ``animate=True`` the line as it is played.
        """
        found: Svg | Png = draw(self, **style)
        return found

    def as_row(self) -> dict[str, Any]:
        """Return a flat row for a table, for example of pandas.

        Lists of words are texts with spaces, as in the CSV of ``tsume export``; features are columns
        ``feature_...``, as in its Parquet files. What has a structure of its own is left out.
        """
        row: dict[str, Any] = {}
        for one in fields(self):  # type: ignore[arg-type]  # all answers are dataclasses
            value = getattr(self, one.name)
            if one.name == "features":
                row |= {f"feature_{name}": number for name, number in value.items()}
            elif isinstance(value, tuple):
                if all(isinstance(item, str) for item in value) and one.name not in _NESTED:
                    row[one.name] = ("; " if one.name in _SENTENCES else " ").join(value)
            elif one.name not in _NESTED and not isinstance(value, Mapping):
                row[one.name] = value
        return row

    def _repr_svg_(self) -> str | None:
        return str(draw(self, language=_diagram_language(voice_of_environment()))) if self.sfen else None

    def _repr_html_(self) -> str:
        return figure(self)

    def __repr__(self) -> str:
        line = " ".join(getattr(self, "line", ()))
        told = headline(self, MIXED)
        return f"<{type(self).__name__} {told}{': ' * bool(line)}{line} | {self.sfen}>"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_NESTED = ("given", "cooks", "findings", "readings", "turns", "text", "repairs", "changes", "suggestions")
"""Fields that are no cells of a table, also where they are empty."""


def figure(answer: ShownAnswer) -> str:
    """An answer as HTML: its picture, what it says in one line, its line, and its explanation if any."""
    voice = voice_of_environment()
    picture = draw(answer, language=_diagram_language(voice))._repr_html_() if answer.sfen else ""
    line = getattr(answer, "line", ())
    texts = [headline(answer, voice), line_text(answer.sfen, line, voice) if line else ""]
    caption = "<br/>".join(html.escape(text) for text in texts if text)
    title = voice("notebooks.explanation")
    explained = "".join(
        f"<details><summary>{title} ({language})</summary>"
        f"<pre>{html.escape(chr(10).join(lines))}</pre></details>"
        for language, lines in getattr(answer, "text", {}).items()
    )
    return f'<figure style="{_FIGURE}">{picture}<figcaption>{caption}</figcaption></figure>{explained}'


def _diagram_language(voice: Voice) -> Language:
    return "ja" if voice.board == "ja" else "en"


# --- several answers side by side ------------------------------------------------------------------


class Gallery(tuple[ShownAnswer, ...]):
    """Answers that notebooks show side by side, each with its diagram."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<div>{''.join(map(figure, self))}</div>"


def gallery(answers: Iterable[ShownAnswer]) -> Gallery:
    """Return the answers of an iterable, such as the problems of `generate`, to be shown side by side."""
    return Gallery(answers)
