# SPDX-License-Identifier: GPL-3.0-or-later
"""ShogiHome's library, tsshogi, plays the mates of the engine; it needs Node.js (`tests/javascript`)."""

from __future__ import annotations

from tests.javascript.node import answers
from tests.sampling import attacks
from tests.tsume.problems import CORRECT, CORRECT_WHITE
from tests.tsume.usi_client import UsiClient
from tsume_rules.sfen import format_sfen


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
