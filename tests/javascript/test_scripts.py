# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests of the scripts that need no browser, which Node.js runs."""

import random
import re
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
import shogi

from db.training.records import Outcome, Rating, ReviewCard
from solver.explaining.explanation import CauseKind, Proof
from tests.javascript.node import FOLDER, answers, run_node
from tests.positions import promotable_position, random_attack
from tests.tsume.problems import COOKED, CORRECT
from tsume.formats.game_record import GameRecord
from tsume.formats.kif import write_kif
from tsume.language.catalogue import LANGUAGES, Language
from tsume.training.ratings import updated_rating
from tsume.training.trainer import rescheduled_card
from tsume.web.templates import compose_words_script, words_script
from tsume.web.work.in_browser import BrowserAnswers
from tsume_rules.moves import parse_move
from tsume_rules.position import Hand, Kind, Piece, Position, Side, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

FILES = sorted(path.name for path in FOLDER.glob("*.test.mjs"))


@pytest.mark.parametrize("name", FILES)
def test_scripts(name: str) -> None:
    done = run_node("--test", "--test-reporter=tap", name)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) > 0


# --- the rules that the scripts know, compared with python-shogi, our own rules and our KIF --------

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


# --- The sentences of an explanation on the page for composing, with the words that the page loads ---


pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
OF_A_TRY = (CauseKind.PAWN_DROP_MATE, CauseKind.REPETITION, CauseKind.COUNTER_CHECK)


def shown(language: Language, judgement: dict[str, Any], turns: list[dict[str, Any]]) -> list[str]:
    """The sentences of these turns; a phrase that lacks a part fails."""
    asked = {"words": [words_script(), compose_words_script()], "language": language,
             "judgement": judgement, "turns": turns}  # fmt: skip
    (found,) = answers("explained_turns.mjs", [asked])
    return list(found)


def a_try(proof: Proof, within: int | None, only: bool | None, cause: dict[str, Any] | None) -> dict[str, Any]:
    moves = {"check": "3c2b", "answer": "1b2b"}
    return {**moves, "proof": proof.value, "within": within, "only": only, "cause": cause}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_its_parts(language: Language) -> None:
    causes: list[dict[str, Any] | None] = [None]
    causes += [{"kind": kind.value, "line": line} for kind, line in product(OF_A_TRY, ([], ["3d2c"]))]
    tries = [
        a_try(proof, within, only, cause)
        for proof, only, cause in product(Proof, (None, True), causes)
        for within in ((1, 53) if proof is Proof.BOUNDED else (None,))
    ]
    others = [{"check": "3c2c", "length": length} for length in (None, 1, 3)]
    variation = {"answers": ["1b1a", "1b2a"], "line": ["2c2b"]}
    first = {
        "turn": 1, "path": [], "length": 3, "key": "3d2c", "tries": tries, "others": others,
        "variations": [
            {**variation, "total": total, "leftover": leftover} for total in (3, 5) for leftover in ("", "G")
        ],
        "futile": [{"drops": ["P*1a"], "take": "2c1b"}],
    }  # fmt: skip
    last = {"turn": 3, "path": ["3d2c", "1b1a"], "length": 1, "key": "2c2b", "tries": [], "futile": [],
            "variations": [], "others": []}  # fmt: skip
    judgement = {"sfen": CORRECT, "given": None, "line": ["3d2c", "1b1a", "2c2b"], "findings": []}
    told = shown(language, judgement, [first, last, {**last, "others": others}])
    headings, variations, futile, folded, mates = 3, 4, 1, 1, 2
    assert len(told) == headings + variations + futile + folded + mates + len(tries) + 2 * len(others)
    assert not [text for text in told if "{" in text or "undefined" in text or "null" in text]


@pytest.mark.parametrize("sfen", [CORRECT, COOKED])
def test_explanations_of_the_solver_are_shown(sfen: str) -> None:
    solver = BrowserAnswers(72)
    explained, judgement = (solver.answer(kind, {"sfen": sfen}) for kind in ("explain", "judgement"))
    for language in LANGUAGES:
        told = shown(language, judgement, explained["turns"])
        assert len(told) >= len(explained["turns"])
        assert not [text for text in told if "{" in text or "undefined" in text]


# --- Ratings and repetition in the pages' scripts, compared with those of the server ---------------


pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")
TRAININGS = 200
BEGAN = datetime(2026, 3, 1, 8, tzinfo=UTC)


def a_rating(draw: random.Random) -> Rating:
    return Rating(draw.uniform(600, 2600), draw.uniform(30, 350), draw.uniform(0.03, 0.2))


def test_ratings_are_those_of_the_server() -> None:
    draw = random.Random(1)
    games = [(a_rating(draw), a_rating(draw), draw.random() < 0.5, draw.uniform(0, 20)) for _ in range(TRAININGS)]
    asked = [
        {"game": {"player": asdict(one), "opponent": asdict(other), "won": won, "periods": periods}}
        for one, other, won, periods in games
    ]
    for told, (one, other, won, periods) in zip(answers("training_twin.mjs", asked), games, strict=True):
        assert told == pytest.approx(asdict(updated_rating(one, [(other, float(won))], periods)), rel=1e-6)


def some_reviews(draw: random.Random) -> list[tuple[Outcome, datetime]]:
    """Results for one problem, some of them on the same day."""
    now, found = BEGAN, []
    for _ in range(draw.randint(1, 12)):
        solved = draw.random() < 0.8
        outcome = Outcome(1, "training", solved, 3, draw.choice([0, 0, 1]), draw.choice([0, 0, 1]),
                          draw.randint(1, 60))  # fmt: skip
        found.append((outcome, now))
        now += timedelta(minutes=draw.choice([10, 60 * 24 * draw.randint(1, 40)]))
    return found


def scripted(outcome: Outcome) -> dict[str, Any]:
    return {
        "isSolved": outcome.solved, "moves": 3, "mistakes": outcome.mistakes, "hints": outcome.hints,
        "seconds": outcome.seconds,
    }  # fmt: skip


def test_problems_come_back_on_the_days_of_the_server() -> None:
    draw = random.Random(2)
    histories = [some_reviews(draw) for _ in range(TRAININGS)]
    asked = [
        {"length": 3, "reviews": [{"result": scripted(one), "now": now.isoformat()} for one, now in history]}
        for history in histories
    ]
    for told, history in zip(answers("training_twin.mjs", asked), histories, strict=True):
        card: ReviewCard | None = None
        for found, (outcome, now) in zip(told, history, strict=True):
            card = rescheduled_card(card, outcome, 3, now)
            assert (datetime.fromisoformat(found["due"]), found["failed"]) == (card.due, card.failed)
