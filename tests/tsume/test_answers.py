# SPDX-License-Identifier: GPL-3.0-or-later
"""What `tsume solve`, `check` and `score` answer, by each engine; searches that are saved and continued."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from generator.theme_names import english_name
from solver.engines.base import MateEngine
from solver.engines.dfpn import team
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.table import WINDOW
from solver.engines.dfpn.memory import table_bits_within, threads_within
from solver.engines.rsearch import MIN_CELLS
from solver.results import Limits, Mate
from solver.solving import deepening
from solver.solving.solve import solve
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import (
    COOKED,
    CORRECT,
    CORRECT_LINE,
    CORRECT_WHITE,
    CORRECT_WHITE_LINE,
    HARD,
    LOOSE,
    NO_MATE,
    SAME_POSITION,
)
from tsume.uses import solving
from tsume.uses.engines import ENGINES, EngineOptions, TooLittleMemory, df_pn_engine, make_engine
from tsume.uses.scoring import PositionScorer
from tsume_rules.sfen import parse_sfen


def test_solve_gives_the_best_line_and_all_answers(tsume: Run) -> None:
    found = answer(tsume, "solve", CORRECT)
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert found == {
        "sfen": CORRECT, "result": "mate", "length": 3, "line": CORRECT_LINE, "error": None,
    }  # fmt: skip
    assert tsume("solve", CORRECT).stdout == f"mate in 3: {' '.join(CORRECT_LINE)}\n"
    assert "answers" not in answer(tsume, "solve", COOKED)
    first, last = answer(tsume, "solve", COOKED, "--all-answers")["answers"]
    assert (first["turn"], last["turn"]) == (1, 3)
    assert {first["key"], *first["other"]} == {"3e4d", "3b2a+"}
    assert first["form"] == []
    text = tsume("solve", COOKED, "--all-answers").stdout.splitlines()
    assert text[1] == f"  move 1: {first['key']}; other checks {first['other'][0]}"
    (white, _) = answer(tsume, "solve", CORRECT_WHITE, "--all-answers")["answers"]
    assert (white["key"], white["other"]) == (CORRECT_WHITE_LINE[0], [])


@pytest.mark.parametrize(("engine", "counted"), [("df-pn", None), ("rsearch", 3)])
def test_white_no_mate_limits_and_futile_interpositions(engine: str, counted: int | None, tsume: Run) -> None:
    solve = ("solve", f"--engine={engine}")
    assert answer(tsume, *solve, CORRECT_WHITE)["line"] == CORRECT_WHITE_LINE
    found = answer(tsume, *solve, NO_MATE)
    assert (found["result"], found["length"], found["line"]) == ("no_mate", None, [])
    for limit in ("--time=0.05", "--time=0.2", "--nodes=500", "--max-moves=3"):
        found = answer(tsume, *solve, HARD, limit, status=1)
        assert found["result"] == "unresolved"
        assert " limit reached" in found["error"]
        assert found.get("cells", 0) <= 100_000
    assert answer(tsume, *solve, CORRECT, "--max-moves=1", status=1)["error"] == (
        "length limit reached; no mate within 1 moves"
    )
    sfen = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
    assert answer(tsume, *solve, sfen)["length"] == 1
    length = answer(tsume, *solve, sfen, "--count-futile")["length"]
    assert length == counted if counted else length != 1


def test_jobs_are_threads_or_processes(tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[EngineOptions] = []

    def noted(name: str, options: EngineOptions) -> MateEngine:
        made.append(options)
        return make_engine(name, options)

    monkeypatch.setattr("tsume.uses.solving.make_engine", noted)
    for arguments in (["--jobs=2"], ["--jobs=2", "--nodes=1000"], []):
        assert answer(tsume, "solve", CORRECT, *arguments)["line"] == CORRECT_LINE
    assert [options.jobs for options in made] == [2, 1, 1]
    assert tsume("solve", CORRECT, COOKED, "--jobs=2").exit_code == 0
    assert len(made) == 3, "by other processes"


@pytest.mark.parametrize(
    ("command", "where"),
    [("check", "tsume.uses.checking"), ("explain", "tsume.uses.checking"), ("tree", "tsume.uses.trees")],
)
def test_jobs_are_threads_of_one_position_judged_or_explained(
    tsume: Run, monkeypatch: pytest.MonkeyPatch, command: str, where: str
) -> None:
    made: list[int] = []

    def noted(options: EngineOptions) -> DfPnEngine:
        made.append(options.jobs)
        return df_pn_engine(options)

    monkeypatch.setattr(f"{where}.df_pn_engine", noted)
    alone = tsume(command, CORRECT, "--jsonl").stdout
    assert tsume(command, CORRECT, "--jsonl", "--jobs=2").stdout == alone
    assert made == [1, 2]
    assert tsume(command, CORRECT, CORRECT_WHITE, "--jobs=2").exit_code == 0
    assert len(made) == 2, "by other processes"


def test_check_grades_each_problem(tsume: Run) -> None:
    for sfen, options, grade, faults, blemishes, defects, status in (
        (CORRECT, ["--moves=3"], "perfect", [], ["EQUAL_DEFENCES"], [], 0),
        (CORRECT, ["--moves=5"], "unsound", ["EARLY_MATE"], None, ["WRONG_LENGTH"], 1),
        (LOOSE, [], "sound", [], ["FORM", "EQUAL_DEFENCES"], ["UNDETERMINED_FORM"], 0),
        (COOKED, [], "unsound", ["COOK"], [], ["COOK"], 1),
        (NO_MATE, [], "unsound", ["NO_MATE"], [], ["NO_MATE"], 1),
    ):  # fmt: skip
        found = answer(tsume, "check", sfen, *options, status=status)
        assert (found["grade"], found["faults"]) == (grade, faults)
        assert blemishes is None or found["blemishes"] == blemishes
        assert set(defects) <= set(found["defects"])
        assert (found["correct"], found["unresolved"], found["given"]) == (not found["defects"], False, None)
        assert tsume("check", sfen, *options).stdout.find(grade) >= 0
    found = answer(tsume, "check", CORRECT)
    assert (found["length"], found["line"], found["defects"], found["cooks"]) == (3, CORRECT_LINE, [], [])
    assert tsume("check", CORRECT).stdout.startswith("perfect in 3: ▲２三金 △１一玉 ▲２二金")
    found = answer(tsume, "check", COOKED, status=1)
    assert {cook[0] for cook in found["cooks"]} - {found["line"][0]} == {cook[0] for cook in found["cooks"]} != set()
    for sfen, options, status in (
        (SAME_POSITION, [], 0), (SAME_POSITION, ["--strict"], 1), (LOOSE, ["--strict"], 1), (CORRECT, ["--strict"], 0)
    ):  # fmt: skip
        tsume("check", sfen, *options, status=status)
    for sfen, options, said in (
        (SAME_POSITION, ["--lang=ja"], "同じ局面"), (SAME_POSITION, ["--all-findings", "--lang=en"],
         "the same position as"),
        (LOOSE, [], "blemishes (キズ): FORM (非限定)"), (COOKED, [], "faults (不完全作): COOK (余詰)"),
        (COOKED, [], "defect COOK"),
    ):  # fmt: skip
        assert said in tsume("check", sfen, *options).stdout
    found = answer(tsume, "check", HARD, "--time=0.05", status=1)
    assert (found["unresolved"], found["correct"]) == (True, False)
    notes = answer(tsume, "check", "9/8k/6+S2/6G2/9/9/9/9/9 b - 1")["notes"]
    assert "36 missing pieces given to the defender's hand" in notes


def test_a_line_given_with_a_position_is_judged(tsume: Run) -> None:
    for sfen, line in ((CORRECT, CORRECT_LINE), (CORRECT_WHITE, CORRECT_WHITE_LINE)):
        given = answer(tsume, "check", f"{sfen} moves {' '.join(line)}")["given"]
        assert (given["line"], given["reading"], given["better"]) == (line, "narrow", [])
        assert given["wrong_at"] is given["beginning_of"] is given["parts_at"] is None
        wrong = answer(tsume, "check", f"{sfen} moves {' '.join([*line[:2], line[0]])}")
        assert (wrong["grade"], wrong["given"]["wrong_at"]) == ("perfect", 3)
        assert wrong["given"]["better"] == line[2:]
    text = tsume("check", f"{CORRECT} moves {' '.join([*CORRECT_LINE[:2], CORRECT_LINE[0]])}").stdout
    assert "    move 3, 3d2c, cannot be played: better is ▲２二金" in text
    assert "  GIVEN_LINE (作意): ▲２三金 △１一玉 3d2c (3 moves)" in text
    for moves in ("2c2b 1a2b", "2c1b 1a1b"):
        found = answer(tsume, "check", f"{PAWN_DROP} moves {moves}", status=1)
        (finding,) = found["findings"]
        assert finding["tries"][0]["check"] == moves.split()[0]
        assert (found["given"]["reading"], found["given"]["wrong_at"]) == (None, None)
    said = tsume("check", "k8/9/1SP6/9/9/9/9/9/9 b R 1", "--all-findings", "--lang=en").stdout
    for moves, remark in (
        ("R*5a P*6a Rx6a+ P*7a +Rx7a P*8a S-8b+", " (a futile interposition is played out)"),
        ("R*6a P*7a Rx7a+ P*8a S-8b+", ""),
    ):
        assert f" mates in 5 moves (2 later), cook that leaves pieces: {moves}{remark}\n" in said


LONGER = "8g/6k2/7l1/7G1/9/9/9/9/9 b 2G 1"
PAWN_DROP = "7nk/9/7G1/9/9/9/9/9/9 b P 1"
IN_FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def test_a_shorter_length_that_may_be_meant_is_remarked(tsume: Run) -> None:
    """Where all longest defences leave pieces and no line says what is meant."""
    for options in ([], ["--moves=3"], ["--moves=5"]):
        found = answer(tsume, "check", LONGER, *options, status=1)
        assert found["without_longer"] == ["G*3c", "3b3a", "G*3b"]
    assert answer(tsume, "check", f"{LONGER} moves G*3c 3b3a G*3b")["without_longer"] == []
    for language, text in (
        ("ja", "変長）を除けば3手詰とも見られます: ▲３三金打 △３一玉 ▲３二金打"),
        ("en", "mate in 3 may be meant"),
    ):
        assert text in tsume("check", LONGER, "--lang", language).stdout
    leaves = answer(tsume, "check", "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1", status=1)
    assert (leaves["faults"], leaves["without_longer"]) == (["LEFTOVER"], [])


@pytest.mark.parametrize(
    ("sfen", "line", "japanese", "english"),
    [
        (IN_FIVE, "1c1b+ 1a1b 1d1c+", ["備考: 5手のうち3手目までの記録です（そこまでは正しい手順です）"],
         ["note: the record stops after 3 of 5 moves"]),
        (
            LONGER, "G*3c 3b3a G*3b",
            ["作意: ▲３三金打 △３一玉 ▲３二金打（3手）", "駒の余る長い変化（変長）を除けば最善の手順です。"
             "プログラムの解（5手）とは2手目で分かれます"],
            ["GIVEN_LINE (作意): G*3c K-3a G*3b (3 moves)", "best except for longer defences that leave "
             "pieces (変長); it leaves the program's line of 5 moves at move 2"],
        ),
        (
            LONGER, "G*3c 3b4a G*3b",
            ["作意: ▲３三金打 △４一玉 ▲３二金打（3手）", "2手目 △４一玉 は最善ではありません。正しくは △２一玉"],
            ["GIVEN_LINE (作意): G*3c K-4a G*3b (3 moves)", "move 2, K-4a, is not best: better is K-2a"],
        ),
        (
            CORRECT, "3d2c 1b2a 2c2b",
            ["作意: ▲２三金 △２一玉 ▲２二金（3手）",
             "これも最善の手順です。プログラムの解（3手）とは2手目で分かれます"],
            ["GIVEN_LINE (作意): G-2c K-2a G-2b (3 moves)",
             "a best line too; it leaves the program's line of 3 moves at move 2"],
        ),
        (LONGER, "G*3c 3b3c", ["作意: ▲３三金打 △同玉（2手）", "2手目 △同玉 は指せません。正しくは △２一玉"],
         ["GIVEN_LINE (作意): G*3c Kx3c (2 moves)", "move 2, Kx3c, cannot be played: better is K-2a"]),
        (LONGER, "G*9i", ["作意: ▲９九金（1手）", "1手目 ▲９九金 は王手ではありません。正しくは ▲３三金打"],
         ["GIVEN_LINE (作意): G*9i (1 move)", "move 1, G*9i, gives no check: better is G*3c"]),
        (CORRECT, "3d2c 1b1a 2c2b 1a1b", ["作意: ▲２三金 △１一玉 ▲２二金 △１二玉（4手）", "4手目 △１二玉 は指せません"],
         ["GIVEN_LINE (作意): G-2c K-1a G-2b K-1b (4 moves)", "move 4, K-1b, cannot be played"]),
        (PAWN_DROP, "P*1b", ["作意: ▲１二歩（1手）", "1手目 ▲１二歩 は指せません"],
         ["GIVEN_LINE (作意): P*1b (1 move)", "move 1, P*1b, cannot be played"]),
        (PAWN_DROP, "2c2b 1a2b P*2c", ["作意: ▲２二金 △同玉 ▲２三歩（3手）", "受ける手があるので詰みません"],
         ["GIVEN_LINE (作意): G-2b Kx2b P*2c (3 moves)", "the defender can escape"]),
    ],
)  # fmt: skip
def test_a_given_line_is_shown_where_it_differs(
    sfen: str, line: str, japanese: list[str], english: list[str], tsume: Run
) -> None:
    for language, texts in (("ja", japanese), ("en", english)):
        printed = tsume("check", f"{sfen} moves {line}", "--lang", language).stdout.splitlines()
        at = next(number for number, text in enumerate(printed) if text.strip() == texts[0])
        assert [text.strip() for text in printed[at : at + len(texts)]] == texts


def test_score_gives_a_number_stars_and_features(tsume: Run) -> None:
    found = answer(tsume, "score", CORRECT)
    assert found["length"] == 3
    assert 1 <= found["stars"] <= 5
    assert found["features"]["length"] == 3
    assert found["themes"] == sorted(found["themes"])
    assert 0 < found["quality"] < 100
    assert found["likeness"] in range(101)
    text = tsume("score", CORRECT).stdout
    assert f"mate in 3  quality {found['quality']}  likeness {found['likeness']}" in text
    assert all(english_name(theme) in text for theme in found["themes"])
    for sfen, status in ((CORRECT, 0), (CORRECT_WHITE, 0), (COOKED, 1)):
        checked = answer(tsume, "check", sfen, status=status)
        scored = answer(tsume, "score", sfen)
        assert all(checked[name] == scored[name] for name in ("themes", "quality", "likeness"))
    black, white = (answer(tsume, "score", sfen) for sfen in (CORRECT, CORRECT_WHITE))
    assert (black["quality"], black["likeness"]) == (white["quality"], white["likeness"])
    own = answer(tsume, "score", CORRECT)
    assert answer(tsume, "score", f"{CORRECT} moves {' '.join(CORRECT_LINE)}") == own
    wrong = " ".join([*CORRECT_LINE[:2], CORRECT_LINE[0]])
    assert answer(tsume, "score", f"{CORRECT} moves {wrong}")["quality"] == own["quality"]
    assert answer(tsume, "check", CORRECT_WHITE)["line"] == CORRECT_WHITE_LINE
    assert answer(tsume, "score", CORRECT_WHITE)["score"] == answer(tsume, "score", CORRECT)["score"]


def test_what_has_no_score(tsume: Run) -> None:
    for command in ("check", "score"):
        found = answer(tsume, command, NO_MATE, status=1)
        assert (found["themes"], found["quality"], found["likeness"]) == ([], None, None)
    found = answer(tsume, "score", "--time", "0", CORRECT, status=1)
    assert found["score"] is None
    assert found["error"].startswith("unresolved: seconds limit reached")
    done = tsume("score", "--time", "0", CORRECT)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    found = answer(tsume, "score", NO_MATE, status=1)
    assert (found["score"], found["error"]) == (None, "no mate")


def test_mirror_images_are_appraised_by_mirrored_lines() -> None:
    for sfen in (CORRECT, "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"):
        position = parse_sfen(sfen).position
        one, other = (PositionScorer().score(start) for start in (position, position.mirrored))
        assert one == other


MEMORY = 40 << 20


@pytest.mark.parametrize("name", ENGINES)
def test_each_engine_finds_the_mate(name: str) -> None:
    engine = make_engine(name, EngineOptions(MEMORY, jobs=2, cells=1000))
    result = solve(parse_sfen(CORRECT).position, Limits(), engine)
    assert isinstance(result, Mate)
    assert (result.length, len(result.line)) == (3, 3)
    assert (engine.peak_cells is not None) == (name == "rsearch")


def test_threads_fit_into_the_memory_besides_the_table() -> None:
    for jobs in (1, 2, 256):
        size = (40 if jobs == 2 else 72) << 20
        engine = make_engine("df-pn", EngineOptions(size, jobs=jobs))
        assert isinstance(engine, DfPnEngine)
        bits = table_bits_within(size)
        assert engine.places == (1 << bits) + WINDOW
        assert engine.threads == min(jobs, threads_within(size, bits))
    with pytest.raises(TooLittleMemory, match="256 jobs: no engine works within"):
        make_engine("iterative", EngineOptions(MEMORY, jobs=256))
    with pytest.raises(TooLittleMemory, match="10000000 cells"):
        make_engine("rsearch", EngineOptions(MEMORY, cells=10_000_000))


FIVE = "9/7Lk/6+N2/9/8N/9/9/9/9 b 2r2b4g4s2n3l18p 1"
RSEARCH = ("solve", "--engine=rsearch")


@pytest.mark.parametrize("cells", [64, 1000, 100_000])
def test_it_gives_the_best_line_and_the_cells(tsume: Run, cells: int) -> None:
    found = answer(tsume, *RSEARCH, CORRECT, f"--cells={cells}")
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert 0 < found.pop("cells") <= cells
    assert found == {
        "sfen": CORRECT, "result": "mate", "length": 3, "line": CORRECT_LINE, "error": None,
    }  # fmt: skip
    done = tsume(*RSEARCH, FIVE, f"--cells={cells}")
    assert done.stdout == "mate in 5: 1e2c+ 1b1a 2b2a+ 1a2a 2c2b\n"


def test_cells_are_for_rsearch(tsume: Run) -> None:
    found = answer(tsume, *RSEARCH, "nonsense", status=1)
    assert found["result"] == "invalid"
    assert "cells" not in answer(tsume, "solve", LOOSE)
    for arguments, said in (
        ((*RSEARCH, f"--cells={MIN_CELLS - 1}", CORRECT), f"range {MIN_CELLS}<=x"),
        (("solve", "--cells=1000", CORRECT), "--cells needs --engine rsearch"),
        (("solve", "--engine=iterative", "--cells=1000", CORRECT), "--cells needs --engine rsearch"),
        ((*RSEARCH, "--weight=1", CORRECT), "--weight needs --engine iterative"),
        ((*RSEARCH, "--memory=40", "--cells=10000000", CORRECT), "--memory is too small for 10000000 cells"),
    ):
        done = tsume(*arguments, status=2)
        assert said in " ".join(done.stderr.split())
    for sfen in (CORRECT, FIVE):
        assert answer(tsume, "score", sfen, "--cells=1") == answer(tsume, "score", sfen)


LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11."""
OTHER = "4k4/9/9/9/9/9/9/9/9 b P 1"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a search is kept; every search counts as long."""
    monkeypatch.setattr(deepening, "QUICKLY", 1)
    monkeypatch.setattr(deepening, "LAST_RAISED", 1)
    return tmp_path / "search.state"


def test_it_goes_on_until_there_is_an_answer(tsume: Run, state: Path) -> None:
    nodes: list[int] = []
    while True:
        done = tsume("solve", LONG, "--state", state, "--nodes=200", "--jsonl")
        found = json.loads(done.stdout)
        nodes.append(found["nodes"])
        if found["result"] != "unresolved":
            break
        assert done.exit_code == 1
        assert f"saved to {state} (" in done.stderr
        assert "run the same command to continue" in done.stderr
    assert (found["result"], found["length"], len(found["line"])) == ("mate", 11, 11)
    assert len(nodes) > 1
    assert nodes == sorted(nodes)  # those of all starts together
    assert not state.exists()
    assert not list(state.parent.iterdir())


def test_an_interruption_keeps_it(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DfPnEngine, "mates_ever", interrupted)
        done = tsume("solve", LONG, "--state", state)
    assert done.exit_code == 130
    assert f"saved to {state} (" in done.stderr
    assert answer(tsume, "solve", LONG, "--state", state)["length"] == 11


def test_it_is_written_during_the_search(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a search that is killed loses little."""
    monkeypatch.setattr(solving, "_SECONDS", 0.0)
    monkeypatch.setattr(solving.SavedSearch, "_save", lambda _: None)
    tsume("solve", LONG, "--state", state, "--nodes=600")
    with ZipFile(state) as archive:
        assert archive.testzip() is None
    assert answer(tsume, "solve", LONG, "--state", state)["length"] == 11


def test_nothing_is_kept_of_a_short_search(tsume: Run, tmp_path: Path) -> None:
    state = tmp_path / "search.state"
    done = tsume("solve", LONG, "--state", state, "--nodes=100", status=1)
    assert "nothing to save yet: only mates of at most 11 moves were searched for" in done.stderr
    assert not state.exists()


def test_what_several_threads_learn_is_kept(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written while they search, too: then they stop, and start again."""
    defaults = DfPnEngine.__init__.__kwdefaults__ or {}
    monkeypatch.setattr(DfPnEngine.__init__, "__kwdefaults__", {**defaults, "alone": 0})
    monkeypatch.setattr("solver.engines.dfpn.engine.SLICE", 150)
    monkeypatch.setattr(team, "SLICE", 150)
    monkeypatch.setattr(solving, "_SECONDS", 0.0)
    started: list[object] = []
    start = team.HelperThreads.start

    def noted(*arguments: Any) -> None:
        started.append(state.exists())
        start(*arguments)

    monkeypatch.setattr(team.HelperThreads, "start", noted)
    assert answer(tsume, "solve", LONG, "--state", state, "--jobs=2")["length"] == 11
    assert True in started
    assert not state.exists()


def test_a_larger_bound_goes_on(tsume: Run, state: Path) -> None:
    done = tsume("solve", LONG, "--state", state, "--max-moves=7", "--jsonl")
    assert json.loads(done.stdout)["error"] == "length limit reached; no mate within 7 moves"
    assert answer(tsume, "solve", LONG, "--state", state, "--max-moves=13")["length"] == 11


def test_a_file_of_another_search_is_kept(tsume: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tsume("solve", LONG, "--state", state, "--nodes=400")
    kept = state.read_bytes()
    for arguments, fault in (
        ((OTHER,), f"the search state is of another position, {LONG}"),
        ((LONG, "--memory=200"), "the search state was written with another --memory: a table of "),
        ((LONG, "--count-futile"), "the search state was made with other rules for futile interpositions"),
    ):
        done = tsume("solve", *arguments, "--state", state, status=1)
        assert done.stdout == ""
        assert done.stderr.startswith(f"Error: {state}: {fault}")
        assert done.stderr.endswith("; the file is unchanged\n")
        assert done.stderr.count("\n") == 1
        assert state.read_bytes() == kept
    monkeypatch.setattr("tsume_rules.kernel.compile.kernel_sources_hash", lambda: "another")
    done = tsume("solve", LONG, "--state", state, status=1)
    assert "by another version of tsume" in done.stderr


def test_a_damaged_file_is_left_as_it_is(tsume: Run, state: Path) -> None:
    tsume("solve", LONG, "--state", state, "--nodes=400")
    whole = state.read_bytes()
    for cut in (0, 10, 3000, -30):
        state.write_bytes(whole[:cut])
        done = tsume("solve", LONG, "--state", state, status=1)
        assert done.stderr == f"Error: {state}: not a search state, or damaged; the file is unchanged\n"
        assert state.read_bytes() == whole[:cut]


def test_it_is_for_one_position_and_the_first_engine(tsume: Run, state: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.txt"
    two.write_text(f"{LONG}\n{OTHER}\n")
    for arguments in ((LONG, OTHER), ("-f", two), (LONG, "--engine=rsearch")):
        done = tsume("solve", *arguments, "--state", state, status=2)
        assert "--state" in done.stderr
        assert not state.exists()
    for place in (state.parent, state.parent / "no folder" / "search.state"):
        done = tsume("solve", LONG, "--state", place)
        assert done.exit_code != 0
        assert done.stdout == ""
