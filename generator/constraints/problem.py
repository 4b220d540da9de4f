# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints on problems, apart from their length.

They steer the search (`generator.reverse.construction`), and every problem is tested against them
at the end. They are plain values, so that they are stored with a run as JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from generator.constraints.line_pattern import (
    ConstraintError,
    Line,
    PlayedMove,
    king_steps,
    nearness_of_any,
    parse_line_pattern,
    parse_move_patterns,
    played_moves,
    usi_squares,
)
from generator.problem import Problem
from generator.resemblance import Placement, ResemblanceIndex
from generator.theme_names import NAMES, ThemeDetail
from solver.results import RESISTANCE_NODES, Defect, Difficulty, Judgement
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import (
    HAND_KINDS,
    KIND_IN_HAND,
    LETTERS_IN_HAND,
    SET_COUNT,
    SQUARES,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    parse_square,
    rank_of,
)
from tsume_rules.sfen import parse_sfen

# --- properties of a problem that can be required or searched for: of its position, first move and judgement ---


class Key(StrEnum):
    """What the first move does; a drop may also be a sacrifice, and some captures are none of these."""

    QUIET = "quiet"
    """It moves a piece, captures nothing, and the next answer of the main line does not take it."""
    DROP = "drop"
    """It is a drop."""
    SACRIFICE = "sacrifice"
    """The next answer of the main line takes it."""


@dataclass(frozen=True, kw_only=True)
class PropertyConstraints:
    """Properties that a problem must have; the defaults require none.

    ``no_promoted``: no promoted piece stands on the board; ``defenders``: at least this many pieces of the
    defender stand there beside the king. ``no_equal_defences`` (変同), ``no_variation_cooks`` (変化別詰) and
    ``one_finish`` (no 最終手余詰): the judgement has no such remark. ``same_when_counted``: length and main
    line stay the same if every interposition counts. ``key``: a `Key`.
    """

    no_promoted: bool = False
    defenders: int | None = None
    no_equal_defences: bool = False
    no_variation_cooks: bool = False
    one_finish: bool = False
    same_when_counted: bool = False
    key: str | None = None

    @property
    def has_property_constraints(self) -> bool:
        """Whether any property is required."""
        return any(getattr(self, field.name) not in (None, False) for field in fields(PropertyConstraints))

    @property
    def unwanted_defects(self) -> Defect:
        """The remarks that no problem may have."""
        asked = (
            (self.no_equal_defences, Defect.EQUAL_DEFENCES),
            (self.no_variation_cooks, Defect.VARIATION_COOK),
            (self.one_finish, Defect.LAST_MOVE_ALTERNATIVES),
        )
        return Defect.union(remark for is_asked, remark in asked if is_asked)


def has_promoted(position: Position) -> bool:
    """Return whether a promoted piece of either side stands on the board."""
    return any(piece is not None and piece.kind.is_promoted for piece in position.board)


def count_defenders(position: Position) -> int:
    """Return how many pieces of the defender stand on the board, the king not counted."""
    pieces = [piece for piece in position.board if piece is not None and piece.side is Side.DEFENDER]
    return sum(piece.kind is not Kind.KING for piece in pieces)


def key_kinds(position: Position, line: tuple[Move, ...]) -> frozenset[Key]:
    """Return what the first move of a main line is."""
    key = line[0]
    kinds = {Key.DROP} if key.drop is not None else set()
    if len(line) > 1 and line[1].target == key.target:
        return frozenset(kinds | {Key.SACRIFICE})
    if key.drop is None and position.board[key.target] is None:
        kinds.add(Key.QUIET)
    return frozenset(kinds)


def is_free_of_defect(judgement: Judgement, remark: Defect) -> bool:
    """Whether a remark is known not to apply; a judgement that was not settled to the end does not say."""
    return not judgement.unresolved and remark not in judgement.remarks


# --- constraints on problems, apart from their length ----------------------------------------------

_LISTS = ("themes", "theme_details", "known")
"""The constraints that are several."""


class KingRegion(StrEnum):
    """Where the defender's king stands at the start."""

    CORNER = "corner"
    """In the three by three squares of a corner."""
    EDGE = "edge"
    """On an outermost file or rank, outside the corners."""
    CENTRE = "centre"
    """At least two squares from every edge, outside the corners."""

    def contains_king(self, king: Square) -> bool:
        """Return whether a square lies in the region."""
        file, rank = min(file_of(king), 10 - file_of(king)), min(rank_of(king), 10 - rank_of(king))
        corner = file <= 3 and rank <= 3
        if self is KingRegion.CORNER:
            return corner
        return not corner and (min(file, rank) == 1 if self is KingRegion.EDGE else min(file, rank) >= 3)

    @property
    def squares(self) -> frozenset[Square]:
        """The squares of the region."""
        return frozenset(filter(self.contains_king, range(SQUARES)))


@lru_cache(maxsize=64)
def parse_mate_squares(text: str) -> frozenset[Square]:
    """Return the squares of a region or the square of a name such as ``5e``, ``55`` or ``5五``. Raises
    `ConstraintError`."""
    if text in list(KingRegion):
        return KingRegion(text).squares
    try:
        return frozenset({parse_square(usi_squares(text))})
    except ValueError:
        regions = ", ".join(KingRegion)
        raise ConstraintError(f"{text[:50]!r} is neither a square such as 5e nor a region: {regions}") from None


@lru_cache(maxsize=64)
def parse_area(text: str) -> frozenset[Square]:
    """Return the squares of ``right`` (files 1 to 5), of files and ranks in the upper right corner (``3x3``), or
    between two squares (``5a-1c``). Raises `ConstraintError`."""
    narrow = "5x9" if text == "right" else usi_squares(text)
    size = re.fullmatch("([1-9])x([1-9])", narrow)
    corners = re.fullmatch("([1-9])([a-i])-([1-9])([a-i])", narrow)
    if size:
        files, ranks = range(1, int(size[1]) + 1), range(1, int(size[2]) + 1)
    elif corners:
        one, other = parse_square(narrow[:2]), parse_square(narrow[3:])
        files, ranks = (
            range(min(of(one), of(other)), max(of(one), of(other)) + 1) for of in (file_of, rank_of)
        )  # fmt: skip
    else:
        raise ConstraintError(f"{text[:50]!r} is not an area: give right, files x ranks (3x3) or two squares (5a-1c)")
    return frozenset(sq for sq in range(SQUARES) if file_of(sq) in files and rank_of(sq) in ranks)


def stands_in(area: frozenset[Square], position: Position) -> bool:
    """Return whether all pieces on the board stand in an area."""
    return all(piece is None or sq in area for sq, piece in enumerate(position.board))


_OF_POSITIONS: dict[str, Callable[[Any, Position], bool]] = {
    "hand": lambda hand, position: position.attacker_hand == parse_hand(hand),
    "min_hand": lambda hand, position: _holds(position.attacker_hand, parse_hand(hand)),
    "hand_only": lambda letters, position: set(position.attacker_hand) <= parse_kinds(letters),
    "region": lambda region, position: _king_in(KingRegion(region), position),
    "defenders": lambda least, position: count_defenders(position) >= least,
    "max_defenders": lambda most, position: count_defenders(position) <= most,
    "min_pieces": lambda least, position: position.piece_count() >= least,
    "max_pieces": lambda most, position: position.piece_count() <= most,
    "no_promoted": lambda _, position: not has_promoted(position),
    "area": lambda area, position: any(
        stands_in(parse_area(area), image) for image in (position, position.mirrored)
    ),
}  # fmt: skip
"""The constraints on a position and what each asks, given its value."""
_DECIDED = tuple(name for name in _OF_POSITIONS if name not in ("max_pieces", "no_promoted"))
"""What the last tests do not change; they take off pieces and make promoted ones plain."""


@dataclass(frozen=True)
class _PlayedLine:
    """The last moves of a line of ``length`` plies, and the board at the end."""

    moves: list[PlayedMove]
    end: list[Piece | None]
    length: int

    @property
    def king(self) -> Square:
        return self.end.index(Piece(Side.DEFENDER, Kind.KING))

    def found(self, pattern: str) -> float:
        """Return the share of a pattern's moves that the line has; those before its first one are not known yet."""
        line = parse_line_pattern(pattern)
        unknown = [None] * (self.length - len(self.moves))
        found = line.found([*unknown, *self.moves])
        return found / line.asked if found >= 0 and line.asked else float(found >= 0)


_OF_LINES: dict[str, Callable[[Any, _PlayedLine], float]] = {
    "mate_on": lambda squares, played: max(
        0.0, 1.0 - min(king_steps(played.king, sq) for sq in parse_mate_squares(squares)) / 4
    ),
    "last": lambda move, played: nearness_of_any(parse_move_patterns(move), played.moves[-1]),
    "line": lambda pattern, played: played.found(pattern),
    "end_pieces": lambda most, played: sum(piece is not None for piece in played.end) <= most,
}
"""The constraints on a main line and how nearly each is met, given its value: 1 if it is."""


def _holds(hand: Hand, least: Hand) -> bool:
    return all(hand[kind] >= least[kind] for kind in HAND_KINDS)


def _king_in(region: KingRegion, position: Position) -> bool:
    king = position.king(Side.DEFENDER)
    return king is not None and region.contains_king(king)


@dataclass(frozen=True)
class ProblemConstraints(PropertyConstraints):
    """Constraints on generated problems; all must hold. None and empty ask for nothing.

    ``max_pieces`` and ``min_pieces``: on the board and in the attacker's hand, the kings counted; ``end_pieces``:
    at most so many on the board at the mate. ``max_defenders``: as ``defenders``, at most. ``hand``: the attacker's
    hand is exactly this (letters as in SFEN, "-" for none); ``min_hand``: at least this; ``hand_only``: letters of
    the kinds in it. ``only`` and ``without``: letters of kinds. All pieces on the board and in the attacker's hand,
    except kings, are of the former and none of the latter; a promoted piece counts as the kind it was. ``area``:
    where all pieces stand at the start (`parse_area`). ``mate_on``: where the king is mated (`parse_mate_squares`).
    ``last`` and ``line``: the last move, all moves (`generator.constraints.line_pattern`). A problem meets these
    four if it or its mirror image does. ``known``: problems that none may resemble, each an SFEN with its moves
    (`generator.resemblance`).

    ``themes``: all of these (`generator.themes`); ``theme_details``: those that a certain piece shows, or several
    moves (`generator.theme_names`). ``min_score``, ``max_score``, ``min_quality``, ``min_resistance``,
    ``min_surprise`` are inclusive. ``picture``: what the final position draws (`generator.themes.predicates`), a
    name or a figure's rows. ``distinct_lines``: no two problems of a run have the same
    `generator.problem.line_key`.
    """

    max_pieces: int | None = None
    hand: str | None = None
    only: str | None = None
    without: str | None = None
    themes: tuple[str, ...] = ()
    theme_details: tuple[str, ...] = ()
    min_score: float | None = None
    max_score: float | None = None
    stars: int | None = None
    min_quality: float | None = None
    min_resistance: float | None = None
    min_surprise: float | None = None
    region: str | None = None
    picture: str | None = None
    min_pieces: int | None = None
    end_pieces: int | None = None
    max_defenders: int | None = None
    min_hand: str | None = None
    hand_only: str | None = None
    area: str | None = None
    mate_on: str | None = None
    last: str | None = None
    line: str | None = None
    known: tuple[str, ...] = ()
    distinct_lines: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return all constraints by name, as JSON holds them."""
        lists = {name: list(getattr(self, name)) for name in _LISTS}
        return {**asdict(self), **lists}

    @classmethod
    def from_dict(cls, by_name: Mapping[str, Any]) -> ProblemConstraints:
        """Constraints from `to_dict`; unknown names are left out."""
        known = {field.name for field in fields(cls)}
        kept = {name: value for name, value in by_name.items() if name in known}
        return cls(**{**kept, **{name: tuple(kept.get(name, ())) for name in _LISTS}})

    @property
    def draws_picture(self) -> bool:
        """Whether the final position must draw a picture."""
        return self.picture is not None or "picture" in self.themes

    def contradiction(self, length: int) -> str | None:
        """Return why no problem of ``length`` plies can meet them; None if no reason is obvious. Raises
        `ConstraintError` for a hand, a kind or a region that cannot be read."""
        if self.region is not None and self.region not in list(KingRegion):
            raise ConstraintError(f"{self.region!r} is not a region: choose from {', '.join(KingRegion)}")
        if self.key is not None and self.key not in list(Key):
            raise ConstraintError(f"{self.key!r} is not a kind of first move: choose from {', '.join(Key)}")
        try:
            _ = self.known_index if self.known else None
        except ValueError as error:
            raise ConstraintError(f"known: {error}") from None
        faults = (
            self._fault_of_bounds(), self._fault_of_hands(length), self._fault_of_area(), self._fault_of_themes(length),
            self._fault_of_line(length), self._fault_of_defenders(),
        )  # fmt: skip
        return next(filter(None, faults), None)

    def _fault_of_bounds(self) -> str | None:
        for what, least, most in (
            ("score can be", self.min_score, self.max_score),
            ("number of pieces is", self.min_pieces, self.max_pieces),
            ("number of defending pieces is", self.defenders, self.max_defenders),
        ):
            if least is not None and most is not None and least > most:
                return f"no {what} at least {least:g} and at most {most:g}"
        if self.max_score is not None and self.max_score <= 0:
            return f"a score of at most {self.max_score:g}: every problem scores more"
        if self.min_resistance is not None and self.min_resistance > math.log2(1 + RESISTANCE_NODES):
            return f"a resistance of {self.min_resistance:g}: it is measured up to {RESISTANCE_NODES} nodes"
        return None if self.kinds else "no kind of piece is left to compose with"

    def _fault_of_area(self) -> str | None:
        if self.area is None:
            return None
        squares = parse_area(self.area)
        if self.region is not None and not KingRegion(self.region).squares & squares:
            return f"no square of the area {self.area} is in the region {self.region}"
        return None

    def _fault_of_line(self, length: int) -> str | None:
        if self.mate_on is not None:
            parse_mate_squares(self.mate_on)
        if self.key == Key.SACRIFICE and length == 1:
            return "a mate in 1 has no answer, so its first move cannot be a sacrifice"
        if self.key == Key.DROP and self.hand is not None and not parse_hand(self.hand):
            return "the hand is empty, so the first move cannot be a drop"
        if self.last is not None and all(one.drops and one.kind is Kind.PAWN for one in parse_move_patterns(self.last)):
            return "a pawn drop may not mate (打歩詰)"
        if self.line is None:
            return None
        line = parse_line_pattern(self.line)
        if line.shortest > length or (line.has_length and line.shortest < length):
            return f"the line {self.line!r} has {line.shortest} moves, not {length}"
        return None

    def _fault_of_themes(self, length: int) -> str | None:
        for tag in self.themes:
            if tag in NAMES and length < NAMES[tag].shortest:
                return f"{tag} takes at least {NAMES[tag].shortest} moves"
        for text in self.theme_details:
            if ThemeDetail.parse(text).least > (length + 1) // 2:
                return f"{text}: there are {(length + 1) // 2} checks in {length} moves"
        return None

    def _fault_of_defenders(self) -> str | None:
        if self.defenders is None:
            return None
        defenders = self.defenders
        attackers = max(1, *(len(parse_hand(hand or "-")) for hand in (self.hand, self.min_hand)))
        least = defenders + 1 + attackers
        if self.max_pieces is not None and least > self.max_pieces:
            return f"{defenders} of the defender, the king and {attackers} of the attacker are {least} pieces"
        there = sum(SET_COUNT[kind] for kind in self.kinds)
        if defenders + attackers > there:
            return f"{defenders} of the defender and {attackers} of the attacker: there are {there} pieces"
        return None

    def _fault_of_hands(self, length: int) -> str | None:
        if None not in (self.hand, self.min_hand) and not _holds(*map(parse_hand, (self.hand, self.min_hand))):  # type: ignore[arg-type]
            return f"the hand {self.hand} does not have {self.min_hand}"
        hands = (self._fault_of_hand(hand, length) for hand in (self.hand, self.min_hand) if hand is not None)
        return next(filter(None, hands), None)

    def _fault_of_hand(self, text: str, length: int) -> str | None:
        name, hand = f"the hand {text}", parse_hand(text)
        if any(hand[kind] > number for kind, number in SET_COUNT.items()):
            return f"{name} has more pieces than a shogi set"
        if not set(hand) <= (self.kinds if self.hand_only is None else self.kinds & parse_kinds(self.hand_only)):
            return f"{name} has a kind of piece that is excluded"
        if self.max_pieces is not None and len(hand) >= self.max_pieces:
            return f"{name} and a king are more than {self.max_pieces} pieces"
        if len(hand) > (length + 1) // 2:
            return f"{name} cannot be used up in {length} moves"
        return None

    @property
    def has_any(self) -> bool:
        """Whether any constraint is on a single problem (``distinct_lines`` and ``known`` are on two)."""
        return replace(self, distinct_lines=False, known=()) != ProblemConstraints()

    @property
    def without_line(self) -> ProblemConstraints:
        """The same with any main line: what a network that draws positions may be asked for."""
        anything: dict[str, Any] = dict.fromkeys(_OF_LINES)
        return replace(self, themes=(), theme_details=(), **anything)

    @property
    def length(self) -> int | None:
        """The length in plies that the pattern of the line fixes; None: none."""
        pattern = None if self.line is None else parse_line_pattern(self.line)
        return pattern.shortest if pattern is not None and pattern.has_length else None

    @property
    def asks_for_squares(self) -> bool:
        """Whether any constraint on the main line names a square."""
        named = (parse_line_pattern(text) for text in (self.line, self.last) if text is not None)
        return self.mate_on is not None or any(pattern.has_squares for pattern in named)

    @property
    def asks_for_line(self) -> bool:
        """Whether any constraint but the themes is on the main line."""
        return any(getattr(self, name) is not None for name in _OF_LINES)

    @property
    def restrict_position_or_line(self) -> bool:
        """Whether any constraint is on the position or the line, not only on properties and scores."""
        valued = replace(
            self, min_score=None, max_score=None, stars=None, min_quality=None, min_resistance=None,
            min_surprise=None, known=(),
        )  # fmt: skip
        return replace(valued, **asdict(PropertyConstraints())).has_any

    def allow_position(self, position: Position) -> bool:
        """Return whether a position meets the constraints."""
        return self.allow_kinds(position) and self._allow(position, _OF_POSITIONS)

    def may_allow(self, position: Position, line: Line) -> bool:
        """Return whether a candidate can meet the constraints on position and line, as it is or with fewer pieces."""
        return self._allow(position, _DECIDED) and self.allow_line(position, line)

    def _allow(self, position: Position, names: Iterable[str]) -> bool:
        asked = ((name, getattr(self, name)) for name in names)
        return all(value is None or value is False or _OF_POSITIONS[name](value, position) for name, value in asked)

    def allow_line(self, position: Position, line: Line) -> bool:
        """Return whether a main line meets the constraints, and the problem resembles no known one."""
        if self.key is not None and self.key not in key_kinds(position, line):
            return False
        if self.asks_for_line and self.line_nearness(position, line, len(line)) < 1.0:
            return False
        return not self.known or self.known_index.nearest(Placement(position, line)) is None

    def line_nearness(self, position: Position, line: Line, length: int) -> float:
        """Return how near the constraints on the main line are, from 0 to 1, in the better one of both mirror images.

        ``line`` is the last moves of a line of ``length`` plies; those before may be anything.
        """
        asked = [(name, value) for name in _OF_LINES if (value := getattr(self, name)) is not None]
        area = None if self.area is None else parse_area(self.area)
        best = 0.0
        for seen, moves in ((position, line), (position.mirrored, tuple(move.mirrored for move in line))):
            played = _PlayedLine(*played_moves(seen, moves), length)
            found = sum(_OF_LINES[name](value, played) for name, value in asked) / len(asked)
            fits = area is None or len(line) < length or stands_in(area, seen)
            best = max(best, found if fits else 0.0)
        return best

    @cached_property
    def known_index(self) -> ResemblanceIndex:
        """The known problems."""
        index = ResemblanceIndex()
        for text in self.known:
            sfen, _, moves = text.partition(" moves ")
            index.add(Placement(parse_sfen(sfen).position, tuple(map(parse_move, moves.split()))))
        return index

    def allow(self, problem: Problem) -> bool:
        """Return whether a problem meets all constraints on a single problem but those on moves and mate. Those are
        ``theme_details`` and ``picture`` (`generator.constraints.position`)."""
        difficulty = problem.difficulty
        return (
            self.allow_position(problem.position)
            and self.allow_line(problem.position, problem.line)
            and all(is_free_of_defect(problem.judgement, remark) for remark in self.unwanted_defects)
            and (not self.same_when_counted or problem.same_when_counted is True)
            and set(self.themes) <= set(problem.themes)
            and (self.min_score is None or difficulty.score >= self.min_score)
            and (self.max_score is None or difficulty.score <= self.max_score)
            and (self.stars is None or difficulty.stars == self.stars)
            and (self.min_quality is None or problem.quality >= self.min_quality)
            and _is_at_least(difficulty, "resistance", self.min_resistance)
            and _is_at_least(difficulty, "surprise", self.min_surprise)
        )

    @property
    def kinds(self) -> frozenset[Kind]:
        """The unpromoted kinds that may be on the board and in the attacker's hand."""
        allowed = parse_kinds(self.only) if self.only is not None else frozenset(HAND_KINDS)
        return allowed - parse_kinds(self.without or "")

    def allow_kinds(self, position: Position) -> bool:
        """Return whether a position has only kinds of piece that are allowed."""
        if self.only is None and not self.without:
            return True
        on_board = {piece.kind.base for piece in position.board if piece is not None}
        return (on_board | set(position.attacker_hand)) - {Kind.KING} <= self.kinds


def _is_at_least(difficulty: Difficulty, feature: str, least: float | None) -> bool:
    return least is None or difficulty.features.get(feature, -1.0) >= least


def parse_kinds(letters: str) -> frozenset[Kind]:
    """Return the kinds of letters like ``RBG``. Raises `ConstraintError`."""
    unknown = [letter for letter in letters if letter.upper() not in KIND_IN_HAND]
    if unknown:
        raise ConstraintError(f"{unknown[0]!r} is not a piece: choose from {' '.join(LETTERS_IN_HAND)}")
    return frozenset(KIND_IN_HAND[letter.upper()] for letter in letters)


def parse_hand(text: str) -> Hand:
    """Return a hand as SFEN writes it (``R2P``), "-" for none. Raises `ConstraintError`."""
    counts: dict[Kind, int] = {}
    number = ""
    for letter in "" if text == "-" else text:
        if letter.isascii() and letter.isdigit():
            number += letter
            continue
        for kind in parse_kinds(letter):
            counts[kind] = counts.get(kind, 0) + int(number or 1)
        number = ""
    if number or not (text == "-" or counts):
        raise ConstraintError(f"{text!r} is not a hand: give letters with optional numbers, such as R2P, or - for none")
    return Hand.of(counts)
