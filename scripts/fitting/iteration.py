# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit iterate`: expert iteration. Sample, prove, weigh by what people publish, fit again.

Positions are drawn as the generator does it: with a line as some published problem has it, then a walk from a
sound one. The sound problems are told from published ones by boosted trees; the odds of being published are a
problem's weight in the next fit (Anthony and others 2017, with the solver as the expert). Those with the line
asked for but second solutions are fitted to as well, without `generator.learned.search.SOUND`. What one
length's problems teach is there for the next: all lengths share the network.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from generator.acceptance.validation import CandidateValidator
from generator.candidate import Candidate
from generator.learned.network import (
    DRAW_NODES,
    LearnedSampler,
    nodes_for_tests,
    stored_conditions,
    stored_network,
)
from generator.learned.search import asked_counts, has_line_conditions
from generator.likeness.model import choice_features, model_for_length
from generator.local_search.sampler import REPAIR_EDITS, PositionSampler, biased_to_counts
from scripts.fitting.learned import Pace, fit_network, read_material
from scripts.fitting.likeness import TREES
from scripts.fitting.shared import is_held_back
from scripts.measuring.resemblance import tabulate
from scripts.measuring.shared import Lined, read_problems
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from tsume_rules.moves import parse_move
from tsume_rules.sfen import canonical, format_sfen, parse_sfen

_DRAWS = 2_500
"""Positions drawn under the same conditions, at most."""
_PARTS, _STEPS = 12, 80
"""Of the walk from a sound position: walking is cheaper than drawing, and keeps most lines."""
_LONGEST_NODES = 5_000
"""Nodes for the length of one position of more than 9 plies."""
_EXCLUDING = 60_000
"""Nodes for excluding second solutions at any length."""
_RARE = 0.02
_LARGEST_WEIGHT, _LEAST_WEIGHT = 3.0, 0.003
_FEWEST = 50
"""Of fewer problems no odds are told."""
_HISTORY = 3
"""Problems of this many rounds are fitted to."""


@dataclass(frozen=True)
class Found:
    """A sound problem; ``walk`` numbers the walk on which it was met, of ``variants`` problems."""

    sfen: str
    line: str
    walk: int
    variants: int


@dataclass(frozen=True)
class Sampled:
    """What one process has sampled: sound problems with their lines, and counts."""

    found: list[Found]
    mates: list[tuple[str, str]]
    drawn: int
    exact: int
    with_line: int
    sound: int
    seconds: float


def sample(network: Path, length: int, seed: int, seconds: float) -> Sampled:
    """Sample for so many CPU seconds; only problems without a second solution at any length are kept."""
    engine = DfPnEngine(table_bits=20, method=REPEATABLE)
    state = np.array([seed * 1_000_003 + length], dtype=np.uint64)
    learned = LearnedSampler(engine, state, stored_network(network))
    published, rng = stored_conditions(length, network), np.random.default_rng([seed, length])
    sampler, validator = PositionSampler(engine, state), CandidateValidator(engine, 20_000)
    model = model_for_length(length).with_any_opening()
    drawn = exact = lines = sound = 0
    found: dict[str, Found] = {}
    mates: dict[str, str] = {}
    nodes, tests = DRAW_NODES.get(length, _LONGEST_NODES), nodes_for_tests(length)
    began = started = time.process_time()
    while time.process_time() - started < seconds:
        asked, left = published[rng.integers(len(published))], _DRAWS
        counted = biased_to_counts(model, *asked_counts(asked))
        while left > 0:
            record, number = learned.draw(length, left, nodes, asked)
            drawn += number
            left -= number
            mate = None if record is None else sampler.with_line(record, length, tests)
            if mate is None:
                continue
            exact += 1
            if exact == 1:
                started = time.process_time()  # everything is compiled
            if not has_line_conditions(asked, *mate.readable):
                continue
            lines += 1
            start = sampler.repair(mate.record, length, REPAIR_EDITS, tests, counted)
            if start is None or not has_line_conditions(asked, *start.readable):
                text = _text(mate)
                mates[text[0]] = text[1]
                continue
            sound += 1
            why = validator.second_solution_within(_EXCLUDING, start.record, start.line[0], length)
            if why is not None:
                continue
            some = [start] + [
                one
                for one in sampler.walks(start, _PARTS, _STEPS, counted)
                if has_line_conditions(asked, *one.readable)
            ]
            for one in some:
                text = _text(one)
                found[text[0]] = Found(*text, 1_000_000 * seed + sound, len(some))
            break
    counts = (drawn, exact, lines, sound)
    return Sampled(list(found.values()), list(mates.items()), *counts, time.process_time() - began)


def _text(candidate: Candidate) -> tuple[str, str]:
    position, line = candidate.readable
    return format_sfen(canonical(position)), (
        " ".join(move.usi for move in line) if canonical(position) == position
        else " ".join(move.mirrored.usi for move in line)
    )  # fmt: skip


def odds(
    published: Sequence[Lined], composed: Sequence[Lined], walks: Sequence[int]
) -> tuple[np.ndarray, float]:
    """The odds of each composed problem to be published, and how well trees tell the two sets apart (AUC).

    Trees are tested on problems of ``walks`` that they have not seen.
    """
    people = [choice_features(one.position, one.line) for one in published]
    ours = [choice_features(one.position, one.line) for one in composed]
    _, table = tabulate(people, ours, _RARE * (len(people) + len(ours)))
    labels = np.repeat([1, 0], [len(people), len(ours)])
    weights = np.where(labels == 1, 1000 / len(people), 1000 / len(ours))
    model = HistGradientBoostingClassifier(random_state=1, **TREES)
    groups = np.concatenate([-1 - np.arange(len(people)), walks])
    unseen = cross_val_predict(
        model, table, labels, groups=groups, cv=GroupKFold(5), method="decision_function",
        params={"sample_weight": weights},
    )  # fmt: skip
    return np.exp(unseen[len(people) :]), float(roc_auc_score(labels, unseen))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", multiple=True, type=click.IntRange(3), required=True)
@click.option(
    "--from", "source", type=click.Path(exists=True, path_type=Path), help="The network to begin with."
)
@click.option(
    "--minutes", default=5.0, show_default=True, help="CPU minutes to sample each length in a round."
)
@click.option("--fit-minutes", default=8.0, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--first", default=1, show_default=True, help="The number of the first round.")
@click.option("--share", default=2.0, show_default=True, help="The weight of composed problems together.")
@click.option("--processes", default=2, show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True)
def iterate(
    files: tuple[Path, ...], moves: tuple[int, ...], source: Path, minutes: float, fit_minutes: float,
    rounds: int, first: int, share: float, processes: int, output: Path,
) -> None:  # fmt: skip
    """Sample, prove, weigh, fit, so many rounds; each round's network, problems and figures are kept."""
    output.mkdir(parents=True, exist_ok=True)
    published = [one for one in read_problems(files) if not is_held_back(one.position)]
    network = source
    for number in range(first, first + rounds):
        lines: list[str] = []
        mates: list[str] = []
        for length in moves:
            with ProcessPoolExecutor(processes) as pool:
                seeds = [1000 * number + process for process in range(processes)]
                parts = list(
                    pool.map(
                        sample, [network] * processes, [length] * processes, seeds,
                        [60 * minutes * min(1.0, (length - 1) / 8) / processes] * processes,
                    )
                )  # fmt: skip
            found = {one.sfen: one for part in parts for one in part.found}
            rows = _weighed(list(found.values()), [one for one in published if one.length == length])
            lines += rows.lines
            mates += ["\t".join(pair) for part in parts for pair in part.mates]
            figures = {
                "round": number, "length": length, "drawn": sum(part.drawn for part in parts),
                "exact": sum(part.exact for part in parts),
                "with_line": sum(part.with_line for part in parts),
                "sound": sum(part.sound for part in parts),
                "kept": len(found), "seconds": round(sum(part.seconds for part in parts), 1),
                "auc": rows.auc, "mean_weight": rows.mean,
            }  # fmt: skip
            with (output / "figures.jsonl").open("a") as file:
                file.write(json.dumps(figures) + "\n")
            click.echo(json.dumps(figures), err=True)
        (output / f"problems-{number}.tsv").write_text("\n".join(lines) + "\n")
        (output / f"mates-{number}.tsv").write_text("\n".join(mates) + "\n")
        kept, kept_mates = (
            [
                path
                for one in range(max(1, number - _HISTORY + 1), number + 1)
                if (path := output / f"{name}-{one}.tsv").exists()
            ]
            for name in ("problems", "mates")
        )
        material = read_material(files, kept, share, 31, kept_mates)
        weights = dict(stored_network(network)._asdict())
        network = output / f"network-{number}.npz"
        loss = fit_network(material, weights, Pace(minutes=fit_minutes), number, network)
        click.echo(f"round {number}: {loss:.3f}", err=True)


@dataclass(frozen=True)
class _Weighed:
    lines: list[str]
    auc: float | None
    mean: float | None


def _weighed(found: Sequence[Found], published: Sequence[Lined]) -> _Weighed:
    """The problems as rows with their weights."""
    weights = np.array([one.variants**-0.5 for one in found])
    auc = None
    if len(found) >= 2 * _FEWEST and len(published) >= _FEWEST:
        composed = [
            Lined(parse_sfen(one.sfen).position, tuple(map(parse_move, one.line.split()))) for one in found
        ]
        ratios, auc = odds(published, composed, [one.walk for one in found])
        weights *= np.minimum(ratios, _LARGEST_WEIGHT)
    return _Weighed(
        [
            f"{one.sfen}\t{one.line}\t{weight:.3f}"
            for one, weight in zip(found, weights, strict=True)
            if weight >= _LEAST_WEIGHT
        ],
        None if auc is None else round(auc, 4),
        round(float(weights.mean()), 4) if found else None,
    )
