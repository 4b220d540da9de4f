# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver in a browser answers what the commands print."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.commands_in_node import answered, differences, faults, positions, printed
from tests.places import DATA
from tests.solver.judging.test_judge import ONLY_CAPTURED
from tests.tsume.problems import ILLEGAL
from tsume.web.work import in_browser

KINDS = {"solve": 80, "check": 40, "tree": 20, "explain": 20}
"""How many positions of the repository each kind is asked about."""
PUBLISHED = {
    "published_daily.tsv": 500, "published_books.tsv": 500, "generated_peer_mate3.txt": 100,
    "generated_peer_mate5.txt": 100, "generated_peer_mate7.txt": 50, "jissen_mate3.txt": 200,
    "jissen_mate5.txt": 200, "jissen_mate7.txt": 150, "jissen_mate9.txt": 50,
    "composed_by_0.1.0_mate9.txt": 50, "composed_awarded.tsv": 20, "labelled_valid_invalid.tsv": 15,
    "checker_positions.tsv": 25,
    "unit_problems.tsv": 40,
}  # fmt: skip
"""How many lines of each file are asked about: 2,000 in all."""


def published() -> Iterator[str]:
    for name, number in PUBLISHED.items():
        yield from list(_sfens(DATA / name))[:number]


def _sfens(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        for part in line.split("\t"):
            if part.count("/") == 8:
                yield part.split(" moves ")[0]


def require_equal(folder: Path, kind: str, sfens: list[str]) -> None:
    expected, found = printed(kind, sfens), answered(folder, kind, sfens)
    assert len(expected) == len(found) == len(sfens)
    unequal = {
        sfen: list(differences(one, other))
        for sfen, one, other in zip(sfens, expected, found, strict=True)
        if "refused" not in other and one != other
    }
    assert unequal == {}
    refused = [one.get("result") for one, other in zip(expected, found, strict=True) if "refused" in other]
    assert set(refused) <= {"invalid"}


@pytest.mark.parametrize("kind", sorted(KINDS.keys() & {"check", "explain", "tree"}))
def test_an_illegal_start_has_the_answer_of_the_commands(kind: str, solver_folder: Path) -> None:
    require_equal(solver_folder, kind, list(ILLEGAL))


def test_moves_between_that_are_only_captured_are_those_of_the_commands(solver_folder: Path) -> None:
    require_equal(solver_folder, "check", [sfen for sfen, *_ in ONLY_CAPTURED])


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_commands(kind: str, solver_folder: Path) -> None:
    require_equal(solver_folder, kind, positions(KINDS[kind]))


CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
FAULTY: list[tuple[str, dict[str, Any], str]] = [
    ("solve", {}, "sfen is missing"),
    ("solve", {"sfen": None}, "sfen is missing"),
    ("solve", {"sfen": 123}, "sfen: not a text"),
    ("solve", {"sfen": "nonsense"}, "sfen: SFEN needs board, side to move, "),
    ("solve", {"sfen": "8k/8R/9/9/9/9/9/9/9 b - 1"}, "sfen: the defender's king is in check "),
    ("solve", {"sfen": CORRECT, "seconds": "x"}, "seconds: a number above 0 is needed"),
    ("solve", {"sfen": CORRECT, "seconds": -1}, "seconds: a number above 0 is needed"),
    ("solve", {"sfen": CORRECT, "seconds": True}, "seconds: a number above 0 is needed"),
    ("solve", {"sfen": CORRECT, "nodes": 1.5}, "nodes: not a whole number"),
    ("solve", {"sfen": CORRECT, "max_length": 0}, "max_length: 0 is not from 1 to 9999"),
    ("solve", {"sfen": CORRECT, "second": 1}, "'second' is not a field: the fields are sfen, nodes, "),
    ("check", {"sfen": CORRECT, "line": ["zz"]}, "line: not a move in USI notation: 'zz'"),
    ("check", {"sfen": CORRECT, "line": "3d2c"}, "line: not a list"),
    ("check", {"sfen": CORRECT, "moves": "3"}, "moves: not a whole number"),
    ("explain", {"sfen": CORRECT, "languages": ["fr"]}, "languages: 'fr' is not one of ja, en"),
    ("position", {"sfen": CORRECT}, "length is missing"),
    ("position", {"sfen": CORRECT, "length": 3, "moves": ["1a1b"]}, "moves: move 1, 1a1b, is not a legal"),
    ("reading", {}, "text is missing"),
    ("diagram", {"sfen": CORRECT, "language": "fr"}, "language: 'fr' is not one of ja, en"),
    ("mend", {"sfen": CORRECT, "keep": ["zz"]}, "keep: not a square: 'zz'"),
    ("enrich", {"sfen": CORRECT, "plies": 3}, "plies: 3 is not from 2 to 8, 2 apart"),
    ("generate", {}, "moves is missing"),
    ("generate", {"moves": 1, "seed": 1.5}, "seed: not a whole number"),
    ("generate", {"moves": 1, "seed": "a"}, "seed: not a whole number"),
    ("generate", {"moves": 1, "stars": 9}, "stars: 9 is not from 1 to 5"),
    ("generate", {"moves": 1, "pieces": 0}, "pieces: 0 is not from 3 to 40"),
    ("generate", {"moves": 1, "line": "y"}, "line: 'y' is not a move: write it as S*2b, Px2b, R+, 3c2b or x"),
    ("generate", {"moves": 1, "network": "no"}, "network: neither true nor false"),
    ("positions", {}, "positions: unknown query; known are check, "),
    ("games", {}, "text is missing"),
    ("games", {"text": "startpos moves 7g7f", "max_moves": 100}, "max_moves: 100 is not from 1 to 99"),
    ("exercise", {"sfen": "nonsense"}, "sfen: SFEN needs board, side to move, "),
]
"""Queries that cannot be understood, with how their messages begin."""
STREAMS = ("mend", "enrich", "games", "generate")


def test_errors_name_the_field(solver_folder: Path) -> None:
    errors = faults(solver_folder, [(kind, fields, kind in STREAMS) for kind, fields, _ in FAULTY])
    for (kind, fields, message), error in zip(FAULTY, errors, strict=True):
        assert error["code"] == "input", f"{kind} {fields}"
        assert error["message"].startswith(message), f"{kind} {fields}"


@pytest.mark.parametrize(("kind", "fields", "message"), FAULTY)
def test_python_refuses_the_same_fields(kind: str, fields: dict[str, Any], message: str) -> None:
    in_browser.start(64)
    refused = in_browser.query_events if kind in STREAMS else in_browser.answer_query
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        refused(kind, fields)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_answers_about_2000_positions_are_those_of_the_commands(kind: str, solver_folder: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("no shared positions")
    require_equal(solver_folder, kind, list(published()))
