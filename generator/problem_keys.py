# SPDX-License-Identifier: GPL-3.0-or-later
"""When two problems are the same to an editor: the squares of its line, its end, or its key and its mate.

Which of several like pieces goes somewhere makes no new problem: a promoted silver may stand for
a gold, any piece of the defender for another. Neither does mirroring, nor another place on the board.

Where something is asked for, runs come to the same problem with a piece exchanged: then two problems are the
same too if they begin with the same move and all their pieces but one are the same, or if one line leads into
the other's after its first check.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from generator.constraints.options import ComposingOptions
from generator.problem import line_key, route_key, tail_key
from generator.replay import CELL_OF, LINE, STEP, Cells, ReplayedPly, attackers_of_cell, cells_of, replay_line
from tsume_rules.kernel.tables import ATT, OURS, SLIDES, SQUARE, WALL
from tsume_rules.moves import Move
from tsume_rules.position import Position, file_of, rank_of

SQUARES_FROM = 7
"""From this length on, lines to the same squares are the same problem, whatever their mates are.

Of 400 published problems of 7 plies 393 go to different squares, of 3 plies 129: what short ones
have in common is seldom the whole problem.
"""
TAILS_FROM, TAIL_SQUARES_FROM = 5, 11
"""From these lengths on, problems are the same whose last two thirds are, or lead to the same squares.

Of 400 published problems of 5, 7, 9 plies 396, 395, 398 have last moves of their own; to squares of
their own lead those of 218, 319, 382, and of 11 plies those of 392 of 397.
"""
_MIN_ALIKE = 3
"""Pieces beside the defender's king, at least, that problems have in common which differ by one."""
_SLIDING: list[int] = SLIDES.tolist()
_SQUARE: list[int] = SQUARE.tolist()
_NAMES = ".PLNSBRGKGGGGHD"
_WALL, _DEFENDER, _SLIDER = "#", "v", "|"
_AROUND = {1: (0, 1, 2, 3, 4, 5, 6, 7), -1: (0, 2, 1, 4, 3, 6, 5, 7)}
"""The directions (`tsume_rules.kernel.tables`) as they are, and with left and right exchanged."""


def problem_keys(options: ComposingOptions, position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the texts by which a run knows a problem again.

    Of two natural problems of a run no text is the same. Where the mate was given, or a problem that is
    extended, what follows from that is no repetition: its ways (`generator.problem.route_key`) tell a
    problem from others, and to a given final position its squares. A free one has
    `generator.problem.line_key` alone, which may come again unless distinct lines are required.
    """
    if not options.is_natural:
        return (line_key(line),)
    keys = [f"w {route_key(line)}"] if options.has_given_mate else [*natural_problem_keys(position, line)]
    if options.final:
        keys.append(natural_problem_keys(position, line)[0])
    if not options.starts and len(line) >= TAILS_FROM:
        keys.append(f"t {tail_key(line, only_targets=len(line) >= TAIL_SQUARES_FROM)}")
    if options.restricts_problems and not options.has_given_mate and len(line) >= TAILS_FROM:
        keys.append(f"e {line_key(line[2:])}")
    if options.restricts_problems or options.has_given_mate:
        keys.extend(_near_problem_keys(position, line))
    if options.wishes.distinct_lines:
        keys.append(line_key(line))
    return tuple(keys)


def key_hash(text: str) -> int:
    """Return what stands for a key's text wherever keys are kept: 64 bits, as a signed number. Of a million keys two
    fall together once in 40 million runs; then one problem is left out."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def natural_problem_keys(position: Position, line: tuple[Move, ...]) -> tuple[str, str]:
    """Return two texts, of the squares of the line and of its key and mate: equal ones mean the same problem. ``line``
    mates. Each text begins with a letter of its own."""
    replayed = replay_line(position, line)
    key, cells, king = replayed.plies[0], replayed.end, replayed.mated_king
    forms = []
    for way in (1, -1):
        squares = " ".join(_offset_text(ply.target, key.target, way) for ply in replayed.plies)
        # The squares next to the mated king, then what attacks it and the free ones among them.
        near = "".join(_piece_name(cells[king + STEP[d]]) for d in _AROUND[way])
        mate = " ".join([near, *sorted(set(_guard_keys(cells, king, way)))])
        forms.append((squares, f"{_ply_key(key, way)} {mate}", mate))
    whole = len(line) >= SQUARES_FROM
    shortest = min(squares if whole else f"{squares} {mate}" for squares, _, mate in forms)
    return f"s {shortest}", f"m {min(finish for _, finish, _ in forms)}"


def _near_problem_keys(position: Position, line: tuple[Move, ...]) -> Iterator[str]:
    """Texts of which problems share one that begin with the same move and differ by a piece."""
    first, cells = replay_line(position, line[:1]).plies[0], cells_of(position)
    forms = []
    for way in (1, -1):
        placed = [
            f"{cells[cell]}:{_offset_text(cell, first.king, way)}"
            for cell in CELL_OF
            if cells[cell] and cell != first.king
        ]
        held = [f"{kind}*" for kind, number in enumerate(position.attacker_hand.counts, 1) for _ in range(number)]
        forms.append((_ply_key(first, way), placed + held))
    number = len(forms[0][1])
    left_out = [None, *range(number)] if number > _MIN_ALIKE else [None]
    for one in left_out:
        texts = [
            (key, sorted(pieces[:one] + pieces[one + 1 :] if one is not None else pieces)) for key, pieces in forms
        ]
        yield "n " + min(" ".join((key, *pieces)) for key, pieces in texts)


def _ply_key(ply: ReplayedPly, way: int) -> str:
    """Return the first move: the kind dropped or where it leads from, where to, relative to the king."""
    start = _NAMES[ply.kind] if ply.is_drop else _offset_text(ply.origin, ply.king, way)
    return f"{start}>{_offset_text(ply.target, ply.king, way)}{'+' * ply.promotes}"


def _guard_keys(cells: Cells, king: int, way: int) -> Iterator[str]:
    """The attacker's pieces farther off that attack the king's square or one beside it without his pieces.

    A slider is known by the square and the direction, wherever it stands on its line and whatever
    it is; another piece by its name and place.
    """
    without_king = cells.copy()
    without_king[king] = 0
    beside = [king + step for step in STEP[:8]]
    for cell in (king, *(cell for cell in beside if cells[cell] < OURS)):
        for guard in attackers_of_cell(without_king, cell, ATT):
            direction = LINE[guard][cell]
            if guard in beside:
                continue
            if _SLIDING[cells[guard]] >> direction & 1:
                yield f"{_SLIDER}{_offset_text(cell, king, way)}/{_AROUND[way][direction]}"
            else:
                yield f"{_piece_name(cells[guard])}{_offset_text(guard, king, way)}"


def _piece_name(code: int) -> str:
    if code == WALL:
        return _WALL
    return _DEFENDER if code > OURS else _NAMES[code]


def _offset_text(cell: int, origin: int, way: int) -> str:
    one, other = _SQUARE[cell], _SQUARE[origin]
    return f"{way * (file_of(one) - file_of(other))},{rank_of(one) - rank_of(other)}"
