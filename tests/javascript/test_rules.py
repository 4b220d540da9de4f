# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules that the scripts of the pages know, compared with python-shogi, our own rules and our KIF."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
import shogi

from tests.javascript.node import answers
from tests.positions import promotable_position, random_attack
from tsume.formats.game_record import GameRecord
from tsume.formats.kif import write_kif
from tsume_rules.moves import parse_move
from tsume_rules.position import Hand, Kind, Piece, Position, Side, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

NUMBER = 60
WORDS = {
    "no defender's king": "compose.no_king",
    "kings": "compose.kings",
    "pawns on file": "compose.two_pawns",
    "cannot move": "compose.dead",
}
"""The phrase of the page for each fault, by words in our sentence."""


def legal_moves(sfen: str) -> list[str]:
    return sorted(move.usi() for move in shogi.Board(sfen).legal_moves)


@pytest.fixture(scope="module")
def played() -> list[tuple[str, dict[str, Any]]]:
    """Positions and what the scripts say of them and their legal moves."""
    draws = [random_attack, promotable_position] * (NUMBER // 2)
    sfens = [format_sfen(draw(random.Random(seed), seed % 3 == 0)) for seed, draw in enumerate(draws)]
    questions = [{"sfen": sfen, "moves": legal_moves(sfen)} for sfen in sfens]
    return list(zip(sfens, answers("answer_rules.mjs", questions), strict=True))


def test_an_sfen_is_written_as_it_was_read(played: list[tuple[str, dict[str, Any]]]) -> None:
    assert all(answer["sfen"] == sfen and answer["read"] and not answer["faults"] for sfen, answer in played)


def test_a_move_leads_to_the_position_of_python_shogi(played: list[tuple[str, dict[str, Any]]]) -> None:
    for sfen, answer in played:
        for usi, told in zip(legal_moves(sfen), answer["moves"], strict=True):
            board = shogi.Board(sfen)
            board.push_usi(usi)
            expected = Position.completed(
                (after := parse_sfen(board.sfen().replace(" w ", " b ")).position).board, after.attacker_hand
            )
            assert told["after"] == format_sfen(expected), (sfen, usi)


def test_a_choice_of_promotion_is_one_of_two_legal_moves(played: list[tuple[str, dict[str, Any]]]) -> None:
    choices = Counter[bool]()
    for sfen, answer in played:
        legal = legal_moves(sfen)
        for usi, told in zip(legal, answer["moves"], strict=True):
            plain = usi.removesuffix("+")
            assert told["choice"] == ({plain, plain + "+"} <= set(legal)), (sfen, usi)
            choices[told["choice"]] += 1
    assert choices[True] > 50
    assert choices[False] > 50


def test_moves_are_written_as_in_kif(played: list[tuple[str, dict[str, Any]]]) -> None:
    for sfen, answer in played:
        position = parse_sfen(sfen).position
        for usi, told in zip(legal_moves(sfen), answer["moves"], strict=True):
            kif = write_kif(GameRecord(position, (parse_move(usi),)))
            written = re.search(r"^ +1 (\S+) ", kif, re.MULTILINE)
            assert written
            assert told["text"] == "▲" + written[1]


def scattered(rng: random.Random) -> Position:
    """Pieces anywhere, legal or not: kings, pawns and dead pieces are common."""
    kinds = rng.choices(
        [Kind.KING, Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER], [1, 4, 2, 2, 1], k=rng.randint(0, 9)
    )
    board: list[Piece | None] = [None] * 81
    for square, kind in zip(rng.sample(range(81), len(kinds)), kinds, strict=True):
        board[square] = Piece(rng.choice([Side.ATTACKER, Side.DEFENDER]), kind)
    return Position(tuple(board), Hand.of({}), Hand.of({}))


def phrase_of(fault: str) -> str:
    return next(phrase for words, phrase in WORDS.items() if words in fault)


def test_faults_of_a_placement_are_those_of_our_rules() -> None:
    positions = [scattered(random.Random(seed)) for seed in range(10 * NUMBER)]
    questions = [{"sfen": format_sfen(position), "moves": []} for position in positions]
    seen = Counter[str]()
    for position, answer in zip(positions, answers("answer_rules.mjs", questions), strict=True):
        found = Counter(fault for fault in answer["faults"] if fault != "compose.too_many")
        assert found == Counter(map(phrase_of, structural_faults(position))), format_sfen(position)
        seen += found
    assert min(seen[phrase] for phrase in WORDS.values()) >= 10
