# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of files: encodings, JSON and CSV, and the errors of formats."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeGuard, cast

from tsume_rules.sfen import ParsedSfen

# --- errors of file formats ------------------------------------------------------------------------


class FormatError(ValueError):
    """An invalid game record: the ``reason``, and the ``line`` (from 1).

    ``illegal``: the position of the record, if the rules do not allow it.
    """

    def __init__(self, reason: str, line: int, illegal: ParsedSfen | None = None) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line
        self.illegal = illegal

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def text_excerpt(text: str) -> str:
    """Return a text quoted for an error message, shortened if long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class UnencodableError(ValueError):
    """A character that the requested encoding lacks."""


# --- texts of files --------------------------------------------------------------------------------

SHIFT_JIS = "cp932"
ENCODINGS = {"utf-8": "utf-8", "shift_jis": SHIFT_JIS, "euc-jp": "euc_jp", "utf-16": "utf-16"}
"""The encodings of files by the names that the command line gives them."""

_LOOKED_AT = 4096
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_ORDINARY = re.compile(r"[\t\n\r -~\u2010-\u2027\u2500-\u266f\u3000-\u30ff\u4e00-\u9fff\uff00-\uff9f]*")
_HALF_WIDTH = re.compile(r"[\uff61-\uff9f]")
_MARKS = str.maketrans("☗☖", "▲△")
"""Shift_JIS has no ☗ and no ☖."""


def decode_record_file(data: bytes) -> str:
    """Decode text from UTF-8 or UTF-16 (with or without a BOM), else from Shift_JIS (cp932) or EUC-JP.

    A CSA file whose first line names Shift_JIS is read as that.
    Raises `FormatError` with the first line that cannot be decoded.
    """
    if (wide := _decoded_utf_16(data)) is not None:
        return wide[1]
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    names_shift_jis = data[:40].upper().startswith(b"'CSA ENCODING=SHIFT_JIS")
    euc = None if names_shift_jis else _decoded_or_none(data, "euc_jp")
    try:
        shifted = data.decode(SHIFT_JIS)
    except UnicodeDecodeError as error:
        if euc is not None:
            return euc
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("neither UTF-8 nor Shift_JIS, EUC-JP or UTF-16", line) from None
    # EUC-JP read as Shift_JIS has many half-width kana.
    is_shifted = euc is None or len(_HALF_WIDTH.findall(shifted)) <= len(_HALF_WIDTH.findall(euc))
    return shifted if is_shifted or euc is None else euc


def encoding_of_lines(beginning: bytes) -> str:
    """Return the encoding of a file of SFENs by its first bytes: UTF-16, with or without a BOM, or UTF-8."""
    found = _decoded_utf_16(beginning[: len(beginning) & ~1])
    return "utf-8" if found is None else found[0]


def _decoded_utf_16(data: bytes) -> tuple[str, str] | None:
    """Return the form of UTF-16 that data has, and its text."""
    beginning = data[:_LOOKED_AT]
    if data.startswith(_UTF_16_MARKS):
        encoding = "utf-16"
    elif 0 in beginning:
        encoding = "utf-16-be" if beginning[::2].count(0) > beginning[1::2].count(0) else "utf-16-le"
    else:
        return None
    text = _decoded_or_none(data, encoding)
    return (encoding, text) if text is not None and _ORDINARY.fullmatch(text) else None


def encode_record_text(text: str, encoding: str) -> bytes:
    """Return the bytes of a text; for Shift_JIS ☗☖ become ▲△. Raises `UnencodableError` for others."""
    return record_encoder(encoding)(text)


def record_encoder(encoding: str, errors: str = "strict") -> Callable[[str], bytes]:
    """Return an incremental `encode_record_text`."""
    codec = codecs.getincrementalencoder(encoding)(errors)

    def encoded(text: str) -> bytes:
        try:
            return codec.encode(text.translate(_MARKS) if encoding == SHIFT_JIS else text)
        except UnicodeEncodeError as error:
            name = next(name for name, codec in ENCODINGS.items() if codec == encoding)
            reason = f"{name} has no {error.object[error.start]!r}: use --encoding utf-8"
            raise UnencodableError(reason) from None

    return encoded


def _decoded_or_none(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


# --- JSON in game records and lines ----------------------------------------------------------------


class JsonError(ValueError):
    """A text that is not JSON; ``line`` (from 1) is where that shows, 1 if it is not known."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str) -> Any:
    """Return the value of a text. Raises `JsonError`, also for values nested too deep."""
    try:
        return json_value(text)
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error), getattr(error, "lineno", 1)) from None


def json_value(text: str) -> Any:
    """Return the value of a text. Raises ValueError or RecursionError."""
    return json.loads(text)


def json_excerpt(value: object) -> str:
    """Return a value as JSON, for a message."""
    return json.dumps(value, ensure_ascii=False)


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value of JSON is an integer; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


# --- lines of CSV, written and read ----------------------------------------------------------------


class _EchoWriter:
    """A file whose write method returns the text."""

    def write(self, text: str) -> str:
        return text


_CSV = csv.writer(_EchoWriter(), lineterminator="\n")


def csv_line(values: Iterable[Any]) -> str:
    """Return a line of CSV, with its end."""
    return cast(str, _CSV.writerow(values))


def csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table, each with the number of its last line. Raises `FormatError`."""
    rows = csv.reader(io.StringIO(text, newline=""))
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise FormatError(str(error), rows.line_num) from None
        if row is None:
            return
        yield rows.line_num, row
