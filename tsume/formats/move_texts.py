# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading moves as records, books and people write them.

KIF names origins (``同　玉(11)``), KI2 the side (``▲３一角成``), books neither (``24香、(イ)同玉、 34飛成 迄3手。``);
English texts are those of `tsume.formats.english` (``N-3c+``) or USI. A line of moves is read whole or refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tsume.formats.replay import RecordReplay
from tsume.formats.symbols import KIND_OF, NAME, NUMBER, parse_number, parse_square_text, plain_text
from tsume.formats.text import FormatError, text_excerpt
from tsume_rules.moves import Move, legal_origins, parse_move
from tsume_rules.position import LETTERS, Kind, Piece, Side, Square, file_of, rank_of, rotated

LABEL = (
    r"[(\[〔] {0,9}(?:[ア-ン]|[A-Za-z]|[0-9]{1,2}|注[0-9]*) {0,9}[)\]〕]|[①-⑳ⓐ-ⓩ㋐-㋾]|"
    "※(?:[0-9](?![0-9一二三四五六七八九]))?"
)
"""A mark that refers to a footnote, in plain text (`plain_text`), as a pattern."""

_SIDE_OF = {**dict.fromkeys("▲▼☗", Side.ATTACKER), **dict.fromkeys("△▽☖", Side.DEFENDER)}
_UP, _DOWN = "上行入", "引下"
_LARGE = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON)

_MARK = "[▲△▼▽☗☖]"
_NAMES = "|".join(sorted(KIND_OF, key=len, reverse=True))
_WESTERN = r"(?:\+?[PLNSGBRK](?:[1-9][a-i1-9])?[-x*'][1-9][a-i1-9][+=]?|[1-9][a-i][1-9][a-i]\+?)(?![0-9A-Za-z])"
_JAPANESE = rf"(?:[1-9][一二三四五六七八九1-9]同? {{0,9}}|同 {{0,9}})(?:{_NAMES})"
_MOVE_START = rf"(?:{_MARK} {{0,9}})?(?:{_JAPANESE}|{_WESTERN})"
_ANY_MOVE = re.compile(rf"{_JAPANESE}|(?<![0-9A-Za-z])(?:{_WESTERN})")
_PROMOTES = "不成り?|成らず|成り?|生|ならず"
_MOVE = re.compile(
    rf"(?:(?P<mark>{_MARK}) {{0,9}})?(?:(?P<target>[1-9][一二三四五六七八九1-9]|同)(?:(?<!同)同)? {{0,9}}"
    rf"(?P<piece>{_NAMES})(?: {{0,9}}(?=[左右直上行入引下寄成生打]|不成|ならず))?"
    rf"(?P<way>[左右直上行入引下寄]{{0,3}})(?P<promotes>{_PROMOTES}|\((?:{_PROMOTES})\))?"
    rf"(?P<drop>打ち?|\(打ち?\))?(?: {{0,9}}\( {{0,9}}(?P<origin>[0-9]{{2}}) {{0,9}}\))?"
    rf"|(?P<western>{_WESTERN}))"
)
_WESTERN_MOVE = re.compile(
    r"(?P<promoted>\+?)(?P<letter>[PLNSGBRK])(?P<origin>[1-9][a-i1-9])?(?P<sign>[-x*'])(?P<target>[1-9][a-i1-9])(?P<promotes>[+=]?)"
)
_WORDS = (
    "対?局?中断|投了|持将棋|千日手|不?詰(?:み|め|上がり|上り|)|切れ(?:負け|勝ち)|時間切れ(?:負け|勝ち)?|接続切れ|"
    "反則(?:勝ち|負け|手|)|入玉(?:勝ち|宣言)|勝ち宣言|宣言勝ち|トライ|不戦[勝敗]|封じ手|最大手数|引き?分け?|終局|終了"
)
_LOSER = rf"(?:(?:{_MARK}|[先後上下]手|攻方|玉方) {{0,9}})?"
_ENDING = re.compile(
    rf"{_LOSER}(?:で|にて)?(?:{_WORDS}|以上|(?:check)?mate|resigns)(?:です|ます)?(?=[ (+*、,.。]|まで|$)"
)
_NUMBER = r"第?(?P<number>[0-9]{1,6}|[一二三四五六七八九十]{1,3}(?=手目)) {0,9}(?:[.:)|,、-]|手目?[:、,]?)? {0,9}"
_LABELS = rf"(?:(?:{LABEL}|[ア-ン]) {{0,9}})*"
_NUMBERED = re.compile(rf"{_NUMBER}(?={_LABELS}(?:{_MOVE_START}|{_LOSER}(?:{_WORDS})))")
_LABELLED = re.compile(rf"(?:{LABEL}|[ア-ン](?= {{0,9}}(?:{_MOVE_START})))")
_BEGINNING = re.compile(rf"(?:[「『・-] {{0,9}})?(?:{_NUMBER})?{_LABELS}(?:{_MOVE_START})|[0-9]{{1,6}} +[^ ].*")
_LENGTH = re.compile(
    r"[(\[【]? {0,9}(?:まで|迄)? {0,9}(?:にて|で|以上|計|全|の|=)* {0,9}[、,]? {0,9}(?:全|計)?"
    rf"(?P<length>{NUMBER}) {{0,9}}手(?P<after>.*)|"
    r"\(?mate in (?P<plies>[0-9]+)(?: moves?)?\)?[.!]?"
)
_MATE = re.compile(r" {0,9}(?:(?:で|の|にて)? {0,9}即?詰(?:め|み|上がり|上り|め上がり)?)?[)\]】.。! ]*")
_UNTIL = re.compile(rf"[(\[【]? {{0,9}}{_MARK}?(?:まで|迄).*")
_BETWEEN = re.compile(
    r"[ 、,。.・→⇒>;/|=!?―—–「」『』♪☆★◎-]+|"
    r"#(?![^ ]{0,40}[-x*'][1-9])(?:[^ #0-9同]|[0-9](?![0-9一二三四五六七八九])){0,40}"
)
"""What may be between moves, with hashtags that name none."""
_STARRED = re.compile(r"\*[0-9]{1,2}[、,。 ]")
"""A mark of a footnote that is no comment of KIF."""
_TIME = re.compile(
    r"[([] {0,9}[0-9:/. ]{0,40}[:/.][0-9:/. ]{0,40}[)\]]|"
    r"[0-9]{1,3}(?::[0-9]{2})+(?: {0,9}/ {0,9}[0-9]{1,3}(?::[0-9]{2})+)?|"
    r"(?:[0-9]+時間)?(?:[0-9]+分)?[0-9]+(?:\.[0-9]+)?[分秒]|\+(?= {0,9}(?:$|[*(]))"
)
_REMARK = re.compile(r"\([^()]*\)|\[[^[\]]*\]|【[^【】]*】")
_PARTICLES = re.compile(r"(?:には|ならば|なら|では|は|も|に|で|が|の)[ 、,]*")


@dataclass(frozen=True)
class MoveText:
    """A move in a text, its number if it has one, the labels of its footnotes, and comments on it."""

    text: str
    number: int | None = None
    labels: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class LineOfMoves:
    """The moves of a text. ``ended``: it says how they end, with ``number`` before that if it is numbered.

    ``length`` is the number of moves that it says.
    """

    moves: tuple[MoveText, ...] = ()
    ended: bool = False
    number: int | None = None
    length: int | None = None


def begins_with_moves(plain: str) -> bool:
    """Return whether a plain text (`plain_text`) begins with a move, or with its number."""
    return _BEGINNING.match(plain) is not None


def is_ending(plain: str) -> bool:
    """Return whether a plain text says how moves end, or how many they are."""
    ended = _ENDING.match(plain) is not None and not _ANY_MOVE.search(plain)
    return ended or _said_at_the_end(plain) is not None


def count_moves(text: str) -> int:
    """Return the number of places in a text that look like moves."""
    return len(_ANY_MOVE.findall(plain_text(text)))


def line_of_moves(text: str, line: int, *, note: bool = False) -> LineOfMoves:
    """Return the moves of a text, which has nothing else but numbers, labels, times, remarks and an end.

    A ``note`` may have particles between moves and words after the last one. Raises `FormatError`.
    """
    scanner = _Scanner(text, line, note)
    while scanner.at < len(text):
        scanner.step()
    return scanner.result


class _Scanner:
    def __init__(self, text: str, line: int, note: bool) -> None:
        self.at = 0
        self._text, self._plain = text, plain_text(text)
        self._line, self._note = line, note
        self._moves: list[MoveText] = []
        self._end = 0  # of the last move
        self._number: int | None = None
        self._labels: list[str] = []
        self._ended = False
        self._length: int | None = None

    @property
    def result(self) -> LineOfMoves:
        """What was taken."""
        self._label_last_move()
        return LineOfMoves(tuple(self._moves), self._ended, self._number, self._length)

    def step(self) -> None:  # noqa: PLR0912 - one for each kind of part
        """Take the next part. Raises `FormatError` if there is none that can be read."""
        plain, at = self._plain, self.at
        rest, original = plain[at:], self._text[at:]
        if _STARRED.match(rest) and count_moves(rest):
            raise FormatError(f"moves after a footnote: {text_excerpt(original)}", self._line)
        said = None if rest.startswith("*") else _said_at_the_end(rest)
        if rest.startswith("*"):
            self._comment(original[1:])
            self.at = len(self._text)
        elif said is not None:
            self._length = said if said else self._length
            self.at, self._ended = len(self._text), bool(self._moves) or _UNTIL.fullmatch(rest) is not None
        elif _UNTIL.fullmatch(rest):
            raise FormatError(f"moves after the end: {text_excerpt(original)}", self._line)
        elif found := _ENDING.match(plain, at):
            self.at, self._ended = found.end(), True
        elif (found := _NUMBERED.match(plain, at)) and not _MOVE.match(plain, at):
            self.at, self._number = found.end(), parse_number(found["number"])
        elif found := _LABELLED.match(plain, at):
            self._labels.append(label_text(found[0]))
            if at == self._end and self._moves and not _MOVE.match(plain, found.end()):
                self._label_last_move()
            self.at = found.end()
        elif found := _MOVE.match(plain, at):
            if self._ended:
                raise FormatError("a move after the end of the game", self._line)
            self._moves.append(MoveText(self._text[at : found.end()], self._number, tuple(self._labels)))
            self._number, self._labels = None, []
            self.at = self._end = found.end()
        elif found := _TIME.match(plain, at) or _BETWEEN.match(plain, at):
            self.at = found.end()
        elif (found := _REMARK.match(plain, at)) and self._moves:
            self._comment(self._text[at + 1 : found.end() - 1])
            self.at = found.end()
        elif self._note and self._moves and (found := _PARTICLES.match(plain, at)) and _ANY_MOVE.search(rest):
            self.at = found.end()
        elif self._note and self._moves and not _ANY_MOVE.search(rest):
            self._comment(rest)
            self.at = len(self._text)
        else:
            raise FormatError(f"invalid move: {text_excerpt(original)}", self._line)

    def _label_last_move(self) -> None:
        if self._labels and self._moves:
            last = self._moves[-1]
            self._moves[-1] = replace(last, labels=(*last.labels, *self._labels))
            self._labels = []

    def _comment(self, text: str) -> None:
        if self._moves and text.strip():
            last = self._moves[-1]
            self._moves[-1] = replace(last, comments=(*last.comments, text.strip()))


def label_text(label: str) -> str:
    """Return a label without brackets, as footnotes may have others."""
    return label.strip("()[]〔〕 ")


def _said_at_the_end(plain: str) -> int | None:
    """Return the number of moves that the rest of a line says, 0 if it only ends there, else None."""
    found = _LENGTH.fullmatch(plain)
    if found is not None and found["plies"]:
        return int(found["plies"]) if len(found["plies"]) < len("000000") else 0
    if found is not None and _MATE.fullmatch(found["after"]):
        return parse_number(found["length"]) or 0
    return 0 if _UNTIL.fullmatch(plain) and not _ANY_MOVE.search(plain) else None


def read_move(replay: RecordReplay, text: str, line: int) -> Move:
    """Return the move of a text in the position that was reached."""
    found = _MOVE.fullmatch(plain_text(text))
    if found is None:
        raise FormatError(f"invalid move: {text_excerpt(text)}", line)
    if found["mark"] and _SIDE_OF[found["mark"]] is not replay.side_to_move:
        raise FormatError(f"move {text_excerpt(text)}: it is the other side's turn", line)
    if found["western"]:
        text = found["western"]
        western = _WESTERN_MOVE.fullmatch(text)
        if western is None:
            return parse_move(text)
        kind = next(kind for kind in LETTERS if LETTERS[kind] == western["letter"])
        target = _western_square(western["target"])
        if western["sign"] in "*'":
            return Move(target, drop=kind)
        kind, promotes = kind.promoted if western["promoted"] else kind, western["promotes"] == "+"
        if western["origin"]:
            return _move_from(replay, _western_square(western["origin"]), target, kind, promotes, text, line)
        return resolved_move(replay, target, kind, way="", drop=False, promotes=promotes, text=text, line=line)
    last, kind = replay.last_target, KIND_OF[found["piece"]]
    if found["target"] == "同" and last is None:
        raise FormatError(f"同 without a move before it: {text_excerpt(text)}", line)
    target = last if found["target"] == "同" and last is not None else parse_square_text(found["target"])
    promotes = (found["promotes"] or "").strip("()") in ("成", "成り")
    if found["origin"] and found["origin"] != "00":
        if found["drop"]:
            raise FormatError(f"invalid move: {text_excerpt(text)}", line)
        return _move_from(replay, parse_square_text(found["origin"]), target, kind, promotes, text, line)
    drop = True if found["drop"] else None if not found["way"] and not found["promotes"] else False
    return resolved_move(replay, target, kind, way=found["way"], drop=drop, promotes=promotes, text=text, line=line)


def _western_square(text: str) -> Square:
    rank = "abcdefghi".find(text[1]) + 1
    return parse_square_text(f"{text[0]}{rank or text[1]}")


def _move_from(
    replay: RecordReplay, origin: Square, target: Square, kind: Kind, promotes: bool, text: str, line: int
) -> Move:
    mover = replay.side_to_move
    if replay.piece(origin) != Piece(mover, kind):
        player = "Black" if mover is Side.ATTACKER else "White"
        raise FormatError(f"move {text_excerpt(text)}: {player} has no {NAME[kind]} there", line)
    return Move(target, origin, promotes=promotes)


def resolved_move(
    replay: RecordReplay,
    target: Square,
    kind: Kind,
    *,
    way: str,
    drop: bool | None,
    promotes: bool,
    text: str,
    line: int,
) -> Move:
    """Return the move of a piece whose origin is given in words: ``way`` holds characters of 左右直上引寄.

    ``drop`` None is a drop where no piece of the board can go there. Raises `FormatError` when
    there is no such piece, or when there are several.
    """
    if drop:
        return Move(target, drop=kind)
    found = [replay.turned(sq) for sq in legal_origins(replay.position, kind, replay.turned(target))]
    if not found and drop is None and kind <= Kind.GOLD:
        return Move(target, drop=kind)
    meant = _origins_meant(found, target, kind, way, replay.side_to_move)
    if len(meant) != 1:
        reason = "several pieces can go there" if meant else f"no {NAME[kind]} can go there that way"
        raise FormatError(f"move {text_excerpt(text)}: {reason}", line)
    return Move(target, meant[0], promotes=promotes)


def _origins_meant(found: list[Square], target: Square, kind: Kind, way: str, mover: Side) -> list[Square]:
    if mover is Side.DEFENDER:  # from the defender's side
        turned = [rotated(sq) for sq in found]
        return [rotated(sq) for sq in _origins_meant(turned, rotated(target), kind, way, Side.ATTACKER)]
    file, rank = file_of(target), rank_of(target)
    for word in sorted(way, key="上行入引下寄直左右".index):
        if word in _UP:
            found = [sq for sq in found if rank_of(sq) > rank]
        elif word in _DOWN:
            found = [sq for sq in found if rank_of(sq) < rank]
        elif word == "寄":
            found = [sq for sq in found if rank_of(sq) == rank]
        elif word == "直":
            found = [sq for sq in found if file_of(sq) == file and rank_of(sq) > rank]
        elif kind not in _LARGE:
            found = [sq for sq in found if file_of(sq) != file and (file_of(sq) > file) is (word == "左")]
        else:  # of large pieces, the outermost one
            files = [file_of(sq) for sq in found]
            outermost = max(files, default=0) if word == "左" else min(files, default=0)
            found = [sq for sq in found if file_of(sq) == outermost]
    return found
