# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from tsume.usi.protocol import MOST_MILLISECONDS, Go, UsiError, parse_go, parse_setoption, words_of


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("usi", ("usi", "")),
        ("  go   mate 5 \r", ("go", "mate 5")),
        ("go\tmate 5", ("go", "mate 5")),
        ("", ("", "")),
        ("\x00", ("\x00", "")),
    ],
)
def test_the_command_of_a_line(line: str, words: tuple[str, str]) -> None:
    assert words_of(line) == words


@pytest.mark.parametrize(
    ("text", "go"),
    [
        ("mate infinite", Go(mate=True)),
        ("mate", Go(mate=True)),
        ("mate nodes 7", Go(mate=True, nodes=7)),
        ("mate 5000", Go(mate=True, milliseconds=5000)),
        ("mate 5000 nodes 7 depth 9", Go(mate=True, milliseconds=5000, nodes=7, depth=9)),
        ("", Go()),
        ("infinite", Go(infinite=True)),
        ("movetime 10", Go(milliseconds=10)),
        ("mate -1", Go(mate=True, milliseconds=0)),
        ("mate " + "9" * 5000, Go(mate=True, milliseconds=MOST_MILLISECONDS)),
        ("searchmoves 7g7f infinite", Go(infinite=True, only=("7g7f",))),
        ("mate 50 searchmoves 7g7f P*5e 7g7f", Go(mate=True, milliseconds=50, only=("7g7f", "P*5e"))),
        ("mate searchmoves 2b3c+ nodes 7", Go(mate=True, nodes=7, only=("2b3c+",))),
        (
            "ponder btime 1 wtime 2 byoyomi 3",
            Go(ponder=True, clock=(("btime", 1), ("wtime", 2), ("byoyomi", 3))),
        ),
    ],
)
def test_go(text: str, go: Go) -> None:
    assert parse_go(text) == go


@pytest.mark.parametrize(
    ("text", "mate"), [("mate x", True), ("movetime", False), ("mate 5 nodes 1e3", True)]
)
def test_a_go_with_a_bad_number_names_it_and_is_still_to_be_answered(text: str, mate: bool) -> None:
    with pytest.raises(UsiError, match="is not a number") as raised:
        parse_go(text)
    assert raised.value.go == Go(mate=mate)


@pytest.mark.parametrize(
    "text", ["searchmoves", "mate searchmoves infinite", "mate 5 searchmoves 7g7f x 2g2f"]
)
def test_searchmoves_that_cannot_be_read_exclude_everything(text: str) -> None:
    with pytest.raises(UsiError, match="go searchmoves: ") as raised:
        parse_go(text)
    assert raised.value.go == Go(mate="mate" in text)


@pytest.mark.parametrize(
    ("text", "white", "milliseconds"),
    [
        ("btime 0 wtime 0 byoyomi 10000", False, 9900),
        ("btime 400000 wtime 0", False, 9900),
        ("btime 400000 wtime 80000 winc 1000", True, 2900),
        ("btime 0 wtime 0 byoyomi 0", True, 50),
        ("movetime 70 byoyomi 1000", True, 70),
        ("infinite", True, None),
    ],
)
def test_the_time_of_a_move(text: str, white: bool, milliseconds: int | None) -> None:
    assert parse_go(text).time_limit(white=white) == milliseconds


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [("name USI_Hash value 64", "USI_Hash", "64"), ("name A b value c d", "A b", "c d"), ("name A", "A", "")],
)
def test_setoption(text: str, name: str, value: str) -> None:
    assert parse_setoption(text) == (name, value)


@pytest.mark.parametrize("text", ["", "USI_Hash value 64", "name"])
def test_setoption_needs_a_name(text: str) -> None:
    with pytest.raises(UsiError, match="no name"):
        parse_setoption(text)
