"""From the bytes of a file to text."""

from __future__ import annotations

from tsume.formats.errors import FormatError


def decode(data: bytes) -> str:
    """Text from UTF-8 (with or without a BOM), else from Shift_JIS (cp932).

    Raises `FormatError` with the first line that is neither.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp932")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("neither UTF-8 nor Shift_JIS", line) from None
