# SPDX-License-Identifier: GPL-3.0-or-later
"""Which candidates are worth the last tests."""

from __future__ import annotations

from generator.candidate import Candidate
from generator.constraints.problem import ProblemConstraints, parse_hand
from generator.themes.details import shows_details


def may_meet_constraints(constraints: ProblemConstraints, candidate: Candidate) -> bool:
    """Whether a candidate of full length can meet the constraints, by its position and line."""
    if not constraints.has_any:
        return True
    position, line = candidate.readable
    return (
        (constraints.region is None or ProblemConstraints(region=constraints.region).allow_position(position))
        and (constraints.hand is None or position.attacker_hand == parse_hand(constraints.hand))
        and constraints.allow_defenders(position)
        and constraints.allow_key(position, line)
        and (
            not constraints.themes
            or len(candidate.shown_themes(constraints.themes)) == len(set(constraints.themes))
        )
        and (not constraints.theme_details or shows_details(candidate.replayed, constraints.theme_details))
    )
