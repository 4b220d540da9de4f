"""When two lines are the same: under mirror and translation, gold-like pieces counted alike."""

from __future__ import annotations

from rules.kernel.tables import SQUARE
from rules.making import Moves
from rules.moves import Move
from rules.packing import pack_move

_FILE = [int(sq) // 9 if 0 <= sq < 81 else 0 for sq in SQUARE]
_RANK = [int(sq) % 9 if 0 <= sq < 81 else 0 for sq in SQUARE]
_DROPS = " PLNSBRG"


def line_key(line: tuple[Move, ...]) -> str:
    """What lines share that are the same wherever on the board they are played, and mirrored.

    A move over the board is known by the squares it leads from and to, whatever moves:
    so a gold and a promoted silver that go the same way count alike. A drop is known by
    its kind and square. Squares are told from the first move's target.
    """
    return key_of(tuple(pack_move(move) for move in line))


def key_of(moves: Moves) -> str:
    """`line_key` of a line of kernels' move codes."""
    file, rank = _FILE[moves[0] & 127], _RANK[moves[0] & 127]
    one, other = [], []
    for move in moves:
        target, origin, kind = move & 127, (move >> 7) & 127, move >> 15
        across, down = _FILE[target] - file, _RANK[target] - rank
        if kind:
            one.append(f"{_DROPS[kind]}{across},{down}")
            other.append(f"{_DROPS[kind]}{-across},{down}")
        else:
            start, height = _FILE[origin] - file, _RANK[origin] - rank
            one.append(f"{start},{height}>{across},{down}")
            other.append(f"{-start},{height}>{-across},{down}")
    return min(" ".join(one), " ".join(other))
