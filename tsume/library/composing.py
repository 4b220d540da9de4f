"""Composing without a store."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.problem import Problem
from generator.theme_names import NAMES
from generator.wishes import Wishes
from solver.results import Grade
from tsume import __version__
from tsume.engines import DEFAULT_MEMORY
from tsume.library.answers import Composed
from tsume.library.limits import require_memory
from tsume.proofread import proofread
from tsume.repeats import Repeats
from tsume.warmup import Part, warm_up_silently
from tsume.wish_faults import fault_of_wishes
from tsume_rules.sfen import format_sfen

if TYPE_CHECKING:
    from generator.options import Options


def generate(
    moves: int,
    count: int = 1,
    *,
    seed: int = 0,
    natural: bool = True,
    sound: bool = False,
    wishes: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Composed]:
    """Compose ``count`` problems of ``moves`` plies; each comes as soon as it is proved.

    The same arguments and version give the same problems. ``natural``: those that a person might have
    composed; else whatever is correct. ``sound``: with blemishes too. ``wishes`` are those of
    `generator.wishes.Wishes` by name, such as ``{"themes": ["knight-mate"], "max_pieces": 8}``; a theme is
    named by its tag. It ends early after ``seconds``; without them it goes on until all are found, which
    is never if there are none. Raises ValueError at once for a length, a count or wishes that cannot be.
    """
    if moves < 1 or moves % 2 == 0:
        raise ValueError(f"a mate has an odd number of moves, not {moves}")
    if count < 0:
        raise ValueError(f"count is negative: {count}")
    require_memory(memory)
    options = _options(moves, _wishes(wishes or {}, moves), natural, sound, memory)
    return _composed(options, count, seed, seconds)


def _options(moves: int, wishes: Wishes, natural: bool, sound: bool, memory: int) -> Options:
    warm_up_silently(Part.GENERATOR, Part.LIKENESS)
    from generator.options import Options, Style
    from solver.engines.dfpn.memory import table_bits_within
    from solver.scoring.difficulty import SCORER_BYTES

    return Options.of(
        moves,
        wishes=wishes,
        style=Style.NATURAL if natural else Style.FREE,
        grade=Grade.SOUND if sound else Grade.PERFECT,
        table_bits=table_bits_within((memory << 20) - SCORER_BYTES),
    )


def _wishes(given: Mapping[str, Any], moves: int) -> Wishes:
    """Raises ValueError for wishes that are unknown, cannot be read, or contradict each other."""
    try:
        wishes = Wishes(**{**given, "themes": tuple(given.get("themes", ()))})
    except TypeError as error:
        raise ValueError(f"wishes: {error}") from None
    if unknown := [name for name in wishes.themes if name not in NAMES]:
        raise ValueError(f"wishes: {unknown[0]!r} is not the tag of a theme")
    if wishes.picture is not None:
        wishes = replace(wishes, themes=tuple(dict.fromkeys((*wishes.themes, "picture"))))
    if fault := fault_of_wishes(wishes, moves):
        raise ValueError(f"the wishes contradict each other: {fault}")
    return wishes


class _TimeIsUp(Exception):
    """The time for composing is over."""


def _composed(options: Options, count: int, seed: int, seconds: float | None) -> Iterator[Composed]:
    from generator.compose import Composer
    from generator.run import compose_alone

    composer = Composer(seed, options, __version__, proofread)
    end = None if seconds is None else time.monotonic() + seconds
    repeats = Repeats(distinct=options.distinct)

    def look() -> None:
        if end is not None and time.monotonic() > end:
            raise _TimeIsUp

    found = 0
    roots = compose_alone(composer)
    with suppress(_TimeIsUp):
        while found < count:
            with nullcontext() if end is None else composer.watched(look):
                look()
                root = next(roots)
            for problem in filter(repeats.is_new, root.problems):
                if found < count:
                    found += 1
                    yield _plain(problem)


def _plain(problem: Problem) -> Composed:
    made = problem.provenance
    assert made is not None
    assert problem.grade is not None
    return Composed(
        sfen=format_sfen(problem.position),
        length=problem.length,
        line=tuple(move.usi for move in problem.line),
        score=problem.difficulty.score,
        stars=problem.difficulty.stars,
        themes=tuple(sorted(problem.themes)),
        quality=problem.quality,
        grade=problem.grade.value,
        blemishes=tuple(blemish.name for blemish in problem.blemishes),
        seed=made.seed,
        index=made.index,
    )
