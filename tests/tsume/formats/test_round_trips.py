# SPDX-License-Identifier: GPL-3.0-or-later
"""Records with variations, comments and headers: what is written is read, in every format and encoding."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.formats.trees import random_tree, tree_of
from tsume.formats.csa import find_csa, write_csa
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.jkf import find_jkf, read_jkf, write_jkf
from tsume.formats.kif import find_kif, write_ki2, write_kif
from tsume.formats.replay import ParsedProblem
from tsume.formats.text import decode_record_file, encode_record_text
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

SEEDS = st.integers(0, 10**9)
FORMATS: dict[str, tuple[Callable[[GameRecord], str], Callable[[str], Iterator[ParsedProblem]]]] = {
    "kif": (write_kif, find_kif), "ki2": (write_ki2, find_kif), "jkf": (write_jkf, find_jkf),
}  # fmt: skip


def read(find: Callable[[str], Iterator[ParsedProblem]], text: str) -> GameRecord:
    (found,) = find(text)
    assert found.fault is None, (found.fault, text)
    assert found.record is not None
    return found.record


def comments_of(branch: Branch) -> list[object]:
    """The comments of a line, cut into lines, and those of its variations."""
    own = [(number, branch.comments_on(number)) for number in range(branch.first, branch.end)]
    return [*own, *map(comments_of, branch.branches)]


@pytest.mark.parametrize("form", FORMATS)
@given(seed=SEEDS)
@settings(max_examples=25)
def test_everything_comes_back(form: str, seed: int) -> None:
    write, find = FORMATS[form]
    record = random_tree(seed)
    again = read(find, write(record))
    assert (again.position, again.title) == (record.position, record.title)
    assert tree_of(again) == tree_of(record)
    assert comments_of(again.main) == comments_of(record.main)
    assert again.comment_lines == record.comment_lines
    assert again.header_lines == record.header_lines
    assert write(again) == write(record)


@given(seed=SEEDS)
@settings(max_examples=25)
def test_csa_brings_back_all_but_the_variations(seed: int) -> None:
    record = random_tree(seed)
    again = read(find_csa, write_csa(record))
    assert (again.position, again.line, again.title) == (record.position, record.line, record.title)
    assert again.comment_lines == record.comment_lines
    for number in range(1, len(record.line) + 1):
        assert again.main.comments_on(number) == record.main.comments_on(number)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16", "utf-16-le"])
@given(seed=SEEDS)
@settings(max_examples=10)
def test_every_encoding_is_recognised(encoding: str, seed: int) -> None:
    text = write_kif(random_tree(seed)).replace("\n", "\r\n")
    assert decode_record_file(text.encode(encoding)) == text


LINE = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))
PROBLEM = GameRecord(
    parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position, LINE,
    branches=(
        Branch(1, tuple(map(parse_move, ("G*1b", "1a2a")))),
        Branch(2, tuple(map(parse_move, ("1a2a", "G*1b"))), ((2, "逃げる"),)),
    ),
)  # fmt: skip


def test_the_variations_of_a_kif_file() -> None:
    assert write_kif(PROBLEM).splitlines()[15:] == [
        "手数----指手---------消費時間--",
        "   1 ２二金打   ( 0:00/00:00:00)+",
        "   2 同　玉(11)   ( 0:00/00:00:00)+",
        "   3 ２三金打   ( 0:00/00:00:00)",
        "   4 詰み   ( 0:00/00:00:00)",
        "まで3手で詰",
        "",
        "変化：2手",
        "   2 ２一玉(11)   ( 0:00/00:00:00)",
        "*逃げる",
        "   3 １二金打   ( 0:00/00:00:00)",
        "   4 詰み   ( 0:00/00:00:00)",
        "",
        "変化：1手",
        "   1 １二金打   ( 0:00/00:00:00)",
        "   2 ２一玉(11)   ( 0:00/00:00:00)",
    ]


def test_variations_in_ascending_order_are_read_too() -> None:
    head, second, first = write_kif(PROBLEM).split("\n\n")
    assert read(find_kif, "\n\n".join([head, first, second])) == read(find_kif, write_kif(PROBLEM))


def test_a_variation_may_take_the_place_of_the_end() -> None:
    text = write_kif(PROBLEM).replace("\n変化：2手", "\n変化：4手\n   4 ３一玉(22)\n\n変化：2手")
    assert [branch.first for branch in read(find_kif, text).branches] == [1, 2, 4]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("変化：2手", "変化：7手", "a variation of move 7, which does not exist"),
        ("変化：2手\n   2", "変化：2手\n   3", "move 3 follows move 1"),
        ("２一玉(11)", "３一玉(11)", "does not move that way"),
    ],
)
def test_a_faulty_variation_is_an_error(old: str, new: str, reason: str) -> None:
    (found,) = find_kif(write_kif(PROBLEM).replace(old, new))
    assert found.fault is not None
    assert reason in found.fault.reason


def test_the_other_problems_of_a_file_are_read_all_the_same() -> None:
    good = write_kif(GameRecord(PROBLEM.position, LINE, "一番"))
    for bad, reason in (
        (good.replace("２三金打", "２三銀打"), "no silver in hand"),
        (good.replace("| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n", ""), "8 ranks"),
        (good.replace("金二", "金x"), "in hand"),
        (good.replace("２三金打", "2x金打"), "invalid move"),
    ):
        one, two, three = find_kif("\n".join([good, bad.replace("一番", "二番"), good]))
        assert one.record == three.record
        assert one.fault is None
        assert two.fault is not None
        assert (two.title, two.line) == ("二番", len(good.splitlines()) + 2)
        assert reason in two.fault.reason
        assert two.fault.line > two.line


def test_one_faulty_game_of_csa_does_not_end_the_others() -> None:
    good = write_csa(PROBLEM)
    one, two, three = find_csa(f"{good}/\n{good.replace('-1122OU', '-1133OU')}/\n{good}")
    assert one.record == three.record
    assert two.fault is not None


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [("cp932", "☗７六歩 ☖３四歩", "▲７六歩 △３四歩"), ("utf-8", "☗７六歩", "☗７六歩")],
)
def test_shift_jis_has_other_marks(encoding: str, text: str, written: str) -> None:
    assert encode_record_text(text, encoding).decode(encoding) == written


def test_a_character_that_an_encoding_lacks_is_an_error() -> None:
    with pytest.raises(ValueError, match="shift_jis has no '♔'"):
        encode_record_text("♔", "cp932")


@pytest.mark.parametrize(("first", "usi"), [({}, "3f4e"), ({"from": {"x": 4, "y": 4}}, "G*4e")])
def test_without_an_origin_a_move_of_jkf_is_a_drop_where_others_have_one(
    first: dict[str, object], usi: str
) -> None:
    """Records made from KI2 have none; in all others a drop is what has none."""
    record = GameRecord(parse_sfen("9/9/9/5k3/9/6G2/9/9/9 b G 1").position)
    moves = [
        {"move": {"to": {"x": 4, "y": 5}, "piece": "KI"}},
        {"move": {"to": {"x": 5, "y": 3}, "piece": "OU"} | first},
    ]
    data = json.loads(write_jkf(record)) | {"moves": [{}, *moves]}
    ((_, line),) = read_jkf(json.dumps(data))
    assert line[0].usi == usi


@given(text=st.text() | st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from(["FU", "OU", "HIRATE", "OTHER"]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(
        st.sampled_from(["header", "initial", "preset", "data", "board", "hands", "color", "moves", "move",
                         "from", "to", "x", "y", "piece", "forks", "comments", "kind", "promote"]),
        inner, max_size=5),
    max_leaves=20,
).map(json.dumps))  # fmt: skip
def test_junk_is_a_fault(text: str) -> None:
    for found in find_jkf(text):
        assert (found.fault is None) != (found.record is None)
