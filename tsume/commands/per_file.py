# SPDX-License-Identifier: GPL-3.0-or-later
"""``--per-file``: the answers to each file of positions go to a file of their own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tsume.commands.answering import AnswerBatch, PrintedAnswer, print_answers, unchanged_answer
from tsume.commands.options import F
from tsume.commands.output import json_text
from tsume.files.folders import is_file
from tsume.files.manuscripts import Manuscript, ManuscriptInputs, ResultPlaces, manuscripts_of
from tsume.files.writing import require_usable_output
from tsume.formats.errors import UnencodableError, text_excerpt
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import RecordWriter
from tsume.language.voice import Voice
from tsume.progress import AnswerProgress

OUTCOMES = ("perfect", "sound", "unsound", "explained", "unresolved", "unreadable", "unwritten")
"""What may come of a position, in the order of the summary."""
HINT = "what is written is kept; run the command again to continue"


def per_file_options(command: F) -> F:
    """``--per-file``, ``--force`` and ``--no-recursive``: the command gets three flags."""
    command = click.option(
        "--recursive/--no-recursive", default=True,
        help="Read folders with the folders in them, which is the default, or without.",
    )(command)  # fmt: skip
    command = click.option(
        "--force",
        is_flag=True,
        help="With --per-file: also answer files whose results are newer than they are.",
    )(command)
    return click.option(
        "--per-file", is_flag=True,
        help="Write the answers to each file into a file beside it, or with -o in a folder, not to stdout.",
    )(command)  # fmt: skip


@dataclass(frozen=True)
class _PlacedAnswer:
    """An answer and, in words, to what."""

    place: str
    answer: PrintedAnswer


FileContent = Callable[[Sequence[_PlacedAnswer]], bytes]
"""The bytes of a file of results. Raises ValueError for answers that it cannot hold."""


class ResultFiles:
    """Takes the answers in their order and writes the file of each manuscript once it is complete."""

    def __init__(
        self, inputs: ManuscriptInputs, places: ResultPlaces, content: FileContent, skipped: int
    ) -> None:
        self.inputs = inputs
        self.written = 0
        self.good = True
        """Whether all answers could be written."""
        self._places = places
        self._content = content
        self._skipped = skipped
        self._answers: list[_PlacedAnswer] = []
        self._outcomes: Counter[str] = Counter()

    def take(self, answer: PrintedAnswer, progress: AnswerProgress) -> None:
        """Take the next answer. Raises `tsume.files.writing.FileError`."""
        given = self.inputs.next_given()
        self._answers.append(_PlacedAnswer(given.place, answer))
        if answer.complaint:
            _complain(answer.complaint, progress)
        if given.is_last:
            self._write(given.manuscript, progress)
            self._answers.clear()

    def _write(self, manuscript: Manuscript, progress: AnswerProgress) -> None:
        try:
            data = self._content(self._answers)
            self._outcomes.update(one.answer.outcome for one in self._answers)
        except ValueError as error:
            self._outcomes["unwritten"] += len(self._answers)
            fault = f"{manuscript.path}: {error}"
            _complain(fault, progress)
            self.good = False
            data = self._content([_PlacedAnswer("", PrintedAnswer(complaint=fault, good=False))])
        self._places.write(manuscript, data)
        self.written += 1

    def summary(self, voice: Voice) -> str:
        """What was done, in one line."""
        counts = voice.listed(
            voice(f"per_file.{name}", number=self._outcomes[name])
            for name in OUTCOMES
            if self._outcomes[name]
        )
        told = voice("per_file.summary", files=self.written, counts=counts) if counts else ""
        skipped = voice("per_file.skipped", files=self._skipped) if self._skipped else ""
        return "; ".join(filter(None, (told, skipped)))


def _complain(text: str, progress: AnswerProgress | None) -> None:
    with progress.aside() if progress else nullcontext():
        click.echo(text, err=True)


def result_files(
    places: ResultPlaces,
    content: FileContent,
    given: Sequence[str],
    *,
    force: bool,
    recursive: bool,
    at: int | None = None,
) -> ResultFiles:
    """The files of results of ``given`` files and folders, without those that are done unless ``force``.

    Raises `click.ClickException` for what is no manuscript, and where no results can be written.
    """
    if not given or not all(one != "-" and is_file(one) for one in given):
        wrong = next((f": {text_excerpt(one)} is neither" for one in given if not is_file(one)), "")
        raise click.UsageError(f"--per-file needs files or folders{wrong}")
    found = manuscripts_of(given, recursive=recursive)
    waiting = [one for one in found if force or not places.is_done(one)]
    places.require_writable(waiting)
    return ResultFiles(ManuscriptInputs(waiting, at), places, content, len(found) - len(waiting))


def result_folder(output: str | None) -> Path | None:
    """The folder of ``-o``, if it is given. Raises `click.ClickException` for a file."""
    require_usable_output(output)
    if output is None:
        return None
    if output == "-" or Path(output).is_file():
        raise click.UsageError("--per-file needs a folder for -o")
    return Path(output)


def require_per_file(per_file: bool, *, force: bool, skip: int) -> None:
    """Raise `click.UsageError` for options that do not go together."""
    if force and not per_file:
        raise click.UsageError("--force needs --per-file")
    if skip and per_file:
        raise click.UsageError("--skip and --per-file exclude each other")


def print_or_write_answers(
    batch: AnswerBatch,
    results: ResultFiles | None,
    voice: Voice,
    finish: Callable[[int, Any], PrintedAnswer] = unchanged_answer,
) -> bool:
    """Print the answers, or write them to the files of results; returns whether all of them are good."""
    if results is None:
        return print_answers(batch, finish)
    good = print_answers(replace(batch, inputs=results.inputs, sink=results, hint=HINT))
    click.echo(results.summary(voice), err=True)
    return good and results.good


def text_content(answers: Sequence[_PlacedAnswer]) -> bytes:
    """The texts, in UTF-8, each below its place if there are several."""
    parts = []
    for place, answer in ((one.place, one.answer) for one in answers):
        head = answer.complaint or (f"{place}:" if len(answers) > 1 else "")
        parts.append("\n".join(filter(None, (head, answer.text))))
    return ("\n\n".join(parts) + "\n").encode(errors="replace")


def json_content(answers: Sequence[_PlacedAnswer]) -> bytes:
    """The lines of JSON; of a file that cannot be read, one with an error."""
    lines = (one.answer.text or json_text(sfen="", error=one.answer.complaint) for one in answers)
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")


@dataclass(frozen=True)
class RecordContent:
    """A game record; a comment where there is none. Raises ValueError for several."""

    writer: RecordWriter
    encoding: str

    def __call__(self, answers: Sequence[_PlacedAnswer]) -> bytes:
        """The bytes of the file."""
        if len(answers) > 1:
            raise ValueError(f"{len(answers)} positions, but a {self.writer.name} file holds one")
        (answer,) = (one.answer for one in answers)
        record: GameRecord | None = getattr(answer, "record", None)
        if record is not None:
            return self.writer.data(self.writer.text([record]), self.encoding)
        return self._comment(answer.complaint)

    def _comment(self, text: str) -> bytes:
        written = f"# {text}\n"
        if self.writer.name == "JKF":
            empty: dict[str, Any] = {"header": {}, "moves": [{"comments": [text]}]}
            written = json.dumps(empty, ensure_ascii=False) + "\n"
        try:
            return self.writer.data(written, self.encoding)
        except UnencodableError:
            return self.writer.data(written.encode("ascii", "backslashreplace").decode(), self.encoding)
