# SPDX-License-Identifier: GPL-3.0-or-later
"""The readers alone, without a command: thousands of inputs a second."""

from collections.abc import Callable, Iterator

from db.engine import locate_store
from db.errors import StoreError
from tsume.files.inputs import read_entry
from tsume.formats.registry import READERS as FINDERS
from tsume.formats.replay import ParsedProblem
from tsume.formats.text import FormatError, decode_record_file
from tsume_rules.sfen import parse_sfen

Reader = Callable[[bytes], None]


def read_line(data: bytes) -> None:
    """A line is a position or an error; a position is the same after writing and parsing it."""
    entry = read_entry(data.decode("utf-8", "replace"), "here")
    if entry.parsed is None:
        assert entry.error
    else:
        again = parse_sfen(entry.parsed.sfen)
        assert (again.position, again.rotated) == (entry.parsed.position, entry.parsed.rotated)


def _reader(find: Callable[[str], Iterator[ParsedProblem]]) -> Reader:
    def look(data: bytes) -> None:
        try:
            found = list(find(decode_record_file(data)))
        except FormatError as error:
            assert error.line >= 1  # noqa: PT017
        else:
            assert found
            for one in found:
                assert one.line >= 1 if one.fault is None else one.fault.line >= 1

    return look


def read_place(data: bytes) -> None:
    """A path or URL is a location or an error of one line; the name of a location is printable."""
    try:
        location = locate_store(data.decode("utf-8", "surrogateescape"))
    except StoreError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert location.name.isprintable()


READERS: dict[str, Reader] = {
    "sfen": read_line,
    "jsonl": read_line,
    **{name: _reader(find) for name, find in FINDERS.items()},
    "database": read_place,
}
"""The reader of each target's input."""
