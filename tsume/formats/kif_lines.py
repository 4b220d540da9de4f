# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of lines in KIF, KI2 and BOD texts, and the boundaries between problems.

A line that names pieces in hand, the side to move or moves has a kind of its own: it is never a header
that is kept as free text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from tsume.formats.move_texts import LABEL, begins_with_moves, count_moves, is_ending, label_text
from tsume.formats.symbols import NUMBER, is_hand_in_japanese, parse_number, plain_text
from tsume_rules.position import Side

HANDICAP = "手合割"
_LONGEST = 100_000
"""Characters of a line: its patterns take a time that grows with the square."""
TITLE_KEYS = ("作品名", "表題", "題名")
"""The headers that name a problem, the best first."""

_BLACK = "先手 下手 攻方 攻め方 攻手 攻め手 詰方 詰め方 詰手 詰め手 自分 黒 ▲ ▼ ☗ black sente attacker b"
_WHITE = "後手 上手 受方 受け方 受手 受け手 玉方 王方 守方 相手 白 △ ▽ ☖ white gote defender w"
_SIDES = {**dict.fromkeys(_BLACK.split(), Side.ATTACKER), **dict.fromkeys(_WHITE.split(), Side.DEFENDER)}
_SIDE = "|".join(sorted(_SIDES, key=len, reverse=True))
_SOME_SIDES = rf"(?:{_SIDE})(?:[ ()]{{0,9}}(?:{_SIDE}))*\)?"
_SIDE_WORDS = re.compile(rf"(?:the )?(?P<sides>{_SOME_SIDES})(?:'s)?側?(?: side)?")
_BULLETS = " ・■□◆◇●○◎★☆【】[]<>〈〉《》「」『』"
_TURN_KEY = re.compile(
    r"(?:次の手番|手 ?番|先後|先番|次の番|番|次)"
    r"(?:[】\]] {0,9}[:=]?| {0,9}[:=]|(?<=番)(?:は|[ (【『「])) {0,9}(?P<value>.*)|"
    r"(?:turn|side to move|to move|next|next player) {0,9}[:=] {0,9}(?P<english>.*)"
)
_TURN = re.compile(
    rf"(?P<sides>{_SOME_SIDES}) {{0,9}}(?:の?(?:手番|番)(?:から|です|で)?|から)"
    rf"(?: {{0,9}}\({_SOME_SIDES})?[.。]?|"
    rf"(?P<english>{_SOME_SIDES})(?: to (?:move|play|mate)|(?:'s)? (?:turn|move)| moves(?: first)?)"
    r"(?:,? {0,9}(?:and )?(?:mates? )?in (?P<plies>[0-9]{1,6})(?: moves?)?)?[.!]?"
)
_HAND = re.compile(
    r"(?P<owner>[^:*]{0,16}?) {0,9}"
    r"(?:所?持 {0,3}(?:ち|ち?の)? {0,3}(?:駒|ごま|ゴマ|こま)|もち(?:駒|ごま)|手駒|駒台|"
    r"(?<![先後上下攻詰受守め])手持(?:ち?の?駒|ち(?=[ :=】])))"
    r"[】\]〉》」>]? {0,9}(?:\((?P<other>[^()]*)\))? {0,9}[】\]〉》」]?"
    r"[ :=は;/|→⇒、・･…―>▶-]{0,9}(?P<value>.*)|"
    r"(?P<side>攻め?[方手]|詰め?[方手]|受け?[方手]|玉方|王方|守方)(?: {0,9}[:=] {0,9}| +)(?P<pieces>.*)|"
    r"(?P<mark>[▲▼☗△▽☖]) {0,9}(?P<its>[飛角金銀桂香歩残他].*)"
)
_OTHER_HAND = re.compile(
    rf"(?<![ 、,;/|])[ 、,;/|]+(?=(?:{_SIDE})側?の?(?:所?持ち?駒|手駒|[:=])|"
    r"(?:black|white)(?:'s pieces)? in hand)"
)
_ENGLISH_HAND = re.compile(
    r"(?P<owner>[a-z'() ]{0,24}?) {0,9}"
    r"(?:(?:pieces )?in hand|hands?|captured pieces|holds|pocket|mochigoma|komadai)"
    r" {0,9}(?:\((?P<other>[a-z' ]{1,24})\) {0,9})?(?:[:=] {0,9}(?P<value>.*))?"
)
_SOLUTION = (
    "作意手順|作意順|作意|正解手順|正解図|正解|詰[めみ]?手順|詰[めみ]?筋|本手順|解答手順|解答図|解答|解手順|解|手順|答え?|棋譜|指し?手|"
    "main ?line|solution|sol[.]|answer|ans[.]|line|moves|checkmate|pv"
)
_VARIATION = (
    "変化手順|変化順|変化図|変化|紛れ手順|紛れ順|紛れ|まぎれ|失敗例|失敗図|失敗|不正解|誤解|"
    "余詰め?手順|余詰め?|早詰め?|別解|別詰|variation|try|cook"
)
_TITLED = re.compile(
    rf"[\[【〈《<(「『〔■□◆◇●○◎]* {{0,9}}(?:(?P<solution>{_SOLUTION})|(?P<variation>{_VARIATION}))"
    r" {0,9}[0-9一二三四五イロハニホヘトa-e①-⑨]?"
    r" {0,9}(?:\(? {0,9}(?P<number>[0-9]{1,6}) {0,9}手目? {0,9}\)?)? {0,9}"
    r"(?:[\]】〉》>)」』〕]+ {0,9}[:=]* {0,9}|[:=]+ {0,9}|は[、, ]{0,9}| +|$)(?P<rest>.*)"
)
_VERDICT = re.compile(
    r"(?:[^ :]+ )?[0-9]{1,6}手詰: (?P<moves>.*)|(?:[A-Za-z]+ )?(?:[Mm]ate )?in [0-9]{1,6}: (?P<english>.*)|"
    r"不完全作|未解決|unsound|unresolved"
)
_SHOWN = re.compile(r"No\. [0-9]+  .*[★☆].*")
_HEADER = re.compile(r"([^：:\s|+()▲△]+)\s*[：:](.*)")  # no move with its time
_BRANCH = re.compile(
    r"[\[【]?(?:変化|分岐|[Vv]ariation)(?:[0-9A-Zイ-ホ①-⑨]{1,2}(?= {0,9}:))?[\]】]?"
    rf"(?: {{0,9}}: {{0,9}}\(?(?P<number>{NUMBER}) {{0,9}}手?目?\)?|[ (]*(?P<other>{NUMBER})手目?\)?)"
    r" {0,9}(?:から|以降|より)?[:+.。 ]*"
)
_IGNORED = re.compile(
    r"(?:[#&].*|```[a-z]*)?|[+┌┏└┗├┠][-─━―—┬┴┼┯┷┿]+[+┐┓┘┛┤┨]|[-=_~─━―—]{3,}|手数=.*|盤面回転|"
    r"0? {0,9}={0,9}開始局面={0,9}"
)
_INVISIBLE = re.compile("[\ufeff\u200b-\u200f\u2060]")
PRINTED_RANK = r"(?:\.|\+?[PLNSGBRKplnsgbrk])(?: {1,3}(?:\.|\+?[PLNSGBRKplnsgbrk])){8}"
"""A rank as python-shogi prints it, as a pattern."""
_PRINTED_RANK = re.compile(PRINTED_RANK)
_RANK = re.compile(r"\|[^|0-9同]*\|?[^|]*")
"""A line between two bars without a move; more of them make a table."""
_PRINTED_HANDS = re.compile(r"[PLNSGBRplnsgbr]\*[0-9]{1,2}(?: [PLNSGBRplnsgbr]\*[0-9]{1,2})*")
_MOVES_HEADER = re.compile(r"手数-.*")
_FOOTNOTE = re.compile(rf"(?P<label>{LABEL}|[ア-ン](?=[ :、,・.])|注[0-9]*(?=[ :、,・.]))[ :、,・.]*(?P<text>.*)")


def title_and_headers(given: dict[str, str]) -> tuple[str, list[tuple[str, str]]]:
    """Return the title among the headers of a record, and the others that have a value, without the handicap."""
    title = next((given[key] for key in TITLE_KEYS if given.get(key)), "")
    titles = [key for key in TITLE_KEYS if given.get(key) == title]
    return title, [(key, value) for key, value in given.items() if value and key not in (HANDICAP, *titles)]


def side_of_words(text: str) -> Side | None:
    """Return the side that words name, ``攻方``, ``▲先手``, ``Black's``; None for others or both sides."""
    words = _SIDE_WORDS.fullmatch(plain_text(text).strip(_BULLETS).lower().removesuffix("の"))
    return _only_side(words["sides"]) if words else None


def _only_side(words: str) -> Side | None:
    sides = {_SIDES[word] for word in re.findall(_SIDE, words)}
    return next(iter(sides)) if len(sides) == 1 else None


class LineKind(Enum):
    """The kind of a line."""

    IGNORED = auto()
    COMMENT = auto()
    MOVES_HEADER = auto()
    RANK = auto()
    FILES = auto()
    MOVES = auto()
    """Moves in any notation, or how they end."""
    TURN = auto()
    HAND = auto()
    BRANCH = auto()
    """The moves of a variation follow."""
    SOLUTION = auto()
    """A header with the main line."""
    VARIATION = auto()
    """A header with a variation, or words about it."""
    FOOTNOTE = auto()
    HEADER = auto()
    UNKNOWN = auto()


_OF_THE_MOVES = (LineKind.MOVES_HEADER, LineKind.MOVES, LineKind.BRANCH)
TURN_KEY, VERDICT, SHOWN = "手番", "verdict", "shown"


@dataclass(frozen=True)
class KifLine:
    """A line of a text: its number in the file, its kind and its content.

    ``key`` is the key of a header or the label of a footnote, ``value`` the rest; ``side`` is whose hand or
    turn it names, None where that is not clear; ``move`` is a number of moves that it names.
    """

    number: int
    kind: LineKind
    text: str
    key: str = ""
    value: str = ""
    side: Side | None = None
    move: int | None = None


def kif_line(number: int, text: str) -> KifLine:  # noqa: PLR0912 - one for each kind of line
    """Return a line and its kind."""
    stripped = _INVISIBLE.sub("", text).strip()
    plain = plain_text(stripped)
    if len(text) > _LONGEST:
        return KifLine(number, LineKind.UNKNOWN, text)
    if _IGNORED.fullmatch(plain):
        return KifLine(number, LineKind.IGNORED, text)
    if plain.startswith("*"):
        return KifLine(number, LineKind.COMMENT, text, value=stripped[1:])
    if _MOVES_HEADER.fullmatch(plain):
        return KifLine(number, LineKind.MOVES_HEADER, text)
    if _RANK.fullmatch(plain):
        return KifLine(number, LineKind.RANK, text, value=plain)
    if _PRINTED_RANK.fullmatch(plain):
        return KifLine(number, LineKind.RANK, text, value=f"|{plain}|")
    if "".join(plain.split()) == "987654321":
        return KifLine(number, LineKind.FILES, text)
    if found := _BRANCH.fullmatch(plain):
        return KifLine(number, LineKind.BRANCH, text, move=parse_number(found["number"] or found["other"]))
    if found := _VERDICT.fullmatch(plain):
        moves = found["moves"] or found["english"] or ""
        return KifLine(number, LineKind.SOLUTION, text, VERDICT, stripped[len(stripped) - len(moves) :])
    if begins_with_moves(plain) or is_ending(plain) or (plain.startswith("|") and count_moves(plain)):
        return KifLine(number, LineKind.MOVES, text, value=stripped)
    lower = plain.lower()

    def kept(end: str) -> str:
        """Return the original of the end of the plain text."""
        return stripped[len(stripped) - len(end) :]

    if found := _TURN_KEY.fullmatch(lower.strip(_BULLETS)):
        words = (found["value"] or found["english"] or "").strip(" .。" + _BULLETS)
        words = words.removesuffix("です")
        words = {"先": "先手", "後": "後手"}.get(words, words)
        one = _TURN.fullmatch(words)
        side = _only_side(one["sides"] or one["english"]) if one else side_of_words(words)
        return KifLine(number, LineKind.TURN, text, TURN_KEY, side=side)
    if found := _TURN.fullmatch(lower.strip(_BULLETS)):
        side = _only_side(found["sides"] or found["english"])
        return KifLine(number, LineKind.TURN, text, side=side, move=parse_number(found["plies"] or ""))
    if found := _HAND.fullmatch(plain):
        value, other = kept(found["value"] or found["pieces"] or found["its"] or ""), found["other"]
        if other and is_hand_in_japanese(other):
            value, other = other + value, None
        parts = ((found["owner"] or "").strip(_BULLETS + "("), other, found["side"], found["mark"])
        owner = " ".join(filter(None, parts))
        side = side_of_words(owner) if owner else Side.ATTACKER
        return KifLine(number, LineKind.HAND, text, value=value, side=side)
    if found := _ENGLISH_HAND.fullmatch(lower):
        owner = " ".join(filter(None, (found["owner"], found["other"])))
        side = side_of_words(owner) if owner else Side.ATTACKER
        return KifLine(number, LineKind.HAND, text, value=kept(found["value"] or ""), side=side)
    if _SHOWN.fullmatch(text):
        return KifLine(number, LineKind.COMMENT, text, SHOWN, text)
    found = _TITLED.fullmatch(lower)
    if found and (not found["rest"] or count_moves(kept(found["rest"])) or found["variation"]):
        kind = LineKind.SOLUTION if found["solution"] else LineKind.VARIATION
        key = stripped[: len(stripped) - len(found["rest"])].strip(" 　:：=")
        return KifLine(number, kind, text, key, kept(found["rest"]), move=parse_number(found["number"] or ""))
    label, note = leading_footnote_label(stripped)
    if label:
        return KifLine(number, LineKind.FOOTNOTE, text, label, note)
    if found := _HEADER.fullmatch(stripped):
        return KifLine(number, LineKind.HEADER, text, found[1], found[2].strip())
    return KifLine(number, LineKind.UNKNOWN, text)


def footnote_labels(text: str) -> set[str]:
    """Return the labels of footnotes in a text."""
    return set(map(label_text, re.findall(LABEL, plain_text(text))))


def leading_footnote_label(text: str) -> tuple[str, str]:
    """Return the label with which a text begins, empty without one, and the rest."""
    found = _FOOTNOTE.fullmatch(plain_text(text))
    return (label_text(found["label"]), text[len(text) - len(found["text"]) :]) if found else ("", text)


def split_problems(lines: Iterable[tuple[int, str]]) -> Iterator[list[KifLine]]:
    """Yield the lines problem by problem; a faulty one does not affect the others."""
    before: list[KifLine] = []
    splitter = _ProblemSplitter()
    for number, whole in lines:
        # A line that has the hands of both sides is two.
        parts, plain = [whole], plain_text(whole)
        if _PRINTED_HANDS.fullmatch(plain.strip()):
            items = plain.split()
            parts = ["先手の持駒：" + " ".join(item for item in items if item.isupper()),
                     "後手の持駒：" + " ".join(item for item in items if item.islower())]  # fmt: skip
        elif (found := _OTHER_HAND.search(plain.lower())) and (
            kif_line(number, whole[: found.start()]).kind is LineKind.HAND
        ):
            parts = [whole[: found.start()], whole[found.end() :]]
        for text in parts:
            line = splitter.line(number, text)
            if splitter.begins(line):
                if before and not splitter.belongs_to_previous:
                    yield before
                    before = []
                before.extend(splitter.lines)
                splitter = _ProblemSplitter(splitter.remarks)
            splitter.take(line)
    if before and not splitter.belongs_to_previous:
        yield before
        before = []
    yield [*before, *splitter.lines]


class _ProblemSplitter:
    """The lines of a problem so far, and the parts seen."""

    def __init__(self, remarks: str = "") -> None:
        self.lines: list[KifLine] = []
        self.remarks = remarks  # the program's own, which follow
        self._ranks = 0
        self._board_ended = False
        self._moves = False
        self._solved = False
        self._keys: set[str | Side] = set()

    def line(self, number: int, text: str) -> KifLine:
        """Return a line; the program's remarks on a problem, as its commands print them, are comments."""
        line = kif_line(number, text)
        remark = self.remarks == SHOWN or (self.remarks == VERDICT and text.startswith("  "))
        if line.key in (VERDICT, SHOWN):
            self.remarks = line.key
        elif remark and line.kind not in (LineKind.FILES, LineKind.RANK, LineKind.IGNORED):
            return KifLine(number, LineKind.COMMENT, text, value=text.strip())
        else:
            self.remarks = ""
        return line

    @property
    def belongs_to_previous(self) -> bool:
        """Whether there is neither a board nor a title: the lines are the rest of the problem before."""
        moves = [line.kind for line in self.lines if line.kind in _OF_THE_MOVES]
        own = self._ranks > 0 or self._solved or HANDICAP in self._keys or not self._keys.isdisjoint(TITLE_KEYS)
        return not own and (not moves or moves[0] is LineKind.BRANCH)

    def begins(self, line: KifLine) -> bool:
        """Return whether a line belongs to the next problem."""
        if line.kind in (LineKind.RANK, LineKind.FILES):
            return self._moves or self._ranks == 9 or (self._board_ended and self._ranks > 0)
        if line.key == SHOWN:
            return self._moves or self._ranks > 0
        meaning = _header_meaning(line)
        if meaning is None:
            return False
        is_position = line.kind in (LineKind.HAND, LineKind.TURN) or line.key == HANDICAP
        again = meaning in self._keys and (self._ranks > 0 or is_position)
        after = self._solved and line.kind is LineKind.HAND and not self._keys.isdisjoint(Side)
        return self._moves or again or after or (self._ranks > 0 and line.key in TITLE_KEYS)

    def take(self, line: KifLine) -> None:
        """Add a line to the problem."""
        self.lines.append(line)
        self._moves |= line.kind in _OF_THE_MOVES
        self._solved |= self._ranks > 0 and line.kind is LineKind.SOLUTION
        self._ranks += line.kind is LineKind.RANK
        meaning = _header_meaning(line)
        self._board_ended |= self._ranks > 0 and (meaning is not None or line.kind is LineKind.TURN)
        if meaning is not None:
            self._keys.add(meaning)


def _header_meaning(line: KifLine) -> str | Side | None:
    """Return what a header says; hands have several names."""
    if line.kind is LineKind.HAND:
        return line.side
    return line.key if line.kind is LineKind.HEADER or (line.kind is LineKind.TURN and line.key) else None
