# SPDX-License-Identifier: GPL-3.0-or-later
"""Typesetting by typst (extra ``tsume-shogi[print]``): pages as PNG, documents as PDF. Nothing is fetched."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

from tsume.diagrams.glyphs import font_path
from tsume.extras import require_extra


def require_typst() -> None:
    """Raise `tsume.extras.Missing` where typst is not installed."""
    require_extra("print", "typst")


def write_pdf(source: Path, output: Path, created: int, universal: bool = True) -> None:
    """Write a document as tagged PDF with its fonts, from a source whose folder has the files it names.

    ``created``: seconds since 1970, written into it. ``universal``: as PDF/UA-1, which is possible only if
    its first heading is one of the first level. Besides the fonts that typst carries it may use IPAexGothic.
    """
    typst: Any = import_module("typst")
    typst.compile(
        str(source),
        output=str(output),
        root=str(source.parent),
        format="pdf",
        pdf_standards=["ua-1"] if universal else [],
        font_paths=[str(font_path().parent)],
        ignore_system_fonts=True,
        timestamp=created,
    )


# --- pictures as PNG, drawn from SVG by typst (extra ``tsume-shogi[print]``) -----------------------

UNITS = 96
"""Units of an SVG picture in an inch."""
_MOST = 64
"""Pictures that are drawn in one go, at most: each waits for the others."""


def png_images(pictures: Sequence[str], scale: float) -> list[bytes]:
    """Return each SVG document as a PNG, ``scale`` pixels for a unit of it. Threads share the work.

    Raises `tsume.extras.Missing` where typst is not installed.
    """
    require_typst()
    typst: Any = import_module("typst")

    def rendered(part: Sequence[str]) -> list[bytes]:
        source = "#set page(width: auto, height: auto, margin: 0pt)\n"
        source += "#pagebreak()\n".join(f'#image("{number}.svg")\n' for number in range(len(part)))
        files = {f"{number}.svg": picture.encode() for number, picture in enumerate(part)}
        made = typst.compile({"main": source.encode(), **files}, format="png", ppi=UNITS * scale)
        return [made] if isinstance(made, bytes) else list(made)

    threads = os.cpu_count() or 1
    each = max(1, min(_MOST, -(-len(pictures) // threads)))
    parts = [pictures[first : first + each] for first in range(0, len(pictures), each)]
    with ThreadPoolExecutor(threads) as pool:
        return [page for pages in pool.map(rendered, parts) for page in pages]
