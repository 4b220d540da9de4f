# SPDX-License-Identifier: GPL-3.0-or-later
"""Command lines: every command with its own options, and values that often make no sense."""

from __future__ import annotations

from collections.abc import Iterator

import click
from hypothesis import strategies as st

from tests.tsume.problems import COOKED, CORRECT, CORRECT_WHITE, FAULTY, NO_MATE
from tsume.cli import cli

_WHOLE = [
    "0", "1", "2", "3", "5", "-1", "39", "40", "72", "100", "2147483647", "2147483648", "1048576", "1048577",
    "１", "٣", "1e3", "1_0", "0x10",
]  # fmt: skip
_REAL = ["0", "0.1", "0.5", "1", "-1", "nan", "inf", "-inf", "1e400", "-1e400", "1e-400", "１", "1_0", "30"]
_ODD = ["", " ", "x", "9" * 30, "9" * 5000, "-" + "9" * 400, "\udcff", "\u202e", "a\nb", "\x1b[31m"]
_POSITIONS = [CORRECT, CORRECT_WHITE, COOKED, NO_MATE, *FAULTY, "1", "0", "007", "２", *_ODD]
_PATHS = [
    "store.db", "store.db", "in.sfen", "in.kif", "in.csa", "new.db", "absent/x", ".", "", "/proc/self/attr",
    "/dev/null", "/dev/full",
    "a\nb", "\udcff", "n" * 300, "p" * 5000, "loop", "-", "~", "in.ki2", "in.csv", "./--db", "\x1b[31m",
]  # fmt: skip
_URLS = [
    ":memory:", "sqlite://", "sqlite:///", "sqlite:///store.db", "sqlite:///:memory:", "sqlite:x", "://",
    "a://b",
    "postgresql://", "postgresql://me:a@127.0.0.1:1/x", "postgresql://h:99999999/x", "mysql://[::1",
    "x" * 200 + "://",
    "sqlite:///store.db?mode=ro", "file:store.db?mode=ro",
    "postgresql+psycopg://me:pw@127.0.0.1:1/x?connect_timeout=1",
    "mssql+pyodbc://?odbc_connect=%", "postgresql://%ff@/%00", "sqlite+pysqlite:///store.db", "oracle://a\nb",
]  # fmt: skip
_JOBS = ["1", "1", "0", "-1", "257", "x", "２"]
_MOVES_TO_MAKE = ["1", "1", "2", "0", "-1", "x", "", "100"]
_TEXT = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=8)
"""Text that a process can get as an argument: anything without NUL."""
_WISHES = frozenset(
    [
        "--pieces", "--hand", "--only", "--without", "--theme", "--min-score", "--max-score", "--stars",
        "--min-quality", "--min-resistance", "--min-surprise", "--region", "--from", "--final", "--start",
        "--no-promoted", "--defenders", "--no-equal-defences", "--no-variation-cooks", "--one-finish",
        "--same-when-counted", "--key",
    ]
)  # fmt: skip
_COUNTS = ["1", "2", "0", "-1", "x", "9" * 30]


def _commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, (*words, name))
        else:
            yield (*words, name), command


def _values(option: click.Parameter, command: str) -> st.SearchStrategy[str]:
    name = str(option.name)
    if name == "place":
        return st.sampled_from(_PATHS + _URLS)
    if name in ("output", "files", "file", "source", "picture", "licence"):
        return st.sampled_from(_PATHS)
    if name == "jobs":
        return st.sampled_from(_JOBS)
    if command == "generate" and name in ("moves", "count"):
        return st.sampled_from(_MOVES_TO_MAKE if name == "moves" else _COUNTS)
    if isinstance(option.type, click.Choice):
        return st.sampled_from([*map(str, option.type.choices), *_ODD])
    if isinstance(option, click.Argument):
        return st.sampled_from(_POSITIONS) | _TEXT
    return st.sampled_from([*_WHOLE, *_REAL, *_ODD]) | _TEXT


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with some of its options, some twice, and arguments."""
    words, command = draw(st.sampled_from(_ALL))
    options = [one for one in command.params if isinstance(one, click.Option)]
    line: list[str] = []
    for option in draw(st.lists(st.sampled_from(options), max_size=4)) if options else []:
        line.append(draw(st.sampled_from(option.opts)))
        if not option.is_flag or draw(st.integers(0, 9)) == 0:
            line.append(draw(_values(option, words[0])))
    for argument in (one for one in command.params if isinstance(one, click.Argument)):
        line += draw(st.lists(_values(argument, words[0]), max_size=2))
    if words[0] == "generate":
        line = ["-m", draw(st.sampled_from(["1", "3"])), "-n1", *line]
        if any(word.split("=")[0] in _WISHES for word in line):  # there may be no such problem
            line.append("--time-limit=0.5")
    if draw(st.integers(0, 19)) == 0:
        line.insert(draw(st.integers(0, len(line))), draw(st.sampled_from(["--", "-", "--nonsense", "-x", *_ODD])))
    return [*words, *line]


_FUZZED = (
    "generate", "runs", "solve", "check", "score", "explain", "tree", "list", "show", "edit", "stats",
    "export", "import", "db", "cards", "site",
)  # fmt: skip
_ALL = [(words, command) for words, command in _commands(cli) if words[0] in _FUZZED]
COMMAND_LINES: st.SearchStrategy[list[str]] = command_lines()
