# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof and disproof numbers at the edge of their range."""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.arena import ALL, CHILD, FRAME, MIXED
from solver.engines.dfpn.kernel.outcome import LARGEST
from solver.engines.dfpn.kernel.search import _phi_and_delta, costly
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE


def test_an_open_child_with_the_largest_proof_number_can_be_entered() -> None:
    """The cost of its move must not make it look disproven: then no child would be left to enter."""
    frames, kids = np.zeros(1, dtype=FRAME).view(np.recarray), np.zeros(3, dtype=CHILD).view(np.recarray)
    frame = frames[0]
    frame.attacker, frame.n, frame.first, frame.count = 1, FOREVER, 1, 1
    kids[1].pn, kids[1].dn, kids[1].cost = LARGEST, 2, 5
    assert costly(kids[1]) == LARGEST < INFINITE
    phi, second, delta, others, best = _phi_and_delta(frame, kids, ALL)
    assert (phi, second, delta, others, best) == (LARGEST, INFINITE, 2, 0, 1)


def test_a_child_with_a_very_large_number_can_be_entered_where_sums_are_capped() -> None:
    """Its threshold is above its number, whatever the numbers of the others are."""
    frames, kids = np.zeros(1, dtype=FRAME).view(np.recarray), np.zeros(3, dtype=CHILD).view(np.recarray)
    frame = frames[0]
    frame.n, frame.count = FOREVER, 3
    for attacker in (0, 1):
        frame.attacker = attacker
        for i, number in enumerate((LARGEST // 2, LARGEST // 2 + 1, LARGEST // 2 + 2)):
            kids[i].pn, kids[i].dn = (i + 1, number) if attacker else (number, i + 1)
        _, _, delta, others, best = _phi_and_delta(frame, kids, MIXED)
        assert best == 0
        assert delta < INFINITE
        assert INFINITE - others > LARGEST // 2
