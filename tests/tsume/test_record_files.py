# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of any format, given to the commands with -f: lines, titles, ids, faults."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, NO_MATE
from tsume.files.inputs import Entry, PositionInputs
from tsume.formats.csa import write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.kif import read_kif, write_ki2, write_kif
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
def test_every_format_gives_position_line_and_title(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(TEXTS[name])
    (entry,) = entries(tmp_path / name)
    assert entry.parsed is not None, entry.error
    assert (entry.parsed.position, entry.line, entry.title) == (RECORD.position, LINE, "馬鋸")
    assert entry.id == (7 if name in ("in", "in.csv") else None)
    assert "馬鋸" in entry.place


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{CORRECT} moves {' '.join(CORRECT_LINE)}", LINE),
        (f"sfen {CORRECT} moves {' '.join(CORRECT_LINE)}", LINE),
        (f"{CORRECT_WHITE} moves {' '.join(CORRECT_WHITE_LINE)}", LINE),
        ("position startpos moves 7g7f", ()),
        (CORRECT, ()),
    ],
)
def test_the_line_is_in_the_attackers_orientation(
    text: str, line: tuple[object, ...], tmp_path: Path
) -> None:
    (tmp_path / "in.usi").write_text(text)
    (entry,) = entries(tmp_path / "in.usi")
    assert entry.line == line


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
    done = tsume("solve", "-f", tmp_path / "in.kif")
    assert done.exit_code == 1
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


@pytest.mark.parametrize("output", ["file/", "n" * 300 + "/", "n" * 300, ""])
def test_a_place_that_cannot_be_written_is_an_error(
    output: str, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    done = tsume("explain", CORRECT, "--format=kif", "-o", output)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
