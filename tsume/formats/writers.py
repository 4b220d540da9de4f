# SPDX-License-Identifier: GPL-3.0-or-later
"""The writers of game record formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tsume.formats.csa import csa_in_encoding, write_csa, write_csa_collection
from tsume.formats.encoding import ENCODINGS, SHIFT_JIS, encode_record_text
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.ki2 import write_ki2
from tsume.formats.kif import write_kif

UTF_8 = ENCODINGS["utf-8"]
_IN_UTF_8 = (".kifu", ".ki2u")


@dataclass(frozen=True)
class RecordWriter:
    """A format: how it is written, its usual encoding and line ends in a file.

    ``collection`` gives a file of several problems piece by piece, None where a file holds one.
    ``endings`` are those of a file in the usual encoding and in UTF-8. ``in_encoding`` names the encoding in
    the beginning of a text where the format says it.
    """

    name: str
    write: Callable[[GameRecord], str]
    endings: tuple[str, str]
    encoding: str = SHIFT_JIS
    line_end: str = "\r\n"
    collection: Callable[[Iterable[GameRecord]], Iterator[str]] | None = None
    variations: bool = True
    in_encoding: Callable[[str, str], str] = lambda text, _encoding: text

    def text(self, records: Sequence[GameRecord]) -> str:
        """The text of one problem or of several. Raises ValueError if the format allows only one."""
        if len(records) == 1:
            return self.write(records[0])
        if self.collection is None:
            raise ValueError(f"a {self.name} file holds one problem")
        return "".join(self.collection(records))

    def encoding_of(self, path: PurePath) -> str:
        """The usual encoding of a file by its ending."""
        return UTF_8 if path.suffix.lower() in _IN_UTF_8 else self.encoding

    def data(self, text: str, encoding: str) -> bytes:
        """The bytes of a file; ValueError for a character that is not in the encoding."""
        return encode_record_text(self.in_encoding(text, encoding).replace("\n", self.line_end), encoding)

    def ending(self, encoding: str) -> str:
        """The ending of a file in an encoding."""
        return self.endings[encoding == UTF_8]


WRITERS: dict[str, RecordWriter] = {
    "kif": RecordWriter("KIF", write_kif, (".kif", ".kifu")),
    "ki2": RecordWriter("KI2", write_ki2, (".ki2", ".ki2u")),
    "csa": RecordWriter(
        "CSA",
        write_csa,
        (".csa", ".csa"),
        line_end="\n",
        collection=write_csa_collection,
        variations=False,
        in_encoding=csa_in_encoding,
    ),
    "jkf": RecordWriter("JKF", write_jkf, (".jkf", ".jkf"), encoding=UTF_8, line_end="\n"),
}
"""By name, as ``--format`` takes them."""
