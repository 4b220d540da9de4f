# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume solve`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "mate": ("{length}手詰: {line}", "mate in {length}: {line}"),
    "no_mate": ("不詰", "no mate"),
    "unresolved": ("未解決", "unresolved"),
    "invalid": ("不正な局面", "invalid"),
    "turn": ("  {number}手目: {moves}", "  move {number}: {moves}"),
    "other_form": ("非限定 {moves}", "in another form {moves}"),
    "other_checks": ("ほかの王手 {moves}", "other checks {moves}"),
    "clauses": ("、", "; "),
}
