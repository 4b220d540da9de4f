"""Addresses of web pages that hold a position."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

_LISHOGI = re.compile(r"(?:www\.)?lishogi\.org", re.IGNORECASE)
_WITH_SFEN = re.compile(r"/(?:editor|analysis)/(?:standard/)?(.+)")
"""The path of a page of lishogi that holds its position: an SFEN with underscores for its spaces."""
_ADDRESS = re.compile(r"\s*(?:https?://)\S+\s*", re.IGNORECASE)


class NoPositionError(ValueError):
    """An address that holds no position."""


def is_address(text: str) -> bool:
    """Whether a text is one address of a web page."""
    return _ADDRESS.fullmatch(text) is not None


def line_of_address(address: str) -> str:
    """The position of an address as ``SFEN [moves USI...]``; it is not checked.

    Pages of lishogi have it in their path, others in the parameters ``sfen`` and ``line``, as the page
    for composing has. Nothing is loaded. Raises `NoPositionError` for any other address.
    """
    try:
        parts = urlsplit(address.strip())
        name = parts.hostname or ""
    except ValueError:
        raise NoPositionError("not an address") from None
    if _LISHOGI.fullmatch(name):
        found = _WITH_SFEN.fullmatch(unquote(parts.path))
        if found is not None:
            return found[1].replace("_", " ")
    query = parse_qs(parts.query)
    if "sfen" in query:
        moves = query.get("line", [""])[0]
        return query["sfen"][0] + (f" moves {moves}" if moves else "")
    raise NoPositionError("the address holds no position")
