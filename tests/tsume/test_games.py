# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume games`: which mates were on the board in games that are made by playing at random"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import shogi
import shogi.KIF

from scripts.measuring.command_times import random_game
from tests import naive
from tests.sampling import few
from tests.tsume.conftest import Run, problems_of, replay
from tests.tsume.problems import CORRECT, CORRECT_LINE, MISSED
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen

WITHOUT_LANCE = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
GIVEN = "9/8k/6+S2/6G2/9/9/9/3p4p/K8 b 2P2r2b3g3s4n4l14p 1"
"""`CORRECT` with the attacker's king, two pawns and two defending ones too many."""


def found(tsume: Run, *arguments: Any, **how: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in tsume("games", "--jsonl", *arguments, **how).stdout.splitlines()]


@pytest.mark.parametrize("seed", few(range(12), 2))
def test_every_mate_in_one_or_three_is_found_and_none_invented(seed: int, tsume: Run, tmp_path: Path) -> None:
    moves = random_game(seed)
    (tmp_path / "game.usi").write_text(f"startpos moves {' '.join(moves)}")
    (game,) = found(tsume, tmp_path, "--max-moves", 3) if seed % 2 else found(tsume, tmp_path / "game.usi")
    assert (game["moves"], game["unresolved"], game["error"]) == (len(moves), [], None)
    mates, board, expected = {mate["at"]: mate for mate in game["mates"]}, shogi.Board(), {}
    for at, move in enumerate([*moves, None]):
        sfen = board.sfen()
        parsed = parse_sfen(sfen)
        black = format_sfen(parsed.position)
        if (length := naive.length(black, 3)) is not None:
            expected[at] = length
            mate = mates[at]
            assert parse_sfen(mate["sfen"]) == parsed
            first = {mate["line"][0], *mate["others"]}
            assert {parsed.outward(parse_move(one)).usi for one in first} == naive.mating_moves(black, length)
            assert (mate["fate"] == "played") == (move in first)
            assert replay(sfen, mate["line"]).is_checkmate()
        if move is not None:
            board.push_usi(move)
    assert {at: mate["length"] for at, mate in mates.items() if mate["length"] <= 3} == expected


def test_fates(tsume: Run) -> None:
    white = format_sfen(parse_sfen(CORRECT).position, rotated=True)
    key, answer, _ = CORRECT_LINE
    (game,) = found(tsume, "-", stdin=f"position sfen {CORRECT} moves {key} {answer}", status=0)
    assert [(mate["at"], mate["length"], mate["fate"], mate["stays"]) for mate in game["mates"]] == [
        (0, 3, "played", 2), (2, 1, "last", 1),
    ]  # fmt: skip
    (game,) = found(tsume, "-", stdin=f"position sfen {white}")
    assert [(mate["side"], mate["fate"], mate["sfen"]) for mate in game["mates"]] == [("white", "last", white)]
    (game,) = found(tsume, "-", stdin=MISSED)
    assert [(mate["at"], mate["side"], mate["fate"], mate["stays"], mate["line"]) for mate in game["mates"]] == [
        (19, "white", "missed", 2, ["R*6i"]), (21, "white", "played", 1, ["R*6i"]),
    ]  # fmt: skip
    futile = "position sfen lr2k3l/7+R1/2ns+Bp3/8p/6+B2/1PPP1nP1P/+p2npKS2/2GG5/L7L b 2G2S6Pn3p 1"
    (game,) = found(tsume, "-", stdin=futile)
    assert [(mate["length"], len(mate["line"])) for mate in game["mates"]] == [(3, 5)], "its line has a futile drop"
    told = tsume("games", "--lang", "ja", "-", stdin=MISSED, status=0).stdout
    assert "20手目 △ 1手詰 逃した（2手番）: △６九飛" in told


def test_records_say_who_played_and_a_bad_move_costs_what_follows_it(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "1.kif").write_text(
        "棋戦：練習\n手合割：香落ち\n下手：甲\n上手：乙\n1 ３四歩(33)\n2 ７六歩(77)\n", "utf-8"
    )
    (tmp_path / "2.csa").write_text("V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n")
    (tmp_path / "3.usi").write_text(f"{MISSED} 9e9f\nstartpos moves 7g7f 3c3d 8h1a+\nstartpos moves 7g7f x\n")
    (tmp_path / "4.kif").write_text("手合割：平手\n先手：丙\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(77)\n", "utf-8")
    done = tsume("games", "--jsonl", "-j2", tmp_path, status=1)
    first, second, third, fourth, unread, fifth = map(json.loads, done.stdout.splitlines())
    assert (first["white"], first["event"], first["moves"]) == ("乙", "練習", 2)
    assert (second["black"], second["white"], second["moves"]) == ("a", "b", 2)
    assert (third["moves"], len(third["mates"]), fourth["moves"], unread["moves"]) == (22, 2, 2, 1)
    assert (fifth["black"], fifth["moves"], fifth["error"]) == (
        "丙",
        2,
        "line 5: move '２二角成(77)': Black has no 角 there",
    )
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        "move 23 is not legal", "move 3 is not legal", "not a move in USI notation", "line 5",
    ]  # fmt: skip
    assert found(tsume, "--skip", 3, tmp_path, status=1) == [fourth, unread, fifth]


@pytest.mark.parametrize("jobs", ["-j1", pytest.param("-j2", marks=pytest.mark.process)])
def test_a_mate_is_made_into_a_problem_without_what_nothing_needs(jobs: str, tsume: Run, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    told = tsume("games", jobs, "--problems", "--db", store, f"position sfen {GIVEN}", MISSED, status=0).stdout
    assert told.count("made into problem No. 1") == 1
    (problem,) = problems_of(store)
    assert problem.sfen == format_sfen(parse_sfen(CORRECT).position)
    assert problem.notebook.source == "argument 1, move 1"
    assert problem.notebook.tags == ("game", "last", "move-1", "problem")


def test_an_exercise_has_the_board_of_the_game(tsume: Run, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    given = f"position sfen {GIVEN}"
    told = tsume("games", "--exercises", "--db", store, given, MISSED, status=0).stdout
    assert "stored as exercise No. 1" in told
    exercise, white = problems_of(store)
    assert exercise.sfen == GIVEN.replace("b 2P2r2b3g3s4n4l14p", "b 2r2b3g3s4n4l16p")
    assert (white.length, white.notebook.tags) == (1, ("exercise", "game", "missed", "move-20"))


def test_training_has_what_was_not_played_with_the_players(tsume: Run, tmp_path: Path) -> None:
    kif = tsume("games", "--format", "kif", "-", stdin=MISSED, status=0).stdout
    (tmp_path / "game.kif").write_text(f"先手：甲 野\n後手：乙\n{kif}", "utf-8")
    (game,) = found(tsume, "--training", "--db", tmp_path / "games.db", tmp_path / "game.kif")
    assert game["problems"] == [{"at": 19, "kind": "exercise", "id": 1}]
    (problem,) = problems_of(tmp_path / "games.db")
    assert problem.notebook.tags == ("against-甲-野", "exercise", "game", "missed", "move-20", "乙")
    assert problem.notebook.source == f"{tmp_path}/game.kif, problem 1, 甲 野, 乙, move 20"


@pytest.mark.parametrize(("seed", "start"), [(4, shogi.STARTING_SFEN), (0, WITHOUT_LANCE)])
def test_games_in_kif_are_read_again_with_the_same_mates(seed: int, start: str, tsume: Run, tmp_path: Path) -> None:
    moves = random_game(seed, start)
    given = f"position sfen {start} moves {' '.join(moves)}"
    kif = tsume("games", "--format", "kif", "--max-moves", 3, "-", stdin=given, status=0).stdout
    alone = kif.partition("変化")[0].replace(")+", ")")  # python-shogi takes variations for the game
    (read,) = shogi.KIF.Parser.parse_str(alone)
    assert read["moves"][: len(moves)] == moves
    (tmp_path / "game.kif").write_text(kif, "utf-8")
    (first,) = found(tsume, "--max-moves", 3, "-", stdin=given)
    (again,) = found(tsume, "--max-moves", 3, tmp_path / "game.kif")
    assert again["mates"] == first["mates"] != []


def test_tables(tsume: Run) -> None:
    told = tsume("games", "--format", "csv", "-", stdin=MISSED).stdout
    assert [row["fate"] for row in csv.DictReader(told.splitlines())] == ["missed", "played"]
    by_length = tsume("games", "--by", "length", "-", stdin=MISSED).stdout.split()
    assert by_length[-8:] == ["1", "2", "1", "0", "1", "0", "0", "0"]
    by_player = tsume("games", "--by", "player", "--lang", "ja", "-", stdin=MISSED).stdout.split()
    assert by_player[-8:] == ["不明", "2", "1", "0", "1", "0", "0", "0"]


def test_problems_of_games_are_extended(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "games.usi").write_text(f"position sfen {GIVEN}\nstartpos moves 9a9b\n")
    store = tmp_path / "longer.db"
    games = tmp_path / "games.usi"
    options = ("-m", 5, "-n", 1, "--seed", 1, "--style", "free", "--db", store)
    assert "games.usi, line 2: move 1 is not legal" in tsume("generate", *options, "--from-games", games).stderr
    (problem,) = problems_of(store)
    assert problem.length == 5
    nothing = tsume("generate", "-m", 5, "--from-games", "-", "--db", store, stdin=MISSED, status=1)
    assert "--from-games: nothing to extend to 5 moves" in nothing.stderr
