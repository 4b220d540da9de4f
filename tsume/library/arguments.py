# SPDX-License-Identifier: GPL-3.0-or-later
"""What callers give: boards, moves, positions and other arguments, checked before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple, Protocol

from db.errors import stored_value_excerpt
from tsume.diagrams.look import COLOURS, PieceStyle
from tsume.files.inputs import Entry, entry_with_start_faults, read_entry
from tsume.formats.registry import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.uses.engines import MAX_MEMORY, MIN_MEMORY
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import SQUARES, Kind, Square, parse_square
from tsume_rules.sfen import ParsedSfen

# --- positions and moves as other programs have them: boards and moves of python-shogi and cshogi, answers ---


class Board(Protocol):
    """A board with a method ``sfen``: ``shogi.Board`` of python-shogi, ``cshogi.Board``."""

    def sfen(self) -> str:
        """Return the SFEN of the position."""
        ...


class HasSfen(Protocol):
    """What has its position as an SFEN, such as an answer."""

    @property
    def sfen(self) -> str:
        """The SFEN of the position."""
        ...


class BoardMove(Protocol):
    """A move with a method ``usi``: ``shogi.Move`` of python-shogi."""

    def usi(self) -> str:
        """Return the move in USI."""
        ...


GivenPosition = str | Board | HasSfen
GivenMove = str | BoardMove | int
"""A move in USI, one of python-shogi, or one of cshogi, which are numbers."""

_CSHOGI_DROPS = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER, Kind.BISHOP, Kind.ROOK, Kind.GOLD)
"""In the order in which cshogi numbers the origins of drops, after the squares."""


def sfen_text(name: str, given: Any) -> str:
    """Return the SFEN of a text, a board or an answer. Raises TypeError, which names the argument."""
    found = None if isinstance(given, type) else getattr(given, "sfen", None)
    text = given if isinstance(given, str) else found() if callable(found) else found
    if not isinstance(text, str):
        excerpt = stored_value_excerpt(repr(given))
        raise TypeError(f"{name} must be an SFEN, or a board or an answer with one, not {excerpt}")
    return text


def line_of_answer(given: Any) -> Sequence[str]:
    """Return the line of an answer; empty for anything else."""
    is_answer = not isinstance(given, str) and isinstance(getattr(given, "sfen", None), str)
    return getattr(given, "line", ()) if is_answer else ()


def is_move(value: Any) -> bool:
    """Return whether a value is a move of some kind."""
    is_number = isinstance(value, Integral) and not isinstance(value, bool)
    return isinstance(value, str) or is_number or callable(getattr(value, "usi", None))


def move_of(given: Any) -> Move:
    """Return a move. Raises ValueError."""
    if isinstance(given, Integral):
        # A move of cshogi: 7 bits for the target, 7 for the origin, one for the promotion.
        number = int(given)
        target, origin, promotes = number & 127, number >> 7 & 127, bool(number >> 14 & 1)
        if number >= 0 and target < SQUARES and target != origin:
            if origin < SQUARES:
                return Move(target, origin, promotes=promotes)
            if origin - SQUARES < len(_CSHOGI_DROPS) and not promotes:
                return Move(target, drop=_CSHOGI_DROPS[origin - SQUARES])
        raise ValueError(f"not a move of cshogi: {number}")
    return parse_move(given if isinstance(given, str) else given.usi())


# --- what callers give -----------------------------------------------------------------------------

_MOST = 2**31 - 1


class ArgumentRule(NamedTuple):
    """What an argument must be, in words, and whether a value is."""

    words: str
    holds: Callable[[Any], bool]


def check_arguments(*optional: str, **given: Any) -> None:
    """Raise ValueError for the first argument that breaks the rule of its name.

    Those named in ``optional`` may be None.
    """
    for name, value in given.items():
        rule = _RULES[name]
        if not (rule.holds(value) or (value is None and name in optional)):
            raise ValueError(f"{name} must be {rule.words}, not {stored_value_excerpt(repr(value))}")


def moves_of(name: str, given: Sequence[GivenMove]) -> tuple[Move, ...]:
    """Return the moves that are given. Raises ValueError, which names the argument."""
    try:
        return tuple(map(move_of, given))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def squares_of(name: str, texts: Sequence[str]) -> frozenset[Square]:
    """Return the squares of names such as ``2b``. Raises ValueError, which names the argument."""
    try:
        return frozenset(map(parse_square, texts))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _whole(least: int, most: int = _MOST) -> ArgumentRule:
    bounds = f"of at least {least}" if most == _MOST else f"from {least} to {most}"
    return ArgumentRule(f"a whole number {bounds}", lambda value: _is_whole(value) and least <= value <= most)


def _number(least: float, most: float = math.inf) -> ArgumentRule:
    bounds = f"of at least {least:g}" if math.isinf(most) else f"from {least:g} to {most:g}"
    return ArgumentRule(f"a number {bounds}", lambda value: _is_real(value) and least <= value <= most)


def _odd(least: int) -> ArgumentRule:
    holds = _whole(least).holds
    return ArgumentRule(f"an odd number of at least {least}", lambda value: holds(value) and value % 2 == 1)


def _one_of(names: Sequence[str]) -> ArgumentRule:
    return ArgumentRule(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def _is_sequence(value: object, holds: Callable[[Any], bool]) -> bool:
    """Return one text is a sequence of texts too, but none of several moves."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes) and all(map(holds, value))


def _is_texts(value: object) -> bool:
    return _is_sequence(value, lambda one: isinstance(one, str))


_TEXT = ArgumentRule("a text", lambda value: isinstance(value, str))
_FLAG = ArgumentRule("True or False", lambda value: isinstance(value, bool))
_TEXTS = ArgumentRule("a sequence of texts", _is_texts)
_MOVES = ArgumentRule("a sequence of moves", lambda value: _is_sequence(value, is_move))
_RULES = {
    "key": _TEXT, "hand": _TEXT, "caption": _TEXT, "title": _TEXT,
    "record": _TEXT,
    "records": ArgumentRule(
        "a text or texts", lambda value: isinstance(value, Iterable) and not isinstance(value, bytes)
    ),
    "path": ArgumentRule("the name of a file", lambda value: isinstance(value, str) and value != ""),
    "line": _MOVES, "themes": _TEXTS, "theme_details": _TEXTS, "known": _TEXTS,
    "keep": _TEXTS, "arrows": _MOVES, "marks": _TEXTS, "kinds": _TEXTS,
    "languages": ArgumentRule(
        f"a sequence of {' and '.join(LANGUAGES)}",
        lambda value: _is_texts(value) and len(value) > 0 and set(value) <= set(LANGUAGES),
    ),
    "natural": _FLAG, "sound": _FLAG, "exact": _FLAG, "count_futile": _FLAG, "all_findings": _FLAG,
    "all_answers": _FLAG, "every_try": _FLAG, "only_answers": _FLAG, "animate": _FLAG, "coordinates": _FLAG,
    "defender_hand": _FLAG, "solve": _FLAG,
    "seconds": _number(0), "scale": _number(0.1, 20),
    "memory": ArgumentRule(
        f"a whole number of MB, at least {MIN_MEMORY}", _whole(MIN_MEMORY, MAX_MEMORY).holds
    ),
    "nodes": _whole(1, 2**63 - 1), "max_moves": _whole(1), "max_turns": _whole(1), "proof_nodes": _whole(0),
    "moves": _odd(1), "count": _whole(0), "seed": _whole(0, 10**100 - 1), "ply": _whole(0),
    "at": _whole(0),
    "jobs": _whole(1, 256),
    "edits": _whole(0, 3),
    "plies": ArgumentRule("2, 4, 6 or 8", lambda value: _is_whole(value) and value in (2, 4, 6, 8)),
    "form": _one_of(("svg", "png")), "file_format": _one_of(tuple(WRITERS)),
    "language": _one_of(LANGUAGES), "colors": _one_of(tuple(COLOURS)),
    "pieces": _one_of(tuple(sign.value for sign in PieceStyle)),
}  # fmt: skip


# --- positions that callers give -------------------------------------------------------------------


class ReadPosition(NamedTuple):
    """A position, its line seen by the attacker, and the SFEN as it was given."""

    parsed: ParsedSfen
    line: tuple[Move, ...]
    sfen: str


def read_position(
    given: GivenPosition, line: Sequence[GivenMove] = (), *, legal: bool = False, judged: bool = False
) -> ReadPosition:
    """Return the position and its line: ``line``, else the answer's own or what follows the SFEN.

    Raises TypeError for what has no SFEN, and ValueError for an SFEN that cannot be read; with ``legal`` also
    for a position that is no legal start. With ``judged`` a position that the rules do not allow is read too.
    """
    text = sfen_text("sfen", given)
    check_arguments(line=line)
    entry = read_entry(text, "sfen")
    parsed = entry.illegal if judged and entry.illegal else _parsed(entry)
    moves = tuple(map(parsed.outward, moves_of("line", line or line_of_answer(given)))) or entry.line
    if legal:
        parsed = _parsed(entry_with_start_faults(entry))
    return ReadPosition(parsed, moves, entry.sfen)


def _parsed(entry: Entry) -> ParsedSfen:
    if entry.parsed is None:
        raise ValueError(" ".join(entry.error.split()))
    return entry.parsed
