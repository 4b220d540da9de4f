# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume export --format parquet: what pyarrow, DuckDB, pandas and a reader of YAML find in the folder."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tsume-shogi[parquet] is not installed")

import numpy
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from db.notebook import NotebookEdit
from db.problem_rows import ProblemAddition
from db.store import Store
from generator.problem import GENERATOR_VERSION, Provenance
from solver.results import FEATURES, Difficulty, Grade
from solver.scoring.difficulty import Scorer
from tests.db.samples import problem
from tests.tsume.conftest import Run, refused
from tsume import __version__
from tsume.dataset import COLUMNS, SCHEMA, size_category
from tsume_rules.sfen import parse_sfen

Row = dict[str, Any]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "set"


def make(tsume: Run, store: Path, out: Path, *options: object) -> str:
    done = tsume("export", "--format", "parquet", "--db", store, "-o", out, *options, status=0)
    return done.output


def shards(out: Path, config: str = "mate*") -> list[Path]:
    return sorted(out.glob(f"{config}/*.parquet"))


def rows(out: Path) -> list[Row]:
    found = [row for path in shards(out) for row in pq.read_table(path).to_pylist()]
    return sorted(found, key=lambda row: row["id"])


def front_matter(out: Path) -> dict[str, Any]:
    head = (out / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    return dict(yaml.safe_load(head))


def listed(tsume: Run, store: Path, *options: object) -> list[Row]:
    done = tsume("export", "--format", "jsonl", "--db", store, *options)
    return [json.loads(line) for line in done.stdout.splitlines()]


def files(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


_SAME = (
    "id", "sfen", "line", "length", "score", "stars", "quality", "themes", "grade", "blemishes", "searched",
    "same_when_counted", "version_of", "recipe", "version",
)  # fmt: skip
"""The columns that JSON calls the same."""

# --- the rows ---------------------------------------------------------------------------------------


def test_the_rows_are_the_problems(tsume: Run, store: Path, out: Path) -> None:
    with Store.open(store) as opened:
        opened.edit([4], NotebookEdit(title="曙光", author="無名", source="誌", parent=1, moves=True))
    make(tsume, store, out)
    for row, fields in zip(rows(out), listed(tsume, store), strict=True):
        for name in _SAME:
            assert row[name] == fields[name], name
        assert (row["seed"], row["root_index"]) == (str(fields["seed"]), fields["index"])
        for name in ("title", "author", "source"):
            assert row[name] == (fields[name] or None)
        assert {name: row[f"feature_{name}"] for name in FEATURES} == fields["features"]
        position = parse_sfen(row["sfen"]).position
        assert row["board_pieces"] == sum(piece is not None for piece in position.board)
        assert row["hand_pieces"] == len(position.attacker_hand)


def test_columns_of_features_and_size_categories() -> None:
    position = parse_sfen("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1").position
    assert set(Scorer().score(position, 3).features) == set(FEATURES)
    categories = {
        1: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10**6 - 1: "100K<n<1M", 10**8: "100M<n<1B", 10**9: "n>1B",
    }  # fmt: skip
    assert {number: size_category(number) for number in categories} == categories


def test_every_file_has_the_same_types(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.db"
    one, two = problem(1), problem(2)
    far = Provenance(2**128 - 1, 2**62, "0.1.0", recipe=None)
    judgement = replace(two.judgement, searched=None, grade=Grade.SOUND, length=1525)
    with Store.open(odd) as store:
        store.add(replace(one, provenance=far, difficulty=Difficulty({"length": 3.0, "old": 1.0}, 5.0)))
        store.add(replace(two, provenance=None, judgement=judgement))
    make(tsume, made, out)
    schemas = [pq.read_schema(path) for path in shards(out)]
    told = make(tsume, odd, out)
    schemas += [pq.read_schema(path) for path in shards(out)]
    assert all(schema.equals(SCHEMA) for schema in schemas)
    first, second = rows(out)
    assert (first["seed"], first["root_index"], first["recipe"]) == (str(2**128 - 1), 2**62, None)
    assert (first["feature_length"], first["feature_captures"]) == (3.0, None)
    assert f"{odd}: the feature old has no column: it is omitted from 1 problems" in told
    assert (second["seed"], second["searched"], second["length"]) == (None, None, 1525)


def test_problems_are_selected_and_sorted(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--sort", "score", "--limit", 4)
    wanted = listed(tsume, made, "--sort", "score", "--limit", 4)
    found = [row["id"] for path in shards(out) for row in pq.read_table(path).to_pylist()]
    assert found == [row["id"] for length in (1, 3) for row in wanted if row["length"] == length]
    make(tsume, made, out, "-m", 3)
    assert {path.parent.name for path in shards(out)} == {"mate3"}


def test_shards_of_a_length(tsume: Run, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = tmp_path / "many.db"
    with Store.open(many) as store:
        store.add_all([ProblemAddition(problem(index, length=1 + index % 3)) for index in range(600)])
    monkeypatch.setattr("tsume.dataset._ROWS_AT_ONCE", 7)
    monkeypatch.setattr("tsume.dataset.ROWS_PER_GROUP", 20)
    monkeypatch.setattr("tsume.dataset.ROWS_PER_SHARD", 80)
    make(tsume, many, out)
    names = [path.name for path in shards(out, "mate2")]
    assert names == [f"train-{number:05}-of-00003.parquet" for number in range(3)]
    groups = [pq.ParquetFile(path).metadata for path in shards(out, "mate2")]
    assert [one.row_group(0).num_rows for one in groups] == [21, 21, 21]
    assert [row["id"] for row in rows(out)] == list(range(1, 601))
    assert {one.row_group(0).column(0).compression for one in groups} == {"ZSTD"}


# --- other readers ----------------------------------------------------------------------------------


def test_pandas_and_duckdb_read_the_same(tsume: Run, made: Path, out: Path) -> None:
    pandas = pytest.importorskip("pandas")
    make(tsume, made, out)
    table = pandas.concat([pandas.read_parquet(out / config) for config in ("mate1", "mate3")])
    found = table.astype(object).where(table.notna(), None).to_dict("records")
    told = [
        {name: (list(value) if isinstance(value, numpy.ndarray) else value) for name, value in row.items()}
        for row in found
    ]
    assert told == rows(out)
    with pytest.importorskip("duckdb").connect() as connection:
        found = connection.execute(f"SELECT * FROM '{out}/mate*/*.parquet' ORDER BY id")
        names = [column[0] for column in found.description]
        assert names == [column.name for column in COLUMNS]
        assert [dict(zip(names, row, strict=True)) for row in found.fetchall()] == rows(out)
        described = connection.execute(f"DESCRIBE FROM '{out}/mate3/*.parquet'").fetchall()
    types = {name: kind for name, kind, *_ in described}
    assert (types["line"], types["seed"], types["stars"]) == ("VARCHAR[]", "VARCHAR", "TINYINT")


# --- the card ---------------------------------------------------------------------------------------

_DTYPES = {
    "string": pa.string(), "int8": pa.int8(), "int32": pa.int32(), "int64": pa.int64(), "bool": pa.bool_(),
    "float64": pa.float64(),
}  # fmt: skip


def dtype(feature: Row) -> pa.DataType:
    return pa.list_(_DTYPES[feature["list"]]) if "list" in feature else _DTYPES[feature["dtype"]]


def test_the_front_matter_says_what_is_there(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--set-title", 'A: "small" set', "--licence", "CC0 1.0")
    head = front_matter(out)
    assert (head["pretty_name"], head["license"], head["language"]) == ('A: "small" set', "cc0-1.0", ["en"])
    assert head["size_categories"] == ["n<1K"]
    infos = {info["config_name"]: info for info in head["dataset_info"]}
    assert [config["config_name"] for config in head["configs"]] == ["all", "mate1", "mate3"] == list(infos)
    assert [config.get("default", False) for config in head["configs"]] == [True, False, False]
    for config in head["configs"]:
        (data,) = config["data_files"]
        named = sorted(out.glob(data["path"]))
        info = infos[config["config_name"]]
        (split,) = info["splits"]
        assert named
        assert split["name"] == data["split"] == "train"
        assert split["num_examples"] == sum(pq.ParquetFile(path).metadata.num_rows for path in named)
        assert info["download_size"] == sum(path.stat().st_size for path in named)
        assert pa.schema([(one["name"], dtype(one)) for one in info["features"]]).equals(SCHEMA)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_card_explains_every_column_and_word(tsume: Run, store: Path, out: Path, language: str) -> None:
    with Store.open(store) as opened:
        opened.edit([1], NotebookEdit(author="無名 | <b>"))
    make(tsume, store, out, "--lang", language)
    card = (out / "README.md").read_text(encoding="utf-8")
    assert front_matter(out)["language"] == [language]
    body = card.split("---\n", 2)[2]
    assert [column.name for column in COLUMNS if f"| `{column.name}` |" not in body] == []
    told = {row_word for row in rows(out) for row_word in (*row["themes"], *row["blemishes"], *row["remarks"])}
    assert [word for word in told if f"| `{word}` |" not in body] == []
    assert "無名 \\| \\<b\\>" in body
    assert f"| 1 | 3 | {__version__} | {GENERATOR_VERSION} | 3 |" in body
    runs = [json.loads(line) for line in (out / "runs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(run["seed"], run["moves"], run["problems"]) for run in runs] == [("1", 1, 3), ("1", 3, 3)]
    assert all("wishes" in run["options"] for run in runs)


def test_the_language_of_the_card_and_terms_that_are_a_name_a_text_or_unknown(
    tsume: Run, made: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"{out}: without --licence, no terms of use are stated" in make(tsume, made, out)
    assert (front_matter(out)["license"], front_matter(out)["language"]) == ("unknown", ["en"])
    monkeypatch.setenv("TSUME_LANG", "ja")
    for name in ("cc-by-sa-4.0", "CC BY-SA 4.0"):
        make(tsume, made, out, "--licence", name)
        assert (front_matter(out)["license"], front_matter(out)["language"]) == ("cc-by-sa-4.0", ["ja"])
        assert not (out / "LICENSE").exists()
    (tmp_path / "terms.txt").write_text("\ufeff自由にどうぞ\n", encoding="utf-8")
    make(tsume, made, out, "--licence", tmp_path / "terms.txt")
    head = front_matter(out)
    assert (head["license"], head["license_link"]) == ("other", "LICENSE")
    assert (out / "LICENSE").read_text(encoding="utf-8") == "自由にどうぞ\n"


# --- the folder -------------------------------------------------------------------------------------


def test_the_same_store_gives_the_same_bytes(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out)
    first = files(out)
    (out / ".git").mkdir()
    (out / ".git" / "HEAD").write_text("x")
    make(tsume, made, out)
    assert files(out) == {**first, ".git/HEAD": b"x"}
    assert [path.name for path in out.parent.iterdir()] == ["set"]
    done = tsume("export", "--format", "parquet", "--db", made, "-o", out, "--licence", "mit")
    size = sum(map(len, files(out).values())) - (out / ".tsume-dataset").stat().st_size
    assert (done.stdout, done.stderr) == (f"{out}: 6 problems, {size / 1e6:.1f} MB\n", "")


def refusals(out: Path) -> Iterator[tuple[list[object], int, str]]:
    yield [], 2, "give -o FOLDER"
    yield ["-o", "-"], 2, "give -o FOLDER"
    yield ["-o", out, "--variations"], 2, "not for parquet"
    yield ["-o", out, "--encoding", "utf-8"], 2, "not for parquet"
    yield ["-o", out, "-m", 99], 1, "no problems"
    yield ["-o", out / "none" / "set"], 1, "No such file or directory"
    yield ["-o", out.parent / "file"], 1, "Not a directory"
    yield ["-o", out.parent / "other"], 1, "is not empty and not a data set made by tsume"
    yield ["-o", out, "--licence", "none.txt"], 2, "No such file or directory"


def test_what_cannot_be_is_refused(tsume: Run, made: Path, out: Path) -> None:
    (out.parent / "file").touch()
    (out.parent / "other").mkdir()
    (out.parent / "other" / "mine").touch()
    for options, status, error in refusals(out):
        done = tsume("export", "--format", "parquet", "--db", made, *options)
        assert (done.exit_code, done.stdout) == (status, "")
        assert error in done.stderr.splitlines()[-1]
        assert not out.exists()
    assert sorted(path.name for path in out.parent.iterdir()) == ["file", "other"]
    for option in ("--licence", "--set-title"):
        done = tsume("export", "--format", "csv", "--db", made, option, "x", status=2)


def test_a_failure_changes_nothing(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tsume, made, out)
    before = files(out)

    def failing(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", failing)
    done = tsume("export", "--format", "parquet", "--db", made, "-o", out)
    assert (done.exit_code, done.stderr) == (1, f"Error: {out}: No space left on device\n")
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["set"]


def test_a_value_that_no_column_holds_and_a_missing_extra_are_errors(
    tsume: Run, made: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd, one = tmp_path / "odd.db", problem(1)
    with Store.open(odd) as store:
        store.add(replace(one, judgement=replace(one.judgement, length=2**31)))
    line = refused(tsume, "export", "--format", "parquet", "--db", odd, "-o", out)
    assert line.startswith(f"Error: {odd}: ")
    assert not out.exists()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    line = refused(tsume, "export", "--format", "parquet", "--db", made, "-o", out)
    assert line == "Error: pyarrow is not installed: pip install 'tsume-shogi[parquet]' (or pyarrow alone)"
