# SPDX-License-Identifier: GPL-3.0-or-later
"""What a GUI sends: lines of USI, parsed.

A line that is not a command of the protocol is ignored, as the protocol demands. A known command with bad
arguments raises `UsiError`, which names the argument.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from solver.results import Interposition
from tsume.formats.game_record import START_SFEN, without_handicap_pieces
from tsume.language.catalogue import LANGUAGES, Language, Voice
from tsume.uses.engines import MAX_MEMORY, MIN_MEMORY, EngineOptions
from tsume_rules.moves import in_check, legal_moves, legal_position_after, parse_move
from tsume_rules.position import IN_CHECK, Position, Side, structural_faults
from tsume_rules.sfen import ParsedSfen, parse_placement, parse_sfen

MAX_MILLISECONDS = 10**12
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


def split_command(line: str) -> tuple[str, str]:
    """Return the command of a line and the rest; an empty command for an empty line."""
    command, *rest = line.split(maxsplit=1) or [""]
    return command, rest[0].strip() if rest else ""


def quoted_excerpt(text: str) -> str:
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
            if not words or words[0] in _WORDS:
                raise UsiError("go searchmoves: no move", Go(mate=is_mate))
            while words and words[0] not in _WORDS:
                move = words.pop(0)
                try:
                    only.append(parse_move(move).usi)
                except ValueError:
                    text = f"go searchmoves: {quoted_excerpt(move)} is not USI notation"
                    raise UsiError(text, Go(mate=is_mate)) from None
        elif word == "mate" and (not words or words[0] in _WORDS):
            pass  # without a time, or the next word says that there is none
        elif word in _NUMBERS:
            text = words.pop(0) if words else ""
            digits = text.removeprefix("-")
            if not (digits.isascii() and digits.isdigit()):
                raise UsiError(f"go {word}: {quoted_excerpt(text)} is not a number", Go(mate=is_mate))
            number = MAX_MILLISECONDS if len(digits) > len(str(MAX_MILLISECONDS)) else int(digits)
            # A negative time, which some GUIs send of an overdue clock, is 0.
            numbers[word] = 0 if text.startswith("-") else min(number, MAX_MILLISECONDS)
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


# --- the options of the engine: what `usi` declares and `setoption` sets ---------------------------

READINGS = {"narrow": Interposition.NARROW, "wide": Interposition.WIDE, "count-futile": Interposition.COUNT_ALL}
"""The readings of futile interpositions by which the engine can search."""
MAX_LINES, MAX_THREADS = 600, 256
"""No position has more legal moves than 593."""


@dataclass(frozen=True)
class Settings:
    """The values of all options; ``hash_size`` is in MB."""

    hash_size: int = 256
    threads: int = 1
    lines: int = 10
    reading: str = "narrow"
    find_all: bool = False
    shortest: bool = True
    language: Language = "en"

    @property
    def engine(self) -> EngineOptions:
        """Those that need another engine when they change."""
        return EngineOptions(self.hash_size << 20, READINGS[self.reading], jobs=self.threads)

    @property
    def voice(self) -> Voice:
        """How texts are written: English ones with moves in USI."""
        return Voice.of("ja") if self.language == "ja" else Voice("en", "usi")


def _machine_memory() -> int:
    """Return the memory of this machine in MB, or of any if it is not known."""
    ask: Callable[[str], int] | None = getattr(os, "sysconf", None)  # not on Windows
    if ask is None:
        return MAX_MEMORY
    try:
        return min(MAX_MEMORY, ask("SC_PHYS_PAGES") * ask("SC_PAGE_SIZE") >> 20)
    except (OSError, ValueError):
        return MAX_MEMORY


_OPTIONS: dict[str, tuple[str, range | tuple[str, ...]]] = {
    "USI_Hash": ("hash_size", range(MIN_MEMORY, max(MIN_MEMORY, _machine_memory()) + 1)),
    "Threads": ("threads", range(1, MAX_THREADS + 1)),
    "MultiPV": ("lines", range(1, MAX_LINES + 1)),
    "Reading": ("reading", tuple(READINGS)),
    "FindAll": ("find_all", ()),
    "Shortest": ("shortest", ()),
    "Lang": ("language", tuple(sorted(LANGUAGES))),
}
"""Each option with its field of `Settings` and its values: numbers, words, or none for true and false."""


def option_declarations(default: Settings) -> list[str]:
    """Return the ``option`` lines."""
    lines = []
    for name, (setting, values) in _OPTIONS.items():
        value = getattr(default, setting)
        if isinstance(values, range):
            kind = f"spin default {value} min {values[0]} max {values[-1]}"
        elif values:
            kind = f"combo default {value} " + " ".join(f"var {one}" for one in values)
        else:
            kind = f"check default {str(value).lower()}"
        lines.append(f"option name {name} type {kind}")
    return lines


def settings_with_option(settings: Settings, name: str, text: str) -> Settings:
    """Return the settings with one option set, its name in any case.

    Other options whose names begin with ``USI_`` change nothing: GUIs set them without a declaration. Raises
    `UsiError`.
    """
    known = next((known for known in _OPTIONS if known.lower() == name.lower()), None)
    if known is None:
        if name.startswith("USI_"):
            return settings
        raise UsiError(f"setoption: no option {quoted_excerpt(name)}")
    setting, values = _OPTIONS[known]
    value: Any = text
    if isinstance(values, range):
        digits, wanted = text.removeprefix("-"), f"a number from {values[0]} to {values[-1]}"
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(values[-1]))
        is_valid = is_number and (value := int(text)) in values
    elif values:
        is_valid, wanted = text in values, "one of " + ", ".join(values)
    else:
        is_valid, wanted = text in ("true", "false"), "true or false"
        value = text == "true"
    if not is_valid:
        raise UsiError(f"setoption {known}: {quoted_excerpt(text)} is not {wanted}")
    changes: dict[str, Any] = {setting: value}
    return replace(settings, **changes)


# --- the positions that a GUI sends, and whether the side to move attacks or defends ---------------


@dataclass(frozen=True)
class UsiPosition:
    """A position to search, in the roles that the side to move has there; of either colour.

    ``attack``: the side to move is the attacker; None if the other side has no king, or if the moves before
    are those of a problem, a check at each turn, after which the defender is to move. ``defence``: the side
    to move is the defender; None if it has no king, or with two kings if it is neither in check nor the side
    that was not to move at first (``sfen``). ``missing``: pieces given to the defender's hand.
    """

    attack: ParsedSfen | None
    defence: ParsedSfen | None
    missing: int = 0

    @property
    def parsed(self) -> ParsedSfen:
        """The position in its first role."""
        found = self.attack or self.defence
        assert found is not None
        return found

    @property
    def white_to_move(self) -> bool:
        """Whether White is to move."""
        return self.parsed.rotated is (self.parsed.position.side_to_move is Side.ATTACKER)

    def is_legal(self, move: str) -> bool:
        """Return whether a move in USI is legal here."""
        try:
            legal_position_after(self.parsed.position, self.parsed.outward(parse_move(move)))
        except ValueError:
            return False
        return True

    def a_defence(self, only: tuple[str, ...]) -> str | None:
        """A legal move, one of ``only`` unless that is empty; None if the side to move is no defender."""
        if self.defence is None:
            return None
        moves = (self.defence.outward(move).usi for move in legal_moves(self.defence.position))
        return next((move for move in moves if not only or move in only), None)


def parse_position(rest: str) -> UsiPosition:
    """Return the position of ``position startpos|sfen SFEN [moves ...]``.

    Raises `UsiError`, whose message names the field: ``sfen`` or ``moves``.
    """
    text, _, moves = f"{' '.join(rest.split())} ".partition(" moves ")
    kind, _, sfen = text.strip().partition(" ")
    if kind == "startpos" and not sfen:
        given = parse_sfen(START_SFEN)
    elif kind == "sfen":
        try:
            given = _with_attacker(sfen)
        except ValueError as error:
            raise UsiError(f"position sfen: {ascii(str(error))[1:-1]}") from None
    else:
        raise UsiError(f"position: needs startpos or sfen, not {quoted_excerpt(text.strip())}")
    # The position of a game, without what a handicap leaves out; Black is `Side.ATTACKER`.
    position = without_handicap_pieces(given)
    game = position.sides_exchanged if given.rotated else position
    checks: list[bool] = []
    for number, word in enumerate(moves.split(), start=1):
        try:
            move = parse_move(word)
        except ValueError:
            raise UsiError(f"position moves: move {number}, {quoted_excerpt(word)}, is not USI notation") from None
        try:
            game = legal_position_after(game, move)
        except ValueError as error:
            reason = str(error).partition(": ")[2] or str(error)
            reason = reason.replace("the attacker's", "Black's").replace("the defender's", "White's")
            raise UsiError(f"position moves: move {number}, {word}: {reason}") from None
        checks.append(in_check(game, game.side_to_move))
    is_other_side_s = kind == "sfen" and len(checks) % 2 == 1
    # The moves before are those of a problem, so that the defender is to move.
    is_problem = is_other_side_s and all(checks[::2])
    # With two kings, the side to move may be the defender.
    may_defend = is_other_side_s or in_check(game, game.side_to_move)
    is_white = game.side_to_move is Side.DEFENDER

    def role(position: Position, *, rotated: bool) -> ParsedSfen:
        # The defender holds what a handicap leaves out.
        whole = Position.completed(position.board, position.attacker_hand, position.side_to_move)
        return ParsedSfen(whole, rotated, given.missing)

    attack = role(game.sides_exchanged if is_white else game, rotated=is_white)
    defence = role(game if is_white else game.sides_exchanged, rotated=not is_white)
    has_king = [attack.position.king(side) is not None for side in (Side.ATTACKER, Side.DEFENDER)]
    faults = structural_faults((attack if has_king[1] else defence).position)
    if not faults and in_check(attack.position, Side.DEFENDER):
        faults.append(IN_CHECK)
    if faults:
        raise UsiError(f"position: {'; '.join(faults)}")
    attacks = has_king[1] and not (has_king[0] and is_problem)
    defends = has_king[0] and (may_defend or not has_king[1])
    return UsiPosition(attack if attacks else None, defence if defends else None, given.missing)


def start_position() -> UsiPosition:
    """Return the position before any ``position`` command: the start of the game."""
    return UsiPosition(parse_sfen(START_SFEN), None)


def _with_attacker(sfen: str) -> ParsedSfen:
    """Return the position of an SFEN; if only the side to move has a king, that is the defender, to move.

    Raises ValueError.
    """
    given = parse_placement(sfen).position
    if given.king(Side.DEFENDER) is not None or given.king(Side.ATTACKER) is None:
        return parse_sfen(sfen)
    board, side, *rest = sfen.removeprefix("sfen ").split()
    other = parse_sfen(" ".join((board, "w" if side == "b" else "b", *rest)))
    return replace(other, position=replace(other.position, side_to_move=Side.DEFENDER))


# --- what a search reports to the session, and how it is written -----------------------------------


@dataclass(frozen=True)
class Info:
    """An ``info`` line: how far the search is, and a mate with its line if one is known.

    ``mate`` is in plies, negative if the side to move is mated, ``line`` in USI; ``number`` is that of
    several lines (MultiPV).
    """

    depth: int
    nodes: int
    milliseconds: int
    hashfull: int
    number: int | None = None
    mate: int | None = None
    line: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The line."""
        words = ["info"]
        if self.number is not None:
            words.append(f"multipv {self.number}")
        speed = 1000 * self.nodes // max(1, self.milliseconds)
        words.append(f"depth {self.depth} nodes {self.nodes} nps {speed}")
        words.append(f"hashfull {self.hashfull} time {self.milliseconds}")
        if self.mate is not None:
            words.append(f"score mate {self.mate}")
        if self.line:
            words.append("pv " + " ".join(self.line))
        return " ".join(words)


@dataclass(frozen=True)
class InfoText:
    """A sentence for people: ``info string``."""

    text: str


@dataclass(frozen=True)
class KnownMate:
    """A mate: its line in USI and its length in plies; ``proved``: there is no shorter one.

    With the defender to move the line is a longest defence.
    """

    line: tuple[str, ...]
    length: int
    proved: bool


@dataclass(frozen=True)
class MoveToPlay:
    """The move, in USI, that a player may make although no mate is known: a defence."""

    move: str


class SearchEnding(Enum):
    """How a search ended."""

    MATE = "mate"
    """A mate was reported as a `KnownMate`."""
    NO_MATE = "no mate"
    OPEN = "open"
    """A limit was reached."""
    FAILED = "failed"
    """An error, which was reported; or there is nothing to search, as the side to move is mated."""


@dataclass(frozen=True)
class Ready:
    """The engine is ready."""


SearchEvent = Info | InfoText | KnownMate | MoveToPlay | SearchEnding | Ready


# --- what the session requests of a search ---------------------------------------------------------


@dataclass(frozen=True)
class SearchRequest:
    """A search for the session's ``go`` of a number, until ``cancelled`` is set."""

    number: int
    position: UsiPosition
    go: Go
    settings: Settings
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class PreparationRequest:
    """The engine is to be made ready for these settings."""

    settings: Settings
