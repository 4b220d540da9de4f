# SPDX-License-Identifier: GPL-3.0-or-later
"""The network: its weights, positions drawn from it, the decisions that it is fitted to; and composing from it.

A root draws positions with the line asked for, and walks on from one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from generator.acceptance import RootStatistics
from generator.candidate import EMPTY, Candidate
from generator.constraints.options import ComposingOptions, Effort
from generator.constraints.position import PositionConstraints, position_constraints
from generator.constraints.problem import count_defenders
from generator.kernel.positions import clear_board, move_between_hands, put_piece_from_hand
from generator.learned.kernel import network as kernel
from generator.likeness import write_arrays
from generator.local_search.search import LocalSearch, favouring_counts
from generator.quality import has_two_last_moves
from generator.replay import replay_line
from generator.reverse.extender import Extender
from generator.reverse.kernel.extension import ANY_ANSWER, ANY_CHECK, GIVEN, NOT_BY_KING, UNPROMOTED
from generator.reverse.kernel.unmoves import SORTS_OF_ANSWERS
from generator.theme_names import NAMES
from generator.themes.table import shown_themes
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.state import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, RANK
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, legal_checks, pack, pack_move
from tsume_rules.position import Kind, Position, Side
from tsume_rules.sfen import parse_sfen

# --- the network's weights, and positions drawn from it --------------------------------------------

_FILE = Path(__file__).with_name("network.npz")
_CONDITIONS = "conditions"
_NONE = -1
"""Fills the rows of problems that meet fewer conditions than others."""
FIRST, SECOND, SMALL = 320, 192, 64
"""Units of the two layers that all decisions share, and of the one from which pieces are drawn."""


def network_shapes(first: int = FIRST, second: int = SECOND, small: int = SMALL) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of a `Network` with so many units in its layers."""
    king, hand, place, piece = (int(number) for number in kernel.OPTIONS)
    return {
        "first": (kernel.FEATURES, first), "first_bias": (first,),
        "second": (first, second), "second_bias": (second,),
        "king": (second, king), "king_bias": (king,),
        "hand": (second, hand), "hand_bias": (hand,),
        "place": (second, place), "place_bias": (place,),
        "piece_hidden": (second, small), "piece_bias": (small,),
        "piece_place": (kernel.PLACES, small), "piece_state": (kernel.STATES, small), "piece_rank": (9, small),
        "piece": (small, piece), "piece_out_bias": (piece,),
    }  # fmt: skip


@cache
def stored_network(path: Path = _FILE) -> kernel.Network:
    """Return the network in a file, by default the one the generator uses."""
    with path.open("rb") as file, np.load(file) as data:
        return kernel.Network(*(data[name].astype(np.float32) for name in kernel.Network._fields))


@cache
def stored_array(name: str, path: Path | None = None) -> np.ndarray | None:
    """Return an array beside a network, None if there is none of this name."""
    with (path or _FILE).open("rb") as file, np.load(file) as data:
        return data[name] if name in data.files else None


def _stored_rows(name: str, path: Path | None) -> tuple[np.ndarray, ...]:
    rows = stored_array(name, path)
    return () if rows is None else tuple(np.array([one for one in row.tolist() if one != _NONE]) for row in rows)


@cache
def stored_conditions(length: int, path: Path | None = None) -> tuple[np.ndarray, ...]:
    """Return the conditions that each published problem of a length meets (`CONDITIONS`). Empty if there are none of
    this length."""
    return _stored_rows(f"{_CONDITIONS} {length}", path)


@dataclass(frozen=True)
class Turns:
    """How published problems of a length go, and what to ask for so that composed ones go the same way.

    ``sorts`` are the sorts of check and answer of each turn but the last [problem, turn, 2], as in
    `generator.kernel.traits`. A pair is asked for with the product of ``checks`` [turn, sort] and ``answers``
    [turn, sort]: some seldom lead to a sound position. ``ends`` are the conditions that the last three plies meet.
    """

    sorts: np.ndarray
    checks: np.ndarray
    answers: np.ndarray
    ends: tuple[np.ndarray, ...]

    def turn(self, plies: int, length: int) -> int:
        """Return the turn here that is as that with so many plies left of ``length``; one that no problem here has is
        as the second one, or the first."""
        last = len(self.checks) - 1
        return 0 if plies == length else max(last - (plies - 3) // 2, min(1, last))

    def before(self, plies: int, length: int) -> dict[int, float]:
        """Return the weights of the sorts of pairs at the turn with so many plies left of ``length``."""
        turn = self.turn(plies, length)
        checks, answers = self.checks[turn].tolist(), self.answers[turn].tolist()
        weights: dict[int, float] = {}
        for problem in self.sorts.tolist():
            check, answer = problem[turn]
            sort = check * SORTS_OF_ANSWERS + answer
            weights[sort] = weights.get(sort, 0.0) + checks[check] * answers[answer]
        return weights


@cache
def stored_turns(length: int, path: Path | None = None) -> Turns:
    """Return the turns of published problems of a length, or of the nearest length that has some."""
    n = min(length, LONGEST_DRAWN)
    sorts, checks, answers = (stored_array(f"{name} {n}", path) for name in ("sorts", "checks", "answers"))
    assert sorts is not None
    assert checks is not None
    assert answers is not None
    return Turns(sorts, checks, answers, _stored_rows(f"ends {n}", path))


def write_turns(turns: Mapping[int, Turns], path: Path = _FILE) -> None:
    """Add turns, by length, to the file of a network."""
    with path.open("rb") as file, np.load(file) as data:
        arrays = {name: data[name] for name in data.files}
    for n, one in turns.items():
        ends = np.full((len(one.ends), max(map(len, one.ends))), _NONE, dtype=np.int8)
        for row, end in zip(ends, one.ends, strict=True):
            row[: len(end)] = end
        arrays |= {
            f"sorts {n}": one.sorts.astype(np.int8), f"ends {n}": ends,
            f"checks {n}": one.checks.astype(np.float16), f"answers {n}": one.answers.astype(np.float16),
        }  # fmt: skip
    write_arrays(arrays, path)


def write_network(
    network: kernel.Network, conditions: Mapping[int, Sequence[Sequence[int]]], path: Path = _FILE
) -> None:
    """Write a network in half precision, and by length the conditions that published problems meet."""
    arrays: dict[str, np.ndarray] = {
        name: np.asarray(array, dtype=np.float16) for name, array in network._asdict().items()
    }
    for length, problems in conditions.items():
        rows = np.full((len(problems), max(map(len, problems))), _NONE, dtype=np.int8)
        for row, problem in zip(rows, problems, strict=True):
            row[: len(problem)] = problem
        arrays[f"{_CONDITIONS} {length}"] = rows
    write_arrays(arrays, path)


def scratch_for(network: kernel.Network) -> kernel.Scratch:
    """Scratch space for the kernels that run a network."""
    kings, second = len(network.king_bias), len(network.second_bias)
    sizes = (len(network.first_bias), second, len(network.piece_bias), kernel.MAX_OPTIONS, kernel.FEATURE_ROOM)
    return kernel.Scratch(
        np.zeros(kernel.FEATURE_ROOM, dtype=np.int64),
        np.zeros(kernel.MAX_OPTIONS, dtype=np.int64),
        np.zeros(kernel.FEATURE_ROOM, dtype=np.int64),
        np.zeros(kernel.FEATURES, dtype=np.int64),
        np.zeros(kernel.FEATURE_ROOM, dtype=np.int64),
        np.zeros(kings, dtype=np.int64),
        np.zeros((kings, second + 1, kernel.ON_BOARD), dtype=np.float32),
        np.zeros(kernel.MAX_OPTIONS, dtype=np.float64),
        *(np.zeros(size, dtype=np.float32) for size in sizes),
    )


# --- positions drawn from the network until one mates in n plies, for Python -----------------------

LONGEST_DRAWN = 15
"""Plies of the longest problems whose conditions are known."""
DRAW_NODES = {3: 1_000, 5: 1_000, 7: 1_500, 9: 3_000}
"""Nodes for the length of one position, by length in plies."""


def nodes_for_tests(length: int) -> int:
    """Nodes for the tests of one position for second solutions."""
    return min(3_000 << (max(0, length - 3) // 2), 24_000)


class LearnedSampler:
    """Draws positions from a network; random choices follow ``state``, the caller's uint64 array [1]."""

    def __init__(self, engine: DfPnEngine, state: np.ndarray, network: kernel.Network) -> None:
        self._engine = engine
        self._state = state
        self._network = network
        self._scratch = scratch_for(network)
        self._constraints = PositionConstraints().packed()
        self._empty = pack(parse_sfen(EMPTY).position)

    def set_constraints(self, constraints: PositionConstraints) -> None:
        """From now on draw only positions that meet these constraints."""
        self._constraints = constraints.packed()

    def draw(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray = ()
    ) -> tuple[PackedPosition | None, int]:
        """The first of at most ``tries`` positions that mates in exactly n plies, and how many were drawn. ``nodes``
        bounds the search of one."""
        return self.draw_by(kernel.draw_learned_mate, n, tries, nodes, conditions)

    def draw_by(
        self,
        kernel: Callable[..., int],
        n: int,
        tries: int,
        nodes: int,
        conditions: Sequence[int] | np.ndarray,
        *options: int,
    ) -> tuple[PackedPosition | None, int]:
        """As `draw`, by another kernel, with ``options`` of its own after the conditions."""
        self._engine.check_limits()
        arena = self._engine.arena(self._empty.copy())
        asked = np.array(conditions, dtype=np.int64)
        number = kernel(
            arena, n, tries, nodes, asked, *options, self._network, self._state, self._scratch,
            self._constraints,
        )  # fmt: skip
        return (arena.pos, number) if number else (None, tries)

    def mates(self, n: int, tries: int, nodes: int, conditions: np.ndarray) -> Iterator[PackedPosition]:
        """Yield those of ``tries`` positions that mate in exactly n plies."""
        left = tries
        while left > 0:
            packed, number = self.draw(n, left, nodes, conditions)
            left -= number
            if packed is not None:
                yield packed


# --- the decisions that write a given position: what the network is fitted to ----------------------

_OPTION_OF_PIECE = {int(code): option for option, code in enumerate(kernel.PIECE_CODES)}
MIDDLE_FILE = 4
"""The file, counted from 0, on which both mirror images have their king."""


class NotWritable(ValueError):
    """A position that no sequence of decisions writes."""


@dataclass(frozen=True)
class Decision:
    """One decision: its kind, the option taken and those there were; for a piece the ``place``, and the
    ``state`` and ``rank`` of its cell. A piece is drawn from the features of its place's decision."""

    kind: int
    option: int
    allowed: np.ndarray
    place: int = 0
    state: int = 0
    rank: int = 0


@dataclass(frozen=True)
class Step:
    """Features of an unfinished position, and the decisions taken from them: one, or place and piece."""

    features: np.ndarray
    decisions: tuple[Decision, ...]


@dataclass
class DecisionReader:
    """Reads positions as sequences of decisions."""

    _features: np.ndarray = field(default_factory=lambda: np.zeros(kernel.FEATURE_ROOM, dtype=np.int64))
    _found: np.ndarray = field(default_factory=lambda: np.zeros(kernel.MAX_OPTIONS, dtype=np.int64))
    _empty: PackedPosition = field(default_factory=lambda: pack(parse_sfen(EMPTY).position))

    def steps(self, packed: PackedPosition, plies: int, conditions: Sequence[int] = ()) -> list[Step]:
        """Return the steps that write a position whose defender's king stands on files 1 to 5. Raises `NotWritable`,
        for instance for a position with a king of the attacker."""
        asked = np.array(conditions, dtype=np.int64)
        pos = self._empty.copy()
        clear_board(pos)
        squares = [sq for sq in range(81) if packed.board[CELL[sq]]]
        kings = [sq for sq in squares if packed.board[CELL[sq]] == KING + 16]
        if len(kings) != 1 or kings[0] // 9 > MIDDLE_FILE or packed.king[ATT]:
            raise NotWritable("the defender's king must stand on files 1 to 5, and the attacker have none")
        (king,) = kings
        steps = [self._step(pos, plies, asked, kernel.KING_SQUARE, 0, king)]
        put(pos, CELL[king], KING + 16)
        kind = 0
        for held in range(1, 8):
            for _ in range(int(packed.hand[ATT, held])):
                steps.append(self._step(pos, plies, asked, kernel.HAND_PIECE, kind, held - 1))
                move_between_hands(pos, held, DEF)
                kind = held
        steps.append(self._step(pos, plies, asked, kernel.HAND_PIECE, kind, kernel.HAND_END))
        last = kernel.PLACES
        placed = sorted(
            (int(kernel.PLACE_OF_OFFSET[sq // 9 - king // 9 + 8, sq % 9 - king % 9 + 8]), sq)
            for sq in squares
            if sq != king
        )
        for place, sq in placed:
            cell = int(CELL[sq])
            piece = int(packed.board[cell])
            step = self._step(pos, plies, asked, kernel.PLACE, last, place)
            option = _OPTION_OF_PIECE[piece]
            extra = (place, int(kernel.state_of_cell(pos, cell)), int(RANK[cell]))
            chosen = Decision(kernel.PIECE, option, self._options(pos, kernel.PIECE, place, option), *extra)
            steps.append(Step(step.features, (*step.decisions, chosen)))
            put_piece_from_hand(pos, piece, cell)
            last = place
        steps.append(self._step(pos, plies, asked, kernel.PLACE, last, kernel.PLACE_END))
        return steps

    def _step(self, pos: PackedPosition, plies: int, conditions: np.ndarray, kind: int, last: int, option: int) -> Step:
        number = kernel.write_features(pos, plies, conditions, kind, last, self._features)
        allowed = self._options(pos, kind, last, option)
        return Step(self._features[:number].astype(np.int32), (Decision(kind, option, allowed),))

    def _options(self, pos: PackedPosition, kind: int, last: int, option: int) -> np.ndarray:
        allowed = np.zeros(kernel.OPTIONS[kind], dtype=bool)
        allowed[self._found[: kernel.write_options(pos, kind, last, self._found)]] = True
        if not allowed[option]:
            raise NotWritable(f"option {option} of decision {kind} is not allowed")
        return allowed


# --- what a problem is asked to be before it is drawn: the network sees it as features -------------
#
# What is easily sound has few pieces, few checks and no sacrifices; so a position is asked for what some
# published problem has.

Line = tuple[Move, ...]
Asked = Sequence[int] | np.ndarray
"""The conditions of one problem, in ascending order."""


@dataclass(frozen=True)
class Condition:
    """A number that a problem has, from ``least`` to ``most``; numbers beyond count as these."""

    name: str
    least: int
    most: int
    of: Callable[[Position, Line], int]

    @property
    def values(self) -> int:
        """How many values it has."""
        return self.most - self.least + 1

    def value(self, position: Position, line: Line) -> int:
        """Return the value of a problem, from 0 on."""
        return min(max(self.of(position, line), self.least), self.most) - self.least


def _answers_not_by_king(position: Position, line: Line) -> int:
    king = position.king(Side.DEFENDER)
    others = 0
    for answer in line[1::2]:
        if answer.origin == king:
            king = answer.target
        else:
            others += 1
    return others


def _captures(position: Position, line: Line) -> int:
    occupied = {square for square, piece in enumerate(position.board) if piece is not None}
    captures = 0
    for ply, move in enumerate(line):
        captures += ply % 2 == 0 and move.target in occupied
        occupied.discard(-1 if move.origin is None else move.origin)
        occupied.add(move.target)
    return captures


CONDITIONS = (
    Condition("defenders", 0, 9, lambda position, _: count_defenders(position)),
    Condition("pieces", 3, 16, lambda position, _: position.piece_count()),
    Condition("first checks, in pairs", 0, 12, lambda position, _: len(legal_checks(pack(position))) // 2),
    Condition(
        "checking pieces captured at once", 0, 4,
        lambda _, line: sum(
            answer.target == check.target for check, answer in zip(line[::2], line[1::2], strict=False)
        ),
    ),
    Condition("answers not by the king", 0, 4, _answers_not_by_king),
    Condition("checks that capture", 0, 2, _captures),
    # 0: a drop, 1: a capture, 2: a promotion, 3: another move
    Condition(
        "sort of the first check", 0, 3,
        lambda position, line: 0 if line[0].drop is not None
        else 1 if position.board[line[0].target] is not None else 2 if line[0].promotes else 3,
    ),
    # 0: a gold is dropped, 1: another piece is dropped, 2: a piece promotes, 3: another move
    Condition(
        "sort of the last check", 0, 3,
        lambda _, line: int(line[-1].drop is not Kind.GOLD) if line[-1].drop is not None
        else 2 if line[-1].promotes else 3,
    ),
    Condition(
        "two last moves", 0, 1,
        lambda position, line: has_two_last_moves(pack(position), tuple(map(pack_move, line))),
    ),
)  # fmt: skip
"""All conditions, in the order of their features. `asked_counts` relies on the first two."""
_STARTS = np.cumsum([0, *(condition.values for condition in CONDITIONS)])
_LINE_CONDITIONS = (3, 4, 5)
"""Places in `CONDITIONS`."""
_THEMES = {name.tag: name.condition for name in NAMES.values() if name.condition is not None}
"""The conditions that a theme is shown, by tag; the network does not know the other themes."""
SOUND = 101
"""The condition that there is one solution, with nothing unnecessary."""


def conditions_of(position: Position, line: Line, *, sound: bool = True) -> tuple[int, ...]:
    """The conditions that a problem meets, as numbers below `MAX_CONDITIONS`: one of each of `CONDITIONS`,
    then one for each theme that its line shows and the network knows, and `SOUND` unless it has a second solution."""
    counted = (
        int(start) + condition.value(position, line) for start, condition in zip(_STARTS, CONDITIONS, strict=False)
    )
    return (*counted, *theme_conditions(shown_themes(replay_line(position, line))), *((SOUND,) if sound else ()))


def has_line_conditions(asked: Asked, position: Position, line: Line) -> bool:
    """Whether a line has checking pieces that are captured at once, answers not by the king and checks that
    capture if these were asked for, and none of them otherwise."""
    return all(
        (CONDITIONS[place].value(position, line) > 0) == (asked[place] > _STARTS[place]) for place in _LINE_CONDITIONS
    )


def theme_conditions(themes: Sequence[str]) -> tuple[int, ...]:
    """Return the conditions that these themes are shown; one that the network does not know is left to the walk."""
    return tuple(sorted(_THEMES[name] for name in themes if name in _THEMES))


def asked_counts(conditions: Asked) -> tuple[int, int]:
    """Return how many defenders and how many pieces some conditions of a problem ask for."""
    defenders, pieces = (
        condition.least + int(number - start)
        for condition, number, start in zip(CONDITIONS[:2], conditions, _STARTS, strict=False)
    )
    return defenders, pieces


# --- composing from the network --------------------------------------------------------------------

_TRIES = 6_000
"""Positions drawn under the same conditions, at most."""


class LearnedSearch(LocalSearch):
    """Local search whose walks start from positions that the network draws.

    What is easily sound is bare and has a plain line, and a walk seldom changes that. So positions are asked
    for what some published problem has (`CONDITIONS`) and for the themes wanted. Those that show these, or nearly,
    are repaired if they have second solutions.
    """

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        super().__init__(engine, options, state)
        themes = options.wishes.themes
        self._learned = LearnedSampler(engine, state, stored_network())
        # What published problems with these themes have; if there are none, what others have, and the themes.
        published, wanted = stored_conditions(min(options.length, LONGEST_DRAWN)), theme_conditions(themes)
        shown = [one for one in published if set(wanted) <= set(one.tolist())]
        self._published = shown or [np.union1d(one, wanted) for one in published]
        self._asked = self._published[0]
        self._unbiased = self._model.with_any_opening()

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._learned.set_constraints(position_constraints(self._options, index))

    def _draw_start(self, rng: np.random.Generator) -> Candidate | None:
        """Return a sound position with what is wanted of its line, or None."""
        self._asked = self._published[rng.integers(len(self._published))]
        self._model = favouring_counts(self._unbiased, *asked_counts(self._asked))
        nodes = nodes_for_tests(self._options.length)
        for drawn in self._drawn(nodes, rng):
            start = self._repaired_for_themes(drawn, nodes, self._unbiased)
            if start is not None:
                return start
        return None

    def _drawn(self, nodes: int, _rng: np.random.Generator) -> Iterator[Candidate]:
        """Positions of the length, with a line, drawn under the conditions asked; not yet sound."""
        length = self._options.length
        for packed in self._learned.mates(length, _TRIES, DRAW_NODES[length], self._asked):
            drawn = self._sampler.with_line(packed, length, nodes)
            if drawn is not None:
                yield drawn


# ---------------------------------------------------------------------------------------------------
#
# Patterns that make a theme possible: they are drawn first, most in a shorter position that is extended.

_EFFORT = Effort(answers=60, checks=60, children=32, per_answer=6, parent_nodes=40_000, nodes=4_000)
"""Few positions have a pattern, so much is tried from each."""


@dataclass(frozen=True)
class Motif:
    """How positions for a theme are drawn: by a ``kernel`` with its ``options``.

    If it is ``extended``, it is drawn two plies shorter, and an answer and a check of the sorts named
    (`generator.reverse.kernel.extension`) are taken back. ``shortest``: the length of the shortest problems that are
    drawn so. ``alone``: other draws seldom show the theme. ``editable``: some edits leave the pattern.
    """

    kernel: Callable[..., int]
    options: tuple[int, ...] = ()
    answer: int = ANY_ANSWER
    check: int = ANY_CHECK
    shortest: int = 5
    extended: bool = True
    alone: bool = True
    editable: bool = True


MOTIFS = {
    "pawn-drop-avoidance": Motif(kernel.draw_forbidden_drop, (1,), check=UNPROMOTED),
    "pawn-drop-lure": Motif(kernel.draw_forbidden_drop, (0,), answer=NOT_BY_KING, shortest=7),
    "given-interposition": Motif(kernel.draw_learned_mate, answer=GIVEN, alone=False),
    "symmetric": Motif(kernel.draw_symmetric_mate, shortest=3, extended=False, editable=False),
}
"""The patterns by theme.

Of ``pawn-drop-avoidance``: a pawn drop that would be forbidden if some piece were promoted, and the check of
a piece that did not promote. Of ``pawn-drop-lure``: a forbidden pawn drop, and an answer not by the king. Of
``given-interposition``: an interposition next to the king. Of ``symmetric``: one side of the king, mirrored.
"""


def drawn_length(motif: Motif, n: int) -> int:
    """Return the length of the positions that are drawn for problems of n plies."""
    return n - 2 if motif.extended else n


class MotifSampler:
    """Draws positions with a pattern and extends them."""

    def __init__(self, motif: Motif, engine: DfPnEngine, state: np.ndarray, learned: LearnedSampler) -> None:
        self._motif = motif
        self._learned = learned
        self._extender = Extender(engine, _EFFORT, state, lenient=True)
        self._extender.take_back_only(motif.answer, motif.check)

    def forget(self) -> None:
        """Forget which positions were met."""
        self._extender.forget()

    def positions(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray
    ) -> Iterator[PackedPosition]:
        """Positions that mate in exactly n plies, from those of ``tries`` draws with the pattern. ``conditions`` are
        for `drawn_length`; ``nodes`` bounds the search of one draw."""
        motif, left = self._motif, tries
        length = drawn_length(motif, n)
        while left > 0:
            packed, number = self._learned.draw_by(motif.kernel, length, left, nodes, conditions, *motif.options)
            left -= number
            if packed is not None and not motif.extended:
                yield packed
            elif packed is not None:
                extended = self._extender.children(Candidate(packed, length, (), 0))
                yield from (child.packed for child in extended)


# --- composing for a theme whose pattern is drawn first --------------------------------------------

_FEW_EDITS = 3
"""How often an edit is looked for that leaves a pattern which most edits spoil."""
_PATTERN_TRIES = 20_000
"""Positions drawn under the same conditions, at most; few have the pattern."""


def motif_for(options: ComposingOptions) -> Motif | None:
    """Return the pattern that is drawn first for what is asked, if there is one."""
    asked = (MOTIFS[theme] for theme in options.wishes.themes if theme in MOTIFS)
    return next((motif for motif in asked if options.uses_network and options.length >= motif.shortest), None)


class MotifSearch(LearnedSearch):
    """Local search whose walks start from positions that were drawn with a pattern (`MOTIFS`)."""

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, motif: Motif) -> None:
        super().__init__(engine, options, state)
        self._motif = MotifSampler(motif, engine, state, self._learned)
        self._is_alone = motif.alone
        if not motif.editable:
            self._repairs, self._edits = 1, _FEW_EDITS
        self._drawn_length = drawn_length(motif, options.length)
        self._drawn_conditions = stored_conditions(self._drawn_length)

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._motif.forget()

    def _drawn(self, nodes: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Positions of the length, with a line, whose pattern was drawn; not yet sound."""
        if not self._is_alone and rng.integers(2):
            yield from super()._drawn(nodes, rng)
            return
        length = self._options.length
        asked = self._drawn_conditions[rng.integers(len(self._drawn_conditions))]
        for packed in self._motif.positions(length, _PATTERN_TRIES, DRAW_NODES[self._drawn_length], asked):
            drawn = self._sampler.with_line(packed, length, nodes)
            if drawn is not None:
                yield drawn
