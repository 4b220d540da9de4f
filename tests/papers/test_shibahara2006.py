# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shogi: its moves, the search, the judge, the list, the command."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from papers.__main__ import papers
from papers.kernel.shibahara2006 import CANDIDATES, WINDOW
from papers.kernel.small_shogi import MAX_MOVES, child_positions
from papers.shibahara2006 import (
    FIRST_RUN,
    SETTINGS,
    ShibaharaRow,
    VariantSearch,
    games_of_the_paper,
    solve_game,
    summary_lines,
)
from papers.small_shogi import KINDS as GAME_KINDS
from papers.small_shogi import (
    KING,
    NOTHING,
    EndgameTable,
    GameResult,
    ShogiVariant,
    exchanged_sides,
    packed_variant_position,
    unpacked_variant_position,
    variant_tables,
)
from solver.engines.dfpn.unbounded_search import CheckSearch
from solver.results import LimitReached, Limits
from tests.papers import naive_small
from tests.sampling import few
from tests.solver.engines.graphs import Graph, GraphSearch, winning_nodes

KING_OF_THE_SECOND = 6
"""His king's code."""
KINDS = ("飛", "角", "金", "銀", "桂", "香", "歩", "飛歩", "角桂", "銀香", "桂歩", "歩歩", "金桂")


def walk(game: ShogiVariant, seed: int, number: int) -> list[naive_small.Position]:
    """Positions of random games."""
    chance = random.Random(seed)
    back_row = game.kinds + "玉–" if len(game.kinds) == 1 else "玉".join(game.kinds)
    positions: list[naive_small.Position] = []
    position = naive_small.start(game, back_row)
    while len(positions) < number:
        positions.append(position)
        after = naive_small.after_moves(position)
        position = chance.choice(after) if after else naive_small.start(game, back_row)
    return positions


@cache
def solved(kinds: str, zone: int) -> EndgameTable:
    endgame = EndgameTable(ShogiVariant(kinds, zone))
    for _ in endgame.solve():
        pass
    return endgame


def children_of(game: ShogiVariant, state: int) -> list[int]:
    out = np.zeros(MAX_MOVES, np.int64)
    return [int(child) for child in out[: child_positions(variant_tables(game), state, out)]]


def in_zones(kinds: Sequence[str]) -> list[Any]:
    """Sets of pieces in each zone; without `--slow` each set in one of them."""
    return few([(one, (i + j) % 3 + 1) for j in range(3) for i, one in enumerate(kinds)], len(kinds))


@pytest.mark.parametrize(("kinds", "zone"), in_zones(KINDS))
def test_the_moves_are_those_of_the_slow_game(kinds: str, zone: int) -> None:
    game = ShogiVariant(kinds, zone)
    for position in walk(game, zone, 60):
        expected = sorted(after.state for after in naive_small.after_moves(position))
        assert sorted(children_of(game, position.state)) == expected


@pytest.mark.parametrize("kinds", KINDS)
def test_turning_twice_and_packing_change_nothing(kinds: str) -> None:
    game = ShogiVariant(kinds, 2)
    for position in walk(game, 5, 40):
        board, hand, attacker = unpacked_variant_position(position.state)
        assert packed_variant_position(board, hand, attacker=attacker) == position.state
        mirrored = [board[cell - cell % 3 + 2 - cell % 3] for cell in range(12)]
        assert packed_variant_position(mirrored, hand, attacker=attacker) == position.state
        assert exchanged_sides(game, exchanged_sides(game, position.state)) == position.state


def test_a_mate_by_a_dropped_pawn_is_no_move() -> None:
    game = ShogiVariant("金歩", 1)
    board = [0] * 12
    board[0], board[5], board[6], board[11] = 6, 2, 2, 1  # golds guard the cells of flight
    own = packed_variant_position(board, (0, 1), attacker=True)
    mated = [child for child in children_of(game, own) if not children_of(game, child)]
    dropped = packed_variant_position([*board[:3], 4, *board[4:]], (0, 0), attacker=False)
    assert dropped not in children_of(game, own)
    assert dropped not in mated
    assert children_of(game, dropped) == []


def test_a_knight_that_may_not_go_to_a_cell_does_not_attack_it() -> None:
    assert not variant_tables(ShogiVariant("桂", 1)).reach[2, 9:].any()
    assert variant_tables(ShogiVariant("桂", 2)).reach[2, 9:].any()


TWO_KINDS = [("桂歩", 1), ("飛金", 1)]
FOUR_ALIKE = [("金金", 1), ("歩歩", 2)]
SETS = [*in_zones(KINDS[:7]), *few([*FOUR_ALIKE, *TWO_KINDS], 1)]


@pytest.mark.parametrize(("kinds", "zone"), SETS)
def test_the_judge_s_values_follow_from_one_another_and_the_search_agrees(kinds: str, zone: int) -> None:
    """A win has a lost child, one ply nearer; all children of a loss are won; a draw has a drawn one."""
    endgame = solved(kinds, zone)
    for position in walk(endgame.game, 7 + zone, 150):
        value, plies = endgame.value(position.state)
        after = [endgame.value(child.state) for child in naive_small.after_moves(position)]
        losses = [n for result, n in after if result == GameResult.LOSS and n is not None]
        wins = [n for result, n in after if result == GameResult.WIN and n is not None]
        if value == GameResult.WIN:
            assert plies == 1 + min(losses)
        elif value == GameResult.LOSS:
            assert len(wins) == len(after)
            assert plies == 1 + max(wins, default=-1)
        else:
            assert not losses
            assert len(wins) < len(after)
    for bits, settings in ((8, "ours"), *((16, name) for name in SETTINGS)):  # with any table
        compared = 0
        for position in walk(endgame.game, zone, 200)[::40]:
            search = VariantSearch(endgame.game, bits, SETTINGS[settings])
            state = position.state if position.side == 0 else exchanged_sides(endgame.game, position.state)
            found = solve_game(endgame.game, state, Limits(nodes=500_000), search).result
            if found is not None:  # a table that is too small may never end
                assert found == endgame.value(state)[0]
                compared += 1
        assert compared


@pytest.mark.parametrize(("kinds", "zone"), in_zones(KINDS[:7]))
def test_everything_the_table_knows_for_good_is_true(kinds: str, zone: int) -> None:
    """Proof and disproof pieces (5.3), and the check by theorem 5 (5.2.2): whatever was accepted holds."""
    game = ShogiVariant(kinds, zone)
    search = VariantSearch(game, 16)
    for start in games_of_the_paper():
        if start.game == game:
            assert solve_game(game, start.state, Limits(), search).result == start.paper
    told = list(search.answers())
    assert len(told) > WINDOW
    for state, wins in told:
        value, _ = solved(kinds, zone).value(state)
        attacker = unpacked_variant_position(state)[2]
        attacker_wins = value == (GameResult.WIN if attacker else GameResult.LOSS)
        assert attacker_wins == wins


@pytest.mark.parametrize("kinds", KINDS[:7])
def test_more_in_hand_is_never_worse(kinds: str) -> None:
    """Dominance (6.3): the same board, a piece passed from the other hand to the mover's."""
    endgame = solved(kinds, 2)
    compared = 0
    for position in walk(endgame.game, 3, 400):
        board, hand, attacker = unpacked_variant_position(position.state)
        on_board = sum(code in (2, 3, 7, 8) for code in board)
        if attacker and on_board + hand[0] < 2:
            richer = packed_variant_position(board, (hand[0] + 1, 0), attacker=True)
            assert endgame.value(richer)[0] >= endgame.value(position.state)[0]
            compared += 1
    assert compared


def random_graph(chance: random.Random) -> Graph:
    nodes = chance.randint(2, 10)
    attacker = tuple(chance.random() < 0.5 for _ in range(nodes))
    successors = tuple(tuple(chance.sample(range(nodes), chance.randint(0, min(3, nodes)))) for _ in range(nodes))
    return Graph(attacker, successors)


def test_two_questions_tell_a_draw_on_graphs() -> None:
    """Section 3 and theorem 3: two noes are a draw, and no draw is called anything else."""
    chance = random.Random(2006)
    seen = set()
    for _ in range(3000):
        graph = random_graph(chance)
        other = Graph(tuple(not attacker for attacker in graph.attacker), graph.successors)
        won, lost = winning_nodes(graph), winning_nodes(other)
        assert not won & lost
        for root in range(len(graph.attacker)):
            first, second = (CheckSearch(GraphSearch(one)).wins(root) for one in (graph, other))
            assert (first, second) == (root in won, root in lost)
            seen.add((first, second))
    assert seen == {(True, False), (False, True), (False, False)}


def test_a_limit_leaves_a_game_open_and_the_search_as_good_as_new() -> None:
    game = ShogiVariant("歩", 1)
    search = VariantSearch(game, 12)
    assert solve_game(game, game.start("歩玉–"), Limits(nodes=50), search).result is None
    assert solve_game(game, game.start("歩玉–"), Limits(), search).result == GameResult.DRAW


def test_no_disproof_is_given_when_a_candidate_was_lost() -> None:
    """The last candidates may be lost on the way up to the root, with nothing left to search."""
    game = ShogiVariant("歩", 1)
    search = VariantSearch(game, 12)
    logged = search._arena.search
    logged.candidates = logged.handed = CANDIDATES // 2  # the log is full
    with pytest.raises(LimitReached):
        search.prove(0x1800026000)
    assert logged.lost


@pytest.mark.parametrize("kinds", ["歩", "桂"])
def test_epochs_may_be_numbered_anew(kinds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few numbers nothing unverified outlives its question, and what was accepted stays."""
    monkeypatch.setattr("papers.shibahara2006._EPOCHS", 3)
    endgame = solved(kinds, 1)
    search = VariantSearch(endgame.game, 14)
    found = []
    for position in walk(endgame.game, 8, 400)[::10]:
        if position.side == 0:
            found.append(solve_game(endgame.game, position.state, Limits(nodes=20_000), search).result)
            assert found[-1] in (None, endgame.value(position.state)[0])
    assert found.count(None) < len(found) / 2
    for state, wins in search.answers():
        value, _ = endgame.value(state)
        assert (value == (GameResult.WIN if unpacked_variant_position(state)[2] else GameResult.LOSS)) == wins
    assert search.stored == np.count_nonzero(search._arena.table.state)


def test_the_list_is_the_paper_s() -> None:
    listed = games_of_the_paper()
    assert [start.number for start in listed] == list(range(1, 238))
    by_zone = {zone: [start.paper for start in listed if start.zone == zone] for zone in (1, 2, 3)}
    counts = {zone: (papers.count(GameResult.WIN), papers.count(GameResult.DRAW)) for zone, papers in by_zone.items()}
    assert counts == {1: (38, 41), 2: (51, 28), 3: (45, 34)}
    first = [start.paper for start in listed if start.first_run]
    assert (first.count(GameResult.WIN), first.count(GameResult.DRAW)) == (133, 73)
    assert (listed[102].back_row, listed[102].zone) == ("玉–桂", 1)


def test_the_list_holds_every_back_rank_that_section_2_allows() -> None:
    """A king and one or two pieces, one bishop and one rook at the most; the second king not
    attacked at the start; of a back rank and its mirror image one."""
    found = set()
    for cells in product((*GAME_KINDS, NOTHING), repeat=2):
        for file in range(3):
            row = "".join((*cells[:file], KING, *cells[file:]))
            if set(cells) == {NOTHING} or any(row.count(kind) > 1 for kind in "飛角"):
                continue
            game = ShogiVariant.of(row, 1)
            board, _, _ = unpacked_variant_position(game.start(row))
            occupied = sum(1 << cell for cell, code in enumerate(board) if code)
            attacked = [
                int(variant_tables(game).reach[code, cell, occupied]) for cell, code in enumerate(board) if 0 < code < 6
            ]
            if not any(cells >> board.index(KING_OF_THE_SECOND) & 1 for cells in attacked):
                found.add(min(row, row[::-1]))
    listed = {min(start.back_row, start.back_row[::-1]) for start in games_of_the_paper()}
    assert found == listed
    assert len(found) == 79


def board_of(**pieces: int) -> list[int]:
    """Codes by square, as in ``p31=6``: the king of the second player in the far left corner."""
    board = [0] * 12
    for square, code in pieces.items():
        board[3 * (int(square[2]) - 1) + 3 - int(square[1])] = code
    return board


@pytest.mark.parametrize("bits", [8, 16])
def test_a_win_beside_a_way_round_to_the_same_position(bits: int) -> None:
    """Figure 3, by its moves: the king is mated at once after its only move, or goes round for ever.

    The picture is not in the text; the first player's king and a rook in hand are ours.
    """
    game, endgame = ShogiVariant("飛", 1), solved("飛", 1)
    king, rook, dragon = 1, 2, 3
    root, king_31, rook_13, king_21 = (
        packed_variant_position(board_of(**pieces, p23=king), (1, 0), attacker=attacker)
        for pieces, attacker in (
            ({"p21": KING_OF_THE_SECOND, "p14": rook}, False),
            ({"p31": KING_OF_THE_SECOND, "p14": rook}, True),
            ({"p31": KING_OF_THE_SECOND, "p13": rook}, False),
            ({"p21": KING_OF_THE_SECOND, "p13": rook}, True),
        )
    )
    mate = packed_variant_position(board_of(p31=KING_OF_THE_SECOND, p11=dragon, p23=king), (1, 0), attacker=False)
    assert children_of(game, root) == [king_31]
    assert {rook_13, mate} <= set(children_of(game, king_31))
    assert children_of(game, mate) == []
    assert children_of(game, rook_13) == [king_21]
    assert root in children_of(game, king_21)  # back again
    assert endgame.value(root) == (GameResult.LOSS, 2)
    for first in (root, king_31, rook_13, king_21):
        assert CheckSearch(VariantSearch(game, bits)).wins(first)


@pytest.mark.parametrize("zone", few([2, 1, 3], 1))
def test_the_games_of_one_piece_come_out_as_in_the_paper(zone: int) -> None:
    for start in games_of_the_paper():
        if len(start.game.kinds) == 1 and start.zone == zone:
            value, _ = solved(start.game.kinds, start.zone).value(start.state)
            assert solve_game(start.game, start.state, Limits(), VariantSearch(start.game, 16)).result == value
            assert value == start.paper


@pytest.mark.slow
def test_the_longest_win_has_81_moves() -> None:
    """Game 233; the page states it."""
    start = games_of_the_paper()[232]
    assert solved(start.game.kinds, start.zone).value(start.state) == (GameResult.WIN, 81)


def test_other_back_ranks_are_refused() -> None:
    for back_row, zone in (("飛玉", 1), ("飛玉–", 0), ("飛飛飛", 1), ("–玉–", 2), ("王玉–", 1)):
        with pytest.raises(ValueError, match="back rank"):
            ShogiVariant.of(back_row, zone)


def row(
    number: int, result: int | None, counts: tuple[int, int, int, int], reason: str = "", settings: str = ""
) -> ShibaharaRow:
    """``counts``: new starts, candidates logged, those of the last starts, those searched."""
    value = None if result is None else GameResult(result)
    return ShibaharaRow(value, reason or None, 10, 0.1, *counts, number, settings, 1.0)


def test_the_summary_counts_results_and_work() -> None:
    rows = [row(1, 0, (3, 70, 40, 2)), row(2, 0, (5, 90, 60, 4)), row(3, None, (0, 9, 0, 0), "seconds")]
    lines = {name.strip(): (here, paper) for name, here, paper in summary_lines(rows)}
    assert lines["zone of 1: won / lost / drawn / open"] == ("0 / 0 / 2 / 1", "1 / 0 / 2 / 0")
    assert lines["open for time / candidates / depth"] == ("1 / 0 / 0", "")
    assert lines["new starts a draw, first run"] == ("4.0", "8.0")
    assert lines["candidates searched"] == ("3.0", "747")
    assert lines["candidates of the last starts"] == ("50.0", "")
    assert "new starts a draw, second run" not in lines
    later = {name.strip(): (here, paper) for name, here, paper in summary_lines([row(10, 0, (9, 7, 4, 2))])}
    assert later["new starts a draw, second run"] == ("9.0", "26.9")
    assert "new starts a draw, first run" not in later
    rows = [row(number, None, (0, 0, 0, 0), "length", FIRST_RUN) for number in (9, 10)]
    lines = {name.strip(): (here, paper) for name, here, paper in summary_lines(rows)}
    assert lines["all: won / lost / drawn / open"] == ("0 / 0 / 0 / 2", "1 / 0 / 0 / 1")
    assert lines["open for time / candidates / depth"] == ("0 / 0 / 2", "7 / 3 / 21")
    assert lines["open in the paper's first run too"] == ("1", "")


@pytest.mark.parametrize(("number", "settings", "nodes", "reason"), few([
    (131, "root-thresholds", 2_750, None), (131, "open-dominance", 4_093, None), (131, FIRST_RUN, 3_413, None),
    (106, FIRST_RUN, 1_074_138, "length"), (131, "ours", 2_659_579, None),
], 4))  # fmt: skip
def test_single_games_take_the_nodes_that_the_page_states(
    number: int, settings: str, nodes: int, reason: str | None
) -> None:
    """With thresholds of the root (4.2), with counts that dominance lends (6.3), with paths that end (6.1)."""
    start = games_of_the_paper()[number - 1]
    solved = solve_game(start.game, start.state, Limits(), VariantSearch(start.game, None, SETTINGS[settings]))
    assert (solved.result, solved.reason, solved.nodes) == (None if reason else start.paper, reason, nodes)


def papers_shibahara(*arguments: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(papers, ["shibahara", "--table", "16", *map(str, arguments)])
    return done.exit_code, done.stdout


def test_the_command_prints_both_results_and_goes_on_from_its_rows(tmp_path: Path) -> None:
    rows, judge = tmp_path / "rows", tmp_path / "judge"
    chosen = ("-n", "116", "-n", "128", "--rows", rows, "--judge", judge)
    status, out = papers_shibahara(*chosen)
    assert status == 0
    assert "differs" not in out
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["116", "128"]
    assert out.splitlines()[2].split()[6:8] == ["won", "1"]
    kept = rows.read_text(), judge.read_text()
    assert papers_shibahara(*chosen) == (0, out)
    assert (rows.read_text(), judge.read_text()) == kept


def test_a_game_left_open_is_tried_again_with_more_time_only(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    assert papers_shibahara("-n", "140", "--time", "0", "--rows", rows)[0] == 1
    assert papers_shibahara("-n", "140", "--time", "0", "--rows", rows)[0] == 1
    assert len(rows.read_text().splitlines()) == 1
    assert papers_shibahara("-n", "140", "--rows", rows)[0] == 0
    assert len(rows.read_text().splitlines()) == 2
    assert papers_shibahara("-n", "140", "--time", "0", "--rows", rows)[0] == 0


def test_a_judgement_is_kept_once_though_its_set_was_not_finished(tmp_path: Path) -> None:
    judge = tmp_path / "judge"
    chosen = ("--judge-only", "--judge", judge, "-n", "7", "-n", "118")  # one set of pieces
    assert papers_shibahara(*chosen)[0] == 0
    first, second = judge.read_text().splitlines()
    judge.write_text(first + "\n")
    assert papers_shibahara(*chosen)[0] == 0
    assert judge.read_text().splitlines() == [first, second]


def test_columns_of_what_was_not_asked_for_are_left_out_and_the_others_stand_in_line() -> None:
    _, out = papers_shibahara("-n", "116", "-n", "128", "-n", "33", "--time", "0")
    heads, *lines = out.splitlines()[:4]
    assert "judge" not in heads
    ends = {cell_len(line[: line.index("first") + len("first")]) for line in lines}
    assert ends == {heads.index("run") + len("run")}
    assert max(map(cell_len, lines)) <= 80


def test_what_cannot_be_meant_is_refused() -> None:
    cases: list[tuple[list[str], str]] = [
        (["--rows", "same", "--judge", "same"], "need different files"),
        (["--time", "inf"], "too large"),
        (["--judge-only"], "needs --judge"),
    ]
    for arguments, told in cases:
        done = CliRunner().invoke(papers, ["shibahara", *arguments])
        assert (done.exit_code, told in done.stderr) == (2, True), told


def test_too_large_a_table_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("papers.shibahara2006.VariantSearch", no_room)
    done = CliRunner().invoke(papers, ["shibahara", "-n", "1"])
    assert done.exit_code == 1
    assert done.stderr == "Error: out of memory: use a smaller --table, or omit --judge\n"
