# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes by tag: the tests on a line and, for themes with a purpose, its test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.heuristics import attack, defence, form
from generator.replay.line import ReplayedLine, ReplayedPly
from generator.theme_names import NAMES, ThemeName
from generator.themes import answers, checks, endings, initial, pawn_drops, pictures, purposes, sacrifices
from generator.themes.purposes import Purpose, TurnPurpose
from solver.scoring.check_kinds import is_distant_drop

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
        """The turns that show the theme, its purpose not tested."""
        return [number for number in range(len(replayed.turns)) if self.test(replayed, number)]

    def plies(self, replayed: ReplayedLine) -> list[ReplayedPly]:
        """The moves that show the theme, its purpose not tested."""
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

    @property
    def names(self) -> ThemeName:
        """Its names and its meaning."""
        return NAMES[self.name]

    @property
    def japanese(self) -> str:
        """Its name in Japanese."""
        return self.names.japanese


def _by_check(name: str, test: TurnTest, purpose: TurnPurpose | None = None) -> Theme:
    """A theme of the attacker's moves."""
    return _of_moves(name, ThemeMoves(test, purpose))


def _by_answer(name: str, test: TurnTest, purpose: TurnPurpose | None = None) -> Theme:
    """A theme of the defender's moves."""
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
    """A test of the check of a turn."""
    return lambda replayed, number: test(replayed.turns[number].check)


def _check_before_last(test: Callable[[ReplayedPly], bool]) -> TurnTest:
    """The same before the last turn, which may have alternatives."""
    return lambda replayed, number: number + 1 < len(replayed.turns) and test(replayed.turns[number].check)


def _last(test: Callable[[ReplayedLine], bool]) -> TurnTest:
    """A test of a line whose last turn shows the theme."""
    return lambda replayed, number: number + 1 == len(replayed.turns) and test(replayed)


def _answer(kind: purposes.AnswerKind) -> TurnTest:
    """A test of the answer of a turn."""

    def is_of_kind(replayed: ReplayedLine, number: int) -> bool:
        check, answer = replayed.turns[number]
        return answer is not None and kind(check, answer)

    return is_of_kind


def _longest_answer(name: str, kind: purposes.AnswerKind) -> Theme:
    """A kind of answer that is played because no answer of another kind lasts as long."""
    return _by_answer(name, _answer(kind), purposes.lasts_longest(kind))


_TESTS = (
    _by_check("sacrifice", sacrifices.gives_away),
    _by_check("big-piece-sacrifice", sacrifices.gives_big_piece),
    _by_check("promotion-sacrifice", sacrifices.gives_by_promoting),
    _by_check("serial-sacrifice", sacrifices.gives_twice),
    _by_check("focal-sacrifice", sacrifices.is_on_a_focus, purposes.is_focus),
    _by_check("non-promotion", _check(checks.declines_promotion), purposes.fails_promoted),
    _by_check("pawn-drop-avoidance", _check_before_last(checks.may_avoid_pawn_drop_mate),
              pawn_drops.avoids_pawn_drop_mate),
    _by_check("distant-drop", _check_before_last(is_distant_drop), purposes.is_only_drop),
    _by_check("long-drop", _check_before_last(checks.is_long_drop), purposes.is_only_drop),
    _by_check("discovered-check", _check(attack.discovers_check)),
    _by_check("double-check", _check(attack.is_double_check)),
    _by_check("obstruction-removal", sacrifices.removes_obstruction, purposes.removal_shortens),
    _by_check("replacement", sacrifices.is_replacement, purposes.is_shorter_without),
    _by_check("switchback", checks.switches_back),
    _by_check("knight-mate", _last(attack.knight_mate)),
    _by_check("smothered-mate", _last(attack.smothered_mate)),
    _longest_answer("interposition", lambda _, answer: answer.is_drop),
    _longest_answer("moved-interposition", defence.is_moved_interposition),
    _longest_answer("chuai", defence.is_unprotected),
    _by_answer("given-interposition", answers.gives_between, purposes.lasts_longest(answers.is_given)),
    _by_answer("interposed-piece-moves", answers.interposed_piece_moves),
    _by_answer("pawn-drop-lure", answers.lures_pawn_drop, pawn_drops.lures_into_pawn_drop_mate),
    _by_check("king-lure", sacrifices.lures_king, purposes.is_capture_needed),
    _by_answer("decoy", answers.draws_piece_away, purposes.is_capture_needed),
    _by_answer("block", sacrifices.blocks_flight, purposes.is_block_needed),
    _by_answer("reverse-check", answers.answers_by_check),
    Theme("king-hunt", answers.king_hunt),
    Theme("king-returns", defence.king_returns),
    Theme("pin-mate", endings.pin_mate, purposes.pin_mate),
    Theme("clean-finish", form.clean_finish),
    Theme("picture", pictures.picture_theme),
    Theme("double-king", endings.double_king, purposes.double_king),
    Theme("bare-king", initial.bare_king),
    Theme("lone-king", initial.lone_king),
    Theme("empty-attack", initial.empty_attack),
    Theme("one-kind", initial.one_kind),
    Theme("small-pieces", initial.small_pieces),
    Theme("big-pieces", initial.big_pieces),
    Theme("game-like", initial.game_like),
    Theme("symmetric", initial.symmetric),
    Theme("few-pieces", form.few_pieces),
)  # fmt: skip

THEMES: dict[str, Theme] = {theme.name: theme for theme in _TESTS}
"""All themes by tag, in the order of listing."""


def shown_themes(replayed: ReplayedLine) -> tuple[str, ...]:
    """The tags of the themes that a replayed line shows, in the order of `THEMES`.

    Purposes are not tested; see `generator.themes.proof`.
    """
    return tuple(theme.name for theme in _TESTS if theme.predicate(replayed))
