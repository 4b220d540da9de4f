# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats import spellings
from tests.tsume.formats.positions import random_record
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.kif import MOVES_PER_LINE, find_kif, read_kif, write_ki2
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

PROBLEM = GameRecord(
    parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position,
    tuple(map(parse_move, ("G*2b", "1a2b", "G*2c"))),
    "tsume-1",
    ("難易度 ★☆☆☆☆ (1.00)",),
)


def test_the_file_of_a_problem() -> None:
    assert write_ki2(PROBLEM).splitlines()[-4:] == [
        "先手の持駒：金二",
        "*難易度 ★☆☆☆☆ (1.00)",
        "▲２二金 △同玉 ▲２三金",
        "まで3手で詰",
    ]


@given(st.integers(0, 10**9))
def test_the_diagram_is_read_and_all_moves_are_there(seed: int) -> None:
    record = random_record(seed)
    text = write_ki2(record)
    assert text.encode("cp932")
    moves = [line for line in text.splitlines() if line[0] in "▲△"]
    assert sum(line.count("▲") + line.count("△") for line in moves) == len(record.line)
    assert len(moves) == -(-len(record.line) // MOVES_PER_LINE)
    kept = "\n".join(line for line in text.splitlines() if line[0] not in "▲△")
    assert read_kif(kept) == [(record.position, ())]


@pytest.mark.parametrize("text", spellings.SOLUTIONS)
def test_a_solution_has_many_notations(text: str) -> None:
    assert read_kif(f"{spellings.BOARD}{spellings.HAND}{text}\n") == [(spellings.POSITION, spellings.LINE)]


def varied_record(text: str) -> GameRecord:
    (found,) = find_kif(spellings.VARIED_BOARD + text)
    assert found.fault is None, (text, found.fault)
    assert found.record is not None
    assert (found.record.position, found.record.line) == (spellings.VARIED, spellings.VARIED_LINE)
    return found.record


@pytest.mark.parametrize("line", spellings.LABELLED)
@pytest.mark.parametrize("text", spellings.VARIATIONS)
def test_footnotes_and_headers_give_variations(line: str, text: str) -> None:
    (branch,) = varied_record(f"{line}{text}\n").branches
    assert (branch.first, [move.usi for move in branch.line]) == (2, ["1b2a", "3c2b"])


@pytest.mark.parametrize("text", spellings.TRIES)
def test_a_try_is_a_variation_of_the_first_move(text: str) -> None:
    (branch,) = varied_record(f"{spellings.LABELLED[0]}{text}\n").branches
    assert (branch.first, [move.usi for move in branch.line]) == (1, ["3c2b", "1b1c"])


@pytest.mark.parametrize("text", spellings.NOTES)
def test_what_is_no_variation_is_kept_as_a_comment(text: str) -> None:
    record = varied_record(f"{spellings.LABELLED[0]}{text}\n")
    kept = [
        *record.comments,
        *(comment for _, comment in record.move_comments),
        *dict(record.headers).values(),
    ]
    assert record.branches == ()
    assert text.lstrip("(イ)*※余詰紛れ変化解説コメント：") in " ".join(kept)


def test_footnotes_have_footnotes() -> None:
    record = varied_record(
        "23金、(イ)11玉、22成銀まで。\n(イ)21玉は(ロ)22成銀まで。\n(ロ)22金打は11玉で逃れ\n".replace(
            "22金打は11玉", "32成銀は11玉"
        )
    )
    (branch,) = record.branches
    (inner,) = branch.branches
    assert inner == Branch(3, tuple(map(parse_move, ("3c3b", "2a1a"))), ((4, "で逃れ"),))
