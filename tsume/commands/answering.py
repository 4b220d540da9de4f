# SPDX-License-Identifier: GPL-3.0-or-later
"""What solve, check, explain, tree and score share: they answer each position of their input by itself.

They print the answers or, with ``--per-file``, write those to each file of positions into a file of their own.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click

from db.errors import store_place_name
from generator.run.processes import WorkerLostError
from tsume.commands.options import F, combined_options, flag, grouped_options, jobs_option, json_text, print_line
from tsume.files.inputs import (
    EMPTY_FOLDER,
    Entry,
    PositionInputs,
    UnreadableFile,
    UnreadEntry,
    complaint_line,
    files_at_path,
    is_file,
    is_folder,
)
from tsume.files.writing import FileError, make_folder, require_usable_output, write_file
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import RecordWriter
from tsume.formats.text import UnencodableError, text_excerpt
from tsume.language.catalogue import Voice
from tsume.parallel.ordered_map import ordered_map
from tsume.progress import AnswerProgress

INTERRUPTED = 130
"""The exit status."""
Found = Entry | UnreadEntry | UnreadableFile


@dataclass(frozen=True)
class PrintedAnswer:
    """What is printed about a position; empty texts are not.

    ``text`` goes to stdout, ``complaint`` to stderr, before it. ``good``: the exit status may be 0.
    ``outcome`` is counted in the summary of files of results.
    """

    text: str = ""
    complaint: str = ""
    good: bool = True
    outcome: str = "unreadable"


THREADS_OF_ONE = "For one position: number of threads in one process (1)."
"""What is to be said of ``-j`` if a command searches by `threads_and_processes`."""


def batch_options(more: str = "") -> Callable[[F], F]:
    """``-j`` and ``--skip``: the command gets ``jobs`` and ``skip``; ``more`` is to be said of ``-j``."""
    text = (
        "Number of processes, each with its own --memory; it does not change the answers. By default one; "
        "one per processor if it takes a while and many positions, or long ones, are waiting."
    )
    jobs = jobs_option(f"{text} {more}".rstrip())
    skip = click.option(
        "--skip", type=click.IntRange(0), default=0, metavar="N",
        help="Skip the first N positions, such as those answered before an interruption.",
    )  # fmt: skip
    return combined_options(jobs, skip)


def threads_and_processes(inputs: PositionInputs, jobs: int | None) -> tuple[int, int | None]:
    """How many threads search a position, and how many processes share the positions (None: as many as pay).

    One position has all ``jobs`` as threads.
    """
    return (jobs, 1) if jobs is not None and inputs.number() == 1 else (1, jobs)


def print_answers(
    inputs: PositionInputs,
    jobs: int | None,
    make: Callable[[], Callable[[Any], Any]],
    skip: int = 0,
    *,
    results: ResultFiles | None = None,
    hint: str = "continue with --skip {done}",
    has_few_answers: bool = False,
    finish: Callable[[int, Any], PrintedAnswer] = lambda _number, answer: answer,
    look: Callable[[Entry], Any] | None = None,
) -> bool:
    """Answer all positions but the first ``skip`` in their order; returns whether all answers are good.

    By ``jobs`` processes (None: as many as pay). ``make`` makes, in each process, what answers one position; it is
    pickled. ``look`` is called with each position beforehand, and a process gets what it returns. ``finish`` gets what
    was made of a position, with the position's number, from 1 on, and returns what is to be printed. Both are called
    in this process, in order. Answers go to stdout and stderr, or to the ``results``, which have the inputs then.
    ``has_few_answers``: most positions print nothing. An interruption says how many positions were answered, and by
    the ``hint`` how to go on when ``done`` are, and ends the command: raises `click.exceptions.Exit`.
    """
    if results is not None:
        inputs, hint = results.inputs, HINT
    good, done = True, skip
    prepare = look and partial(_looked_at, look)
    work = ordered_map(partial(_complaining_answerer, make), inputs.entries(skip), jobs, prepare)
    try:
        display = AnswerProgress(inputs.number, done, of_files=results is not None, has_few_answers=has_few_answers)
        with display as progress, closing(work) as all_made:
            for made in all_made:
                is_read = not isinstance(made, _UnreadableFileAnswer)
                answer = finish(done + 1, made) if is_read else made
                good &= answer.good
                if results is None:
                    print_answer(answer, progress)
                else:
                    results.take(answer, progress)
                done += is_read  # only now: what an interruption left unprinted is not skipped next time
                progress.update(done if results is None else results.written)
    except (KeyboardInterrupt, WorkerLostError) as error:
        told = f" after {done} position{'s' * (done != 1)}; {hint.format(done=done)}" if done else ""
        if isinstance(error, WorkerLostError):
            raise click.ClickException(f"{error}{told}") from None
        after_echo = "\n" if sys.stderr.isatty() else ""  # a terminal has shown ^C
        click.echo(f"{after_echo}interrupted{told or ' before the first answer'}", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    if results is not None:
        click.echo(results.summary(), err=True)
        good &= results.good
    return good


def print_answer(answer: PrintedAnswer, progress: AnswerProgress | None = None) -> None:
    """Print what an answer says, aside of the progress that is shown."""
    if answer.complaint:
        with progress.aside() if progress else nullcontext():
            click.echo(answer.complaint, err=True)
    if answer.text:
        with progress.aside() if progress and sys.stdout.isatty() else nullcontext():
            print_line(answer.text)


class _UnreadableFileAnswer(PrintedAnswer):
    """Stands for a file that cannot be read."""


def _looked_at(look: Callable[[Entry], Any], found: Found) -> Any:
    if isinstance(found, UnreadableFile):
        return found
    return look(found.read() if isinstance(found, UnreadEntry) else found)


def _complaining_answerer(make: Callable[[], Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Make what answers a position, and says that a file cannot be read."""
    answer = make()

    def answer_or_complain(found: Any) -> Any:
        if isinstance(found, UnreadableFile):
            return _UnreadableFileAnswer(complaint=complaint_line(found.place, found.fault), good=False)
        entry = found.read() if isinstance(found, UnreadEntry) else found
        made = answer(entry)
        if isinstance(made, PrintedAnswer) and isinstance(entry, Entry) and entry.note:
            told = [complaint_line(entry.place, entry.note), made.complaint]
            return replace(made, complaint="\n".join(filter(None, told)))
        return made

    return answer_or_complain


# --- ``--per-file``: manuscripts, which are files of positions, and the file of results of each ----

OUTCOMES = ("perfect", "sound", "unsound", "explained", "unresolved", "unreadable", "unwritten")
"""What may come of a position, in the order of the summary."""
HINT = "what is written is kept; run the command again to continue"
FileContent = Callable[[Sequence[tuple[str, PrintedAnswer]]], bytes]
"""The bytes of a file of results, of answers with their places. Raises ValueError for those it cannot hold."""


@dataclass(frozen=True)
class GivenPositions:
    """Positions for a command that may answer ``per_file``."""

    sfens: tuple[str, ...]
    files: tuple[str, ...]
    at: int | None
    skip: int
    per_file: bool
    force: bool
    recursive: bool

    def __post_init__(self) -> None:
        if self.force and not self.per_file:
            raise click.UsageError("--force needs --per-file")
        if self.skip and self.per_file:
            raise click.UsageError("--skip and --per-file exclude each other")

    @cached_property
    def inputs(self) -> PositionInputs:
        """The positions in their order."""
        return PositionInputs(self.sfens, self.files, recursive=self.recursive, allow_none=self.per_file, at=self.at)

    def results(
        self, kind: str, ending: str, content: FileContent, output: str | None, voice: Voice
    ) -> ResultFiles | None:
        """Return the files of results, if they are wanted, without those that are done unless ``force``.

        They are called ``NAME.kind`` with the ``ending``, beside the manuscripts or in the folder ``output``.
        Raises `click.ClickException` for what is no manuscript, and where no results can be written.
        """
        if not self.per_file:
            return None
        require_usable_output(output)
        if output is not None and (output == "-" or Path(output).is_file()):
            raise click.UsageError("--per-file needs a folder for -o")
        given = (*self.sfens, *self.files)
        if not given or not all(one != "-" and is_file(one) for one in given):
            wrong = next((f": {text_excerpt(one)} is neither" for one in given if not is_file(one)), "")
            raise click.UsageError(f"--per-file needs files or folders{wrong}")
        folder = None if output is None else Path(output)
        found: dict[Path, PositionFile] = {}
        for place in given:
            files = files_at_path(place, recursive=self.recursive)
            if not files:
                raise click.ClickException(f"{store_place_name(place)}: {EMPTY_FOLDER}")
            for file in map(Path, files):
                name = file.relative_to(place) if is_folder(place) else Path(file.name)
                beside = file if folder is None else folder / name
                result = beside.with_name(f"{beside.name}.{kind}{ending}")
                found.setdefault(file, PositionFile(file, result))
        waiting = [one for one in found.values() if self.force or not one.is_done()]
        _require_writable(waiting, folder)
        inputs = PositionFileInputs(waiting, self.at)
        return ResultFiles(inputs, content, len(found) - len(waiting), voice)


per_file_options = grouped_options(
    "given", GivenPositions,
    flag(
        "--per-file",
        help="Write the answers to each file into a file beside it, or with -o in a folder, not to stdout.",
    ),
    flag("--force", help="With --per-file: also answer files whose results are newer than they are."),
    click.option(
        "--recursive/--no-recursive", default=True,
        help="Read folders with the folders in them, which is the default, or without.",
    ),
    also=("sfens", "files", "at", "skip"),
)  # fmt: skip
"""``--per-file``, ``--force`` and ``--no-recursive``, with the options that give the positions."""


@dataclass(frozen=True)
class PositionFile:
    """A file of positions, and that of its results."""

    path: Path
    result: Path
    modified: int = 0
    """When the manuscript was changed before it was read, in nanoseconds."""

    def is_done(self) -> bool:
        """Return whether there are results that are not older than the manuscript."""
        try:
            return self.result.stat().st_mtime_ns >= self.path.stat().st_mtime_ns
        except OSError:
            return False

    def write(self, data: bytes) -> None:
        """Write results whole or not at all; a manuscript changed meanwhile is newer than they are.

        Raises `FileError`.
        """
        make_folder(self.result.parent)
        write_file(self.result, data)
        if _modified(self.path) != self.modified:
            os.utime(self.result, ns=(self.modified, self.modified))


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _require_writable(manuscripts: Sequence[PositionFile], results_folder: Path | None) -> None:
    """Raise `FileError` for a folder in which no results can be written, or for two in one place."""
    places: dict[Path, PositionFile] = {}
    for one in manuscripts:
        other = places.setdefault(one.result, one)
        if other is not one:
            raise FileError(f"{other.path} and {one.path} would have their results in one file")
    for folder in dict.fromkeys(place.parent for place in places):
        if results_folder is not None:
            make_folder(folder)
        if not os.access(folder, os.W_OK | os.X_OK):
            fault = f"{store_place_name(str(folder))}: {os.strerror(errno.EACCES)}"
            raise FileError(fault + "; -o FOLDER writes the results elsewhere" * (results_folder is None))


class PositionFileInputs(PositionInputs):
    """Iterates over the positions of manuscripts; ``waiting`` says of each what is still to be answered.

    That is its manuscript, its place in words, and whether it is the last one there; answers come in the order
    of the positions.
    """

    def __init__(self, manuscripts: Sequence[PositionFile], at: int | None = None) -> None:
        super().__init__((), tuple(str(one.path) for one in manuscripts), allow_none=True, at=at)
        self._manuscripts = manuscripts
        self.waiting: deque[tuple[PositionFile, str, bool]] = deque()

    def number(self) -> int:
        """Return how many manuscripts there are."""
        return len(self._manuscripts)

    def _all_entries(self) -> Iterator[Found]:
        for one in self._manuscripts:
            manuscript = replace(one, modified=_modified(one.path))
            entries = self._entries_from_file(str(one.path))
            found: Found | None = next(entries)  # at least that it has none
            while found is not None:
                following = next(entries, None)
                self.waiting.append((manuscript, found.place, following is None))
                yield found
                found = following


class ResultFiles:
    """Takes the answers in their order and writes the file of each manuscript once it is complete."""

    def __init__(self, inputs: PositionFileInputs, content: FileContent, skipped: int, voice: Voice) -> None:
        self.inputs = inputs
        self.written = 0
        self.good = True
        """Whether all answers could be written."""
        self._content = content
        self._skipped = skipped
        self._voice = voice
        self._answers: list[tuple[str, PrintedAnswer]] = []
        self._outcomes: Counter[str] = Counter()

    def take(self, answer: PrintedAnswer, progress: AnswerProgress) -> None:
        """Take the next answer. Raises `tsume.files.writing.FileError`."""
        manuscript, place, is_last = self.inputs.waiting.popleft()
        self._answers.append((place, answer))
        print_answer(PrintedAnswer(complaint=answer.complaint), progress)
        if is_last:
            try:
                data = self._content(self._answers)
                self._outcomes.update(one.outcome for _, one in self._answers)
            except ValueError as error:
                self._outcomes["unwritten"] += len(self._answers)
                self.good = False
                unwritten = PrintedAnswer(complaint=f"{manuscript.path}: {error}", good=False)
                print_answer(unwritten, progress)
                data = self._content([("", unwritten)])
            manuscript.write(data)
            self.written += 1
            self._answers.clear()

    def summary(self) -> str:
        """Return what was done, in one line."""
        voice = self._voice
        counts = voice.listed(
            voice(f"per_file.{name}", number=self._outcomes[name]) for name in OUTCOMES if self._outcomes[name]
        )
        told = voice("per_file.summary", files=self.written, counts=counts) if counts else ""
        skipped = voice("per_file.skipped", files=self._skipped) if self._skipped else ""
        return "; ".join(filter(None, (told, skipped)))


def answers_as_text(answers: Sequence[tuple[str, PrintedAnswer]]) -> bytes:
    """Return the texts, in UTF-8, each below its place if there are several."""
    parts = []
    for place, answer in answers:
        head = answer.complaint or (f"{place}:" if len(answers) > 1 else "")
        parts.append("\n".join(filter(None, (head, answer.text))))
    return ("\n\n".join(parts) + "\n").encode(errors="replace")


def answers_as_json(answers: Sequence[tuple[str, PrintedAnswer]]) -> bytes:
    """Return the lines of JSON; of a file that cannot be read, one with an error."""
    lines = (one.text or json_text(sfen="", error=one.complaint) for _, one in answers)
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")


def answers_as_record(writer: RecordWriter, encoding: str, answers: Sequence[tuple[str, PrintedAnswer]]) -> bytes:
    """Return a game record; a comment where there is none. Raises ValueError for several."""
    if len(answers) > 1:
        raise ValueError(f"{len(answers)} positions, but a {writer.name} file holds one")
    ((_, answer),) = answers
    record: GameRecord | None = getattr(answer, "record", None)
    if record is not None:
        return writer.data(writer.text([record]), encoding)
    written = f"# {answer.complaint}\n"
    if writer.name == "JKF":
        empty: dict[str, Any] = {"header": {}, "moves": [{"comments": [answer.complaint]}]}
        written = json.dumps(empty, ensure_ascii=False) + "\n"
    try:
        return writer.data(written, encoding)
    except UnencodableError:
        return writer.data(written.encode("ascii", "backslashreplace").decode(), encoding)
