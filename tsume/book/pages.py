"""The pages of a booklet, set by typst."""

from __future__ import annotations

import json
from importlib.resources import files

from tsume.book.content import Content
from tsume.diagrams.typesetting import pdf

_TEMPLATE = "book.typ"


def book_pdf(content: Content, created: int) -> bytes:
    """A booklet as PDF/UA-1. ``created``: seconds since 1970, written into it.

    Raises `tsume.extras.Missing` where typst is not installed.
    """
    template = (files("tsume.book") / _TEMPLATE).read_text(encoding="utf-8")
    pictures = {name: picture.encode() for name, picture in content.pictures.items()}
    data = json.dumps(content.data, ensure_ascii=False).encode()
    return pdf(template, {"book.json": data, **pictures}, created)
