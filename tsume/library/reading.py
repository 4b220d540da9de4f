"""Positions that callers give."""

from __future__ import annotations

from collections.abc import Sequence

from tsume.files.inputs import Entry, read_entry, with_start_faults
from tsume.library.arguments import check_arguments, moves_of
from tsume.warmup import KernelPart, warm_up_silently
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen


def read_start(sfen: str) -> ParsedSfen:
    """The position of an SFEN. Raises ValueError, also for one that is no legal start."""
    return read_position(sfen, legal=True)[0]


def read_position(
    sfen: str, line: Sequence[str] = (), *, legal: bool = False
) -> tuple[ParsedSfen, tuple[Move, ...]]:
    """The position of an SFEN and its line, seen by the attacker: ``line``, else what follows the SFEN.

    Raises ValueError; with ``legal`` also for a position that is no legal start.
    """
    check_arguments(sfen=sfen, line=line)
    entry = read_entry(sfen, "sfen")
    parsed = _parsed(entry)
    given = tuple(map(parsed.outward, moves_of("line", line))) or entry.line
    if legal:
        warm_up_silently(KernelPart.ENGINE)
        parsed = _parsed(with_start_faults(entry))
    return parsed, given


def _parsed(entry: Entry) -> ParsedSfen:
    if entry.parsed is None:
        raise ValueError(" ".join(entry.error.split()))
    return entry.parsed
