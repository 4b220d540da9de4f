# SPDX-License-Identifier: GPL-3.0-or-later
"""Which checks are refuted at a glance, compared with the slow twin."""

from __future__ import annotations

from collections import Counter

import pytest

from solver.scoring.difficulty import more_than_a_glance
from tests import naive
from tests.sampling import attacks, crowded
from tsume_rules.moves import parse_move
from tsume_rules.packed import legal_checks, pack, pack_move, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen


def test_the_slow_twin_agrees() -> None:
    seen: Counter[bool] = Counter()
    for position in [*attacks(60, seed="glance"), *crowded(20, seed="glance")]:
        record = pack(position)
        checks = legal_checks(record)
        kept = more_than_a_glance(record, checks)
        board = naive.board_of(format_sfen(position))
        slow = {check for check in checks if not naive.refuted_at_a_glance(board, unpack_move(check).usi)}
        assert set(kept) == slow, format_sfen(position)
        seen.update(check in slow for check in checks)
    assert min(seen[True], seen[False]) > 50


@pytest.mark.parametrize(
    ("sfen", "check", "expected"),
    [
        ("8k/9/9/9/9/9/9/9/9 b G 1", "G*1b", False),  # the king takes, and nothing is left
        ("8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b", False),  # a second check, and nothing is left
        ("8k/9/9/9/9/9/9/9/9 b 3G 1", "G*1b", True),  # the third comes after three plies
        ("8k/9/8P/9/9/9/9/9/9 b G 1", "G*1b", True),  # mate
    ],
)
def test_the_attacker_runs_out_of_checks_within_three_plies(sfen: str, check: str, expected: bool) -> None:
    move = pack_move(parse_move(check))
    assert more_than_a_glance(pack(parse_sfen(sfen).position), [move]) == ([move] if expected else [])
