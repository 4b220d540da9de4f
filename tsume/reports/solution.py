# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a search for the shortest mate as JSON fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.results import Mate, Unresolved
from tsume.reports.notation import usi_line
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.solving.solve import EqualSolutions


def solution_fields(
    parsed: ParsedSfen,
    result: str,
    mate: Mate | None = None,
    answers: tuple[EqualSolutions, ...] | None = None,
    *,
    nodes: int = 0,
    seconds: float = 0.0,
    cells: int | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Return the fields of ``tsume solve --jsonl``, moves in USI in the orientation of the given position."""
    fields: dict[str, Any] = {
        "result": result,
        "length": mate.length if mate else None,
        "line": usi_line(parsed, mate.line) if mate else [],
        "nodes": nodes,
        "seconds": seconds,
    }
    if cells is not None:
        fields["cells"] = cells
    if answers is not None:
        fields["answers"] = [
            {
                "turn": one.turn + 1,
                "key": parsed.outward(one.key).usi,
                "form": usi_line(parsed, one.form),
                "other": usi_line(parsed, one.other),
            }
            for one in answers
        ]
    return {**fields, "error": error}


def limit_text(result: Unresolved) -> str:
    """Return which limit ended a search, and what is known nevertheless."""
    known = f"; no mate within {result.no_mate_within} moves" if result.no_mate_within > 0 else ""
    if result.mate_within is not None:
        known += f"; found a mate in {result.mate_within} moves, which may not be the shortest"
    return f"{result.reason.value} limit reached{known}"
