# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions from arguments, files and stdin: read alike by solve, check and score."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.conftest import Run
from tests.tsume.formats import spellings
from tests.tsume.formats.trees import possible_moves, random_record
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, FAULTY, ILLEGAL, NO_MATE
from tsume.files.entries import UnknownTextError, read_pasted_text
from tsume.formats import english, japanese
from tsume.formats.addresses import NoPositionError
from tsume.formats.diagram import english_diagram, text_diagram
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import ENDINGS, WRITERS, file_format_of_texts
from tsume.library import read
from tsume_rules.moves import Move, in_check, parse_move, position_after
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

COMMANDS = ("solve", "check", "score")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("sfen", FAULTY)
def test_an_error_names_its_place_and_the_others_are_answered(command: str, sfen: str, tsume: Run) -> None:
    done = tsume(command, "--jsonl", CORRECT, sfen, CORRECT, status=1)
    if command == "check" and sfen in ILLEGAL:  # a verdict
        assert done.stderr == ""
        (fault,) = json.loads(done.stdout.splitlines()[1])["findings"]
        assert FAULTY[sfen] in fault["fault"]
        return
    (line,) = done.stderr.splitlines()
    assert line.startswith("argument 2: ")
    assert FAULTY[sfen] in line
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert second["error"] == line.partition(": ")[2]
    assert first["length"] == third["length"] == 3
    assert second["length"] is None


def test_lines_with_moves_comments_and_any_line_ends_and_of_books(tsume: Run, tmp_path: Path) -> None:
    file = tmp_path / "in.sfen"
    text = f"\ufeff# a comment\r\n\r\n{CORRECT} moves 3d2c 1b1a\r\n  {CORRECT} # why\r\nsfen {CORRECT}"
    file.write_bytes(text.encode())
    done = tsume("solve", "--jsonl", "-f", file, status=0)
    assert [json.loads(line)["length"] for line in done.stdout.splitlines()] == [3, 3, 3]
    file = tmp_path / "book.txt"
    file.write_text(f"{spellings.BOARD}持ち駒：金二枚\n作意：12金まで1手詰\n", encoding="utf-8")
    (found,) = map(json.loads, tsume("check", "--jsonl", file).stdout.splitlines())
    assert (found["length"], found["given"]["line"]) == (1, ["G*1b"])


@pytest.mark.parametrize("name", ["line", "moves", "solution"])
def test_moves_in_json_and_in_a_table_are_read_or_refused(name: str, tsume: Run, tmp_path: Path) -> None:
    given, japanese = ["3d2c", "1b1a"], "▲２三金"
    values = given, " ".join(given), japanese
    for form, texts in (
        ("jsonl", [json.dumps({"sfen": CORRECT, name: value}) for value in values]),
        ("csv", [f"sfen,{name}\n{CORRECT},{value}" for value in values[1:]]),
    ):
        for number, text in enumerate(texts):
            file = tmp_path / f"{number}.{form}"
            file.write_text(text, encoding="utf-8")
            done = tsume("check", "--jsonl", "-f", file)
            if japanese in text or "\\u" in text:
                assert done.exit_code == 1
                assert "line " in done.stderr
            else:
                assert json.loads(done.stdout)["given"]["line"] == given
    counted = tmp_path / "counted.csv"
    counted.write_text(f"sfen,moves\n{CORRECT},3", encoding="utf-8")
    assert tsume("solve", "-f", counted).exit_code == 0


def test_the_files_of_a_folder_come_by_number(tsume: Run, tmp_path: Path) -> None:
    names = ["1.sfen", "2.sfen", "10.sfen", "b2/1.sfen", "b10/1.sfen"]
    for name in reversed(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("nonsense\n")
    (tmp_path / "README.md").write_text("nonsense\n")
    for options in ([tmp_path], ["-f", tmp_path]):
        done = tsume("solve", *options)
        places = [line.partition(",")[0] for line in done.stderr.splitlines()]
        assert places == [f"{tmp_path / name}" for name in names]


@pytest.mark.parametrize(
    "junk",
    [b"\x00\x01\xff\xfe\x80", b"k" * 300_000, CORRECT.encode("utf-16"), "攻方の持駒：なし".encode("shift_jis")],
    ids=["binary", "endless line", "UTF-16", "Shift JIS"],
)
def test_junk_is_one_faulty_line(junk: bytes, tsume: Run, tmp_path: Path) -> None:
    file = tmp_path / "junk"
    file.write_bytes(junk.replace(b"\n", b" ") + b"\n" + CORRECT.encode() + b"\nx\n")
    done = tsume("solve", "-f", file, status=1)
    assert "mate in 3: 3d2c 1b1a 2c2b" in done.stdout
    places = [line.partition(": ")[0] for line in done.stderr.splitlines()]
    assert places == [f"{file}, line 1", f"{file}, line 3"]
    assert len(done.stderr) < 1000


@pytest.mark.parametrize("command", [*COMMANDS, "mend", "draw", "import"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        *((f"empty.{ending}", "") for ending in ("txt", "sfen", "jsonl", "kif", "ki2", "csa", "jkf", "csv")),
        ("blank.txt", "\n  \r\n\n"),
        ("comments.txt", "\ufeff# a comment\n\n  # and another\n"),
        ("blank.kif", "\ufeff\n\n"),
    ],
)
def test_a_file_without_a_position(tsume: Run, tmp_path: Path, command: str, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    done = tsume(command, tmp_path / name, *(("--db", tmp_path / "s.db") if command == "import" else ()))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"{tmp_path / name}: there is no position in it"


def test_empty_input_and_empty_files_among_others(tsume: Run, tmp_path: Path) -> None:
    for nothing in ("", "\n# nothing\n"):
        done = tsume("check", "-f", "-", stdin=nothing)
        assert (done.exit_code, done.output) == (1, "stdin: there is no position in it\n")
    (tmp_path / "1.sfen").write_text("")
    (tmp_path / "2.sfen").write_text(CORRECT)
    done = tsume("solve", tmp_path)
    assert (done.exit_code, len(done.stdout.splitlines())) == (1, 1)
    assert done.stderr == f"{tmp_path / '1.sfen'}: there is no position in it\n"


GAME = "手合割：平手\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 投了\n"
PLAYED = " ".join(CORRECT_LINE)
AFTER_TWO = "the position after move 2 of 3"


@pytest.mark.parametrize(
    ("given", "options", "length", "said"),
    [
        (f"{CORRECT} moves {PLAYED}", [], 3, None),
        (f"{CORRECT} moves {PLAYED}", ["--at", "2"], 1, AFTER_TWO),
        (f"position sfen {CORRECT} moves {PLAYED}", ["--at", "2"], 1, AFTER_TWO),
        (f"position sfen {CORRECT} moves {PLAYED.rpartition(' ')[0]}", [], 1, AFTER_TWO[:-1] + "2"),
        (f"position sfen {CORRECT} moves {PLAYED}", ["--at", "0"], 3, None),
        (CORRECT.replace(" ", "_"), [], 3, None),
        (f"https://lishogi.org/analysis/{CORRECT.replace(' ', '_')}#2", [], 3, None),
        (f"https://www.kento-shogi.com/?initpos={quote(CORRECT)}&moves={quote('.'.join(CORRECT_LINE))}#2",
         [], 1, AFTER_TWO),
        (f"piyoshogi://?sfen={quote(f'position sfen {CORRECT} moves {PLAYED}')}&num=2", [], 1, AFTER_TWO),
    ],
)  # fmt: skip
def test_which_position_is_solved_is_said(
    given: str, options: list[str], length: int, said: str | None, tsume: Run, tmp_path: Path
) -> None:
    """As an argument, as a line of a file, and on stdin, where a comment may follow."""
    (tmp_path / "one.txt").write_text(f"# a comment\n{given}\n")
    argument = tsume("solve", "--jsonl", *options, given)
    line = tsume("solve", "--jsonl", *options, str(tmp_path / "one.txt"))
    stdin = tsume("check", "--jsonl", *options, "-f", "-", stdin=f"{given} # a comment\n")
    places = ("argument 1", f"{tmp_path}/one.txt, line 2", "stdin, line 1")
    for done, place in zip((argument, line, stdin), places, strict=True):
        fields = json.loads(done.stdout)
        at = 2 if said else 0 if options else None
        assert (fields["length"], fields.get("at")) == (length, at)
        assert done.stderr == (f"{place}: {said}\n" if said else "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "the first position of a game of 3 moves; --at N or --at end chooses a later one"),
        (["--at", "0"], None),
        (["--at", "1"], "the position after move 1 of 3"),
        (["--at", "end"], "the position after move 3 of 3"),
        (["--at", "4"], "no position after move 4: there are 3 moves"),
    ],
)
def test_a_game_says_which_position_was_solved(options: list[str], said: str | None, tsume: Run) -> None:
    done = tsume("solve", "--jsonl", *options, "-f", "-", stdin=GAME)
    assert done.stderr == (f"stdin, problem 1: {said}\n" if said else "")
    assert json.loads(done.stdout)["result"] == ("invalid" if said and "no position" in said else "no_mate")


def test_moves_after_the_position(tsume: Run) -> None:
    """The attacker is the side to move there; its pieces in hand are those that it has captured."""
    solved = json.loads(tsume("check", "--jsonl", "--at", "2", f"{CORRECT} moves {PLAYED}").stdout)
    assert solved["given"]["line"] == CORRECT_LINE[2:]
    game = json.loads(tsume("check", "--jsonl", "--at", "1", "-f", "-", stdin=GAME).stdout)
    assert (game["given"], game["sfen"].split()[1]) == (None, "w")
    done = tsume("solve", f"position sfen {CORRECT} moves {PLAYED}", status=1)
    assert done.stderr == ("argument 1: after move 3 of 3: no defender's king; --at 0 takes the first position\n")


def test_an_address_without_a_position_and_no_position_at_all(tsume: Run) -> None:
    error = "argument 1: the address holds no position, and nothing is loaded from the network\n"
    for command in ("solve", "check", "explain", "tree", "score", "mend", "enrich", "draw"):
        done = tsume(command, "https://lishogi.org/training/AbCdE")
        assert (command, done.exit_code, done.stderr) == (command, 1, error)
    for command in COMMANDS:
        assert tsume(command).exit_code == 2
        done = tsume(command, "nonsense", status=1)
        assert done.stderr.startswith("argument 1: ")


def test_the_positions_of_games_and_addresses_in_the_library() -> None:
    line = f"{parse_sfen(CORRECT).sfen} moves {PLAYED}"
    assert read(f"position sfen {CORRECT} moves {PLAYED}") == line
    assert read(f"https://example.org/?sfen={CORRECT}&line={quote(PLAYED)}") == line
    assert read(line, at=2).endswith(f" moves {CORRECT_LINE[2]}")
    assert read(GAME).endswith(" moves 7g7f 3c3d 8h2b+")
    assert " w B " not in read(GAME, at=1)
    assert " w " in read(GAME, at="end")
    for text, at in ((GAME, 4), (GAME, -1), ("zz", None)):
        with pytest.raises(ValueError, match=r".+"):
            read(text, at=at)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_argument_may_be_stdin(command: str, tsume: Run) -> None:
    done = tsume(command, "--jsonl", "-", CORRECT, stdin=f"{CORRECT}\n", status=0)
    assert [json.loads(line)["length"] for line in done.stdout.splitlines()] == [3, 3]
    assert tsume(command, "-", stdin="").stderr == "stdin: there is no position in it\n"


@pytest.mark.skipif(not hasattr(os, "pipe") or not Path("/dev/fd").is_dir(), reason="no pipes with names")
def test_an_argument_may_be_a_pipe_of_the_shell(tsume: Run) -> None:
    source, target = os.pipe()
    os.write(target, f"{CORRECT}\n".encode())
    os.close(target)
    done = tsume("solve", "--jsonl", f"/dev/fd/{source}")
    os.close(source)
    assert (done.exit_code, json.loads(done.stdout)["length"]) == (0, 3)


def test_what_cannot_be_read_is_reported_and_the_next_is_read(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_text(NO_MATE)
    done = tsume("solve", "-f", tmp_path, "-f", tmp_path / "absent", "-f", tmp_path / "good", status=1)
    assert done.stdout == "no mate\n"
    assert done.stderr.splitlines() == [
        f"{tmp_path}: a folder without problem files ({', '.join(ENDINGS)})",
        f"{tmp_path / 'absent'}: No such file or directory",
    ]
    assert tsume("generate", "-m1", "-n1", "--seed=1", "--db", tmp_path / "a.db").exit_code == 0
    done = tsume("check", "-f", tmp_path / "a.db", CORRECT, status=1)
    assert done.stderr == f"{tmp_path / 'a.db'}: a store, not a problem file: export or merge it\n"
    done = tsume("check", "-f", "n" * 400, status=1)
    assert "name too long" in done.stderr
    assert done.stderr.count("\n") == 1
    (tmp_path / "a.sfen").write_bytes(b"\x00\r")
    assert tsume("check", "-f", tmp_path / "a.sfen").exit_code in (0, 1)


def test_limits_that_are_no_numbers_or_huge(tsume: Run) -> None:
    for command in ("solve", "check"):
        for value in ("nan", "-1", "x", ""):
            assert tsume(command, CORRECT, "--time", value).exit_code == 2, (command, value)
    for option in ("--time=inf", "--nodes=9" + "9" * 30, "--max-moves=9" + "9" * 30):
        assert tsume("solve", CORRECT, option).exit_code == 0, option


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8"])
def test_lines_in_utf_16_need_no_byte_order_mark(tsume: Run, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.sfen").write_bytes(f"{CORRECT}\n{CORRECT}\n".encode(encoding))
    done = tsume("solve", "-f", tmp_path / "a.sfen", "--jsonl", status=0)
    assert len(done.stdout.splitlines()) == 2


def test_a_folder_that_is_gone_is_left_out(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "is-gone").mkdir()
    (tmp_path / "a.sfen").write_text(f"{CORRECT}\n")
    scandir = os.scandir

    def gone(path: str) -> object:
        if str(path).endswith("is-gone"):
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", gone)
    done = tsume("solve", "-f", tmp_path, "--jsonl", status=0)
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("command", [("show",), ("check", "--all-findings")])
def test_a_printed_board_is_read(language: str, command: tuple[str, ...], tsume: Run, tmp_path: Path) -> None:
    file = tmp_path / "printed.txt"
    file.write_text(tsume(*command, "--lang", language, COOKED).stdout, encoding="utf-8")
    done = tsume("check", "--jsonl", file)
    (found,) = map(json.loads, done.stdout.splitlines())
    assert found["error"] is None
    assert parse_sfen(found["sfen"]).position == parse_sfen(COOKED).position
    assert found["given"] is not None


# --- Texts that people paste: records in all formats, SFENs, addresses; and why a text cannot be read ---


POSITION = parse_sfen(CORRECT).position
LINE = tuple(map(parse_move, CORRECT_LINE))
RECORD = GameRecord(POSITION, LINE, "題名", headers=(("作者", "無名"),))
ADDRESS = CORRECT.replace(" ", "_")


@pytest.mark.parametrize("form", WRITERS)
def test_records(form: str) -> None:
    read = read_pasted_text(WRITERS[form].write(RECORD))
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line, read.entry.title) == (POSITION, LINE, "題名")
    assert not read.more


def test_boards_of_people() -> None:
    wrong, expected = [], (spellings.POSITION, spellings.LINE)
    for text in spellings.SOLUTIONS:
        read = read_pasted_text(f"{spellings.BOARD}{spellings.HAND}{text}\n")
        found = read.entry.parsed and read.entry.parsed.position
        if (found, read.entry.line, read.form, read.more) != (*expected, "kif", False):
            wrong.append((text, read))
    assert wrong == []


def legal_line(position: Position, rng: random.Random) -> tuple[Move, ...]:
    """A line of moves that leave no king of their side in check."""
    line: list[Move] = []
    while len(line) < 7:
        side = position.side_to_move
        legal = [one for one in possible_moves(position) if not in_check(position_after(position, one), side)]
        if not legal:
            break
        line.append(rng.choice(legal))
        position = position_after(position, line[-1])
    return tuple(line)


@pytest.mark.parametrize("board", [english_diagram, text_diagram])
@pytest.mark.parametrize(
    "solution",
    [
        "\n{western}  mate in {length}", "\n{japanese}  まで{length}手詰", "{western}",
        "mate in {length}: {western}\n  note: {japanese}", "キズあり {length}手詰: {japanese}\n  備考: {japanese}",
    ],
)  # fmt: skip
@given(seed=st.integers(0, 10**9))
@settings(max_examples=10)
def test_boards_of_the_program(board: Callable[[Position], str], solution: str, seed: int) -> None:
    rng = random.Random(seed)
    position = random_record(seed).position
    line = legal_line(position, rng)
    lines = {"western": english.line_texts, "japanese": japanese.line_texts}
    texts = {name: " ".join(write(position, line)) for name, write in lines.items()}
    said = solution.format(length=len(line), **texts) if line else ""
    read = read_pasted_text(f"{board(position)}\n{said}")
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (position, line)


def test_the_notation_of_books_is_recognised() -> None:
    books = ["22金、同玉、23金", "２二金打", "1. ２二金打", "▲2二金", "作意：22金", "同飛", "(1) 22金"]
    books += ["3手詰: ▲２二金", "|" + " ・" * 9 + "|一", "1手目 22金"]
    forms = {text: (file_format_of_texts([text]), file_format_of_texts([f"詰将棋\n{text}\n"])) for text in books}
    assert forms == dict.fromkeys(books, ("kif", "kif"))


@pytest.mark.parametrize(
    "text",
    [
        f"{CORRECT}\t{PLAYED}\n▲２二金\n", f"# 22金\n{CORRECT}\n22金\n",
        f"position sfen {CORRECT}\n1. 22金", f"\n{CORRECT}\n",
        "4k4/9/9 b - 1", "1a2b 3c4d", "攻方の持駒：なし", f'{{"sfen": "{CORRECT}", "title": "22金"}}',
    ],
)  # fmt: skip
def test_lines_of_sfens_stay_lines(text: str) -> None:
    assert file_format_of_texts([text]) == "lines"


def test_tables_several_problems_and_a_diagram_without_moves() -> None:
    assert file_format_of_texts([f'sfen,own_notes\n{CORRECT},"a\n22金"\n']) == "csv"
    text = f"{CORRECT}\n4k4/9/9/9/9/9/9/9/9 b - 1\n"
    read = read_pasted_text(text)
    assert read.more
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION
    bod = WRITERS["kif"].write(RECORD).partition("手数----")[0]
    read = read_pasted_text(bod)
    assert read.form == "kif"
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line) == (POSITION, ())


@pytest.mark.parametrize(
    "text",
    [
        *(f"# 詰将棋\nsfen {CORRECT}{between}{PLAYED}\n"
          for between in (" moves ", "\n", "\nmoves ", "\ngo mate 1000\ncheckmate ")),
        f"{CORRECT} moves {PLAYED}",
        f"position sfen {CORRECT} moves {PLAYED}\n",
        f"{CORRECT.replace(' ', '_')}_moves_{PLAYED.replace(' ', '_')}",
        f"\ufeff\n  sfen {CORRECT} moves {PLAYED}",
        f'{{"sfen": "{CORRECT}", "line": "{PLAYED}"}}',
        f"id,sfen,line\n1,{CORRECT},{PLAYED}\n",
        f"https://board.example/compose?sfen={CORRECT.replace(' ', '+').replace('+S', '%2BS')}"
        f"&line={PLAYED.replace(' ', '+')}",
    ],
)  # fmt: skip
def test_lines_and_tables(text: str) -> None:
    read = read_pasted_text(text)
    assert read.entry.parsed is not None
    assert (read.entry.parsed.position, read.entry.line, read.more) == (POSITION, LINE, False)


USI = f"position sfen {CORRECT} moves {PLAYED}"
IN_QUERY = CORRECT.replace(" ", "+").replace("+S", "%2BS")
ADDRESSES_OF_POSITIONS = (
    (f"https://lishogi.org/editor/{ADDRESS}", ()),
    (f"https://lishogi.org/editor/{ADDRESS}?orientation=gote", ()),
    (f"https://lishogi.org/analysis/{ADDRESS}#3\n", ()),
    (f"https://lishogi.org/analysis/standard/{ADDRESS.replace('/', '%2F').replace('+', '%2B')}", ()),
    (f"https://lishogi.org/training/{ADDRESS}", ()),
    (f"https://lishogi.org/editor/{CORRECT_WHITE.replace(' ', '_')}", ()),
    (f"https://www.kento-shogi.com/?initpos={quote(CORRECT, safe='')}#0", ()),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&moves={PLAYED.replace(' ', '.')}", LINE),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&moves={PLAYED.replace(' ', '.')}#3", LINE),
    (f"https://www.kento-shogi.com/?initpos={IN_QUERY}&branch={PLAYED.replace(' ', '.')}&branchFrom=0#0", LINE),
    (f"piyoshogi://?sfen={quote('position sfen ' + CORRECT, safe='')}&mode=mate", ()),
    (f"piyoshogi://?num=0&sfen={quote(USI, safe='')}", LINE),
    (f"https://www.studiok-i.net/ps/?sfen={quote(CORRECT)}&game_name=", ()),
    (f"https://a.example/x?y=1&sfen={CORRECT}", ()),
    (f"https://a.example/?sfen={CORRECT.replace(' ', '+')}", ()),
    (f"https://a.example/?sfen={ADDRESS}", ()),
    (f"https://a.example/?position={quote_plus(f'sfen {CORRECT} moves {PLAYED}')}", LINE),
    (f"https://a.example/share?body={quote(f'sfen {CORRECT}'.replace(' ', '.'), safe='')}", ()),
    (f"https://a.example/games/1#{quote(CORRECT, safe='')}", ()),
    (f"https://a.example/compose#sfen={IN_QUERY}&line={quote_plus(PLAYED)}", LINE),
    (f"file:///tmp/compose.html?sfen={IN_QUERY}&line={quote_plus(PLAYED)}&moves=3", LINE),
    (f"https://a.example/?kif={quote(WRITERS['kif'].write(RECORD))}", LINE),
    (f"https://a.example/?x={quote_plus(WRITERS['csa'].write(RECORD))}", LINE),
)
"""Each with the moves that are its line."""


@pytest.mark.parametrize(("address", "line"), ADDRESSES_OF_POSITIONS)
def test_addresses(address: str, line: tuple[Move, ...]) -> None:
    read = read_pasted_text(address)
    assert (read.form, read.entry.line) == ("address", line)
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == POSITION


HANDICAP = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize(
    ("text", "sfen"),
    [
        (f"position sfen {CORRECT} moves 3d2c 1b1a", CORRECT),
        ("position startpos moves 7g7f", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#1",
         "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (f"position sfen {HANDICAP} moves 5a4b",
         "lnsg1gsnl/5k3/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b rb 1"),
        (f"position sfen {HANDICAP} moves 5a4b 7g7f",
         "lnsg1gsnl/5k3/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w RB 1"),
    ],
)  # fmt: skip
def test_of_the_moves_of_usi_the_last_position_is_meant(text: str, sfen: str) -> None:
    """Moves that all give check may be the solution; what a handicap leaves out is never the attacker's."""
    read = read_pasted_text(text)
    assert read.entry.parsed is not None
    assert read.entry.parsed.position == parse_sfen(sfen).position


def test_texts_of_no_known_format_and_addresses_without_a_position() -> None:
    for text in ("zz", "", "   \n", "今日はいい天気です。", "\0\1\2"):
        with pytest.raises(UnknownTextError):
            read_pasted_text(text)
    for address in (
        "https://lishogi.org/training/AbCdE",
        "https://lishogi.org/",
        "https://example.com/x?y=1",
        "http://[",
        "https://example.com/?moves=5&turn=3",
        "piyoshogi://?url=https://example.com/a.kif",
        "https://shogidb2.com/games/e45b66b8d4e1ba365d4b27f390ccd3661b69b3e0",
    ):
        with pytest.raises(NoPositionError, match="nothing is loaded from the network"):
            read_pasted_text(address)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{CORRECT} moves zz", "not a move in USI notation: 'zz'"),
        ("id,sfen\n1\n", "SFEN"),
        ("4k4/9/9 b - 1", "board has 3 ranks, not 9"),
        (WRITERS["kif"].write(RECORD).replace("２三金", "９三金"), "the piece does not move that way"),
        ("https://lishogi.org/editor/4k4_b_-_1", "board has 1 ranks, not 9"),
        (f"https://example.com/?sfen={CORRECT}&moves=3d2c.zz", "not a move in USI notation: 'zz'"),
        *(
            (f"{CORRECT}\n{after}\n", "line 2: moves after an SFEN")
            for after in ("▲２二金△同玉", "解答：22金", "G-22 K-22")
        ),
        *(
            (text, r"line 1: (neither header|'手番' is given)")
            for text in (f'[{{"sfen": "{CORRECT}"}}]', "[{}]", '{"header": {"手番": "後手"}}')
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as raised:
        read_pasted_text(text)
    assert not isinstance(raised.value, UnknownTextError)
