# SPDX-License-Identifier: GPL-3.0-or-later
"""Several answers side by side."""

from __future__ import annotations

from collections.abc import Iterable

from tsume.library.shown import ShownAnswer, figure


class Gallery(tuple[ShownAnswer, ...]):
    """Answers that notebooks show side by side, each with its diagram."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<div>{''.join(map(figure, self))}</div>"


def gallery(answers: Iterable[ShownAnswer]) -> Gallery:
    """The answers of an iterable, such as the problems of `generate`, to be shown side by side."""
    return Gallery(answers)
