# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command and option has a help text, and is described in docs/cli.md."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from tests.places import ROOT
from tests.tsume.conftest import Run
from tsume import __version__
from tsume.cli import cli

COMMANDS = ROOT / "docs" / "cli.md"


def commands(group: click.Group = cli, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        path = f"{name} {word}".strip()
        yield path, command
        if isinstance(command, click.Group):
            yield from commands(command, path)


ALL = dict(commands())


@pytest.mark.parametrize("name", ALL)
def test_a_command_and_its_options_have_help(name: str, tsume: Run) -> None:
    assert ALL[name].help
    for parameter in ALL[name].params:
        assert isinstance(parameter, click.Argument) or parameter.help, parameter.name
    shown = tsume(*name.split(), "--help")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("Usage: ")


@pytest.mark.parametrize("name", ALL)
def test_the_commands_page_names_a_command_and_its_options(name: str) -> None:
    text = _section(name.split(maxsplit=1)[0])
    assert f"tsume {name}" in text
    options = (p for p in ALL[name].params if isinstance(p, click.Option))
    named = (word for o in options for word in (o.opts[-1], *o.secondary_opts))
    assert [word for word in named if not re.search(rf"{word}(?![\w-])", text)] == []


def _section(command: str) -> str:
    """The section on a command, and the shared sections before the commands."""
    page = COMMANDS.read_text(encoding="utf-8")
    shared = page[: page.index("\n## generate\n")]
    own = re.search(rf"^##+ {command}\b.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert own is not None, f"no heading for {command}"
    return shared + own[0]


def test_help_loads_no_compiler() -> None:
    code = (
        "import sys; sys.argv = ['tsume', '--help']\n"
        "from tsume.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_the_version_is_printed(tsume: Run) -> None:
    assert tsume("--version").stdout.strip().endswith(f" {__version__}")


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("generat", "'generate'"),
        ("gen", "'generate'"),
        ("expotr -h", "'export'"),
        ("runs lst", "'list'"),
        ("db upgrad", "'upgrade'"),
        ("results exprt", "'export'"),
        ("sol", "'solve'"),
        ("check --all-finding", "'--all-findings'"),
    ],
)
def test_a_misspelt_name_is_corrected(line: str, suggestion: str, tsume: Run) -> None:
    done = tsume(*line.split())
    assert done.exit_code == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: No such ")
    assert f"id you mean {suggestion}" in last


def test_a_name_like_none_is_an_error_without_a_suggestion(tsume: Run) -> None:
    assert tsume("zzz").stderr.splitlines()[-1] == "Error: No such command 'zzz'."
    assert tsume("-z").stderr.splitlines()[-1] == "Error: No such option '-z'."
