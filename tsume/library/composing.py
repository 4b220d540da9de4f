"""Composing without a store."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_type_hints

from db.errors import shown
from generator.constraints.options import SKETCHED
from generator.constraints.problem import Wishes
from generator.problem import Problem
from generator.theme_names import NAMES
from solver.results import Grade
from tsume import __version__
from tsume.engines import DEFAULT_MEMORY
from tsume.library.answers import Composed
from tsume.library.arguments import check_arguments, squares_of
from tsume.proofread import proofread
from tsume.repeats import Repeats
from tsume.services.composing import LENGTHS_ROUND, final_options, start_options
from tsume.warmup import Part, warm_up_silently
from tsume.wish_faults import fault_of_wishes
from tsume_rules.sfen import format_sfen
from tsume_rules.squares import Square

if TYPE_CHECKING:
    from generator.constraints.options import Options

LONGEST = 99
"""The most plies of a problem to compose."""


def generate(
    moves: int,
    count: int = 1,
    *,
    seed: int = 0,
    natural: bool = True,
    sound: bool = False,
    themes: Sequence[str] = (),
    key: str | None = None,
    hand: str | None = None,
    final: str | None = None,
    exact: bool = False,
    start: str | None = None,
    keep: Sequence[str] = (),
    wishes: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Composed]:
    """Compose ``count`` problems of ``moves`` plies; each comes as soon as it is proved.

    The same arguments and version give the same problems. ``natural``: those that a person might have
    composed; else whatever is correct. ``sound``: with blemishes too. A theme is named by its tag; ``key`` is
    the kind of the first move, ``hand`` the attacker's hand as SFEN writes it. ``final``: the SFEN of a mated
    position, the mated side to move, in which they end; with ``exact`` nothing else is on the board then.
    ``start``: the SFEN of pieces that they have, or that they have on the squares to ``keep``. Further
    ``wishes`` are those of `generator.constraints.problem.Wishes` by name, such as ``{"max_pieces": 8}``. It
    ends early after ``seconds``, and when all that can come of ``final`` was tried; else it goes on until all
    are found, which is never if there are none. Raises ValueError at once for arguments that cannot be.
    """
    check_arguments(
        "key", "hand", "final", "start", "seconds",
        moves=moves, count=count, seed=seed, natural=natural, sound=sound, themes=themes, key=key, hand=hand,
        final=final, exact=exact, start=start, keep=keep, seconds=seconds, memory=memory,
    )  # fmt: skip
    if moves > LONGEST:
        raise ValueError(f"moves must be at most {LONGEST}, not {moves}")
    named = {"themes": themes, "key": key, "hand": hand}
    wanted = _wishes({name: value for name, value in named.items() if value}, wishes, moves)
    kept = squares_of("keep", keep)
    if final is not None and start is not None:
        raise ValueError("final and start: give one of them")
    if start is not None and moves not in SKETCHED:
        raise ValueError(f"start is for {LENGTHS_ROUND}")
    warm_up_silently(Part.GENERATOR, Part.LIKENESS)
    given = _given(final, exact, start, kept, wanted)
    return _composed(_options(moves, wanted, given, natural, sound, memory), count, seed, seconds)


def _given(
    final: str | None, exact: bool, start: str | None, keep: frozenset[Square], wishes: Wishes
) -> dict[str, Any]:
    """What is given to begin with, as options. Raises ValueError, which names the argument."""
    name = "final" if final is not None else "start"
    try:
        if final is not None:
            return final_options(final, exact=exact)
        return {} if start is None else start_options(start, keep, wishes)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _options(
    moves: int, wishes: Wishes, given: Mapping[str, Any], natural: bool, sound: bool, memory: int
) -> Options:
    from generator.constraints.options import Options, Style
    from solver.engines.dfpn.memory import table_bits_within
    from solver.scoring.difficulty import SCORER_BYTES

    return Options.of(
        moves,
        wishes=wishes,
        style=Style.NATURAL if natural else Style.FREE,
        grade=Grade.SOUND if sound else Grade.PERFECT,
        table_bits=table_bits_within((memory << 20) - SCORER_BYTES),
        **given,
    )


def _wishes(named: Mapping[str, Any], others: Mapping[str, Any] | None, moves: int) -> Wishes:
    """Raises ValueError for wishes that are unknown, cannot be read, or contradict each other."""
    if not isinstance(others, Mapping | None):
        raise ValueError(f"wishes must be a mapping, not {shown(repr(others))}")
    given = {**(others or {}), **named}
    if twice := sorted(named.keys() & (others or {}).keys()):
        raise ValueError(f"wishes: {twice[0]} is an argument too: give it once")
    check_arguments(themes=given.get("themes", ()))
    _check_types(given)
    try:
        wishes = Wishes(**{**given, "themes": tuple(given.get("themes", ()))})
        if unknown := [name for name in wishes.themes if name not in NAMES]:
            raise ValueError(f"themes: {unknown[0]!r} is not the tag of a theme")
        if wishes.picture is not None:
            wishes = replace(wishes, themes=tuple(dict.fromkeys((*wishes.themes, "picture"))))
        fault = fault_of_wishes(wishes, moves)
    except TypeError as error:  # an unknown name, or a value of another type
        raise ValueError(f"wishes: {error}") from None
    if fault:
        raise ValueError(f"the wishes contradict each other: {fault}")
    return wishes


def _check_types(given: Mapping[str, Any]) -> None:
    """Raise ValueError for a wish whose value is of another type; themes are checked apart."""
    for name, kind in get_type_hints(Wishes).items():
        accepted = kind | int if kind == float | None else kind
        if name in given and name != "themes" and not isinstance(given[name], accepted):
            raise ValueError(f"wishes: {name} cannot be {shown(repr(given[name]))}")


def _composed(options: Options, count: int, seed: int, seconds: float | None) -> Iterator[Composed]:
    from generator.run.composer import Composer
    from generator.run.roots import compose_alone, compose_until

    composer = Composer(seed, options, __version__, proofread)
    roots = (
        compose_alone(composer) if seconds is None else compose_until(composer, time.monotonic() + seconds)
    )
    repeats = Repeats(distinct=options.distinct)
    found = idle = 0
    most_idle = options.pass_of_roots or math.inf
    while found < count and idle < most_idle and (root := next(roots, None)) is not None:
        new = list(filter(repeats.is_new, root.problems))[: count - found]
        idle = 0 if new else idle + 1
        found += len(new)
        yield from map(_plain, new)


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
