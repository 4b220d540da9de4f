# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks with all answers, compared with the lists of one position each."""

from __future__ import annotations

import random

from tests.positions import random_attack
from tests.records import in_bytes
from tsume_rules.packed import answered_checks, legal_checks, legal_evasions, pack, played
from tsume_rules.position import Side


def test_all_answers_are_those_after_each_check() -> None:
    rng = random.Random(3)
    for _ in range(60):
        record = pack(random_attack(rng, rng.random() < 0.3))
        before = in_bytes(record)
        found = answered_checks(record)
        assert sorted(found) == legal_checks(record)
        assert in_bytes(record) == before
        for check, answers in found.items():
            with played(record, check, Side.ATTACKER):
                assert sorted(answers) == legal_evasions(record)
