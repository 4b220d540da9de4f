"""What a root sketches: a drawn position, mended, and what a walk from it comes to."""

from __future__ import annotations

from collections.abc import Iterator

from generator.acceptance.reasons import Rejection
from generator.acceptance.statistics import Ledger
from generator.candidate import Sprout
from generator.constraints.options import Options
from generator.likeness.model import Model, model_of
from generator.local_search.bias import tilted
from generator.local_search.sampler import SEEK, Sketcher
from generator.local_search.theme_walk import themed

_PARTS_FOR_A_THEME = 300


def sketches(sketcher: Sketcher, options: Options, model: Model | None, ledger: Ledger) -> Iterator[Sprout]:
    """Likely positions by ``model``, or by that for the length; none if no drawn one could be mended."""
    model = tilted(model or model_of(options.length), options.wishes, options.length)
    if options.restricts:
        model = model.with_any_opening()
    for _ in range(options.draws):
        with ledger.timed("draw"):
            start = sketcher.start(options.length, SEEK, model)
        if start is not None:
            yield from _walked(sketcher, start, options, model, ledger)
            return
        ledger.counts[Rejection.NOT_MENDED] += 1


def _walked(
    sketcher: Sketcher, start: Sprout, options: Options, model: Model, ledger: Ledger
) -> Iterator[Sprout]:
    """What a walk from a mended position comes to."""
    if options.wishes.themes:
        looking = themed(sketcher, start, options.wishes.themes, _PARTS_FOR_A_THEME, model)
        yield from ledger.timed_each("walk", looking)
        return
    with ledger.timed("walk"):
        first = next(sketcher.walks(start, 1, options.unseen, model), start)
    yield first
    yield from ledger.timed_each("walk", sketcher.walks(first, options.kept, options.steps, model))
