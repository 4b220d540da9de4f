# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsume.formats.text import FormatError, decode_record_file

TEXT = "後手の持駒：飛\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_both_encodings_are_recognised(encoding: str) -> None:
    assert decode_record_file(TEXT.encode(encoding)) == TEXT


def test_bytes_that_are_no_text_say_where() -> None:
    with pytest.raises(FormatError, match="line 3: neither UTF-8 nor Shift_JIS"):
        decode_record_file(b"a\nb\nc\x81\xff\xff")


@given(st.binary())
def test_nothing_else_is_raised(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        assert isinstance(decode_record_file(data), str)
