# SPDX-License-Identifier: GPL-3.0-or-later
"""What is claimed of a problem: all that its judgement proves, and under limits as much as they allow."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from solver.certificates import writer
from solver.certificates.checker import Proved, verify
from solver.certificates.problems import CertificateWriter, NotCertified
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.findings import SecondSolution
from solver.judging.judge import Judge
from solver.limits import LimitReached
from solver.results import Defect, Judgement, Limits
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

IN_SEVEN = "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"
FUTILE_DROP_IN_LINE = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"


@pytest.fixture(scope="module")
def engine() -> DfPnEngine:
    return DfPnEngine(table_bits=18)


def certified(
    engine: DfPnEngine, sfen: str, judgement: Judgement, path: Path, limits: Limits | None = None
) -> tuple[Proved, list[str]]:
    """What the certificate of a judgement proves, and what is not in it."""
    with path.open("wb") as file:
        made = CertificateWriter(file)
        left = made.add(engine, parse_sfen(sfen).position, judgement, limits)
        made.close()
    (proved,) = verify(str(path))
    return proved, left


def test_what_is_known_without_a_length_is_certified(engine: DfPnEngine, tmp_path: Path) -> None:
    judgement = Judgement(Defect.NONE, unresolved=True, no_mate_within=3)
    proved, left = certified(engine, IN_SEVEN, judgement, tmp_path / "a")
    assert (proved, left) == (Proved(IN_SEVEN, no_mate=3), [])


def test_the_judge_tells_within_how_many_plies_there_is_no_mate(engine: DfPnEngine) -> None:
    engine.forget()
    nodes, judgement = 1, Judgement(Defect.NONE)
    while judgement.no_mate_within == 0:
        engine.forget()
        judgement = Judge(engine).judge(parse_sfen(IN_SEVEN).position, limits=Limits(nodes=nodes))
        assert judgement.unresolved
        nodes += 1
    assert judgement.no_mate_within in (1, 3, 5)


def test_a_limit_leaves_what_was_certified_before_it(
    engine: DfPnEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgement = Judge(engine).judge(parse_sfen(IN_SEVEN).position)
    left: list[str] = []
    most = 10
    while left != ["unique"]:
        monkeypatch.setattr(writer, "MOST_FACTS", most)
        with suppress(LimitReached):
            proved, left = certified(engine, IN_SEVEN, judgement, tmp_path / "a")
        most += 2 + most // 10
        assert most < 10**5
    assert (proved.mate, len(proved.line), proved.unique) == (7, 7, None)


def test_of_an_unresolved_judgement_the_length_is_certified(engine: DfPnEngine, tmp_path: Path) -> None:
    judgement = replace(Judge(engine).judge(parse_sfen(IN_SEVEN).position), unresolved=True, searched=9)
    proved, left = certified(engine, IN_SEVEN, judgement, tmp_path / "a")
    assert (proved.mate, proved.unique, left) == (7, None, [])


def test_second_solutions_after_futile_drops_are_left_out(engine: DfPnEngine, tmp_path: Path) -> None:
    """Such a drop may last longer than the mate; the facts of a mate do not follow it."""
    sfen = FUTILE_DROP_IN_LINE
    judgement = Judge(engine).judge(parse_sfen(sfen).position)
    line = judgement.line
    assert len(line) > (judgement.length or 0)
    found = SecondSolution(Defect.COOK, line, 2, line[2], parse_move("8a7b"), 3)
    proved, _ = certified(engine, sfen, replace(judgement, findings=(found,)), tmp_path / "a")
    assert (proved.mate, proved.second) == (3, ())


def test_nothing_known_is_not_certified(engine: DfPnEngine, tmp_path: Path) -> None:
    with pytest.raises(NotCertified):
        certified(engine, IN_SEVEN, Judgement(Defect.NONE, unresolved=True), tmp_path / "a")
    with pytest.raises(NotCertified):
        certified(engine, IN_SEVEN, Judgement(Defect.ILLEGAL_START), tmp_path / "a")
