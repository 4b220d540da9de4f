# SPDX-License-Identifier: GPL-3.0-or-later
"""A client that others wrote, cshogi's, plays through the engine."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate, NoMate
from solver.solving.solve import solve
from tests.places import ROOT
from tests.sampling import attacks, few
from tsume_rules.game import start_faults
from tsume_rules.sfen import format_sfen, parse_sfen

client = pytest.importorskip("cshogi.usi", reason="cshogi is not installed")
NODES = 20_000


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """cshogi's client of an engine that is one file without arguments."""
    script = tmp_path_factory.mktemp("engine") / "tsume-usi"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tsume.__main__ import main_usi; main_usi()"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n')
    script.chmod(0o755)
    started = client.Engine(str(script))
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
def test_positions_like_problems(engine: Any, part: int) -> None:
    for number, position in enumerate(attacks(25, f"cshogi {part}")):
        sfen = format_sfen(position, rotated=number % 3 == 0)
        engine.position(sfen=f"sfen {sfen}")
        check_answer(sfen, engine.go_mate(byoyomi=f"60000 nodes {NODES}"))


def test_positions_of_games(engine: Any) -> None:
    for seed in range(40):
        board = random_game(seed)
        engine.position(moves=[move.usi() for move in board.move_stack])
        answer = engine.go_mate(byoyomi=f"60000 nodes {NODES}")
        if start_faults(parse_sfen(board.sfen()).position):
            assert answer == "notimplemented"
        else:
            check_answer(board.sfen(), answer)


def test_a_move(engine: Any) -> None:
    engine.usinewgame()
    engine.position()
    assert engine.go(byoyomi=2000) == ("resign", None)
    engine.gameover("lose")
