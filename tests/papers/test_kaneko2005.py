# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko's experiment: its parts, its positions, its tables, its command."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from papers.__main__ import papers
from papers.kaneko2005 import (
    COLLECTED_WITHIN,
    CYCLES,
    DF_PN_CYCLES,
    FEW,
    METHODS,
    NOT_WITHIN,
    PAPER,
    PLAIN,
    KanekoRow,
    SearchExperiment,
    collect,
    contradictions,
    played_positions,
    table_of_means,
)
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel import outcome
from solver.engines.dfpn.kernel.arena import CHILD, FRAME, LEFT, ONE, SEARCH, TWO, UNKNOWN, node_key
from solver.engines.dfpn.kernel.frontier import FLIGHTS_LEFT, optimistic_numbers, search_to_depth
from solver.engines.dfpn.kernel.mate_in_one import TAKEN_AWAY, mate_in_one
from solver.engines.dfpn.kernel.search import _farther, look_ahead
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE
from solver.engines.dfpn.methods import Estimate, Frontier, Loops, Method
from solver.results import Interposition
from tests.positions import checks
from tests.sampling import attacks, crowded
from tests.tsume.problems import CORRECT, HARD, NO_MATE
from tsume_rules.kernel.move_generation import king_flight_directions
from tsume_rules.kernel.state import dropped, packed_hand, target_of
from tsume_rules.kernel.tables import REACH
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, pack_move, record_after, start_faults
from tsume_rules.position import Kind, Piece, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

# --- the positions and the measurements -------------------------------------------------------------


def row(sfen: str, method: str, mates: bool | None, expanded: int) -> KanekoRow:
    return KanekoRow(sfen, method, mates, expanded / 4, expanded, 2 * expanded, 3 * expanded)


def test_the_paper_has_figures_of_each_method_in_each_table() -> None:
    assert list(METHODS)[:5] == ["df-pn", "df-pn/a1", "df-pn/a3", "df-pn/d2", "df-pn/a1+p2d2"]
    assert len(METHODS) == 15
    for figures in PAPER.values():
        assert [*figures, FEW] == list(METHODS)
        assert {len(some) for some in figures.values()} == {4}
    assert PAPER[5]["df-pn+/d2"] == (1004, 1608, 1014, 0)
    assert PAPER[9]["df-pn+/d2+p2d2"] == (958, 1427, 1060, 0)


def test_every_method_decides_and_a_search_does_not_depend_on_those_before_it() -> None:
    experiment = SearchExperiment()
    rows = list(experiment.measure_all([CORRECT, NO_MATE], {}, Loops.TIES))
    assert [(r.sfen, r.method) for r in rows] == [(sfen, method) for sfen in (CORRECT, NO_MATE) for method in METHODS]
    assert {r.mates for r in rows[:15]} == {True}
    assert {r.mates for r in rows[15:]} == {False}
    assert contradictions(rows) == []
    assert rows[2].expanded < rows[0].expanded == rows[0].nodes
    for before in (rows[-1], rows[0]):
        assert replace(experiment.measure(before.sfen, before.method), seconds=before.seconds) == before
    marked = {(r.sfen, r.method): replace(r, nodes=-1) for r in rows[:15]}
    again = list(experiment.measure_all([CORRECT, NO_MATE], marked, Loops.TIES))
    assert [r.nodes == -1 for r in again] == [True] * 15 + [False] * 15
    assert [KanekoRow.from_json(r.to_json()) for r in rows] == rows
    assert experiment.measure(HARD, PLAIN, 20).mates is None  # too many nodes: a failure


def test_the_positions_are_the_first_of_games_that_anyone_can_play() -> None:
    experiment = SearchExperiment()
    mates, none = collect(experiment, PLAIN, 3, 2)
    assert (len(set(mates)), len(set(none))) == (3, 2)
    assert (mates, none) == collect(experiment, PLAIN, 3, 2)
    assert mates[0] == "l1sgk1gnl/9/p2b+P2pp/1p3p3/8s/1P1PP4/P4PP1P/1S4R2/4RK1g1 b GSNL4Pb2nlp 1"
    games = [list(played_positions(random.Random(f"{PLAIN} {game}"))) for game in range(6)]
    owners = [[any(sfen in game for sfen in some) for game in games] for some in (mates, none)]
    assert [sum(some) for some in owners] == [3, 2]
    for sfen in (*mates, *none):
        position, found = parse_sfen(sfen).position, experiment.measure(sfen, PLAIN)
        assert not start_faults(position)
        assert checks(position)
        assert found.mates is (sfen in mates)
        assert found.expanded <= COLLECTED_WITHIN
        assert found.mates or found.expanded > NOT_WITHIN


def test_a_position_that_a_method_fails_on_is_left_out_of_all_means() -> None:
    rows = [row(sfen, method, True, 8 if method == PLAIN else 2) for sfen in "ab" for method in METHODS]
    rows[-1] = replace(rows[-1], mates=None)
    lines = table_of_means(rows)
    assert [line.means for line in lines] == [(2.0, 8, 16)] + [(0.5, 2, 4)] * 14
    assert [line.ratios for line in lines] == [(1, 1, 1)] + [(0.25, 0.25, 0.25)] * 14
    assert [line.failures for line in lines] == [0] * 14 + [1]
    a3 = 2 * DF_PN_CYCLES + 4 * CYCLES[Frontier.A3]
    assert lines[2].priced == pytest.approx(a3 / (8 * DF_PN_CYCLES))
    assert {line.means for line in table_of_means([row("a", method, None, 9) for method in METHODS])} == {(0, 0, 0)}
    assert contradictions([row("a", PLAIN, True, 1), row("a", "df-pn+", False, 1)]) == ["a"]


def test_the_command_prints_tables_keeps_rows_and_draws(tmp_path: Path) -> None:
    kept = tmp_path / "rows"
    arguments = ["kaneko", "--mates", "2", "--no-mates", "1", "--rows", str(kept), "--plots", str(tmp_path)]
    arguments += [word for table in "346578" for word in ("--table", table)]
    first = CliRunner().invoke(papers, arguments)
    assert first.exit_code == 0
    assert [line for line in first.stdout.splitlines() if line.startswith("table")] == [
        "tables 3 and 4: fixed-depth searches of 2 mates",
        "tables 3 and 4: fixed-depth searches of 1 no-mates",
        "table 5: 2 mates found by df-pn",
        "table 6: 1 no-mates found by df-pn",
        "table 7: 2 mates found by df-pn+/a1",
        "table 8: 2 mates found by df-pn+/a3",
    ]
    assert (tmp_path / "kaneko2005_time.png").read_bytes().startswith(b"\x89PNG")
    text = kept.read_text()
    assert len(text.splitlines()) == 7 * 15
    again = CliRunner().invoke(papers, [*arguments[:-12], "--table", "5"])
    assert (again.exit_code, kept.read_text()) == (0, text)


# --- what the paper states of its parts, on random positions ---------------------------------------

PIECES = ("+p", "+l", "+n", "+s", "+b", "+r", "g", "p", "l", "n", "s", "b", "r")
TABLE_2 = {
    "attacker": dict(zip(PIECES, (2, 4, 4, 4, 8, 8, 8, 1, 4, 4, 4, 6, 6), strict=True)),
    "defender": dict(zip(PIECES, (0, -2, -2, -2, -3, -3, -2, 0, -1, -1, -2, -2, -2), strict=True)),
}
KING = Piece(Side.DEFENDER, Kind.KING)
KINDS = ("", "p", "l", "n", "s", "b", "r", "g", "", "+p", "+l", "+n", "+s", "+b", "+r")


def test_moves_cost_what_table_2_says() -> None:
    for side, costs in (("attacker", outcome._ATTACKER), ("defender", outcome._DEFENDER)):
        assert {kind: int(costs[code]) for code, kind in enumerate(KINDS) if kind} == TABLE_2[side]


def numbers_two_plies_deep(packed: PackedPosition) -> tuple[int, int]:
    """Proof and disproof number of the tree of all checks and all answers, its leaves 1 and 1."""
    below = [len(legal_evasions(record_after(packed, (check,)))) for check in legal_checks(packed)]
    return min(below), len(below)


def pawn_is_not_allowed(position: Position, packed: PackedPosition) -> bool:
    """Whether a pawn in hand cannot check from a free cell before the king: it may be that it would mate."""
    front = position.board.index(KING) + 1
    free = front % 9 != 0 and position.board[front] is None
    drop = Move(front, drop=Kind.PAWN)
    return bool(position.attacker_hand[Kind.PAWN]) and free and pack_move(drop) not in legal_checks(packed)


@pytest.mark.parametrize("draw", [attacks, crowded])
def test_our_estimate_never_exceeds_the_numbers_of_the_tree_it_stands_for(
    draw: Callable[..., Iterator[Position]],
) -> None:
    """Ours bounds both from below but for two kinds of check that are not allowed: those that leave the attacker's
    own king attacked (he has none here), and the pawn dropped that would mate. The paper's H' is nearly so (4.4.1)."""
    out, looked_at, beyond = np.zeros(1 << 13, dtype=np.int64), 0, 0
    for position in draw(300, seed="admissible"):
        packed = pack(position)
        move, dn, pn = mate_in_one(packed, Interposition.COUNT_ALL.value, out, 0)
        if move or packed.king[0] or not legal_checks(packed):
            continue
        looked_at += 1
        true_pn, true_dn = numbers_two_plies_deep(packed)
        assert max(int(pn), 1) <= true_pn, format_sfen(position)
        assert int(dn) <= true_dn + pawn_is_not_allowed(position, packed), format_sfen(position)
        beyond += int(optimistic_numbers(packed)[0]) > true_pn
    assert looked_at > 30
    assert beyond <= looked_at // 7


def test_fewest_flights_by_table_are_those_of_the_three_cases() -> None:
    """4.4.1: dragons and horses; all other pieces; these, but no gold before the king."""
    golds = {7, 9, 10, 11, 12}
    for case, pieces in ((0, {13, 14}), (1, set(range(1, 13)) - {8}), (2, set(range(1, 13)) - {8})):
        for ray in range(8):
            for free in (0, 0b10110, 0b11111111, 0b1010101):
                checking = [p for p in pieces if (int(REACH[p]) >> (7 - ray)) & 1]
                checking = [p for p in checking if not (case == 2 and ray == 7 and p in golds)]
                left = [(free & ~int(TAKEN_AWAY[piece, ray, 1])).bit_count() for piece in checking]
                assert FLIGHTS_LEFT[case, ray, free] == min(left, default=free.bit_count())


def test_estimate_of_4_4_on_a_position() -> None:
    """A gold can be dropped on 5b, 4b, 6b; the last two are attacked by knights. Only 5a's neighbours are free."""
    packed = pack(parse_sfen("4k4/9/4P4/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1").position)
    # The silver on 5b leaves 4a, 6a and, as flights, none of 4b, 6b.
    assert king_flight_directions(packed).bit_count() == 4
    assert tuple(map(int, optimistic_numbers(packed))) == (2, 1)


def naive_numbers(root: PackedPosition, plies: int, line: tuple[int, ...] = ()) -> tuple[int, int]:
    """The numbers of the tree of ``plies`` plies, H' at its leaves; the first drop left on a cell stands for all."""
    mode, out, packed = Interposition.COUNT_ALL.value, np.zeros(1 << 13, dtype=np.int64), record_after(root, line)
    if mate_in_one(packed, mode, out, 0)[0]:
        return 0, int(INFINITE)
    if plies == 1:
        pn, dn = optimistic_numbers(packed)
        return int(pn), int(dn)
    pns, dns = [int(INFINITE)], []
    for check in legal_checks(packed):
        after, open_cells, below = record_after(packed, (check,)), set(), []
        for answer in sorted(legal_evasions(after), key=lambda move: (bool(dropped(move)), dropped(move))):
            if dropped(answer) and target_of(answer) in open_cells:
                continue
            numbers = naive_numbers(root, 1, (check, answer))
            if numbers[0]:
                below.append(numbers)
                open_cells |= {target_of(answer)} if dropped(answer) else set()
        pns.append(sum(pn for pn, _ in below))
        dns.append(min((dn for _, dn in below), default=0))
    return (0, int(INFINITE)) if 0 in pns else (min(pns), sum(dns))


@pytest.mark.parametrize("plies", [1, 3])
def test_a_fixed_depth_search_returns_the_numbers_of_its_tree(plies: int) -> None:
    engine = DfPnEngine(interposition=Interposition.COUNT_ALL, method=METHODS[PLAIN])
    answers = set()
    for position in [*attacks(80, seed="depth"), *crowded(20, seed="depth")]:
        packed = pack(position)
        arena = engine.arena(packed)
        search_to_depth(arena, plies, True)
        pn, dn = int(arena.search.pn), int(arena.search.dn)
        twin = naive_numbers(packed, plies)
        if 0 in (pn, *twin):
            assert (pn == 0) == (twin[0] == 0), format_sfen(position)
        elif dn and len(legal_checks(packed)):
            assert pn == twin[0], format_sfen(position)
        answers.add("mate" if pn == 0 else "open" if dn else "no mate")
    assert answers >= {"mate", "open"}


def test_a_new_node_is_left_when_the_numbers_of_its_tree_reach_the_thresholds() -> None:
    """4.1: before its checks are generated."""
    engine = DfPnEngine(interposition=Interposition.COUNT_ALL, method=METHODS["df-pn/a3"])
    packed = pack(parse_sfen(HARD).position)
    arena = engine.arena(packed)
    search_to_depth(arena, 3, True)
    pn, dn = int(arena.search.pn), int(arena.search.dn)
    for th_pn, th_dn, state in ((pn + 1, dn + 1, UNKNOWN), (pn, dn + 1, LEFT), (pn + 1, dn, LEFT)):
        frame = np.zeros(1, FRAME).view(np.recarray)[0]
        frame.key, frame.slot, frame.hand = node_key(packed, arena.search, True), packed.slot, packed_hand(packed)
        frame.n, frame.attacker, frame.th_pn, frame.th_dn = FOREVER, 1, th_pn, th_dn
        look_ahead(arena, frame)
        assert frame.state == state
        assert state == UNKNOWN or (frame.th_pn, frame.th_dn) == (pn, dn)


def test_numbers_of_a_check_are_1_and_1_or_the_kings_flights() -> None:
    """Table 1 and 5.1: H; nothing is searched, so not even a mate is seen when the check is generated."""
    for estimate, flights in ((Estimate.ONES, False), (Estimate.FLIGHTS, True)):
        engine = DfPnEngine(interposition=Interposition.COUNT_ALL, method=Method(Frontier.NOTHING, estimate))
        for position in attacks(10, seed="flights"):
            for check in legal_checks(pack(position)):
                after = record_after(pack(position), (check,))
                arena = engine.arena(after)
                outcome.assess_defence(arena, 0, FOREVER)
                expected = max(1, king_flight_directions(after).bit_count()) if flights else 1
                assert (arena.search.pn, arena.search.dn) == (expected, 1)


def farther(extension: int, numbers: list[int], *, attacker: bool) -> int:
    """The threshold of the best of some children beside the runner-up."""
    search, frame = np.zeros(1, SEARCH).view(np.recarray)[0], np.zeros(1, FRAME).view(np.recarray)[0]
    kids = np.zeros(len(numbers), CHILD).view(np.recarray)
    search.extension, frame.count, frame.attacker = extension, len(numbers), attacker
    for kid, number in zip(kids, numbers, strict=True):
        kid.pn, kid.dn = (number, 1) if attacker else (1, number)
    return int(_farther(search, frame, kids, sorted(numbers)[1]))


def test_a_threshold_is_extended_by_the_children_s_average_at_most_two() -> None:
    """p2d2 (5.5.1.2); without it a child is left as soon as its number passes the runner-up's."""
    rng = random.Random(3)
    for attacker in (True, False) * 200:
        numbers = [rng.randint(1, 9) for _ in range(rng.randint(2, 6))]
        second = sorted(numbers)[1]
        by_average = min(sum(numbers) // len(numbers), 2)
        assert farther(TWO, numbers, attacker=attacker) == second + by_average
        assert farther(ONE, numbers, attacker=attacker) == second + 1
