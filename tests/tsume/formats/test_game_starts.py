# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json

import pytest
import shogi.KIF

from tsume.formats.csa import find_csa
from tsume.formats.diagram import board_lines
from tsume.formats.game_record import START_SFEN, game_start, is_game_start
from tsume.formats.jkf import find_jkf
from tsume.formats.kif import find_kif
from tsume.formats.replay import ParsedProblem
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen, parse_sfen

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
    start = game_start(name)
    assert start is not None
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


def test_what_a_handicap_leaves_out_is_not_in_play() -> None:
    (found,) = find_kif("手合割：二枚落ち\n   1 ５二玉(51)\n   2 ５五角打\n")
    assert found.fault is not None
    assert (found.fault.line, "no bishop in hand" in found.fault.reason) == (3, True)


@pytest.mark.parametrize(
    "name",
    ["香落", "左香落ち", "飛落ち", "２枚落ち", "6枚落ち", "１０枚落ち", "10枚落ち", "トンボ落ち", "裸玉"],
)
def test_other_spellings(name: str) -> None:
    assert game_start(name) is not None


def test_names_that_do_not_say_enough() -> None:
    assert game_start("その他") is None
    for name, words in (("七枚落ち", "which silver"), ("9枚落ち", "which gold")):
        with pytest.raises(ValueError, match=words):
            game_start(name)


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
