# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets of fuzzing: their inputs, and the checks that must pass."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fuzzing.certificates import check_certificate
from tests.fuzzing.databases import TAMPERINGS, Tampering, rows
from tests.fuzzing.files import FILES
from tests.fuzzing.options import COMMAND_LINES
from tests.fuzzing.promise import Broken, keep, read_soon
from tests.fuzzing.readers import READERS
from tests.fuzzing.usi_sessions import STEPS, check_session
from tests.tsume.formats.positions import random_record
from tests.tsume.problems import CORRECT
from tsume.formats.csa import write_csa
from tsume.formats.kif import write_kif
from tsume_rules.sfen import format_sfen

_LIMITS = ("--time", "0.2", "--memory", "40")
_ON_FILES = (
    ("solve", "--nodes", "3000", *_LIMITS), ("solve", "--jsonl", "--count-futile", *_LIMITS),
    ("check", *_LIMITS),
    ("check", "--jsonl", "--moves", "3", *_LIMITS), ("score", *_LIMITS), ("score", "--jsonl", *_LIMITS),
    ("explain", *_LIMITS), ("explain", "--jsonl", "--all", *_LIMITS), ("explain", "--only-answers", *_LIMITS),
    ("tree", "--max-turns", "20", *_LIMITS), ("tree", "--jsonl", "--all-answers", *_LIMITS),
)  # fmt: skip
_ON_STORES = (
    ("list",), ("list", "--jsonl"), ("list", "--sort", "score"), ("show", "1"),
    ("show", "2", "--no-solution"),
    *(("export", "--format", form) for form in ("sfen", "kif", "ki2", "csa", "jkf", "jsonl", "csv")),
    ("export", "--format", "lichess"), ("export", "--format", "parquet", "-o", "out"), ("merge", "other.db"),
    ("export", "--format", "kif", "-o", "folder/"), ("export", "--format", "jkf", "--id", "1", "-o", "out"),
    ("export", "--format", "csv", "--sort", "score", "-o", "out"), ("list", "-m1", "--max-pieces", "5"),
    ("db", "stats"), ("db", "upgrade"), ("backup", "out"),
    ("import", "new.sfen"), ("generate", "-m1", "-n1", "--seed", "7"),
    ("list", "--grade", "sound"), ("export", "--format", "kif", "--variations", "--grade", "perfect"),
    ("list", "--sort", "quality", "--min-quality", "0"),
    ("list", "--min-resistance", "3", "--min-surprise", "1"),
    ("stats", "--plot", "out.png"), ("runs", "list"),
    ("edit", "1", "--title", "x", "--version-of", "2"), ("edit", "1-3", "--tag", "x"), ("list", "--tag", "x"),
    ("cards", "--time", "0.2", "-o", "out"), ("cards", "--no-variations", "--lang", "both", "-o", "out"),
    ("site", "--time", "0.2", "-j1", "-o", "out"),
    ("site", "--lang", "both", "--url", "https://a/", "-j1", "-o", "out"),
    ("results", "export"), ("results", "export", "--format", "jsonl", "--person", ""),
    ("choose", "-n", "2"), ("choose", "-n", "1:2", "--levels", "2", "--known", "new.sfen", "--out", "out"),
    ("import", "new.sfen", "--known", "new.sfen", "--keep-near"),
    ("runs", "show", "1"), ("runs", "resume", "1", "--time-limit", "0.5"),
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """``inputs`` for `hypothesis`, and ``check``, which raises when one breaks a promise."""

    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]


@cache
def _made() -> Path:
    """A store with three composed problems, made once."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-")
    _KEPT.append(folder)
    path = Path(folder.name) / "made.db"
    keep("generate", "-m", "1", "-n", "3", "--seed", "1", "--db", str(path))
    return path


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder, made the current one."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name, chdir(name):
        yield Path(name)


def _require_kept(before: set[bytes] | None, path: Path) -> None:
    if before is not None and not before <= (rows(path) or set()):
        raise Broken("problems were lost")


def check_file(form: str) -> Callable[[tuple[int, bytes]], None]:
    """Read a file's content alone, then give it to a command."""

    def check(example: tuple[int, bytes]) -> None:
        choice, data = example
        read_soon(READERS[form], data)
        with _folder() as folder:
            (folder / f"in.{form}").write_bytes(data)
            if choice >= len(_ON_FILES):
                _check_import(folder, f"in.{form}")
            else:
                keep(*_ON_FILES[choice], "-f", f"in.{form}")

    return check


def _check_import(folder: Path, name: str) -> None:
    shutil.copy(_made(), folder / "store.db")
    before = rows(folder / "store.db")
    keep("import", name, "--db", "store.db")
    _require_kept(before, folder / "store.db")


def check_store(example: tuple[tuple[str, ...], Tampering]) -> None:
    """Give a tampered store to a command; it must keep the problems that can be read."""
    command, tampering = example
    made = _made()
    with _folder() as folder:
        (folder / "new.sfen").write_text(CORRECT)
        tampering.at(made, folder / "store.db")
        shutil.copy(made, folder / "other.db")
        before, others = rows(folder / "store.db"), rows(folder / "other.db")
        keep(*command, "--db", "store.db")
        _require_kept(before, folder / "store.db")
        if command[0] == "merge":
            keep("merge", "store.db", "--db", "other.db")
            _require_kept(others, folder / "other.db")


def check_command_line(line: list[str]) -> None:
    """Run a command line in a folder with a store and a few files."""
    made = _made()
    with _folder() as folder:
        shutil.copy(made, folder / "store.db")
        (folder / "in.sfen").write_text(CORRECT)
        (folder / "in.kif").write_text(write_kif(random_record(1)))
        (folder / "in.csa").write_text(write_csa(random_record(2)))
        (folder / "in.ki2").write_text(format_sfen(random_record(3).position))
        os.symlink("loop", folder / "loop")  # noqa: PTH211
        before = rows(folder / "store.db")
        keep(*line, stdin=CORRECT.encode())
        overwritten = any(word.startswith(("-o", "--output")) for word in line)
        if not overwritten:
            _require_kept(before, folder / "store.db")


def _of_file(form: str) -> Target:
    return Target(st.tuples(st.integers(0, len(_ON_FILES)), FILES[form]), check_file(form))


TARGETS: dict[str, Target] = {
    **{form: _of_file(form) for form in FILES},
    "database": Target(st.tuples(st.sampled_from(_ON_STORES), TAMPERINGS), check_store),
    "options": Target(COMMAND_LINES, check_command_line),
    "certificate": Target(
        st.tuples(st.integers(0, 2**32), st.integers(1, 6), st.just(b"") | st.binary(max_size=40)), check_certificate
    ),
    "usi": Target(STEPS, check_session),
}
"""The targets by their names on the command line of `scripts/fuzz`."""
READING: dict[str, Target] = {
    form: Target(FILES[form], partial(read_soon, READERS[form])) for form in FILES
}  # fmt: skip
"""The readers of files alone. They are quick, so they get many more inputs."""
