# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets of fuzzing: their inputs, and the checks that must pass."""

import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from hypothesis import strategies as st

from solver.certificates.checker import Proved
from tests.fuzzing.damage import JUNK, damage_of
from tests.fuzzing.databases import TAMPERINGS, Tampering, rows
from tests.fuzzing.kernels import check_call
from tests.fuzzing.promise import Broken, keep, read_soon
from tests.fuzzing.readers import READERS
from tests.fuzzing.usi_sessions import STEPS, check_session
from tests.solver.certificates.files import certificate, lines_of, with_lines
from tests.solver.certificates.test_certificates import PROBLEMS, damage, proved_by
from tests.tsume.formats.trees import random_line, random_position, random_record, random_tree
from tests.tsume.problems import COOKED, CORRECT, CORRECT_WHITE, FAULTY, HARD, NO_MATE
from tsume.cli import cli
from tsume.formats.csa import write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.kif import write_ki2, write_kif
from tsume_rules.sfen import format_sfen, parse_sfen

_SEEDS = st.integers(0, 10**6)
_KNOWN = (CORRECT, CORRECT_WHITE, COOKED, NO_MATE, HARD, *FAULTY)
_PIECES = [sign + letter for letter in "kKpPlLnNsSgGbBrR" for sign in ("", "+") if sign == "" or letter not in "kKgG"]
_HANDS = (
    "-", "R", "2r2b4g4s4n4l18p", "18P", "19p", "99P", "100p", "p", "P0", "RBGSNLP", "rr", "RRR", "K", "1P",
    "02p", "4g4s4n4l9p", "２歩",
)  # fmt: skip


def _random_sfen(seed: int) -> str:
    """Pieces anywhere: no king or several, too many of a kind, the king in check, dead pieces."""
    rng = random.Random(seed)
    full = rng.random() < 0.2
    cells = [rng.choice(_PIECES if full else ["1"] * 14 + _PIECES) for _ in range(81)]
    if rng.random() < 0.8:
        kings = rng.choice((["k"], ["k"], ["k", "K"], ["k", "k"], ["K"]))
        cells = [rng.choice("pPgG1") if cell in "kK" else cell for cell in cells]
        for king in kings:
            cells[rng.randrange(81)] = king
    if rng.random() < 0.8:
        cells = [cell if rng.random() < rng.choice((0.1, 0.5)) or cell in "kK" else "1" for cell in cells]
    board = "/".join("".join(cells[rank : rank + 9]) for rank in range(0, 81, 9))
    return f"{board} {rng.choice('bbbwx')} {rng.choice(_HANDS)} {rng.choice(('1', '1', '0', '-1', ''))}"


def _valid_sfen(seed: int) -> str:
    game = random_record(seed)
    moves = "".join(f" {move.usi}" for move in game.line)
    return format_sfen(game.position) + (f" moves{moves}" if moves else "")


sfens: st.SearchStrategy[str] = st.sampled_from(_KNOWN) | _SEEDS.map(_valid_sfen) | _SEEDS.map(_random_sfen)


def _lines(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return st.lists(texts, min_size=1, max_size=3).map(lambda lines: "\n".join(lines).encode())


def _json_line(sfen: object, key: str, more: object) -> str:
    return json.dumps({key: sfen, "more": more}, ensure_ascii=False)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_json_lines = st.builds(_json_line, sfens | sfens | _VALUES, st.sampled_from(["sfen", "sfen", "SFEN", "\0"]), _VALUES)


def _long_game_record(seed: int) -> GameRecord:
    rng = random.Random(seed)
    position = random_position(rng)
    return GameRecord(position, random_line(position, rng, 12))


_PROBLEMS = [GameRecord(parse_sfen(sfen).position) for sfen in (CORRECT, CORRECT_WHITE, COOKED, NO_MATE)]


def _written(write: Callable[[GameRecord], str]) -> st.SearchStrategy[bytes]:
    one = _SEEDS.map(random_record) | _SEEDS.map(_long_game_record) | st.sampled_from(_PROBLEMS)
    games = st.lists(one, min_size=1, max_size=2)
    return games.map(lambda several: "\n".join(map(write, several)).encode())


def _trees(write: Callable[[GameRecord], str]) -> st.SearchStrategy[bytes]:
    return st.integers(0, 300).map(random_tree).map(lambda record: write(record).encode())


_NOISE = st.binary(max_size=200) | st.lists(st.sampled_from(JUNK), max_size=20).map(b"".join)


def _mostly(valid: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(*[damage_of(valid)] * 4, _NOISE)


FILES: dict[str, st.SearchStrategy[bytes]] = {
    "sfen": _mostly(_lines(sfens)),
    "jsonl": _mostly(_lines(_json_lines | sfens)),
    "kif": _mostly(_written(write_kif) | _trees(write_kif) | _written(write_ki2) | _trees(write_ki2)),
    "jkf": _mostly(_trees(write_jkf)),
    "csa": _mostly(_written(write_csa).map(lambda data: data.replace(b"V2.2\n", b"/\n"))),
}
"""Contents of files for each format."""

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
        "--same-when-counted", "--key", "--min-pieces", "--end-pieces", "--max-defenders", "--min-hand", "--hand-only",
        "--area", "--mate-on", "--last", "--line", "--known",
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


@cache
def _sound() -> tuple[bytes, tuple[bytes, ...], tuple[Proved, ...]]:
    """A sound certificate: the file, its lines, what it proves."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = certificate(Path(folder) / "made", *PROBLEMS)
        return path.read_bytes(), tuple(lines_of(path)), tuple(proved_by(path) or ())


def check_certificate(example: tuple[int, int, bytes]) -> None:
    """Change facts as often as said, or bytes of the file where some are given; then verify it."""
    seed, times, junk = example
    data, facts, proved = _sound()
    rng = random.Random(seed)
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "damaged"
        if junk:
            at = rng.randrange(len(data))
            path.write_bytes(data[:at] + junk + data[at + len(junk) :])
        else:
            lines = list(facts)
            for _ in range(times):
                lines = damage(lines, rng)
            with_lines(path, lines)
        found = proved_by(path)
        if found is not None and not set(map(str, found)) <= set(map(str, proved)):
            raise Broken("a damaged certificate proves something else")
        keep("verify", "-j1", "--jsonl", str(path))


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


TARGETS: dict[str, Target] = {
    **{form: Target(st.tuples(st.integers(0, len(_ON_FILES)), FILES[form]), check_file(form)) for form in FILES},
    "database": Target(st.tuples(st.sampled_from(_ON_STORES), TAMPERINGS), check_store),
    "options": Target(COMMAND_LINES, check_command_line),
    "certificate": Target(
        st.tuples(st.integers(0, 2**32), st.integers(1, 6), st.just(b"") | st.binary(max_size=40)), check_certificate
    ),
    "usi": Target(STEPS, check_session),
    "kernels": Target(st.integers(0, 2**64), check_call),
}
"""The targets by their names on the command line of `scripts/fuzz`."""
READING: dict[str, Target] = {
    form: Target(FILES[form], partial(read_soon, READERS[form])) for form in FILES
}  # fmt: skip
"""The readers of files alone. They are quick, so they get many more inputs."""
