"""The themes by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.themes import attack, defence, form
from generator.themes.story import Story


@dataclass(frozen=True)
class Theme:
    """Something that happens in a main line: its tag, its Japanese name, its meaning in a line."""

    name: str
    japanese: str
    meaning: str
    predicate: Callable[[Story], bool]


_THEMES = (
    Theme(
        "sacrifice",
        "捨駒",
        "The piece that the attacker moved or dropped is taken by the next answer.",
        attack.sacrifice,
    ),
    Theme(
        "big-piece-sacrifice",
        "大駒捨て",
        "A rook, a bishop, a dragon or a horse is sacrificed.",
        attack.big_piece_sacrifice,
    ),
    Theme(
        "promotion-sacrifice",
        "成捨て",
        "A piece promotes and is taken by the next answer.",
        attack.promotion_sacrifice,
    ),
    Theme(
        "serial-sacrifice",
        "連続捨駒",
        "Two of the attacker's moves, one after the other, are sacrifices.",
        attack.serial_sacrifice,
    ),
    Theme(
        "quiet-move",
        "静かな王手",
        "Before the last move, a piece that takes nothing and is not taken stays away from the king.",
        attack.quiet_move,
    ),
    Theme(
        "non-promotion",
        "不成",
        "A piece that may promote does not, because the promoted one would not serve.",
        attack.non_promotion,
    ),
    Theme(
        "distant-drop",
        "限定打",
        "Before the last move a lance, a bishop or a rook is dropped away from the king.",
        attack.distant_drop,
    ),
    Theme(
        "discovered-check",
        "開き王手",
        "A piece gives check that did not move itself.",
        attack.discovered_check,
    ),
    Theme("double-check", "両王手", "Two pieces give check at once.", attack.double_check),
    Theme(
        "obstruction-removal",
        "邪魔駒消去",
        "A piece that stood in the way from the start is sacrificed; later, with the king on the same square "
        "as then, another piece moves to its square or over it, or gives check across it.",
        attack.obstruction_removal,
    ),
    Theme(
        "switchback", "スイッチバック", "An attacker's piece returns to a square it left.", attack.switchback
    ),
    Theme("knight-mate", "吊し桂", "The last move is a check by an unpromoted knight.", attack.knight_mate),
    Theme(
        "interposition",
        "合駒",
        "The defender drops a piece between the king and the checking piece.",
        defence.interposition,
    ),
    Theme(
        "moved-interposition",
        "移動合",
        "A piece of the defender moves between the king and the checking piece.",
        defence.moved_interposition,
    ),
    Theme(
        "chuai",
        "中合",
        "An interposition, dropped or moved, on a square that neither the king nor another piece guards.",
        defence.chuai,
    ),
    Theme(
        "king-lure",
        "玉の呼び寄せ",
        "The king is mated on a square on which it took a sacrificed piece.",
        defence.king_lure,
    ),
    Theme("decoy", "守備駒の誘導", "A piece other than the king takes a sacrificed piece.", defence.decoy),
    Theme(
        "block",
        "退路封鎖",
        "A piece takes a sacrificed one and at the mate stands there, next to its king, on a square "
        "that no attacker guards.",
        defence.block,
    ),
    Theme("king-hunt", "追い詰", "The king goes to three different squares or more.", defence.king_hunt),
    Theme("king-returns", "還元玉", "The king is mated on the square it started from.", defence.king_returns),
    Theme(
        "clean-finish",
        "清涼詰",
        "At the mate the attacker has at most two pieces on the board, its king apart.",
        form.clean_finish,
    ),
    Theme(
        "few-pieces",
        "少駒数",
        "At most four pieces are on the board and in the attacker's hand, kings counted.",
        form.few_pieces,
    ),
)

THEMES: dict[str, Theme] = {theme.name: theme for theme in _THEMES}
"""All themes in the order in which tags are listed."""


def themes_of(story: Story) -> tuple[str, ...]:
    """The names of the themes of a replayed line, in the order of `THEMES`."""
    return tuple(theme.name for theme in _THEMES if theme.predicate(story))
