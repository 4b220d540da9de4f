# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench browser`: the solver of the browser, in Node.js, against the same code in Python."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import click

from scripts.measuring.options import FILE
from scripts.measuring.position_files import files_or_default, read
from tsume.browser.built import built_files, write_files
from tsume.warmup import KernelPart, warm_up
from tsume.web.work.in_browser import BrowserAnswers
from tsume_rules.sfen import format_sfen

_SCRIPT = Path(__file__).with_suffix(".mjs")
_MEMORY = 64
_KINDS = ("solve", "check", "judgement", "tree", "explain")
_OF_THE_CLOCK = ("seconds",)


@click.command()
@click.option("--number", default=200, show_default=True, help="Positions of each file.")
@click.option("--repeat", default=3, show_default=True, help="Repeats; the medians count.")
@click.option("--seconds", default=60.0, show_default=True, help="Limit of each query.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(_KINDS), default=("solve", "check"),
              show_default=True, help="Queries.")  # fmt: skip
@click.argument("files", nargs=-1, type=FILE)
def browser(
    files: tuple[Path, ...], number: int, repeat: int, seconds: float, kinds: tuple[str, ...]
) -> None:
    """Queries about positions to the solver of the browser and in Python: times and differences.

    Without FILES, those beside the project.
    """
    warm_up(KernelPart.ENGINE, KernelPart.LIKENESS)
    answers = BrowserAnswers(_MEMORY)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, built_files())
        for path in files_or_default(files):
            sfens = [format_sfen(named.position) for named in read(path, number)]
            for kind in kinds:
                queries = [{"kind": kind, "sfen": sfen, "seconds": seconds} for sfen in sfens]
                native = [_native_round(answers, queries) for _ in range(repeat)]
                there = _in_node(folder, queries, repeat)
                click.echo(f"{path.name}, {kind}: {_text(native, there)}")


Round = list[tuple[Any, float]]
"""The answers to queries in their order, each with the seconds that it took."""


def _native_round(answers: BrowserAnswers, queries: list[dict[str, Any]]) -> Round:
    found = []
    for query in queries:
        began = time.perf_counter()
        fields = {**query}
        answer = answers.answer(fields.pop("kind"), fields)
        found.append((answer, time.perf_counter() - began))
    return found


def _in_node(folder: Path, queries: list[dict[str, Any]], repeat: int) -> list[Round]:
    task = {"folder": str(folder), "queries": queries, "repeat": repeat, "memory": _MEMORY}
    done = subprocess.run(
        ["node", str(_SCRIPT)], input=json.dumps(task), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise click.ClickException(done.stderr)
    found: list[Round] = json.loads(done.stdout)
    return found


def _text(native: list[Round], there: list[Round]) -> str:
    ours, theirs = _medians(native), _medians(there)
    ratios = sorted(other / one for one, other in zip(ours, theirs, strict=True))
    pairs = list(zip(native[-1], there[-1], strict=True))
    others = sum(_compared(one) != _compared(other) for (one, _), (other, _) in pairs)
    return (
        f"{len(ours)} positions, Python {sum(ours):.2f} s (median {1000 * median(ours):.1f} ms), browser "
        f"{sum(theirs):.2f} s (median {1000 * median(theirs):.1f} ms, 90% within "
        f"{1000 * sorted(theirs)[len(theirs) * 9 // 10]:.0f} ms); ratio of the sums "
        f"{sum(theirs) / sum(ours):.2f}, median ratio {median(ratios):.2f}{_searching(pairs)}; "
        f"{others} other answers"
    )


def _searching(pairs: list[tuple[tuple[Any, float], tuple[Any, float]]]) -> str:
    """The ratio of the times of the searches alone, without what the queue of the worker takes."""
    if "seconds" not in pairs[0][0][0]:
        return ""
    ours, theirs = (sum(pair[side][0].get("seconds", 0.0) for pair in pairs) for side in (0, 1))
    return f", of the searches alone {theirs / ours:.2f}"


def _medians(rounds: list[Round]) -> list[float]:
    """The median of the times of each query."""
    return [median(seconds for _, seconds in tries) for tries in zip(*rounds, strict=True)]


def _compared(answer: Any) -> Any:
    plain = json.loads(json.dumps(answer))
    return {name: value for name, value in plain.items() if name not in _OF_THE_CLOCK}
