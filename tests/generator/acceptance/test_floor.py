# SPDX-License-Identifier: GPL-3.0-or-later
"""The floor: natural problems of a low quality are rejected, free ones are not."""

from __future__ import annotations

from itertools import islice

import pytest

from generator.acceptance.reasons import Rejection
from generator.constraints.options import FLOOR, ComposingOptions, Style
from generator.run.composer import RootResult
from generator.run.roots import compose_roots

ROOTS = {Style.NATURAL: 40, Style.FREE: 12}

HIGH = 45.0
"""A floor that many problems do not reach."""


def composed(style: Style, floor: float | None) -> list[RootResult]:
    return list(
        islice(compose_roots(3, ComposingOptions.of(3, style=style, floor=floor), "test"), ROOTS[style])
    )


@pytest.mark.parametrize("style", Style)
def test_each_style_has_its_floor_unless_one_is_given(style: Style) -> None:
    assert ComposingOptions(3, style=style).minimum_quality == (FLOOR if style is Style.NATURAL else 0)
    assert ComposingOptions(3, style=style, floor=7.5).minimum_quality == 7.5
    given = ComposingOptions(3, style=style, floor=0.0)
    assert given.minimum_quality == 0
    assert ComposingOptions.from_dict(given.to_dict()) == given


def test_no_natural_problem_is_below_the_floor() -> None:
    all_of_them, good = (composed(Style.NATURAL, floor) for floor in (0.0, HIGH))
    low = [one for result in all_of_them for one in result.problems if one.quality < HIGH]
    assert low
    assert all(one.quality >= HIGH for result in good for one in result.problems)
    assert sum(result.counts[Rejection.PLAIN_QUALITY] for result in good) >= len(low)
    assert not any(result.counts[Rejection.PLAIN_QUALITY] for result in all_of_them)


def test_free_problems_may_be_of_any_quality() -> None:
    results = composed(Style.FREE, None)
    assert any(one.quality < FLOOR for result in results for one in result.problems)
    assert not any(result.counts[Rejection.PLAIN_QUALITY] for result in results)
