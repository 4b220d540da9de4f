# SPDX-License-Identifier: GPL-3.0-or-later
"""A given problem with one more, one fewer or another piece, its line kept: more problems to extend."""

from __future__ import annotations

from functools import partial
from itertools import islice

import numpy as np

from generator.candidate import Candidate
from generator.changes import legal_changes, possible_changes, possible_starts
from generator.constraints.options import CHANGES_PER_ROOT
from generator.reverse.given_problems import sound_line
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import Moves, Record, pack_all, unpack

_NODES = 3_000


def variants_of_given_problem(engine: DfPnEngine, start: Candidate, batch: int) -> list[Candidate]:
    """The candidates that the changes of one batch lead to, as far as they keep the start's line.

    The changes come in an order drawn once for all, `generator.constraints.options.CHANGES_PER_ROOT` of them
    in a batch.
    """
    position = unpack(start.record)
    changes = list(possible_changes(position))
    order = np.random.default_rng(len(changes)).permutation(len(changes))
    mine = (changes[i] for i in islice(order, batch * CHANGES_PER_ROOT, (batch + 1) * CHANGES_PER_ROOT))
    records = pack_all([after for _, after in possible_starts(legal_changes(position, mine))])
    lengths = engine.short_lengths(records, start.length, _NODES)
    same = [record for record, length in zip(records, lengths, strict=True) if length == start.length]
    keeping = partial(_has_line, engine, start.line)
    return [
        Candidate(record.copy(), start.length, start.line, family)
        for family, record in enumerate(same)
        if engine.answered_within(_NODES, partial(keeping, record))
    ]


def _has_line(engine: DfPnEngine, line: Moves, record: Record) -> bool:
    """Whether a position is sound, and its best line is this."""
    return engine.keeps_line(record, line) and sound_line(engine, record, len(line)) == line
