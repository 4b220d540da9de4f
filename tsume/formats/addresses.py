# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of web pages that hold a position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

_LISHOGI = re.compile(r"(?:www\.)?lishogi\.org")
_WITH_SFEN = re.compile(r"/(?:editor|analysis)/(?:standard/)?(.+)")
"""The path of a page of lishogi that holds its position: an SFEN with underscores for its spaces."""
_ADDRESS = re.compile(r"\s*[hH][tT][tT][pP][sS]?://\S+\s*")


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
        parts = address_parts(address.strip())
    except ValueError:
        raise NoPositionError("not an address") from None
    if _LISHOGI.fullmatch(parts.host):
        found = _WITH_SFEN.fullmatch(parts.path)
        if found is not None:
            return found[1].replace("_", " ")
    if "sfen" in parts.query:
        moves = parts.query.get("line", "")
        return parts.query["sfen"] + (f" moves {moves}" if moves else "")
    raise NoPositionError("the address holds no position")


@dataclass(frozen=True)
class AddressParts:
    """Parts of an address, decoded: the host, the path, and the first value of each parameter."""

    host: str
    path: str
    query: dict[str, str]


def address_parts(address: str) -> AddressParts:
    """The parts of an address. Raises ValueError if it is none."""
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return AddressParts(parts.hostname or "", unquote(parts.path), query)
