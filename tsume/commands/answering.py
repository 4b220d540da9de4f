"""What solve, check, explain, tree and score share: they answer each position of their input by itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

import click

from generator.processes import WorkerLostError
from tsume.commands.options import F
from tsume.inputs import Entry, Inputs, Unreadable, complaint
from tsume.jobs import MANY, worked
from tsume.output import print_line
from tsume.progress import AnswerProgress
from tsume.warmup import Part


@dataclass(frozen=True)
class Answer:
    """What is printed about a position; empty texts are not.

    ``told`` goes to stdout, ``complaint`` to stderr, before it. ``good``: the exit status may be 0.
    """

    told: str = ""
    complaint: str = ""
    good: bool = True


Told = TypeVar("Told", bound=Answer)


@dataclass(frozen=True)
class Batch:
    """How a command goes through its input: by ``jobs`` processes (None: as many as pay), from where on."""

    inputs: Inputs
    jobs: int | None
    skip: int
    parts: tuple[Part, ...] = (Part.ENGINE,)


def batch_options(more: str = "") -> Callable[[F], F]:
    """``-j`` and ``--skip``: the command gets ``jobs`` and ``skip``; ``more`` is to be said of ``-j``."""
    text = (
        "How many processes, each with its own --memory; the answers are the same for any number. By default "
        f"one, or one for each processor where {MANY} positions are waiting."
    )
    jobs = click.option("-j", "--jobs", type=click.IntRange(1, 256), help=f"{text} {more}".rstrip())
    skip = click.option(
        "--skip", type=click.IntRange(0), default=0, metavar="N",
        help="Leave out the first N positions, such as those answered before an interruption.",
    )  # fmt: skip
    return lambda command: jobs(skip(command))


def answered(
    batch: Batch,
    make: Callable[[], Callable[[Entry], Told]],
    take: Callable[[int, Told], None] = lambda _number, answer: show(answer),
) -> bool:
    """Answer all positions in their order; returns whether all answers are good.

    ``make`` makes, in each process, what answers one position; it is pickled. ``take`` gets each answer with
    the position's number, from 1 on; by default it is shown. An interruption says how many were taken.
    """
    good, done = True, batch.skip
    found = batch.inputs.found(batch.skip)
    try:
        with (
            AnswerProgress(batch.inputs.number, done) as progress,
            closing(worked(_Answering(make), found, batch.jobs, batch.parts)) as answers,
        ):
            for answer in answers:
                good &= answer.good
                if answer.complaint:
                    with progress.aside():
                        click.echo(answer.complaint, err=True)
                if not isinstance(answer, _NotRead):
                    take(done + 1, answer)
                    done += 1
                    progress.update(done)
    except KeyboardInterrupt:
        hint = f"interrupted after {done} positions; --skip {done} goes on"
        click.echo(hint if done else "interrupted before the first answer", err=True)
        raise
    except WorkerLostError as error:
        hint = f" after {done} positions; --skip {done} goes on" if done else ""
        raise click.ClickException(f"{error}{hint}") from None
    return good


def show(answer: Answer) -> None:
    """Print an answer on stdout."""
    if answer.told:
        print_line(answer.told)


class _NotRead(Answer):
    """Stands for a file that cannot be read."""


@dataclass(frozen=True)
class _Answering(Generic[Told]):
    """Makes what answers a position, and what says that a file cannot be read."""

    make: Callable[[], Callable[[Entry], Told]]

    def __call__(self) -> Callable[[Entry | Unreadable], Told | _NotRead]:
        answer = self.make()

        def answer_or_complain(found: Entry | Unreadable) -> Told | _NotRead:
            if isinstance(found, Unreadable):
                return _NotRead(complaint=complaint(found.place, found.fault), good=False)
            return answer(found)

        return answer_or_complain
