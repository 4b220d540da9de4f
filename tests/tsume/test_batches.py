# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that answer position by position: the same output for any number of processes, --skip."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from generator.run.processes import started_processes
from tests.sampling import few
from tests.tsume.conftest import Run
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, DROPS, LOOSE, NO_MATE
from tsume.commands import answering
from tsume.commands.answering import PrintedAnswer
from tsume.commands.explain import _ExplanationAnswerer
from tsume.files.inputs import Entry
from tsume.parallel import ordered_map as module

POSITIONS = [
    CORRECT, "nonsense", COOKED, "# a comment", "", LOOSE, NO_MATE, "4k4/4R4/9/9/9/9/9/9/9 b - 1",
    json.dumps({"id": 7, "title": "seven", "sfen": CORRECT_WHITE}), DROPS,
    f"{CORRECT} moves {' '.join(CORRECT_LINE)}", "{", CORRECT,
]  # fmt: skip
COMMANDS = [
    ("solve", "--all-answers"), ("check", "--jsonl"), ("score", "--jsonl"), ("explain", "--lang=both"),
    ("tree", "--jsonl", "--max-turns=9", "--proof-nodes=0"), ("check",),
    ("solve", "--engine=rsearch", "--jsonl"),
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "in.sfen"
    place.write_text("\n".join(POSITIONS))
    return place


def printed(done: Result) -> tuple[str, str, int]:
    """All that a command tells: but for its time and its progress, and what it says of compiling."""
    lines = (line for line in done.stderr.splitlines() if not line.startswith("compiling"))
    stderr = [line for line in lines if not re.match(r"\d+ of \d+ positions", line)]
    return re.sub(r'"seconds": [\d.e-]+', "", done.stdout), "\n".join(stderr), done.exit_code


@pytest.mark.parametrize(("words", "number"), few(
    [(words, 2 if i else 3) for i, words in enumerate(COMMANDS)]
    + [(words, 3 if i else 2) for i, words in enumerate(COMMANDS)], 5
))  # fmt: skip
def test_the_output_is_the_same_for_any_number_of_processes(
    words: tuple[str, ...], number: int, tsume: Run, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "more.sfen").write_text(f"{CORRECT_WHITE}\nnonsense")
    places = [file, "-f", tmp_path / "absent", "-f", tmp_path / "more.sfen"]
    one, other = (printed(tsume(*words, f"-j{jobs}", *places)) for jobs in (1, number))
    assert one == other
    stdout, stderr, status = one
    assert (bool(stdout), status) == (True, 1)
    before, _, after = stderr.partition(f"{tmp_path / 'absent'}: No such file or directory\n")
    assert f"{file}, line 2: " in before
    assert after.startswith(f"{tmp_path / 'more.sfen'}, line 2: ")


@pytest.mark.parametrize(("number", "times"), few([(2, 1), (3, 2), (2, 2)], 1))
def test_imports_by_several_processes(number: int, times: int, tsume: Run, file: Path, tmp_path: Path) -> None:
    told, stored = [], []
    for jobs in (1, number):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        place = folder / "store.db"
        for _ in range(times):  # the second time most of it is already stored
            done = tsume("import", "--jsonl", f"-j{jobs}", file, "--db", place)
            told.append([text.replace(str(folder), "") for text in printed(done)[:2]])
        stored.append(tsume("export", "--db", place, "--format=jsonl").stdout)
    assert told[:times] == told[times:]
    assert stored[0] == stored[1]
    verdicts = [json.loads(line)["verdict"] for line in told[0][0].splitlines()]
    assert set(verdicts) == {"stored", "stored already", "refused", "invalid"}
    assert verdicts[-1] == "stored already"  # it stands twice in the file


@pytest.mark.parametrize("jobs", [(), ("-j2",)])
def test_positions_left_out_change_nothing(jobs: tuple[str, ...], tsume: Run, file: Path) -> None:
    whole = printed(tsume("solve", "--jsonl", "-f", file))
    rest = printed(tsume("solve", "--jsonl", "-f", file, "--skip=3", *jobs))
    assert rest[0].splitlines() == whole[0].splitlines()[3:]
    assert rest[1].splitlines() == whole[1].splitlines()[1:]  # line 2 is nonsense
    assert "line 8" in rest[1]
    assert printed(tsume("solve", "-f", file, "--skip=1000")) == ("", "", 0)


def test_an_unreadable_file_is_told_of_when_its_positions_are_left_out(tsume: Run, tmp_path: Path) -> None:
    done = tsume("solve", "-f", tmp_path / "absent", CORRECT, "--skip=1")
    assert printed(done) == ("", f"{tmp_path / 'absent'}: No such file or directory", 1)


def test_files_of_explanations_keep_their_numbers(tsume: Run, tmp_path: Path) -> None:
    written: list[dict[str, bytes]] = []
    for options in ((), ("-j2",), ("--skip=1",)):
        folder = tmp_path / str(len(written))
        tsume("explain", "--format=kif", "-o", f"{folder}/", *options, CORRECT, "x", COOKED, LOOSE, status=1)
        written.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert written[0] == written[1] == {"1.kif": written[0]["1.kif"], **written[2]}
    assert sorted(written[2]) == ["3.kif", "4.kif"]


def test_many_positions_need_processes(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[int] = []

    def counted(number: int, make: Any) -> Any:
        pools.append(number)
        return started_processes(number, make)

    monkeypatch.setattr("tsume.parallel.ordered_map.started_processes", counted)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(module, "_WORTH", 0.0)
    file = tmp_path / "many.sfen"
    file.write_text(f"{CORRECT}\n" * (module.MANY - 1))
    few = tsume("solve", "-f", file)
    assert pools == []
    file.write_text(f"{CORRECT}\n" * 4 * module.MANY)
    many = tsume("solve", "-f", file)
    assert pools == [2]
    assert many.stdout.splitlines() == 4 * module.MANY * few.stdout.splitlines()[:1]


def test_threads_of_an_engine_are_no_processes(tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "started_processes", fail)
    done = tsume("solve", "--engine=iterative", "-j2", *[CORRECT] * 2)
    assert done.stdout == 2 * f"mate in 3: {' '.join(CORRECT_LINE)}\n"


def test_an_answer_that_was_not_printed_is_not_counted(tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    printed_whole, left = answering.print_answer, 2

    def interrupted(*given: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        printed_whole(*given)

    monkeypatch.setattr(answering, "print_answer", interrupted)
    done = tsume("solve", "-j1", *[CORRECT] * 4)
    line = f"mate in 3: {' '.join(CORRECT_LINE)}\n"
    assert printed(done) == (2 * line, "interrupted after 2 positions; continue with --skip 2", 130)


def test_an_interrupted_explanation(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = _ExplanationAnswerer.__call__

    def interrupted(self: _ExplanationAnswerer, entry: Entry) -> PrintedAnswer:
        if entry.sfen == LOOSE:
            raise KeyboardInterrupt
        return answer(self, entry)

    words = ("explain", "--format=kif", "-j1", "-o")
    tsume(*words, tmp_path / "whole", CORRECT)
    monkeypatch.setattr(_ExplanationAnswerer, "__call__", interrupted)
    done = tsume(*words, tmp_path / "some", CORRECT, LOOSE)
    assert printed(done) == ("", "interrupted after 1 position; continue with --skip 1", 130)
    assert (tmp_path / "some").read_bytes() == (tmp_path / "whole").read_bytes()
    done = tsume(*words, tmp_path / "none", LOOSE)
    assert printed(done) == ("", "interrupted before the first answer", 130)
    assert not (tmp_path / "none").exists()
