"""What generate finds, prints and stores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from db.store import Store
from generator.compose import RootResult
from rules.sfen import parse_sfen
from rules.symmetry import canonical_sfen
from tests.tsume.conftest import Run


def generate(tsume: Run, place: Path | str, *options: Any, status: int = 0) -> list[str]:
    done = tsume("generate", "-m", 3, "--db", place, *options)
    assert done.exit_code == status, done.stderr
    return done.stdout.splitlines()


def test_each_problem_is_printed_and_stored(tsume: Run, tmp_path: Path) -> None:
    printed = [json.loads(line) for line in generate(tsume, tmp_path / "a", "-n3", "--seed=5", "--jsonl")]
    with Store.open(tmp_path / "a") as store:
        stored = list(store.find())
        (run,) = store.runs()
    assert len(printed) == 3
    for shown, problem in zip(printed, stored, strict=True):
        assert problem.provenance is not None
        assert shown == {
            "sfen": problem.sfen, "length": 3, "line": [move.usi for move in problem.line],
            "score": problem.difficulty.score, "stars": problem.difficulty.stars,
            "seed": 5, "index": problem.provenance.index, "id": problem.id,
        }  # fmt: skip
    assert run.ended_at is not None
    assert (run.seed, run.moves, run.count) == (5, 3, 3)
    assert run.candidates > 3


def test_a_seed_gives_the_same_problems_whatever_the_number_of_processes(tsume: Run, tmp_path: Path) -> None:
    alone = generate(tsume, tmp_path / "a", "-n5", "--seed=8")
    assert generate(tsume, tmp_path / "b", "-n5", "--seed=8", "--jobs=2") == alone
    assert generate(tsume, tmp_path / "c", "-n5", "--seed=9") != alone
    assert " moves " in alone[0]


def test_what_is_stored_is_not_found_again(tsume: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert len(generate(tsume, tmp_path / "a", "-n3", "--seed=5")) == 3
    with Store.open(tmp_path / "a") as store:
        problems = {canonical_sfen(parse_sfen(problem.sfen).position) for problem in store.find()}
        rejected = store.stats().rejections
    assert len(problems) == 6
    assert rejected["already found or stored"] >= 3


def test_seeds_may_be_long(tsume: Run, tmp_path: Path) -> None:
    seed = 123456789012345678901234567890
    (line,) = generate(tsume, tmp_path / "a", "-n1", f"--seed={seed}", "--jsonl")
    assert json.loads(line)["seed"] == seed
    assert tsume("show", 1, "--db", tmp_path / "a").exit_code == 0
    generate(tsume, tmp_path / "a", "-n1", "--seed=" + "9" * 101, status=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_time_limit_ends_a_run_with_status_3(jobs: int, tsume: Run, tmp_path: Path) -> None:
    done = tsume("generate", "-m99", "--time-limit=0.5", "--jobs", jobs, "--db", tmp_path / "a")
    assert done.exit_code == 3
    assert done.stderr == "time limit of 0.5 s reached with 0 of 10 problems\n"
    with Store.open(tmp_path / "a") as store:
        assert store.stats().unfinished_runs == 0


def test_an_interrupted_run_keeps_what_it_found(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def root(composer: Any, index: int) -> RootResult:
        if index > 20:
            raise KeyboardInterrupt
        return real(composer, index)

    from generator.compose import Composer

    real = Composer.root
    monkeypatch.setattr(Composer, "root", root)
    done = tsume("generate", "-m1", "-n1000", "--seed=1", "--db", tmp_path / "a")
    assert done.exit_code != 0
    with Store.open(tmp_path / "a") as store:
        assert [p.sfen for p in store.find()] == [s.split(" moves")[0] for s in done.stdout.splitlines()]
        assert store.runs()[0].ended_at is not None
        assert store.stats().problems > 0


@pytest.mark.parametrize(
    "option",
    [
        "-m2", "-m0", "-m-1", "-m101", "-mx", "-n0", "-n-1", "-n" + "9" * 30, "--seed=-1", "--seed=1.5",
        "--jobs=0", "--jobs=257", "--time-limit=0", "--time-limit=-1", "--time-limit=nan", "--nonsense",
    ],
)  # fmt: skip
def test_impossible_options_are_wrong_usage(option: str, tsume: Run, tmp_path: Path) -> None:
    generate(tsume, tmp_path / "a", option, status=2)
    assert not (tmp_path / "a").exists()


def test_what_is_no_store_is_refused(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not ours\n" * 100)
    for place in (tmp_path, tmp_path / "text", tmp_path / "no" / "folder", "/dev/null", "", "foo://bar"):
        done = tsume("generate", "-m1", "--db", place)
        assert done.exit_code == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith("Error: ")
    assert (tmp_path / "text").read_text() == "not ours\n" * 100
