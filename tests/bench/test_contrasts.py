# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench contrasts`: what is counted in published and in composed problems."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from scripts.measuring.contrasts import Contrasts, contrasts, contrasts_of
from scripts.measuring.problem_files import Lined
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.sfen import parse_line, parse_sfen

ONE = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"


def counted(text: str) -> Contrasts:
    sfen, line = parse_line(text)
    return contrasts_of(Lined(parse_sfen(sfen).position, tuple(line)), DfPnEngine(table_bits=12))


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


def test_two_last_moves() -> None:
    assert counted("8k/9/7PP/9/9/9/9/9/9 b G 1 moves G*1b").two_last_moves
    # promoted or not, the same move mates: one last move
    assert not counted("8k/6G2/8P/9/8L/9/9/9/9 b - 1 moves 1c1b+").two_last_moves


def test_lines_in_which_only_the_king_answers() -> None:
    assert counted("7kn/5G3/7G1/9/9/9/9/9/9 b - 1 moves 2c2b 2a3a 2b3b").only_king_answers
    blocked = "9/8p/7pk/9/7SP/9/9/9/9 b B2rb4g3s4n4l15p 1 moves B*3a L*2b 1e1d"
    assert not counted(blocked).only_king_answers


def test_a_check_that_captures() -> None:
    assert counted("8k/8p/8G/8P/9/9/9/9/9 b - 1 moves 1c1b").captures


def test_both_sets_by_length(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"{ONE}\n", encoding="utf-8")
    words = ["--published", str(path), "--composed", str(path)]
    text = CliRunner().invoke(contrasts, words)
    assert text.exit_code == 0, text.output
    assert [line.split()[-2:] for line in text.output.splitlines() if "gold drop" in line] == [
        ["1.000", "1.000"]
    ]
    found = json.loads(CliRunner().invoke(contrasts, [*words, "--jsonl"]).output)
    assert found["length"] == 1
    assert found["published"] == found["composed"]
    assert found["published"]["number"] == 1
    assert CliRunner().invoke(contrasts, [*words, "--moves", "3"]).output == ""
