"""Signs: what a line shows by its moves alone, on which quality and likeness were fitted.

A sign asks for no purpose: the theme of the same name may ask for more (`generator.themes.table`).
A change of a sign needs new fits (`scripts/fit`).
"""

from __future__ import annotations

from collections.abc import Callable

from generator.themes import attack, defence, form
from generator.themes.story import Story

SIGNS: dict[str, Callable[[Story], bool]] = {
    "sacrifice": attack.sacrifice,
    "big-piece-sacrifice": attack.big_piece_sacrifice,
    "promotion-sacrifice": attack.promotion_sacrifice,
    "serial-sacrifice": attack.serial_sacrifice,
    "quiet-move": attack.quiet_move,
    "non-promotion": attack.non_promotion,
    "distant-drop": attack.distant_drop,
    "discovered-check": attack.discovered_check,
    "double-check": attack.double_check,
    "obstruction-removal": attack.obstruction_removal,
    "switchback": attack.switchback,
    "knight-mate": attack.knight_mate,
    "interposition": defence.interposition,
    "moved-interposition": defence.moved_interposition,
    "chuai": defence.chuai,
    "king-lure": defence.king_lure,
    "decoy": defence.decoy,
    "block": defence.block,
    "king-hunt": defence.king_hunt,
    "king-returns": defence.king_returns,
    "clean-finish": form.clean_finish,
    "few-pieces": form.few_pieces,
}
"""The signs by name, in a fixed order."""


def signs_of(story: Story) -> tuple[str, ...]:
    """The names of the signs of a replayed line, in the order of `SIGNS`."""
    return tuple(name for name, shows in SIGNS.items() if shows(story))
