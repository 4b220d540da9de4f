# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints on problems, apart from their length.

They steer the search (`generator.reverse.construction`), and every problem is tested against them
at the end. They are plain values, so that they are stored with a run as JSON.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

from generator.problem import Problem
from generator.theme_names import NAMES, ThemeDetail
from solver.results import RESISTANCE_NODES, Defect, Difficulty, Judgement
from tsume_rules.moves import Move
from tsume_rules.position import (
    HAND_KINDS,
    KIND_IN_HAND,
    LETTERS_IN_HAND,
    SET_COUNT,
    Hand,
    Kind,
    Position,
    Side,
    Square,
    file_of,
    rank_of,
)

# ---------------------------------------------------------------------------------------------------
#
# Properties of a problem that can be required or searched for: of its position, first move and judgement.


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

_LISTS = ("themes", "theme_details")
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


class ConstraintError(ValueError):
    """A constraint that cannot be read; the text says what is wrong."""


@dataclass(frozen=True)
class ProblemConstraints(PropertyConstraints):
    """Constraints on generated problems; all must hold. None and empty ask for nothing.

    ``max_pieces``: on the board and in the attacker's hand, the kings counted. ``hand``: the attacker's hand is exactly
    this (letters as in SFEN, "-" for none). ``only`` and ``without``: letters of kinds. All pieces on the board and in
    the attacker's hand, except kings, are of the former and none of the latter; a promoted piece counts as the kind it
    was. ``themes``: all of these (`generator.themes`); ``theme_details``: those that a certain piece shows, or several
    moves (`generator.theme_names`). ``min_score``, ``max_score``, ``min_quality``, ``min_resistance``, ``min_surprise``
    are inclusive. ``picture``: what the final position draws (`generator.themes.predicates`), a name or a
    figure's rows. ``distinct_lines``: no two problems of a run have the same `generator.problem.line_key`.
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
        bounds = (self.min_score, self.max_score)
        if None not in bounds and self.min_score > self.max_score:  # type: ignore[operator]
            return f"no score can be at least {self.min_score:g} and at most {self.max_score:g}"
        if self.max_score is not None and self.max_score <= 0:
            return f"a score of at most {self.max_score:g}: every problem scores more"
        if self.min_resistance is not None and self.min_resistance > math.log2(1 + RESISTANCE_NODES):
            return f"a resistance of {self.min_resistance:g}: it is measured up to {RESISTANCE_NODES} nodes"
        if not self.kinds:
            return "no kind of piece is left to compose with"
        if self.region is not None and self.region not in list(KingRegion):
            raise ConstraintError(f"{self.region!r} is not a region: choose from {', '.join(KingRegion)}")
        if self.key is not None and self.key not in list(Key):
            raise ConstraintError(f"{self.key!r} is not a kind of first move: choose from {', '.join(Key)}")
        if self.hand is not None and (fault := self._fault_of_hand(parse_hand(self.hand), length)):
            return fault
        if fault := self._fault_of_themes(length):
            return fault
        if self.key == Key.SACRIFICE and length == 1:
            return "a mate in 1 has no answer, so its first move cannot be a sacrifice"
        if self.key == Key.DROP and self.hand is not None and not parse_hand(self.hand):
            return "the hand is empty, so the first move cannot be a drop"
        return None if self.defenders is None else self._fault_of_defenders(self.defenders)

    def _fault_of_themes(self, length: int) -> str | None:
        for tag in self.themes:
            if tag in NAMES and length < NAMES[tag].shortest:
                return f"{tag} takes at least {NAMES[tag].shortest} moves"
        for text in self.theme_details:
            if ThemeDetail.parse(text).least > (length + 1) // 2:
                return f"{text}: there are {(length + 1) // 2} checks in {length} moves"
        return None

    def _fault_of_defenders(self, defenders: int) -> str | None:
        attackers = max(1, len(parse_hand(self.hand)) if self.hand is not None else 0)
        least = defenders + 1 + attackers
        if self.max_pieces is not None and least > self.max_pieces:
            return f"{defenders} of the defender, the king and {attackers} of the attacker are {least} pieces"
        there = sum(SET_COUNT[kind] for kind in self.kinds)
        if defenders + attackers > there:
            return f"{defenders} of the defender and {attackers} of the attacker: there are {there} pieces"
        return None

    def _fault_of_hand(self, hand: Hand, length: int) -> str | None:
        name = f"the hand {self.hand}"
        if any(hand[kind] > number for kind, number in SET_COUNT.items()):
            return f"{name} has more pieces than a shogi set"
        if not set(hand) <= self.kinds:
            return f"{name} has a kind of piece that is excluded"
        if self.max_pieces is not None and len(hand) >= self.max_pieces:
            return f"{name} and a king are more than {self.max_pieces} pieces"
        if len(hand) > (length + 1) // 2:
            return f"{name} cannot be used up in {length} moves"
        return None

    @property
    def has_any(self) -> bool:
        """Whether any constraint is on a single problem (``distinct_lines`` is on two)."""
        return replace(self, distinct_lines=False) != ProblemConstraints()

    @property
    def restrict_position_or_line(self) -> bool:
        """Whether any constraint is on the position or the line, not only on properties and scores."""
        valued = replace(
            self, min_score=None, max_score=None, stars=None, min_quality=None, min_resistance=None,
            min_surprise=None,
        )  # fmt: skip
        return replace(valued, distinct_lines=False, **asdict(PropertyConstraints())) != ProblemConstraints()

    def allow_position(self, position: Position) -> bool:
        """Return whether a position meets the constraints."""
        king = position.king(Side.DEFENDER)
        return (
            (self.max_pieces is None or position.piece_count() <= self.max_pieces)
            and (self.hand is None or position.attacker_hand == parse_hand(self.hand))
            and self.allow_kinds(position)
            and (self.region is None or (king is not None and KingRegion(self.region).contains_king(king)))
            and not (self.no_promoted and has_promoted(position))
            and self.allow_defenders(position)
        )

    def allow_defenders(self, position: Position) -> bool:
        """Return whether enough pieces of the defender stand on the board."""
        return self.defenders is None or count_defenders(position) >= self.defenders

    def allow_key(self, position: Position, line: tuple[Move, ...]) -> bool:
        """Return whether the first move meets the constraint."""
        return self.key is None or self.key in key_kinds(position, line)

    def allow(self, problem: Problem) -> bool:
        """Return whether a problem meets all constraints on a single problem but those on moves and mate. Those are
        ``theme_details`` and ``picture`` (`generator.constraints.position`)."""
        difficulty = problem.difficulty
        return (
            self.allow_position(problem.position)
            and self.allow_key(problem.position, problem.line)
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
