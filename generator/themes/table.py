# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes by tag: the tests on a line and, for themes with a purpose, its test; the heuristics of quality."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from generator.replay import CELL_OF, ReplayedLine, ReplayedPly, cells_of_pieces, replay_line
from generator.theme_names import FEW_PIECES, ThemeDetail
from generator.themes import predicates, purposes
from generator.themes.predicates import picture_of
from generator.themes.purposes import LineProbe, Nearness, Purpose, TurnPurpose
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import LimitReached, Limits
from solver.scoring import is_distant_drop, is_quiet
from tsume_rules.kernel.tables import ATT, DEF, KING
from tsume_rules.moves import Move
from tsume_rules.position import LETTERS, Kind, Position

TurnTest = Callable[[ReplayedLine, int], bool]
"""Whether something happens at a turn of a line, by its number."""


@dataclass(frozen=True)
class ThemeMoves:
    """How a theme of moves shows: ``test`` for a turn, and the ``purpose`` of a turn that shows it, if any.
    ``by_answer``: the piece that shows it is the one that answers, not the one that gives check."""

    test: TurnTest
    purpose: TurnPurpose | None = None
    by_answer: bool = False

    def turns(self, replayed: ReplayedLine) -> list[int]:
        """Return the turns that show the theme, its purpose not tested."""
        return [number for number in range(len(replayed.turns)) if self.test(replayed, number)]

    def plies(self, replayed: ReplayedLine) -> list[ReplayedPly]:
        """Return the moves that show the theme, its purpose not tested."""
        shown = (replayed.turns[number] for number in self.turns(replayed))
        plies = (turn.answer if self.by_answer else turn.check for turn in shown)
        return [ply for ply in plies if ply is not None]


@dataclass(frozen=True)
class Theme:
    """Something that happens in a main line.

    ``predicate`` tests the moves: it holds whenever the theme occurs. ``purpose`` tests with an engine
    whether it occurs for its purpose; None: the moves are enough. ``moves``: where it shows; None for a theme
    of a position. ``nearness``: how near a line is to the purpose. ``points``: those of a problem's quality
    (`generator.quality`) for the moves alone; 0: they are one of the `HEURISTICS` without points, None: none.
    """

    name: str
    predicate: Callable[[ReplayedLine], bool]
    purpose: Purpose | None = None
    moves: ThemeMoves | None = None
    nearness: Callable[[LineProbe], float] | None = None
    points: float | None = None


def _by_check(
    name: str, test: TurnTest, purpose: TurnPurpose | None = None, nearness: Nearness | None = None,
    points: float | None = None, *, by_answer: bool = False,
) -> Theme:  # fmt: skip
    moves = ThemeMoves(test, purpose, by_answer)
    return Theme(
        name,
        lambda replayed: bool(moves.turns(replayed)),
        purpose and (lambda probe: any(purpose(probe, number) for number in moves.turns(probe.replayed))),
        moves,
        nearness and (lambda probe: nearness(probe, moves.turns(probe.replayed))),
        points,
    )


_by_answer = partial(_by_check, by_answer=True)


def _check(test: Callable[[ReplayedPly], bool]) -> TurnTest:
    return lambda replayed, number: test(replayed.turns[number].check)


def _check_before_last(test: Callable[[ReplayedPly], bool]) -> TurnTest:
    """Return the same before the last turn, which may have alternatives."""
    return lambda replayed, number: number + 1 < len(replayed.turns) and test(replayed.turns[number].check)


def _last(test: Callable[[ReplayedLine], bool]) -> TurnTest:
    """Return a test of a line whose last turn shows the theme."""
    return lambda replayed, number: number + 1 == len(replayed.turns) and test(replayed)


def _longest_answer(name: str, kind: purposes.AnswerKind, points: float) -> Theme:
    def is_of_kind(replayed: ReplayedLine, number: int) -> bool:
        check, answer = replayed.turns[number]
        return answer is not None and kind(check, answer)

    return _by_answer(name, is_of_kind, purposes.lasts_longest(kind), purposes.by_fewest_answers(kind), points)


_GIVES = predicates.gives_away
_TESTS = (
    _by_check("sacrifice", _GIVES),
    _by_check("big-piece-sacrifice", lambda line, k: _GIVES(line, k) and line.turns[k].check.kind in predicates.BIG),
    _by_check("promotion-sacrifice", lambda line, k: _GIVES(line, k) and line.turns[k].check.promotes),
    _by_check("serial-sacrifice", lambda line, k: k + 1 < len(line.turns) and _GIVES(line, k) and _GIVES(line, k + 1)),
    _by_check("focal-sacrifice", predicates.is_on_a_focus, purposes.is_focus),
    _by_check("non-promotion", _check(predicates.declines_promotion), purposes.fails_promoted),
    # Nearly, if some promotion would not mate in time: then the reason may become a pawn drop.
    _by_check("pawn-drop-avoidance", _check_before_last(predicates.may_avoid_pawn_drop_mate),
              purposes.avoids_pawn_drop_mate, purposes.half_if(purposes.fails_promoted)),
    _by_check("distant-drop", _check_before_last(is_distant_drop), purposes.is_only_drop,
              purposes.by_fewest_drops, points=6.2),
    _by_check("long-drop", _check_before_last(predicates.is_long_drop), purposes.is_only_drop,
              purposes.by_fewest_drops),
    _by_check("discovered-check", _check(predicates.discovers_check), points=7.9),
    _by_check("double-check", _check(lambda check: len(check.checkers) > 1), points=4.8),
    _by_check("obstruction-removal", lambda line, k: predicates.turn_of_leaving(line, k) is not None,
              purposes.removal_shortens),
    _by_check("replacement", predicates.is_replacement, purposes.is_shorter_without),
    _by_check("switchback", predicates.switches_back),
    _by_check("knight-mate", _last(predicates.knight_mate), points=7.5),
    _by_check("smothered-mate", _last(predicates.smothered_mate)),
    _longest_answer("interposition", lambda _, answer: answer.is_drop, 4.3),
    _longest_answer("moved-interposition", predicates.is_moved_interposition, 6.6),
    _longest_answer("chuai", predicates.is_unprotected, 6.6),
    _by_answer("given-interposition", predicates.gives_between, purposes.lasts_longest(predicates.is_given),
               purposes.by_fewest_answers(predicates.is_given)),
    _by_answer("interposed-piece-moves", predicates.interposed_piece_moves),
    _by_answer("pawn-drop-lure", predicates.lures_pawn_drop, purposes.lures_into_pawn_drop_mate,
               purposes.half_if(purposes.forbids_pawn_drop)),
    _by_check("king-lure", predicates.lures_king, purposes.is_capture_needed),
    _by_answer("decoy", predicates.draws_piece_away, purposes.is_capture_needed),
    _by_answer("block", predicates.blocks_flight, purposes.is_block_needed),
    _by_answer("reverse-check", predicates.answers_by_check),
    Theme("king-hunt", predicates.king_hunt),
    Theme("repeated-motif", predicates.repeats_motif),
    Theme("king-returns", predicates.king_returns, points=0.0),
    Theme("pin-mate", lambda line: any(True for _ in predicates.pinned_pieces(line)), purposes.pin_mate),
    Theme("clean-finish", lambda line: len(line.final_attackers) <= predicates.CLEAN, points=0.0),
    Theme("picture", lambda line: picture_of(line) is not None),
    Theme("double-king", lambda line: KING in line.start, purposes.double_king),
    Theme("bare-king", lambda line: sum(1 for cell in CELL_OF if line.start[cell]) == 1),
    Theme("lone-king", lambda line: not cells_of_pieces(line.start, DEF)),
    Theme("empty-attack", lambda line: not cells_of_pieces(line.start, ATT)),
    Theme("one-kind", predicates.one_kind),
    Theme("small-pieces", lambda line: predicates.BIG.isdisjoint(predicates.kinds_in_play(line))),
    Theme("big-pieces", predicates.big_pieces),
    Theme("game-like", predicates.game_like),
    Theme("symmetric", predicates.symmetric),
    Theme("few-pieces", lambda line: line.position.piece_count() <= FEW_PIECES, points=0.0),
)  # fmt: skip

THEMES: dict[str, Theme] = {theme.name: theme for theme in _TESTS}
"""All themes by tag, in the order of listing."""


def shown_themes(replayed: ReplayedLine) -> tuple[str, ...]:
    """Return the tags of the themes that a replayed line shows, purposes not tested, in the order of `THEMES`."""
    return tuple(theme.name for theme in _TESTS if theme.predicate(replayed))


# --- heuristics: what a line shows by its moves alone, for quality and likeness --------------------
#
# A heuristic does not ask for a purpose. Fit the quality and the likeness again (`scripts/fit`) after changing one.

_MIN_WALK = 3
"""Squares of a king's walk."""
_HEURISTICS: tuple[tuple[str, float, Callable[[ReplayedLine], bool]], ...] = (
    ("piece-taken", 0.0, lambda line: bool(line.sacrifices)),
    ("big-piece-taken", 0.0, lambda line: any(turn.check.kind in predicates.BIG for turn in line.sacrifices)),
    ("promoting-piece-taken", 0.0, lambda line: any(turn.check.promotes for turn in line.sacrifices)),
    ("pieces-taken-in-turn", 0.0,
     lambda line: any(one.is_sacrifice and other.is_sacrifice for one, other in pairwise(line.turns))),
    # Before the last move, where every check from a distance is just the mate.
    ("quiet-move", 5.8, lambda line: any(is_quiet(turn.check, turn.answer_cell) for turn in line.turns[:-1])),
    ("plain-move", 0.0,
     lambda line: any(predicates.stays_plain_for_a_reason(line, turn.check) for turn in line.turns)),
    ("vacated-square", 5.0, lambda line: any(predicates.vacates_square(line, k) for k in range(len(line.turns)))),
    ("returning-piece", 6.6, predicates.piece_returns),
    ("king-takes-on-mate-square", 0.0,
     lambda line: any(turn.king_takes and turn.check.target == line.mated_king for turn in line.sacrifices)),
    ("taken-by-piece", 7.4, lambda line: any(not turn.king_takes for turn in line.sacrifices)),
    ("taker-beside-king", 6.1,
     lambda line: any(predicates.takes_and_stays_beside_king(line, answer) for _, answer in line.sacrifices)),
    ("king-walk", 0.0, lambda line: len({one.target for one in line.answers if one.kind == KING}) >= _MIN_WALK),
)  # fmt: skip
HEURISTICS: dict[str, Theme] = {
    **{theme.name: theme for theme in _TESTS if theme.points is not None},
    **{name: Theme(name, test, points=points) for name, points, test in _HEURISTICS},
}
"""The moves of some themes, under their tags, and what is no theme."""


def heuristics_of(replayed: ReplayedLine) -> tuple[str, ...]:
    """Return the names of the heuristics that a line satisfies, in the order of `HEURISTICS`."""
    return tuple(name for name, heuristic in HEURISTICS.items() if heuristic.predicate(replayed))


# --- whether a line shows themes with particulars (`generator.theme_names`) ------------------------

_KINDS = {letter: int(kind) for kind, letter in LETTERS.items()}


def shows_details(replayed: ReplayedLine, details: Iterable[str]) -> bool:
    """Whether a line shows all of some themes by the pieces and as often as asked, purposes not tested."""
    return all(shows_detail(replayed, ThemeDetail.parse(text)) for text in details)


def shows_detail(replayed: ReplayedLine, detail: ThemeDetail) -> bool:
    """Return the same for one theme."""
    theme = THEMES[detail.tag]
    if theme.moves is None:
        return theme.predicate(replayed)
    plies, piece = theme.moves.plies(replayed), detail.piece
    if piece is not None:
        base, is_promoted = _KINDS[piece.lstrip("+")], piece.startswith("+")
        plies = [ply for ply in plies if Kind(ply.kind).base == base]
        plies = [ply for ply in plies if not is_promoted or ply.piece_after > KING]
    return len(plies) >= detail.least


# --- the themes of a problem: those that its line shows and an engine confirms ---------------------

NODES = 20_000
"""Nodes for the purpose of one theme; a theme that needs more is left out."""


class ThemeProver:
    """Finds the themes of problems with an engine. The engine's table is cleared first, so that the themes depend on
    the problem alone."""

    def __init__(self, engine: DfPnEngine, nodes: int = NODES) -> None:
        self._engine = engine
        self._nodes = nodes

    def themes(self, position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
        """Return the tags of the themes of a correct problem's main line, in the order of `THEMES`.

        The attacker moves first; the line ends with the mate. Mirror images have the same themes.
        Raises `LimitReached` only for outer limits.
        """
        replayed = replay_line(position, line)
        probe = LineProbe(self._engine, replayed, line)
        found = []
        for theme in THEMES.values():
            if not theme.predicate(replayed):
                continue
            if theme.purpose is None:
                found.append(theme.name)
                continue
            self._engine.forget()
            try:
                with self._engine.within(Limits(nodes=self._nodes)):
                    if theme.purpose(probe):
                        found.append(theme.name)
            except LimitReached:
                self._engine.check_limits()
        return tuple(found)
