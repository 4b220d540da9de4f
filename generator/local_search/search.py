"""What a root samples: a drawn position, mended, and what a walk from it comes to."""

from __future__ import annotations

from collections.abc import Iterator

from generator.acceptance.reasons import Rejection
from generator.acceptance.statistics import Statistics
from generator.candidate import Candidate
from generator.constraints.options import Options
from generator.likeness.model import Model, model_of
from generator.local_search.bias import biased
from generator.local_search.sampler import REPAIR_EDITS, Sampler
from generator.local_search.theme_walk import themed

_PARTS_FOR_A_THEME = 300


def samples(
    sampler: Sampler, options: Options, model: Model | None, statistics: Statistics
) -> Iterator[Candidate]:
    """Likely positions by ``model``, or by that for the length; none if no drawn one could be mended."""
    model = biased(model or model_of(options.length), options.wishes, options.length)
    if options.restricts:
        model = model.with_any_opening()
    for _ in range(options.draws):
        with statistics.timed("draw"):
            start = sampler.start(options.length, REPAIR_EDITS, model)
        if start is not None:
            yield from _walked(sampler, start, options, model, statistics)
            return
        statistics.counts[Rejection.NOT_MENDED] += 1


def _walked(
    sampler: Sampler, start: Candidate, options: Options, model: Model, statistics: Statistics
) -> Iterator[Candidate]:
    """What a walk from a mended position comes to."""
    if options.wishes.themes:
        looking = themed(sampler, start, options.wishes.themes, _PARTS_FOR_A_THEME, model)
        yield from statistics.timed_each("walk", looking)
        return
    with statistics.timed("walk"):
        first = next(sampler.walks(start, 1, options.unseen, model), start)
    yield first
    yield from statistics.timed_each("walk", sampler.walks(first, options.kept, options.steps, model))
