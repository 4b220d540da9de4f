# SPDX-License-Identifier: GPL-3.0-or-later
"""The sentences of an explanation on the page for composing, with the words that the page loads."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")

from solver.explaining.explanation import CauseKind, Proof
from tests.javascript.node import answers
from tests.tsume.problems import COOKED, CORRECT
from tsume.language.catalogue import LANGUAGES, Language
from tsume.web.assets import compose_words_script, words_script
from tsume.web.work.in_browser import BrowserAnswers

OF_A_TRY = (CauseKind.PAWN_DROP_MATE, CauseKind.REPETITION, CauseKind.COUNTER_CHECK)


def shown(language: Language, judgement: dict[str, Any], turns: list[dict[str, Any]]) -> list[str]:
    """The sentences of these turns; a phrase that lacks a part fails."""
    asked = {"words": [words_script(), compose_words_script()], "language": language,
             "judgement": judgement, "turns": turns}  # fmt: skip
    (found,) = answers("explained_turns.mjs", [asked])
    return list(found)


def a_try(
    proof: Proof, within: int | None, only: bool | None, cause: dict[str, Any] | None
) -> dict[str, Any]:
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
