# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of each format as input, and `--per-file`: results beside each file"""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tsume.conftest import Run
from tests.tsume.formats.trees import read_kif
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, NO_MATE
from tsume import library
from tsume.commands import answering
from tsume.commands.answering import HINT
from tsume.commands.check import _JudgementAnswerer
from tsume.files.inputs import Entry, PositionInputs
from tsume.files.writing import FileError
from tsume.formats.csa import write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.kif import find_kif, write_ki2, write_kif
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen

LINE = tuple(map(parse_move, CORRECT_LINE))
RECORD = GameRecord(parse_sfen(CORRECT).position, LINE, "馬鋸")
TEXTS = {
    "in.kif": write_kif(RECORD).encode("cp932"),
    "in.kifu": write_kif(RECORD).encode(),
    "in.ki2": write_ki2(RECORD).encode("euc_jp"),
    "in.txt": write_kif(RECORD).encode("utf-16"),
    "in.csa": write_csa(RECORD).encode("cp932"),
    "in.jkf": write_jkf(RECORD).encode(),
    "in.json": json.dumps(json.loads(write_jkf(RECORD)), indent=1).encode(),
    "in.csv": f"id,title,sfen,line\n7,馬鋸,{CORRECT},{' '.join(CORRECT_LINE)}\n".encode("utf-8-sig"),
    "in": (json.dumps({"id": 7, "title": "馬鋸", "sfen": CORRECT, "line": CORRECT_LINE}) + "\n").encode(),
}


def entries(path: Path) -> list[Entry]:
    return list(PositionInputs((), (str(path),)))


@pytest.mark.parametrize("name", TEXTS)
def test_every_format_gives_position_line_and_title(name: str, tsume: Run, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(TEXTS[name])
    (entry,) = entries(tmp_path / name)
    assert entry.parsed is not None, entry.error
    assert (entry.parsed.position, entry.line, entry.title) == (RECORD.position, LINE, "馬鋸")
    assert entry.id == (7 if name in ("in", "in.csv") else None)
    assert "馬鋸" in entry.place
    assert tsume("check", tmp_path / name, "--per-file").exit_code == 0
    assert (tmp_path / f"{name}.check.txt").is_file()


def test_the_line_is_in_the_attackers_orientation(tmp_path: Path) -> None:
    for text, line in (
        (f"{CORRECT} moves {' '.join(CORRECT_LINE)}", LINE),
        (f"sfen {CORRECT} moves {' '.join(CORRECT_LINE)}", LINE),
        (f"{CORRECT_WHITE} moves {' '.join(CORRECT_WHITE_LINE)}", LINE),
        ("position startpos moves 7g7f", ()),
        (CORRECT, ()),
    ):
        (tmp_path / "in.usi").write_text(text)
        (entry,) = entries(tmp_path / "in.usi")
        assert entry.line == line, text


def test_names_come_back(tsume: Run, tmp_path: Path) -> None:
    lines = [{"id": "a-1", "sfen": CORRECT}, {"id": 5, "title": "無題", "sfen": NO_MATE}, {"sfen": CORRECT}]
    (tmp_path / "in").write_text("\n".join(map(json.dumps, [*lines, {"id": 6, "sfen": "x"}])))
    for command in ("solve", "check", "explain", "tree", "score"):
        done = tsume(command, "--jsonl", "-f", tmp_path / "in")
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one.get("id") for one in told] == ["a-1", 5, None, 6]
        assert [one.get("title") for one in told] == [None, "無題", None, None]
        assert f"{tmp_path / 'in'}, line 4 (id 6): " in done.stderr


def test_a_faulty_diagram_is_told_and_the_others_are_answered(tsume: Run, tmp_path: Path) -> None:
    good = write_kif(RECORD)
    bad = write_kif(replace(RECORD, title="疵\x1b[31m")).replace("v玉", "v銅")
    (tmp_path / "in.kif").write_bytes("\n".join([good, bad, good]).encode("cp932"))
    done = tsume("solve", "-f", tmp_path / "in.kif", status=1)
    assert done.stdout.count("mate in 3: ") == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{tmp_path / 'in.kif'}, problem 2 ('疵\\x1b[31m'): line ")
    assert "invalid piece: '銅'" in line


@pytest.mark.parametrize("form", ["kif", "ki2", "jkf"])
def test_an_explanation_can_be_a_file(form: str, tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "in.kif").write_bytes(TEXTS["in.kif"])
    done = tsume("explain", "-f", tmp_path / "in.kif", "--format", form, "-o", tmp_path / f"out.{form}")
    assert (done.exit_code, done.output) == (0, "")
    (entry,) = entries(tmp_path / f"out.{form}")
    assert (entry.title, entry.line) == ("馬鋸", LINE)
    assert entry.record is not None
    assert entry.record.branches
    assert dict(entry.record.headers)["完全性"] == "完全作"


def test_explanations_of_several_positions_go_to_a_folder(tsume: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"id": "first", "sfen": CORRECT}), CORRECT_WHITE]
    (tmp_path / "in").write_text("\n".join(lines))
    assert tsume("explain", "-f", tmp_path / "in", "--format=kif", "-o", f"{tmp_path}/out/").exit_code == 0
    read = {file.name: read_kif(file.read_bytes().decode("cp932")) for file in (tmp_path / "out").iterdir()}
    assert read == {"first.kif": [(RECORD.position, LINE)], "2.kif": [(RECORD.position, LINE)]}
    assert format_sfen(RECORD.position, rotated=True) == CORRECT_WHITE
    assert tsume("explain", "-f", tmp_path / "in", "--format=kif").exit_code == 1
    assert tsume("explain", CORRECT, "-o", tmp_path / "x").exit_code == 2
    assert tsume("explain", CORRECT, "--format=kif", "--jsonl").exit_code == 2


def test_a_place_that_is_none(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for output in ("file/", "n" * 300 + "/", "n" * 300, ""):
        done = tsume("explain", CORRECT, "--format=kif", "-o", output, status=1)
        (line,) = done.stderr.splitlines()
        assert line.startswith("Error: ")


def kif(sfen: str = CORRECT, title: str = "") -> str:
    return library.record(sfen, title=title)


def written(folder: Path, kind: str = "check") -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(f"*.{kind}.*")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and bad files, in both encodings, with names that need care."""
    place = tmp_path / "原稿 (2)"
    (place / "sub folder").mkdir(parents=True)
    (place / "馬鋸 一.kif").write_bytes(kif(title="馬鋸").encode("cp932"))
    (place / "2.kifu").write_bytes(b"\xef\xbb\xbf" + kif(COOKED).encode())
    (place / "10.kif").write_bytes(b"\xff\xfe\xfa nonsense")
    (place / "empty.sfen").write_text("")
    (place / "sub folder" / "three.sfen").write_text(f"{CORRECT}\nnonsense\n{NO_MATE}\n")
    (place / "notes.txt").write_text("nothing to read")
    return place


RESULTS = {
    "馬鋸 一.kif.check.txt", "2.kifu.check.txt", "10.kif.check.txt", "empty.sfen.check.txt",
    "sub folder/three.sfen.check.txt",
}  # fmt: skip


def test_each_file_has_its_results_beside_it(folder: Path, tsume: Run) -> None:
    done = tsume("check", folder, "--per-file")
    assert written(folder) == RESULTS
    assert done.stdout == ""
    *complaints, summary = done.stderr.splitlines()
    assert summary == "result files written: 5 (2 perfect, 2 unsound, 3 unreadable)"
    assert [line.split(":")[0].split(",")[0].rsplit("/", 1)[-1] for line in complaints] == [
        "10.kif", "empty.sfen", "three.sfen",
    ]  # fmt: skip
    assert done.exit_code == 1
    tsume("check", folder, "--per-file")
    for name in ("馬鋸 一.kif", "2.kifu"):
        results = (folder / f"{name}.check.txt").read_text(encoding="utf-8")
        assert results == tsume("check", folder / name).stdout
    one, two, three = (folder / "sub folder/three.sfen.check.txt").read_text(encoding="utf-8").split("\n\n")
    place = f"{folder / 'sub folder' / 'three.sfen'}, line"
    assert one == f"{place} 1:\n{tsume('check', CORRECT).stdout.rstrip()}"
    assert two.startswith(f"{place} 2: SFEN needs board")
    assert three.rstrip() == f"{place} 3:\n{tsume('check', NO_MATE).stdout.rstrip()}"
    tsume("check", folder, "--per-file")
    assert "neither UTF-8 nor Shift_JIS" in (folder / "10.kif.check.txt").read_text()
    assert (folder / "empty.sfen.check.txt").read_text().endswith("there is no position in it\n")
    tsume("explain", folder, "--per-file", "--format=kif")
    told = (folder / "10.kif.explain.kif").read_bytes().decode("cp932")
    assert told.startswith("# ")
    assert "neither UTF-8 nor Shift_JIS" in told
    tsume("explain", folder, "--per-file", "--format=jkf")
    fields = json.loads((folder / "10.kif.explain.jkf").read_text())
    assert "neither UTF-8 nor Shift_JIS" in fields["moves"][0]["comments"][0]


def test_results_in_json_have_a_line_for_each_position(folder: Path, tsume: Run) -> None:
    tsume("check", folder, "--per-file", "--jsonl")
    assert written(folder) == {name.replace(".txt", ".jsonl") for name in RESULTS}
    lines = (folder / "sub folder/three.sfen.check.jsonl").read_text().splitlines()
    assert [json.loads(line)["sfen"] for line in lines] == [CORRECT, "nonsense", NO_MATE]
    (line,) = (folder / "10.kif.check.jsonl").read_text().splitlines()
    assert "neither UTF-8" in json.loads(line)["error"]


def test_results_are_no_manuscripts(folder: Path, tsume: Run) -> None:
    for words in (("check", "--jsonl"), ("check",), ("explain", "--format=kif"), ("explain", "--jsonl")):
        done = tsume(words[0], folder, "--per-file", "--lang=en", *words[1:])
        assert "files written: 5 (" in done.stderr
    assert len(written(folder)) == len(written(folder, "explain")) == 10
    assert tsume("check", folder, "--jsonl").stdout.count("\n") == 6


def test_what_is_done_is_skipped(folder: Path, tsume: Run) -> None:
    tsume("check", folder, "--per-file")
    kept = folder / "馬鋸 一.kif.check.txt"
    kept.write_text("my notes")
    done = tsume("check", folder, "--per-file")
    assert done.stderr == "files skipped: 5 (their results are newer; --force answers them again)\n"
    assert (done.exit_code, kept.read_text()) == (0, "my notes")
    newer = kept.stat().st_mtime_ns + 10**9
    os.utime(folder / "馬鋸 一.kif", ns=(newer, newer))
    done = tsume("check", folder, "--per-file")
    assert "files written: 1 (1 perfect); files skipped: 4" in done.stderr
    assert kept.read_text() != "my notes"
    assert "files written: 5 (" in tsume("check", folder, "--per-file", "--force").stderr


def test_a_changed_manuscript(folder: Path, tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place, answer = folder / "2.kifu", _JudgementAnswerer.__call__

    def answer_late(self: _JudgementAnswerer, entry: Entry) -> Any:
        newer = place.stat().st_mtime_ns + 1000
        os.utime(place, ns=(newer, newer))
        return answer(self, entry)

    monkeypatch.setattr(_JudgementAnswerer, "__call__", answer_late)
    tsume("check", place, "--per-file")
    assert "files written: 1" in tsume("check", place, "--per-file").stderr


def test_an_interrupted_batch_continues(folder: Path, tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, seen = _JudgementAnswerer.__call__, []

    def interrupted(self: _JudgementAnswerer, entry: Entry) -> Any:
        seen.append(entry)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return answer(self, entry)

    monkeypatch.setattr(_JudgementAnswerer, "__call__", interrupted)
    done = tsume("check", folder, "--per-file", "-j1", status=130)
    assert done.stderr.endswith(f"; {HINT}\n")
    kept = written(folder)
    assert kept
    assert kept < RESULTS
    assert not list(folder.rglob(".*"))
    monkeypatch.undo()
    assert f"files written: {5 - len(kept)} (" in tsume("check", folder, "--per-file").stderr
    assert written(folder) == RESULTS


@pytest.mark.parametrize("words", [("check",), ("explain", "--format=kif", "--lang=en")])
def test_results_elsewhere(words: tuple[str, ...], folder: Path, tsume: Run, tmp_path: Path) -> None:
    out = tmp_path / "results" / "new"
    tsume(*words, folder, "--per-file", "-o", out)
    assert {path.name for path in out.iterdir() if path.is_dir()} == {"sub folder"}
    assert len(written(out, words[0])) == 5
    assert written(folder, words[0]) == set()


def test_the_number_of_processes_makes_no_difference(folder: Path, tsume: Run, tmp_path: Path) -> None:
    told = [tsume("check", folder, "--per-file", f"-j{jobs}", "-o", tmp_path / str(jobs)).stderr for jobs in (1, 2)]
    assert told[0].splitlines()[-1] == told[1].splitlines()[-1]
    for name in RESULTS:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_explanations_are_records_of_one_position_with_variations(folder: Path, tsume: Run) -> None:
    tsume("explain", folder / "馬鋸 一.kif", "--per-file", "--format=kif")
    (found,) = find_kif((folder / "馬鋸 一.kif.explain.kif").read_bytes().decode("cp932"))
    assert found.record is not None
    assert found.record.branches
    assert found.title == "馬鋸"
    done = tsume("explain", folder / "sub folder", "--per-file", "--format=kif", "--lang=en")
    fault = "three.sfen: 3 positions, but a KIF file holds one"
    assert fault in done.stderr
    assert fault in (folder / "sub folder/three.sfen.explain.kif").read_text(encoding="cp932")
    assert "files written: 1 (3 not written)" in done.stderr
    assert done.exit_code == 1


def test_folders_are_read_without_those_in_them(folder: Path, tsume: Run) -> None:
    tsume("check", folder, "--per-file", "--no-recursive")
    assert written(folder) == RESULTS - {"sub folder/three.sfen.check.txt"}
    assert tsume("check", folder, "--no-recursive", "--jsonl").stdout.count("\n") == 3


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_to_files_are_read_those_to_folders_are_not(folder: Path, tsume: Run, tmp_path: Path) -> None:
    linking = tmp_path / "linking"
    linking.mkdir()
    (linking / "one.kif").symlink_to(folder / "馬鋸 一.kif")
    (linking / "gone.kif").symlink_to(folder / "absent.kif")
    (linking / "others").symlink_to(folder)
    assert tsume("check", linking, "--per-file").exit_code == 0
    assert written(linking) == {"one.kif.check.txt"}
    assert written(folder) == set()


def test_an_empty_folder_and_what_the_encoding_lacks_are_named(tmp_path: Path, tsume: Run) -> None:
    done = tsume("check", tmp_path, "--per-file", status=1)
    assert done.stderr.startswith(f"Error: {tmp_path}: a folder without problem files (.kif,")
    assert done.stderr.count("\n") == 1
    (tmp_path / "a.kifu").write_text(kif(title="😀"), encoding="utf-8")
    (tmp_path / "b.kifu").write_text(kif(), encoding="utf-8")
    done = tsume("explain", tmp_path, "--per-file", "--format=kif")
    assert "use --encoding utf-8" in done.stderr
    assert written(tmp_path, "explain") == {"a.kifu.explain.kif", "b.kifu.explain.kif"}
    assert done.exit_code == 1
    assert tsume("explain", tmp_path, "--per-file", "--format=kif", "--encoding=utf-8").exit_code == 0


def test_a_full_disk_and_missing_rights(folder: Path, tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _data: bytes) -> None:
        raise FileError(f"{path}: No space left on device")

    monkeypatch.setattr(answering, "write_file", full)
    done = tsume("check", folder / "2.kifu", "--per-file")
    assert done.stderr == f"Error: {folder / '2.kifu'}.check.txt: No space left on device\n"
    monkeypatch.setattr(os, "access", lambda *_: False)  # as the administrator may write
    done = tsume("check", folder, "--per-file")
    assert done.stderr == f"Error: {folder}: Permission denied; -o FOLDER writes the results elsewhere\n"
    assert (done.exit_code, written(folder)) == (1, set())


def test_two_results_in_one_place_are_refused(folder: Path, tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "2.kifu").write_text(kif())
    done = tsume("check", folder / "2.kifu", tmp_path / "other", "--per-file", "-o", tmp_path / "out")
    assert "would have their results in one file" in done.stderr
    assert "files written: 1" in tsume("check", folder / "2.kifu", folder / "2.kifu", "--per-file").stderr


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("check", CORRECT, "--per-file"), "--per-file needs files or folders: "),
        (("check", "-f", "-", "--per-file"), "--per-file needs files or folders: '-' is neither"),
        (("check", "-f", "absent.kif", "--per-file"), "'absent.kif' is neither"),
        (("check", "--per-file"), "--per-file needs files or folders"),
        (("check", CORRECT, "--force"), "--force needs --per-file"),
        (("check", CORRECT, "-o", "out"), "-o needs --per-file"),
        (("check", ".", "--per-file", "--skip=1"), "--skip and --per-file exclude each other"),
        (("explain", ".", "--per-file", "-o", "-"), "--per-file needs a folder for -o"),
        (("explain", ".", "--per-file", "--encoding=utf-8"), "need --format"),
    ],
)
def test_options_that_do_not_go_together(words: tuple[str, ...], fault: str, tsume: Run) -> None:
    done = tsume(*words, status=2)
    assert fault in done.stderr


@pytest.mark.parametrize(("words", "summary"), [
    (("check", "--lang=ja"), "結果を書いたファイル: 2（完全作 1、不完全作 1）"),
    (("check",), "result files written: 2 (1 perfect, 1 unsound)"),
    (("explain", "--lang=ja"), "結果を書いたファイル: 2（解説済み 2）"),
    (("explain", "--lang=both"), "result files written: 2 (2 explained)"),
])  # fmt: skip
def test_the_language_of_summaries(words: tuple[str, ...], summary: str, folder: Path, tsume: Run) -> None:
    done = tsume(*words, folder / "馬鋸 一.kif", folder / "2.kifu", "--per-file")
    assert done.stderr == f"{summary}\n"


def test_problems_of_a_folder_are_extended(folder: Path, tsume: Run, tmp_path: Path) -> None:
    (folder / "mate.sfen").write_text("8k/9/8P/9/9/9/9/9/9 b G 1\n")
    tsume("check", folder, "--per-file", "--jsonl")
    done = tsume("generate", "-m3", "-n1", "--seed=1", "--from", folder, "--style=free", "--db", tmp_path / "a.db")
    assert done.exit_code == 0
    assert " moves " in done.stdout
    assert ".check." not in done.stderr
