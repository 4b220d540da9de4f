# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking back moves by copying, and the places of children in the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.engines.dfpn.kernel.frontier import restore_effects, save_effects, take_back
from solver.engines.dfpn.kernel.table import slot_after
from tests.sampling import attacks, crowded, promotable
from tsume_rules.kernel.move_generation import evasions, pseudo_checks
from tsume_rules.kernel.state import do, undo
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import pack
from tsume_rules.sfen import format_sfen


def test_a_check_and_its_answers_are_taken_back() -> None:
    saved, checks, answers = (np.zeros(2000, dtype=np.int64) for _ in range(3))
    tried = 0
    for position in [*attacks(60, seed="back"), *crowded(30, seed="back"), *promotable(30, seed="back")]:
        record: Any = pack(position)
        before = np.asarray(record).tobytes()
        key, slot = record.key, record.slot
        save_effects(record, saved, 10)
        for check in checks[: pseudo_checks(record, True, checks, 0)].tolist():
            captured = do(record, check, ATT)
            for answer in answers[: evasions(record, answers, 0)].tolist():
                taken = do(record, answer, DEF)
                take_back(record, answer, DEF, taken)
                take_back(record, check, ATT, captured)
                restore_effects(record, saved, 10, key, slot)
                assert np.asarray(record).tobytes() == before, format_sfen(position)
                do(record, check, ATT)
                tried += 1
            undo(record, check, ATT, captured)
    assert tried > 200


def test_the_place_of_a_child_is_known_before_its_move_is_done() -> None:
    moves = np.zeros(2000, dtype=np.int64)
    for position in [*attacks(40, seed="place"), *promotable(40, seed="place")]:
        record: Any = pack(position)
        for check in moves[: pseudo_checks(record, True, moves, 0)].tolist():
            expected = slot_after(record, check, ATT)
            captured = do(record, check, ATT)
            assert record.slot == expected, format_sfen(position)
            answers = moves[1000 : evasions(record, moves, 1000)].tolist()
            for answer in answers:
                expected = slot_after(record, answer, DEF)
                taken = do(record, answer, DEF)
                assert record.slot == expected, format_sfen(position)
                undo(record, answer, DEF, taken)
            undo(record, check, ATT, captured)
