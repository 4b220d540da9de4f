# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the JSON of a request."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsume.web.api.parsing import read_object
from tsume.web.fields import InvalidRequest

NUMBERS = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15, allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"{}x", "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"'", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'"sfen"', "not a JSON object"),
        (b"1", "not a JSON object"),
        (b'{"a":NaN}', "NaN is not a number"),
        (b'{"a":-Infinity}', "-Infinity is not a number"),
        (b'{"a":1e999}', "'1e999' is too large"),
        (b'{"a":1' + b"0" * 5000 + b"}", "a number of 5001 digits"),
        (b'{"a":1,"a":1}', "'a' is given twice"),
        (b'{"b":{"a":1,"a":2}}', "'a' is given twice"),
        (b'{"a":"\\ud800"}', "half of a surrogate pair"),
        (b'{"\\udfff":1}', "half of a surrogate pair"),
        (b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "nested too deep"),
        (b'{"a":' * 20 + b"1" + b"}" * 20, "nested too deep"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_refused(text: bytes, fault: str) -> None:
    with pytest.raises(InvalidRequest, match=fault) as refused:
        read_object(text)
    assert "\n" not in str(refused.value)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_what_can_be_read_is_read_as_python_reads_it(value: dict[str, Any]) -> None:
    assert read_object(json.dumps(value).encode()) == value
    assert read_object(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    try:
        assert isinstance(read_object(data), dict)
    except InvalidRequest as fault:
        assert str(fault).isprintable()  # noqa: PT017
