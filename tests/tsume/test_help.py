# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, corrections of misspelt names, and the languages in which commands print"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from generator.theme_names import NAMES
from scripts.docs import COMMANDS, option_rows, with_option_tables
from tests.places import ROOT
from tests.tsume.conftest import Run, present
from tests.tsume.problems import COOKED, CORRECT, CORRECT_WHITE, GREY, LOOSE, NEEDLESS, NO_MATE
from tsume import __version__
from tsume.cli import _COMMANDS, cli
from tsume.commands.options import locale_language
from tsume.language.catalogue import MIXED, USI, Voice


def commands(group: click.Group = cli, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for word in group.list_commands(context):
        command = present(group.get_command(context, word))
        path = f"{name} {word}".strip()
        yield path, command
        if isinstance(command, click.Group):
            yield from commands(command, path)


ALL = dict(commands())


@pytest.mark.parametrize("name", ALL)
def test_a_command_and_its_options_have_help_and_stand_on_the_page_of_commands(name: str, tsume: Run) -> None:
    assert ALL[name].help
    for parameter in ALL[name].params:
        assert isinstance(parameter, click.Argument) or parameter.help, parameter.name
    shown = tsume(*name.split(), "--help", status=0)
    assert shown.stdout.startswith("Usage: ")
    text = _section(name.split(maxsplit=1)[0])
    assert f"tsume {name}" in text
    missing = set(option_rows(name).values()) - set(COMMANDS.read_text(encoding="utf-8").splitlines())
    assert not missing, f"put <!-- options: {name} --> and <!-- /options --> there, run scripts/docs --options"


def test_the_tables_of_options_on_the_page_are_those_of_the_commands() -> None:
    page = COMMANDS.read_text(encoding="utf-8")
    assert with_option_tables(page) == page, "docs/cli.md differs from the commands: run scripts/docs --options"


def _section(command: str) -> str:
    """The section on a command."""
    page = COMMANDS.read_text(encoding="utf-8")
    own = re.search(rf"^##+ {command}\b.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert own is not None, f"no heading for {command}"
    return own[0]


@pytest.mark.parametrize(("command", "spared"), [
    ("", "numpy sqlalchemy tsume.collection"), ("solve", "tsume_rules.kernel sqlalchemy"),
    ("check", "tsume_rules.kernel sqlalchemy"),
])  # fmt: skip
def test_help_loads_neither_kernels_nor_database(command: str, spared: str) -> None:
    code = f"import sys; sys.argv = [*'tsume {command} --help'.split()]\nfrom tsume.__main__ import main\ntry: main()\n"
    code += f"except SystemExit: print(*sorted(sys.modules.keys() & set('{spared}'.split())), sep=', ')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_misspelt_name_is_corrected(tsume: Run) -> None:
    for line, suggestion in (
        ("generat", "'generate'"), ("gen", "'generate'"), ("expotr -h", "'export'"), ("runs lst", "'list'"),
        ("db upgrad", "'upgrade'"), ("results exprt", "'export'"), ("sol", "'solve'"),
        ("check --all-finding", "'--all-findings'"),
    ):  # fmt: skip
        done = tsume(*line.split(), status=2)
        last = done.stderr.splitlines()[-1]
        assert last.startswith("Error: No such ")
        assert f"id you mean {suggestion}" in last
    assert tsume("zzz").stderr.splitlines()[-1] == "Error: No such command 'zzz'."
    assert tsume("-z").stderr.splitlines()[-1] == "Error: No such option '-z'."
    assert tsume("--version").stdout.strip().endswith(f" {__version__}")


IN_CHECK = "4k4/4R4/9/9/9/9/9/9/9 b - 1"
GIVEN = f"{NEEDLESS} moves 1d1c"
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff01-\uff60]")
IN_BRACKETS = re.compile(r"\([^()]*\)")
ENGLISH = re.compile(r"[A-Za-z]{3,}[ :][a-z]{2,}")
"""Two words, or a word before a colon: no SFEN, no move, no name of an option has them."""

STATELESS: list[tuple[str, ...]] = [
    ("check", CORRECT, COOKED, LOOSE, NO_MATE, GREY, NEEDLESS, CORRECT_WHITE, IN_CHECK, GIVEN),
    ("check", "--moves", "5", CORRECT),
    ("check", "--cross", CORRECT),
    ("solve", "--all-answers", CORRECT, LOOSE, NO_MATE, CORRECT_WHITE, "nonsense"),
    ("solve", "--max-moves", "1", CORRECT),
    ("score", CORRECT),
    ("show", CORRECT),
    ("show", CORRECT_WHITE),
    ("explain", CORRECT, COOKED, NO_MATE),
    ("tree", CORRECT, NO_MATE),
    ("mend", COOKED, "-n", "2"),
    ("mend", CORRECT),
    ("enrich", CORRECT, "-n", "1", "--edits", "1"),
]
STORED: list[tuple[str, ...]] = [
    ("show", "1", "2", "best"), ("list",), ("stats",), ("db", "stats"), ("db", "upgrade"), ("runs", "list"),
    ("runs", "show", "1"), ("edit", "1", "--tag", "x"), ("edit", "2", "--version-of", "1"), ("show", "2"),
]  # fmt: skip


def printed(tsume: Run, arguments: tuple[str, ...], language: str) -> str:
    done = tsume(*arguments, "--lang", language)
    assert done.stdout
    return done.stdout


def is_japanese(text: str) -> bool:
    return ENGLISH.search(text) is None


def is_english(text: str) -> bool:
    """Whether there is nothing Japanese but terms in brackets, and blemishes behind their English names."""
    told = re.sub(r"^Blemishes: .*$", "", text, flags=re.MULTILINE)
    return JAPANESE.search(IN_BRACKETS.sub("", told)) is None


@pytest.mark.parametrize("arguments", STATELESS, ids=lambda words: " ".join(words)[:40])
def test_what_is_said_of_positions_is_in_one_language(tsume: Run, arguments: tuple[str, ...]) -> None:
    assert is_japanese(printed(tsume, arguments, "ja"))
    assert is_english(printed(tsume, arguments, "en"))


def test_what_is_said_of_a_store_is_in_one_language(tsume: Run, store: Path) -> None:
    for arguments in STORED:
        place = (*arguments, "--db", str(store))
        assert is_japanese(printed(tsume, place, "ja").replace(str(store), "")), arguments
        assert is_english(printed(tsume, place, "en")), arguments


def test_the_summary_of_a_run_and_what_was_imported(tsume: Run, tmp_path: Path) -> None:
    place = str(tmp_path / "a.db")
    composed = tsume("generate", "-m", "1", "-n", "1", "--seed", "1", "--db", place, "--lang", "ja")
    assert "実行1 完了: 1題中1題" in composed.stderr
    assert "実行1は終わっています" in tsume("runs", "resume", "1", "--db", place, "--lang", "ja").stderr
    imported = tsume("import", NEEDLESS, "--db", place, "--lang", "ja").stderr
    assert "キズあり: 不要駒" in imported
    assert "1題を登録しました（No. 2）" in imported
    assert "登録済みです" in tsume("import", NEEDLESS, "--db", place, "--lang", "ja").stderr
    assert "不完全作: 余詰" in tsume("import", COOKED, "--db", place, "--lang", "ja").stderr
    refused = tsume("import", COOKED, "--db", place, "--lang", "en").stderr
    assert "unsound: COOK (余詰)" in refused


def test_moves_boards_and_themes_are_those_of_the_language(tsume: Run) -> None:
    assert tsume("solve", CORRECT, "--lang", "ja").stdout == "3手詰: ▲２三金 △１一玉 ▲２二金\n"
    assert tsume("solve", CORRECT, "--lang", "en").stdout == "mate in 3: G-2c K-1a G-2b\n"
    assert tsume("solve", CORRECT).stdout == "mate in 3: 3d2c 1b1a 2c2b\n"
    assert "| .  .  .  .  .  .  .  .  k |b" in tsume("show", CORRECT, "--lang", "en").stdout
    assert tsume("show", CORRECT, "--lang", "en").stdout.endswith("\nG-2c K-1a G-2b  mate in 3\n")
    assert "攻方３五角を" in tsume("mend", COOKED, "--lang", "ja").stdout
    assert "攻方の手番で玉に王手がかかっています" in tsume("check", IN_CHECK, "--lang", "ja").stdout
    _, japanese, times = (printed(tsume, ("themes",), "ja").splitlines()[start::3] for start in range(3))
    english = [line for line in printed(tsume, ("themes",), "en").splitlines() if line.startswith(" ")]
    assert [line.strip() for line in japanese] == [name.japanese_meaning for name in NAMES.values()]
    assert all(JAPANESE.search(line) and is_japanese(line) for line in [*japanese, *times])
    assert is_english("\n".join(english))
    for language in ((), ("--lang", "ja"), ("--lang", "en")):
        text = tsume("check", f"{CORRECT_WHITE} moves 7f8g 9h9i 1a1b", *language).stdout
        assert ("1a1b" in text, "9i9h" in text) == (True, False), "as it was given"


@pytest.mark.parametrize("command", ["check", "mend", "enrich", "solve", "score", "explain"])
def test_json_does_not_depend_on_the_language(tsume: Run, command: str) -> None:
    others = {"enrich": (CORRECT, "--edits", "1", "-n", "2"), "mend": (COOKED, "-n", "2")}
    asked = others.get(command, (COOKED,))

    def fields(*language: str) -> Any:
        found = json.loads(tsume(command, *asked, "--jsonl", *language).stdout)
        return {name: value for name, value in found.items() if name not in ("seconds", "text", "comment")}

    assert fields("--lang", "ja") == fields("--lang", "en") == fields()


def test_the_environment_says_the_language(tsume: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tsume("check", CORRECT, "--lang", "ja").stdout
    explained = tsume("explain", CORRECT, "--lang", "en").stdout
    monkeypatch.setenv("TSUME_LANG", "ja")
    assert tsume("check", CORRECT).stdout == asked
    monkeypatch.setenv("TSUME_LANG", "en")
    assert tsume("check", CORRECT, "--lang", "ja").stdout == asked
    assert tsume("explain", CORRECT).stdout == explained
    monkeypatch.setenv("TSUME_LANG", "fr")
    refused = tsume("check", CORRECT, status=2)
    assert "TSUME_LANG" in refused.stderr


def test_every_command_that_prints_for_people_has_the_option() -> None:
    """All but groups, and what prints nothing there."""
    without = {
        name
        for name, command in ALL.items()
        if not isinstance(command, click.Group) and not any("--lang" in option.opts for option in command.params)
    }
    assert without == {"results export", "worker"}
    assert Voice.of("ja").moves(1) == "1手"
    assert (Voice.of("en").moves(1), Voice.of("en").moves(3)) == ("1 move", "3 moves")
    assert Voice.of("ja").listed("ab") == "a、b"
    assert MIXED.on_board("common.length", length=3) == "3手詰"
    assert USI.on_board("common.length", length=3) == "mate in 3"
    assert Voice.of("ja").known("reasons.mates sooner", "x") == "早詰"
    assert Voice.of("ja").known("reasons.of another version", "x") == "x"
    assert Voice.of("ja").theme("of another version") == "of another version"


def test_the_default_languages_are_those_that_the_page_of_the_commands_says() -> None:
    text = " ".join((ROOT / "docs/cli.md").read_text(encoding="utf-8").split())
    for said in (
        "`explain`, `tree` and the terminal messages of `serve` are in the language of the locale",
        "of `draw`, `book`, `cards`, `site`, `explain --format` and `export --variations`, and the `text` of"
        " `explain --jsonl` are in Japanese;",
        "`check`, `mend`, `enrich`, `show`, `edit` and `import` print English text with Japanese diagrams",
        "`solve`, `games` and `usi` English text with moves in USI, and all other commands use English.",
    ):
        assert said in text
    defaults = {name: _default_language(name) for name in _COMMANDS}
    assert {name for name, found in defaults.items() if found == MIXED} == {
        "check", "mend", "enrich", "show", "edit", "import"
    }  # fmt: skip
    assert {name for name, found in defaults.items() if found == USI} == {"solve", "games", "usi"}
    assert {name for name, found in defaults.items() if found in ("ja", Voice.of("ja"))} == {
        "draw", "book", "cards", "site", "export", "serve"
    }  # fmt: skip
    assert {name for name, found in defaults.items() if found is locale_language} == {"explain", "tree"}


def _default_language(name: str) -> Any:
    """The voice or the language of a command without ``--lang``; None if it has no such option."""
    command = present(cli.get_command(click.Context(cli), name))
    option = next((one for one in command.params if "--lang" in one.opts), None)
    if option is None:
        return None
    if option.name in ("voice", "voices"):
        assert option.callback is not None
        chosen = option.callback(click.Context(command), option, None)
        return chosen[0] if option.name == "voices" else chosen
    return option.default


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "C"}, "en"), ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"), ({"LANG": "ja"}, "ja"), ({"LANG": "jam_JM.UTF-8"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "ja_JP.UTF-8"}, "en"), ({"LC_MESSAGES": "ja_JP.eucJP"}, "ja"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "C.UTF-8"}, "ja"),
    ],
)  # fmt: skip
def test_explanations_follow_the_locale(
    locale: dict[str, str], language: str, tsume: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "TSUME_LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    for command in ("explain", "tree"):
        assert tsume(command, CORRECT).stdout == tsume(command, CORRECT, "--lang", language).stdout
        json_text = tsume(command, CORRECT, "--jsonl").stdout
        assert json_text == tsume(command, CORRECT, "--lang", "ja", "--jsonl").stdout
    assert tsume("solve", CORRECT).stdout == "mate in 3: 3d2c 1b1a 2c2b\n"
    assert tsume("--help").stdout.startswith("Usage: ")
    monkeypatch.setenv("TSUME_LANG", "ja")
    assert tsume("solve", CORRECT).stdout == "3手詰: ▲２三金 △１一玉 ▲２二金\n"
    assert tsume("solve", CORRECT, "--lang", "en").stdout == "mate in 3: G-2c K-1a G-2b\n"
