"""Typesetting by typst (extra ``tsume[print]``): pages as PNG, documents as PDF. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tsume.extras import require as require_extra
from tsume.fonts import font_path


def require() -> None:
    """Raise `tsume.extras.Missing` where typst is not installed."""
    require_extra("print")


def pages(source: str, files: Mapping[str, bytes], dots: float) -> list[bytes]:
    """The pages of a document as PNG, ``dots`` an inch; ``files`` are the pictures it names."""
    made = _typst().compile(_project(source, files), format="png", ppi=dots)
    return [made] if isinstance(made, bytes) else list(made)


def pdf(source: str, files: Mapping[str, bytes], created: int) -> bytes:
    """A document as PDF/UA-1: tagged, with its fonts. ``created``: seconds since 1970, written into it.

    Besides the fonts that typst carries it may use IPAexGothic.
    """
    made = _typst().compile(
        _project(source, files),
        format="pdf",
        pdf_standards=["ua-1"],
        font_paths=[str(font_path().parent)],
        ignore_system_fonts=True,
        timestamp=created,
    )
    assert isinstance(made, bytes)
    return made


def _project(source: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {"main": source.encode(), **files}


def _typst() -> Any:
    return import_module("typst")
