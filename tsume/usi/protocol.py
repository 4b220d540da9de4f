# SPDX-License-Identifier: GPL-3.0-or-later
"""What a GUI sends: lines of USI, parsed.

A line that is not a command of the protocol is ignored, as the protocol demands. A known command with bad
arguments raises `UsiError`, which names the argument.
"""

from __future__ import annotations

from dataclasses import dataclass

from tsume_rules.moves import parse_move

MOST_MILLISECONDS = 10**12
"""Longer times are as good as infinite."""
_CLOCKS = {"btime", "wtime", "byoyomi", "binc", "winc"}
_NUMBERS = _CLOCKS | {"movetime", "nodes", "depth", "mate"}
"""The words of ``go`` that a number follows."""
_FLAGS = {"ponder", "infinite"}
_ONLY = "searchmoves"
_WORDS = _NUMBERS | _FLAGS | {_ONLY}
_EXCERPT = 40


class UsiError(ValueError):
    """A command whose arguments make no sense; the message names the argument.

    ``go``: the command to answer all the same, if it is one.
    """

    def __init__(self, message: str, go: Go | None = None) -> None:
        super().__init__(message)
        self.go = go


@dataclass(frozen=True)
class Go:
    """A ``go`` command.

    ``mate``: the answer is ``checkmate ...``, not ``bestmove ...``. ``milliseconds``: time for the answer,
    None: no limit. ``clock``: what the GUI said of the clocks. ``infinite``: ``bestmove`` comes only after
    ``stop``; ``ponder``: or after ``ponderhit``. ``nodes`` and ``depth`` (plies of
    the mate) limit the search. ``only``: the next move is one of these, in USI; empty: any.
    """

    mate: bool = False
    milliseconds: int | None = None
    clock: tuple[tuple[str, int], ...] = ()
    infinite: bool = False
    ponder: bool = False
    nodes: int | None = None
    depth: int | None = None
    only: tuple[str, ...] = ()

    def time_limit(self, *, white: bool) -> int | None:
        """Milliseconds for the answer, with White or Black to move; None: no limit."""
        if self.milliseconds is not None or not self.clock:
            return self.milliseconds
        clock = dict(self.clock)
        side = "w" if white else "b"
        left = clock.get(f"{side}time", 0)
        own = clock.get("byoyomi", 0) + clock.get(f"{side}inc", 0) + left // _MOVES_LEFT
        return max(_LEAST, min(own, left + clock.get("byoyomi", 0)) - _RESERVE)


_MOVES_LEFT = 40
"""A move may use this part of the main time."""
_RESERVE, _LEAST = 100, 50
"""Milliseconds of a move that are left for the GUI, and that a search has at least."""


def words_of(line: str) -> tuple[str, str]:
    """Return the command of a line and the rest; an empty command for an empty line."""
    command, *rest = line.split(maxsplit=1) or [""]
    return command, rest[0].strip() if rest else ""


def excerpt(text: str) -> str:
    """Return a quotation of what was received: short, printable, ASCII."""
    return ascii(text if len(text) <= _EXCERPT else text[: _EXCERPT - 3] + "...")


def parse_setoption(rest: str) -> tuple[str, str]:
    """Name and value of ``setoption name NAME [value VALUE]``. Raises `UsiError`."""
    words = rest.split()
    if words[:1] != ["name"] or len(words) < 2:
        raise UsiError("setoption: no name")
    at = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:at]), " ".join(words[at + 1 :])


def parse_go(rest: str) -> Go:
    """Return a ``go`` command. Raises `UsiError`, which has the command to answer."""
    words = rest.split()
    is_mate = "mate" in words
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    only: list[str] = []
    while words:
        word = words.pop(0)
        if word in _FLAGS:
            flags.add(word)
        elif word == _ONLY:
            only += _moves(words, Go(mate=is_mate))
        elif word == "mate" and (not words or words[0] in _WORDS):
            pass  # without a time, or the next word says that there is none
        elif word in _NUMBERS:
            numbers[word] = _number(word, words.pop(0) if words else "", Go(mate=is_mate))
    clock = tuple((name, number) for name, number in numbers.items() if name in _CLOCKS)
    return Go(
        mate=is_mate,
        milliseconds=numbers.get("mate", numbers.get("movetime")),
        clock=clock,
        infinite=not is_mate and "infinite" in flags,
        ponder=not is_mate and "ponder" in flags,
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        only=tuple(dict.fromkeys(only)),
    )


def _moves(words: list[str], go: Go) -> list[str]:
    """Take the moves of ``searchmoves`` from the words, up to the next word of ``go``."""
    moves = []
    while words and words[0] not in _WORDS:
        word = words.pop(0)
        try:
            moves.append(parse_move(word).usi)
        except ValueError:
            raise UsiError(f"go searchmoves: {excerpt(word)} is not USI notation", go) from None
    if not moves:
        raise UsiError("go searchmoves: no move", go)
    return moves


def _number(name: str, text: str, go: Go) -> int:
    """Return a number of ``go``; a negative time, which some GUIs send of an overdue clock, is 0."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise UsiError(f"go {name}: {excerpt(text)} is not a number", go)
    number = MOST_MILLISECONDS if len(digits) > len(str(MOST_MILLISECONDS)) else int(digits)
    return 0 if text.startswith("-") else min(number, MOST_MILLISECONDS)
