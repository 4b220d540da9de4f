# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts of a certificate: which are written, and how often."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from solver.certificates import problems
from solver.certificates.checker import FOREVER, Proved, position_text, text_position, verify
from solver.certificates.problems import CertificateWriter
from solver.certificates.writer import Agenda, Needed
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Defect, Judgement
from tests.sampling import attacks
from tests.solver.certificates.files import lines_of
from tsume_rules.packed import pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

CHASE = "9/9/6G2/8+R/8+p/9/7Sk/1+p7/9 b Sr2b3g2s4n4l16p 1"
"""No mate; the checks lead back to the same positions again and again."""
IN_SEVEN = "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"


@pytest.fixture(scope="module")
def engine() -> DfPnEngine:
    return DfPnEngine(table_bits=18)


def certified(engine: DfPnEngine, position: Position, judgement: Judgement, path: Path) -> list[Proved]:
    """What the certificate of a judgement proves."""
    with path.open("wb") as file:
        made = CertificateWriter(file)
        assert made.add(engine, position, judgement) == []
        made.close()
    return verify(str(path))


def times_written(path: Path) -> Counter[bytes]:
    """How many facts of no mate a file has of each position with the attacker to move."""
    return Counter(line.split()[2] for line in lines_of(path) if line.startswith(b"N "))


def test_facts_of_no_mate_come_from_the_most_plies_to_the_fewest() -> None:
    agenda, position = Agenda(), text_position(parse_sfen(CHASE).position)
    facts = [Needed("N", position, n) for n in (3, FOREVER, 5, 5)] + [Needed("E", position, 4)]
    mates = [Needed("A", position, 1), Needed("D", position, 8)]
    agenda.note([*facts, *mates])
    taken = [agenda.next() for _ in range(8)]
    assert taken[:2] == mates[::-1], "what was noted last first"
    assert [item and item.plies for item in taken[2:]] == [FOREVER, 5, 5, 4, 3, None]


def test_a_position_is_written_once_however_often_a_disproof_returns_to_it(
    engine: DfPnEngine, tmp_path: Path
) -> None:
    """So ten times the plies take no more facts."""
    facts, start = [], position_text(text_position(parse_sfen(CHASE).position)).encode()
    for plies in (61, 601):
        judgement = Judgement(Defect.NONE, unresolved=True, no_mate_within=plies)
        proved = certified(engine, parse_sfen(CHASE).position, judgement, tmp_path / "a")
        assert proved == [Proved(CHASE, no_mate=plies)]
        written = times_written(tmp_path / "a")
        assert written[start] == max(written.values()) == 1
        facts.append(len(written))
    assert facts[0] == facts[1] < 450, "in the order of a walk 600 and more"


def test_a_long_mate_is_found_from_above_before_it_is_written(
    engine: DfPnEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems, "LAST_RAISED", 1)
    judgement = Judgement(Defect.NONE, length=7, unresolved=True)
    proved = certified(engine, parse_sfen(IN_SEVEN).position, judgement, tmp_path / "a")
    assert proved == [Proved(IN_SEVEN, mate=7)]


@pytest.mark.parametrize("positions", [15, pytest.param(300, marks=pytest.mark.slow)])
def test_no_mate_within_many_plies_is_proved(engine: DfPnEngine, tmp_path: Path, positions: int) -> None:
    """Of what a search of few nodes decides of random positions, each is written once."""
    tested = 0
    for position in attacks(positions, "certificates of no mate"):
        engine.forget()
        record = pack(position)
        if engine.answered_within(20_000, partial(engine.mates, record, 41)) is not False:
            continue
        judgement = Judgement(Defect.NONE, unresolved=True, no_mate_within=41)
        (proved,) = certified(engine, position, judgement, tmp_path / "a")
        assert (proved.mate, proved.no_mate) == (None, 41), format_sfen(position)
        assert set(times_written(tmp_path / "a").values()) <= {1}, format_sfen(position)
        tested += 1
    assert tested > positions // 3
