"""When two lines are the same: under mirror and translation, gold-like pieces counted alike."""

from __future__ import annotations

from rules.moves import Move
from rules.pieces import Kind
from rules.squares import file_of, rank_of


def line_key(line: tuple[Move, ...]) -> str:
    """What lines share that are the same wherever on the board they are played, and mirrored.

    A move over the board is known by the squares it leads from and to, whatever moves:
    so a gold and a promoted silver that go the same way count alike. A drop is known by
    its kind and square. Squares are told from the first move's target.
    """
    return min(_text(line, 1), _text(line, -1))


def _text(line: tuple[Move, ...], side: int) -> str:
    file, rank = file_of(line[0].target), rank_of(line[0].target)

    def place(sq: int) -> str:
        return f"{side * (file_of(sq) - file)},{rank_of(sq) - rank}"

    return " ".join(f"{_start(move, place)}>{place(move.target)}" for move in line)


def _start(move: Move, place: object) -> str:
    assert callable(place)
    return Kind(move.drop).name[:2] if move.drop is not None else str(place(move.origin))
