# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine in a process of its own, also by the clients of cshogi and tsshogi, which check its moves."""

import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate, NoMate
from solver.solving.solve import solve
from tests.javascript.node import answers
from tests.places import ROOT
from tests.sampling import attacks, few
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, HARD, NO_MATE
from tests.tsume.usi_client import UsiClient
from tsume_rules.packed import start_faults
from tsume_rules.sfen import format_sfen, parse_sfen


@pytest.fixture
def engine() -> Iterator[UsiClient]:
    """An engine in a process of its own, not yet introduced."""
    with UsiClient() as client:
        yield client


@pytest.fixture(scope="module")
def prepared() -> Iterator[UsiClient]:
    """An engine that the tests of a module share; each leaves it without a search and with its options."""
    with UsiClient() as client:
        client.prepare()
        yield client


ANSWER = "checkmate " + " ".join(CORRECT_LINE)
THIRTEEN = "7nk/7n1/6LP1/7P1/9/9/9/9/9 b R2N2r2b4g4s3l16p 1"
GREY = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
"""Three plies by the narrow reading; seven if all interpositions count (docs/rules.md)."""


def new_lines(client: UsiClient, go: str, position: str) -> list[str]:
    """What the engine prints for a search, the answer last."""
    first = len(client.received)
    client.ask(go, position)
    return [line.text for line in client.received[first:]]


@contextmanager
def options(client: UsiClient, **values: tuple[str, str]) -> Iterator[None]:
    """Options with their values inside the block and after it."""
    for name, (value, _) in values.items():
        client.send(f"setoption name {name} value {value}")
    yield
    for name, (_, value) in values.items():
        client.send(f"setoption name {name} value {value}")


@pytest.mark.parametrize(
    ("sfen", "answer"),
    [
        (CORRECT, ANSWER),
        (CORRECT_WHITE, "checkmate " + " ".join(CORRECT_WHITE_LINE)),
        (NO_MATE, "checkmate nomate"),
        ("4k4/9/9/9/9/9/9/9/9 x - 1", "checkmate notimplemented"),
    ],
)
def test_answers(prepared: UsiClient, sfen: str, answer: str) -> None:
    assert prepared.ask("go mate infinite", f"sfen {sfen}") == answer


def test_mates_their_lengths_and_a_problem_played_to_its_end(prepared: UsiClient) -> None:
    assert prepared.ask("go mate 60000", "startpos") == "checkmate nomate"
    assert prepared.ask("go movetime 60000") == "bestmove resign"
    *_, info, answer = new_lines(prepared, "go mate infinite", f"sfen {CORRECT}")
    assert answer == ANSWER
    assert info.startswith("info depth 3 nodes ")
    assert info.endswith(" score mate 3 pv " + " ".join(CORRECT_LINE))
    # The longest defence is played; the rest of the line is the mate.
    moves = " ".join(CORRECT_WHITE_LINE[:2])
    answer = prepared.ask("go mate infinite", f"sfen {CORRECT_WHITE} moves {moves}")
    assert answer == f"checkmate {CORRECT_WHITE_LINE[2]}"
    sfen = "4k4/9/3GP4/9/4r4/9/9/9/4K4 b r2b3g4s4n4l17p 1"
    board = shogi.Board(sfen)
    assert board.is_check()
    answer = prepared.ask("go mate infinite", f"sfen {sfen}")
    assert answer == "checkmate nomate"
    sfen = "4k4/9/4P4/9/9/9/9/4r4/4K4 b 2Gr2b2g4s4n4l17p 1"
    assert prepared.ask("go mate infinite", f"sfen {sfen}") == "checkmate nomate"
    solved = prepared.ask("go mate infinite", f"sfen {THIRTEEN}").split()[1:]
    for ply in range(1, len(solved) + 1, 2):
        played = f"sfen {THIRTEEN} moves {' '.join(solved[:ply])}"
        rest = solved[ply:]
        reply = prepared.ask("go btime 0 wtime 0 byoyomi 60000", played).split()
        assert reply[1] == (rest[0] if rest else "resign")
        assert prepared.ask("go mate infinite", played).split()[1:] == (rest or ["notimplemented"])


KEY = f"sfen {CORRECT} moves {CORRECT_LINE[0]}"
WHITE_KEY = f"sfen {CORRECT_WHITE} moves {CORRECT_WHITE_LINE[0]}"
MATED = f"sfen {CORRECT} moves {' '.join(CORRECT_LINE)}"
NO_CHECK = f"sfen {CORRECT} moves 3d3e"
TWO_KINGS = "sfen 8k/6S2/9/7L1/6B2/9/9/9/K8 b 2rb4g3s4n3l18p 1"


@pytest.mark.parametrize(
    ("position", "go", "answer", "told"),
    [
        (KEY, "go mate infinite", "checkmate 1b1a 2c2b", "score mate -2 pv 1b1a 2c2b"),
        (KEY, "go btime 9000 wtime 9000", "bestmove 1b1a ponder 2c2b", "score mate -2"),
        (KEY, "go movetime 9000", "bestmove 1b1a ponder 2c2b", "score mate -2"),
        (WHITE_KEY, "go mate infinite", "checkmate 9h9i 8g8h", "score mate -2 pv 9h9i 8g8h"),
        (WHITE_KEY, "go btime 9000 wtime 9000", "bestmove 9h9i ponder 8g8h", "score mate -2"),
        (MATED, "go mate infinite", "checkmate notimplemented", "is mated"),
        (MATED, "go movetime 9000", "bestmove resign", "is mated"),
        ("sfen 9/9/9/8k/8B/8+R/9/9/9 b - 1 moves 1e3c+", "go movetime 9000", "bestmove resign", "futile"),
        ("sfen 9/9/9/8k/8B/8+R/9/9/9 b - 1 moves 1e3c+", "go mate", "checkmate notimplemented", "futile"),
        (NO_CHECK, "go mate infinite", "checkmate nomate", "not in check"),
        (NO_CHECK, "go movetime 9000", "bestmove 1b1a", "not in check"),
        (f"{NO_CHECK} 1b1a", "go movetime 9000", "bestmove resign", "no mate"),
        (f"sfen {NO_MATE} moves P*5b", "go mate infinite", "checkmate nomate", "is not mated"),
        (f"sfen {NO_MATE} moves P*5b", "go movetime 9000", "bestmove 5a5b", "is not mated"),
        (f"{TWO_KINGS} moves 3e4d", "go mate infinite", "checkmate 1a1b 2d2c+", "score mate -2"),
        (f"{TWO_KINGS} moves 3e4d", "go movetime 9000", "bestmove 1a1b ponder 2d2c+", "score mate -2"),
        ("startpos moves 7g7f 3c3d 8h3c+", "go mate infinite", "checkmate nomate", "no mate"),
        ("startpos moves 7g7f 3c3d 8h3c+", "go movetime 9000", "bestmove 2a3c", "is not mated"),
        (KEY, "go mate infinite searchmoves 1b1a", "checkmate 1b1a 2c2b", "score mate -2"),
        (f"sfen {CORRECT}", "go mate infinite searchmoves 3d2c", ANSWER, "score mate 3"),
        (f"sfen {CORRECT}", "go mate searchmoves 3d3e 3c2b", "checkmate nomate", "none of searchmoves"),
        (f"sfen {CORRECT}", "go movetime 9000 searchmoves 3d3e", "bestmove resign", "none of searchmoves"),
        (f"sfen {COOKED}", "go mate searchmoves 3b2a+", "checkmate 3b2a+ 1a1b 2d2b+", "score mate 3"),
        (f"sfen {COOKED}", "go movetime 9000 searchmoves 3b2a+", "bestmove 3b2a+ ponder 1a1b", "mate 3"),
        (NO_CHECK, "go movetime 9000 searchmoves 1b2a P*9c", "bestmove 1b2a", "not in check"),
        (KEY, "go mate searchmoves 1b2b", "checkmate notimplemented", "not legal here: 1b2b"),
        (KEY, "go movetime 99 searchmoves 1b2b", "bestmove resign", "not legal here: 1b2b"),
        (KEY, "go movetime 9000 searchmoves 1b2b 1b1a", "bestmove 1b1a ponder 2c2b", "legal here: 1b2b"),
        ("startpos", "go movetime 99 searchmoves x", "bestmove resign", "is not USI notation"),
        ("startpos", "go mate searchmoves", "checkmate notimplemented", "no move"),
    ],
)  # fmt: skip
def test_defender_and_searches(prepared: UsiClient, position: str, go: str, answer: str, told: str) -> None:
    *lines, last = new_lines(prepared, go, position)
    assert last == answer
    assert told in "\n".join(lines)


def test_a_defence_that_is_not_resolved_is_a_legal_move(prepared: UsiClient) -> None:
    board = shogi.Board(HARD)
    board.push_usi(next(move.usi() for move in board.legal_moves if _checks(board, move)))
    played = f"sfen {HARD} moves {board.move_stack[-1].usi()}"
    for limit in ("movetime 0", "infinite nodes 30", "movetime 300"):
        if "infinite" in limit:
            prepared.send(f"position {played}")
            prepared.send(f"go {limit}")
            prepared.wait("info string limit")
            answer = prepared.ask("stop")
        else:
            answer = prepared.ask(f"go {limit}", played)
        move = answer.split()[1]
        assert shogi.Move.from_usi(move) in board.legal_moves


def _checks(board: shogi.Board, move: shogi.Move) -> bool:
    board.push(move)
    found = board.is_check()
    board.pop()
    return bool(found)


def test_all_first_checks_and_the_judgement(prepared: UsiClient) -> None:
    with options(prepared, FindAll=("true", "false")):
        for go, position in (("go mate", KEY), ("go mate searchmoves 3b2a+", f"sfen {COOKED}")):
            lines = new_lines(prepared, go, position)
            assert any("FindAll needs the attacker to move" in line for line in lines)
            assert not any("multipv" in line for line in lines)
    with options(prepared, FindAll=("true", "false")):
        lines = new_lines(prepared, "go mate infinite", f"sfen {COOKED}")
        alone = new_lines(prepared, "go mate infinite", f"sfen {CORRECT}")
        with options(prepared, MultiPV=("1", "10")):
            fewer = new_lines(prepared, "go mate infinite", f"sfen {COOKED}")
        with options(prepared, Lang=("ja", "en")):
            japanese = new_lines(prepared, "go mate infinite", f"sfen {COOKED}")
    ranked = [line for line in lines if "multipv" in line]
    assert [line.split(" score ")[1] for line in ranked] == [
        "mate 3 pv 3e4d 1a1b 2d2c+", "mate 3 pv 3b2a+ 1a1b 2d2b+"
    ]  # fmt: skip
    assert "info string 2 first checks mate" in lines
    assert "info string unsound in 3: 3e4d 1a1b 2d2c+" in lines
    assert any("COOK (余詰)" in line for line in lines)
    assert lines[-1] == "checkmate 3e4d 1a1b 2d2c+"
    assert "info string 1 first checks mate" in alone
    assert [line for line in fewer if "multipv 2" in line] == []
    assert "info string 1 more are left out by MultiPV" in fewer
    assert any("不完全作" in line for line in japanese)


def test_the_lengths_are_those_of_solve(prepared: UsiClient) -> None:
    engine, mates = DfPnEngine(table_bits=16), 0
    for number, position in enumerate(attacks(150, "usi")):
        result = solve(position, Limits(nodes=20_000), engine)
        sfen = format_sfen(position, rotated=number % 2 == 1)
        parsed = parse_sfen(sfen)
        answer = prepared.ask("go mate 60000 nodes 20000", f"sfen {sfen}")
        if isinstance(result, Mate):
            line = [parsed.outward(move).usi for move in result.line]
            assert answer.split()[1:] == line
            mates += 1
        elif answer.split()[1] not in ("nomate", "timeout"):
            assert len(answer.split()) > 3, "any mate that the limit left to be shortened"
    assert mates > 30


def test_an_analysis_and_searches_that_are_stopped(prepared: UsiClient) -> None:
    prepared.send(f"position sfen {CORRECT}")
    prepared.send("go infinite")
    prepared.wait("info depth 3")
    prepared.send("isready")
    prepared.wait("readyok")
    prepared.send("stop")
    assert prepared.wait("bestmove").text == f"bestmove {CORRECT_LINE[0]} ponder {CORRECT_LINE[1]}"
    for _ in range(3):
        prepared.send(f"position sfen {HARD}")
        prepared.send("go mate infinite")
        prepared.wait("info depth")
        assert prepared.ask("stop").startswith("checkmate")
        assert prepared.ask("go mate infinite", f"sfen {CORRECT}") == ANSWER


def test_limits_readings_and_any_mate(prepared: UsiClient) -> None:
    *_, reason, known, answer = new_lines(prepared, "go mate infinite nodes 50", f"sfen {HARD}")
    assert (reason, answer) == ("info string limit reached: nodes", "checkmate timeout")
    assert known.startswith("info string no mate within ")
    *_, reason, known, answer = new_lines(prepared, "go mate infinite depth 1", f"sfen {CORRECT}")
    assert reason == "info string limit reached: length"
    assert known == "info string no mate within 1 moves"
    assert answer == "checkmate timeout"
    assert "score mate 3" in "\n".join(new_lines(prepared, "go mate infinite", f"sfen {GREY}"))
    with options(prepared, Reading=("count-futile", "narrow")):
        lines = new_lines(prepared, "go mate infinite", f"sfen {GREY}")
    assert len(lines[-1].split()) == 8
    assert "score mate 7" in lines[-2]
    with options(prepared, Shortest=("false", "true")):
        lines = new_lines(prepared, "go mate infinite", f"sfen {THIRTEEN}")
    moves = lines[-1].split()[1:]
    shortest = prepared.ask("go mate infinite", f"sfen {THIRTEEN}").split()[1:]
    assert shortest == moves or "any mate" in lines[-2]


def test_the_sessions_of_the_page(engine: UsiClient) -> None:
    """What stands beside ``<`` is sent; the lines between come in reply, ``...`` being any number of them."""
    page = (ROOT / "docs/usi.md").read_text(encoding="utf-8")
    sessions = re.findall(r"^```\n(< .*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(sessions) == 2
    ends = {"usi": "usiok", "isready": "readyok", "go": ("bestmove", "checkmate")}
    for session in sessions:
        engine.send("setoption name FindAll value false")
        for sent, promised in re.findall(r"^< (.*)\n((?:(?!< ).*\n)*)", session, re.MULTILINE):
            first = len(engine.received)
            if sent == "quit":
                break
            engine.send(sent)
            if end := ends.get(sent.split()[0]):
                engine.wait(*((end,) if isinstance(end, str) else end))
            texts = [line.text for line in engine.received[first:]]
            said = "".join(f"{_without_numbers(text)}\n" for text in texts if not _comes_late(text))
            lines = map(re.escape, _without_numbers(promised).split("\n...\n"))
            assert re.fullmatch(r"\n(?:.*\n)*?".join(lines), said), (sent, said)


def _comes_late(text: str) -> bool:
    """Whether a line is one that only a slow machine prints."""
    return text.startswith(("info string preparing", "info depth")) and " score " not in text


def _without_numbers(text: str) -> str:
    """A text without what depends on the machine and the version."""
    return re.sub(r"(tsume|max|nodes|nps|hashfull|time) [\d.]+(dev\d+)?", r"\1 N", text)


# --- streams ----------------------------------------------------------------------------------


def test_a_search_before_isready_and_ctrl_c(engine: UsiClient) -> None:
    assert engine.ask("go mate infinite", f"sfen {CORRECT}") == ANSWER
    engine.prepare()
    engine.process.send_signal(signal.SIGINT)
    assert engine.process.wait(60) == 130
    assert engine.errors() == ""


@pytest.mark.parametrize("is_searching", [False, True])
def test_quit_and_the_end_of_the_input_end_the_process(engine: UsiClient, is_searching: bool) -> None:
    engine.prepare()
    if is_searching:
        engine.send(f"position sfen {HARD}")
        engine.send("go mate infinite")
        engine.wait("info")
        engine.send("quit")
        assert engine.process.wait(60) == 0
    assert engine.end() == 0
    assert engine.errors() == ""


def test_commands_before_the_end_are_answered(engine: UsiClient) -> None:
    engine.send("usi\nposition sfen\ngo mate\nusi")
    assert engine.end() == 0
    texts = [line.text for line in engine.received]
    assert texts.count("usiok") == 2
    assert texts[-1] == "usiok"
    assert "checkmate notimplemented" in texts


def test_an_output_that_is_closed_ends_the_engine_quietly(engine: UsiClient) -> None:
    engine.send("usi")
    engine.wait("usiok")
    engine.stop_reading()
    while engine.process.poll() is None:  # what was written before it was closed is no failure
        with suppress(BrokenPipeError, subprocess.TimeoutExpired):
            engine.send("usi")
            engine.process.wait(0.1)
    assert engine.process.wait(60) == 0
    assert engine.errors() == ""


def test_hostile_input(engine: UsiClient) -> None:
    engine.prepare()
    engine.send(b"\x00\xff\xfe" + bytes(range(256)).replace(b"\n", b""))
    engine.send(b"position " + b"x" * 3_000_000)
    engine.send("setoption name Threads value many")
    assert engine.wait("info string").text == "info string Error: a line is longer than 65536 bytes"
    assert "is not a number" in engine.wait("info string").text
    assert engine.ask("go mate infinite", f"sfen {CORRECT}") == ANSWER


NODES = 20_000


@pytest.fixture(scope="module")
def cshogi_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """cshogi's client of an engine that is one file without arguments."""
    script = tmp_path_factory.mktemp("engine") / "tsume-usi"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tsume.__main__ import main_usi; main_usi()"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n')
    script.chmod(0o755)
    started = pytest.importorskip("cshogi.usi", reason="cshogi is not installed").Engine(str(script))
    started.setoption("USI_Hash", 64)
    started.isready()
    yield started
    process = started.proc
    started.quit()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    assert process.returncode == 0


def random_game(seed: int) -> shogi.Board:
    rng, board = random.Random(seed), shogi.Board()
    for _ in range(rng.randint(0, 150)):
        moves = sorted(move.usi() for move in board.legal_moves)
        if not moves:
            break
        board.push_usi(rng.choice(moves))
    return board


def check_answer(sfen: str, answer: str) -> None:
    """Whether an answer is the one of the solver, and its moves can be played by python-shogi."""
    parsed = parse_sfen(sfen)
    result = solve(parsed.position, Limits(nodes=NODES), DfPnEngine(table_bits=16))
    if not isinstance(result, Mate):
        assert answer == ("nomate" if isinstance(result, NoMate) else "timeout") or len(answer.split()) > 3
        return
    moves, board = answer.split(), shogi.Board(sfen)
    assert len(moves) == len(result.line)
    for ply, move in enumerate(moves):
        assert shogi.Move.from_usi(move) in board.legal_moves
        board.push_usi(move)
        assert ply % 2 or board.is_check()


@pytest.mark.parametrize("part", few(range(8), 2))
def test_positions_like_problems(cshogi_client: Any, part: int) -> None:
    for number, position in enumerate(attacks(25, f"cshogi {part}")):
        sfen = format_sfen(position, rotated=number % 3 == 0)
        cshogi_client.position(sfen=f"sfen {sfen}")
        check_answer(sfen, cshogi_client.go_mate(byoyomi=f"60000 nodes {NODES}"))


def test_positions_of_games(cshogi_client: Any) -> None:
    for seed in range(20):
        board = random_game(seed)
        cshogi_client.position(moves=[move.usi() for move in board.move_stack])
        answer = cshogi_client.go_mate(byoyomi=f"60000 nodes {NODES}")
        if start_faults(parse_sfen(board.sfen()).position):
            assert answer == "notimplemented"
        else:
            check_answer(board.sfen(), answer)


def test_a_move_by_cshogi(cshogi_client: Any) -> None:
    cshogi_client.usinewgame()
    cshogi_client.position()
    assert cshogi_client.go(byoyomi=2000) == ("resign", None)
    cshogi_client.gameover("lose")


def test_the_moves_are_legal_checks_and_answers(prepared: UsiClient) -> None:
    sfens = [CORRECT, CORRECT_WHITE]
    sfens += [format_sfen(position, rotated=n % 2 == 1) for n, position in enumerate(attacks(80, "tsshogi"))]
    questions, lengths = [], []
    for sfen in sfens:
        word, *moves = prepared.ask("go mate 60000 nodes 20000", f"sfen {sfen}").split()
        assert word == "checkmate"
        if moves[0] not in ("nomate", "timeout"):
            questions.append({"position": f"sfen {sfen} moves {' '.join(moves)}"})
            lengths.append(len(moves))
    assert len(questions) > 20
    for question, length, answer in zip(
        questions, lengths, answers("play_usi.mjs", questions, packages=True), strict=True
    ):
        assert answer["moves"] == length, (question, answer)
        assert all(answer["checks"][::2]), question
