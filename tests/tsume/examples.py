# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the pages: commands and what they print, in blocks marked ``console``.

``python -m tests.tsume.examples PAGE...`` runs the commands of pages and updates the output on the
pages. ``...`` in an output stands for any text on one line. Commands of Japanese pages, whose names end in
``.ja.md``, run with ``TSUME_LANG=ja``.
"""

import contextlib
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from click import Command
from click.testing import CliRunner

from papers.__main__ import papers
from tsume.cli import cli

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = "$ "
_ANYTHING = "..."
_PROGRESS = re.compile(
    r"\d+ of \d+( files| positions)?($|\r| found in |, .* left$)|\d+題中\d+題（.*経過）|"
    r"looking for mates in |\d+手詰を創作中|compiling kernels, once after they change: |compiling: \d+ of |"
    r"building the solver for browsers, "
)
_PROGRAMS: dict[str, Command] = {"tsume": cli, "scripts/papers": papers}
_CHANGING = re.compile(r"\d+\.\d+ s\b|\d+\.\d+ a minute|\d+\.\d+秒|毎分\d+\.\d+題")
"""Times and rates: they differ from run to run."""


@dataclass(frozen=True)
class Example:
    """A command as the page has it, without the prompt, and what it prints."""

    command: str
    output: str

    @property
    def arguments(self) -> list[str]:
        """The words after the program."""
        return shlex.split(self.command, comments=True)[1:]

    def run(self, settings: Mapping[str, str] | None = None) -> str:
        """What the command prints on both streams, 100 columns wide, run in the current folder."""
        environment = {"COLUMNS": "100", "NO_COLOR": "1", **(settings or {})}
        program = _PROGRAMS[shlex.split(self.command)[0]]
        return CliRunner().invoke(program, self.arguments, env=environment, catch_exceptions=False).output

    def prints(self, output: str) -> bool:
        """Whether this output is the one on the page."""
        promised = (_pattern(line) for line in trimmed(self.output).splitlines())
        return re.fullmatch("\n".join(promised), trimmed(output)) is not None


def _pattern(line: str) -> str:
    parts = (re.escape(part) for part in _CHANGING.sub(_ANYTHING, line).split(_ANYTHING))
    return "[^\n]*".join(parts)


def trimmed(output: str) -> str:
    """An output without lines of progress and without spaces at line ends."""
    lines = (line.rstrip() for line in output.rstrip().splitlines())
    return "\n".join(line for line in lines if not _PROGRESS.match(line)).rstrip()


def examples(page: str) -> list[Example]:
    """The examples of a page, in order."""
    return [example for block in _BLOCK.findall(page) for example in _of_block(block)]


def _of_block(block: str) -> Iterator[Example]:
    command, output = "", ""
    for line in block.splitlines(keepends=True):
        if line.startswith(_PROMPT):
            if command:
                yield Example(command, output)
            command, output = line.removeprefix(_PROMPT).rstrip(), ""
        else:
            output += line
    if command:
        yield Example(command, output)


def language_settings(name: str) -> dict[str, str]:
    """The environment in which the commands of a page run, by the name of its file."""
    return {"TSUME_LANG": "ja"} if name.endswith(".ja.md") else {}


def rewritten(page: str, settings: Mapping[str, str] | None = None) -> str:
    """The page with each output replaced that is not what the command prints now."""

    def block(found: re.Match[str]) -> str:
        texts = [updated(example) for example in _of_block(found[1])]
        between = "\n\n" if any("\n" in text for text in texts) else "\n"
        return f"```console\n{between.join(texts)}\n```"

    def updated(example: Example) -> str:
        output = example.run(settings)
        kept = example.output.rstrip() if example.prints(output) else trimmed(output)
        return f"{_PROMPT}{example.command}\n{kept}".rstrip()

    return _BLOCK.sub(block, page)


def _main(pages: list[str]) -> None:
    for page in map(Path.resolve, map(Path, pages)):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = rewritten(page.read_text(encoding="utf-8"), language_settings(page.name))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
