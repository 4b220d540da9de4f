"""The names of the themes: tags, Japanese and English names, meanings. Nothing here needs a compiler.

What each theme requires of a line is in `generator.themes.table`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ThemeName:
    """A theme's tag, its name in Japanese and in English, its meaning in one line.

    ``also``: other names by which it may be asked for.
    """

    tag: str
    japanese: str
    english: str
    meaning: str
    also: tuple[str, ...] = ()


_NAMES = (
    # --- sacrifices
    ThemeName(
        "sacrifice", "捨駒", "sacrifice",
        "A piece is given away: the next answer takes it, and it is no exchange.",
        ("捨て駒",),
    ),
    ThemeName(
        "big-piece-sacrifice", "大駒捨て", "big-piece sacrifice",
        "A rook, a bishop, a dragon or a horse is sacrificed.",
    ),
    ThemeName(
        "promotion-sacrifice", "成捨て", "promotion sacrifice",
        "A piece promotes and is sacrificed by the same move.", ("成り捨て",),
    ),
    ThemeName(
        "serial-sacrifice", "連続捨駒", "serial sacrifice",
        "Two of the attacker's moves, one after the other, are sacrifices.", ("連続捨て駒",),
    ),
    ThemeName(
        "focal-sacrifice", "焦点の捨駒", "focal sacrifice",
        "A piece is sacrificed where two pieces besides the king may take it, and each gives something up.",
        ("焦点", "焦点の捨て駒"),
    ),
    # --- moves of the attacker
    ThemeName(
        "non-promotion", "不成", "non-promotion",
        "A piece, no knight, does not promote where it may, because promoted it would not mate in time.",
        ("生", "ならず"),
    ),
    ThemeName(
        "pawn-drop-avoidance", "打歩詰回避", "pawn-drop mate avoidance",
        "A rook, a bishop, a lance or a pawn does not promote, for then a pawn drop would be mate, "
        "which is forbidden.",
        ("打歩詰打開",),
    ),
    ThemeName(
        "distant-drop", "限定打", "one-square drop",
        "A lance, a bishop or a rook is dropped away from the king and would mate from no other square "
        "of its line.",
    ),
    ThemeName(
        "long-drop", "遠打", "long-range drop",
        "Such a drop with at least three empty squares between the piece and the king.",
    ),
    ThemeName(
        "discovered-check", "開き王手", "discovered check",
        "A piece gives check that did not move itself.", ("空き王手",),
    ),
    ThemeName("double-check", "両王手", "double check", "Two pieces give check at once."),
    ThemeName(
        "obstruction-removal", "邪魔駒消去", "removal of an obstruction",
        "A piece that stood in the way from the start is sacrificed; without it the mate would be shorter.",
    ),
    ThemeName(
        "replacement", "打ち換え", "replacement",
        "A piece is sacrificed from its square and another kind is dropped there; "
        "with the square free at once the mate would be shorter.",
        ("打換え",),
    ),
    ThemeName(
        "switchback", "スイッチバック", "switchback",
        "A piece goes back by its next move to where it came from; more has changed than the king's place.",
    ),
    ThemeName("knight-mate", "吊し桂", "knight mate", "The last move is a check by an unpromoted knight."),
    # --- the defence
    ThemeName(
        "interposition", "合駒", "interposition",
        "The defender drops a piece between king and checker, and no answer of another kind lasts as long.",
    ),
    ThemeName(
        "moved-interposition", "移動合", "moved interposition",
        "A defending piece moves between king and checker, and no answer of another kind lasts as long.",
    ),
    ThemeName(
        "chuai", "中合", "interposition at a distance",
        "An interposition on a square that neither the king nor another piece guards; no other answer "
        "lasts as long.",
    ),
    ThemeName(
        "given-interposition", "捨合", "interposition given away",
        "An interposition beside the king that only the king guards; it is taken and not taken back, "
        "and no other answer lasts as long.",
        ("捨て合い", "捨合い"),
    ),
    ThemeName(
        "interposed-piece-moves", "合駒動かし", "the interposed piece moves",
        "A piece that the defender interposed moves by a later answer.",
    ),
    ThemeName(
        "pawn-drop-lure", "打歩詰誘致", "lure into pawn-drop mate",
        "An answer, no king's move, after which a pawn drop would be mate and so is forbidden; "
        "after another answer it mates.",
    ),
    ThemeName(
        "king-lure", "玉の呼び寄せ", "king lure",
        "The king is mated where it took a sacrificed piece; had it stayed, there would be no mate.",
    ),
    ThemeName(
        "decoy", "守備駒の誘導", "decoy",
        "A piece takes a sacrificed one and is not taken at once; had it stayed, there would be no mate.",
    ),
    ThemeName(
        "block", "退路封鎖", "blocked flight",
        "A piece took a sacrificed one and stands beside its king at the mate; without it the king escapes.",
    ),
    ThemeName(
        "reverse-check", "逆王手", "counter-check",
        "An answer gives check to the attacker's king.",
    ),
    # --- the king's way and the mate
    ThemeName(
        "king-hunt", "追い詰", "king hunt",
        "The king stands on six squares or more; at most a quarter of the attacker's moves are sacrifices.",
    ),
    ThemeName(
        "king-returns", "還元玉", "returning king", "The king is mated on the square it started from."
    ),
    ThemeName(
        "pin-mate", "ピン詰", "pin mate",
        "At the mate a defending piece could take the checker or step between, were it not pinned.",
    ),
    ThemeName(
        "clean-finish", "清涼詰", "clean finish",
        "At the mate the attacker has at most two pieces on the board, its king apart.",
    ),
    ThemeName(
        "picture", "曲詰", "picture",
        "At the mate all pieces together draw a letter, a kana or a simple character.",
        ("あぶり出し", "炙り出し"),
    ),
    # --- the first position
    ThemeName(
        "double-king", "双玉", "two kings",
        "The attacker's king is on the board, and without it there would be another solution or none.",
    ),
    ThemeName("bare-king", "裸玉", "bare king", "The defender's king stands on the board and nothing else."),
    ThemeName("lone-king", "無防備", "lone king", "The defender has only its king on the board."),
    ThemeName(
        "empty-attack", "無仕掛", "no attackers", "The attacker has no piece on the board, its king apart."
    ),
    ThemeName(
        "one-kind", "一色図式", "one kind of piece",
        "All pieces on the board and in the attacker's hand, three or more besides the kings, are of a kind.",
    ),
    ThemeName(
        "small-pieces", "小駒図式", "small pieces",
        "There is neither rook nor bishop on the board or in the attacker's hand.",
    ),
    ThemeName(
        "big-pieces", "大駒図式", "big pieces",
        "All pieces on the board and in the attacker's hand, two or more besides the kings, are rooks "
        "and bishops.",
    ),
    ThemeName(
        "game-like", "実戦形", "game-like",
        "The position could come from a game: king, defenders and attackers stand where they do in games.",
        ("実戦型",),
    ),
    ThemeName(
        "symmetric", "対称形", "symmetric",
        "The board is the same on both sides of the king's file.",
    ),
    ThemeName(
        "few-pieces", "少駒数", "few pieces",
        "At most four pieces are on the board and in the attacker's hand, kings counted.",
    ),
)  # fmt: skip

NAMES: dict[str, ThemeName] = {name.tag: name for name in _NAMES}
"""All themes by tag, in the order in which tags are listed."""


def _plain(text: str) -> str:
    """A name as it is compared: width, case, spaces and hyphens make no difference."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c not in " -_\u3000")


_TAGS = {
    _plain(text): name.tag for name in _NAMES for text in (name.tag, name.japanese, name.english, *name.also)
}


def tag_of(text: str) -> str | None:
    """The tag of a theme given by tag, Japanese or English name; None if it is no theme."""
    return _TAGS.get(_plain(text))


def japanese_name(tag: str) -> str:
    """The Japanese name of a theme; of an unknown tag the tag itself."""
    return NAMES[tag].japanese if tag in NAMES else tag


def english_name(tag: str) -> str:
    """The English name of a theme; of an unknown tag the tag itself."""
    return NAMES[tag].english if tag in NAMES else tag


def by_name(counts: Mapping[str, int]) -> dict[str, int]:
    """Numbers by tag as numbers by English name, in the same order."""
    return {english_name(tag): number for tag, number in counts.items()}
