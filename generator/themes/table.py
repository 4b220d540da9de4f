# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes by tag: the tests on a line and, for themes with a purpose, its test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from generator import heuristics
from generator.replay import ReplayedLine, ReplayedPly, replay_line
from generator.theme_names import ThemeDetail
from generator.themes import predicates, purposes
from generator.themes.purposes import LineProbe, Purpose, TurnPurpose
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from solver.scoring.check_kinds import is_distant_drop
from tsume_rules.kernel.tables import KING
from tsume_rules.moves import Move
from tsume_rules.position import LETTERS, Kind, Position

TurnTest = Callable[[ReplayedLine, int], bool]
"""Whether something happens at a turn of a line, by its number."""


@dataclass(frozen=True)
class ThemeMoves:
    """How a theme of moves shows: ``test`` for a turn, and the ``purpose`` of a turn that shows it, if any.

    ``by_answer``: the piece that shows it is the one that answers, not the one that gives check.
    """

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
    of a position.
    """

    name: str
    predicate: Callable[[ReplayedLine], bool]
    purpose: Purpose | None = None
    moves: ThemeMoves | None = None


def _by_check(name: str, test: TurnTest, purpose: TurnPurpose | None = None) -> Theme:
    return _of_moves(name, ThemeMoves(test, purpose))


def _by_answer(name: str, test: TurnTest, purpose: TurnPurpose | None = None) -> Theme:
    return _of_moves(name, ThemeMoves(test, purpose, by_answer=True))


def _of_moves(name: str, moves: ThemeMoves) -> Theme:
    purpose = moves.purpose
    return Theme(
        name,
        lambda replayed: bool(moves.turns(replayed)),
        None
        if purpose is None
        else lambda probe: any(purpose(probe, number) for number in moves.turns(probe.replayed)),
        moves,
    )


def _check(test: Callable[[ReplayedPly], bool]) -> TurnTest:
    return lambda replayed, number: test(replayed.turns[number].check)


def _check_before_last(test: Callable[[ReplayedPly], bool]) -> TurnTest:
    """Return the same before the last turn, which may have alternatives."""
    return lambda replayed, number: number + 1 < len(replayed.turns) and test(replayed.turns[number].check)


def _last(test: Callable[[ReplayedLine], bool]) -> TurnTest:
    """Return a test of a line whose last turn shows the theme."""
    return lambda replayed, number: number + 1 == len(replayed.turns) and test(replayed)


def _longest_answer(name: str, kind: purposes.AnswerKind) -> Theme:
    """Return the theme of a kind of answer, played because no answer of another kind lasts as long."""

    def is_of_kind(replayed: ReplayedLine, number: int) -> bool:
        check, answer = replayed.turns[number]
        return answer is not None and kind(check, answer)

    return _by_answer(name, is_of_kind, purposes.lasts_longest(kind))


_TESTS = (
    _by_check("sacrifice", predicates.gives_away),
    _by_check("big-piece-sacrifice", predicates.gives_big_piece),
    _by_check("promotion-sacrifice", predicates.gives_by_promoting),
    _by_check("serial-sacrifice", predicates.gives_twice),
    _by_check("focal-sacrifice", predicates.is_on_a_focus, purposes.is_focus),
    _by_check("non-promotion", _check(predicates.declines_promotion), purposes.fails_promoted),
    _by_check("pawn-drop-avoidance", _check_before_last(predicates.may_avoid_pawn_drop_mate),
              purposes.avoids_pawn_drop_mate),
    _by_check("distant-drop", _check_before_last(is_distant_drop), purposes.is_only_drop),
    _by_check("long-drop", _check_before_last(predicates.is_long_drop), purposes.is_only_drop),
    _by_check("discovered-check", _check(heuristics.discovers_check)),
    _by_check("double-check", _check(heuristics.is_double_check)),
    _by_check("obstruction-removal", predicates.removes_obstruction, purposes.removal_shortens),
    _by_check("replacement", predicates.is_replacement, purposes.is_shorter_without),
    _by_check("switchback", predicates.switches_back),
    _by_check("knight-mate", _last(heuristics.knight_mate)),
    _by_check("smothered-mate", _last(heuristics.smothered_mate)),
    _longest_answer("interposition", lambda _, answer: answer.is_drop),
    _longest_answer("moved-interposition", heuristics.is_moved_interposition),
    _longest_answer("chuai", heuristics.is_unprotected),
    _by_answer("given-interposition", predicates.gives_between, purposes.lasts_longest(predicates.is_given)),
    _by_answer("interposed-piece-moves", predicates.interposed_piece_moves),
    _by_answer("pawn-drop-lure", predicates.lures_pawn_drop, purposes.lures_into_pawn_drop_mate),
    _by_check("king-lure", predicates.lures_king, purposes.is_capture_needed),
    _by_answer("decoy", predicates.draws_piece_away, purposes.is_capture_needed),
    _by_answer("block", predicates.blocks_flight, purposes.is_block_needed),
    _by_answer("reverse-check", predicates.answers_by_check),
    Theme("king-hunt", predicates.king_hunt),
    Theme("king-returns", heuristics.king_returns),
    Theme("pin-mate", predicates.pin_mate, purposes.pin_mate),
    Theme("clean-finish", heuristics.clean_finish),
    Theme("picture", predicates.picture_theme),
    Theme("double-king", predicates.double_king, purposes.double_king),
    Theme("bare-king", predicates.bare_king),
    Theme("lone-king", predicates.lone_king),
    Theme("empty-attack", predicates.empty_attack),
    Theme("one-kind", predicates.one_kind),
    Theme("small-pieces", predicates.small_pieces),
    Theme("big-pieces", predicates.big_pieces),
    Theme("game-like", predicates.game_like),
    Theme("symmetric", predicates.symmetric),
    Theme("few-pieces", heuristics.few_pieces),
)  # fmt: skip

THEMES: dict[str, Theme] = {theme.name: theme for theme in _TESTS}
"""All themes by tag, in the order of listing."""


def shown_themes(replayed: ReplayedLine) -> tuple[str, ...]:
    """Return the tags of the themes that a replayed line shows, in the order of `THEMES`.

    Purposes are not tested; see `generator.themes.table`.
    """
    return tuple(theme.name for theme in _TESTS if theme.predicate(replayed))


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
    """Finds the themes of problems with an engine.

    The engine's table is cleared first, so that the themes depend on the problem alone.
    """

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
