# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker of certificates (docs/certificates.md). It reads the rules of the game and nothing else.

A file is read twice: to learn its facts, then to check that each follows from others by the rules alone. Several
processes may share the second reading.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from tsume_rules import packed
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.state import set_up_position
from tsume_rules.kernel.tables import SET, SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packed import answered_checks, legal_checks, legal_evasions, played, room_for_answers, start_faults
from tsume_rules.position import Position as RulesPosition
from tsume_rules.position import Side
from tsume_rules.sfen import parse_sfen

TITLE = b"tsume certificate 1\n"
EVER = "*"
FACTS_IN_MEMORY = 4_000_000
FOREVER = 1 << 40
"""More plies than any number in a file, however often one is subtracted on the way."""
_LETTERS = b".PLNSBRGKTUVWHD"
_DIGITS = "0123456789abcdefghi"
_COUNTS = bytes.maketrans(_DIGITS.encode(), bytes(range(19)))
_BASE = bytes.maketrans(b"TUVWHDplnsbrgktuvwhd", b"PLNSBRPLNSBRGKPLNSBR")
_PROMOTED = bytes.maketrans(b"PLNSBRplnsbr", b"TUVWHDtuvwhd")
_CODES = bytes.maketrans(_LETTERS + _LETTERS.lower()[1:], bytes([*range(15), *range(17, 31)]))
_TEXT_ORDER = np.array([(8 - sq // 9) + 9 * (sq % 9) for sq in range(81)])
"""[square] -> its place in a board's text: ranks from the top, each from file 9 to file 1."""
_PLACE = [int(_TEXT_ORDER[sq]) for sq in SQUARE]
_SET = SET[1:8].tolist()
_KINDS = b"PLNSBRG"
_IN_HAND = {letter: 1 << (8 * i) for i, letter in enumerate(_KINDS)}
_GUARDS = 0x80808080808080
_FACT = re.compile(
    r"([ADNEU]) ([0-9]{1,6}|\*)(?: ([0-9]{1,6}|\*))? "
    r"([.PLNSBRGKTUVWHDplnsbrgktuvwhd]{81})([0-9a-i]{7})((?: [1-9PLNSBRG][a-i*][1-9][a-i]\+?)*)\n"
)


class CertificateError(ValueError):
    """A file proves nothing; the message says where and why."""


class Position(NamedTuple):
    """A board's text and the attacker's hand, eight bits a kind; the defender holds all other pieces."""

    board: bytes
    hand: int


usi_of: Callable[[int], str] = cache(lambda code: packed.unpack_move(code).usi)
"""The USI text of a move's code."""
code_of: Callable[[str], int] = lru_cache(1 << 16)(lambda usi: packed.pack_move(parse_move(usi)))
"""The code of a move in USI."""


@cache
def _parts(code: int) -> tuple[int, int, int, bool]:
    """Return the places that a move goes to and comes from, the letter it drops (0: none), whether it promotes."""
    kind = packed.dropped(code)
    places = _PLACE[packed.target_of(code)], _PLACE[packed.origin_of(code)]
    return *places, _LETTERS[kind] if kind else 0, packed.is_promotion(code)


def play_moves(position: Position, code: int, side: Side, *answers: int) -> Position:
    """Return the position after a side's move, given as the rules' code, and the answers that follow it."""
    board, hand, black = bytearray(position.board), position.hand, not side
    for move in (code, *answers):
        target, origin, piece, promotes = _parts(move)
        if piece:
            board[target] = piece if black else piece + 32
            hand -= _IN_HAND[piece] if black else 0
        else:
            if black and board[target] != 46:
                hand += _IN_HAND[_BASE[board[target]]]
            board[target] = _PROMOTED[board[origin]] if promotes else board[origin]
            board[origin] = 46
        black = not black
    return Position(bytes(board), hand)


class PositionSetup:
    """A ``packed`` of the rules in which positions are set up one after the other."""

    def __init__(self) -> None:
        self._counts = bytearray(16)
        self._hands = np.frombuffer(self._counts, dtype=np.int8).reshape(2, 8)
        self.packed = packed.pack_codes(np.zeros(81, dtype=np.int8), self._hands)

    def place(self, position: Position) -> None:
        """Set up a position. Raises `CertificateError` if it does not have the pieces of one set."""
        board, pieces = position.board, position.board.translate(_BASE)
        held = position.hand.to_bytes(7, "little")
        rest = [full - pieces.count(kind) - h for full, kind, h in zip(_SET, _KINDS, held, strict=True)]
        if min(rest) < 0 or board.count(b"k") != 1 or board.count(b"K") > 1:
            raise CertificateError("not the pieces of one set")
        self._counts[1:8], self._counts[9:16] = held, bytes(rest)
        codes = np.frombuffer(board.translate(_CODES), dtype=np.int8)[_TEXT_ORDER]
        set_up_position(self.packed, codes, self._hands)


class Facts:
    """The facts of a certificate, or one part of them: what is known of each board, with which hands."""

    def __init__(self, part: int, parts: int, most: int) -> None:
        self._known: dict[str, dict[bytes, tuple[int, ...]]] = {kind: {} for kind in "ADNEU"}
        self._is_here: Callable[[bytes], bool] = lambda board: parts == 1 or zlib.crc32(board) % parts == part
        self._most, self._number = most, 0

    def add(self, kind: str, plies: int, beyond: int, position: Position) -> None:
        """Learn a fact, if it belongs to this part. Raises MemoryError if there are too many."""
        board, hand = position
        if self._is_here(board):
            known = self._known[kind]
            known[board] = (*known.get(board, ()), hand, plies, beyond)
            self._number += 1
            if self._number > self._most:
                raise MemoryError

    def has(self, kind: str, position: Position, plies: int, beyond: int = 0) -> bool:
        """Return whether some fact implies this one; also if that is for another part to say.

        More plies and a larger hand are no worse for a mate (A, D), fewer and a smaller hand for the absence
        of one (N, E). A single solution (U) is one of this very position, with as many plies.
        """
        board, hand = position
        known = self._known[kind].get(board, ())
        for i in range(0, len(known), 3):
            held, n = known[i], known[i + 1]
            if kind == "U":
                found = (held, n) == (hand, plies) and known[i + 2] >= beyond
            elif kind in "NE":
                found = n >= plies and ((held | _GUARDS) - hand) & _GUARDS == _GUARDS
            else:
                found = n <= plies and ((hand | _GUARDS) - held) & _GUARDS == _GUARDS
            if found:
                return True
        return not self._is_here(board)


@dataclass(frozen=True)
class Proved:
    """What a certificate proves of a problem; docs/certificates.md says what each field means.

    ``leftover``: whether pieces stay in hand after the line.
    """

    sfen: str
    mate: int | None = None
    no_mate: int | str | None = None
    line: tuple[str, ...] = ()
    leftover: bool | None = None
    unique: int | str | None = None
    second: tuple[dict[str, Any], ...] = ()


class Checker:
    """Checks lines against the facts that a certificate has."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.proved: list[Proved] = []
        self._place, self._packed = (setup := PositionSetup()).place, setup.packed
        self._other, self._room = PositionSetup(), room_for_answers()

    def learn(self, line: bytes) -> None:
        """Learn the line of a fact. Raises `CertificateError` and MemoryError."""
        self._facts.add(*_read_fact(line)[:4])

    def fact(self, line: bytes) -> None:
        """Check the line of a fact. Raises `CertificateError`."""
        kind, n, beyond, position, moves = _read_fact(line)
        self._place(position)
        if kind == "N":
            answers = answered_checks(self._packed, self._room)
            if len(answers) != len(moves):
                raise CertificateError(f"{len(moves)} answers to {len(answers)} checks")
            for check, usi in zip(sorted(answers, key=usi_of), moves, strict=True):
                answer = _legal(usi, answers[check])
                if usi[1] != "*" and (  # the usual case, without a move on the packed position
                    n < 3 or self._facts.has("N", play_moves(position, check, Side.ATTACKER, answer), n - 2)
                ):
                    continue
                with played(self._packed, check, Side.ATTACKER):
                    self._escapes(n - 1, play_moves(position, check, Side.ATTACKER), answer)
        elif kind in "AU":
            check = _legal(moves[0], checks := legal_checks(self._packed))
            for other in checks if kind == "U" else ():
                if other != check:
                    self._require("E", play_moves(position, other, Side.ATTACKER), min(n - 1 + beyond, FOREVER))
            with played(self._packed, check, Side.ATTACKER):
                after_check, only = play_moves(position, check, Side.ATTACKER), beyond if kind == "U" else None
                self._mated(n - 1, after_check, moves[1:], only)
        elif not find_checkers(self._packed, Side.DEFENDER)[0]:
            raise CertificateError("the king is not in check")
        elif kind == "D":
            self._mated(n, position, moves, None)
        else:
            self._escapes(n, position, _legal(moves[0], legal_evasions(self._packed)))

    def _require(self, kind: str, position: Position, n: int, beyond: int = 0) -> None:
        if not self._facts.has(kind, position, n, beyond):
            plies = EVER if n > FOREVER // 2 else n
            raise CertificateError(f"needs a fact {kind} {plies} {position_text(position)}")

    def _mated(self, n: int, position: Position, slides: list[str], beyond: int | None) -> None:
        """Check that each answer is a drop where a slide mates, or mated in time (``beyond``: uniquely)."""
        taken = set()
        for usi in slides:
            slide = _legal(usi, self._slides())
            self._require("D", play_moves(position, slide, Side.ATTACKER), n)
            taken.add(packed.target_of(slide))
        for code in legal_evasions(self._packed):
            if packed.dropped(code) and packed.target_of(code) in taken and not self._checks_attacker(code):
                continue
            if n < 2:
                raise CertificateError(f"{usi_of(code)} answers the last check")
            answered = play_moves(position, code, Side.DEFENDER)
            if beyond is None or n == 2:
                self._require("A", answered, n - 1)
            elif not self._facts.has("A", answered, n - 3):
                self._require("U", answered, n - 1, beyond)

    def _slides(self) -> list[int]:
        """Return the moves of the only checking piece to a square between it and the king."""
        count, checker = find_checkers(self._packed, Side.DEFENDER)
        cells = packed.cells_between(checker, int(self._packed.king[Side.DEFENDER])) if count == 1 else ()
        slides = [m for m in legal_checks(self._packed) if packed.origin_of(m) == checker]
        return [m for m in slides if packed.target_of(m) in cells]

    def _checks_attacker(self, drop: int) -> bool:
        if not self._packed.king[Side.ATTACKER]:
            return False
        with played(self._packed, drop, Side.DEFENDER):
            return bool(in_check(self._packed, Side.ATTACKER))

    def _escapes(self, n: int, position: Position, answer: int) -> None:
        if n >= 2:
            self._require_no_mate(play_moves(position, answer, Side.DEFENDER), n - 1)
        if packed.dropped(answer) and not self._checks_attacker(answer):
            for slide in (m for m in self._slides() if packed.target_of(m) == packed.target_of(answer)):
                self._require("E", play_moves(position, slide, Side.ATTACKER), n)

    def _require_no_mate(self, position: Position, n: int) -> None:
        """Require that there is no mate in a position; without a check there is none."""
        if n > 0 and not self._facts.has("N", position, n):
            self._other.place(position)
            if legal_checks(self._other.packed):
                self._require("N", position, n)

    def claim(self, line: bytes) -> None:
        """Check what is claimed of a problem; it is then proved. Raises `CertificateError`."""
        try:
            claimed = _claim_of(json.loads(line))
            start = parse_sfen(claimed.sfen)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise CertificateError(f"not a claim: {error}") from None
        if start.missing or start.rotated or start_faults(start.position):
            raise CertificateError("not a legal start, complete and with Black to move")
        position = position_from_rules(start.position)
        if claimed.mate is None:
            self._require_no_mate(position, _plies(str(claimed.no_mate)))
            self.proved.append(claimed)
            return
        self._require("A", position, claimed.mate)
        self._require_no_mate(position, claimed.mate - 2)
        if claimed.unique is not None:
            self._require("U", position, claimed.mate, _plies(str(claimed.unique)))
        for second in claimed.second:
            turn, left = self._along(position, claimed.mate, second["after"]), len(second["after"])
            for usi, n in ((second["key"], claimed.mate - left), (second["check"], second["plies"])):
                self._place(turn)
                check = _legal(usi, legal_checks(self._packed))
                self._require("D", play_moves(turn, check, Side.ATTACKER), n - 1)
        leftover = self._along(position, claimed.mate, claimed.line).hand > 0 if claimed.line else None
        self.proved.append(replace(claimed, leftover=leftover))

    def _along(self, position: Position, n: int, moves: Sequence[str]) -> Position:
        """Return the position after moves that mate as soon as possible, against longest defences."""
        for left, usi in zip(range(n - 1, -1, -1), moves, strict=False):
            self._place(position)
            side = Side(left % 2)  # plies are left in even number after the attacker's move
            code = _legal(usi, (legal_evasions if side else legal_checks)(self._packed))
            position = play_moves(position, code, side)
            if side:
                self._require("A", position, left)
                self._require_no_mate(position, left - 2)
            else:
                self._require("D", position, left)
        return position


def _legal(usi: str, legal: Iterable[int]) -> int:
    if (code := code_of(usi)) not in legal:
        raise CertificateError(f"not a legal move here: {usi[:10]!r}")
    return code


@lru_cache(1 << 16)
def _plies(word: str) -> int:
    if word == EVER:
        return FOREVER
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise CertificateError(f"not a number of plies: {word[:10]!r}")
    return int(word)


def position_from_rules(position: RulesPosition) -> Position:
    """Return a position of the rules as this file has it."""
    pieces = {_PLACE[c]: position.board[sq] for c, sq in enumerate(SQUARE) if sq >= 0}
    board = bytes(_LETTERS[one.kind] + 32 * one.side if (one := pieces[i]) else 46 for i in range(81))
    return Position(board, int.from_bytes(position.attacker_hand.counts, "little"))


def position_text(position: Position) -> str:
    """Return a position as a fact has it."""
    return position.board.decode() + "".join(_DIGITS[n] for n in position.hand.to_bytes(7, "little"))


def _read_fact(line: bytes) -> tuple[str, int, int, Position, list[str]]:
    """Return the kind of a fact, its plies, with U those beyond the end, its position, its moves."""
    if not (found := _FACT.fullmatch(line.decode("ascii", "replace"))):
        raise CertificateError("not a fact")
    kind, plies, more, board, hand, text = found.groups("0")
    n, beyond, moves = _plies(plies), _plies(more), text.split()
    if (found[3] is None) == (kind == "U") or (kind in "AEU" and not moves) or (kind == "E" and moves[1:]):
        raise CertificateError("not a fact")
    if (n >= FOREVER and kind not in "NE") or (n < FOREVER and n % 2 != (kind in "ANU")):
        raise CertificateError(f"not a number of plies for {kind}: {plies}")
    held = int.from_bytes(hand.encode().translate(_COUNTS), "little")
    return kind, n, beyond, Position(board.encode(), held), moves


def _claim_of(fields: dict[str, Any]) -> Proved:
    """Return a claim whose fields have the right types. Raises ValueError, TypeError, KeyError, AttributeError."""
    claimed = Proved(**{**fields, "line": tuple(fields.get("line", ())), "leftover": None})
    second = claimed.second
    texts = [*claimed.line, *(usi for one in second for usi in (*one["after"], one["key"], one["check"]))]
    numbers = [*(one["plies"] for one in second), *([claimed.mate] if claimed.no_mate is None else [])]
    last = claimed.mate or 0
    if (
        any(type(n) is not int or n % 2 != 1 or not 0 < n < 10**6 for n in numbers)
        or not all(type(text) is str for text in [claimed.sfen, *texts])
        or (claimed.mate is None and (claimed.line or second or claimed.unique is not None))
        or (claimed.mate is not None and claimed.no_mate is not None)
        or len(claimed.line) not in (0, last)
        or any(len(m := one["after"]) % 2 or len(m) >= last or one["key"] == one["check"] for one in second)
    ):
        raise ValueError("fields that do not fit")
    return claimed


def verify(path: str, most: int = FACTS_IN_MEMORY) -> list[Proved]:
    """What a file proves, with ``most`` boards in memory. Raises `CertificateError` and OSError."""
    part, parts = 0, 1
    while part < parts:
        checker = Checker(Facts(part, parts, most))
        try:
            read_lines(path, checker.learn, lambda _: None)
        except MemoryError:
            part, parts = 0, 2 * parts
            continue
        read_lines(path, checker.fact, checker.claim)
        part += 1
    return checker.proved


def read_lines(path: str, fact: Callable[[bytes], None], claim: Callable[[bytes], None]) -> None:
    """Go through a file whose last line gives the number of its facts; errors name the line."""
    number, facts = 1, 0
    try:
        with gzip.open(path) as file:
            if file.readline(len(TITLE)) != TITLE:
                raise CertificateError("not a certificate")
            while (line := file.readline(1 << 20)) and not line.startswith(b"end "):
                number += 1
                facts += line[0] != b"{"[0]
                (claim if line.startswith(b"{") else fact)(line)
            if line != b"end %d\n" % facts or file.read(1):
                raise CertificateError("the file does not end as it should")
    except (ValueError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CertificateError(f"line {number}: {error}") from None


# --- in several processes: each has all facts and checks a share of the lines ---------------------


def verify_in_processes(path: str, jobs: int, most: int = FACTS_IN_MEMORY) -> list[Proved]:
    """As `verify`; of several errors another one may be named.

    The processes share the memory of the facts, which needs a system that can fork. Elsewhere, and for a file
    with more facts than ``most``, one process does it all.
    """
    if jobs == 1 or sys.platform == "win32":
        return verify(path, most)
    checker = Checker(Facts(0, 1, most))
    try:
        read_lines(path, checker.learn, _pass)
    except MemoryError:
        return verify(path, most)
    children: list[int] = []
    try:
        for share in range(1, jobs):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    _check_share(checker, path, share, jobs)
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        _check_share(checker, path, 0, jobs)
        failed = [share for share, child in enumerate(children, 1) if os.waitpid(child, 0)[1]]
    except BaseException:
        for child in children:
            with suppress(ProcessLookupError, ChildProcessError):  # it may have ended
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        raise
    for share in failed:  # here once more, for the error
        _check_share(checker, path, share, jobs)
    return checker.proved


def _pass(_line: bytes) -> None:
    pass


def _check_share(checker: Checker, path: str, share: int, shares: int) -> None:
    """Check every so many-th fact, and in the first share all claims."""
    numbers = count()

    def check(line: bytes) -> None:
        if next(numbers) % shares == share:
            checker.fact(line)

    read_lines(path, check, _pass if share else checker.claim)
