# SPDX-License-Identifier: GPL-3.0-or-later
"""What solve, check, explain, tree and score share: they answer each position of their input by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

import click

from generator.run.processes import WorkerLostError
from tsume.commands.options import F, print_line
from tsume.files.inputs import Entry, PositionInputs, UnreadableFile, UnreadEntry, complaint
from tsume.parallel.ordered_map import MANY, ordered_map
from tsume.progress import AnswerProgress
from tsume.warmup import KernelPart

INTERRUPTED = 130
"""The exit status."""


@dataclass(frozen=True)
class PrintedAnswer:
    """What is printed about a position; empty texts are not.

    ``text`` goes to stdout, ``complaint`` to stderr, before it. ``good``: the exit status may be 0.
    ``outcome`` is counted in the summary of files of results (`tsume.commands.per_file`).
    """

    text: str = ""
    complaint: str = ""
    good: bool = True
    outcome: str = "unreadable"


class AnswerSink(Protocol):
    """What takes the answers instead of stdout and stderr; ``written`` is the number of files so far."""

    written: int

    def take(self, answer: PrintedAnswer, progress: AnswerProgress) -> None:
        """Take the next answer."""
        ...


@dataclass(frozen=True)
class AnswerBatch:
    """How a command goes through its positions.

    By ``jobs`` processes (None: as many as pay), which need ``parts`` of the kernels, without the first
    ``skip`` positions. ``make`` makes, in each process, what answers one position; it is pickled. ``hint``
    says how to go on after an interruption when ``done`` positions are answered. ``sink`` takes the answers
    if they are not printed. ``has_few_answers``: most positions print nothing.
    """

    inputs: PositionInputs
    jobs: int | None
    make: Callable[[], Callable[[Any], Any]]
    skip: int = 0
    parts: tuple[KernelPart, ...] = (KernelPart.ENGINE,)
    hint: str = "continue with --skip {done}"
    sink: AnswerSink | None = None
    has_few_answers: bool = False


def jobs_option(text: str) -> Callable[[F], F]:
    """``-j``: the command gets ``jobs``, None if it is not given."""
    return click.option("-j", "--jobs", type=click.IntRange(1, 256), help=text)


THREADS_OF_ONE = "For one position: number of threads in one process (1)."
"""What is to be said of ``-j`` if a command searches by `threads_and_processes`."""


def batch_options(more: str = "") -> Callable[[F], F]:
    """``-j`` and ``--skip``: the command gets ``jobs`` and ``skip``; ``more`` is to be said of ``-j``."""
    text = (
        "Number of processes, each with its own --memory; it does not change the answers. By default one; "
        f"one per processor if it takes a while and {MANY} positions are waiting."
    )
    jobs = jobs_option(f"{text} {more}".rstrip())
    skip = click.option(
        "--skip", type=click.IntRange(0), default=0, metavar="N",
        help="Skip the first N positions, such as those answered before an interruption.",
    )  # fmt: skip
    return lambda command: jobs(skip(command))


def threads_and_processes(inputs: PositionInputs, jobs: int | None) -> tuple[int, int | None]:
    """How many threads search a position, and how many processes share the positions (None: as many as pay).

    One position has all ``jobs`` as threads.
    """
    if jobs is not None and inputs.number() == 1:
        return jobs, 1
    return 1, jobs


def unchanged_answer(_number: int, answer: PrintedAnswer) -> PrintedAnswer:
    """Return the answer itself, as it is to be printed."""
    return answer


def print_answers(
    batch: AnswerBatch,
    finish: Callable[[int, Any], PrintedAnswer] = unchanged_answer,
    look: Callable[[Entry], Any] | None = None,
) -> bool:
    """Answer all positions in their order and print the answers; returns whether all of them are good.

    ``look`` is called with each position beforehand, and a process gets what it returns. ``finish`` gets what
    was made of a position, with the position's number, from 1 on, and returns what is to be printed. Both
    are called in this process, in order. An interruption says how many positions were answered, and ends the
    command: raises `click.exceptions.Exit`.
    """
    good, done = True, batch.skip
    found = batch.inputs.entries(batch.skip)
    work = ordered_map(_AnswererFactory(batch.make), found, batch.jobs, batch.parts, look and _EntryPreparer(look))
    try:
        display = AnswerProgress(
            batch.inputs.number, done, of_files=batch.sink is not None, has_few_answers=batch.has_few_answers
        )
        with display as progress, closing(work) as all_made:
            for made in all_made:
                is_read = not isinstance(made, _UnreadableFileAnswer)
                answer = finish(done + 1, made) if is_read else made
                good &= answer.good
                if batch.sink is None:
                    print_answer(answer, progress)
                else:
                    batch.sink.take(answer, progress)
                done += is_read
                progress.update(done if batch.sink is None else batch.sink.written)
    except KeyboardInterrupt:
        told = f"interrupted after {_positions_text(done)}; {batch.hint.format(done=done)}"
        after_echo = "\n" if sys.stderr.isatty() else ""  # a terminal has shown ^C
        click.echo(after_echo + (told if done else "interrupted before the first answer"), err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except WorkerLostError as error:
        told = f" after {_positions_text(done)}; {batch.hint.format(done=done)}" if done else ""
        raise click.ClickException(f"{error}{told}") from None
    return good


def _positions_text(done: int) -> str:
    return f"{done} position{'s' * (done != 1)}"


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


@dataclass(frozen=True)
class _EntryPreparer:
    """Looks at positions only."""

    look: Callable[[Entry], Any]

    def __call__(self, found: Entry | UnreadEntry | UnreadableFile) -> Any:
        if isinstance(found, UnreadableFile):
            return found
        return self.look(found.read() if isinstance(found, UnreadEntry) else found)


@dataclass(frozen=True)
class _AnswererFactory:
    """Makes what answers a position, and what says that a file cannot be read."""

    make: Callable[[], Callable[[Any], Any]]

    def __call__(self) -> Callable[[Any], Any]:
        answer = self.make()

        def answer_or_complain(found: Any) -> Any:
            if isinstance(found, UnreadableFile):
                return _UnreadableFileAnswer(complaint=complaint(found.place, found.fault), good=False)
            entry = found.read() if isinstance(found, UnreadEntry) else found
            made = answer(entry)
            if isinstance(made, PrintedAnswer) and isinstance(entry, Entry) and entry.note:
                told = [complaint(entry.place, entry.note), made.complaint]
                return replace(made, complaint="\n".join(filter(None, told)))
            return made

        return answer_or_complain
