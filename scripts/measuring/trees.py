# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench tree`: how long reply trees take, and how large they are."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click

from scripts.measuring.options import problem_options, shuffled
from scripts.measuring.preparation import warm_up
from scripts.measuring.problem_files import Lined
from scripts.measuring.processes import run
from scripts.metrics import quantile
from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.reply_tree_builder import MOST_TURNS, PROOF_NODES, reply_tree
from solver.results import Limits
from tsume.reports.reply_tree import tree_fields
from tsume_rules.sfen import ParsedSfen, format_sfen

FAST, SMALL = 2.0, 1_000_000
"""Seconds and bytes that a tree should stay below."""


@dataclass(frozen=True)
class Measured:
    """One tree: of a problem of ``length`` plies."""

    length: int
    seconds: float
    size: int
    fields: dict[str, Any]

    @property
    def turns(self) -> int:
        """How many turns it has."""
        return len(self.fields["turns"])

    @property
    def proofs(self) -> Counter[str]:
        """How many checks fail by each proof, and how many are open."""
        checks = (check for turn in self.fields["turns"] for check in turn["checks"])
        return Counter(
            "open" if check["result"] == "open" else check["proof"]
            for check in checks
            if check["result"] != "mates"
        )


@click.command()
@problem_options
@click.option("-n", "--count", default=100, show_default=True, type=click.IntRange(1),
              help="Problems of each length.")  # fmt: skip
@click.option("--max-turns", default=MOST_TURNS, show_default=True, help="Turns of a tree.")
@click.option("--proof-nodes", default=PROOF_NODES, show_default=True, help="Nodes for proofs.")
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each tree.")
@click.option("--process", is_flag=True, help="Run the command for each problem: start-up counts.")
@click.option("--all-answers", is_flag=True, help="Follow every answer.")
def tree(
    files: tuple[Path, ...],
    count: int,
    moves: tuple[int, ...],
    max_turns: int,
    proof_nodes: int,
    seconds: float,
    process: bool,
    all_answers: bool,
    seed: int,
) -> None:
    """Make the trees of problems; wall-clock time."""
    problems = shuffled(files, moves, seed)
    if process:
        options = ["--max-turns", str(max_turns), "--proof-nodes", str(proof_nodes), "--time", str(seconds)]
        made = partial(_by_command, options=options + ["--all-answers"] * all_answers)
    else:
        made = partial(
            _in_process, _warm_engine(), Limits(seconds=seconds), max_turns, proof_nodes, all_answers
        )
    for length in sorted({problem.length for problem in problems}):
        measured = [made(one) for one in [one for one in problems if one.length == length][:count]]
        click.echo(_text(length, measured))


def _warm_engine() -> DfPnEngine:
    engine = DfPnEngine()
    warm_up(engine)
    return engine


def _in_process(
    engine: DfPnEngine, limits: Limits, max_turns: int, proof_nodes: int, all_answers: bool, problem: Lined
) -> Measured:
    began = time.monotonic()
    found = reply_tree(
        engine,
        problem.position,
        limits,
        most_turns=max_turns,
        proof_nodes=proof_nodes,
        all_answers=all_answers,
    )
    fields = tree_fields(found, ParsedSfen(problem.position))
    size = len(json.dumps(fields, ensure_ascii=False).encode())
    return Measured(problem.length, time.monotonic() - began, size, fields)


def _by_command(problem: Lined, options: list[str]) -> Measured:
    done = run("tree", "--jsonl", *options, format_sfen(problem.position))
    return Measured(problem.length, done.seconds, len(done.output), json.loads(done.output))


def _text(length: int, measured: Sequence[Measured]) -> str:
    seconds = sorted(one.seconds for one in measured)
    sizes = sorted(one.size for one in measured)
    turns = sorted(one.turns for one in measured)
    slowest, largest, longest = (quantile(values, 0.9) for values in (seconds, sizes, turns))
    fast = sum(one <= FAST for one in seconds) / len(seconds)
    small = sum(one <= SMALL for one in sizes) / len(sizes)
    whole = sum(one.fields["complete"] for one in measured) / len(measured)
    proofs = sum((one.proofs for one in measured), Counter[str]())
    shares = ", ".join(f"{name} {number / proofs.total():.1%}" for name, number in proofs.most_common())
    return (
        f"{length:3} moves, {len(measured)} problems: median {median(seconds):.2f} s, 90% within "
        f"{slowest:.2f} s, {fast:.0%} within {FAST:.0f} s; median {median(sizes) / 1000:.1f} kB, "
        f"90% within {largest / 1000:.1f} kB, {small:.0%} within 1 MB; turns: median "
        f"{median(turns):.0f}, 90% within {longest}; complete {whole:.0%}; checks that do not mate: "
        f"{shares or 'none'}"
    )
