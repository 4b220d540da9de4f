# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a run: what is composed, and how much is tried; stored with the run as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from generator.constraints.problem import ProblemConstraints
from generator.theme_names import limits_of_themes
from solver.results import Grade
from tsume_rules.position import Square


class Style(StrEnum):
    """Which of the correct problems are published."""

    NATURAL = "natural"
    """Problems that a person might have composed: likely positions and lines, plain pieces, no repeats."""
    REFINED = "refined"
    """Natural ones, each the best that a search from many finds: fewer, and better."""
    FREE = "free"
    """All correct problems."""


MARGINS = (0, 2, 4)
"""Plies beyond the end within which second solutions are looked for before those of any length."""
QUICK_MARGIN = MARGINS[1]
"""The margin of the quick tests, before the judge's."""
SAMPLED = range(3, 10)
"""The lengths of problems that are sampled: positions that mate later are seldom drawn."""
BACKWARD = range(3, 12)
"""The lengths of natural problems that are composed backwards if nothing is asked of the position and the line."""
LONG = 19
"""From this length on, works are extended by a search that keeps positions of every length."""
SMOKE_FROM, SMOKE_TO = 15, 4
"""Works that begin with at least, and end with at most, so many pieces are composed as smoke."""
REPEATED_MOTIF = "repeated-motif"
"""The theme of works in which a motif repeats (`generator.theme_names`)."""
_WALKED: dict[int, dict[str, int]] = {
    3: {"unseen": 6_000, "kept": 40, "steps": 250},
    5: {"unseen": 3_000, "kept": 14},
    7: {"kept": 16},
    9: {"kept": 16},
}
_FROM_NETWORK = {"kept": 24, "steps": 80, "judge_nodes": 2_000_000}
_WALKED_FROM_NETWORK: dict[int, dict[str, int]] = {
    3: _FROM_NETWORK | {"draws": 12, "kept": 20, "steps": 100},
    5: _FROM_NETWORK | {"draws": 6},
    7: _FROM_NETWORK | {"draws": 4},
    9: _FROM_NETWORK | {"draws": 4},
}
"""The network draws positions with as many pieces as published ones, so a walk need not add them; their wrong
checks are hard to refute."""
_COMPOSED_BACKWARDS = {"finalists": 24, "per_root": 4, "per_final": 1, "judge_nodes": 2_000_000}
"""Problems of one core are variants of each other."""
_OF_A_WALK = {"finalists": 6, "per_root": 1}
"""Later problems of a walk are mostly variants of its first one, or of a rejected one."""
_OF_A_WISHED_WALK = {"finalists": 16, "per_root": 1}
"""With constraints on hand, kinds or pieces, starts are expensive, so more of a walk is tested."""
_OF_A_WALK_FOR_THEMES = {"finalists": 8, "per_root": 1}
"""What rejects one position of such a walk mostly rejects the next as well."""
_OF_A_WALK_FOR_FACTS = {"finalists": 64, "per_root": 1}
"""With required properties every candidate is tested: a variant may have them."""
FLOOR = 25.0
"""The least quality of a problem that is sampled: of 608 published ones all have 20, and 90% have 34."""
_MINED: dict[str, int] = {"finals": 2, "finalists": 64, "per_root": 24, "per_final": 12}
"""With constraints a root yields all it can: few candidates meet them."""
_SUITED: dict[int, dict[str, int]] = {
    1: {"finals": 2, "per_final": 8, "finalists": 16},
    3: {"finals": 2, "per_final": 8, "finalists": 16},
    5: {"finals": 2, "beam": 8, "per_final": 6},
    7: {"per_final": 4, "per_root": 12},
    9: {"per_final": 3, "per_root": 12},
}

CHANGES_PER_ROOT = 32
"""Changes of a given problem that one root looks at."""
ROOTS_OF_CHANGES = 128
"""A position has up to some 4,000 changes."""
ROOTS_PER_START = 1 + ROOTS_OF_CHANGES
"""Roots that try all there is of a given problem: itself, then its changes, batch by batch."""
_EXACT_PASS, _FINAL_PASS = 96, 4000
"""Numbers of roots: each draws some un-moves, and other pieces to add to a given final position."""


@dataclass(frozen=True)
class Effort:
    """How much is tried from each parent.

    At most ``answers`` un-evasions are drawn, and ``checks`` un-checks before each; at most ``children`` positions are
    kept, ``per_answer`` of each answer. ``nodes`` bounds the tests of one answer and those of one candidate,
    ``parent_nodes`` all tests of a parent (looked at between answers). Second solutions are looked for up to ``margin``
    plies beyond the end; after another longest defence at most ``turns`` turns are looked at.
    """

    answers: int = 40
    checks: int = 12
    children: int = 32
    per_answer: int = 4
    nodes: int = 6000
    parent_nodes: int = 60_000
    margin: int = QUICK_MARGIN
    turns: int = 40


_LONG_WORK: dict[str, Any] = {
    "beam": 60, "finalists": 24, "per_root": 1, "per_final": 1, "temperature": 0.7, "judge_nodes": 8_000_000,
    "effort": Effort(60, 40, 16, 4, nodes=5_000, parent_nodes=120_000, margin=4),
}  # fmt: skip
"""Most positions have no sound child, so more is tried of each; later problems of a root resemble the first."""
_SMOKE = _LONG_WORK | {"beam": 20, "effort": Effort(200, 60, 40, 4, nodes=3_000, parent_nodes=120_000, margin=4)}
_REPEATING = _LONG_WORK | {
    "per_root": 3, "effort": Effort(60, 30, 12, 2, nodes=1_500, parent_nodes=30_000),
}  # fmt: skip
"""The works of a root have different motifs; short positions come from a mate in a moment."""


@dataclass(frozen=True)
class ComposingOptions:
    """The options of a run: problems of ``length`` plies, of a ``grade`` or better and a ``style``.

    A root starts from ``finals`` mated positions, from the ``final`` one given (SFEN, the mated side to move; with
    ``exact`` nothing else is on the board at the mate), or from one of ``starts`` (SFENs of shorter problems) or a
    changed one of them. With ``around`` (SFEN), problems are composed around that position, and the squares ``fixed``
    stay unchanged. ``beam`` parents are extended in each generation, selected for variety
    (`generator.reverse.construction`) with ``temperature``. Of the last generation at most ``finalists`` are judged and
    ``per_root`` kept, ``per_final`` of one final position. ``judge_nodes`` bounds one judgement, and the exclusion of
    one parent's second solutions. ``table_bits`` are those of the engine: where nodes run out, the table's size affects
    the result. Local search extends nothing: a root repairs one of at most ``draws`` drawn positions, walks ``unseen``
    steps from it, then ``kept`` times ``steps``, and examines the position after each of these. Problems of a quality
    below ``floor`` are rejected; None: sampled ones below `FLOOR`, unless themes are required.
    """

    length: int
    wishes: ProblemConstraints = field(default_factory=ProblemConstraints)
    starts: tuple[str, ...] = ()
    finals: int = 4
    beam: int = 12
    temperature: float = 1.0
    per_root: int = 8
    per_final: int = 2
    finalists: int = 24
    effort: Effort = field(default_factory=Effort)
    judge_nodes: int = 400_000
    table_bits: int = 20
    grade: Grade = Grade.PERFECT
    style: Style = Style.FREE
    floor: float | None = None
    draws: int = 200
    unseen: int = 0
    kept: int = 24
    steps: int = 300
    final: str = ""
    exact: bool = False
    around: str = ""
    fixed: tuple[Square, ...] = ()

    @property
    def uses_local_search(self) -> bool:
        """Whether problems come from the network or a walk towards likely positions, not from final positions."""
        known = self.length in SAMPLED and not self.has_given_mate
        return self.composes_backwards or (
            known and (bool(self.around) or (self.is_natural and not self.wishes.draws_picture))
        )

    @property
    def composes_backwards(self) -> bool:
        """Whether moves as people make them are taken back from ends that the network draws."""
        restricted = self.restricts_problems or self.wishes.has_property_constraints or self.has_given_mate
        can_go_back = self.length >= BACKWARD.start if self.refines else self.length in BACKWARD
        return self.is_natural and can_go_back and not restricted

    @property
    def composes_long(self) -> bool:
        """Whether a search that keeps positions of every length extends given problems, or composes smoke or a motif
        that repeats."""
        return self.composes_smoke or self.composes_repetitions or (self.length >= LONG and bool(self.starts))

    @property
    def composes_repetitions(self) -> bool:
        """Whether works are composed in which a motif repeats (趣向); ``length`` is their longest."""
        return REPEATED_MOTIF in self.wishes.themes and not self.has_given_mate

    @property
    def composes_smoke(self) -> bool:
        """Whether works are composed of which hardly a piece is left in the end (煙詰); ``length`` is their longest."""
        begins, ends = self.wishes.min_pieces, self.wishes.end_pieces
        is_smoke = begins is not None and begins >= SMOKE_FROM and ends is not None and ends <= SMOKE_TO
        return is_smoke and not self.has_given_mate

    @property
    def refines(self) -> bool:
        """Whether a search goes on from what was composed to what editors rate higher."""
        return self.style is Style.REFINED

    @property
    def uses_network(self) -> bool:
        """Whether problems come from what the network draws: nothing is asked for but of the line, and no square."""
        if self.composes_backwards:
            return True
        others = replace(self, wishes=self.wishes.without_line)
        restricted = others.restricts_problems or others.wishes.has_property_constraints
        restricted = restricted or self.wishes.asks_for_squares
        return self.uses_local_search and self.is_natural and not (restricted or limits_of_themes(self.wishes.themes))

    @property
    def pass_of_roots(self) -> int | None:
        """Number of roots until the given input is exhausted; None: it is not."""
        if self.starts:
            return len(self.starts) * ROOTS_PER_START
        return (_EXACT_PASS if self.exact else _FINAL_PASS) if self.final else None

    @property
    def has_given_pieces(self) -> bool:
        """Whether pieces are given."""
        return bool(self.around or self.final)

    @property
    def has_given_mate(self) -> bool:
        """Whether the mate is given: by a final position, or by problems that are extended."""
        return bool(self.starts or self.final)

    @property
    def restricts_problems(self) -> bool:
        """Whether constraints or given pieces restrict the position or the line."""
        return self.wishes.restrict_position_or_line or bool(self.around)

    @property
    def is_natural(self) -> bool:
        """Whether only natural problems are wanted, each unlike the others of its run."""
        return self.style in (Style.NATURAL, Style.REFINED)

    @property
    def minimum_quality(self) -> float:
        """The quality that a problem must have."""
        if self.floor is not None:
            return self.floor
        return FLOOR if self.uses_local_search and not self.refines else 0.0

    @property
    def has_distinct_lines(self) -> bool:
        """Whether no problem of a run may repeat another."""
        return self.wishes.distinct_lines or self.is_natural

    @property
    def accepts_blemishes(self) -> bool:
        """Whether blemishes pass."""
        return self.grade is Grade.SOUND

    @classmethod
    def of(cls, length: int, **given: Any) -> ComposingOptions:
        """Return the options that suit a length. Short problems are found so quickly that most of the work is to judge
        them, so more is kept of each root."""
        constrained = given.get("wishes", ProblemConstraints()).has_any or given.get("final", "")
        suited = _MINED if constrained else _SUITED.get(length, {})
        options = cls(length, **{**suited, **given})
        of_a_walk = _OF_A_WISHED_WALK if options.restricts_problems else _OF_A_WALK
        if options.uses_network and (options.wishes.themes or options.wishes.asks_for_line):
            of_a_walk = _OF_A_WALK_FOR_THEMES
        of_a_walk = _OF_A_WALK_FOR_FACTS if options.wishes.has_property_constraints else of_a_walk
        walked: dict[str, Any] = {}
        if options.composes_long:
            walked = _SMOKE if options.composes_smoke else _REPEATING if options.composes_repetitions else _LONG_WORK
        elif options.composes_backwards:
            walked = _COMPOSED_BACKWARDS
        elif options.uses_local_search:
            walked = of_a_walk | (_WALKED_FROM_NETWORK if options.uses_network else _WALKED)[length]
        return replace(options, **{**walked, **given})

    def to_dict(self) -> dict[str, Any]:
        """Return all options by name, as JSON holds them."""
        return {
            **asdict(self),
            "wishes": self.wishes.to_dict(),
            "grade": self.grade.value,
            "style": self.style.value,
            "starts": list(self.starts),
            "fixed": list(self.fixed),
        }

    @classmethod
    def from_dict(cls, by_name: Mapping[str, Any]) -> ComposingOptions:
        """Options from `to_dict`; missing ones get defaults. Raises ``TypeError`` for unknown names."""
        values = dict(by_name)
        values["grade"] = Grade(values.get("grade", Grade.PERFECT.value))
        values["style"] = Style(values.get("style", Style.FREE.value))
        values["wishes"] = ProblemConstraints.from_dict(values.get("wishes", {}))
        values["starts"] = tuple(values.get("starts", ()))
        values["fixed"] = tuple(values.get("fixed", ()))
        values["effort"] = Effort(**values.get("effort", {}))
        return cls(**values)


class WalkOptions(ComposingOptions):
    """Options of runs without the network, which then need not be loaded: walks start from repaired draws."""

    @property
    def composes_backwards(self) -> bool:
        """Never."""
        return False

    @property
    def uses_network(self) -> bool:
        """Never."""
        return False
