# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes, a row each: their names and meanings, and what composing, storing and asking for one needs to know.

Nothing here needs a compiler. What each theme requires of a line is in `generator.themes.table`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tsume_rules.position import ALL_PIECES, LETTERS

FEW_PIECES = 4
"""At most this many pieces on the board and in the attacker's hand, kings counted, are few."""
_START_SECONDS = 2.0
"""Seconds of a process before it composes, once the kernels are compiled."""
_LIMITS = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600)
"""What `ThemeTime.within` is rounded up to."""


class ThemeTime(NamedTuple):
    """A ``length`` in plies at which a theme comes, and the mean CPU ``seconds`` of five problems. Measured by
    `scripts/bench themes`."""

    length: int
    seconds: float

    @property
    def within(self) -> int:
        """Seconds within which one process that starts on a free processor nearly always has a problem. Waits for a
        problem are distributed like those for any rare event: 95% are shorter than three means."""
        return next(limit for limit in _LIMITS if limit >= _START_SECONDS + 3 * self.seconds)


class PositionLimits(NamedTuple):
    """What every position on the way to a theme keeps to; the fields as in `PositionConstraints`. ``kinds``: letters of
    the kinds that may occur, all if empty; with ``one_kind`` only one of them does."""

    attackers: int = ALL_PIECES
    defenders: int = ALL_PIECES
    own_king: bool = False
    pieces: int = ALL_PIECES
    kinds: str = ""
    one_kind: bool = False


@dataclass(frozen=True)
class ThemeName:
    """A theme's tag, its name in Japanese and in English, its meaning in one line of each.

    ``also``: other names by which it may be asked for. ``shortest``: the plies that it takes at least. ``time``: None
    if none was found (`TRIED`). ``whole``: it is of a position or a whole line, and no single move shows it.
    ``condition``: its number among the conditions of the network (`generator.learned.search`), which stays the same
    whatever the order of themes; None: the network was fitted without the theme. ``sought_from``: the length from which
    reverse construction looks for it in lines that become longer; None: what a short line starts from says little of
    what a longer one will. ``interposes``: the defender interposes a piece. ``led_to_by``: themes that lead to
    it in a walk, if it is rare. ``limits``: hard constraints on positions; the network draws too few positions that
    meet them, and none with a king of the attacker.
    """

    tag: str
    japanese: str
    english: str
    meaning: str
    japanese_meaning: str
    also: tuple[str, ...] = ()
    shortest: int = 1
    condition: int | None = None
    time: ThemeTime | None = None
    whole: bool = False
    sought_from: int | None = 3
    interposes: bool = False
    led_to_by: tuple[str, ...] = ()
    limits: PositionLimits | None = None


_NAMES = (
    # --- sacrifices
    ThemeName("sacrifice", "捨駒", "sacrifice",
        "A piece is given away: the next answer captures it, and it is not an exchange.",
        "駒を捨てる。次の応手で取られ、駒の交換にはならない。", ("捨て駒",), condition=60, time=ThemeTime(5, 2.5)),
    ThemeName("big-piece-sacrifice", "大駒捨て", "big-piece sacrifice",
        "A rook, a bishop, a dragon or a horse is sacrificed.", "飛・角・龍・馬を捨てる。",
        condition=61, time=ThemeTime(5, 2.0)),
    ThemeName("promotion-sacrifice", "成捨て", "promotion sacrifice",
        "A piece promotes and is sacrificed by the same move.", "成ると同時に捨てる。", ("成り捨て",),
        condition=62, time=ThemeTime(5, 1.5)),
    ThemeName("serial-sacrifice", "連続捨駒", "serial sacrifice",
        "Two of the attacker's moves, one after the other, are sacrifices.",
        "攻方が二手続けて駒を捨てる。", ("連続捨て駒",),
        shortest=5, condition=63, time=ThemeTime(5, 2.9), sought_from=5),
    ThemeName("focal-sacrifice", "焦点の捨駒", "focal sacrifice",
        "A piece is sacrificed where two pieces besides the king can capture it; each gives something up.",
        "玉以外の二枚の駒の利きが重なる升に捨てる。どちらの駒で取っても何かを失う。", ("焦点", "焦点の捨て駒"),
        condition=64, time=ThemeTime(5, 9.2)),
    # --- moves of the attacker
    ThemeName("non-promotion", "不成", "non-promotion",
        "A piece other than a knight declines to promote: promoted, it would not mate in time.",
        "桂以外の駒が、成れるのに成らない。成ると同じ手数では詰まない。", ("生", "ならず"),
        condition=65, time=ThemeTime(5, 1.4)),
    ThemeName("pawn-drop-avoidance", "打歩詰回避", "pawn-drop mate avoidance",
        "A rook, bishop, lance or pawn does not promote, because then a pawn drop would be mate, which is forbidden.",
        "飛・角・香・歩が成らない。成ると打歩詰になってしまう。", ("打歩詰打開",),
        shortest=5, condition=66, time=ThemeTime(5, 13.0), led_to_by=("non-promotion",)),
    ThemeName("distant-drop", "限定打", "one-square drop",
        "A lance, bishop or rook is dropped away from the king and would not mate from any other square of its line.",
        "飛・角・香を玉から離して打つ。同じ筋のほかの升に打つと詰まない。", condition=67, time=ThemeTime(5, 1.6)),
    ThemeName("long-drop", "遠打", "long-range drop",
        "Such a drop with at least three empty squares between the piece and the king.",
        "玉との間に三升以上をあけた限定打。", condition=68, time=ThemeTime(5, 1.8), led_to_by=("distant-drop",)),
    ThemeName("discovered-check", "開き王手", "discovered check",
        "The check comes from a piece other than the one that moved.",
        "動かした駒とは別の駒で王手をかける。", ("空き王手",), condition=69, time=ThemeTime(5, 3.9)),
    ThemeName("double-check", "両王手", "double check",
        "Two pieces give check at once.", "二枚の駒で同時に王手をかける。", condition=70, time=ThemeTime(5, 3.4)),
    ThemeName("obstruction-removal", "邪魔駒消去", "removal of an obstruction",
        "A piece that is in the way from the start is sacrificed; without it the mate would be shorter.",
        "初形から邪魔になっている駒を捨てる。その駒がなければ、より短く詰む。",
        condition=71, time=ThemeTime(5, 2.2), sought_from=5),
    ThemeName("replacement", "打ち換え", "replacement",
        "A piece is sacrificed and another kind is dropped on the square it left; "
        "were that square empty from the start, the mate would be shorter.",
        "駒を捨て、その升に別の種類の駒を打つ。初めからその升が空いていれば、より短く詰む。", ("打換え",),
        condition=72, time=ThemeTime(5, 1.8), sought_from=5),
    ThemeName("switchback", "スイッチバック", "switchback",
        "A piece returns by its next move to where it came from; more has changed than the king's square.",
        "駒が次の手で元の升に戻る。その間に玉の位置以外のものも変わっている。",
        condition=73, time=ThemeTime(5, 3.1), sought_from=5),
    ThemeName("knight-mate", "吊し桂", "knight mate",
        "The last move is a check by an unpromoted knight.", "最終手が桂（成桂を除く）による王手である。",
        condition=74, time=ThemeTime(5, 1.0), sought_from=1),
    ThemeName("smothered-mate", "窒息詰", "smothered mate",
        "Mate by a knight with every square next to the king occupied by its own pieces.",
        "最終手が桂（成桂を除く）による王手で、玉に隣り合う升はすべて玉方の駒でふさがっている。", ("スマザードメイト",),
        condition=75, time=ThemeTime(5, 4.0), led_to_by=("knight-mate",)),
    # --- the defence
    ThemeName("interposition", "合駒", "interposition",
        "The defender drops a piece between king and checker, and no answer of another kind lasts as long.",
        "玉方が合駒を打つ。ほかの種類の応手では手数が短くなる。",
        condition=76, time=ThemeTime(5, 6.0), sought_from=5, interposes=True),
    ThemeName("moved-interposition", "移動合", "moved interposition",
        "A defending piece moves between king and checker, and no answer of another kind lasts as long.",
        "玉方が盤上の駒を動かして合をする。ほかの種類の応手では手数が短くなる。",
        condition=77, time=ThemeTime(5, 2.3), sought_from=5, interposes=True),
    ThemeName("chuai", "中合", "interposition at a distance",
        "An interposition on a square that neither the king nor another piece guards; no other answer lasts as long.",
        "玉の利きもほかの駒の利きもない升に合をする。ほかの応手では手数が短くなる。",
        condition=78, time=ThemeTime(5, 8.9), sought_from=5, interposes=True,
        led_to_by=("interposition", "moved-interposition")),
    ThemeName("given-interposition", "捨合", "interposition given away",
        "An interposition next to the king that only the king guards; it is captured, not recaptured, "
        "and no other answer lasts as long.",
        "玉に隣り合い、玉の利きしかない升に合をする。取られても取り返さない。ほかの応手では手数が短くなる。",
        ("捨て合い", "捨合い"), condition=79, time=ThemeTime(5, 60.0), sought_from=5, interposes=True,
        led_to_by=("interposition", "moved-interposition")),
    ThemeName("interposed-piece-moves", "合駒動かし", "the interposed piece moves",
        "A piece that the defender interposed moves in a later answer.", "玉方の合駒が、あとの応手で動く。",
        condition=80, time=ThemeTime(7, 29.7), sought_from=5, interposes=True, led_to_by=("interposition",)),
    ThemeName("pawn-drop-lure", "打歩詰誘致", "lure into pawn-drop mate",
        "An answer other than a king move after which a pawn drop would be mate, which is forbidden; "
        "after another answer it mates.",
        "玉を動かさない応手で、歩を打つと打歩詰になる形にする。別の応手なら歩を打って詰む。",
        shortest=7, condition=81, time=ThemeTime(7, 60.0), led_to_by=("interposition", "moved-interposition")),
    ThemeName("king-lure", "玉の呼び寄せ", "king lure",
        "The king is mated where it captured a sacrificed piece; had it stayed, there would be no mate.",
        "捨駒を取った升で玉が詰む。玉が元の升にいれば詰まない。", condition=82, time=ThemeTime(5, 2.7)),
    ThemeName("decoy", "守備駒の誘導", "decoy",
        "A piece captures a sacrificed one and is not recaptured at once; had it stayed, there would be no mate.",
        "玉以外の駒が捨駒を取り、すぐには取り返されない。その駒が元の升にいれば詰まない。",
        condition=83, time=ThemeTime(5, 1.5)),
    ThemeName("block", "退路封鎖", "blocked flight",
        "A piece that captured a sacrificed one is next to its king at mate; without it the king escapes.",
        "捨駒を取った駒が詰上りで玉の隣にいる。その駒がなければ玉は逃げられる。", condition=84, time=ThemeTime(5, 2.8)),
    ThemeName("reverse-check", "逆王手", "counter-check",
        "An answer gives check to the attacker's king.", "攻方の玉に王手をかける応手がある。",
        condition=85, time=ThemeTime(5, 6.9), led_to_by=("interposition", "moved-interposition"),
        limits=PositionLimits(own_king=True)),
    # --- the king's way and the mate
    ThemeName("king-hunt", "追い詰", "king hunt",
        "The king visits six squares or more; at most a quarter of the attacker's moves are sacrifices.",
        "玉が初形の位置を含めて六つ以上の升を動き回り、捨駒は攻方の手の四分の一以下である。",
        shortest=11, condition=86, time=ThemeTime(11, 4.3), whole=True, sought_from=11),
    ThemeName("repeated-motif", "趣向", "repeated motif",
        "The same checks and answers come four times or more in a row, in place or each time as far on.",
        "同じ王手と応手の組が、同じ場所で、または一定の升だけずれながら、四回以上続く。", ("繰り返し趣向", "趣向詰"),
        shortest=9, whole=True, sought_from=None),
    ThemeName("king-returns", "還元玉", "returning king",
        "The king is mated on the square it started from.", "玉が初形の位置で詰む。",
        condition=87, time=ThemeTime(5, 1.4), whole=True, sought_from=5),
    ThemeName("pin-mate", "ピン詰", "pin mate",
        "At mate a defending piece could capture the checker or interpose if it were not pinned.",
        "詰上りで、ピンされていなければ、王手の駒を取るか合をすることのできる玉方の駒がある。",
        condition=88, time=ThemeTime(5, 2.6), whole=True, sought_from=1),
    ThemeName("clean-finish", "清涼詰", "clean finish",
        "At mate the attacker has at most two pieces on the board, not counting its king.",
        "詰上りで、盤上の攻方の駒が攻方玉のほかに二枚以下である。",
        condition=89, time=ThemeTime(5, 1.0), whole=True, sought_from=1),
    ThemeName("picture", "曲詰", "picture",
        "At mate all the pieces together draw a letter, a kana or a simple character.",
        "詰上りで、盤上のすべての駒が文字やかな、簡単な漢字を描く。", ("あぶり出し", "炙り出し"),
        condition=90, time=ThemeTime(5, 3.5), whole=True, sought_from=1),
    # --- the first position
    ThemeName("double-king", "双玉", "two kings",
        "The attacker's king is on the board, and without it there would be another solution or none; "
        "if it starts in check, that holds after the first answer.",
        "攻方の玉も盤上にある。その玉がなければ、別の解があるか、詰まない。初形王手なら、二手進めた局面で判断する。",
        condition=91, time=ThemeTime(5, 1.7), whole=True, sought_from=None, limits=PositionLimits(own_king=True)),
    ThemeName("bare-king", "裸玉", "bare king",
        "Nothing is on the board but the defender's king.", "盤上に玉方の玉だけがある。",
        shortest=9, condition=92, whole=True, sought_from=None, limits=PositionLimits(attackers=0, defenders=0)),
    ThemeName("lone-king", "無防備図式", "lone king",
        "The defender has only its king on the board.", "盤上の玉方の駒は玉だけである。", ("無防備",),
        condition=93, time=ThemeTime(5, 1.3), whole=True, sought_from=None, limits=PositionLimits(defenders=0)),
    ThemeName("empty-attack", "無仕掛図式", "no attackers",
        "The attacker has no piece on the board, not counting its king.",
        "攻方玉のほか、攻方の駒が盤上にない。", ("無仕掛",),
        condition=94, time=ThemeTime(5, 6.0), whole=True, sought_from=None, limits=PositionLimits(attackers=0)),
    ThemeName("one-kind", "一色図式", "one kind of piece",
        "All pieces on the board and in hand are of one kind, with at least three besides the kings.",
        "盤上と攻方の持駒の、玉を除く三枚以上の駒がすべて同じ種類である。",
        condition=95, time=ThemeTime(5, 40.0), whole=True, sought_from=None, limits=PositionLimits(one_kind=True)),
    ThemeName("small-pieces", "小駒図式", "small pieces",
        "There is neither rook nor bishop on the board or in the attacker's hand.",
        "盤上にも攻方の持駒にも飛・角がない。",
        condition=96, time=ThemeTime(5, 0.8), whole=True, sought_from=None, limits=PositionLimits(kinds="GSNLP")),
    ThemeName("big-pieces", "大駒図式", "big pieces",
        "All pieces on the board and in the attacker's hand, two or more besides the kings, are rooks and bishops.",
        "盤上と攻方の持駒の、玉を除く二枚以上の駒がすべて飛・角である。",
        condition=97, time=ThemeTime(5, 3.6), whole=True, sought_from=None, limits=PositionLimits(kinds="RB")),
    ThemeName("game-like", "実戦形", "game-like",
        "The position could come from a game: king, defenders and attackers stand where they do in games.",
        "実戦に現れそうな形である。玉と玉方の駒、攻方の駒が、実戦でよくある位置にある。", ("実戦型",),
        condition=98, time=ThemeTime(5, 1.9), whole=True, sought_from=None),
    ThemeName("symmetric", "対称形", "symmetric",
        "The board is the same on both sides of the king's file.", "盤面が玉の筋について左右対称である。",
        condition=99, time=ThemeTime(5, 3.3), whole=True, sought_from=None),
    ThemeName("few-pieces", "使用駒四枚以下", "few pieces",
        "At most four pieces are on the board and in the attacker's hand, kings included.",
        "盤上と攻方の持駒が、玉を含めて四枚以下である。", ("少駒数", "少数駒"),
        condition=100, time=ThemeTime(5, 30.0), whole=True, sought_from=None, limits=PositionLimits(pieces=FEW_PIECES)),
)  # fmt: skip

NAMES: dict[str, ThemeName] = {name.tag: name for name in _NAMES}
"""All themes by tag, in the order in which tags are listed."""
OF_THE_WHOLE = frozenset(name.tag for name in _NAMES if name.whole)
TIMES = {name.tag: name.time for name in _NAMES if name.time is not None}


class Tried(NamedTuple):
    """The lengths at which themes that are not in `TIMES` were looked for, for how many CPU ``seconds``."""

    lengths: tuple[int, ...]
    seconds: int


TRIED = Tried((5, 7, 9), 240)


def limits_of_themes(tags: Iterable[str]) -> list[PositionLimits]:
    """Return what some themes ask of every position."""
    found = (NAMES[tag].limits for tag in tags if tag in NAMES)
    return [limits for limits in found if limits is not None]


def _normalised_name(text: str) -> str:
    """Return a name as it is compared: width, case, spaces and hyphens make no difference."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c not in " -_\u3000")


_TAGS = {
    _normalised_name(text): name.tag for name in _NAMES for text in (name.tag, name.japanese, name.english, *name.also)
}


def tag_of(text: str) -> str | None:
    """Return the tag of a theme given by tag, Japanese or English name; None if it is no theme."""
    return _TAGS.get(_normalised_name(text))


def japanese_name(tag: str) -> str:
    """Return the Japanese name of a theme; of an unknown tag the tag itself."""
    return NAMES[tag].japanese if tag in NAMES else tag


def english_name(tag: str) -> str:
    """Return the English name of a theme; of an unknown tag the tag itself."""
    return NAMES[tag].english if tag in NAMES else tag


def counts_by_theme_name(counts: Mapping[str, int], name: Callable[[str], str] = english_name) -> dict[str, int]:
    """Numbers by tag as numbers by name, in the same order."""
    return {name(tag): number for tag, number in counts.items()}


# --- themes with particulars: which piece shows one, and how often; nothing here needs a compiler ---

_PARTS = re.compile(r"(?P<name>.*?)(?::(?P<piece>\+?[A-Za-z]))?(?:>=(?P<least>[0-9]{1,2}))?")


class ThemeDetailError(ValueError):
    """A theme that cannot be read; the text says what is wrong."""


@dataclass(frozen=True)
class ThemeDetail:
    """A theme that at least so many moves show, each by a ``piece``. ``piece``: its SFEN letter, promoted or not; with
    ``+`` only promoted, if only by this move; None: any."""

    tag: str
    piece: str | None = None
    least: int = 1

    @classmethod
    def parse(cls, text: str) -> ThemeDetail:
        """A theme by tag or name, with a piece as in ``switchback:B`` and a number as in ``sacrifice>=3``. Raises
        `ThemeDetailError`."""
        plain = unicodedata.normalize("NFKC", text.replace("≧", ">=").replace("≥", ">="))
        parts = _PARTS.fullmatch(plain)
        name, piece, least = parts.group("name", "piece", "least") if parts else (plain, None, None)
        tag = tag_of(name)
        if tag is None:
            raise ThemeDetailError(f"{text[:50]!r} is not a theme; `tsume themes` lists them")
        if piece is not None and piece.lstrip("+").upper() not in LETTERS.values():
            raise ThemeDetailError(f"{piece!r} in {text[:50]!r} is not a piece: give an SFEN letter")
        if tag in OF_THE_WHOLE and (piece or least):
            raise ThemeDetailError(f"{text[:50]!r}: {tag} is shown by no single move")
        if least is not None and int(least) < 1:
            raise ThemeDetailError(f"{text[:50]!r}: a number is at least 1")
        return cls(tag, piece.upper() if piece else None, int(least or 1))

    def __str__(self) -> str:
        piece = f":{self.piece}" if self.piece else ""
        return f"{self.tag}{piece}" + (f">={self.least}" if self.least > 1 else "")

    @property
    def is_plain(self) -> bool:
        """Whether it asks for the theme alone."""
        return self.piece is None and self.least == 1


def split_themes(texts: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tags of themes as they are asked for, and those of the texts that ask for more; each once. Raises
    `ThemeDetailError`."""
    asked = [ThemeDetail.parse(text) for text in texts]
    tags = dict.fromkeys(one.tag for one in asked)
    return tuple(tags), tuple(dict.fromkeys(str(one) for one in asked if not one.is_plain))


# --- figures of a composer's own for the final position, given by their rows; nothing here needs a compiler ---

MIN_FIGURE, MAX_FIGURE = 5, 30
"""Pieces of a figure: fewer make none, and more leave none to mate with."""


def is_figure(picture: str) -> bool:
    """Return whether a picture is given by its rows, not by its name."""
    return "#" in picture


def read_figure(text: str) -> str:
    """Return a figure as its rows from the top, ``#`` a piece and ``.`` none, with ``/`` between them. Raises
    ``ValueError``: other marks, no room on the board, or too few pieces or too many."""
    rows = text.strip().split("/")
    if not all(row and set(row) <= {"#", "."} for row in rows):
        raise ValueError("a figure has rows of # and . with / between them, such as .#./###/.#.")
    if len(rows) > 9 or max(map(len, rows)) > 9:
        raise ValueError("a figure has at most 9 rows of 9 squares")
    if not MIN_FIGURE <= text.count("#") <= MAX_FIGURE:
        raise ValueError(f"a figure has from {MIN_FIGURE} to {MAX_FIGURE} pieces")
    return "/".join(rows)
