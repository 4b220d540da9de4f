# SPDX-License-Identifier: GPL-3.0-or-later
"""Typesetting by typst (extra ``tsume-shogi[print]``): pages as PNG, documents as PDF. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from tsume.diagrams.fonts import font_path
from tsume.extras import require_extra


def require_typst() -> None:
    """Raise `tsume.extras.Missing` where typst is not installed."""
    require_extra("print", "typst")


def typeset_pages(source: str, files: Mapping[str, bytes], dots: float) -> list[bytes]:
    """The pages of a document as PNG, ``dots`` an inch; ``files`` are the pictures it names."""
    made = _typst_module().compile({"main": source.encode(), **files}, format="png", ppi=dots)
    return [made] if isinstance(made, bytes) else list(made)


def write_pdf(source: Path, output: Path, created: int, universal: bool = True) -> None:
    """Write a document as tagged PDF with its fonts, from a source whose folder has the files it names.

    ``created``: seconds since 1970, written into it. ``universal``: as PDF/UA-1, which is possible only if
    its first heading is one of the first level. Besides the fonts that typst carries it may use IPAexGothic.
    """
    _typst_module().compile(
        str(source),
        output=str(output),
        root=str(source.parent),
        format="pdf",
        pdf_standards=["ua-1"] if universal else [],
        font_paths=[str(font_path().parent)],
        ignore_system_fonts=True,
        timestamp=created,
    )


def _typst_module() -> Any:
    return import_module("typst")
