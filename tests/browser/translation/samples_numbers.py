# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers: integers of any size, floats, rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.browser.translation.failing import failure


def numbers() -> list[Any]:
    big = 2**64 - 1
    return [
        7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, divmod(-7, 2), 2**10, 7 / 2, 1 << 40, big >> 60, big & 0xFF,
        (big ^ 5) & 0xFFFF, ~5, -3 >> 1, str(big * big), (big * 3) % 1000, abs(-4), round(2.5), round(3.5),
        round(0.125, 2), round(2.675, 2), round(-1.5), int("12"), int(3.9), int(-3.9), float("1.5"),
        True + True,
        (12345678901234567 + 1) % 1000, min(3, 1, 2), max([4, 9, 2]), sum([1, 2], 5), bool(0),
        5 .bit_length(),
        big.bit_length(), math.fsum([0.1] * 10), math.inf > 1, 10**18 // 7 % 1000, -(2**60) % 1000,
    ]  # fmt: skip


def float_numbers() -> list[Any]:
    tenth, big = 0.1, 2**70
    return [
        1.0 // tenth, 1.0 % tenth, -1.0 // tenth, -1.5 % 1, 7.5 // -2, divmod(7.5, 2), divmod(-0.5, 0.25),
        1e300 * 10,
        1e16 + 1.0, big / 3, (big - 1) / (big + 1), (2**64 - 1) / 3, -(2**90) / 7, big * 0.5, big + 0.5,
        0.5 - big,
        big < 1e30, 1e30 < big, big == float(big), 10**20 == 1e20, 2**53 + 1 == float(2**53),
        (0.1 + 0.2) * 10, 2**0.5,
        2**-2, 9**0.5, float(big), int(1e20) % 1000, str(int(1e22)), round(1e20) % 7, round(1234, -2),
        round(1250, -2),
        round(1350, -2), round(-1250, -2), round(0.5), round(1.5), round(-0.5), round(2.5), round(1.005, 2),
        round(5.015, 2),
        math.floor(-1.5), math.ceil(-0.5), math.floor(2**70), str(math.floor(1e22)), abs(-2.5), -7 // 2.0,
        3 * -0.5,
        math.fsum([1e16, 1.0, 1e-16]), math.fsum([0.1, 0.2, 0.3, -0.6]), math.fsum([]),
        sum([0.25] * 10), math.log(2**2000), math.log(8, 2), math.sqrt(2**60),
        math.prod([2**30, 2**30, 2**30]) % 1000,
        max(1, 1.5, 2), min(3, 2.5), sorted([0.5, -1, 3, 2**60, -(2**60), 1e18])[0] % 7, int("１２"),
        int(" -7 "), int("1_000"),
        int("ff", 16), int("-0b1".replace("0b", ""), 2), int("z", 36), float("1_0.5"), float(" 1e3 "),
        float("-inf") < 0,
        str(float("nan")), 7 .bit_count(), (-7).bit_length(), (2**70).bit_count(), True.bit_length(),
        (3.0).is_integer(),
    ]  # fmt: skip


def bits_of_numbers() -> list[Any]:
    big, small = 2**40 + 3, -5
    return [
        big & 0xFFFFFFFFFF, big | 1, big ^ big, small & 0xFF, small | 2, small ^ 7, small >> 1, small >> 40,
        small << 40,
        1 << 31, 1 << 32, 1 << 53 == 2**53, str(1 << 64), str((1 << 64) >> 3), ~big, ~-1, big >> 38,
        2**31 & 2**31,
        2**32 | 1, -(2**31) ^ 1, True & False, True | 2, True ^ True, 5 & True, str(-(2**70) >> 3),
        str(-(2**70) & 2**80),
        str(2**64 // 10), str(-(2**64) // 10), -(2**64) % 10, str(divmod(-(2**64), 1000)[0]), str(3**50),
        str((-3) ** 41),
    ]  # fmt: skip


def failing_numbers() -> list[str]:
    zero, text, nothing = 0, "x", float("inf")
    actions: list[Callable[[], object]] = [
        lambda: 1 // zero, lambda: 1 % zero, lambda: 1 / zero, lambda: 1.5 % zero, lambda: zero**-1,
        lambda: 1 << (zero - 1),
        lambda: 1 >> (zero - 1), lambda: int(text), lambda: float(text), lambda: int(""), lambda: float(""),
        lambda: int("1 2"),
        lambda: int("0x10"), lambda: float("0x10"), lambda: int("_1"), lambda: int("9", 8),
        lambda: int(nothing),
        lambda: int(nothing - nothing), lambda: round(nothing), lambda: math.sqrt(zero - 1),
        lambda: math.log(zero),
        lambda: math.exp(1000), lambda: math.floor(nothing), lambda: 10.5**400, lambda: float(10**400),
        lambda: int("²"),
        lambda: range(0, 3, zero), lambda: [1][:: zero], lambda: "ab".index("c"),
        lambda: 2**2000 / 3 + 2**2000,
    ]  # fmt: skip
    return [failure(action) for action in actions]
