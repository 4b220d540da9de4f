# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver in a browser answers what the commands print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import DATA
from tests.tsume.browser.commands_in_node import answered, differences, positions, printed

KINDS = {"solve": 120, "check": 60, "tree": 40, "explain": 40}
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
    refused = [
        one.get("result", one.get("defects"))
        for one, other in zip(expected, found, strict=True)
        if "refused" in other
    ]
    assert set(map(str, refused)) <= {"invalid", "['ILLEGAL_START']"}


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_commands(kind: str, solver_folder: Path) -> None:
    require_equal(solver_folder, kind, positions(KINDS[kind]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_answers_about_2000_positions_are_those_of_the_commands(kind: str, solver_folder: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("no shared positions")
    require_equal(solver_folder, kind, list(published()))
