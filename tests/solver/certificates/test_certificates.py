# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker against positions with known answers, and facts written by hand."""

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from solver.certificates import writer
from solver.certificates.checker import (
    FOREVER,
    CertificateError,
    Proved,
    position_from_rules,
    position_text,
    verify,
    verify_in_processes,
)
from solver.certificates.writer import CertificateWriter, NeededFact, NeededFacts, NotCertified
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.findings import SecondSolution
from solver.judging.judge import Judge
from solver.results import Defect, Judgement, LimitReached, Limits
from tests.sampling import attacks
from tests.solver.certificates.files import certificate, lines_of, with_lines
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

NO_MATE_BUT_BY_PAWN = "8k/9/6NG1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1"
"""P*1b would mate, and a dropped pawn may not."""
MATE_IN_ONE = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
CHAIN_OF_DROPS = "7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1"
LENGTHS = {
    "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1": 3,
    "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1": 3,
    "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1": 3,
    "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1": 3,
    "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1": 1,
    CHAIN_OF_DROPS: 1,
    MATE_IN_ONE: 1,
}
"""Positions of docs/rules.md on which the definitions of a futile drop differ, by the narrow reading."""


def fact(kind: str, plies: int | str, sfen: str, *moves: str) -> bytes:
    """The line of a fact."""
    text = position_text(position_from_rules(parse_sfen(sfen).position))
    return " ".join([kind, str(plies), text, *moves]).encode() + b"\n"


def claim(sfen: str, **fields: object) -> bytes:
    """The line of a claim."""
    return json.dumps({"sfen": sfen, **fields}).encode() + b"\n"


def fault(path: Path, *lines: bytes) -> str:
    """What the checker says against a file of these lines."""
    with pytest.raises(CertificateError) as refused:
        verify(str(with_lines(path / "made", lines)))
    return str(refused.value)


@pytest.mark.parametrize("sfen", LENGTHS)
def test_lengths_by_the_narrow_reading_are_proved(sfen: str, tmp_path: Path) -> None:
    (proved,) = verify(str(certificate(tmp_path / "a", sfen)))
    assert (proved.sfen, proved.mate, proved.no_mate) == (sfen, LENGTHS[sfen], None)


def test_no_mate_at_any_length_is_proved(tmp_path: Path) -> None:
    assert verify(str(certificate(tmp_path / "a", NO_MATE_BUT_BY_PAWN))) == [Proved(NO_MATE_BUT_BY_PAWN, no_mate="*")]


def test_a_mate_written_by_hand(tmp_path: Path) -> None:
    lines = claim(MATE_IN_ONE, mate=1), fact("A", 1, MATE_IN_ONE, "G*1b")
    assert verify(str(with_lines(tmp_path / "a", lines))) == [Proved(MATE_IN_ONE, mate=1)]


def test_a_dropped_pawn_does_not_mate(tmp_path: Path) -> None:
    said = fault(tmp_path, claim(NO_MATE_BUT_BY_PAWN, mate=1), fact("A", 1, NO_MATE_BUT_BY_PAWN, "P*1b"))
    assert "not a legal move" in said


def test_futile_drops_need_their_slide(tmp_path: Path) -> None:
    lines = lines_of(certificate(tmp_path / "a", CHAIN_OF_DROPS))
    root = next(line for line in lines if line.startswith(b"A 1 "))
    assert len(root.split()) > 4, "slides are given"
    bare = b" ".join(root.split()[:4]) + b"\n"
    assert "answers the last check" in fault(tmp_path, *[bare if line == root else line for line in lines])
    slid = [line for line in lines if not line.startswith(b"D")]
    assert "needs a fact D 0" in fault(tmp_path, *slid)


def test_an_effective_drop_refutes_only_if_no_slide_mates(tmp_path: Path) -> None:
    sfen = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"
    lines = lines_of(certificate(tmp_path / "a", sfen))
    kept = [line for line in lines if not line.startswith(b"E 0")]
    assert len(kept) < len(lines), "a drop is an answer here"
    assert "needs a fact E" in fault(tmp_path, *kept)


def test_facts_do_not_prove_one_another_in_a_circle(tmp_path: Path) -> None:
    """A mate needs shorter mates: whatever a file says of itself, the last check must mate."""
    sfen = NO_MATE_BUT_BY_PAWN
    said = fault(tmp_path, claim(sfen, mate=3), fact("A", 3, sfen, "2c2b"), fact("N", 1, sfen, "1a2b"))
    assert "needs a fact A 1" in said


def test_a_larger_hand_mates_too_and_a_smaller_one_does_not(tmp_path: Path) -> None:
    more = "8k/9/8P/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
    less = "8k/9/8P/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1"
    lines = claim(more, mate=1), fact("A", 1, MATE_IN_ONE, "G*1b")
    assert verify(str(with_lines(tmp_path / "a", lines)))[0].mate == 1
    assert "needs a fact A 1" in fault(tmp_path, claim(less, mate=1), lines[1])


@pytest.mark.parametrize(
    "line",
    [
        b"A 2 x y\n", b"Q 1 x y\n", b"\n", b"A\n", b"A 1\n", fact("A", "*", MATE_IN_ONE, "G*1b"),
        fact("A", 1, MATE_IN_ONE), fact("A", 1, MATE_IN_ONE, "G*9i"), fact("A", 1, MATE_IN_ONE, "hello"),
        fact("D", 0, MATE_IN_ONE), fact("E", 0, MATE_IN_ONE, "1a2a"),
        fact("N", 1, MATE_IN_ONE, "1a1b", "1a1b"),
        fact("A", 1, MATE_IN_ONE, "G*1b").replace(b"k", b"."), b"A 1 " + b"k" * 81 + b"0000000 G*1b\n",
        fact("A", 1, MATE_IN_ONE, "G*1b").replace(b"0000001", b"0000005"), b"\xff\n", b"{}\n", b"{\n",
        claim("nonsense", mate=1), claim(MATE_IN_ONE), claim(MATE_IN_ONE, mate=2),
        claim(MATE_IN_ONE, mate=True),
        claim(MATE_IN_ONE, mate=1, no_mate=1), claim(MATE_IN_ONE, mate=1, line=["G*1b", "x"]),
        claim(MATE_IN_ONE, mate=1, other=1), claim(MATE_IN_ONE, mate=1, second=3),
        claim(MATE_IN_ONE, no_mate="*"),
        claim(MATE_IN_ONE, mate=1, unique="*"), claim(MATE_IN_ONE.replace(" b ", " w "), mate=1),
        claim(MATE_IN_ONE, mate=1, second=[{"after": [], "key": "G*1b", "check": "G*1b", "plies": 1}]),
        claim(MATE_IN_ONE.replace("2r2b", "2rb"), mate=1), claim(MATE_IN_ONE, mate=1, line=["G*2b"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_in_one_line(line: bytes, tmp_path: Path) -> None:
    said = fault(tmp_path, fact("A", 1, MATE_IN_ONE, "G*1b"), line)
    assert said.startswith("line ")
    assert "\n" not in said


def test_files_that_end_too_soon_or_too_late_are_refused(tmp_path: Path) -> None:
    path = certificate(tmp_path / "a", MATE_IN_ONE)
    data = path.read_bytes()
    for damaged in (data[:-9], data[: len(data) // 2], data + data, b"", b"no certificate", data[:1]):
        path.write_bytes(damaged)
        with pytest.raises(CertificateError, match=r"^line [0-9]+: "):
            verify(str(path))


def test_a_file_may_be_read_in_parts(tmp_path: Path) -> None:
    path = str(certificate(tmp_path / "a", CHAIN_OF_DROPS, MATE_IN_ONE))
    assert verify(path, most=8) == verify(path)
    lines = lines_of(Path(path))
    for missing in range(1, len(lines), 2):
        if not lines[missing].startswith(b"{"):
            with_lines(tmp_path / "b", [*lines[:missing], *lines[missing + 1 :]])
            assert _is_refused(str(tmp_path / "b"), 10**6) == _is_refused(str(tmp_path / "b"), 8)


def _is_refused(path: str, most: int) -> bool:
    try:
        verify(path, most)
    except CertificateError:
        return True
    return False


def test_processes_prove_and_refuse_the_same(tmp_path: Path) -> None:
    jobs = 3
    path = certificate(tmp_path / "a", CHAIN_OF_DROPS, MATE_IN_ONE)
    assert verify_in_processes(str(path), jobs) == verify(str(path))
    assert verify_in_processes(str(path), jobs, most=8) == verify(str(path))
    lines = lines_of(path)
    for missing in range(len(lines)):
        if not lines[missing].startswith(b"{"):
            changed = str(with_lines(tmp_path / "b", [*lines[:missing], *lines[missing + 1 :]]))
            assert _is_refused(changed, 10**6) == _is_refused_by_several(changed, jobs)


def _is_refused_by_several(path: str, jobs: int) -> bool:
    try:
        verify_in_processes(path, jobs)
    except CertificateError as error:
        return str(error).startswith("line ")
    return False


# --- The facts of a certificate: which are written, and how often ----------------------------------

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
    agenda, position = NeededFacts(), position_from_rules(parse_sfen(CHASE).position)
    facts = [NeededFact("N", position, n) for n in (3, FOREVER, 5, 5)] + [NeededFact("E", position, 4)]
    mates = [NeededFact("A", position, 1), NeededFact("D", position, 8)]
    agenda.note([*facts, *mates])
    taken = [agenda.next() for _ in range(8)]
    assert taken[:2] == mates[::-1], "what was noted last first"
    assert [item and item.plies for item in taken[2:]] == [FOREVER, 5, 5, 4, 3, None]


def test_a_position_is_written_once_however_often_a_disproof_returns_to_it(engine: DfPnEngine, tmp_path: Path) -> None:
    """So ten times the plies take no more facts."""
    facts, start = [], position_text(position_from_rules(parse_sfen(CHASE).position)).encode()
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
    monkeypatch.setattr(writer, "LAST_RAISED", 1)
    judgement = Judgement(Defect.NONE, length=7, unresolved=True)
    proved = certified(engine, parse_sfen(IN_SEVEN).position, judgement, tmp_path / "a")
    assert proved == [Proved(IN_SEVEN, mate=7)]


@pytest.mark.parametrize("positions", [15, pytest.param(300, marks=pytest.mark.slow)])
def test_no_mate_within_many_plies_is_proved(engine: DfPnEngine, tmp_path: Path, positions: int) -> None:
    """Of what a search of few nodes decides of random positions, each is written once."""
    tested = 0
    for position in attacks(positions, "certificates of no mate"):
        engine.forget()
        packed = pack(position)
        if engine.answered_within(20_000, partial(engine.mates, packed, 41)) is not False:
            continue
        judgement = Judgement(Defect.NONE, unresolved=True, no_mate_within=41)
        (proved,) = certified(engine, position, judgement, tmp_path / "a")
        assert (proved.mate, proved.no_mate) == (None, 41), format_sfen(position)
        assert set(times_written(tmp_path / "a").values()) <= {1}, format_sfen(position)
        tested += 1
    assert tested > positions // 3


# --- what is claimed of a problem: all that its judgement proves, and under limits what they allow ---

FUTILE_DROP_IN_LINE = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"


def certified_by(
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
    proved, left = certified_by(engine, IN_SEVEN, judgement, tmp_path / "a")
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
        monkeypatch.setattr(writer, "MAX_FACTS", most)
        with suppress(LimitReached):
            proved, left = certified_by(engine, IN_SEVEN, judgement, tmp_path / "a")
        most += 2 + most // 10
        assert most < 10**5
    assert (proved.mate, len(proved.line), proved.unique) == (7, 7, None)


def test_of_an_unresolved_judgement_the_length_is_certified(engine: DfPnEngine, tmp_path: Path) -> None:
    judgement = replace(Judge(engine).judge(parse_sfen(IN_SEVEN).position), unresolved=True, searched=9)
    proved, left = certified_by(engine, IN_SEVEN, judgement, tmp_path / "a")
    assert (proved.mate, proved.unique, left) == (7, None, [])


def test_second_solutions_after_futile_drops_are_left_out(engine: DfPnEngine, tmp_path: Path) -> None:
    """Such a drop may last longer than the mate; the facts of a mate do not follow it."""
    sfen = FUTILE_DROP_IN_LINE
    judgement = Judge(engine).judge(parse_sfen(sfen).position)
    line = judgement.line
    assert len(line) > (judgement.length or 0)
    found = SecondSolution(Defect.COOK, line, 2, line[2], parse_move("8a7b"), 3)
    proved, _ = certified_by(engine, sfen, replace(judgement, findings=(found,)), tmp_path / "a")
    assert (proved.mate, proved.second) == (3, ())


def test_nothing_known_is_not_certified(engine: DfPnEngine, tmp_path: Path) -> None:
    with pytest.raises(NotCertified):
        certified_by(engine, IN_SEVEN, Judgement(Defect.NONE, unresolved=True), tmp_path / "a")
    with pytest.raises(NotCertified):
        certified_by(engine, IN_SEVEN, Judgement(Defect.ILLEGAL_START), tmp_path / "a")


# --- Damaged certificates prove nothing false: they are refused, or what they still prove is true ---

PROBLEMS = (
    "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1",
    "8k/9/6GB1/6G2/9/9/9/9/9 b P2rb2g4s4n4l17p 1",
    "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1",
    "8k/9/6NG1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1",
)
MANY = 200


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate(tmp_path_factory.mktemp("certificates") / "made", *PROBLEMS)


def test_the_sound_file_is_accepted(made: Path) -> None:
    proved = verify(str(made))
    assert [one.sfen for one in proved] == list(PROBLEMS)
    assert [one.mate for one in proved] == [7, 3, 3, None]
    assert proved[0].unique == "*"
    assert proved[1].second


@pytest.mark.fuzz
def test_a_changed_fact_never_proves_more(made: Path, tmp_path: Path) -> None:
    sound, lines = verify(str(made)), lines_of(made)
    refused = 0
    for seed in range(MANY):
        damaged = damage(lines, random.Random(seed))
        proved = proved_by(with_lines(tmp_path / "damaged", damaged))
        refused += proved is None
        assert proved in (None, sound)
    assert refused > MANY // 2


def test_a_changed_claim_is_refused(made: Path, tmp_path: Path) -> None:
    lines = lines_of(made)
    at = [i for i, line in enumerate(lines) if line.startswith(b"{")]
    for index, changed in (
        (0, {"mate": 5}), (0, {"mate": 9}), (0, {"line": ["9d8b+"] * 7}), (1, {"unique": "*", "second": []}),
        (1, {"unique": 0}), (2, {"mate": 1}), (2, {"mate": 5, "line": []}), (3, {"no_mate": None, "mate": 1}),
    ):  # fmt: skip
        fields = {**json.loads(lines[at[index]]), **changed}
        other = [*lines]
        other[at[index]] = json.dumps(fields).encode() + b"\n"
        assert proved_by(with_lines(tmp_path / "damaged", other)) is None, changed


def test_a_file_with_changed_bytes_is_refused(made: Path, tmp_path: Path) -> None:
    sound, data = verify(str(made)), made.read_bytes()
    path = tmp_path / "damaged"
    for seed in range(MANY // 4):
        rng = random.Random(seed)
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(changed[: rng.randrange(len(data))] if seed % 2 else changed)
        assert proved_by(path) in (None, sound)


def damage(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """The lines of a certificate with one fact left out or changed."""
    facts = [i for i, line in enumerate(lines) if not line.startswith(b"{")]
    i = rng.choice(facts)
    words = lines[i].split()
    way = rng.randrange(5)
    if way == 0:
        return [*lines[:i], *lines[i + 1 :]]
    if way == 1:
        words[1] = b"*" if words[1] != b"*" and rng.random() < 0.3 else b"%d" % rng.randrange(8)
    elif way == 2:
        words[-1] = lines[rng.choice(facts)].split()[-1]
    elif way == 3:
        words[0] = rng.choice((b"A", b"D", b"N", b"E", b"U"))
    else:
        at = max(j for j, word in enumerate(words) if len(word) == 88)
        board = bytearray(words[at])
        one, other = rng.randrange(81), rng.randrange(81)
        board[one], board[other] = board[other], board[one]
        words[at] = bytes(board)
    return [*lines[:i], b" ".join(words) + b"\n", *lines[i + 1 :]]


def proved_by(path: Path) -> list[Proved] | None:
    """What a file proves; None if it is refused."""
    try:
        return verify(str(path))
    except CertificateError:
        return None
