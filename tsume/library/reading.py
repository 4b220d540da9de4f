# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that callers give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tsume.files.inputs import Entry, read_entry, with_start_faults
from tsume.library.arguments import check_arguments, moves_of
from tsume.library.boards import GivenMove, GivenPosition, own_line, sfen_text
from tsume.warmup import KernelPart, warm_up_silently
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen


class ReadPosition(NamedTuple):
    """A position, its line seen by the attacker, and the SFEN as it was given."""

    parsed: ParsedSfen
    line: tuple[Move, ...]
    sfen: str


def read_start(given: GivenPosition) -> ReadPosition:
    """A position to be solved. Raises as `read_position`, and ValueError for one that is no legal start."""
    return read_position(given, legal=True)


def read_position(
    given: GivenPosition, line: Sequence[GivenMove] = (), *, legal: bool = False, judged: bool = False
) -> ReadPosition:
    """The position and its line: ``line``, else the answer's own or what follows the SFEN.

    Raises TypeError for what has no SFEN, and ValueError for an SFEN that cannot be read; with ``legal`` also
    for a position that is no legal start. With ``judged`` a position that the rules do not allow is read too.
    """
    text = sfen_text("sfen", given)
    check_arguments(line=line)
    entry = read_entry(text, "sfen")
    parsed = entry.illegal if judged and entry.illegal else _parsed(entry)
    moves = tuple(map(parsed.outward, moves_of("line", line or own_line(given)))) or entry.line
    if legal:
        warm_up_silently(KernelPart.ENGINE)
        parsed = _parsed(with_start_faults(entry))
    return ReadPosition(parsed, moves, entry.sfen)


def _parsed(entry: Entry) -> ParsedSfen:
    if entry.parsed is None:
        raise ValueError(" ".join(entry.error.split()))
    return entry.parsed
