# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged certificates: what one still proves, the sound one proves too."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.certificates.checker import Proved
from tests.fuzzing.promise import Broken, keep
from tests.solver.certificates.files import certificate, lines_of, with_lines
from tests.solver.certificates.test_certificates import PROBLEMS, damage, proved_by


@cache
def _sound() -> tuple[bytes, tuple[bytes, ...], tuple[Proved, ...]]:
    """A sound certificate: the file, its lines, what it proves."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = certificate(Path(folder) / "made", *PROBLEMS)
        return path.read_bytes(), tuple(lines_of(path)), tuple(proved_by(path) or ())


def check_certificate(example: tuple[int, int, bytes]) -> None:
    """Change facts as often as said, or bytes of the file where some are given; then verify it."""
    seed, times, junk = example
    data, facts, proved = _sound()
    rng = random.Random(seed)
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "damaged"
        if junk:
            at = rng.randrange(len(data))
            path.write_bytes(data[:at] + junk + data[at + len(junk) :])
        else:
            lines = list(facts)
            for _ in range(times):
                lines = damage(lines, rng)
            with_lines(path, lines)
        found = proved_by(path)
        if found is not None and not set(map(str, found)) <= set(map(str, proved)):
            raise Broken("a damaged certificate proves something else")
        keep("verify", "-j1", "--jsonl", str(path))
