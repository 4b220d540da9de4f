"""Who attacks what."""

from rules.kernel.compile import jit
from rules.kernel.tables import DIST, KNIGHT, LINE, REACH, SLIDES, STEP


@jit
def attacked(pos, cell, side):
    """Whether a side attacks a cell (whatever stands on it)."""
    board = pos.board
    for d in range(8):
        step = STEP[d]
        t = cell + step
        piece = int(board[t])
        mask = REACH
        if piece == 0:
            mask = SLIDES
            t += step
            while board[t] == 0:
                t += step
            piece = int(board[t])
        if piece >> 4 == side and (mask[piece] >> (7 - d)) & 1:
            return True
    knight = KNIGHT + 16 * side
    d = 8 + 2 * side
    return board[cell - STEP[d]] == knight or board[cell - STEP[d + 1]] == knight


@jit
def in_check(pos, side):
    """Whether a side has a king and it is attacked."""
    king = int(pos.king[side])
    return king != 0 and attacked(pos, king, 1 - side)


@jit
def find_checkers(pos, side):
    """How many pieces attack a side's king, and the cell of the last one found (0: none)."""
    board = pos.board
    king = int(pos.king[side])
    count = 0
    where = 0
    if king == 0:
        return count, where
    for d in range(8):
        step = STEP[d]
        t = king + step
        far = board[t] == 0
        while board[t] == 0:
            t += step
        piece = int(board[t])
        if piece >> 4 == 1 - side and ((SLIDES[piece] if far else REACH[piece]) >> (7 - d)) & 1:
            count += 1
            where = t
    knight = KNIGHT + 16 * (1 - side)
    for d in range(8 + 2 * (1 - side), 10 + 2 * (1 - side)):
        t = king - STEP[d]
        if board[t] == knight:
            count += 1
            where = t
    return count, where


@jit
def is_pinned(pos, cell, side):
    """Whether the piece on a cell shields its own side's king from a slider.

    The line of the pin is not looked at: callers ask for pieces that would
    leave it (to answer a check on another line).
    """
    board = pos.board
    king = int(pos.king[side])
    d = int(LINE[king, cell])
    if d < 0 or d > 7:
        return False
    step = STEP[d]
    t = king + step
    while board[t] == 0:
        t += step
    if t != cell:
        return False
    t += step
    while board[t] == 0:
        t += step
    piece = int(board[t])
    return piece >> 4 == 1 - side and (SLIDES[piece] >> (7 - d)) & 1 == 1


@jit
def slides_between(checker, king):
    """How many empty cells lie between a checker and the king (0 for a contact check or a knight)."""
    d = int(LINE[checker, king])
    if d < 0 or d > 7:
        return 0
    return int(DIST[checker, king]) - 1
