# SPDX-License-Identifier: GPL-3.0-or-later
"""The predicates of the themes and heuristics, on a line and its positions; `generator.theme_names` defines themes.

A heuristic is what a line shows by its moves alone, for quality and likeness (docs/themes.md). At the end stand the
pictures that final positions draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator import replay
from generator.theme_names import is_figure
from solver.scoring import is_distant_drop, stays_unpromoted
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    DEF,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    LIKE,
    OURS,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
    WALL,
)

# --- what themes and heuristics share, and heuristics that are no themes ---------------------------

BIG = frozenset((BISHOP, ROOK, BISHOP + PROMOTION, ROOK + PROMOTION))
"""Rook, bishop, dragon, horse (大駒)."""


def stays_plain_for_a_reason(replayed: replay.ReplayedLine, check: replay.ReplayedPly) -> bool:
    """Return whether a piece that may promote does not, and for a reason.

    Before the last move there is always a reason: in a correct problem the promotion does not mate. The
    last move may have alternatives; it counts if the promoted piece would not give check.
    """
    if not stays_unpromoted(check):
        return False
    if check is not replayed.plies[-1]:
        return True
    cells = replayed.end.copy()
    cells[check.target] = check.kind + PROMOTION
    return not replay.attackers_of_cell(cells, check.king, ATT)


def discovers_check(check: replay.ReplayedPly) -> bool:
    """Return whether a piece that did not move gives check."""
    return any(cell != check.target for cell in check.checkers)


def passes_cell(check: replay.ReplayedPly, cell: int) -> bool:
    """Return whether a move goes to a cell, over it, or gives check across it."""
    return (
        check.target == cell
        or bool(check.origin and replay.is_strictly_between(check.origin, check.target, cell))
        or any(replay.is_strictly_between(checker, check.king, cell) for checker in check.checkers)
    )


def piece_returns(replayed: replay.ReplayedLine) -> bool:
    """Return whether a piece of the attacker goes to a square that it left before."""
    left: set[tuple[int, int]] = set()
    for check, _ in replayed.turns:
        if (check.piece, check.target) in left:
            return True
        left.add((check.piece, check.origin))
    return False


def knight_mate(replayed: replay.ReplayedLine) -> bool:
    """吊し桂."""
    last = replayed.plies[-1]
    return last.piece_after == KNIGHT and last.target in last.checkers


def smothered_mate(replayed: replay.ReplayedLine) -> bool:
    """窒息詰: a knight's mate where the king cannot move for its own pieces."""
    around = (replayed.end[replayed.mated_king + step] for step in replay.STEP[:8])
    return knight_mate(replayed) and all(code == WALL or code > OURS for code in around)


def is_moved_interposition(check: replay.ReplayedPly, answer: replay.ReplayedPly) -> bool:
    """Return whether a piece other than the king moves in between: unless it captures a checker."""
    return bool(answer.origin) and answer.kind != KING and answer.target not in check.checkers


def is_between(check: replay.ReplayedPly, answer: replay.ReplayedPly) -> bool:
    """Return whether an answer is an interposition, dropped or moved."""
    return answer.is_drop or is_moved_interposition(check, answer)


def guarding_cells(answer: replay.ReplayedPly) -> list[int]:
    """Return the cells of the defender's pieces, the king's too, that guard the one that answered."""
    return replay.attackers_of_cell(answer.cells_after(answer.kind + OURS), answer.target, DEF)


def is_unprotected(check: replay.ReplayedPly, answer: replay.ReplayedPly) -> bool:
    """Return whether a piece is interposed without protection by the king or another piece (中合)."""
    return is_between(check, answer) and not guarding_cells(answer)


def takes_and_stays_beside_king(replayed: replay.ReplayedLine, answer: replay.ReplayedPly | None) -> bool:
    """Return whether at the mate the piece that answered, not the king, is next to it on a square not attacked."""
    if answer is None or answer.kind == KING or replayed.pieces.get(answer.target) != answer.piece:
        return False
    cells = replayed.end.copy()
    cells[replayed.mated_king] = 0
    beside = replay.are_adjacent_cells(answer.target, replayed.mated_king)
    return beside and not replay.attackers_of_cell(cells, answer.target, ATT)


def vacates_square(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether a sacrificed piece left its first square, discovering no check, for a later move. The cleared way
    must be used while the king stands where it stood before."""
    removal = replayed.turns[number].check
    return (
        replayed.turns[number].is_sacrifice
        and removal.piece == removal.origin
        and not discovers_check(removal)
        and any(
            passes_cell(check, removal.origin)
            for check, _ in replayed.turns[number + 1 :]
            if check.king == removal.king
        )
    )


def king_returns(replayed: replay.ReplayedLine) -> bool:
    """還元玉."""
    moved = any(answer.kind == KING for answer in replayed.answers)
    return moved and replayed.mated_king == replayed.plies[0].king


CLEAN = 2
"""At most this many of the attacker's pieces at the mate make a clean finish (清涼詰)."""


# --- the attacker's moves other than sacrifices ----------------------------------------------------

LONG = 4
"""A drop this many steps from the king is long-range (遠打): three squares lie between."""
GAINING = frozenset((PAWN, BISHOP, ROOK))
"""Kinds that gain moves by promotion and lose none: only to avoid a pawn-drop mate do they not promote."""


def declines_promotion(check: replay.ReplayedPly) -> bool:
    """Return whether a piece other than a knight may promote and does not; a knight often has to stay one."""
    return check.kind != KNIGHT and stays_unpromoted(check)


def may_avoid_pawn_drop_mate(check: replay.ReplayedPly) -> bool:
    """Return whether a rook, a bishop, a lance or a pawn does not promote where it may."""
    return (check.kind in GAINING or check.kind == LANCE) and stays_unpromoted(check)


def is_long_drop(check: replay.ReplayedPly) -> bool:
    """Return whether a slider is dropped far from the king."""
    return is_distant_drop(check) and replay.DIST[check.target][check.king] >= LONG


def switches_back(replayed: replay.ReplayedLine, number: int) -> bool:
    """スイッチバック: the piece of a turn goes where it came from by its move before."""
    check = replayed.turns[number].check
    moves = (k for k in range(number - 1, -1, -1) if replayed.turns[k].check.piece == check.piece)
    before = next(moves, None)
    if before is None:
        return False
    # More has changed in between than the squares of the king and of the returning piece.
    left = replayed.turns[before].check
    has_changed = bool(left.captured or check.captured) or _other_cells(left) != _other_cells(check)
    return check.target == left.origin != 0 and has_changed


def _other_cells(check: replay.ReplayedPly) -> list[int]:
    apart = {check.origin, check.king}
    return [0 if cell in apart else check.before[cell] for cell in replay.CELL_OF]


# --- themes of sacrifices in the composers' sense: not every captured piece is one -----------------

_WORTH = {PAWN: 1, LANCE: 2, KNIGHT: 2, SILVER: 3, GOLD: 4, BISHOP: 5, ROOK: 5}
"""The usual order of the kinds in hand, where a taken piece goes."""


def piece_worth(code: int) -> int:
    """Return the worth of a piece's unpromoted kind; ``code``: of either side."""
    kind = code & 15
    return _WORTH[kind - PROMOTION if kind > KING else kind]


def gives_away(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether the next answer captures the piece moved at a turn, and it is not an exchange. An exchange
    recaptures, or captures a piece of the same worth."""
    turn = replayed.turns[number]
    if not turn.is_sacrifice:
        return False
    check = turn.check
    if not check.captured:
        return True
    takes_back = number > 0 and replayed.turns[number - 1].answer_cell == check.target
    return not takes_back and piece_worth(check.captured) < piece_worth(check.kind)


def is_on_a_focus(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether two pieces other than the king guard the square of the sacrifice at a turn."""
    if not gives_away(replayed, number):
        return False
    check = replayed.turns[number].check
    cells = check.cells_after(check.piece_after)
    return sum(cells[cell] & 15 != KING for cell in replay.attackers_of_cell(cells, check.target, DEF)) > 1


def lures_king(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether the king captures a sacrificed piece where it is mated later (玉の呼び寄せ)."""
    turn = replayed.turns[number]
    return turn.king_takes and turn.check.target == replayed.mated_king and gives_away(replayed, number)


def blocks_flight(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether the capturing piece stands next to its king at the mate (退路封鎖)."""
    answer = replayed.turns[number].answer
    return (
        answer is not None
        and answer.kind != KING
        and gives_away(replayed, number)
        and replayed.pieces.get(answer.target) == answer.piece
        and replay.are_adjacent_cells(answer.target, replayed.mated_king)
    )


def turn_of_leaving(replayed: replay.ReplayedLine, number: int) -> int | None:
    """Return the turn at which a piece sacrificed at turn ``number`` last left the square where it began. None if it
    was dropped, has discovered a check since, or the square is not used after the sacrifice."""
    given = replayed.turns[number].check
    if not gives_away(replayed, number) or given.piece <= 0:
        return None
    checks = [turn.check for turn in replayed.turns]
    left = max(turn for turn, check in enumerate(checks[: number + 1]) if check.origin == given.piece)
    is_plain = not any(discovers_check(check) for check in checks[left : number + 1] if check.piece == given.piece)
    is_used = any(passes_cell(check, given.piece) for check in checks[number + 1 :])
    return left if is_plain and is_used else None


def is_replacement(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether another kind is dropped later where a sacrificed piece came from (打ち換え)."""
    turn = replayed.turns[number]
    left = turn.check.origin
    return (
        gives_away(replayed, number)
        and left != 0
        and any(
            check.is_drop and check.target == left and check.kind != turn.check.kind
            for check, _ in replayed.turns[number + 1 :]
        )
    )


# --- themes of the defender's answers and of the king's path ---------------------------------------

HUNTED_OVER = 6
"""A hunted king (追い詰) visits at least this many squares, including the first."""
_SACRIFICES_OF_A_HUNT = 0.25


def is_given(check: replay.ReplayedPly, answer: replay.ReplayedPly) -> bool:
    """Return whether a piece is interposed next to the king, guarded by the king only."""
    return (
        is_between(check, answer)
        and replay.are_adjacent_cells(answer.target, check.king)
        and all(cell == check.king for cell in guarding_cells(answer))
    )


def gives_between(replayed: replay.ReplayedLine, number: int) -> bool:
    """Return whether the answer of a turn is an interposition that is captured at once and not recaptured."""
    check, answer = replayed.turns[number]
    if answer is None or not is_given(check, answer):
        return False
    taking = replayed.turns[number + 1]
    return taking.check.target == answer.target and not taking.is_sacrifice


def interposed_piece_moves(replayed: replay.ReplayedLine, number: int) -> bool:
    """合駒動かし: the piece that answers at a turn was dropped by an earlier answer."""
    answer = replayed.turns[number].answer
    dropped = {earlier.piece for _, earlier in replayed.turns[:number] if earlier and earlier.is_drop}
    return answer is not None and not answer.is_drop and answer.piece in dropped


def lures_pawn_drop(replayed: replay.ReplayedLine, number: int) -> bool:
    """Whether the answer of a turn, not the last, is no king move, and the attacker then holds a pawn."""
    answer = replayed.turns[number].answer
    return (
        number + 1 < len(replayed.turns)
        and answer is not None
        and answer.kind != KING
        and replayed.hands[number + 1][PAWN] > 0
    )


def draws_piece_away(replayed: replay.ReplayedLine, number: int) -> bool:
    """Whether a piece other than the king captures a sacrificed one and is not captured there at once."""
    turn = replayed.turns[number]
    return (
        gives_away(replayed, number)
        and not turn.king_takes
        and replayed.turns[number + 1].check.target != turn.check.target
    )


def answers_by_check(replayed: replay.ReplayedLine, number: int) -> bool:
    """逆王手: after the answer of a turn the attacker's king is attacked."""
    if KING not in replayed.start or replayed.turns[number].answer is None:
        return False
    later = replayed.turns[number + 1 :]
    cells = later[0].check.before if later else replayed.end
    return bool(replay.attackers_of_cell(cells, cells.index(KING), DEF))


def king_hunt(replayed: replay.ReplayedLine) -> bool:
    """追い詰."""
    stood = {replayed.plies[0].king, *(answer.target for answer in replayed.answers if answer.kind == KING)}
    given = sum(gives_away(replayed, number) for number in range(len(replayed.turns)))
    return len(stood) >= HUNTED_OVER and given <= _SACRIFICES_OF_A_HUNT * len(replayed.turns)


REPETITIONS = 4
"""Rounds of a motif that make it the theme of a line."""
_LONGEST_ROUND = 6
"""Turns of a round."""


def repeats_motif(replayed: replay.ReplayedLine) -> bool:
    """趣向."""
    return repetitions_of_motif(replayed) >= REPETITIONS


def repetitions_of_motif(replayed: replay.ReplayedLine) -> int:
    """Return how many rounds of the same moves follow each other, in place or each as far from the one before; 1 if
    nothing repeats.

    Turns are the same if a piece is dropped on the same square, or one that moves alike comes there or by the same
    step, and the answer is the king's or another piece's same move, all seen from the king, who goes as far from each
    round to the next. A round of one turn has to go on: what happens over and over in one place takes two at least.
    """
    turns = [turn for turn in replayed.turns if turn.answer is not None]
    most = 1
    for size in range(1, min(_LONGEST_ROUND, len(turns) - 1) + 1):
        same = 0
        before = None
        for turn, later in zip(turns, turns[size:], strict=False):
            shift = _step(turn.check.king, later.check.king)
            if not _is_same_turn(turn, later, shift) or (size == 1 and shift == (0, 0)):
                same, before = 0, None
                continue
            same = same + 1 if shift == before else 1
            before = shift
            most = max(most, 1 + same // size)
    return most


def _step(cell: int, other: int) -> tuple[int, int]:
    (file, rank), (other_file, other_rank) = replay.file_and_rank(cell), replay.file_and_rank(other)
    return other_file - file, other_rank - rank


def _is_same_turn(turn: replay.ReplayedTurn, later: replay.ReplayedTurn, shift: tuple[int, int]) -> bool:
    """Whether two turns before the last are alike, the later one moved by a shift."""
    (one, by), (other, by_other) = turn, later
    assert by is not None
    assert by_other is not None
    at_square = _step(one.target, other.target) == shift
    if one.is_drop or other.is_drop:
        is_same_check = at_square and one.is_drop and other.is_drop
    else:
        by_step = _step(one.origin, one.target) == _step(other.origin, other.target)
        is_same_check = LIKE[one.piece_after] == LIKE[other.piece_after] and (at_square or by_step)
    return (
        is_same_check
        and (by.kind == KING, by.is_drop) == (by_other.kind == KING, by_other.is_drop)
        and _step(by.target, by_other.target) == shift
        and (by.is_drop or _step(by.origin, by_other.origin) == shift)
    )


# --- themes of the final position ------------------------------------------------------------------


def pinned_pieces(replayed: replay.ReplayedLine) -> Iterator[tuple[int, int]]:
    """Yield the cells of pinned defenders at the mate, each with the cell of the pinning slider."""
    king, cells = replayed.mated_king, replayed.end
    near = set(replay.attackers_of_cell(cells, king, ATT))
    for cell in replayed.pieces:
        if cells[cell] > OURS and cell != king:
            without = cells.copy()
            without[cell] = 0
            for pinner in set(replay.attackers_of_cell(without, king, ATT)) - near:
                yield cell, pinner


# --- themes of the initial position (図式) -----------------------------------------------------------

ONE_KIND_FROM, BIG_FROM, SYMMETRIC_FROM = 3, 2, 3
"""A position needs this many pieces besides the kings to have the theme; fewer have it by chance."""


def kinds_in_play(replayed: replay.ReplayedLine) -> list[int]:
    """The unpromoted kinds of all pieces on the board and in the attacker's hand, without the kings."""
    codes = [replayed.start[cell] & 15 for side in (ATT, DEF) for cell in replay.cells_of_pieces(replayed.start, side)]
    on_board = [code - PROMOTION if code > KING else code for code in codes]
    return on_board + [int(kind) for kind in replayed.position.attacker_hand]


def one_kind(replayed: replay.ReplayedLine) -> bool:
    """一色図式."""
    kinds = kinds_in_play(replayed)
    return len(kinds) >= ONE_KIND_FROM and len(set(kinds)) == 1


def big_pieces(replayed: replay.ReplayedLine) -> bool:
    """大駒図式."""
    kinds = kinds_in_play(replayed)
    return len(kinds) >= BIG_FROM and BIG.issuperset(kinds)


def symmetric(replayed: replay.ReplayedLine) -> bool:
    """対称形: some pieces stand off the king's file, and each has its mirror image."""
    start = replayed.start
    beside = 0
    for cell in replay.CELL_OF:
        if not start[cell]:
            continue
        file, rank = replay.file_and_rank(cell)
        twin = _CELL.get((2 * replay.file_and_rank(replayed.plies[0].king)[0] - file, rank))
        if twin is None or start[twin] != start[cell]:
            return False
        beside += twin != cell
    return beside > 0 and sum(1 for cell in replay.CELL_OF if start[cell]) >= SYMMETRIC_FROM


_CELL = {replay.file_and_rank(cell): cell for cell in replay.CELL_OF}

_DEEP, _NEAR = 3, 3
"""Ranks on which a king is at home; distance in king moves within which a piece is near it."""
_MIN_NEAR, _MIN_SMALL = 3, 2
_ODD = 1
"""Maximum numbers of near defenders on unusual squares, and of promoted small pieces of the attacker."""
_RANKS = {PAWN: (3, 4), SILVER: (1, 2, 3), GOLD: (1, 2, 3), BISHOP: (1, 2, 3, 4), ROOK: (1, 2, 3)}
_KNIGHTS = {(2, 1), (8, 1), (1, 3), (3, 3), (7, 3), (9, 3)}


def game_like(replayed: replay.ReplayedLine) -> bool:
    """実戦形.

    The king stands where castles are, or in the middle of its first two ranks. Three or more defenders are
    near it; all of these but one stand unpromoted where they do in games, two of them neither rook nor
    bishop, one at least on the square where lances, knights, silvers and golds begin. The attacker has at
    most one promoted small piece.
    """
    start, king = replayed.start, replayed.plies[0].king
    ours, theirs = replay.cells_of_pieces(start, ATT), replay.cells_of_pieces(start, DEF)
    near = [cell for cell in theirs if replay.king_distance(cell, king) <= _NEAR]
    natural = []
    for cell in near:
        kind, (file, rank) = start[cell] - OURS, replay.file_and_rank(cell)
        if kind == LANCE:
            is_usual = file in (1, 9) and rank <= _DEEP
        else:
            is_usual = (file, rank) in _KNIGHTS if kind == KNIGHT else rank in _RANKS.get(kind, ())
        natural += [cell] if is_usual else []
    file, rank = replay.file_and_rank(king)
    return (
        rank <= (_DEEP if not 4 <= file <= 6 else _DEEP - 1)
        and len(near) >= _MIN_NEAR
        and len(near) - len(natural) <= _ODD
        and sum(start[cell] - OURS not in (BISHOP, ROOK) for cell in natural) >= _MIN_SMALL
        and any(replay.is_on_home_square(start, cell) for cell in near)
        and sum(KING < start[cell] < BISHOP + PROMOTION for cell in ours) <= _ODD
    )


# --- pictures drawn by all pieces of the final position (曲詰) ---------------------------------------
#
# A picture is a pattern of squares, anywhere on the board, possibly mirrored. The pieces must stand on its
# squares and nowhere else.

_PICTURES = """
イ ....# ...#. ..##. .#.#. #..#. ...#. ...#.
イ ...# ..#. .##. #.#. ..#. ..#.
ロ ##### #...# #...# #...# #####
ロ #### #..# #..# ####
ロ #### #..# ####
ロ ### #.# #.# ###
ハ ..#.#.. .#...#. .#...#. #.....# #.....#
ハ .#.#. .#.#. #...# #...#
ニ .###. ..... ..... #####
ニ .###. ..... #####
ト #... #... ##.. #.#. #... #...
ト #.. #.. ##. #.# #.. #..
一 #######
一 ########
一 #########
十 ..#.. ..#.. ##### ..#.. ..#..
二 .###. ..... #####
三 ##### ..... .###. ..... #####
三 #### .... .##. .... ####
小 ..#.. ..#.. #.#.# #.#.# .##..
小 ...#... ...#... .#.#.#. #..#..# ...#...
中 ..#.. ##### #.#.# ##### ..#..
中 .#. ### #.# ### .#.
王 ##### ..#.. .###. ..#.. #####
王 ### .#. ### .#. ###
大 ..#.. ##### ..#.. .#.#. #...#
山 ..#.. #.#.# #.#.# #####
口 ### #.# ###
田 ##### #.#.# ##### #.#.# #####
工 ##### ..#.. ..#.. #####
コ #### ...# ...# ####
エ ##### ..#.. ..#.. ..#.. #####
A ..#.. .#.#. .#.#. ##### #...#
A ..#.. .#.#. ##### #...#
B ###. #..# ###. #..# ###.
C .### #... #... #... .###
C ### #.. #.. ###
D ###. #..# #..# #..# ###.
E #### #... ###. #... ####
E ### #.. ### #.. ###
F #### #... ###. #... #...
F ### #.. ##. #.. #..
G .### #... #.## #..# .###
H #...# #...# ##### #...# #...#
H #.# #.# ### #.# #.#
I ### .#. .#. .#. ###
J ..## ...# ...# #..# .##.
K #..# #.#. ##.. #.#. #..#
K #.# #.# ##. #.# #.#
L #... #... #... #... ####
M #...# ##.## #.#.# #...# #...#
N #...# ##..# #.#.# #..## #...#
N #..# ##.# #.## #..#
O .##. #..# #..# #..# .##.
P ###. #..# ###. #... #...
P ### #.# ### #.. #..
R ###. #..# ###. #.#. #..#
S .### #... .##. ...# ###.
T ##### ..#.. ..#.. ..#.. ..#..
U #..# #..# #..# #..# .##.
U #.# #.# #.# ###
V #...# #...# .#.#. .#.#. ..#..
W #...# #...# #.#.# ##.## #...#
X #...# .#.#. ..#.. .#.#. #...#
Z ##### ...#. ..#.. .#... #####
Z #### ..#. .#.. ####
"""
"""Name and rows of a pattern, one picture per line. Patterns of fewer than seven pieces arise by chance."""

Pattern = frozenset[tuple[int, int]]


def _pattern_in_corner(squares: set[tuple[int, int]]) -> Pattern:
    left, top = min(x for x, _ in squares), min(y for _, y in squares)
    return frozenset((x - left, y - top) for x, y in squares)


def _both_ways(rows: Sequence[str]) -> tuple[Pattern, Pattern]:
    """Return the pattern that rows draw, ``#`` for a piece, and its mirror image."""
    squares = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
    return _pattern_in_corner(set(squares)), _pattern_in_corner({(-x, y) for x, y in squares})


def _named_patterns() -> dict[Pattern, str]:
    found: dict[Pattern, str] = {}
    for line in _PICTURES.strip().split("\n"):
        name, *rows = line.split()
        for pattern in _both_ways(rows):
            found.setdefault(pattern, name)
    return found


_BY_PATTERN = _named_patterns()
PICTURE_NAMES = tuple(dict.fromkeys(_BY_PATTERN.values()))
"""The names of all pictures."""


def patterns_of(name: str | None) -> list[Pattern]:
    """The patterns with a name, of a figure or all: squares as (files from the left, ranks from the top)."""
    if name is not None and is_figure(name):
        return list(dict.fromkeys(_both_ways(name.split("/"))))
    return [pattern for pattern, other in _BY_PATTERN.items() if name in (None, other)]


def draws(replayed: replay.ReplayedLine, picture: str) -> bool:
    """Return whether the final position draws a picture, given by name or as a figure."""
    return _final_pattern(replayed) in patterns_of(picture)


def picture_of(replayed: replay.ReplayedLine) -> str | None:
    """Return the name of the picture of the final position; None if there is none."""
    return _BY_PATTERN.get(_final_pattern(replayed))


def _final_pattern(replayed: replay.ReplayedLine) -> Pattern:
    occupied = [replay.file_and_rank(cell) for cell in replay.CELL_OF if replayed.end[cell]]
    return _pattern_in_corner({(-file, rank) for file, rank in occupied})
