# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/collection`: what it chooses, and that no wrong claim passes."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
from click.testing import CliRunner, Result

from db.store import Store
from scripts.collection import (
    NumberedLine,
    ProblemCheck,
    chosen_collection,
    collection,
    collection_faults,
    has_outside_engine,
    outside_engine_faults,
)
from tsume.collection import (
    PROBLEMS,
    CollectionProblem,
    collection_folder,
    read_collection,
    read_collection_line,
    write_collection,
)

LINES = (collection_folder() / PROBLEMS).read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def check() -> ProblemCheck:
    return ProblemCheck()


def ran(*arguments: Any) -> Result:
    return CliRunner().invoke(collection, [str(one) for one in arguments], catch_exceptions=False)


def changed(text: str, **fields: Any) -> str:
    return json.dumps({**json.loads(text), **fields}, ensure_ascii=False, separators=(",", ":"))


# --- verifying ----------------------------------------------------------------------------


def test_the_claims_about_the_collection_hold() -> None:
    assert list(collection_faults(collection_folder())) == []


@pytest.mark.parametrize("text", [LINES[0], next(line for line in LINES if '"remarks":["VARIATION_COOK"]' in line)])
def test_the_claims_about_a_problem_hold(check: ProblemCheck, text: str) -> None:
    assert check(NumberedLine(1, text)).faults == ()


def test_a_wrong_claim_is_named(check: ProblemCheck) -> None:
    claims = json.loads(LINES[0])
    wrong = (
        ({"score": 1.0}, "score is "), ({"stars": claims["stars"] % 5 + 1}, "not written as"),
        ({"quality": 1.0}, "quality is "), ({"themes": ["decoy", "siege"]}, "themes is "),
        ({"searched": 5}, "searched is "), ({"remarks": ["DETOUR"]}, "remarks is "),
        ({"comment": {"ja": "", "en": "?"}}, "comment is "), ({"grade": "sound"}, "grade is "),
        ({"length": 5}, "not perfect"),
        ({"line": " ".join(claims["line"].split()[:-1])}, "line"),
    )  # fmt: skip
    texts = [(changed(LINES[0], **fields), fault) for fields, fault in wrong]
    texts += [
        (LINES[0].replace(' 1",', ' 3",', 1), "not written as the program writes it"),
        (LINES[0].replace(",", ", ", 1), "not written as the program writes it"),
    ]
    found = [(fault, check(NumberedLine(1, text)).faults) for text, fault in texts]
    assert [(fault, faults) for fault, faults in found if not any(fault in said for said in faults)] == []


@pytest.mark.skipif(not has_outside_engine(), reason="cshogi is not installed")
def test_an_outside_engine_denies_a_wrong_length() -> None:
    problems = (read_collection_line(line, "line").problem for line in LINES)
    problem = next(one for one in problems if one.same_when_counted)
    assert list(outside_engine_faults(problem)) == []
    longer = replace(problem, judgement=replace(problem.judgement, length=5))
    assert list(outside_engine_faults(longer)) == ["cshogi finds a mate in 3"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The first problems of the collection, as a collection."""
    folder = tmp_path / "collection"
    folder.mkdir()
    copy(collection_folder() / "LICENSE", folder)
    return folder


def test_claims_about_the_whole_are_checked(folder: Path) -> None:
    (folder / "LICENSE").write_text("none", encoding="utf-8")
    one, other, *_ = read_collection()
    write_collection(folder, [other, one, CollectionProblem(one.problem, one.version)])
    said = "\n".join(collection_faults(folder))
    for fault in ("LICENSE", "order", "lines 2, 3 are the same", "README.md", "README.ja.md"):
        assert fault in said


def test_verify_exits_with_status_1_at_a_wrong_claim(tmp_path: Path) -> None:
    folder = copytree(collection_folder(), tmp_path / "collection")
    good = ran("--folder", folder, "--verify", "--sample", 1, "-j", 1)
    assert (good.exit_code, good.stdout.splitlines()[-1].endswith("every claim is right")) == (0, True)
    (folder / "README.md").write_text("", encoding="utf-8")
    wrong = ran("--folder", folder, "--verify", "--sample", 1, "-j", 1)
    assert wrong.exit_code == 1
    assert "1 wrong claims" in wrong.stdout
    (folder / PROBLEMS).write_text("", encoding="utf-8")
    assert ran("--folder", folder, "--verify").exit_code == 1


def test_something_must_be_asked_for() -> None:
    assert ran().exit_code == 2


# --- choosing -----------------------------------------------------------------------------


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    path = tmp_path / "pool.db"
    with Store.open(path) as store:
        for one in read_collection()[:6]:
            store.add(one.problem)
    return path


def test_what_is_made_from_stores_has_only_right_claims(folder: Path, pool: Path) -> None:
    done = ran("--folder", folder, "make", pool)
    assert done.exit_code == 0, done.output
    assert len(read_collection(folder)) == 6
    assert list(collection_faults(folder)) == []
    assert "preliminary" in (folder / "README.md").read_text(encoding="utf-8")


def test_what_is_computed_of_the_problems_is_renewed(folder: Path) -> None:
    easy, hard = (read_collection_line(text, "line") for text in (LINES[0], LINES[179]))
    write_collection(folder, [easy, hard])
    right = (folder / PROBLEMS).read_text(encoding="utf-8")
    spoilt = replace(
        hard.problem, themes=("sacrifice",), quality=0.0, difficulty=replace(hard.problem.difficulty, score=0.0)
    )
    write_collection(folder, [replace(hard, problem=spoilt), easy])
    assert ran("--folder", folder, "renew").exit_code == 0
    assert (folder / PROBLEMS).read_text(encoding="utf-8") == right
    assert (folder / "README.ja.md").exists()


def test_published_problems_are_left_out(pool: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.sfen"
    sfens = [json.loads(line)["sfen"] for line in LINES[:2]]
    known.write_text("\n".join(sfens), encoding="utf-8")
    assert len(chosen_collection([pool], [known])) == 4


# --- publishing ---------------------------------------------------------------------------


@pytest.mark.slow
def test_the_files_of_a_release(folder: Path, pool: Path, tmp_path: Path) -> None:
    for name in ("typst", "pikepdf", "genanki", "pyarrow", "jinja2"):
        pytest.importorskip(name)
    ran("--folder", folder, "make", pool)
    done = ran("--folder", folder, "publish", tmp_path / "release")
    assert done.exit_code == 0
    endings = {path.name.partition("tsume-collection-2")[2] for path in (tmp_path / "release").iterdir()}
    assert endings == {
        ".jsonl", ".ja.pdf", ".en.pdf", ".ja.apkg", ".en.apkg", "-site.zip", "-parquet.zip", "-kif.zip",
    }  # fmt: skip
