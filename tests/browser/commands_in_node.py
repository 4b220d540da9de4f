# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands print of positions, and what the solver in a browser answers, in Node.js."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from solver.results import Mate, NoMate, Unresolved
from tests.javascript.node import run_node
from tests.places import COMPOSED
from tests.positions import random_attack
from tsume.uses.solving import SolveOptions, Solver
from tsume_rules.packed import start_faults
from tsume_rules.sfen import ParsedSfen, format_sfen

SECONDS = 600
"""So long that no search ends for want of time."""
NOT_COMPARED = ("seconds", "error", "id", "title", "comment")
"""Fields of a command that depend on the clock, or that answers in JavaScript do not have."""

Fields = dict[str, Any]


def printed(kind: str, sfens: Sequence[str]) -> list[Fields]:
    """The lines that ``tsume KIND --jsonl`` prints of positions."""
    command = [sys.executable, "-m", "tsume", kind, "--jsonl", "--time", str(SECONDS), "-j", "2"]
    if kind == "check":  # a given time would be used for thoroughness
        command = [sys.executable, "-m", "tsume", kind, "--jsonl", "-j", "2"]
    done = subprocess.run(
        [*command, "-f", "-"], input="".join(f"{sfen}\n" for sfen in sfens), capture_output=True, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    return [_compared(json.loads(line)) for line in done.stdout.splitlines()]


def answered(folder: Path, kind: str, sfens: Sequence[str]) -> list[Fields]:
    """The answers of the solver whose files are in a folder."""
    seconds = 60 if kind == "check" else SECONDS
    questions = [{"kind": kind, "sfen": sfen, "seconds": seconds} for sfen in sfens]
    script = Path(__file__).with_name("answers_in_node.mjs")
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = run_node(str(script), str(folder), text=text, seconds=7200)
    assert done.returncode == 0, done.stderr
    return [_compared(json.loads(line)) for line in done.stdout.splitlines()]


def faults(folder: Path, requests: Sequence[tuple[str, Fields, bool]]) -> list[Fields]:
    """The code and the message with which each request is refused; the last says whether by a stream."""
    script = Path(__file__).with_name("faults_in_node.mjs")
    done = run_node(str(script), str(folder), text="".join(json.dumps(one) + "\n" for one in requests))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _compared(fields: Fields) -> Fields:
    if fields.get("comment"):  # it stands in the texts, too
        fields["text"] = {
            language: [line for line in lines if not line.endswith(fields["comment"][language] or "\0")]
            for language, lines in fields["text"].items()
        }
    return {name: value for name, value in fields.items() if name not in NOT_COMPARED}


def positions(number: int) -> list[str]:
    """Problems of the repository, and drawn attacks that are settled quickly, half of them without a mate."""
    rng = random.Random(number)
    lines = COMPOSED.read_text(encoding="utf-8").splitlines()
    composed = [line for line in lines if line.count("/") == 8]
    rng.shuffle(composed)
    solver = Solver(SolveOptions(None, 1000))
    settled: dict[type, list[str]] = {Mate: [], NoMate: []}
    while any(len(found) < number // 4 for found in settled.values()):
        position = random_attack(rng)
        if not start_faults(position):
            result = solver.solve(ParsedSfen(position)).result
            if not isinstance(result, Unresolved):
                settled[type(result)].append(format_sfen(position))
    return [*composed[: number // 2], *(sfen for found in settled.values() for sfen in found[: number // 4])]


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Where two answers differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            yield from differences(one.get(name, "-"), other.get(name, "-"), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{path}[{number}]")
    elif one != other:
        yield f"{path}: {one!r} and {other!r}"
