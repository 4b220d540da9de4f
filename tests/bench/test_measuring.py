# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench`: that it measures what it says, not how quick anything is."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import NoReturn

import click
import numpy as np
import pytest
import shogi
from click.testing import CliRunner, Result

from generator.problem import line_key
from generator.reverse.extender import TESTED, Stage
from scripts import measuring
from scripts.measuring import LinedProblem, NamedSfen, auc, contest, quantile, read_positions, read_problems
from scripts.measuring import command_times as of_commands
from scripts.measuring import composing as stage_costs
from scripts.measuring.command_times import commands, tree
from scripts.measuring.composing import Composed, StageTimer, compose, count_verdicts, generate, stages
from scripts.measuring.contest import (
    Contestant,
    by_deepened_df_pn,
    by_df_pn,
    by_mate_move,
    by_tsume,
    count_by_python_shogi,
    count_wrong,
    measure,
    scratch_space,
    solve,
)
from scripts.measuring.kernel import perft as count_compiled
from scripts.measuring.resemblance import (
    FEWEST,
    Contrasts,
    NearestPublished,
    PublishedProblems,
    contrasts,
    contrasts_of,
    feature_table,
    likeness,
    mirrored_row,
    nearest,
    position_row,
    telling_signs,
)
from scripts.measuring.searches import SearchAttempt, agree, classics, search_positions
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import SekineEngine
from solver.results import Interposition, Limits, Mate
from tsume_rules.kernel.move_generation import checks
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack
from tsume_rules.sfen import format_sfen, parse_line, parse_sfen

IN_FIVE = "7k1/9/9/7B1/5BR2/9/9/9/9 b Lr4g4s4n3l18p 1"
IN_THREE = "7r1/8R/6Bk1/9/8G/9/9/9/9 b Lb3g4s4n3l18p 1"
NONE = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"
FROM_GAMES = (
    "l6nl/1k1g1+P3/2np4p/2p1pp1b1/3P1GP1P/p1P2K3/1P2SP1+p1/1G1+r3N1/LN2+r3b w Pg3sl3p 120",
    "l3k3l/3r3+P1/2n1g3p/p2PpBp1g/1P3N1n1/P1Pn2P2/4PKs1P/1G7/L4S2L b RBGS6Ps 97",
)
COOKED = "7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
BITS = 12


def named(*sfens: str) -> list[NamedSfen]:
    return [NamedSfen(f"no. {i}", sfen, parse_sfen(sfen).position) for i, sfen in enumerate(sfens, start=1)]


def run(command: click.Command, *arguments: object) -> Result:
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


# --- files -----------------------------------------------------------------------------------------
def test_a_name_may_stand_on_either_side(tmp_path: Path) -> None:
    path = tmp_path / "some.tsv"
    for line in (f"first\t{IN_THREE}", f"{IN_THREE}\tfirst", f"first\tby N. N.\t{IN_THREE}"):
        path.write_text(f"# a comment\n\n{line}\n", encoding="utf-8")
        assert read_positions(path) == [NamedSfen("first", IN_THREE, parse_sfen(IN_THREE).position)]
    # lines without names are called by their number, and moves are left out
    path.write_text(f"{IN_THREE} moves L*2d\n{IN_FIVE}\n{NONE}\n", encoding="utf-8")
    found = [(one.name, one.sfen) for one in read_positions(path, 2)]
    assert found == [("some.tsv:1", IN_THREE), ("some.tsv:2", IN_FIVE)]


def test_a_line_without_a_position_is_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.txt"
    for line, message in (
        ("name\tno board", "some.txt:1: no column"),
        (IN_FIVE.replace(" b ", " x "), "some.txt:1: side to move must"),
    ):
        path.write_text(f"{line}\n{IN_THREE}\n", encoding="utf-8")
        assert [one.sfen for one in read_positions(path)] == [IN_THREE]
        assert message in capsys.readouterr().err
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(click.ClickException, match="no positions"):
        read_positions(path)


def test_a_file_name_may_give_the_length() -> None:
    assert measuring.length_in_name(Path("mate9/jissen_mate11.txt")) == 11
    assert measuring.length_in_name(Path("classics.tsv")) is None


# --- solve -----------------------------------------------------------------------------------------
def test_a_quantile_is_a_value_that_the_share_does_not_exceed() -> None:
    assert [quantile([1, 2, 3, 4], share) for share in (0.5, 0.75, 0.95, 1.0)] == [2, 3, 4, 4]


def test_contestants_take_turns() -> None:
    order: list[str] = []

    def contestant(name: str) -> Contestant:
        return Contestant(name, lambda: order.append(name), lambda i: order.append(f"{name}{i}"), list)

    times = measure([contestant("a"), contestant("b")], 2, 2, 0)
    assert order == ["a0", "a1", "a", "b0", "b1", "b"] * 2
    assert [(len(of_one.totals), len(of_one.each)) for of_one in times] == [(2, 2)] * 2


def test_open_lengths_are_not_wrong_and_uncounted_drops_may_make_them_shorter() -> None:
    for found, exact, faults in (
        ([3, 5], True, 0), ([3, 3], True, 1), ([3, 3], False, 0), ([3, 7], False, 1), ([-9, 0], True, 1)
    ):  # fmt: skip
        assert count_wrong(found, [3, 5], exact=exact) == faults, (found, exact)


def test_all_exact_ways_find_the_same_lengths() -> None:
    pytest.importorskip("cshogi")
    positions = named(IN_THREE, IN_FIVE, *FROM_GAMES)
    own = by_tsume(positions, Interposition.COUNT_ALL, 15, BITS)
    assert list(own.lengths()) == [3, 5, 3, 9]
    assert list(by_mate_move(positions, 15).lengths()) == [3, 5, 3, 9]
    assert all(length >= 3 for length in by_df_pn(positions).lengths())
    assert by_deepened_df_pn(positions, 15).lengths()[0] == 3
    assert list(by_mate_move(named(NONE, IN_FIVE), 3).lengths()) == [-1, -1]
    assert list(by_tsume(named(NONE, IN_FIVE), Interposition.COUNT_ALL, 3, BITS).lengths()) == [0, -5]


def test_solve_prints_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cshogi")
    monkeypatch.setattr(contest, "_MIN_SECONDS", 0.0)
    path = tmp_path / "mate3.txt"
    path.write_text(f"{FROM_GAMES[0]}\n{IN_THREE}\n", encoding="utf-8")
    lines = run(solve, "--repeat", 1, "--count-futile", path).output.splitlines()
    assert lines[0] == "mate3.txt: 2 positions, CPU time, medians of 1"
    rows = {line[:28].strip(): line[28:].split() for line in lines[2:7]}
    assert [name[:5] for name in rows] == ["tsume"] * 2 + ["cshog"] * 3
    assert rows["tsume, futile drops counted"][-2:] == ["0", "0"]


# --- perft -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("sfen", [IN_THREE, *FROM_GAMES])
def test_both_count_the_same_tree(sfen: str) -> None:
    position = parse_sfen(sfen).position
    packed = pack(position)
    before = packed.copy()
    moves, stack = scratch_space(3)
    counts = [int(count_compiled(packed, depth, moves, stack)) for depth in (1, 2, 3)]
    assert packed == before
    assert counts[0] == checks(packed, np.empty(1024, dtype=np.int64), 0)
    assert counts == [count_by_python_shogi(shogi.Board(format_sfen(position)), depth) for depth in (1, 2, 3)]


# --- classics --------------------------------------------------------------------------------------
def test_positions_are_searched_side_by_side() -> None:
    engines = [DfPnEngine(table_bits=BITS), DfPnEngine(table_bits=BITS)]
    found = search_positions(named(IN_THREE, IN_FIVE, NONE), engines, Limits())
    results = {attempt.name: attempt.result for attempt in found}
    assert results == {"no. 1": "mate in 3", "no. 2": "mate in 5", "no. 3": "no mate"}


def test_what_goes_wrong_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr("scripts.measuring.searches.search_length", fail)
    with pytest.raises(ZeroDivisionError):
        list(search_positions(named(IN_THREE), [DfPnEngine(table_bits=BITS)], Limits()))


def test_a_result_can_be_read_again() -> None:
    attempt = SearchAttempt("no. 1", "open, none within 9 (seconds)", 1.25, 1000)
    assert SearchAttempt.parse(attempt.line) == attempt
    assert attempt.kind == "open"


def test_results_are_kept_and_gone_on_with(tmp_path: Path) -> None:
    problems, results = tmp_path / "problems.tsv", tmp_path / "results.tsv"
    results.write_text("long\topen, none within 9 (seconds)\t60.00 s\t1000 nodes\n", encoding="utf-8")
    problems.write_text(f"long\t{IN_FIVE}\nshort\t{IN_THREE}\n", encoding="utf-8")
    printed = run(classics, "--memory", 64, "--results", results, problems).output
    assert printed.startswith("short\tmate in 3\t")
    assert "2 positions: 1 mates, 0 without a mate, 1 open; 60." in printed
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2


# --- composing -------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def composed() -> Composed:
    return compose(3, seed=1, seconds=0.5)


def test_composed_problems_are_correct_and_have_lines_of_their_own(composed: Composed) -> None:
    lines = [line_key(problem.line) for problem in composed.problems]
    assert lines
    assert len(set(lines)) == len(lines)
    assert len(lines) + composed.same_line == composed.counts["problems"]
    assert 0 < composed.by_stage.total() <= composed.seconds
    assert composed.tally[Stage.NEW, TESTED] == composed.counts["candidates"]
    few = composed.problems[:5]
    assert count_verdicts(few) == {"correct": len(few)}
    cooked = replace(few[0], position=parse_sfen(COOKED).position)
    assert count_verdicts([cooked]) == {"not correct": 1}


def test_generate_prints_where_the_time_goes() -> None:
    printed = run(generate, "--seconds", 0.2, "--check", 2, 3).output
    assert printed.startswith("3 moves: ")
    for part in ("problems/CPU minute", "checked 2: 2 correct", "grow", "one key", "finalists"):
        assert part in printed


def test_a_candidate_would_mate_by_its_key() -> None:
    sample = stage_costs.draw_candidates(5, 20, seed=1)
    engine = DfPnEngine()
    assert sample.parents >= 3
    assert all(
        engine.mates_after(position, int(key), 5) for position, key in zip(sample.positions, sample.keys, strict=True)
    )


@pytest.fixture
def timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One run of each order, however short: how long it takes is not looked at."""
    monkeypatch.setattr(stage_costs, "REPEATS", 1)
    monkeypatch.setattr(stage_costs, "MIN_NANOSECONDS", 0)


@pytest.mark.usefixtures("timed_once")
def test_tests_in_any_order_pass_the_same_candidates() -> None:
    clock = StageTimer(stage_costs.draw_candidates(7, 40, seed=1), nodes=100_000, margin=2)
    orders = list(permutations(stage_costs.current_test_order(7)[1:]))
    costs = [clock.cost(order) for order in orders]
    assert len({cost.passed for cost in costs}) == 1
    assert all(cost.tally[0, TESTED] == 40 for cost in costs)


def test_bounds_that_are_asked_anyway_are_no_tests_of_their_own() -> None:
    assert [len(stage_costs.current_test_order(length)) for length in (3, 5, 7)] == [3, 4, 5]


@pytest.mark.usefixtures("timed_once")
def test_stages_compares_the_orders() -> None:
    printed = run(stages, "--number", 20, 5).output
    for part in ("5 moves: 20 candidates", "no mate in one", "in the order in use", "in the best order"):
        assert part in printed


def test_ways_of_searching_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way is asked; an answer that differs is told, with the position."""
    file = tmp_path / "positions.txt"
    file.write_text(f"{IN_FIVE}\n{IN_THREE}\n{NONE}\n")
    arguments = (file, "--small", 40, "--large", 80, "--nodes", 20_000, "--seconds", 5)
    told = run(agree, *arguments).stdout
    ways = ("usual, small", "long works, small", "usual, large", "long works, large", "second engine")
    answered = ", ".join(f"{way} 3" for way in ways)
    assert told == f"positions.txt: 3 positions; answered: {answered}\n0 disagreements\n"
    monkeypatch.setattr(SekineEngine, "search_length", lambda *_: Mate(3))
    told = run(agree, *arguments).stdout
    first, second, _, last = told.splitlines()
    assert first.endswith(IN_FIVE)
    assert "'usual, small': 5" in first
    assert "'second engine': 3" in first
    assert second.endswith(NONE)
    assert last == "2 disagreements"
    monkeypatch.setattr("scripts.measuring.searches.MAX_MOVES", 3)
    assert run(agree, *arguments).stdout.endswith("1 disagreements\n")


# --- `scripts/bench tree` --------------------------------------------------------------------------
PROBLEMS = [
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1 moves 3d2c 1b1a 2c2b",
    "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1 moves G*2c 1c1d 2c2d 1d1e 2d2e",
]


@pytest.mark.parametrize("options", [[], ["--process"]])
def test_the_command_tells_of_each_length(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join(PROBLEMS))
    done = CliRunner().invoke(tree, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("  3 moves, 1 problems: median ")
    assert second.startswith("  5 moves, 1 problems: median ")
    assert "turns: median 2, 90% within 2; complete 100%; checks that do not mate: any_length 100.0%" in first
    assert "100% within 1 MB; turns: median 3" in second


# --- `scripts/bench commands` ----------------------------------------------------------------------
OTHERS = [
    "9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1 moves S*8b 9c8c G*9c",
    "2R1r4/2B6/pnk6/1pp6/9/9/9/9/9 b Gb3g4s3n4l15p 1 moves G*6c 7c8b 7b8a+",
]


def test_the_command_tells_the_pace_of_each_command(tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join([PROBLEMS[0], *OTHERS]))
    options = ["--repeat", "1", "--command", "solve", "--command", "score"]
    done = CliRunner().invoke(commands, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    paces = [re.sub(r"[\d.]+ (a second|ms each|s$)", r"# \1", line) for line in done.stdout.splitlines()]
    told = "3 moves, 3 positions: # a second, # ms each; one position # s"
    assert paces == [f"solve, {told}", f"score, {told}"]


@pytest.mark.process
def test_several_processes_are_compared_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_commands, "LONG", 0.1)
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join([PROBLEMS[0], *OTHERS]))
    options = ["--repeat", "1", "--command", "solve", "--jobs", "2"]
    done = CliRunner().invoke(commands, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    assert re.fullmatch(r"  2 processes: [\d.]+ times as fast, the same output", done.stdout.splitlines()[1])


# --- `scripts/bench likeness`: that problems are read as they are written, and that sets are told apart ---


SFEN = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
LINE = "G*1b"
PROBLEM = LinedProblem(parse_sfen(SFEN).position, (parse_move(LINE),))
FILES, RANKS = range(1, 6), range(4, 9)


def written(tmp_path: Path, *lines: str, name: str = "some.txt") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def mate(file: int, rank: int, extra: str) -> str:
    """A mate in one on a file, with an extra piece on it below."""
    board = ["9"] * 9
    for row, piece in ((1, "k"), (3, "P"), (rank, extra)):
        board[row - 1] = f"{9 - file or ''}{piece}{file - 1 or ''}"
    return f"{'/'.join(board)} b G 1 moves G*{file}b"


# --- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    f"{SFEN} moves {LINE}",
    f"{SFEN}\t{LINE}\t1",
    f"first\t{SFEN}\tby N. N.\t{LINE}",
    json.dumps({"sfen": SFEN, "line": [LINE]}),
    f"{format_sfen(PROBLEM.position, rotated=True)} moves {PROBLEM.line[0].rotated.usi}",
    SFEN,
])  # fmt: skip
def test_a_line_may_be_written_in_several_ways_or_be_missing(tmp_path: Path, text: str) -> None:
    assert read_problems([written(tmp_path, "# a comment", "", text)]) == [PROBLEM]


def test_a_position_counts_once_and_all_are_solved_if_asked_for(tmp_path: Path) -> None:
    mirrored = f"{format_sfen(PROBLEM.position.mirrored)} moves {PROBLEM.line[0].mirrored.usi}"
    assert read_problems([written(tmp_path, f"{SFEN} moves {LINE}", mirrored, SFEN)]) == [PROBLEM]
    longer = "8k/9/8P/9/9/9/9/9/9 b 2G 1 moves G*2b 1a2b G*2c"
    path = written(tmp_path, longer)
    assert [problem.length for problem in read_problems([path])] == [3]
    assert [problem.length for problem in read_problems([path], solve_all=True)] == [1]
    with pytest.raises(click.ClickException, match="no problems"):
        read_problems([written(tmp_path, "# nothing")])


def test_what_is_no_problem_is_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, fault in (
        ("name\tno board", "side to move must be"),
        (f"{SFEN} moves G*5e", "move 1, G*5e, is not a legal check"),
        (f"{SFEN} moves G*1b 1a1b", "does not end with a move of the attacker"),
        ("8k/9/9/9/9/9/9/9/9 b P 1", "no mate found"),
        ("8k/8P/9/9/9/9/9/9/9 b G 1", "in check"),
    ):
        assert read_problems([written(tmp_path, text, SFEN)]) == [PROBLEM]
        told = capsys.readouterr().err
        assert "some.txt:1: " in told
        assert fault in told


# --- telling apart ---------------------------------------------------------------------------------


def test_auc_is_the_chance_that_the_first_value_is_greater() -> None:
    values = np.array([0.0, 1.0, 2.0])
    assert auc(values + 10, values) == 1
    assert auc(values, values + 10) == 0
    assert auc(values, values) == 0.5
    assert auc(np.array([0.0, 1.0]), np.array([0.0, 0.0])) == 0.75


def test_rare_features_are_left_out_and_missing_ones_are_zero() -> None:
    published = [{"common": 1.0, "rare": 1.0}, {"common": 2.0}]
    composed = [{"common": 3.0}, {"common": 4.0}, {}]
    names, table = feature_table(published, composed)
    assert names == ["common"]
    assert table.tolist() == [[1], [2], [3], [4], [0]]


def test_the_best_sign_comes_first() -> None:
    published = [{"same": float(i % 2), "less": 5.0 + i} for i in range(4)]
    composed = [{"same": float(i % 2), "less": 1.0 + i % 2} for i in range(4)]
    best, other = telling_signs(published, composed, 5)
    assert (best.name, best.auc, best.published, best.composed) == ("less", 0.0, 6.5, 1.5)
    assert (other.name, other.auc) == ("same", 0.5)


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Two files of each set; the sets differ by one piece."""
    folder = tmp_path_factory.mktemp("sets")
    found = {}
    for name, extra in (("published", "p"), ("composed", "S")):
        lines = [mate(file, rank, extra) for file in FILES for rank in RANKS]
        found[name] = [written(folder, *lines[:10], name=f"{name}1"), written(folder, *lines[10:], name=f"{name}2")]
    return found


def run_resemblance(*arguments: object) -> list[str]:
    result = CliRunner().invoke(likeness, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_sets_that_differ_are_told_apart_and_by_what(sets: dict[str, list[Path]]) -> None:
    pytest.importorskip("sklearn")
    published, composed = sets["published"], sets["composed"]
    (line,) = run_resemblance(
        "--published", *published, "--seeds", 1, "--features", 30, "--jsonl", "--composed", *composed
    )
    found = json.loads(line)
    assert (found["length"], found["number"]) == (1, 25)
    view = found["views"]["shape and line"]
    assert view["auc"] > 0.95
    assert view["auc_linear"] > 0.95
    by_name = {sign["name"]: sign for sign in view["features"]}
    assert by_name["defender pawn"] == {"name": "defender pawn", "auc": 0, "published": 1, "composed": 0}
    assert found["views"]["where pieces stand"]["auc"] >= 0


def test_the_text_says_the_same_and_few_problems_are_not_compared(sets: dict[str, list[Path]]) -> None:
    pytest.importorskip("sklearn")
    (first, *files), composed = sets["published"], sets["composed"]
    lines = run_resemblance("--published", first, *files, "--composed", *composed, "--seeds", 1, "--most", FEWEST)
    assert lines[0] == "1 moves: 20 published, 20 composed"
    assert lines[1].startswith("  shape and line: AUC ")
    assert any(line.split()[:2] == ["defender", "pawn"] for line in lines)
    assert run_resemblance("--published", first, "--composed", *composed) == [
        "1 moves: 10 published, 25 composed: too few"
    ]
    assert run_resemblance("--published", first, "--composed", *composed, "--moves", 3) == []


def test_classifiers_are_loaded_only_when_they_are_trained() -> None:
    asked = "import sys, scripts.measure; print('sklearn' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


# --- `scripts/bench contrasts`: what is counted in published and in composed problems --------------

ONE = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"


def counted(text: str) -> Contrasts:
    sfen, line = parse_line(text)
    return contrasts_of(LinedProblem(parse_sfen(sfen).position, tuple(line)), DfPnEngine(table_bits=12))


def test_a_gold_drop_that_mates_alone() -> None:
    found = counted(ONE)
    assert found.ends_with_a_gold
    assert not found.two_last_moves
    assert not found.captures
    assert not found.only_king_answers  # there are no answers
    assert found.first_checks == 1 + found.others
    assert 0 <= found.tries < found.others
    assert found.resistance > 0
    assert found.surprise > 0


def test_two_last_moves_answers_and_captures_are_counted() -> None:
    assert counted("8k/9/7PP/9/9/9/9/9/9 b G 1 moves G*1b").two_last_moves
    # promoted or not, the same move mates: one last move
    assert not counted("8k/6G2/8P/9/8L/9/9/9/9 b - 1 moves 1c1b+").two_last_moves
    assert counted("7kn/5G3/7G1/9/9/9/9/9/9 b - 1 moves 2c2b 2a3a 2b3b").only_king_answers
    blocked = "9/8p/7pk/9/7SP/9/9/9/9 b B2rb4g3s4n4l15p 1 moves B*3a L*2b 1e1d"
    assert not counted(blocked).only_king_answers
    assert counted("8k/8p/8G/8P/9/9/9/9/9 b - 1 moves 1c1b").captures


def test_both_sets_by_length(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"{ONE}\n", encoding="utf-8")
    words = ["--published", str(path), "--composed", str(path)]
    text = CliRunner().invoke(contrasts, words)
    assert text.exit_code == 0, text.output
    assert [line.split()[-2:] for line in text.output.splitlines() if "gold drop" in line] == [["1.000", "1.000"]]
    found = json.loads(CliRunner().invoke(contrasts, [*words, "--jsonl"]).output)
    assert found["length"] == 1
    assert found["published"] == found["composed"]
    assert found["published"]["number"] == 1
    assert CliRunner().invoke(contrasts, [*words, "--moves", "3"]).output == ""


# --- `scripts/bench nearest`: which published problem is the nearest, and what differs -------------

IN_THE_CORNER = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"
FARTHER_LEFT = "6k2/9/6P2/9/9/9/9/9/9 b G 1 moves G*3b"
AND_LOWER = "9/6k2/9/6P2/9/9/9/9/9 b G 1 moves G*3c"
WITH_A_PAWN = "8k/9/8P/9/9/9/9/p8/9 b G 1 moves G*1b"
WITH_TWO_GOLDS = "8k/9/8P/9/9/9/9/9/9 b 2G 1 moves G*1b"
WITH_A_SILVER = "8k/9/8S/9/9/9/9/9/9 b G 1 moves G*1b"
LOPSIDED = "6k2/9/6P2/9/5g3/9/9/9/9 b G 1 moves G*3b"
IN_THE_OTHER_CORNER = "k8/9/P8/9/1g7/9/9/9/9 b G 1 moves G*9b"


def problem(text: str) -> LinedProblem:
    sfen, moves = text.split(" moves ")
    return LinedProblem(parse_sfen(sfen).position, tuple(map(parse_move, moves.split())))


def test_squares_and_hand_pieces_that_differ_are_counted_wherever_the_king_is() -> None:
    same = (IN_THE_CORNER, FARTHER_LEFT, AND_LOWER)
    for other in (*same, WITH_A_PAWN, WITH_TWO_GOLDS, WITH_A_SILVER, LOPSIDED):
        found = PublishedProblems([problem(other)]).nearest(problem(IN_THE_CORNER))
        assert found == NearestPublished(0, 0 if other in same else 1, same_squares=True), other
    # a piece that stands elsewhere makes two squares differ
    moved = problem("8k/9/8P/9/9/9/9/1p7/9 b G 1 moves G*1b")
    assert PublishedProblems([moved]).nearest(problem(WITH_A_PAWN)).differing == 2


def test_the_nearer_mirror_image_counts() -> None:
    corner = PublishedProblems([problem(IN_THE_OTHER_CORNER)])
    assert corner.nearest(problem(LOPSIDED)) == NearestPublished(0, 0, same_squares=True)
    other = problem(LOPSIDED)
    image = LinedProblem(other.position.mirrored, tuple(move.mirrored for move in other.line))
    assert PublishedProblems([image]).nearest(other) == NearestPublished(0, 0, same_squares=True)
    assert np.array_equal(position_row(image), mirrored_row(position_row(other)))


def test_of_equally_near_problems_one_with_the_same_squares_is_taken() -> None:
    other_line = problem("8k/9/8P/9/9/9/9/9/9 b G 1 moves G*2b")
    field = [problem(WITH_A_PAWN), other_line, problem(IN_THE_CORNER)]
    assert PublishedProblems(field).nearest(problem(IN_THE_CORNER)) == NearestPublished(2, 0, same_squares=True)
    assert PublishedProblems(field[:2]).nearest(problem(IN_THE_CORNER)) == NearestPublished(1, 0, same_squares=False)
    field = [problem(IN_THE_CORNER), problem(WITH_A_SILVER)]
    assert PublishedProblems(field).nearest(field[0], without=0) == NearestPublished(1, 1, same_squares=True)


def test_shares_and_nearest_pairs_are_printed(tmp_path: Path) -> None:
    files = {"published": [IN_THE_CORNER, WITH_A_SILVER], "composed": [LOPSIDED, FARTHER_LEFT]}
    for name, problems in files.items():
        (tmp_path / name).write_text("\n".join(problems), encoding="utf-8")
    asked = [word for name in files for word in (f"--{name}", str(tmp_path / name))]
    result = CliRunner().invoke(nearest, [*asked, "--pairs", "1"])
    assert result.exit_code == 0, result.output
    head, _, composed, published, *pairs = result.output.splitlines()
    assert head == "1 moves: 2 composed, 2 published"
    assert composed.split() == ["composed", "50.0%", "50.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert published.split() == ["published", "0.0%", "100.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert pairs == ["  composed 2, published 1: 0 differ, the same squares in the line"]
