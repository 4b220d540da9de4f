# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing without a store: new problems, repairs and improvements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_type_hints

from db.errors import stored_value_excerpt
from generator.changes import Improvement
from generator.constraints.options import SAMPLED
from generator.constraints.problem import ProblemConstraints
from solver.results import Grade
from tsume.library.answers import ComposedProblem, EnrichedProblem, MendedPosition, Repair, Suggestion
from tsume.library.arguments import GivenMove, GivenPosition, check_arguments, read_position, sfen_text, squares_of
from tsume.uses import composing
from tsume.uses.checking import Checker
from tsume.uses.engines import DEFAULT_MEMORY
from tsume.uses.repairing import ImproveOptions, RepairOptions, improve, repair

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
    final: GivenPosition | None = None,
    exact: bool = False,
    start: GivenPosition | None = None,
    keep: Sequence[str] = (),
    wishes: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[ComposedProblem]:
    """Compose ``count`` problems of ``moves`` plies; yields each as soon as it is proved.

    The same arguments and version give the same problems. ``natural``: problems that a person might have
    composed, else all correct ones. ``sound``: also those with blemishes. ``themes`` are tags; ``key`` is
    the kind of the first move, ``hand`` the attacker's hand as in SFEN. Problems end in ``final``, the SFEN
    of a mated position with the mated side to move; with ``exact`` without any other piece. They have the
    pieces of the SFEN ``start``, or only those on the squares to ``keep``. ``wishes`` are further fields of
    `generator.constraints.problem.ProblemConstraints` by name, such as ``{"max_pieces": 8}``. The iterator
    ends early after ``seconds``, or once ``final`` is exhausted; otherwise it runs until ``count`` problems
    are found, forever if there are none. Raises ValueError at once for invalid arguments.
    """
    check_arguments(
        "key", "hand", "seconds",
        moves=moves, count=count, seed=seed, natural=natural, sound=sound, themes=themes, key=key, hand=hand,
        exact=exact, keep=keep, seconds=seconds, memory=memory,
    )  # fmt: skip
    if moves > LONGEST:
        raise ValueError(f"moves must be at most {LONGEST}, not {moves}")
    texts = {
        name: None if position is None else sfen_text(name, position)
        for name, position in (("final", final), ("start", start))
    }
    named = {"themes": themes, "key": key, "hand": hand}
    wanted = _constraints_of_arguments({name: value for name, value in named.items() if value}, wishes, moves)
    kept = squares_of("keep", keep)
    if final is not None and start is not None:
        raise ValueError("give final or start, not both")
    if start is not None and moves not in SAMPLED:
        raise ValueError(f"start needs {composing.START_LENGTHS}")
    try:
        options = composing.composing_options(
            moves, wanted, composing.generator_table_bits(memory), natural=natural, sound=sound,
            final=texts["final"], exact=exact, start=texts["start"], keep=kept,
        )  # fmt: skip
    except composing.GivenPositionError as error:
        raise ValueError(f"{error.name}: {error}") from None
    return (
        ComposedProblem.of_json(composing.composed_fields(problem))
        for problems in composing.compose(options, seed, count, seconds)
        for problem in problems
    )


def _constraints_of_arguments(
    named: Mapping[str, Any], others: Mapping[str, Any] | None, moves: int | None
) -> ProblemConstraints:
    """Return the constraints. Raises ValueError for unknown, unreadable and contradictory ones."""
    if not isinstance(others, Mapping | None):
        raise ValueError(f"wishes must be a mapping, not {stored_value_excerpt(repr(others))}")
    given = {**(others or {}), **named}
    if twice := sorted(named.keys() & (others or {}).keys()):
        raise ValueError(f"wishes: {twice[0]} is also given as an argument")
    lists = {name: given[name] for name in ("themes", "theme_details", "known") if name in given}
    check_arguments(**lists)
    # Raise ValueError for a value of another type.
    for name, kind in get_type_hints(ProblemConstraints).items():
        accepted = kind | int if kind == float | None else kind
        if name in given and name not in lists and not isinstance(given[name], accepted):
            raise ValueError(f"wishes: {name} cannot be {stored_value_excerpt(repr(given[name]))}")
    try:
        given |= {name: tuple(texts) for name, texts in lists.items()}
        wishes = ProblemConstraints(**given)
        return composing.checked_constraints(wishes, moves)
    except TypeError as error:  # an unknown name, or a value of another type
        raise ValueError(f"wishes: {error}") from None


# --- problems changed: repairs and improvements ----------------------------------------------------


def mend(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    moves: int | None = None,
    keep: Sequence[str] = (),
    edits: int = 2,
    count: int = 5,
    seconds: float = 10.0,
    wishes: Mapping[str, Any] | None = None,
) -> MendedPosition:
    """Return the perfect problems nearest to a position, which a composer reaches by few changes.

    ``line`` is the composer's, in USI; it may also follow the SFEN after ``moves``. ``moves``: the length
    that a repair should have. The squares to ``keep``, such as ``"2b"``, stay as they are. ``edits``: the
    most changes, ``count``: the most repairs. Judging and mending have ``seconds`` each. ``wishes`` are
    those of `generate` that are about position and line, such as ``{"line": "x x S*2b Px2b x"}``; every
    repair is as they ask.
    """
    check_arguments("moves", moves=moves, keep=keep, edits=edits, count=count, seconds=seconds)
    wanted = _constraints_of_arguments({}, wishes, moves)
    parsed, given, text = read_position(sfen, line, judged=True)
    kept = parsed.seen_by_attacker(squares_of("keep", keep))
    options = RepairOptions(moves or wanted.length, kept, edits, count, seconds, wanted)
    fields = repair(Checker(), parsed, given, options).to_json()
    return MendedPosition.of_json(fields, sfen=text, repairs=tuple(map(Repair.of_json, fields["repairs"])))


def enrich(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    kinds: Sequence[str] = (),
    plies: int = 2,
    sound: bool = True,
    keep: Sequence[str] = (),
    edits: int = 2,
    count: int = 3,
    seconds: float = 30.0,
) -> EnrichedProblem:
    """Improvements of a correct problem that keep its line.

    ``kinds``: only ``"defenders"``, ``"natural"``, ``"introduction"``; none: all three. ``plies``: how many
    moves an introduction adds. ``sound``: a suggestion may have the blemishes of the problem; else it is
    perfect. ``line``, ``keep`` and ``edits`` are as of `mend`; ``count``: the most suggestions of each
    kind.
    """
    check_arguments(kinds=kinds, plies=plies, sound=sound, keep=keep, edits=edits, count=count, seconds=seconds)
    try:
        wanted = frozenset(map(Improvement, kinds)) or frozenset(Improvement)
    except ValueError:
        raise ValueError(f"kinds must be among {', '.join(Improvement)}, not {', '.join(kinds)}") from None
    parsed, given, text = read_position(sfen, line, judged=True)
    kept = parsed.seen_by_attacker(squares_of("keep", keep))
    grade = Grade.SOUND if sound else Grade.PERFECT
    options = ImproveOptions(wanted, kept, edits, plies, count, grade, seconds)
    fields = improve(Checker(), parsed, given, options).to_json()
    suggestions = tuple(map(Suggestion.of_json, fields["suggestions"]))
    return EnrichedProblem.of_json(fields, sfen=text, suggestions=suggestions)
