# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile input: inputs that fuzzing found, and a little fuzzing of every target (more: `scripts/fuzz`)."""

import gc
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db.engine import locate_store
from db.selection import ORDERS
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import engine_bytes, table_bits_within
from solver.scoring.difficulty import SCORER_BYTES
from tests.fuzzing.databases import Tampering, rows
from tests.fuzzing.promise import Broken, compile_kernels, keep
from tests.fuzzing.readers import READERS
from tests.fuzzing.targets import TARGETS
from tests.tsume.problems import CORRECT
from tsume.commands.options import DEFAULT_MEMORY, MAX_MEMORY, MIN_MEMORY
from tsume.formats.game_record import GameRecord
from tsume.formats.kif import write_kif
from tsume_rules.sfen import parse_sfen

EXAMPLES = {"database": 25, "options": 20, "usi": 12}
KIF = write_kif(GameRecord(parse_sfen(CORRECT).position))


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> Iterator[None]:
    compile_kernels()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_keeps_its_promises(name: str) -> None:
    @settings(
        max_examples=EXAMPLES.get(name, 20), derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(TARGETS[name].inputs)
    def look(example: object) -> None:
        TARGETS[name].check(example)

    look()


@pytest.mark.smoke
@pytest.mark.parametrize("name", READERS)
@settings(derandomize=True, database=None)
@given(data=st.binary(max_size=300))
def test_readers_alone(name: str, data: bytes) -> None:
    READERS[name](data)


def test_the_guide_loads_nothing_that_it_is_to_follow() -> None:
    code = "import sys, tests.fuzzing.guided\nprint(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"tsume", "tsume_rules", "db"} & set(loaded)


def test_a_broken_promise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("tsume.commands.solve.print_answers", fail)
    with pytest.raises(Broken, match="RuntimeError: a bug"):
        keep("solve", CORRECT)


# --- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (KIF + "   1 ３四金打" + " " * 5000 + "x\n", "line 16: invalid move"),
        (KIF.replace("| ・", "|" + " ・" * 10, 1), "more than 9 squares"),
        ("|" + " ・" * 100_000 + "|\n", "line 1: cannot parse"),
        ("手合割：平手\n" * 102, "more than 100 problems"),
        ("先手の持駒：" + "歩十九　" * 10 + "\n" + KIF, "line 1: invalid pieces in hand"),
        ("#" * 2**24 + "\n", "more than 16 MB"),
    ],
    ids=["spaces in a move", "ten squares", "endless rank", "many games", "hands", "large file"],
)
def test_kif_files(text: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.formats.registry.MAX_GAMES", 100)
    (tmp_path / "in.kif").write_text(text)
    done = keep("import", str(tmp_path / "in.kif"), "--db", str(tmp_path / "store.db"))
    assert done.exit_code == 1
    assert fault in done.stderr


def test_an_ending_that_lies_is_told_and_the_format_may_be_said(tmp_path: Path) -> None:
    for ending in (".ki2", ".csv", ".CSV"):
        file = tmp_path / f"in{ending}"
        file.write_text(CORRECT)
        done = keep("import", str(file), "--db", str(tmp_path / "store.db"))
        assert done.exit_code == 1
        assert "cannot parse" in done.stderr or 'no column "sfen"' in done.stderr
        assert keep("import", str(file), "--format=sfen", "--db=:memory:").exit_code == 0


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"sfen": 5}', "has no string"),
        ('{"SFEN": "x"}', "has no string"),
        ("{", "not a JSON object"),
        ('{"sfen": ' + "[" * 50_000, "not a JSON object"),
        ('{"sfen": ' + "9" * 50_000 + "}", "not a JSON object"),
        ('{"sfen": "\\ud800"}', "SFEN needs board"),
        (f"{CORRECT} moves {'x' * 50_000}", "not a move"),
        (f"{CORRECT} moves 7g7f\x1b[31m", "not a move"),
    ],
)
def test_lines(line: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(f"{line}\n{CORRECT}\n")
    done = keep("solve", "-f", str(tmp_path / "in"))
    assert done.exit_code == 1
    assert fault in done.stderr
    assert len(done.stderr) < 1000
    assert done.stdout.startswith("invalid\nmate in 3")


def test_json_lines_are_positions_and_a_line_without_end_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(f'{{"sfen": "{CORRECT}", "note": "# no comment"}}\n# comment\n')
    assert keep("solve", "-f", str(tmp_path / "in.jsonl")).stdout.startswith("mate in 3")
    again = keep("solve", "--jsonl", "-f", "-", stdin=keep("solve", "--jsonl", CORRECT).stdout_bytes)
    assert again.exit_code == 0
    done = keep("solve", "-f", "/dev/zero")
    assert done.exit_code == 1
    assert done.stderr.endswith("/dev/zero: a line has no end\n")


# --- stores ---------------------------------------------------------------------------------

DEEP = "replace(hex(zeroblob(100000)), '00', '[')"


def _set(column: str, value: str, table: str = "problems") -> Tampering:
    return Tampering([(f"UPDATE {table} SET {column} = {value}",)])


@pytest.mark.parametrize(
    ("tampering", "fault"),
    [
        (_set("line", "x'00ff'"), "line is b"),
        (_set("line", "CAST(x'ff' AS TEXT)"), "decode"),
        (_set("line", "'5e5d'"), "cannot be read: 5e5d"),
        (_set("sfen", "'a' || char(10)"), "sfen is"),
        (_set("sfen", "'9/9/9/9/9/9/9/9/9 b - 1'"), "no defender's king"),
        (_set("features", DEEP), "features is"),
        (_set("seed", "'x'"), "contains unreadable data"),
        (_set("created_at", "'x'"), "contains unreadable data"),
        (_set("created_at", DEEP), "contains unreadable data"),
        (_set("created_at", "5"), "contains unreadable data"),
        (_set("sfen", "hex(zeroblob(6000000))"), "too big"),
        (_set("version_num", "5", "alembic_version"), "has unknown revision '5'"),
        (_set("version_num", "hex(zeroblob(200000))", "alembic_version"), "has unknown revision '0000"),
        (Tampering([("DROP TABLE problems", "CREATE TABLE problems (id, x)")]), "no such column"),
        (Tampering(instead="symlink loop"), "symbolic links"),
        (Tampering(instead="pipe"), "is not a regular file"),
        (Tampering(instead="device"), "is not a regular file"),
        (Tampering(instead="beginning"), "malformed"),
    ],
)  # fmt: skip
def test_stores(tampering: Tampering, fault: str, made: Path, tmp_path: Path) -> None:
    tampering.at(made, tmp_path / "store.db")
    for command in (("show", "1"), ("export", "--format=kif")):
        done = keep(*command, "--db", str(tmp_path / "store.db"))
        assert done.exit_code == 1
        assert fault in done.stderr
        assert len(done.stderr) < 1000


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE problems SET score = 'x'", "contains unreadable data"),
        ("UPDATE problems SET length = 'x'", "not a whole number: 'x'"),
        ("UPDATE runs SET candidates = 9e999", "contains unreadable data"),
        ("UPDATE runs SET candidates = 9223372036854775807", "overflow"),
        ("UPDATE rejections SET number = 'x'", ""),
        ("UPDATE rejections SET reason = '[/red]' || rowid", ""),
    ],
)
def test_stats(statement: str, fault: str, made: Path, tmp_path: Path) -> None:
    Tampering([(statement,)]).at(made, tmp_path / "store.db")
    done = keep("db", "stats", "--db", str(tmp_path / "store.db"))
    assert fault in done.stderr
    assert (done.exit_code == 1) == bool(fault)


def test_two_problems_of_one_id_are_damage(made: Path, tmp_path: Path) -> None:
    loosened = (
        "CREATE TABLE loose AS SELECT * FROM problems",
        "DROP TABLE problems",
        "ALTER TABLE loose RENAME TO problems",
        "INSERT INTO problems SELECT * FROM problems",
    )
    Tampering([loosened]).at(made, tmp_path / "store.db")
    for order in ORDERS:
        done = keep("list", "--jsonl", "--sort", order, "--db", str(tmp_path / "store.db"))
        assert "several problems have one id" in done.stderr


def test_a_failed_import_loses_nothing(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    trigger = "CREATE TRIGGER t BEFORE INSERT ON problems BEGIN SELECT RAISE(ABORT, 'no\n'); END"
    Tampering([(trigger,)]).at(made, store)
    before = rows(store)
    done = keep("import", "-", "--db", str(store), stdin=CORRECT.encode())
    assert done.exit_code == 1
    assert rows(store) == before


def test_errors_hide_a_password_and_nothing_else() -> None:
    for password in ("a", "me", "hunter2"):
        location = locate_store(f"postgresql://me:{password}@host/x")
        said = f"a name for me, not postgresql://me:{password}@host/x or password='{password}'"
        hidden = "a name for me, not postgresql://me:***@host/x or password='***'"
        assert str(location.fault(said)) == f"postgresql://me@host/x: {hidden}"


# --- memory ---------------------------------------------------------------------------------


def test_the_largest_table_that_fits_is_chosen() -> None:
    for megabytes in (MIN_MEMORY, DEFAULT_MEMORY, 1000, MAX_MEMORY):
        for size in (megabytes << 20, (megabytes << 20) - SCORER_BYTES):
            bits = table_bits_within(size)
            assert engine_bytes(bits) <= size < engine_bytes(bits + 1)
            assert (bits == 20) == (megabytes == DEFAULT_MEMORY)


def test_an_engine_uses_as_much_memory_as_computed_and_answers_do_not_depend_on_it() -> None:
    for command in ("solve", "score"):
        little, much = (keep(command, CORRECT, "--memory", memory).stdout for memory in ("40", "500"))
        assert little == much
    arrays = [value.nbytes for value in vars(DfPnEngine(table_bits=10)).values() if hasattr(value, "nbytes")]
    assert abs(sum(arrays) - engine_bytes(10)) < 10_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_too_little_memory_is_an_error(jobs: int, tmp_path: Path) -> None:
    limit = 4 << 30
    done = subprocess.run(
        [sys.executable, "-m", "tsume", "generate", "-m1", "-j", str(jobs),
         "--db", tmp_path / "a", "--memory=9000"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    told, error, hint = done.stderr.splitlines()
    assert told.startswith("no model for mates in 1: ")
    assert error.startswith("Error: out of memory")
    assert hint.startswith("to continue: tsume runs resume 1")


# --- options --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (("solve", "-f", "a\nb"), r"'a\nb': No such file"),
        (("list", "--db", "a\nb"), r"'a\nb': does not exist"),
        (("list", "--db", "\x1b[31m"), r"\x1b[31m"),
        (("show", "1", "\x1f"), r"'\x1f': SFEN needs"),
        (("list", "--db", "postgresql://me:a@127.0.0.1:1/x"), "postgresql://me@127.0.0.1:1/x: "),
        (("list", "--db", "postgresql://m\udcac/\udcac"), "invalid database URL"),
        (("solve", CORRECT, "--memory", "39"), "40<=x"),
        (("solve", CORRECT, "--memory", "-1"), "40<=x"),
    ],
)
def test_options(line: tuple[str, ...], fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = keep(*line)
    assert done.exit_code in (1, 2)
    assert fault in done.stderr
    assert "***" not in done.stderr


def test_exports_to_impossible_places(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    for name in ("loop", "n" * 5000):
        done = keep("export", "--format=sfen", "-o", name, "--db", str(made))
        assert done.exit_code == 1
        assert len(done.stderr.splitlines()) == 1
