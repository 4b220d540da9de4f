# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of games: what is written is read; damaged files, starts of games, merged variations."""

import contextlib
import json
import random
from collections.abc import Callable, Iterator

import pytest
import shogi
import shogi.KIF
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Judgement
from tests.places import DATA
from tests.tsume.conftest import present
from tests.tsume.formats.trees import Game, random_record, random_tree, read_csa, read_jkf, read_kif, tree_of
from tsume.formats.csa import find_csa, write_csa, write_csa_collection
from tsume.formats.diagram import board_lines
from tsume.formats.game_record import (
    START_SFEN,
    Branch,
    GameRecord,
    game_record_of,
    game_start,
    is_game_start,
    merged_branches,
)
from tsume.formats.japanese import line_texts
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.kif import find_kif, write_kif
from tsume.formats.registry import FORMAT_OF_NAME, READERS, WRITERS
from tsume.formats.replay import ParsedProblem
from tsume.formats.text import FormatError, decode_record_file, encode_record_text
from tsume_rules.moves import parse_move
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen, parse_line, parse_sfen

SEEDS = st.integers(0, 10**9)
FORMATS: dict[str, tuple[Callable[[GameRecord], str], Callable[[str], Iterator[ParsedProblem]]]] = {
    name: (writer.write, READERS[FORMAT_OF_NAME[name]]) for name, writer in WRITERS.items() if writer.variations
}


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
        "手数----指手---------消費時間--", "   1 ２二金打   ( 0:00/00:00:00)+", "   2 同　玉(11)   ( 0:00/00:00:00)+",
        "   3 ２三金打   ( 0:00/00:00:00)", "   4 詰み   ( 0:00/00:00:00)", "まで3手で詰", "", "変化：2手",
        "   2 ２一玉(11)   ( 0:00/00:00:00)", "*逃げる", "   3 １二金打   ( 0:00/00:00:00)",
        "   4 詰み   ( 0:00/00:00:00)", "",
        "変化：1手", "   1 １二金打   ( 0:00/00:00:00)", "   2 ２一玉(11)   ( 0:00/00:00:00)",
    ]  # fmt: skip
    head, second, first = write_kif(PROBLEM).split("\n\n")
    assert read(find_kif, "\n\n".join([head, first, second])) == read(find_kif, write_kif(PROBLEM))
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
    good = write_csa(PROBLEM)
    one, two, three = find_csa(f"{good}/\n{good.replace('-1122OU', '-1133OU')}/\n{good}")
    assert one.record == three.record
    assert two.fault is not None


def test_other_marks_and_missing_characters_of_encodings() -> None:
    for encoding, text, written in (("cp932", "☗７六歩 ☖３四歩", "▲７六歩 △３四歩"), ("utf-8", "☗７六歩", "☗７六歩")):
        assert encode_record_text(text, encoding).decode(encoding) == written
    with pytest.raises(ValueError, match="shift_jis has no '♔'"):
        encode_record_text("♔", "cp932")
    with pytest.raises(FormatError, match="line 3: neither UTF-8 nor Shift_JIS"):
        decode_record_file(b"a\nb\nc\x81\xff\xff")


@pytest.mark.parametrize(("first", "usi"), [({}, "3f4e"), ({"from": {"x": 4, "y": 4}}, "G*4e")])
def test_a_move_of_jkf_without_an_origin_may_be_a_drop(first: dict[str, object], usi: str) -> None:
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


MovePath = tuple[str, ...]


def branch(first: int, line: str, *branches: Branch, comments: tuple[tuple[int, str], ...] = ()) -> Branch:
    return Branch(first, tuple(map(parse_move, line.split())), comments, branches)


def paths(one: Branch, before: MovePath = ()) -> Iterator[MovePath]:
    """The moves up to each move of a tree, each as often as it is there."""
    texts = [move.usi for move in one.line]
    yield from ((*before, *texts[: n + 1]) for n in range(len(texts)))
    for other in one.branches:
        yield from paths(other, (*before, *texts[: other.first - one.first]))


def test_merged_lines() -> None:
    base = branch(1, "1a1b 2a2b 3a3b", comments=((1, "base"),))
    other = branch(1, "1a1b 2a2c 3a3c", branch(3, "4a4b"), comments=((1, "other"), (2, "apart")))
    found = merged_branches(base, other)
    assert found.line == base.line
    assert found.move_comments == ((1, "base"), (1, "other"))
    assert found.branches == (branch(2, "2a2c 3a3c", branch(3, "4a4b"), comments=((2, "apart"),)),)
    base = branch(1, "1a1b 2a2b 3a3b")
    other = branch(1, "1a1c", branch(1, "1a1b 2a2b 3a3c", comments=((2, "here"),)))
    found = merged_branches(base, other)
    assert found.move_comments == ((2, "here"),)
    assert found.branches == (branch(1, "1a1c"), branch(3, "3a3c"))
    base = branch(1, "1a1b")
    assert merged_branches(base, branch(1, "1a1b 2a2b")) == base


@given(seed=SEEDS, other=SEEDS)
@settings(max_examples=25)
def test_no_move_is_there_twice_and_none_of_the_base_is_lost(seed: int, other: int) -> None:
    base, added = random_tree(seed).main, random_tree(other).main
    assert merged_branches(base, base) == base
    found = merged_branches(base, added)
    all_paths = list(paths(found))
    assert found.line == base.line
    assert set(paths(base)) <= set(all_paths) <= {*paths(base), *paths(added)}
    assert len(all_paths) == len(set(all_paths))


def test_the_record_of_a_problem() -> None:
    position = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
    line = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))
    judgement = Judgement(Defect.NONE, length=3, line=line)
    problem = Problem(position, judgement, Difficulty({}, 2.5), Provenance(7, 12, "0.1.0"))
    record = game_record_of(problem, "tsume-1")
    assert record.comments == ("難易度 650 ★☆☆☆☆ 入門（3手詰としてはとても易しい）", "tsume 0.1.0 seed 7 index 12")
    assert (record.title, record.mates) == ("tsume-1", True)
    assert read_kif(write_kif(record)) == [(position, line)]


@given(st.binary())
def test_nothing_else_is_raised(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        assert isinstance(decode_record_file(data), str)


HANDICAPS = {
    "香落ち": ("KY", "11KY", "lnsgkgsn1/1r5b1/ppppppppp"),
    "右香落ち": ("KY_R", "91KY", "1nsgkgsnl/1r5b1/ppppppppp"),
    "角落ち": ("KA", "22KA", "lnsgkgsnl/1r7/ppppppppp"),
    "飛車落ち": ("HI", "82HI", "lnsgkgsnl/7b1/ppppppppp"),
    "飛香落ち": ("HIKY", "82HI11KY", "lnsgkgsn1/7b1/ppppppppp"),
    "二枚落ち": ("2", "82HI22KA", "lnsgkgsnl/9/ppppppppp"),
    "三枚落ち": ("3", "82HI22KA11KY", "lnsgkgsn1/9/ppppppppp"),
    "四枚落ち": ("4", "82HI22KA91KY11KY", "1nsgkgsn1/9/ppppppppp"),
    "五枚落ち": ("5", "82HI22KA91KY11KY81KE", "2sgkgsn1/9/ppppppppp"),
    "左五枚落ち": ("5_L", "82HI22KA91KY11KY21KE", "1nsgkgs2/9/ppppppppp"),
    "六枚落ち": ("6", "82HI22KA91KY11KY81KE21KE", "2sgkgs2/9/ppppppppp"),
    "左七枚落ち": ("7_L", "82HI22KA91KY11KY81KE21KE31GI", "2sgkg3/9/ppppppppp"),
    "右七枚落ち": ("7_R", "82HI22KA91KY11KY81KE21KE71GI", "3gkgs2/9/ppppppppp"),
    "八枚落ち": ("8", "82HI22KA91KY11KY81KE21KE71GI31GI", "3gkg3/9/ppppppppp"),
    "左九枚落ち": (None, "82HI22KA91KY11KY81KE21KE71GI31GI41KI", "3gk4/9/ppppppppp"),
    "十枚落ち": ("10", "82HI22KA91KY11KY81KE21KE71GI31GI61KI41KI", "4k4/9/ppppppppp"),
    "トンボ": (None, "91KY81KE71GI61KI41KI31GI21KE11KY", "4k4/1r5b1/ppppppppp"),
    "十九枚落ち": (None, "", "4k4/9/9"),
}
"""For each its preset in JKF, the pieces that CSA removes, and White's ranks."""
BLACK = "9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize("name", HANDICAPS)
def test_every_format_names_the_same_start(name: str) -> None:
    preset, removed, ranks = HANDICAPS[name]
    sfen = f"{ranks}/{BLACK}"
    start = present(game_start(name))
    assert (format_sfen(start), is_game_start(start)) == (sfen, True)
    assert shogi.KIF.Parser.HANDYCAP_SFENS.get(name, sfen) == sfen
    texts = [f"手合割：{name}　　\n手数----指手\n   1 ５二玉(51)   ( 0:01/00:00:01)\n   2 ７六歩(77)\n"]
    texts += [f"手合割：{name}\n\n△５二玉　▲７六歩\nまで2手で中断\n"]
    texts += ["\n".join([f"手合割：{name}", *board_lines(start), "   1 ５二玉(51)", "   2 ７六歩(77)"])]
    found = [problem for text in texts for problem in find_kif(text)]
    moves = [
        {"move": {"from": {"x": 5, "y": 1}, "to": {"x": 5, "y": 2}, "piece": "OU"}},
        {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}},
    ]
    if preset is not None:
        found += find_jkf(json.dumps({"initial": {"preset": preset}, "moves": [{}, *moves]}))
    found += find_jkf(json.dumps({"header": {"手合割": name}, "moves": [{}, *moves]}))
    if removed:
        found += find_csa(f"V2.2\nPI{removed}\n-\n-5152OU,T1\n+7776FU\n%CHUDAN\n")
    assert {_played(one) for one in found} == {(sfen, ("5a5b", "7g7f"))}


def _played(found: ParsedProblem) -> tuple[str, tuple[str, ...]]:
    """The position and the moves as they are in the record, where White moves first."""
    assert found.record is not None, found.fault
    assert found.parsed is not None
    assert found.parsed.missing == len(found.parsed.position.defender_hand)
    board = found.parsed.sfen.split()[0]
    return f"{board} w - 1", tuple(found.parsed.outward(move).usi for move in found.record.line)


def test_names_of_handicaps() -> None:
    names = ["香落", "左香落ち", "飛落ち", "２枚落ち", "6枚落ち", "１０枚落ち", "10枚落ち", "トンボ落ち", "裸玉"]
    assert [name for name in names if game_start(name) is None] == []
    assert game_start("その他") is None
    for name, words in (("七枚落ち", "which silver"), ("9枚落ち", "which gold")):
        with pytest.raises(ValueError, match=words):
            game_start(name)
    (found,) = find_kif("手合割：二枚落ち\n   1 ５二玉(51)\n   2 ５五角打\n")
    assert found.fault is not None
    assert (found.fault.line, "no bishop in hand" in found.fault.reason) == (3, True)


@pytest.mark.parametrize(
    ("sfen", "is_start"),
    [
        (START_SFEN, True),
        (START_SFEN.replace(" b ", " w "), True),
        ("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", True),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1", True),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", False),
        ("8k/9/8P/9/9/9/9/9/9 b 2G 1", False),
        ("4k4/9/9/9/9/9/9/9/9 b - 1", False),
    ],
)
def test_starts_of_games_are_known_by_their_pieces(sfen: str, is_start: bool) -> None:
    position = parse_sfen(sfen).position
    assert is_game_start(position) is is_start
    assert position.king(Side.DEFENDER) is not None


Read = Callable[[str], list[Game]]
Write = Callable[[GameRecord], str]

READ_AND_WRITE: list[tuple[Read, Write]] = [(read_kif, write_kif), (read_csa, write_csa)]
PIECES = (
    "歩香桂銀金角飛玉王と杏圭全馬龍竜成不打同　 ・v|+-()０１２３９一二九十：:\n*"
    "手数持駒後先番まで詰変化PI00FUALOUKI%/,',TN$V"
)


def accepts_or_refuses(read: Read, text: str) -> None:
    try:
        games = read(text)
    except FormatError as error:
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1  # noqa: PT017
    else:
        assert games


@pytest.mark.parametrize("read", [read_kif, read_csa])
@given(text=st.text() | st.text(PIECES))
def test_junk(read: Read, text: str) -> None:
    accepts_or_refuses(read, text)


@pytest.mark.parametrize(("read", "write"), READ_AND_WRITE)
@given(seed=st.integers(0, 10**9), text=st.text(PIECES, max_size=4))
@settings(max_examples=150)
def test_damaged_files(read: Read, write: Write, seed: int, text: str) -> None:
    rng = random.Random(seed)
    whole = write(random_record(seed))
    start = rng.randrange(len(whole))
    accepts_or_refuses(read, whole[:start] + text + whole[start + rng.randrange(4) :])


@pytest.mark.parametrize(("read", "write"), READ_AND_WRITE)
@given(seed=st.integers(0, 10**9))
def test_lines_lost_doubled_or_out_of_order(read: Read, write: Write, seed: int) -> None:
    rng = random.Random(seed)
    lines = write(random_record(seed)).splitlines()
    picked = [rng.choice(lines) if rng.random() < 0.1 else line for line in lines]
    accepts_or_refuses(read, "\n".join(line for line in picked if rng.random() > 0.05))


def test_positions_without_moves_are_kept_apart() -> None:
    for seed in range(20):
        records = [GameRecord(random_record(seed + i).position) for i in range(3)]
        games = [(each.position, ()) for each in records]
        assert read_kif("\n".join(map(write_kif, records))) == games
        assert read_csa("".join(write_csa_collection(records))) == games


SAMPLE = 60


@pytest.mark.parametrize("length", [3, 7, 11])
def test_mates_from_games(length: int) -> None:
    path = DATA / f"jissen_mate{length}.txt"
    if not path.exists():
        pytest.skip(f"no {path}: set TSUME_DATA to the folder with the examples")
    for text in path.read_text(encoding="utf-8").splitlines()[:SAMPLE]:
        sfen, given = parse_line(text.split(" moves")[0].rsplit(" ", 1)[0] + " 1 moves" + text.split(" moves")[1])
        reading = parse_sfen(sfen)
        record = GameRecord(reading.position, tuple(map(reading.outward, given)))
        assert read_kif(write_kif(record)) == [(record.position, record.line)]
        assert read_csa(write_csa(record)) == [(record.position, record.line)]
        assert len(line_texts(record.position, record.line)) == length
        board = shogi.Board(sfen)
        for move in given:
            board.push_usi(move.usi)
        assert board.is_checkmate()
