# SPDX-License-Identifier: GPL-3.0-or-later
"""Fuzzes for a given time: one target after the other, each round with its own seed."""

import resource
import secrets
import sys
import time
import traceback

import click
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzzing import guided
from tests.fuzzing.promise import compile_kernels
from tests.fuzzing.readers import READERS
from tests.fuzzing.targets import READING, TARGETS, Target

EXAMPLES = 300
"""Inputs in one round of commands."""
MORE = 5
"""A reader alone gets this many times more inputs."""
GUIDED_SECONDS = 40
MAX_FAULTS = 5
"""A target with this many faults is left out for the remaining time."""


def explore(target: Target, number: int, examples: int) -> None:
    """Try ``examples`` inputs; raises what the smallest failing one raises."""

    @seed(number)
    @settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate, Phase.shrink), print_blob=False,
    )  # fmt: skip
    @given(target.inputs)
    def look(example: object) -> None:
        target.check(example)

    look()


class _Session:
    """Rounds until the time is up, and what they found."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.faults = 0
        self._of = dict.fromkeys(TARGETS, 0)

    def round(self, name: str) -> bool:
        """One round of a target; False when the time is up."""
        number = secrets.randbelow(2**32)
        started = time.monotonic()
        if started >= self._end:
            return False
        if self._of[name] < MAX_FAULTS:
            try:
                explore(TARGETS[name], number, EXAMPLES)
                if name in READING:
                    explore(READING[name], number, MORE * EXAMPLES)
            except Exception:
                self._report(name, traceback.format_exc(limit=-6))
            self._progress(f"{name}: {EXAMPLES} inputs, seed {number}", started)
        return True

    def guided(self, name: str) -> None:
        """A round by coverage."""
        started = time.monotonic()
        seconds = int(min(GUIDED_SECONDS, self._end - started))
        if seconds > 0:
            found = guided.run(name, seconds)
            if found:
                self._report(name, found)
            self._progress(f"{name}: by coverage", started)

    def _report(self, name: str, text: str) -> None:
        self.faults += 1
        self._of[name] += 1
        print(f"FAULT {self.faults} ({name})\n{text}", flush=True)

    def _progress(self, text: str, started: float) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        spent = time.monotonic() - started
        left = max(0.0, self._end - time.monotonic())
        print(f"{text}, {spent:.1f} s, peak {peak} MB, {self.faults} faults, {left:.0f} s left", flush=True)


@click.command()
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True)
@click.argument("targets", nargs=-1, type=click.Choice(sorted(TARGETS)))
def fuzz(seconds: float, targets: tuple[str, ...]) -> None:
    """Give hostile input to every command for a time; exits 1 when a promise is broken."""
    compile_kernels()
    session = _Session(seconds)
    names = targets or tuple(TARGETS)
    by_coverage = [name for name in names if name in READERS and guided.installed()]
    if not guided.installed():
        print("atheris is not installed: no fuzzing by coverage", flush=True)
    rounds = 0
    while all(session.round(name) for name in names):
        if by_coverage:
            session.guided(by_coverage[rounds % len(by_coverage)])
            rounds += 1
    print(f"{session.faults} faults", flush=True)
    sys.exit(1 if session.faults else 0)


if __name__ == "__main__":
    fuzz()
