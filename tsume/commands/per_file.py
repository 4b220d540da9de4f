# SPDX-License-Identifier: GPL-3.0-or-later
"""``--per-file``: the answers to each file of positions go to a file of their own."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from db.errors import store_place_name
from tsume.commands.answering import AnswerBatch, PrintedAnswer, print_answers, unchanged_answer
from tsume.commands.options import F, json_text
from tsume.files.inputs import (
    EMPTY_FOLDER,
    Entry,
    PositionInputs,
    UnreadableFile,
    UnreadEntry,
    files_of,
    is_file,
    is_folder,
)
from tsume.files.writing import FileError, make_folder, require_usable_output, write_file
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import RecordWriter
from tsume.formats.text import UnencodableError, text_excerpt
from tsume.language.catalogue import Voice
from tsume.progress import AnswerProgress

# ---------------------------------------------------------------------------------------------------
#
# Manuscripts, files of positions that a command is given, and the file of results of each.


@dataclass(frozen=True)
class Manuscript:
    """A file of positions; ``name`` is its path from the folder that was given, or its name alone."""

    path: Path
    name: Path
    modified: int = 0
    """When it was changed before it was read, in nanoseconds."""


def manuscripts_of(places: Sequence[str], *, recursive: bool) -> list[Manuscript]:
    """Return the manuscripts that files and folders are or hold, each once.

    Raises `click.ClickException` for a folder without any.
    """
    found: dict[Path, Manuscript] = {}
    for place in places:
        files = files_of(place, recursive=recursive)
        if not files:
            raise click.ClickException(f"{store_place_name(place)}: {EMPTY_FOLDER}")
        for file in map(Path, files):
            found.setdefault(file, Manuscript(file, file.relative_to(place) if is_folder(place) else Path(file.name)))
    return list(found.values())


@dataclass(frozen=True)
class ResultPlaces:
    """Where results are written: beside the manuscripts, or in a ``folder`` with the same subfolders.

    They are called ``NAME.kind`` with the ``ending``, for ``NAME`` with its own ending.
    """

    kind: str
    ending: str
    folder: Path | None = None

    def place(self, manuscript: Manuscript) -> Path:
        """Return the file of the results of a manuscript."""
        beside = manuscript.path if self.folder is None else self.folder / manuscript.name
        return beside.with_name(f"{beside.name}.{self.kind}{self.ending}")

    def is_done(self, manuscript: Manuscript) -> bool:
        """Return whether there are results that are not older than the manuscript."""
        try:
            written = self.place(manuscript).stat().st_mtime_ns
            return written >= manuscript.path.stat().st_mtime_ns
        except OSError:
            return False

    def write(self, manuscript: Manuscript, data: bytes) -> None:
        """Write results whole or not at all; a manuscript changed meanwhile is newer than they are.

        Raises `FileError`.
        """
        place = self.place(manuscript)
        make_folder(place.parent)
        write_file(place, data)
        if _modified(manuscript.path) != manuscript.modified:
            os.utime(place, ns=(manuscript.modified, manuscript.modified))

    def require_writable(self, manuscripts: Sequence[Manuscript]) -> None:
        """Raise `FileError` for a folder in which no results can be written, or for two in one place."""
        places: dict[Path, Manuscript] = {}
        for one in manuscripts:
            other = places.setdefault(self.place(one), one)
            if other is not one:
                raise FileError(f"{other.path} and {one.path} would have their results in one file")
        for folder in dict.fromkeys(place.parent for place in places):
            if self.folder is not None:
                make_folder(folder)
            if not os.access(folder, os.W_OK | os.X_OK):
                fault = f"{store_place_name(str(folder))}: {os.strerror(errno.EACCES)}"
                raise FileError(fault + "; -o FOLDER writes the results elsewhere" * (self.folder is None))


class GivenEntry(NamedTuple):
    """Which position of which manuscript is answered: its place in words, whether it is the last one."""

    manuscript: Manuscript
    place: str
    is_last: bool


class ManuscriptInputs(PositionInputs):
    """Iterates over the positions of manuscripts; `next_given` says of each answer what it answers."""

    def __init__(self, manuscripts: Sequence[Manuscript], at: int | None = None) -> None:
        super().__init__((), tuple(str(one.path) for one in manuscripts), allow_none=True, at=at)
        self._manuscripts = manuscripts
        self._given: deque[GivenEntry] = deque()

    def number(self) -> int:
        """Return how many manuscripts there are."""
        return len(self._manuscripts)

    def next_given(self) -> GivenEntry:
        """Return what the next answer belongs to; answers come in the order of the positions."""
        return self._given.popleft()

    def _all_entries(self) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        for one in self._manuscripts:
            manuscript = replace(one, modified=_modified(one.path))
            found = self._entries_from_file(str(one.path))
            waiting = next(found)  # at least that it has none
            for following in found:
                yield self._noted(manuscript, waiting, is_last=False)
                waiting = following
            yield self._noted(manuscript, waiting, is_last=True)

    def _noted(
        self, manuscript: Manuscript, found: Entry | UnreadEntry | UnreadableFile, *, is_last: bool
    ) -> Entry | UnreadEntry | UnreadableFile:
        self._given.append(GivenEntry(manuscript, found.place, is_last))
        return found


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


# --- the options and the files ---------------------------------------------------------------------

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
        "--force", is_flag=True, help="With --per-file: also answer files whose results are newer than they are."
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

    def __init__(self, inputs: ManuscriptInputs, places: ResultPlaces, content: FileContent, skipped: int) -> None:
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
            manuscript = given.manuscript
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
            self._answers.clear()

    def summary(self, voice: Voice) -> str:
        """Return what was done, in one line."""
        counts = voice.listed(
            voice(f"per_file.{name}", number=self._outcomes[name]) for name in OUTCOMES if self._outcomes[name]
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
    """Return the folder of ``-o``, if it is given. Raises `click.ClickException` for a file."""
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
    """Return the texts, in UTF-8, each below its place if there are several."""
    parts = []
    for place, answer in ((one.place, one.answer) for one in answers):
        head = answer.complaint or (f"{place}:" if len(answers) > 1 else "")
        parts.append("\n".join(filter(None, (head, answer.text))))
    return ("\n\n".join(parts) + "\n").encode(errors="replace")


def json_content(answers: Sequence[_PlacedAnswer]) -> bytes:
    """Return the lines of JSON; of a file that cannot be read, one with an error."""
    lines = (one.answer.text or json_text(sfen="", error=one.answer.complaint) for one in answers)
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")


@dataclass(frozen=True)
class RecordContent:
    """A game record; a comment where there is none. Raises ValueError for several."""

    writer: RecordWriter
    encoding: str

    def __call__(self, answers: Sequence[_PlacedAnswer]) -> bytes:
        """Return the bytes of the file."""
        if len(answers) > 1:
            raise ValueError(f"{len(answers)} positions, but a {self.writer.name} file holds one")
        (answer,) = (one.answer for one in answers)
        record: GameRecord | None = getattr(answer, "record", None)
        if record is not None:
            return self.writer.data(self.writer.text([record]), self.encoding)
        written = f"# {answer.complaint}\n"
        if self.writer.name == "JKF":
            empty: dict[str, Any] = {"header": {}, "moves": [{"comments": [answer.complaint]}]}
            written = json.dumps(empty, ensure_ascii=False) + "\n"
        try:
            return self.writer.data(written, self.encoding)
        except UnencodableError:
            return self.writer.data(written.encode("ascii", "backslashreplace").decode(), self.encoding)
