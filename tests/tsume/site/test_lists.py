# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of a site and their pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from tsume.site.folder import PER_PAGE
from tsume.site.pages import ProblemListing, list_file


def listing(number: int) -> ProblemListing:
    return ProblemListing("all", "", False, cast(Sequence[Any], range(number)))


@pytest.mark.parametrize(("number", "pages"), [(1, 1), (PER_PAGE, 1), (PER_PAGE + 1, 2), (1000, 21)])
def test_every_problem_stands_on_one_page(number: int, pages: int) -> None:
    found = listing(number)
    assert found.pages == pages
    assert [one for page in range(1, pages + 1) for one in cast(Any, found.on(page))] == list(range(number))


@pytest.mark.parametrize(
    ("page", "near"),
    [
        (1, [1, 2, 3, 0, 21]),
        (4, [1, 2, 3, 4, 5, 6, 0, 21]),
        (5, [1, 0, 3, 4, 5, 6, 7, 0, 21]),
        (11, [1, 0, 9, 10, 11, 12, 13, 0, 21]),
        (21, [1, 0, 19, 20, 21]),
    ],
)
def test_a_page_leads_to_the_ends_and_to_those_near_it(page: int, near: list[int]) -> None:
    assert listing(1000).near(page) == near


def test_the_first_page_of_all_is_the_first_of_the_site() -> None:
    assert list_file("all", "", easy=False) == "index.html"
    assert list_file("all", "", 2, easy=False) == "lists/all-2.html"
    assert list_file("all", "", easy=True) == "lists/all-easy.html"
    assert list_file("moves", "3", 2, easy=True) == "lists/moves-3-easy-2.html"
    assert list_file("theme", "sacrifice", 3, easy=True) == "lists/theme-sacrifice-3.html"
