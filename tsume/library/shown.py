# SPDX-License-Identifier: GPL-3.0-or-later
"""What answers about a position have in common: a picture, a row of a table, a short text."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from tsume.language.catalogue import Language
from tsume.language.voice import MIXED, Voice
from tsume.library.drawing import draw
from tsume.library.headlines import headline, line_text, voice_of_environment
from tsume.library.pictures import Png, Svg

_SENTENCES = ("notes",)
_FIGURE = "display:inline-block;vertical-align:top;max-width:24em;margin:0 1em 1em 0"


class ShownAnswer:
    """An answer about the position ``sfen``, which notebooks show with its diagram."""

    sfen: str

    def draw(self, **style: Any) -> Svg | Png:
        """The picture of its position; the arguments are those of `tsume.library.draw`.

        ``ply="end"`` shows the final position of its line, ``animate=True`` the line as it is played.
        """
        found: Svg | Png = draw(self, **style)
        return found

    def as_row(self) -> dict[str, Any]:
        """A flat row for a table, for example of pandas.

        Lists of words are texts with spaces, as in the CSV of ``tsume export``; features are columns
        ``feature_...``, as in its Parquet files. What has a structure of its own is left out.
        """
        return dict(self._columns())

    def _columns(self) -> Iterator[tuple[str, Any]]:
        for one in fields(self):  # type: ignore[arg-type]  # all answers are dataclasses
            value = getattr(self, one.name)
            if one.name == "features":
                yield from ((f"feature_{name}", number) for name, number in value.items())
            elif isinstance(value, tuple):
                if all(isinstance(item, str) for item in value) and one.name not in _NESTED:
                    yield one.name, ("; " if one.name in _SENTENCES else " ").join(value)
            elif one.name not in _NESTED and not isinstance(value, Mapping):
                yield one.name, value

    def _repr_svg_(self) -> str | None:
        return str(draw(self, language=_diagram_language(voice_of_environment()))) if self.sfen else None

    def _repr_html_(self) -> str:
        return figure(self)

    def __repr__(self) -> str:
        line = " ".join(getattr(self, "line", ()))
        told = headline(self, MIXED)
        return f"<{type(self).__name__} {told}{': ' * bool(line)}{line} | {self.sfen}>"


_NESTED = ("given", "cooks", "findings", "readings", "turns", "text", "repairs", "changes", "suggestions")
"""Fields that are no cells of a table, also where they are empty."""


def figure(answer: ShownAnswer) -> str:
    """An answer as HTML: its picture, what it says in one line, its line, and its explanation if any."""
    voice = voice_of_environment()
    picture = draw(answer, language=_diagram_language(voice))._repr_html_() if answer.sfen else ""
    line = getattr(answer, "line", ())
    texts = [headline(answer, voice), line_text(answer.sfen, line, voice) if line else ""]
    caption = "<br/>".join(html.escape(text) for text in texts if text)
    explained = _explanation(getattr(answer, "text", {}), voice("notebooks.explanation"))
    return f'<figure style="{_FIGURE}">{picture}<figcaption>{caption}</figcaption></figure>{explained}'


def _diagram_language(voice: Voice) -> Language:
    return "ja" if voice.board == "ja" else "en"


def _explanation(text: Mapping[str, Iterable[str]], title: str) -> str:
    return "".join(
        f"<details><summary>{title} ({language})</summary>"
        f"<pre>{html.escape(chr(10).join(lines))}</pre></details>"
        for language, lines in text.items()
    )
