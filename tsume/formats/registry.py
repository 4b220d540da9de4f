# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of files of problems: which one a file has, and who reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Literal, get_args

from tsume.formats.csa import csa_in_encoding, find_csa, write_csa, write_csa_collection
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.kif import find_kif, write_ki2, write_kif
from tsume.formats.kif_lines import PRINTED_RANK
from tsume.formats.replay import MAX_GAMES, ParsedProblem
from tsume.formats.text import ENCODINGS, SHIFT_JIS, FormatError, decode_record_file, encode_record_text

FileFormat = Literal["kif", "csa", "jkf", "csv", "lines"]
"""``kif`` is KI2 and BOD too; ``lines`` are SFENs, one a line, JSON objects, or problems of スマホ詰パラ."""
FILE_FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)

ENDINGS: dict[str, FileFormat] = {
    **dict.fromkeys((".kif", ".kifu", ".ki2", ".ki2u", ".kif2", ".bod"), "kif"),
    ".csa": "csa",
    ".jkf": "jkf",
    ".csv": "csv",
    **dict.fromkeys((".sfen", ".usi", ".jsonl", ".tpa"), "lines"),
}
_LINE_BEGINS, _LINE_ENDS, _ANYTHING = r"(?<![^\n])", r"(?![^\n])", r"(?:[^\n]|\n)*"
"""In place of flags, which the program in browsers does not have (docs/browser.md)."""
_RECORD_LINES = (
    r"\+-{9,}\+",
    "手数-",
    PRINTED_RANK + r"[ \t\r]*" + _LINE_ENDS,
    "(?:手合割|作意|正解|詰?手順|解答|棋譜)[：:]",
    "[▲△▼▽☗☖] *[１-９1-9同]",
    r"[|│┃｜](?:[ 　]*(?:[・.]|[v^+▽△☖∨▲☗ｖ]?[^\s|│┃｜,・.])){9}[ 　]*[|│┃｜]",
    r"(?:[^\s：:,{}\"#*]{1,16} )?[0-9]+手詰: *[▲△]",
    r"(?:[(（]?[0-9０-９]{1,4}(?:[ 　.．:：)）]|手目?)[ 　]*)?(?:[(（][^()（）]{1,2}[)）] *)?"
    r"(?:[1-9１-９][1-9１-９一二三四五六七八九]|同)[ 　]*(?:成[銀桂香]|[歩香桂銀角飛金玉王と杏圭全馬龍竜])",
)
"""What lines of KIF, KI2, BOD and of the notation of books begin with; no SFEN does."""
_SFEN_FIRST = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:position +)?(?:sfen +)?(?:startpos|[1-9a-zA-Z+]+(?:/[1-9a-zA-Z+]+){8}\s+[bw]\s)"
)
"""A text that begins with an SFEN has one a line."""
_BY_CONTENT: dict[FileFormat, re.Pattern[str]] = {
    "csv": re.compile(r'^(?:[^\n]*,)?"?[sS][fF][eE][nN]"?\s*(?:,|' + _LINE_ENDS + ")"),
    "kif": re.compile(_LINE_BEGINS + rf"[ \t　]*(?:{'|'.join(_RECORD_LINES)})"),
    "csa": re.compile(
        _LINE_BEGINS
        + r"[ \t]*(?:V[123](?:\.\d)?|P[1-9](?:\s*(?:\*|[-+][A-Z]{2})){9}|PI(?:\d\d[A-Z]{2})*(?:,[^\n]*)?"
        + r"|P[-+]\d\d[A-Z]{2}[^\n]*|[-+]\d{4}[A-Z]{2}(?:[,'][^\n]*)?|'CSA encoding=[^\n]*)[ \t\r]*"
        + _LINE_ENDS
    ),
    "jkf": re.compile(r"^\s*\[|^\s*\{" + _ANYTHING + r'"(?:header|initial)"\s*:'),
}  # fmt: skip
READERS: dict[FileFormat, Callable[[str], Iterator[ParsedProblem]]] = {
    "kif": find_kif,
    "csa": find_csa,
    "jkf": find_jkf,
}
"""Of the formats that are read as a whole; the others have a problem a line (`tsume.files.entries`)."""


def file_format_of(name: str, beginning: bytes) -> FileFormat:
    """Return the format of a file, by its suffix, else by its first bytes."""
    by_ending = ENDINGS.get(PurePath(name).suffix.lower())
    if by_ending is not None:
        return by_ending
    texts = [beginning.decode(encoding, "ignore") for encoding in ("utf-8", SHIFT_JIS, "euc_jp", "utf-16")]
    return file_format_of_texts(texts)


def file_format_of_texts(texts: list[str]) -> FileFormat:
    """Return the format of a file that can be decoded to these texts."""
    beginnings = [text.removeprefix("\ufeff") for text in texts]
    if any(_SFEN_FIRST.match(text) for text in beginnings):
        return "lines"
    found = (form for form, pattern in _BY_CONTENT.items() if any(pattern.search(text) for text in beginnings))
    return next(found, "lines")


def read_problem_file(data: bytes, form: FileFormat) -> Iterator[ParsedProblem]:
    """Yield the problems of a file in KIF, KI2, BOD, CSA or JKF; an invalid problem does not end the reading.

    At most `MAX_GAMES` problems are read.
    """
    try:
        text = decode_record_file(data)
    except FormatError as error:
        yield ParsedProblem(error.line, fault=error)
        return
    found = find_problems(text, form)
    yield from islice(found, MAX_GAMES)
    for one in found:
        yield ParsedProblem(one.line, fault=FormatError(f"more than {MAX_GAMES} problems", one.line))
        return


def find_problems(text: str, form: FileFormat) -> Iterator[ParsedProblem]:
    """Return the problems of a text in KIF, KI2, BOD, CSA or JKF, as `read_problem_file`, however many."""
    return READERS[form](text)


# --- the writers of game record formats ------------------------------------------------------------

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
        """Return the text of one problem or of several. Raises ValueError if the format allows only one."""
        if len(records) == 1:
            return self.write(records[0])
        if self.collection is None:
            raise ValueError(f"a {self.name} file holds one problem")
        return "".join(self.collection(records))

    def encoding_of(self, path: PurePath) -> str:
        """Return the usual encoding of a file by its ending."""
        return UTF_8 if path.suffix.lower() in _IN_UTF_8 else self.encoding

    def data(self, text: str, encoding: str) -> bytes:
        """Return the bytes of a file; ValueError for a character that is not in the encoding."""
        return encode_record_text(self.in_encoding(text, encoding).replace("\n", self.line_end), encoding)

    def ending(self, encoding: str) -> str:
        """Return the ending of a file in an encoding."""
        return self.endings[encoding == UTF_8]


RecordFormat = Literal["kif", "ki2", "csa", "jkf"]
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
FORMAT_OF_NAME: dict[str, FileFormat] = {
    "sfen": "lines",
    "jsonl": "lines",
    **{name: ENDINGS[writer.endings[0]] for name, writer in WRITERS.items()},
    "csv": "csv",
}
"""The formats of files that are read, as ``--format`` takes them."""
