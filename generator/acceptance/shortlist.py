"""Which candidates are worth the last tests."""

from __future__ import annotations

from generator.candidate import Candidate
from generator.constraints.problem import Constraints, parse_hand


def may_fit(wishes: Constraints, candidate: Candidate) -> bool:
    """Whether a candidate of full length can meet the constraints, by its position and line."""
    if not wishes.asks:
        return True
    position, line = candidate.readable
    return (
        (wishes.region is None or Constraints(region=wishes.region).fit_position(position))
        and (wishes.hand is None or position.attacker_hand == parse_hand(wishes.hand))
        and wishes.fit_defenders(position)
        and wishes.fit_key(position, line)
        and (not wishes.themes or len(candidate.shown(wishes.themes)) == len(set(wishes.themes)))
    )
