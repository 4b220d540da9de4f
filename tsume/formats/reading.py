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
from tsume.formats.parsed_problem import MOST_GAMES, ParsedProblem

FileFormat = Literal["kif", "csa", "jkf", "csv", "lines"]
"""``kif`` is KI2 and BOD too; ``lines`` are SFENs, one a line, or JSON objects."""
FILE_FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)

ENDINGS: dict[str, FileFormat] = {
    **dict.fromkeys((".kif", ".kifu", ".ki2", ".ki2u", ".kif2", ".bod"), "kif"),
    ".csa": "csa",
    ".jkf": "jkf",
    ".csv": "csv",
    **dict.fromkeys((".sfen", ".usi", ".jsonl"), "lines"),
}
_BY_CONTENT: dict[FileFormat, re.Pattern[str]] = {
    "kif": re.compile(r"^[ \t　]*(?:\+-{9,}\+|手数-|手合割[：:]|[▲△▼▽☗☖]\s*[１-９1-9同])", re.MULTILINE),
    "csa": re.compile(
        r"^(?:V[123](?:\.\d)?|P[1-9](?: \* ?|[-+][A-Z]{2}){9}|PI|P[-+]\d\d[A-Z]{2}.*)[ \t\r]*$", re.MULTILINE
    ),
    "jkf": re.compile(r"\A\s*\[|\A\s*\{.*\"(?:header|initial)\"\s*:", re.DOTALL),
    "csv": re.compile(r"\A(?:[^\n]*,)?\"?sfen\"?\s*(?:,|$)", re.IGNORECASE | re.MULTILINE),
}
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
    texts = [
        beginning.decode(encoding, "ignore").removeprefix("\ufeff")
        for encoding in ("utf-8", SHIFT_JIS, "euc_jp", "utf-16")
    ]
    found = (form for form, pattern in _BY_CONTENT.items() if any(map(pattern.search, texts)))
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
    found = _FINDERS[form](text)
    yield from islice(found, MOST_GAMES)
    for one in found:
        yield ParsedProblem(one.line, fault=FormatError(f"more than {MOST_GAMES} problems", one.line))
        return
