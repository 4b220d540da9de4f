# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading files of problems: the format of a file, and the problems in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import Literal, get_args

from tsume.formats.csa import find_csa
from tsume.formats.encoding import SHIFT_JIS, decode_record_file
from tsume.formats.errors import FormatError
from tsume.formats.jkf import find_jkf
from tsume.formats.kif import find_kif
from tsume.formats.kif_lines import PRINTED_RANK
from tsume.formats.parsed_problem import MOST_GAMES, ParsedProblem

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
_FINDERS: dict[FileFormat, Callable[[str], Iterator[ParsedProblem]]] = {
    "kif": find_kif,
    "csa": find_csa,
    "jkf": find_jkf,
}


def file_format_of(name: str, beginning: bytes) -> FileFormat:
    """The format of a file, by its suffix, else by its first bytes."""
    by_ending = ENDINGS.get(PurePath(name).suffix.lower())
    if by_ending is not None:
        return by_ending
    texts = [beginning.decode(encoding, "ignore") for encoding in ("utf-8", SHIFT_JIS, "euc_jp", "utf-16")]
    return file_format_of_texts(texts)


def file_format_of_texts(texts: list[str]) -> FileFormat:
    """The format of a file that can be decoded to these texts."""
    beginnings = [text.removeprefix("\ufeff") for text in texts]
    if any(_SFEN_FIRST.match(text) for text in beginnings):
        return "lines"
    found = (
        form for form, pattern in _BY_CONTENT.items() if any(pattern.search(text) for text in beginnings)
    )
    return next(found, "lines")


def read_problem_file(data: bytes, form: FileFormat) -> Iterator[ParsedProblem]:
    """The problems of a file in KIF, KI2, BOD, CSA or JKF; an invalid problem does not end the reading.

    At most `MOST_GAMES` problems are read.
    """
    try:
        text = decode_record_file(data)
    except FormatError as error:
        yield ParsedProblem(error.line, fault=error)
        return
    found = find_problems(text, form)
    yield from islice(found, MOST_GAMES)
    for one in found:
        yield ParsedProblem(one.line, fault=FormatError(f"more than {MOST_GAMES} problems", one.line))
        return


def find_problems(text: str, form: FileFormat) -> Iterator[ParsedProblem]:
    """The problems of a text in KIF, KI2, BOD, CSA or JKF, as `read_problem_file`, however many."""
    return _FINDERS[form](text)
