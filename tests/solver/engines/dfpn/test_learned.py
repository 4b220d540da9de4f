# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search has learned can be written in the middle of it and gone on with by another engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from zipfile import BadZipFile, ZipFile

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import LINK_PENDING
from solver.engines.dfpn.kernel.table import INFINITE
from solver.limits import LimitReached
from solver.results import Limits, Mate, MateBounds, NoMate, Reason, SearchResult, Unresolved
from solver.solving import deepening
from solver.solving.deepening import search_length
from tests.sampling import attacks
from tsume_rules.packed import Record, pack
from tsume_rules.sfen import format_sfen, parse_sfen

BITS = 12
REPEATING = "+rkB1K4/1lpp5/1R7/9/9/6P2/9/9/9 b b4g4s4n3l15p 1"
"""Many positions repeat, none of which has been searched for itself when the first disproofs rest on them."""
CIRCLES = "7nl/6s2/5N2k/6G2/9/9/9/9/9 b 2RG2b2g3s2n3l18p 1"


def written(engine: DfPnEngine) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        engine.write_learned(archive)
    return file.getvalue()


def new_engine(bits: int = BITS) -> DfPnEngine:
    return DfPnEngine(table_bits=bits)


def read(data: bytes, make: Callable[[], DfPnEngine] = new_engine) -> DfPnEngine:
    engine = make()
    with ZipFile(BytesIO(data)) as archive:
        engine.read_learned(archive)
    return engine


def in_pieces(
    record: Record, nodes: int, pieces: int, make: Callable[[], DfPnEngine] = new_engine
) -> SearchResult:
    """The length, ``nodes`` nodes at a time, each time by a new engine.

    It gets what the one before had written in the middle of its search: no question has ended then.
    """
    data = None
    known: MateBounds | None = None
    for _ in range(pieces):
        engine = make() if data is None else read(data, make)
        steps: list[MateBounds] = []
        kept = [written(engine)]

        def look(engine: DfPnEngine = engine, kept: list[bytes] = kept) -> None:
            kept.append(written(engine))

        with engine.watched(look):
            found = search_length(engine, record, Limits(nodes=nodes), steps.append, known)
        if not isinstance(found, Unresolved) or found.reason is Reason.LENGTH:
            return found
        known = steps[-1] if steps else known
        data = None if known is None else kept[-1]
    return found


@pytest.fixture
def from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every length is found from above, by short slices."""
    monkeypatch.setattr(deepening, "QUICKLY", 1)
    monkeypatch.setattr(deepening, "LAST_RAISED", 1)
    monkeypatch.setattr("solver.engines.dfpn.engine.SLICE", 150)


def test_a_search_in_pieces_gives_the_same_lengths(from_above: None) -> None:  # noqa: ARG001
    found = Counter[str]()
    positions = list(attacks(50, "kept"))
    for position in positions:
        whole = search_length(DfPnEngine(table_bits=BITS), pack(position), Limits(nodes=4000))
        parts = in_pieces(pack(position), 400, 12)
        for one, other in ((whole, parts), (parts, whole)):
            if isinstance(one, Mate | NoMate) and not isinstance(other, Unresolved):
                assert one == other, format_sfen(position)
        found[type(parts).__name__] += 1
    assert found["Mate"] > 5
    assert found["NoMate"] > 5


def test_it_goes_on_from_what_was_known(from_above: None) -> None:  # noqa: ARG001
    record = pack(parse_sfen(CIRCLES).position)
    engine = DfPnEngine(table_bits=BITS)
    whole = search_length(engine, record, Limits())
    assert isinstance(whole, Mate)
    spent = engine.nodes
    again = read(written(engine))
    assert again.nodes == spent
    assert search_length(again, record, Limits(), since=MateBounds(1, whole.length)) == whole
    assert again.nodes < spent + spent // 2


def test_what_rests_on_the_path_is_not_kept(from_above: None) -> None:  # noqa: ARG001
    """Links of positions on the path are never followed again; the table is the same."""
    engine = DfPnEngine(table_bits=BITS)
    pending = 0

    def look() -> None:
        nonlocal pending
        other = read(written(engine))
        before, after = engine._search, other._search
        on_path = before.link_state == LINK_PENDING
        pending += int(on_path.sum())
        assert not (after.link_state == LINK_PENDING).any()
        assert (after.link_uses[on_path] != before.link_uses[on_path]).all()
        assert (after.link_uses[on_path] > 0).all()
        assert not after.path.any()
        used = engine._table.stamp == before.stamp
        assert np.array_equal(engine._table[used], other._table[used])
        assert (other._table.stamp[~used] != before.stamp).all()

    with engine.watched(look):
        search_length(engine, pack(parse_sfen(CIRCLES).position), Limits(nodes=6000))
    assert pending


def test_disproofs_that_wait_for_repeated_positions_are_dropped(from_above: None) -> None:  # noqa: ARG001
    """They are accepted when all those positions are disproved too, and these are not kept."""
    engine = DfPnEngine(table_bits=BITS)
    kept: list[bytes] = []

    def look() -> None:
        table, search = engine._table, engine._search
        waiting = (table.dn == 0) & (table.pn == INFINITE) & (table.taint == search.epoch)
        if search.candidates and (waiting & (table.stamp == search.stamp)).any():
            kept.append(written(engine))

    with engine.watched(look), suppress(LimitReached), engine.within(Limits(nodes=50_000)):
        engine.mates_ever(pack(parse_sfen(REPEATING).position))
    assert kept
    other = read(kept[-1])
    assert not other._search.candidates
    assert not (other._table.taint[other._table.dn == 0] == other._search.epoch).any()


def test_a_damaged_archive_is_refused() -> None:
    engine = DfPnEngine(table_bits=BITS)
    engine.mates(pack(parse_sfen(CIRCLES).position), 5)
    data = written(engine)
    faults = (BadZipFile, ValueError, KeyError, EOFError)
    with pytest.raises(faults):
        read(data[: len(data) // 2])
    for place in range(200, len(data) - 2000, 9973):
        damaged = bytearray(data)
        damaged[place] ^= 1
        with pytest.raises(faults):
            read(bytes(damaged))
