# SPDX-License-Identifier: GPL-3.0-or-later
"""A game record: a position, its line with variations, comments, headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from generator.problem import Problem
from solver.results import Grade, Judgement
from tsume.formats.symbols import DIGITS, NUMERALS, WIDE_DIGITS
from tsume.language.catalogue import difficulty_text
from tsume.language.terms import TERMS
from tsume_rules.moves import Move, position_after
from tsume_rules.position import ALL_PIECES, Hand, Position, Side, Square, square
from tsume_rules.sfen import ParsedSfen, parse_sfen

AUTHOR, LENGTH, INTEGRITY = "作者", "手数", "完全性"
PERFECT = "完全作"
HEADERS = (AUTHOR, "発表誌", "発表年月", "出典", LENGTH, INTEGRITY, "分類", "受賞", "備考")
"""The headers of a problem that others know, besides its title (作品名), in the order of a file."""

END = -1
"""Stands for the number of moves of a line: the position after all of them."""

MoveComments = tuple[tuple[int, str], ...]
"""Texts, each with the number of the move it belongs to, in the order of the moves."""


@dataclass(frozen=True)
class Branch:
    """A line of moves, and the lines that leave it.

    ``first`` is the number of its first move, counted from 1 at the position. Each of ``branches`` begins with another
    move in place of one of this line, or after its last move; they are sorted by ``first``.
    """

    first: int
    line: tuple[Move, ...]
    move_comments: MoveComments = ()
    branches: tuple[Branch, ...] = ()

    @property
    def end(self) -> int:
        """The number of the move that would follow the last one."""
        return self.first + len(self.line)

    @property
    def mates(self) -> bool:
        """Whether the line ends with a move of the attacker, an odd one."""
        return bool(self.line) and self.end % 2 == 0

    def comments_on(self, number: int) -> list[str]:
        """Return the comments on a move, cut into lines."""
        return cut_into_lines(text for of, text in self.move_comments if of == number)

    def leaving(self, number: int) -> list[Branch]:
        """Return the branches that begin in place of a move."""
        return [branch for branch in self.branches if branch.first == number]


@dataclass(frozen=True)
class GameRecord:
    """One problem of a file.

    ``line`` is the solution, mate at its end when it has an odd number of moves, and may be empty; ``title`` names the
    problem (its id); ``comments`` are free text on the position, ``move_comments`` on moves of the line. ``branches``
    are the variations (`Branch`). ``headers`` are keys and values as Japanese files write them, the title apart.
    """

    position: Position
    line: tuple[Move, ...] = ()
    title: str = ""
    comments: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    move_comments: MoveComments = ()
    branches: tuple[Branch, ...] = ()

    @property
    def mates(self) -> bool:
        """Whether the line ends with a move of the attacker."""
        return len(self.line) % 2 == 1

    @property
    def main(self) -> Branch:
        """The solution with its comments and variations."""
        return Branch(1, self.line, self.move_comments, self.branches)

    @property
    def title_line(self) -> str:
        """The title without line breaks."""
        return " ".join(self.title.split())

    @property
    def comment_lines(self) -> list[str]:
        """The comments cut into lines."""
        return cut_into_lines(self.comments)

    @property
    def header_lines(self) -> list[tuple[str, str]]:
        """The known, non-empty headers without line breaks, with the length of the line."""
        known = {key: " ".join(value.split()) for key, value in self.headers if key in HEADERS}
        if self.line:
            known[LENGTH] = f"{len(self.line)}手"
        return [(key, known[key]) for key in HEADERS if known.get(key)]


def cut_into_lines(texts: Iterable[str]) -> list[str]:
    """Cut texts into lines, without spaces at their ends."""
    return [line.rstrip() for text in texts for line in text.splitlines()]


def game_record_of(problem: Problem, title: str = "") -> GameRecord:
    """Return the record of a problem: main line, difficulty, provenance."""
    scale = problem.difficulty.scale_fields(problem.length)
    comments = [f"難易度 {difficulty_text('ja', scale, problem.length)}"]
    if (made := problem.provenance) is not None:
        comments.append(f"tsume {made.version} seed {made.seed} index {made.index}")
    headers = tuple(integrity_headers(problem.judgement).items())
    return GameRecord(problem.position, problem.line, title, tuple(comments), headers)


def integrity_headers(judgement: Judgement) -> dict[str, str]:
    """Return the header 完全性: perfect, or the blemishes of a sound problem; else nothing."""
    if judgement.grade not in (Grade.PERFECT, Grade.SOUND):
        return {}
    marks = "、".join(TERMS[name] for name in judgement.blemishes.blemish_names)
    named = f"（{marks}）" if marks and judgement.grade is Grade.SOUND else ""
    return {INTEGRITY: PERFECT + named}


# --- where games begin: 平手, and the handicaps (駒落ち), in which White lacks pieces and moves first ---

START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
"""The first position of the game."""
EVEN = "平手"

_ROOK, _BISHOP = "82", "22"
_TWO = f"{_ROOK} {_BISHOP}"
_FOUR, _SIX = f"{_TWO} 91 11", f"{_TWO} 91 11 81 21"
_EIGHT, _TEN = f"{_SIX} 71 31", f"{_SIX} 71 31 61 41"
_DRAGONFLY = "91 81 71 61 41 31 21 11"
_PAWNS = "93 83 73 63 53 43 33 23 13"
_REMOVED = {
    EVEN: "", "香落": "11", "左香落": "11", "右香落": "91", "角落": _BISHOP, "飛落": _ROOK, "飛車落": _ROOK,
    "飛香落": f"{_ROOK} 11", "二枚落": _TWO, "三枚落": f"{_TWO} 11", "四枚落": _FOUR,
    "五枚落": f"{_FOUR} 81", "右五枚落": f"{_FOUR} 81", "左五枚落": f"{_FOUR} 21",
    "六枚落": _SIX, "右七枚落": f"{_SIX} 71", "左七枚落": f"{_SIX} 31",
    "八枚落": _EIGHT, "右九枚落": f"{_EIGHT} 61", "左九枚落": f"{_EIGHT} 41", "十枚落": _TEN,
    "トンボ": _DRAGONFLY, "トンボ落": _DRAGONFLY, "十九枚落": f"{_TEN} {_PAWNS}", "裸玉": f"{_TEN} {_PAWNS}",
}  # fmt: skip
"""The squares whose pieces White lacks, by the name that game records give the handicap, without its last ち.

左 and 右 are White's left and right; without them a lance is the left one and a fifth piece the right knight.
"""
_WITHOUT_SIDE = {"七枚落": "silver", "九枚落": "gold"}
_PRESETS = {
    "HIRATE": EVEN, "KY": "香落", "KY_R": "右香落", "KA": "角落", "HI": "飛落", "HIKY": "飛香落",
    "2": "二枚落", "3": "三枚落", "4": "四枚落", "5": "五枚落", "5_L": "左五枚落", "6": "六枚落",
    "7_L": "左七枚落", "7_R": "右七枚落", "8": "八枚落", "10": "十枚落",
}  # fmt: skip
"""Handicaps by the names of JKF."""
_NUMERAL_OF = dict(zip(DIGITS + WIDE_DIGITS, NUMERALS * 2, strict=True))


def game_start(name: str) -> Position | None:
    """Return the start of a game as it is played, by its handicap (手合割); None for another name.

    What a handicap leaves out is in nobody's hand. Raises ValueError for a name that does not say enough.
    """
    words = name.strip().removesuffix("ち").replace("10枚", "十枚").replace("１０枚", "十枚")
    known = "".join(_NUMERAL_OF.get(letter, letter) for letter in words)
    if known in _WITHOUT_SIDE:
        raise ValueError(
            f"{name.strip()} does not say which {_WITHOUT_SIDE[known]} is missing: 左{known}ち or 右{known}ち"
        )
    if known not in _REMOVED:
        return None
    return handicap_start(square(int(sq[0]), int(sq[1])) for sq in _REMOVED[known].split())


def preset_start(preset: str) -> Position | None:
    """Return the start of a game by the name that JKF gives it; None for another name."""
    return game_start(_PRESETS[preset]) if preset in _PRESETS else None


def handicap_start(squares: Iterable[Square]) -> Position:
    """Return the start of a game without these pieces; White moves first if there are any."""
    board = list(_START.board)
    for sq in squares:
        board[sq] = None
    is_even = tuple(board) == _START.board
    return replace(_START, board=tuple(board), side_to_move=Side.ATTACKER if is_even else Side.DEFENDER)


def is_game_start(position: Position) -> bool:
    """Return whether a game may begin here: one side has all its pieces at home, the other its king."""
    if position.attacker_hand:
        return False
    pieces = [(sq, piece) for sq, piece in enumerate(position.board) if piece is not None]
    numbers = [sum(piece.side is side for _, piece in pieces) for side in Side]
    return (
        max(numbers) == ALL_PIECES // 2
        and all(piece == _START.board[sq] for sq, piece in pieces)
        and all(position.king(side) is not None for side in Side)
    )


def without_handicap_pieces(parsed: ParsedSfen) -> Position:
    """Return the position without the pieces that nobody has in a game with a handicap; any other as it is.

    Such pieces are in the defender's hand (`ParsedSfen.missing`), as a problem has all pieces.
    """
    position = parsed.position
    is_handicap = parsed.missing and parsed.missing == len(position.defender_hand) and is_game_start(position)
    return replace(position, defender_hand=Hand()) if is_handicap else position


_START = parse_sfen(START_SFEN).position


# --- merging two lines with their variations -------------------------------------------------------


def merged_branches(base: Branch, other: Branch) -> Branch:
    """Return a line with the variations and comments of another one that begins at the same move.

    The line itself stays; where the other one continues with another move, that is a variation. Moves of
    the other one beyond the end of ``base`` are dropped.
    """
    pairs = enumerate(zip(base.line, other.line, strict=False))
    shared = next((at for at, (own, its) in pairs if own != its), min(len(base.line), len(other.line)))
    parting = base.first + shared
    comments = [one for one in other.move_comments if one[0] < parting and one not in base.move_comments]
    together = sorted([*base.move_comments, *comments], key=lambda one: one[0])
    found = replace(base, move_comments=tuple(together))
    for branch in other.branches:
        if branch.first <= parting:
            found = _with_branch(found, branch)
    if base.end > parting < other.end:
        rest = Branch(
            parting,
            other.line[shared:],
            tuple(one for one in other.move_comments if one[0] >= parting),
            tuple(branch for branch in other.branches if branch.first > parting),
        )
        found = _with_branch(found, rest)
    return found


def _with_branch(line: Branch, branch: Branch) -> Branch:
    """Return a line with one more variation; one that begins with an existing move is merged."""
    before = line.line[: branch.first - line.first]
    if branch.line and line.line[len(before) : len(before) + 1] == branch.line[:1]:
        longer = replace(branch, first=line.first, line=(*before, *branch.line))
        return merged_branches(line, longer)
    for place, sibling in enumerate(line.branches):
        if sibling.first == branch.first and sibling.line[:1] == branch.line[:1]:
            siblings = (*line.branches[:place], merged_branches(sibling, branch), *line.branches[place + 1 :])
            return replace(line, branches=siblings)
    ordered = sorted([*line.branches, branch], key=lambda one: one.first)
    return replace(line, branches=tuple(ordered))


# --- the lines of a record in the order of KIF and KI2 files ---------------------------------------


@dataclass(frozen=True)
class PlacedBranch:
    """A line, the position before it, and the target of the move before it.

    ``more`` is the number of later variations that replace its first move.
    """

    branch: Branch
    position: Position
    last_target: Square | None
    more: int = 0
    main: bool = False

    def has_others(self, number: int) -> bool:
        """Return whether alternatives to a move follow in the file."""
        return bool(self.branch.leaving(number)) or (number == self.branch.first and self.more > 0)


def branches_in_order(record: GameRecord) -> Iterator[PlacedBranch]:
    """Yield the main line, then the variations, each followed by its own; those that begin last are first.

    A reader that goes back to the move before a variation is then always in its parent line.
    """
    waiting = [PlacedBranch(record.main, record.position, None, main=True)]
    while waiting:
        placed = waiting.pop()
        yield placed
        branch = placed.branch
        positions, targets = [placed.position], [placed.last_target]
        for move in branch.line:
            positions.append(position_after(positions[-1], move))
            targets.append(move.target)
        for number in sorted({one.first for one in branch.branches}):
            at = number - branch.first
            for more, sibling in enumerate(reversed(branch.leaving(number))):
                waiting.append(PlacedBranch(sibling, positions[at], targets[at], more))
