"""Typesetting by typst (extra ``tsume[print]``): pages as PNG, documents as PDF. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tsume.diagrams.fonts import font_path
from tsume.extras import require as require_extra

_MAIN = "main.typ"


def require() -> None:
    """Raise `tsume.extras.Missing` where typst is not installed."""
    require_extra("print")


def pages(source: str, files: Mapping[str, bytes], dots: float) -> list[bytes]:
    """The pages of a document as PNG, ``dots`` an inch; ``files`` are the pictures it names."""
    made = _typst().compile({"main": source.encode(), **files}, format="png", ppi=dots)
    return [made] if isinstance(made, bytes) else list(made)


def pdf(source: str, files: Mapping[str, bytes], created: int) -> bytes:
    """A document as PDF/UA-1: tagged, with its fonts. ``created``: seconds since 1970, written into it.

    Besides the fonts that typst carries it may use IPAexGothic.
    """
    with TemporaryDirectory(prefix="tsume-") as folder:  # given as bytes each file takes six times its size
        for name, data in {_MAIN: source.encode(), **files}.items():
            Path(folder, name).write_bytes(data)
        made = _typst().compile(
            str(Path(folder, _MAIN)),
            root=folder,
            format="pdf",
            pdf_standards=["ua-1"],
            font_paths=[str(font_path().parent)],
            ignore_system_fonts=True,
            timestamp=created,
        )
    assert isinstance(made, bytes)
    return made


def _typst() -> Any:
    return import_module("typst")
