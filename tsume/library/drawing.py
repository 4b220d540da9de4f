# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures, and how notebooks show them."""

from __future__ import annotations

import base64
import html
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, Self, overload

from db.errors import stored_value_excerpt
from tsume.diagrams.look import COLOURS, Arrow, DiagramLook, PieceStyle
from tsume.diagrams.svg import png_images
from tsume.extras import MissingExtra
from tsume.files.entries import read_pasted_text
from tsume.formats.game_record import END, GameRecord
from tsume.formats.registry import WRITERS, RecordFormat
from tsume.language.catalogue import LANG_VARIABLE, LANGUAGES, MIXED, Language, Voice, difficulty_text
from tsume.library.arguments import GivenMove, GivenPosition, check_arguments, moves_of, read_position, squares_of
from tsume.reports.notation import MoveWriter
from tsume.uses.drawing import DiagramRenderer, PictureSubject
from tsume.uses.solving import SolveOptions, Solver
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.sfen import parse_sfen

# --- pictures that notebooks show ------------------------------------------------------------------

_TITLE = re.compile(r"<title>(.*?)</title><desc>(.*?)</desc>", re.DOTALL)


class Svg(str):
    """An SVG document, a text that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return the picture by itself: drawings of a page would share their ids and styles."""
        data = base64.b64encode(self.encode()).decode()
        found = _TITLE.search(self)
        words = html.unescape(". ".join(found.groups())) if found else ""
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(words)}"/>'


class Png(bytes):
    """A PNG, bytes that notebooks show as a picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes:
        return bytes(self)


# --- pictures, and how notebooks show them ---------------------------------------------------------


@overload
def draw(
    sfen: GivenPosition, *, form: Literal["svg"] = "svg", line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    animate: bool = False, solve: bool = False, caption: str | None = None, arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (), pieces: str = "kanji", language: Language = "ja", colors: str = "book",
    coordinates: bool = True, defender_hand: bool = False, scale: float = 1.5, seconds: float = 30.0,
) -> Svg: ...  # fmt: skip


@overload
def draw(
    sfen: GivenPosition, *, form: Literal["png"], line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    solve: bool = False, caption: str | None = None, arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (), pieces: str = "kanji", language: Language = "ja", colors: str = "book",
    coordinates: bool = True, defender_hand: bool = False, scale: float = 1.5, seconds: float = 30.0,
) -> Png: ...  # fmt: skip


def draw(
    sfen: GivenPosition,
    *,
    form: str = "svg",
    line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    animate: bool = False,
    solve: bool = False,
    caption: str | None = None,
    arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (),
    pieces: str = "kanji",
    language: Language = "ja",
    colors: str = "book",
    coordinates: bool = True,
    defender_hand: bool = False,
    scale: float = 1.5,
    seconds: float = 30.0,
) -> Svg | Png:
    """Return a picture of a position: SVG as a text, or PNG as bytes, ``scale`` pixels for a unit of the SVG.

    It shows the position after ``ply`` moves of the line, or ``animate`` shows them all, moving. The line
    is ``line``, or what follows the SFEN after ``moves``, or the answer's; where it is needed or ``solve``
    asks for one, and none is given, it is looked for within ``seconds``. ``arrows`` are moves, ``marks``
    squares.
    ``caption`` stands above the board instead of the number of moves. Raises ImportError where what makes
    PNGs is not installed (``tsume-shogi[print]``), and ValueError where no line is found.
    """
    check_arguments(
        "caption",
        form=form, animate=animate, solve=solve, caption=caption, arrows=arrows, marks=marks, pieces=pieces,
        language=language, colors=colors, coordinates=coordinates, defender_hand=defender_hand, scale=scale,
        seconds=seconds, **({} if ply == "end" else {"ply": ply}),
    )  # fmt: skip
    if animate and form == "png":
        raise ValueError("animate: not available for PNG")
    parsed, given, _ = read_position(sfen, line)
    renderer = DiagramRenderer(
        DiagramLook(PieceStyle(pieces), language, COLOURS[colors], coordinates, defender_hand), caption,
        END if ply == "end" else ply or None, animate, tuple(map(Arrow.of, moves_of("arrows", arrows))),
        squares_of("marks", marks), solve, Solver(SolveOptions(seconds)),
    )  # fmt: skip
    picture = renderer.picture(PictureSubject("sfen", "", parsed.position, given))
    if form == "svg":
        return Svg(picture)
    try:
        return Png(png_images([picture], scale)[0])
    except MissingExtra as missing:
        raise ImportError(missing.message) from None


# --- what answers about a position have in common: a picture, a row of a table, a short text -------

# --- answers in one line ---------------------------------------------------------------------------


def voice_of_environment() -> Voice:
    """Return the voice in which notebooks are written to: ``TSUME_LANG``, as for the commands."""
    language = os.environ.get(LANG_VARIABLE)
    return next((Voice.of(name) for name in LANGUAGES if name == language), MIXED)


def answer_headline(answer: Any, voice: Voice) -> str:
    """Return what an answer says, in a few words."""
    return voice.listed(filter(None, _headline_parts(answer, voice)))


def line_text(sfen: str, line: Sequence[str], voice: Voice) -> str:
    """Return a line as people write it; in USI if it cannot be played."""
    parsed = parse_sfen(sfen)
    moves = tuple(parsed.outward(parse_move(usi)) for usi in line)
    try:
        return MoveWriter(voice, parsed, moves).line(moves)
    except ImpossibleMove:
        return " ".join(line)


def _headline_parts(answer: Any, voice: Voice) -> Iterator[str]:
    yield getattr(answer, "error", None) or ""
    if (length := getattr(answer, "length", None)) is not None:
        yield voice("common.length", length=length)
    elif (result := getattr(answer, "result", None)) is not None:
        yield voice(f"solving.{result}")
    if hasattr(answer, "grade"):
        yield voice(f"grades.{answer.grade or 'unresolved'}")
    faults = getattr(answer, "faults", ()) or getattr(answer, "blemishes", ())
    yield from (voice.known(f"blemishes.{name}", voice.known(f"terms.{name}", name)) for name in faults)
    if getattr(answer, "score", None) is not None:
        shown = difficulty_text(voice.words, vars(answer), answer.length)
        yield voice("notebooks.difficulty", difficulty=shown)
    if getattr(answer, "quality", None) is not None:
        yield voice("common.quality", quality=answer.quality)
    for name in ("turns", "repairs", "suggestions"):
        found = getattr(answer, name, None)
        if found is not None and (name != "turns" or not hasattr(answer, "grade")):
            yield voice(f"notebooks.{name}", number=len(found))
    yield from map(voice.theme, getattr(answer, "themes", ()))


# --- what answers about a position have in common --------------------------------------------------

_SENTENCES = ("notes",)
_FIGURE = "display:inline-block;vertical-align:top;max-width:24em;margin:0 1em 1em 0"


class DisplayableAnswer:
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
        return answer_html(self)

    def __repr__(self) -> str:
        line = " ".join(getattr(self, "line", ()))
        told = answer_headline(self, MIXED)
        return f"<{type(self).__name__} {told}{': ' * bool(line)}{line} | {self.sfen}>"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_NESTED = ("given", "cooks", "findings", "readings", "turns", "text", "repairs", "changes", "suggestions")
"""Fields that are no cells of a table, also where they are empty."""


def answer_html(answer: DisplayableAnswer) -> str:
    """An answer as HTML: its picture, what it says in one line, its line, and its explanation if any."""
    voice = voice_of_environment()
    picture = draw(answer, language=_diagram_language(voice))._repr_html_() if answer.sfen else ""
    line = getattr(answer, "line", ())
    texts = [answer_headline(answer, voice), line_text(answer.sfen, line, voice) if line else ""]
    caption = "<br/>".join(html.escape(text) for text in texts if text)
    title = voice("notebooks.explanation")
    explained = "".join(
        f"<details><summary>{title} ({language})</summary><pre>{html.escape(chr(10).join(lines))}</pre></details>"
        for language, lines in getattr(answer, "text", {}).items()
    )
    return f'<figure style="{_FIGURE}">{picture}<figcaption>{caption}</figcaption></figure>{explained}'


def _diagram_language(voice: Voice) -> Language:
    return "ja" if voice.board == "ja" else "en"


# --- several answers side by side ------------------------------------------------------------------


class Gallery(tuple[DisplayableAnswer, ...]):
    """Answers that notebooks show side by side, each with its diagram."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<div>{''.join(map(answer_html, self))}</div>"


def gallery(answers: Iterable[DisplayableAnswer]) -> Gallery:
    """Return the answers of an iterable, such as the problems of `generate`, to be shown side by side."""
    return Gallery(answers)


# --- game records: KIF and others ------------------------------------------------------------------


def read(text: str, *, at: int | Literal["end"] | None = None) -> str:
    """The position of a game record, a line or an address as an SFEN, with its solution after ``moves``.

    ``at``: the position after so many moves of the record, whose side to move is the attacker; moves after it
    are its solution if all of the attacker's give check. By default it is the first position of a record,
    the last one of a command of USI (``position ... moves ...``), and the one that an address shows.
    """
    check_arguments("at", at=None if at == "end" else at)
    if not isinstance(text, str):
        raise TypeError(f"text must be a record, a line or an address, not {stored_value_excerpt(repr(text))}")
    entry = read_pasted_text(text, END if at == "end" else at).entry
    assert entry.parsed is not None
    moves = " ".join(entry.parsed.outward(move).usi for move in entry.line)
    return f"{entry.parsed.sfen} moves {moves}" if moves else entry.parsed.sfen


def record(
    sfen: GivenPosition, *, line: Sequence[GivenMove] = (), file_format: RecordFormat = "kif", title: str = ""
) -> str:
    """Return the game record of a position and its line, with the attacker as Black.

    The line of an answer is its own; that of an SFEN may follow it after ``moves``. Raises ValueError also
    for a line that cannot be played.
    """
    check_arguments(file_format=file_format, title=title)
    parsed, moves, _ = read_position(sfen, line)
    return WRITERS[file_format].write(GameRecord(parsed.position, moves, title))
