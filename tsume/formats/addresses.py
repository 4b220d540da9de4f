# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of web pages and of apps that hold a position. Nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from tsume.formats.game_record import END
from tsume.formats.registry import READERS, file_format_of_texts
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_placement

_ADDRESS = re.compile(r"\s*([a-zA-Z][a-zA-Z0-9+.-]*)://([^\n]*)")
_RANK = "[1-9lnsgkrbpLNSGKRBP+]+"
_SFEN_IN_PATH = re.compile(
    rf"(?:^|/)((?:{_RANK}/){{8}}{_RANK})[_ ]([bw])[_ ]([1-9lnsgrbpLNSGRBP0]+|-)(?:[_ ]([0-9]+))?/?$"
)
_LISHOGI_PATH = re.compile(r"/(?:editor|analysis)/(?:standard/)?(.+)")
"""A path of lishogi that is meant to hold an SFEN, with underscores for its spaces."""
_PLUS_FOR_SPACE = re.compile(r"([^+]*?(?:\+[a-zA-Z][^+]*?)*)\+([bw])\+([0-9a-zA-Z]+|-)(?:\+([0-9]+))?")
_POSITION_KEYS = ("sfen", "initpos")
"""Parameters that are meant to hold a position, whatever they hold."""
_PLY_KEYS = ("num", "turn", "ply")
_PLY = re.compile(r"-1|[0-9]{1,4}")
_NUMBER = re.compile(r"[0-9]+")
_BETWEEN_MOVES = re.compile(r"[._,~]")


class NoPositionError(ValueError):
    """An address that holds no position."""


@dataclass(frozen=True)
class AddressText:
    """What an address holds: a line with an SFEN or of USI, or a game record.

    ``at``: the address shows the position after so many moves, `END` after all; None if it does not say.
    """

    text: str
    at: int | None = None


def is_address(text: str) -> bool:
    """Return whether a text is one address, of a web page or of an app (``piyoshogi://...``)."""
    return _ADDRESS.fullmatch(text.rstrip()) is not None


def text_of_address(address: str) -> AddressText:
    """Return what an address holds; the position and its moves are not checked.

    The position is an SFEN in the path, with underscores for spaces (lishogi), in the parameters ``sfen``
    (ぴよ将棋), ``initpos`` (KENTO) or any other, or behind ``#``; moves follow it after ``moves`` or are in
    the parameters ``moves`` or ``line``. Where ``+`` may be a space or a promoted piece, it is what makes the
    text an SFEN. Raises `NoPositionError` for an address without a position.
    """
    found = _ADDRESS.fullmatch(address.rstrip())
    if found is None:
        raise NoPositionError("not an address")
    rest, _, fragment = found[2].partition("#")
    place, _, query = rest.partition("?")
    path, parameters = percent_decoded(place), _parameters(query)
    if "=" in fragment:
        parameters = {**_parameters(fragment.lstrip("?!/")), **parameters}
    named = [key for key in _POSITION_KEYS if parameters.get(key)]
    others = [key for key in parameters if key not in _POSITION_KEYS]
    values = [*(parameters[key] for key in (*named, *others)), fragment, fragment.rpartition(":")[2]]
    if record := _first_text(_record_text, values):
        return AddressText(record)
    # The moves; those of KENTO may leave the line for a variation.
    moves = _usi_words(parameters.get("moves", "")) or _usi_words(parameters.get("line", ""))
    if branch := _usi_words(parameters.get("branch", "")):
        start = parameters.get("branchFrom", "")
        moves = [*moves[: int(start) if _NUMBER.fullmatch(start) else 0], *branch]
    in_path = _SFEN_IN_PATH.search(path)
    in_path_text = " ".join(filter(None, (in_path[1], in_path[2], in_path[3], in_path[4]))) if in_path else ""
    text = _first_text(_position_text, values) or in_path_text
    if not text and moves and _are_moves(moves):
        text = "startpos"
    if not text:
        meant = _LISHOGI_PATH.search(path) if "lishogi.org/" in path.lower() else None
        text = meant[1].replace("_", " ") if meant else _first_text(_decoded, values[: len(named)])
    if not text:
        raise NoPositionError("the address holds no position, and nothing is loaded from the network")
    if moves and " moves" not in text:
        text += f" moves {' '.join(moves)}"
    number = len(text.partition(" moves ")[2].split())
    given = next((parameters[key] for key in _PLY_KEYS if parameters.get(key)), fragment)
    if not number or not _PLY.fullmatch(given):
        return AddressText(text)
    return AddressText(text, END if given == "-1" or int(given) >= number else int(given))


def _first_text(read: Callable[[str], str], values: Iterable[str]) -> str:
    return next((text for text in map(read, values) if text), "")


def percent_decoded(text: str) -> str:
    """Return a text without percent signs for other characters."""
    return unquote(text)


def _decoded(raw: str) -> str:
    """Return the value of a parameter with ``+`` for spaces."""
    return percent_decoded(raw.replace("+", " "))


def _parameters(query: str) -> dict[str, str]:
    """Return the first value of each parameter that has one, not decoded."""
    found: dict[str, str] = {}
    for item in query.split("&"):
        key, _, value = item.partition("=")
        if value:
            found.setdefault(percent_decoded(key), value)
    return found


def _readings(raw: str) -> list[str]:
    """Return what a text may be: with ``+`` as it is or as a space; underscores or dots as spaces."""
    texts = [percent_decoded(raw), _decoded(raw)]
    return [*texts, *(text.replace("_", " ") for text in texts), texts[0].replace(".", " ")]


def _position_text(raw: str) -> str:
    """Return the position, with its moves, that a text is in one of its readings; empty if it is none."""
    readings = [" ".join(text.split()) for text in _readings(raw)]
    if found := _PLUS_FOR_SPACE.fullmatch(readings[0]):  # promoted pieces and spaces
        readings.append(" ".join(filter(None, (found[1], found[2], found[3], found[4]))))
    for text in readings:
        position, _, moves = f"{text} ".partition(" moves ")
        words = [word for word in position.split() if word not in ("position", "sfen")]
        try:
            if words != ["startpos"]:
                parse_placement(" ".join(words))
        except ValueError:
            continue
        if _are_moves(moves.split()):
            return text
    return ""


def _record_text(raw: str) -> str:
    text = percent_decoded(raw) if " " in raw or "%20" in raw else _decoded(raw)
    return text if file_format_of_texts([text]) in READERS else ""


def _usi_words(raw: str) -> list[str]:
    """Return moves with any separators, or other words; none for a number, which counts moves."""
    if _NUMBER.fullmatch(raw):
        return []
    readings = [_BETWEEN_MOVES.sub(" ", text).split() for text in _readings(raw)[:2]]
    return next((words for words in readings if _are_moves(words)), readings[0])


def _are_moves(words: list[str]) -> bool:
    try:
        return all(map(parse_move, words))
    except ValueError:
        return False
