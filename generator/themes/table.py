"""The themes by tag: the predicate on a line and, for themes with a purpose, its test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.heuristics import attack, defence, form
from generator.replay.line import ReplayedLine
from generator.theme_names import NAMES, ThemeName
from generator.themes import answers, checks, endings, initial, pawn_drops, pictures, purposes, sacrifices
from generator.themes.purposes import Purpose


@dataclass(frozen=True)
class Theme:
    """Something that happens in a main line.

    ``predicate`` tests the moves: it holds whenever the theme occurs. ``purpose`` tests with an engine
    whether it occurs for its purpose; None: the moves are enough.
    """

    name: str
    predicate: Callable[[ReplayedLine], bool]
    purpose: Purpose | None = None

    @property
    def names(self) -> ThemeName:
        """Its names and its meaning."""
        return NAMES[self.name]

    @property
    def japanese(self) -> str:
        """Its name in Japanese."""
        return self.names.japanese


_TESTS = (
    Theme("sacrifice", sacrifices.sacrifice),
    Theme("big-piece-sacrifice", sacrifices.big_piece_sacrifice),
    Theme("promotion-sacrifice", sacrifices.promotion_sacrifice),
    Theme("serial-sacrifice", sacrifices.serial_sacrifice),
    Theme("focal-sacrifice", sacrifices.focal_sacrifice, purposes.focal_sacrifice),
    Theme("non-promotion", checks.non_promotion, purposes.non_promotion),
    Theme("pawn-drop-avoidance", checks.pawn_drop_avoidance, pawn_drops.pawn_drop_avoidance),
    Theme("distant-drop", attack.distant_drop, purposes.distant_drop),
    Theme("long-drop", checks.long_drop, purposes.long_drop),
    Theme("discovered-check", attack.discovered_check),
    Theme("double-check", attack.double_check),
    Theme("obstruction-removal", sacrifices.obstruction_removal, purposes.obstruction_removal),
    Theme("replacement", sacrifices.replacement, purposes.replacement),
    Theme("switchback", checks.switchback),
    Theme("knight-mate", attack.knight_mate),
    Theme("smothered-mate", attack.smothered_mate),
    Theme("interposition", defence.interposition, purposes.interposition),
    Theme("moved-interposition", defence.moved_interposition, purposes.moved_interposition),
    Theme("chuai", defence.chuai, purposes.chuai),
    Theme("given-interposition", answers.given_interposition, purposes.given_interposition),
    Theme("interposed-piece-moves", answers.interposed_piece_moves),
    Theme("pawn-drop-lure", answers.pawn_drop_lure, pawn_drops.pawn_drop_lure),
    Theme("king-lure", sacrifices.king_lure, purposes.king_lure),
    Theme("decoy", answers.decoy, purposes.decoy),
    Theme("block", sacrifices.block, purposes.block),
    Theme("reverse-check", answers.reverse_check),
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
)

THEMES: dict[str, Theme] = {theme.name: theme for theme in _TESTS}
"""All themes by tag, in the order of listing."""


def shown_themes(replayed: ReplayedLine) -> tuple[str, ...]:
    """The tags of the themes that a replayed line shows, in the order of `THEMES`.

    Purposes are not tested; see `generator.themes.proof`.
    """
    return tuple(theme.name for theme in _TESTS if theme.predicate(replayed))
