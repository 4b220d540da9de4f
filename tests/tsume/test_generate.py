# SPDX-License-Identifier: GPL-3.0-or-later
"""What generate finds, prints and stores."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from db.runs import RunState
from db.store import Store
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.run.composer import RootResult
from generator.run.novelty import NOTHING, KnownKeysView
from generator.run.roots import Relaxation
from generator.theme_names import NAMES
from tests.tsume.conftest import Run, present
from tests.tsume.problems import CORRECT, CORRECT_WHITE, NO_MATE
from tsume import progress
from tsume.commands.generate import generate as generate_command
from tsume.commands.options import seconds_until
from tsume.commands.runs import composing_method_line
from tsume.language.catalogue import Voice
from tsume.reports.runs import option_of_constraint
from tsume.uses.composing import nearest_problems
from tsume_rules.position import Side
from tsume_rules.sfen import canonical_sfen, format_sfen, parse_sfen

FIVE = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
MIRRORED = format_sfen(parse_sfen(CORRECT).position.mirrored)

SOUND = ("--grade=sound", "--style=free")


def generate(tsume: Run, place: Path | str, *options: Any, status: int = 0) -> list[str]:
    done = tsume("generate", "-m", 3, "--db", place, *options, status=status)
    return done.stdout.splitlines()


def test_each_problem_is_printed_and_stored(tsume: Run, tmp_path: Path) -> None:
    printed = [json.loads(line) for line in generate(tsume, tmp_path / "a", "-n3", "--seed=11", "--jsonl")]
    with Store.open(tmp_path / "a") as store:
        stored = list(store.find())
        (run,) = store.runs.all()
    assert len(printed) == 3
    for shown, problem in zip(printed, stored, strict=True):
        assert problem.provenance is not None
        assert shown == {
            "sfen": problem.sfen, "length": 3, "line": [move.usi for move in problem.line],
            "score": problem.difficulty.score, **problem.difficulty.scale_fields(3),
            "themes": list(problem.themes), "quality": problem.quality, "grade": "perfect",
            "blemishes": problem.blemishes.blemish_names,
            "seed": 11, "index": problem.provenance.index, "id": problem.id,
        }  # fmt: skip
    assert run.ended_at is not None
    assert (run.seed, run.moves, run.count) == (11, 3, 3)
    assert run.candidates > 3


def test_sound_problems_are_stored_with_their_grade_and_shown(tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    printed = [json.loads(line) for line in generate(tsume, place, "-n8", "--seed=6", *SOUND, "--jsonl")]
    grades = [row["grade"] for row in printed]
    assert {"perfect", "sound"} == set(grades)
    with Store.open(place) as store:
        assert [problem.grade.value for problem in store.find()] == grades
        assert [problem.blemishes.blemish_names for problem in store.find()] == [row["blemishes"] for row in printed]
    sound = [row["id"] for row in printed if row["grade"] == "sound"]
    rows = tsume("list", "--db", place, "--grade=sound", "--jsonl").stdout.splitlines()
    assert [json.loads(row)["id"] for row in rows] == sound
    assert tsume("list", "--db", place).stdout.count("sound") == len(sound)
    assert "grade" not in tsume("list", "--db", place, "--grade=perfect").stdout
    table = tsume("export", "--db", place, "--format=csv", "--grade=sound").stdout
    assert [row["id"] for row in csv.DictReader(io.StringIO(table))] == [str(number) for number in sound]
    numbers = f"({8 - len(sound)} perfect, {len(sound)} sound)"
    assert tsume("stats", "--db", place).stdout.startswith(f"8 problems {numbers}, 1 run, ")
    assert "\nsound: " in tsume("show", sound[0], "--db", place).stdout
    assert "\ngrade: sound\n" in tsume("runs", "show", "1", "--db", place).stdout
    assert tsume("list", "--db", place, "--grade=unsound").exit_code == 2


def test_seeds_processes_and_what_is_stored_already(tsume: Run, tmp_path: Path) -> None:
    alone = generate(tsume, tmp_path / "a", "-n2", "--seed=21")
    assert generate(tsume, tmp_path / "b", "-n2", "--seed=21", "--jobs=2") == alone
    assert generate(tsume, tmp_path / "c", "-n2", "--seed=25") != alone
    assert " moves " in alone[0]
    for _ in range(2):
        assert len(generate(tsume, tmp_path / "a2", "-n2", "--seed=11")) == 2
    with Store.open(tmp_path / "a2") as store:
        problems = {canonical_sfen(parse_sfen(problem.sfen).position) for problem in store.find()}
        rejected = store.stats().rejections
    assert len(problems) == 4
    assert rejected["already found or stored"] >= 2
    seed = 123456789012345678901234567890
    (line,) = generate(tsume, tmp_path / "a3", "-n1", f"--seed={seed}", "--jsonl")
    assert json.loads(line)["seed"] == seed
    assert tsume("show", 1, "--db", tmp_path / "a3").exit_code == 0
    generate(tsume, tmp_path / "a3", "-n1", "--seed=" + "9" * 101, status=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_time_limit_ends_a_run_with_status_3(jobs: int, tsume: Run, tmp_path: Path) -> None:
    done = tsume("generate", "-m17", "--time-limit=0.5", "--jobs", jobs, "--db", tmp_path / "a", status=3)
    _, head, *_, hint = done.stderr.splitlines()
    assert head.startswith("run 1 out of time: 0 of 10 problems in ")
    assert hint == f"to continue: tsume runs resume 1 --db {tmp_path / 'a'}"
    with Store.open(tmp_path / "a") as store:
        assert store.stats().unfinished_runs == 0
    limits = ("--until=2999-01-01T00:00", "--time-limit=0.2", "--jobs", jobs)  # the sooner of two
    assert tsume("generate", "-m17", *limits, "--db", tmp_path / "a2").exit_code == 3


def test_an_interrupted_run_keeps_finds(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def root(composer: Any, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        if index > 20:
            raise KeyboardInterrupt
        return real(composer, index, known)

    from generator.run.composer import Composer

    real = Composer.root
    monkeypatch.setattr(Composer, "root", root)
    done = tsume("generate", "-m1", "-n1000", "--seed=1", "--db", tmp_path / "a")
    assert done.exit_code != 0
    with Store.open(tmp_path / "a") as store:
        assert [p.sfen for p in store.find()] == [s.split(" moves")[0] for s in done.stdout.splitlines()]
        assert store.runs.all()[0].ended_at is not None
        assert store.stats().problems > 0


@pytest.mark.parametrize(
    "option",
    [
        "-m2", "-m0", "-m-1", "-m101", "-mx", "-n0", "-n-1", "-n" + "9" * 30, "--seed=-1", "--seed=1.5",
        "--jobs=0", "--jobs=257", "--time-limit=0", "--time-limit=-1", "--time-limit=nan", "--nonsense",
        "--pieces=1", "--pieces=2", "--pieces=x", "--only=" + "R" * 41, "--without=" + "P" * 40 + "X",
        "--hand=" + "P" * 41, "--min-score=inf", "--min-score=1e308", "--max-score=1001",
        "--hand=", "--hand=X", "--hand=2", "--hand=" + "9" * 5000, "--only=K",
        "--without=?", "--min-score=nan", "--stars=0", "--stars=6", "--min-quality=-1", "--min-quality=101",
        "--min-resistance=17", "--min-surprise=-1",
        "--region=middle", "--mate-on=middle", "--mate-on=0a", "--last=", "--last=K*", "--line=", "--line=x y x",
        "--line=" + "x " * 600, "--area=", "--area=3x", "--hand-only=K", "--min-hand=2", "--min-pieces=2",
        "--end-pieces=1", "--max-defenders=-1",
        "--until=", "--until=yesterday", "--until=2020-01-01T00:00", "--until=25:00",
        "--until=" + "1" * 5000, "--until=9999-12-31T23:59:60",
    ],
)  # fmt: skip
def test_impossible_options_are_wrong_usage(option: str, tsume: Run, tmp_path: Path) -> None:
    generate(tsume, tmp_path / "a", option, status=2)
    assert not (tmp_path / "a").exists()


def test_other_files_and_unknown_themes_are_refused(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not ours\n" * 100)
    for place in (tmp_path, tmp_path / "text", tmp_path / "no" / "folder", "/dev/null", "", "foo://bar"):
        done = tsume("generate", "-m1", "--db", place, status=1)
        (line,) = done.stderr.splitlines()
        assert line.startswith("Error: ")
    assert (tmp_path / "text").read_text() == "not ours\n" * 100
    done = tsume("generate", "-m1", "--theme=three", "--db", tmp_path / "a", status=2)
    assert done.stderr.splitlines()[-1].endswith("'three' is not a theme; `tsume themes` lists them")
    assert tsume("list", "--theme=three", "--db", tmp_path / "a").exit_code == 2


# --- wishes ---------------------------------------------------------------------------------------


WISHED = [
    "--pieces=9", "--hand=-", "--only=rbgs", "--without=P", "--min-score=0.5", "--max-score=90", "--stars=1",
    "--min-quality=0", "--region=corner", "--no-promoted", "--defenders=2", "--no-equal-defences",
    "--no-variation-cooks", "--one-finish", "--same-when-counted", "--key=quiet", "--distinct-lines",
    "--min-resistance=9.5", "--min-surprise=2", "--min-pieces=5", "--end-pieces=8", "--max-defenders=4", "--area=4x4",
    "--mate-on=55", "--last=G*,N", "--line=x x S*２二 x ...", "--hand-only=pn",
]  # fmt: skip


def test_wishes_are_stored_with_the_run(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.commands.generate.continue_run", lambda *_arguments, **_options: 0)
    generate(tsume, tmp_path / "a", "-m5", *WISHED, "--theme=中合", "--theme=Two Kings", "--theme=chuai")
    with Store.open(tmp_path / "a") as store:
        (run,) = store.runs.all()
    assert ComposingOptions.from_dict(run.options).wishes == ProblemConstraints(
        max_pieces=9, hand="-", only="RBGS", without="P", themes=("chuai", "double-king"), min_score=0.5,
        max_score=90.0, stars=1, min_quality=0.0, min_resistance=9.5, min_surprise=2.0,
        region="corner", no_promoted=True, defenders=2,
        no_equal_defences=True, no_variation_cooks=True, one_finish=True, same_when_counted=True, key="quiet",
        distinct_lines=True, min_pieces=5, end_pieces=8, max_defenders=4, area="4x4", mate_on="55", last="G*,N",
        line="x x S*２二 x ...", hand_only="PN",
    )  # fmt: skip
    for wishes in (  # at their limits
        "--min-score=5 --max-score=5", "--stars=2 --min-score=39.9", "--stars=2 --max-score=20",
        "--only=P --hand=2P",
    ):  # fmt: skip
        generate(tsume, tmp_path / "a", *wishes.split())


@pytest.mark.parametrize(
    ("wishes", "fault"),
    [
        (["--only=RB", "--without=BR"], "no kind of piece is left"),
        (["--only="], "no kind of piece is left"),
        (["--min-score=5", "--max-score=4.5"], "at least 5 and at most 4.5"),
        (["--stars=1", "--min-score=30"], "1 stars need a score from -inf to 20"),
        (["--stars=5", "--max-score=30"], "5 stars need a score from 80 to inf"),
        (["--hand=19P"], "the hand 19P has more pieces than a shogi set"),
        (["--hand=RP", "--without=P"], "the hand RP has a kind of piece that is excluded"),
        (["--hand=RBG", "--pieces=3"], "the hand RBG and a king are more than 3 pieces"),
        (["--stars=2", "--max-score=0"], "at most 0: every problem scores more"),
        (["--max-score=-1"], "at most -1: every problem scores more"),
        (["--stars=1", "--min-score=28"], "1 stars need a score from -inf to 20"),
        (["--hand=-", "--key=drop"], "first move cannot be a drop"),
        (["--defenders=5", "--pieces=6"], "are 7 pieces"),
        (["--hand=3P"], "the hand 3P cannot be used up in 3 moves"),
        (["--line=x x"], "has 2 moves, not 3"),
        (["--last=P*"], "打歩詰"),
    ],
)
def test_wishes_that_contradict_each_other(wishes: list[str], fault: str, tsume: Run, tmp_path: Path) -> None:
    done = tsume("generate", "-m3", *wishes, "--db", tmp_path / "a", status=2)
    (line,) = done.stderr.splitlines()
    assert fault in line
    assert not (tmp_path / "a").exists()


def test_known_problems_are_those_of_files_and_stores(tsume: Run, tmp_path: Path) -> None:
    """And the run is shown with their number."""
    (line,) = tsume("generate", "-m1", "-n1", "--seed=1", "--db", tmp_path / "a", "--jsonl").stdout.splitlines()
    found = json.loads(line)
    (tmp_path / "known").write_text(f"{found['sfen']} moves {' '.join(found['line'])}\nnonsense\n")
    for number, known in enumerate((tmp_path / "known", tmp_path / "a")):
        place = tmp_path / f"b{number}"
        done = tsume("generate", "-m1", "-n1", "--seed=1", "--known", known, "--db", place, "--jsonl", status=0)
        (other,) = map(json.loads, done.stdout.splitlines())
        assert other["sfen"] != found["sfen"]
        assert ("line 2: skipped" in done.stderr) is (known == tmp_path / "known")
        assert "conditions: known 1" in tsume("runs", "show", "1", "--db", place).stdout
    (tmp_path / "none").write_text("nonsense\n")
    done = tsume("generate", "-m1", "--known", tmp_path / "none", "--db", tmp_path / "c", status=1)
    assert done.stderr.splitlines()[-1] == f"Error: --known: no problem could be read from {tmp_path / 'none'}"


# --- problems to be extended ----------------------------------------------------------------------


def test_many_natural_problems(tsume: Run, tmp_path: Path) -> None:
    for name, stdin, *options in (
        ("a", "7nk/7sl/9/6N2/8N/9/9/9/9 b G 1", "--from", "-"),
        ("b", None, "--final", "7nk/7bp/7N1/9/9/9/9/9/9 w -"),
    ):
        done = tsume("generate", "-m5", "-n5", "--seed=1", *options, "--db", tmp_path / name, stdin=stdin, status=0)
        assert len({line.split(" moves ")[1] for line in done.stdout.splitlines()}) == 5


def test_shorter_problems_become_starts(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.commands.generate.continue_run", lambda *_arguments, **_options: 0)
    file = tmp_path / "in.sfen"
    given = (f"{CORRECT} moves 3d2c", "nonsense", "# a comment", NO_MATE, CORRECT_WHITE, FIVE, MIRRORED)
    file.write_text("\n".join([CORRECT, *given]))
    for source, stdin in ((str(file), None), ("-", file.read_text())):
        done = tsume("generate", "-m5", "--from", source, "--db", tmp_path / "a", stdin=stdin, status=0)
        name = "stdin" if stdin else source
        faults = [line.removeprefix(f"{name}, line ") for line in done.stderr.splitlines()]
        assert faults[0].startswith("3: skipped: SFEN needs board")
        assert faults[1:] == [f"{n}: skipped: no mate in fewer than 5 moves" for n in (5, 7)]
    with Store.open(tmp_path / "a") as store:
        starts = {ComposingOptions.from_dict(run.options).starts for run in store.runs.all()}
    assert starts == {(canonical_sfen(parse_sfen(CORRECT).position),)}
    for lines in ([CORRECT, *["nonsense"] * 30], [*["nonsense"] * 30, CORRECT]):
        done = tsume("generate", "-m5", "--from", "-", "--db", tmp_path / "a", stdin="\n".join(lines), status=0)
        *reported, last = done.stderr.splitlines()
        assert len(reported) == 20
        assert last == "stdin: skipped: 10 more unreadable lines"


def test_without_anything_to_extend_no_run_begins(tsume: Run, tmp_path: Path) -> None:
    def refused(moves: str, *options: object, stdin: str | None = None) -> list[str]:
        done = tsume("generate", moves, *options, "--db", tmp_path / "a", stdin=stdin, status=1)
        *left_out, error = done.stderr.splitlines()
        assert error == f"Error: --from: nothing to extend to {moves[2:]} moves"
        assert not (tmp_path / "a").exists()
        return left_out

    refused("-m3", "--from", tmp_path / "in")
    for text in ("", "nonsense", CORRECT):
        (tmp_path / "in").write_text(text)
        refused("-m3", "--from", tmp_path / "in")
    refused("-m1", "--from", "-", stdin=CORRECT)
    for sfen, options, why in (
        ("7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", [], "a second solution"),
        ("7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1", [], "leaves pieces in hand"),
        (CORRECT, ["--only=RB"], "a kind of piece that the conditions exclude"),
        (CORRECT, ["--without=g"], "a kind of piece that the conditions exclude"),
    ):
        (left_out,) = refused("-m5", *options, "--from", "-", stdin=sfen)
        assert left_out.startswith("stdin, line 1: skipped: it has ")
        assert why in left_out


def test_files_without_problems_are_named_with_their_line(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "a.kif").write_text("手合割：平手\n1 ７六歩(77)\n2 ７六歩(77)\n")
    done = tsume("generate", "-m5", "--from", tmp_path / "a.kif", "--db", tmp_path / "a", status=1)
    assert f"{tmp_path / 'a.kif'}, problem 1" in done.stderr
    assert "line 3" in done.stderr
    (tmp_path / "a.txt").write_text("".join(f"chapter {n}\n" for n in range(1, 200)))
    done = tsume("generate", "-m5", "--from", tmp_path / "a.txt", "--db", tmp_path / "a", status=1)
    complaint, error = done.stderr.splitlines()
    assert complaint.startswith(f"{tmp_path / 'a.txt'}: not a list of SFENs")
    assert error.startswith("Error: --from: nothing to extend")


# --- time -----------------------------------------------------------------------------------------


NOW = datetime(2026, 11, 21, 17, 30).astimezone()


def test_until_is_a_moment_to_come_of_local_time_or_of_its_zone() -> None:
    moments = {"18:00": 1800, "2026-11-21T18:00": 1800, "2026-11-21 17:30:01": 1, "17:30:00.5": 0.5}
    moments[(NOW + timedelta(hours=1)).astimezone(UTC).isoformat()] = 3600
    assert {text: seconds_until(text, NOW) for text in moments} == moments
    for text in ("17:30", "17:29", "2026-11-21", "2026-11-21T17:30", "0001-01-01T00:00"):
        with pytest.raises(ValueError, match=r"is in the past|is not a date"):
            seconds_until(text, NOW)


# --- the end --------------------------------------------------------------------------------------


def test_summary_and_processes(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LINE_SECONDS", float("inf"))  # however slow the machine is
    done = tsume("generate", "-m3", "-n2", "--seed=11", "--db", tmp_path / "a")
    assert len(done.stdout.splitlines()) == 2
    head, figures = done.stderr.splitlines()
    assert head.startswith("run 1 complete: 2 of 2 problems in ")
    assert head.endswith(" a minute")
    assert figures.startswith("ratings: ")
    assert "; rejected: " in figures
    started: list[int] = []
    monkeypatch.setattr("tsume.commands.options._processors", lambda: 3)
    monkeypatch.setattr("generator.run.roots.local_pool", started.append)  # no pool: in this process
    generate(tsume, tmp_path / "a2", "-n1", "--seed=11")
    generate(tsume, tmp_path / "b", "-n1", "--seed=11", "-j2")
    assert started == [3, 2]


def test_it_is_said_how_natural_problems_are_composed() -> None:
    english, wishes = Voice.of("en"), ProblemConstraints()
    for chosen, said in (
        (wishes, None),
        (replace(wishes, max_pieces=6), "with these conditions, problems are composed by local"),
        (replace(wishes, themes=("picture",)), "no model for these conditions: problems are"),
    ):
        line = composing_method_line(ComposingOptions.of(3, style=Style.NATURAL, wishes=chosen), english)
        assert line is None if said is None else line and line.startswith(said)
        far = composing_method_line(ComposingOptions.of(13, style=Style.NATURAL, wishes=chosen), english) or ""
        assert far.startswith("no model for mates in 13: problems are composed")
        assert composing_method_line(ComposingOptions.of(3, style=Style.FREE, wishes=chosen), english) is None


# --- what is given --------------------------------------------------------------------------

FINAL = "4k4/4G4/4P4/9/9/9/9/9/9 w -"
HALF = "8l/7k1/5R3/9/9/9/9/9/9 b GS 1"


def test_problems_have_what_is_given(tsume: Run, tmp_path: Path) -> None:
    for line in generate(tsume, tmp_path / "a", "-n2", "--seed=1", "--final", FINAL):
        sfen, _, moves = line.partition(" moves ")
        assert len(moves.split()) == 3
        assert moves.split()[-1].endswith(("5b", "5b+"))
        assert parse_sfen(sfen).position.piece_count() > 3
    given = parse_sfen(HALF).position
    for name, half in (("a", HALF), ("b", format_sfen(given, rotated=True))):
        for line in generate(tsume, tmp_path / name, "-n1", "--seed=1", "--start", half):
            position = parse_sfen(line.partition(" moves")[0]).position
            assert position.attacker_hand == given.attacker_hand
            images = position.board, position.mirrored.board
            pieces = [(sq, piece) for sq, piece in enumerate(given.board) if piece is not None]
            assert any(all(board[sq] == piece for sq, piece in pieces) for board in images)
    (line,) = generate(tsume, tmp_path / "a3", "-n1", "--seed=2", "--start", HALF, "--keep=2b,1a", "--hand=-")
    position = parse_sfen(line.partition(" moves")[0]).position
    assert not position.attacker_hand
    squares = [sq for sq, piece in enumerate(given.board) if piece and piece.side is Side.DEFENDER]
    images = position.board, position.mirrored.board
    assert any(all(board[sq] == given.board[sq] for sq in squares) for board in images)


def test_what_is_given_is_shown(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.commands.generate.continue_run", lambda *_arguments, **_options: 0)
    generate(tsume, tmp_path / "a", "--start", HALF)
    lines = tsume("runs", "show", "1", "--db", tmp_path / "a").stdout.splitlines()
    given = parse_sfen(HALF).position
    assert f"composed around {format_sfen(given)}" in lines
    generate(tsume, tmp_path / "a", "--start", HALF, "--keep=2b,1a", "--keep=5e")
    generate(tsume, tmp_path / "a", "--start", format_sfen(given, rotated=True), "--keep=8h")
    for run, squares in (("2", "1a,2b,5e"), ("3", "2b")):
        lines = tsume("runs", "show", run, "--db", tmp_path / "a").stdout.splitlines()
        assert f"composed around {format_sfen(given)}, keeping {squares}" in lines


def test_a_run_that_has_tried_all_ends_and_says_so(tsume: Run, tmp_path: Path) -> None:
    bare = "7k1/6+RG1/9/9/9/9/9/9/9 w -"  # no check leads to it
    done = tsume("generate", "-m3", "--final", bare, "--exact", "--seed=1", "--db", tmp_path / "a", status=3)
    assert "run 1 exhausted, 0 positions tried: 0 of 10 problems" in done.stderr
    with Store.open(tmp_path / "a") as store:
        assert [run.state for run in store.runs.all()] == [RunState.EXHAUSTED]
    assert tsume("runs", "resume", "1", "--db", tmp_path / "a").exit_code == 3
    shown = tsume("runs", "show", "1", "--db", tmp_path / "a").stdout
    assert "exhausted" in shown
    assert f"ends exactly in {bare}\n" in shown


def test_a_run_without_finds_suggests_less(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem of few pieces has fewer of the defender alone: either wish by itself is easy."""

    def nearest(options: ComposingOptions, seed: int, _seconds: float) -> Iterator[tuple[Relaxation, Problem]]:
        """The first two, however slow the machine is."""
        return islice(nearest_problems(options, seed, 600), 2)

    monkeypatch.setattr("tsume.commands.runs._MIN_SECONDS", 0)
    monkeypatch.setattr("tsume.commands.runs.nearest_problems", nearest)
    wishes = ("--theme=few-pieces", "--defenders=6")
    done = tsume("generate", "-m3", "-n1", *wishes, "--seed=1", "--time-limit=0.5", "--db", tmp_path / "a")
    assert (done.exit_code, done.stdout) == (3, "")
    _, _, told = done.stderr.partition("with one condition changed:\n")
    found = dict(re.findall(r"^  (without --[^:]*): (\S+ b \S+ 1) moves ", told, re.MULTILINE))
    assert set(found) == {"without --theme few-pieces", "without --defenders 6"}
    for what, sfen in found.items():
        others = sum(piece is not None for piece in parse_sfen(sfen).position.board)
        assert (others > 6) == ("theme" in what)
    assert re.search(r"^few pieces: nearly always within \d+ s at \d moves$", told, re.MULTILINE)
    with Store.open(tmp_path / "a") as store:
        assert not list(store.find())


def test_every_wish_is_called_as_its_option_and_tried_for_a_minute() -> None:
    options = {option for parameter in generate_command.params for option in parameter.opts}
    names = ProblemConstraints().to_dict().keys() - {"theme_details"}  # a part of --theme
    assert {option_of_constraint(name) for name in names} <= options
    tried = {text.partition("=")[0] for text in (*CONSTRAINTS, "--theme=x")}
    for parameter in generate_command.params:
        if parameter.name not in OF_THE_RUN | WITH_ANOTHER:
            assert not tried.isdisjoint(parameter.opts), parameter.opts


def test_what_was_tried_is_counted(tsume: Run, tmp_path: Path) -> None:
    done = tsume("generate", "-m1", "--final", FINAL, "--exact", "--seed=1", "--db", tmp_path / "a", status=3)
    found = present(re.search(r"run 1 exhausted, (\d+) positions tried: 1 of 10 problems", done.stderr))
    assert int(found[1]) > 1
    assert "one condition" not in done.stderr, "it found something"


def test_a_run_of_known_finds_ends(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.uses.composing._KNOWN_ENOUGH", 20)
    wishes = ("--distinct-lines", "--pieces=4", "--style=free", "--seed=1")
    done = tsume("generate", "-m1", "-n5000", *wishes, "--db", tmp_path / "a", status=3)
    assert "run 1 exhausted, " in done.stderr


@pytest.mark.parametrize(
    ("options", "status", "fault"),
    [
        (("--final", "nonsense"), 1, "--final 'nonsense': SFEN needs"),
        (("--final", f"{FINAL[:-1]}G"), 1, f"--final '{FINAL[:-1]}G': pieces are left in the attacker's hand"),
        (("--final", HALF), 1, "no defender's king"),
        (("--final", "4k4/9/9/9/9/9/9/9/9 w - 1"), 1, "the side to move is not mated: it is not in check"),
        (("--final", "8k/9/9/8R/9/9/9/9/9 w - 1"), 1, "not mated: 1a2a answers the check"),
        (("--start", "nonsense"), 1, "--start 'nonsense': SFEN needs"),
        (("--start", HALF, "--final", FINAL), 2, "give only one of"),
        (("--start", HALF, "--without=R"), 1, "it keeps a kind of piece that the conditions exclude"),
        (("--start", "4k4/4G4/9/9/9/9/9/9/9 b - 1"), 1, "in check, and nothing can be interposed"),
        (("--start", HALF, "--from", "x"), 2, "give only one of"),
        (("--keep", "1a"), 2, "--keep needs --start"),
        (("--start", HALF, "--keep", "0a"), 2, "invalid squares"),
        (("--exact",), 2, "--exact needs --final"),
        (("--picture", "Q"), 2, "'Q' is not a picture; choose from "),
        (("--picture", "##x/###"), 2, "a figure has rows of # and ."),
        (("--picture", ".#./###"), 2, "a figure has from 5 to 30 pieces"),
        (("--picture", "/".join(["#####"] * 10)), 2, "at most 9 rows of 9 squares"),
        (("--theme", "sacrifice:X"), 2, "'X' in 'sacrifice:X' is not a piece"),
        (("--theme", "pin-mate>=2"), 2, "no single move"),
        (("--theme", "追い詰"), 2, "king-hunt takes at least 11 moves"),
        (("--theme", "sacrifice>=9"), 2, "sacrifice>=9: there are "),
        (("-m11", "--start", HALF), 2, "--start needs -m of 3 to 9 moves"),
    ],
)
def test_what_cannot_be_given_is_refused_in_one_line(
    tsume: Run, tmp_path: Path, options: tuple[str, ...], status: int, fault: str
) -> None:
    done = tsume("generate", "-m3", "--db", tmp_path / "a", *options, status=status)
    assert fault in done.stderr.splitlines()[-1]
    assert not (tmp_path / "a").exists()


# --- every theme and constraint, for a while ------------------------------------------------------

CONSTRAINTS = (
    "--pieces=8", "--hand=GS", "--hand=-", "--only=RBGS", "--without=P", "--picture=ト", "--min-score=35",
    "--max-score=40", "--stars=3", "--min-quality=60", "--min-resistance=6", "--min-surprise=4",
    "--region=corner", "--region=edge", "--region=centre", "--no-promoted", "--defenders=3",
    "--no-equal-defences", "--no-variation-cooks", "--one-finish", "--same-when-counted", "--key=quiet",
    "--key=drop", "--key=sacrifice", "--distinct-lines", "--start=8l/7k1/5R3/9/9/9/9/9/9 b GS 1",
    "--final=7nk/7bp/7N1/9/9/9/9/9/9 w -", "--grade=sound", "--style=free", "--min-pieces=8", "--end-pieces=5",
    "--max-defenders=2", "--min-hand=P", "--hand-only=PG", "--area=4x4", "--mate-on=5e", "--last=P,N*",
    "--line=... *2b Px2b ...", "--form=one-kind",
)  # fmt: skip
OF_THE_RUN = {
    "moves", "count", "seed", "jobs", "tls_ca", "tls_cert", "tls_key", "scheduler", "memory", "place",
    "time_limit", "until", "voice", "jsonl", "verbose",
}  # fmt: skip
WITH_ANOTHER = {"exact", "from_games", "keep", "known", "source"}
"""Options of the problems that need another option or a file."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 21])
@pytest.mark.parametrize("asked", [*(f"--theme={tag}" for tag in NAMES), *CONSTRAINTS])
def test_a_minute_of_any_option_fails_no_root(asked: str, seed: int, tmp_path: Path) -> None:
    moves = max(7, NAMES[asked.removeprefix("--theme=")].shortest) if asked.startswith("--theme=") else 5
    words = ["-m", str(moves), "-n1000", f"--seed={seed}", asked, "--time-limit=60", "-j2"]
    done = subprocess.run(
        [sys.executable, "-m", "tsume", "generate", *words, "--db", tmp_path / "a", "--verbose"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
