"""Reading KIF files: one problem or several, with or without moves.

The diagram decides the position. A line that is neither understood nor a
comment is an error: a move must never be lost. Variations (変化) are skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tsume.formats.by_line import read_by_line
from tsume.formats.diagram import parse_rank_line
from tsume.formats.errors import FormatError, shown
from tsume.formats.replay import START_SFEN, Game, Replay
from tsume.formats.symbols import KIND_OF, NAME, WIDE_DIGITS, parse_hand_text, parse_square_text
from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.pieces import Piece, Side
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import Square, square

MOVES_HEADER = "手数----指手---------消費時間--"

_HAND_KEYS = {
    **dict.fromkeys(("先手の持駒", "下手の持駒", "攻方の持駒", "持駒"), Side.ATTACKER),
    **dict.fromkeys(("後手の持駒", "上手の持駒", "玉方の持駒"), Side.DEFENDER),
}
_TURNS = {
    **dict.fromkeys(("先手番", "下手番"), Side.ATTACKER),
    **dict.fromkeys(("後手番", "上手番"), Side.DEFENDER),
}
_ENDINGS = re.compile(
    "中断|投了|持将棋|千日手|不?詰み?|切れ負け|反則(?:勝ち|負け)|入玉勝ち|不戦[勝敗]|封じ手"
)
_HANDICAP, _EVEN = "手合割", "平手"

_NUMBERED = re.compile(r"\s*([0-9]{1,6})\s+(\S.*)")
_HEADER = re.compile(r"([^：:\s|+()▲△]+)\s*[：:](.*)", re.DOTALL)  # no move with its time
_IGNORED = re.compile(r"\s*(?:[#*&].*)?|\+-+\+|手数[-＝=].*", re.DOTALL)
_MOVE = re.compile(
    r"(?P<target>[１-９1-9][一二三四五六七八九１-９1-9]|同)[ 　]*"
    rf"(?P<piece>成[銀桂香]|[{''.join(name for name in KIND_OF if len(name) == 1)}])"
    r"(?:(?P<drop>打)|(?P<promotes>成|不成)?\((?P<origin>[1-9][1-9])\))"
    r"(?:\s*\([ 0-9:/]*\))?(?:\s*\+)?\s*"  # no two \s* side by side: time would go by their product
)


def read_kif(text: str) -> list[Game]:
    """The problems of a KIF text, in its order, each with its moves.

    The attacker of every position is Black and to move: a problem in which
    White moves first is rotated. Pieces that are nowhere go to the defender's
    hand. Raises `FormatError` for whatever cannot be read, also for a text
    without any problem and for handicap games, whose pieces are missing.
    """
    return read_by_line(_Reader(), text, "no board and no moves")


@dataclass
class _Draft:
    """A record as far as it has been read."""

    rows: list[list[Piece | None]] = field(default_factory=list)
    rows_line: int = 0
    hands: dict[Side, Hand] = field(default_factory=dict)
    handicap: str | None = None
    handicap_line: int = 0
    turn: Side = Side.ATTACKER
    turn_given: bool = False
    moves_begun: bool = False
    ended: bool = False
    skipping: bool = False
    replay: Replay | None = None
    last_target: Square | None = None
    last_number: int | None = None

    @property
    def has_position(self) -> bool:
        return bool(self.rows) or self.handicap is not None or self.replay is not None

    def begin(self, line: int) -> Replay:
        """The replay, begun at the position read so far."""
        if self.replay is None:
            self.replay = Replay.of(self._given(line), self.rows_line or line)
        return self.replay

    def _given(self, line: int) -> Position:
        if not self.rows:
            return self._without_diagram(line)
        if len(self.rows) != 9:
            raise FormatError(f"the diagram has {len(self.rows)} ranks, not 9", self.rows_line)
        board: list[Piece | None] = [None] * 81
        for rank, row in enumerate(self.rows, start=1):
            for file, piece in zip(range(9, 0, -1), row, strict=True):
                board[square(file, rank)] = piece
        black, white = (self.hands.get(side, Hand()) for side in Side)
        return Position(tuple(board), black, white, self.turn)

    def _without_diagram(self, line: int) -> Position:
        if self.hands or self.turn_given:
            raise FormatError("a hand or a turn is given, but no board", line)
        if self.handicap is not None and self.handicap != _EVEN:
            reason = f"no board, and {_HANDICAP} is {shown(self.handicap)}"
            raise FormatError(reason, self.handicap_line)
        return parse_sfen(START_SFEN).position


class _Reader:
    """Takes the lines one by one; a new record begins where the last one is complete."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.draft = _Draft()
        self.line = 1

    def feed(self, text: str, number: int) -> None:
        self.line = number
        numbered = _NUMBERED.fullmatch(text)
        if _IGNORED.fullmatch(text):
            self.draft.moves_begun |= text.startswith("手数-")
        elif text.startswith("|"):
            self._row(text)
        elif _is_files(text):
            pass
        elif numbered:
            self._move(int(numbered[1]), numbered[2].rstrip())
        elif text.strip() in _TURNS:
            self._turn(_TURNS[text.strip()])
        elif text.lstrip("　 ").startswith("まで"):
            self.draft.moves_begun = self.draft.ended = True
        else:
            self._header(text)

    def finish(self) -> None:
        """Close the record in hand, if there is one."""
        draft = self.draft
        if draft.has_position:
            self.games.append(draft.begin(self.line).game)
        elif draft.hands or draft.turn_given or draft.ended:
            raise FormatError("the record ends without a board and without moves", self.line)
        self.draft = _Draft()

    def _row(self, text: str) -> None:
        if self.draft.moves_begun or len(self.draft.rows) == 9:
            self.finish()
        try:
            self.draft.rows.append(parse_rank_line(text))
        except ValueError as error:
            raise FormatError(str(error), self.line) from None
        self.draft.rows_line = self.draft.rows_line or self.line

    def _header(self, text: str) -> None:
        header = _HEADER.fullmatch(text.strip())
        if header is None:
            raise FormatError(f"not understood: {shown(text)}", self.line)
        key, value = header[1], header[2].strip()
        if key == "変化":
            self.draft.skipping = True
            return
        if self.draft.moves_begun or self._given_before(key):
            self.finish()
        self._set(key, value)

    def _given_before(self, key: str) -> bool:
        known_hand = key in _HAND_KEYS and _HAND_KEYS[key] in self.draft.hands
        return known_hand or (key == _HANDICAP and self.draft.handicap is not None)

    def _set(self, key: str, value: str) -> None:
        if key == _HANDICAP:
            self.draft.handicap, self.draft.handicap_line = value, self.line
        elif key in _HAND_KEYS:
            try:
                self.draft.hands[_HAND_KEYS[key]] = parse_hand_text(value)
            except ValueError as error:
                raise FormatError(str(error), self.line) from None

    def _turn(self, side: Side) -> None:
        if self.draft.replay is not None:
            raise FormatError("the turn is given after the first move", self.line)
        self.draft.turn, self.draft.turn_given = side, True

    def _move(self, number: int, text: str) -> None:
        draft = self.draft
        if draft.skipping:
            return
        if draft.ended:
            raise FormatError("a move after the end of the game", self.line)
        if draft.last_number is not None and number != draft.last_number + 1:
            raise FormatError(f"move {number} follows move {draft.last_number}", self.line)
        draft.last_number, draft.moves_begun = number, True
        replay = draft.begin(self.line)
        if _ENDINGS.fullmatch(text.partition("(")[0].strip()):
            draft.ended = True
            return
        move = _parse_move(text, replay, draft.last_target, self.line)
        replay.play(move, text, self.line)
        draft.last_target = move.target


def _is_files(text: str) -> bool:
    shown_files = "".join(text.split()).translate(str.maketrans(WIDE_DIGITS, "123456789"))
    return shown_files == "987654321"


def _parse_move(text: str, replay: Replay, last: Square | None, line: int) -> Move:
    found = _MOVE.fullmatch(text)
    if found is None:
        raise FormatError(f"no move: {shown(text)}", line)
    target = last if found["target"] == "同" else parse_square_text(found["target"])
    if target is None:
        raise FormatError(f"同 without a move before it: {shown(text)}", line)
    kind = KIND_OF[found["piece"]]
    if found["drop"]:
        return Move(target, drop=kind)
    origin = parse_square_text(found["origin"])
    _require_piece(replay.piece(origin), Piece(replay.side_to_move, kind), text, line)
    return Move(target, origin, promotes=found["promotes"] == "成")


def _require_piece(piece: Piece | None, expected: Piece, text: str, line: int) -> None:
    if piece != expected:
        player = "Black" if expected.side is Side.ATTACKER else "White"
        raise FormatError(f"move {shown(text)}: {player} has no {NAME[expected.kind]} there", line)
