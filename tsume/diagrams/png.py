# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as PNG, drawn from SVG by typst (extra ``tsume-shogi[print]``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tsume.diagrams.typesetting import require_typst, typeset_pages

UNITS = 96
"""Units of an SVG picture in an inch."""
_MOST = 64
"""Pictures that are drawn in one go, at most: each waits for the others."""


def png_images(pictures: Sequence[str], scale: float) -> list[bytes]:
    """Each SVG document as a PNG, ``scale`` pixels for a unit of it. Threads share the work.

    Raises `tsume.extras.Missing` where typst is not installed.
    """
    require_typst()
    threads = os.cpu_count() or 1
    each = max(1, min(_MOST, -(-len(pictures) // threads)))
    parts = [pictures[first : first + each] for first in range(0, len(pictures), each)]
    with ThreadPoolExecutor(threads) as pool:
        drawn = pool.map(lambda part: _rendered_pages(part, scale), parts)
        return [page for pages in drawn for page in pages]


def _rendered_pages(pictures: Sequence[str], scale: float) -> list[bytes]:
    source = "#set page(width: auto, height: auto, margin: 0pt)\n"
    source += "#pagebreak()\n".join(f'#image("{number}.svg")\n' for number in range(len(pictures)))
    files = {f"{number}.svg": picture.encode() for number, picture in enumerate(pictures)}
    return typeset_pages(source, files, UNITS * scale)
