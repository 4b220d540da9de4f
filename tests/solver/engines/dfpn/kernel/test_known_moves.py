# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves known without a search, against the engine asked about each."""

from __future__ import annotations

import random

from solver.certificates.writer import Oracle
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.kernel.mate import may_be_futile
from tests.positions import random_attack
from tests.records import in_bytes
from tsume_rules.packed import Record, legal_checks, pack, played, target_of
from tsume_rules.position import Side


def refutes(engine: DfPnEngine, record: Record, answer: int, n: int) -> bool:
    """Whether there is no mate within n plies after an answer, and it is not a futile drop."""
    futile = may_be_futile(record, answer) and engine.is_futile(record, target_of(answer), n)
    with played(record, answer, Side.DEFENDER):
        return not futile and (n < 2 or not engine.mates(record, n - 1))


def test_known_refutations_refute_and_known_mates_mate() -> None:
    rng = random.Random(5)
    asked, twin = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    oracle = Oracle(asked)
    refuted = mating = 0
    for _ in range(60):
        record = pack(random_attack(rng, rng.random() < 0.3))
        before = in_bytes(record)
        checks = legal_checks(record)
        for n in (1, 3, 5):
            asked.mates(record, n)
            answers = oracle.refutations(record, checks, n - 1)
            lengths = oracle.lengths(record, checks, n - 1)
            for check, answer, length in zip(checks, answers, lengths, strict=True):
                with played(record, check, Side.ATTACKER):
                    assert not answer or refutes(twin, record, answer, n - 1)
                    assert length < 0 or (length < n and twin.is_mated(record, length))
                assert not (answer and length >= 0)
                refuted += answer != 0
                mating += length >= 0
        assert in_bytes(record) == before
    assert refuted > 100
    assert mating > 10
