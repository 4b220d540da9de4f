"""Which candidates are worth the last tests."""

from __future__ import annotations

from generator.candidate import Candidate
from generator.constraints.problem import Constraints, parse_hand


def may_fit(constraints: Constraints, candidate: Candidate) -> bool:
    """Whether a candidate of full length can meet the constraints, by its position and line."""
    if not constraints.asks:
        return True
    position, line = candidate.readable
    return (
        (constraints.region is None or Constraints(region=constraints.region).fit_position(position))
        and (constraints.hand is None or position.attacker_hand == parse_hand(constraints.hand))
        and constraints.fit_defenders(position)
        and constraints.fit_key(position, line)
        and (
            not constraints.themes or len(candidate.shown(constraints.themes)) == len(set(constraints.themes))
        )
    )
