# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tsume.usi import serving
from tsume.usi.serving import LongLine, lines_of


def reader(*chunks: bytes) -> Callable[[int], bytes]:
    parts: Iterator[bytes] = iter(chunks)
    return lambda _most: next(parts, b"")


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"usi\nis", b"ready\n", b"\n"], [b"usi", b"isready", b""]),
        ([b"quit"], [b"quit"]),
        ([], []),
        ([b"\xff\x00\r\n"], [b"\xff\x00\r"]),
        ([b"x" * 11, b"x" * 11, b"\nusi\n"], [LongLine(b"x" * 11), b"usi"]),
        ([b"x" * 11 + b"\nusi\n"], [LongLine(b"x" * 11), b"usi"]),
        ([b"x" * 10 + b"\n"], [b"x" * 10]),
        ([b"x" * 11], []),
    ],
)
def test_lines(chunks: list[bytes], lines: list[bytes | LongLine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_BYTES", 10)
    assert list(lines_of(reader(*chunks))) == lines


def test_an_input_that_fails_has_ended() -> None:
    def fail(_most: int) -> bytes:
        raise OSError

    assert list(lines_of(fail)) == []
