# SPDX-License-Identifier: GPL-3.0-or-later
"""Damage to valid files: bytes, lines and numbers changed, lost, doubled, out of order."""

import random
import re
from collections.abc import Callable

from hypothesis import strategies as st

JUNK = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        "\0", "\ufeff", "１", "٣", "²", "e\u0301", "\u202e", "\ud800", "\u3000", "\x85", "\u2028",
        "\x1b[31m", "\r",
        "\n", "\n\n", ",", "/", "|", "+", "#", "'", '"', "{", "}", "\\", "9" * 400, "-1", "0", "1.5", "NaN",
        "Infinity", "1e400", "null", "true", "王", "玉", "と", "同", "打", "不成", "(", ")", "：", ":",
        "K", "k",
        " " * 3000, "a" * 3000, "[" * 3000, '{"sfen":' * 300, " moves 7g7f", "変化：1手", "まで", "P1", "PI",
        "%TSUMI",
    )
)  # fmt: skip
_NUMBERS = (b"0", b"-1", b"99", b"256", b"65536", b"4294967296", b"9" * 30, b"9" * 5000, b"1.5", b"nan", b"")
_ENCODINGS = ("utf-16", "utf-8-sig", "cp932", "euc_jp", "utf-32", "cp037")


def _place(data: bytes, rng: random.Random) -> int:
    """A random place in a random line, so that a long line is not hit more often than a short one."""
    lines = data.splitlines(keepends=True)
    number = rng.randrange(len(lines))
    return sum(map(len, lines[:number])) + rng.randrange(len(lines[number]))


def _flip(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.choice((1, 2, 5, 50, len(data))) :]


def _double(data: bytes, rng: random.Random) -> bytes:
    at, length = _place(data, rng), rng.choice((1, 5, 100))
    return data[:at] + data[at : at + length] * rng.choice((2, 3, 30)) + data[at + length :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.choice((_place(data, rng), len(data)))
    return data[:at] + rng.choice(JUNK) + data[at:]


def _replace(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.choice(JUNK) + data[at + 1 :]


def _renumber(data: bytes, rng: random.Random) -> bytes:
    numbers = list(re.finditer(rb"[0-9]+", data))
    if not numbers:
        return data
    one = rng.choice(numbers)
    return data[: one.start()] + rng.choice(_NUMBERS) + data[one.end() :]


def _stretch(data: bytes, rng: random.Random) -> bytes:
    """Repeat a character, or the space before its word, thousands of times; often with junk after it."""
    start = end = _place(data, rng)
    if rng.random() < 0.7:
        start = max(data.rfind(b" ", 0, end + 1), 0)
        end = start
    return data[:start] + data[start : start + 1] * 4000 + rng.choice((b"", b"x", b"+")) + data[end + 1 :]


def _lose_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _shuffle(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def _recode(data: bytes, rng: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")


def _change_line_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\r", b"", b" \n ")))


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip, _cut, _double, _insert, _insert, _replace, _renumber, _stretch, _stretch, _lose_line,
    _shuffle, _recode,
    _change_line_ends,
)  # fmt: skip


def damaged(data: bytes, ways: list[int], seed: int) -> bytes:
    """Data changed in the ways of these numbers, one after the other."""
    rng = random.Random(seed)
    for way in ways:
        if not data:
            return data
        data = WAYS[way](data, rng)
    return data


def damage_of(valid: st.SearchStrategy[bytes], most: int = 4) -> st.SearchStrategy[bytes]:
    """Valid data, damaged in up to ``most`` ways; now and then not at all."""
    ways: st.SearchStrategy[list[int]] = st.just([]) | st.lists(
        st.integers(0, len(WAYS) - 1), min_size=1, max_size=most
    )
    return st.builds(damaged, valid, ways, st.integers(0, 2**32))
