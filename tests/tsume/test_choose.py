# SPDX-License-Identifier: GPL-3.0-or-later
"""choose: the best problems of a store, listed or written to a new one."""

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from db.notebook import Notebook, NotebookEdit
from db.problem_rows import ProblemAddition
from db.runs import RunState
from db.store import Store
from generator.problem import Problem, Provenance
from generator.themes import find_themes
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Defect, Difficulty, Grade, Judgement
from solver.solving.tree import TreeBuilder
from tests.db.samples import change_file
from tests.places import COMPOSED
from tests.tsume.conftest import Run, json_lines, problems_of
from tests.tsume.problems import CORRECT, NO_MATE
from tsume_rules.moves import Move
from tsume_rules.packed import pack, unpack_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

_EACH = 45
"""The file has so many problems of 5 moves, then of 7."""
LENGTHS = {5: 30, 7: 20}
"""How many problems of each length there are."""


@cache
def problems() -> list[Problem]:
    """Composed problems with their main lines."""
    lines = COMPOSED.read_text(encoding="utf-8").splitlines()
    sfens, builder = [line for line in lines if line[0] != "#"], TreeBuilder(DfPnEngine(table_bits=16))
    found: list[Problem] = []
    for length, number in LENGTHS.items():
        first = _EACH * (length - 5) // 2
        for sfen in sfens[first : first + number]:
            position = parse_sfen(sfen).position
            line = tuple(map(unpack_move, builder.line(pack(position), length)))
            found.append(problem(length, position, line, len(found)))
    return found


def problem(length: int, position: Position, line: tuple[Move, ...], number: int) -> Problem:
    rng = random.Random(number)
    judgement = Judgement(Defect.NONE, length=length, line=line, grade=Grade.PERFECT)
    difficulty = Difficulty({"resistance": rng.uniform(5, 15)}, round(10 * length + rng.uniform(0, 9), 2))
    made = Provenance(7, number, "0.1.0", recipe=1)
    return Problem(position, judgement, difficulty, made, find_themes(position, line), rng.uniform(20, 70))


def filled(path: Path, items: list[Problem]) -> Path:
    """A store with problems of one run."""
    with Store.open(path) as store:
        run = store.runs.start(seed=7, moves=3, count=9, version="0.1.0", recipe=1, options={})
        store.add_all([ProblemAddition(one, run_id=run.id) for one in items])
    return path


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 50 problems; do not write to it."""
    return filled(tmp_path_factory.mktemp("pool") / "pool.db", problems())


def chosen(tsume: Run, place: Path, *options: Any) -> list[dict[str, Any]]:
    return json_lines(tsume("choose", "--db", place, "--jsonl", *options, status=0))


# --- what is chosen --------------------------------------------------------------------------


def test_lengths_levels_and_selected_problems(tsume: Run, pool: Path) -> None:
    rows = chosen(tsume, pool, "-n", "7:4", "-n", "5:6")
    assert [row["length"] for row in rows] == [5] * 6 + [7] * 4
    assert all(one["score"] <= other["score"] for one, other in pairwise(rows))
    assert rows == chosen(tsume, pool, "-n", "5:6", "-n", "7:4")
    assert [row["sfen"] for row in rows[:6]] == [row["sfen"] for row in chosen(tsume, pool, "-n6", "-m5")]
    rows = chosen(tsume, pool, "-n", "5:6", "--levels", "1,2")
    assert Counter(row["level"] for row in rows) == {1: 2, 2: 4}
    done = tsume("choose", "--db", pool, "-n", "5:6", "--levels", "3")
    assert "5 moves: 6 chosen from 30" in done.stderr
    assert "; difficulty: " in done.stderr
    assert {row["quality"] >= 45 for row in chosen(tsume, pool, "-n5", "--min-quality", "45")} == {True}
    best = chosen(tsume, pool, "-n5", "--limit", "5", "--sort", "quality")
    listed = tsume("list", "--db", pool, "--jsonl", "--limit", "5", "--sort", "quality").stdout
    assert {row["id"] for row in best} == {json.loads(line)["id"] for line in listed.splitlines()}
    done = tsume("choose", "--db", pool, "-n", "2", "--lang", "ja")
    assert len(done.stdout.splitlines()) == 3
    assert "50題から2題を選びました" in done.stderr
    done = tsume("choose", "--db", pool, "-n", "7:100", "--jsonl", status=0)
    assert "of 100 are missing" in done.stderr
    assert 10 < len(done.stdout.splitlines()) <= 20


def test_the_order_of_a_store_makes_no_difference(tsume: Run, pool: Path, tmp_path: Path) -> None:
    shuffled = problems().copy()
    random.Random(1).shuffle(shuffled)
    other = filled(tmp_path / "other.db", shuffled)
    options = ("-n", "5:8", "-n", "7:8", "--levels", "4")
    one, two = (chosen(tsume, place, *options) for place in (pool, other))
    assert [row["sfen"] for row in one] == [row["sfen"] for row in two]
    assert [row["id"] for row in one] != [row["id"] for row in two]


def test_alike_and_known_problems_are_left_out(tsume: Run, tmp_path: Path, pool: Path) -> None:
    place = tmp_path / "a.db"
    tsume("import", CORRECT, "9/8k/6+S2/6G2/9/7P1/9/9/9 b 2r2b3g3s4n4l17p 1", "--db", place)
    done = tsume("choose", "--db", place, "-n", "2", status=0)
    assert "1 chosen from 2; 1 left out as alike (" in done.stderr
    assert "any length: 1 of 2 are missing: no other problem is left" in done.stderr
    first = chosen(tsume, pool, "-n", "5:5")
    known = tmp_path / "known.sfen"
    known.write_text("".join(f"{row['sfen']}\n" for row in first))
    done = tsume("choose", "--db", pool, "-n", "5:5", "--jsonl", "--known", known)
    second = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(second) == 5
    assert not {row["sfen"] for row in first} & {row["sfen"] for row in second}
    assert " left out as known" in done.stderr
    known.write_text(f"{NO_MATE}\n")
    assert len(chosen(tsume, pool, "-n", "3", "--known", known)) == 3


# --- a new store -----------------------------------------------------------------------------


def test_a_new_store_has_all_of_a_problem(tsume: Run, tmp_path: Path) -> None:
    place, out = tmp_path / "a.db", tmp_path / "out.db"
    filled(place, problems())
    ids = [row["id"] for row in chosen(tsume, place, "-n", "5:6")]
    with Store.open(place) as store:
        store.edit(ids[:1], NotebookEdit(title="盃", notes="a", tags=("book",)))
        store.edit(ids[1:2], NotebookEdit(parent=ids[0], moves=True))
        unchosen = next(number for number in range(1, 20) if number not in ids)
        store.edit(ids[2:3], NotebookEdit(parent=unchosen, moves=True))
        wanted = store.problems_of_ids(ids)
    done = tsume("choose", "--db", place, "-n", "5:6", "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"6 problems written to {out}" in done.stderr
    with Store.open(out, create=False) as store:
        found = list(store.find())
        (run,) = store.runs.all()
    assert [one.id for one in found] == [1, 2, 3, 4, 5, 6]
    assert run.state is RunState.MERGED
    for one, other in zip(found, wanted, strict=True):
        assert one.problem == other.problem
        assert one.run_id == run.id
        assert replace(one.notebook, parent=None) == replace(other.notebook, parent=None)
    assert [one.notebook.parent for one in found] == [None, 1, None, None, None, None]
    assert found[0].notebook == Notebook(title="盃", notes="a", tags=("book",))
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out.db"]


def test_a_store_that_is_there_is_not_written_to(tsume: Run, pool: Path, tmp_path: Path) -> None:
    out = filled(tmp_path / "out.db", problems()[:1])
    done = tsume("choose", "--db", pool, "-n", "3", "--out", out, status=1)
    assert "exists" in done.stderr
    assert len(problems_of(out)) == 1


def test_an_interruption_leaves_no_store(
    tsume: Run, pool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tsume.commands.choose.copy_problems", interrupted)
    done = tsume("choose", "--db", pool, "-n", "3", "--out", tmp_path / "out.db", status=130)
    assert "interrupted; nothing was written" in done.stderr
    assert list(tmp_path.iterdir()) == []


# --- mistakes --------------------------------------------------------------------------------


def test_options_that_are_refused(tsume: Run, pool: Path) -> None:
    for options in (
        "-n 0", "-n x", "-n 3:", "-n :3", "-n 0:3", "-n 3:4:5", "-n -1", "-n 3:4 -n 3:5", "-n 3:4 -n 5",
        "-n 3:4 -m 3", "-n 3 --levels 0", "-n 3 --levels 101", "-n 3 --levels 1,x", "-n 3 --levels 0,0",
        "-n 3 --levels=", "-n 3 --jsonl --out a.db", "-n 3 --out -", "-n 3 --out=", "-n 3 --out :memory:",
        "-n 3 --out postgresql://a/b", "-n 3 --keep-near", "",
    ):  # fmt: skip
        assert tsume("choose", "--db", pool, *options.split()).exit_code == 2, options


def test_nothing_to_choose_from_and_a_problem_without_a_line(tsume: Run, pool: Path, tmp_path: Path) -> None:
    Store.open(tmp_path / "empty.db").close()
    for done in (
        tsume("choose", "--db", tmp_path / "empty.db", "-n", "3"),
        tsume("choose", "--db", pool, "-n", "3", "-m", "9"),
    ):
        assert done.exit_code == 1
        assert "no problem to choose from" in done.stderr
    assert tsume("choose", "--db", tmp_path / "missing.db", "-n", "3").exit_code == 1
    place = filled(tmp_path / "a.db", problems()[:3])
    change_file(place, "UPDATE problems SET line = '' WHERE id = 2")
    done = tsume("choose", "--db", place, "-n", "2", status=1)
    assert "problem 2 cannot be read: no line" in done.stderr
