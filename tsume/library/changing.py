# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems changed: repairs and improvements."""

from __future__ import annotations

from collections.abc import Sequence

from generator.changes import Improvement
from solver.results import Grade
from tsume.library.answers import Enriched, Mended, Repair, Suggestion, result_of_fields
from tsume.library.arguments import check_arguments, squares_of
from tsume.library.boards import GivenMove, GivenPosition
from tsume.library.reading import read_position
from tsume.reports.changes import repair_fields, search_fields, suggestion_fields, worth_fields
from tsume.reports.judgement import judgement_fields
from tsume.services import rework
from tsume.services.checking import Checker
from tsume.warmup import KernelPart, warm_up_silently


def mend(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    moves: int | None = None,
    keep: Sequence[str] = (),
    edits: int = 2,
    count: int = 5,
    seconds: float = 10.0,
) -> Mended:
    """The perfect problems nearest to a position, which a composer reaches by few changes.

    ``line`` is the composer's, in USI; it may also follow the SFEN after ``moves``. ``moves``: the length
    that a repair should have. The squares to ``keep``, such as ``"2b"``, stay as they are. ``edits``: the
    most changes, ``count``: the most repairs. Judging and mending have ``seconds`` each.
    """
    check_arguments("moves", moves=moves, keep=keep, edits=edits, count=count, seconds=seconds)
    parsed, given, text = read_position(sfen, line, judged=True)
    kept = parsed.seen_by_attacker(squares_of("keep", keep))
    warm_up_silently(KernelPart.ENGINE, KernelPart.LIKENESS)
    checker = Checker()
    judgement = checker.check(parsed.position, moves, given, seconds)
    found = rework.mend(
        checker.engine, parsed.position, judgement, moves, given,
        keep=kept, edits=edits, count=count, seconds=seconds,
    )  # fmt: skip
    repairs = [result_of_fields(Repair, repair_fields(one, parsed)) for one in found.repairs] if found else []
    complete = found is None or found.complete
    judged = judgement_fields(judgement, parsed)
    further = {**search_fields(found, parsed), "complete": complete}
    fields = {"sfen": text, **judged, "repairs": repairs, **further}
    return result_of_fields(Mended, fields)


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
) -> Enriched:
    """Improvements of a correct problem that keep its line.

    ``kinds``: only ``"defenders"``, ``"natural"``, ``"introduction"``; none: all three. ``plies``: how many
    moves an introduction adds. ``sound``: a suggestion may have the blemishes of the problem; else it is
    perfect. ``line``, ``keep`` and ``edits`` are as of `mend`; ``count``: the most suggestions of each
    kind.
    """
    check_arguments(
        kinds=kinds, plies=plies, sound=sound, keep=keep, edits=edits, count=count, seconds=seconds
    )
    wanted = _kinds(kinds)
    parsed, given, text = read_position(sfen, line, judged=True)
    kept = parsed.seen_by_attacker(squares_of("keep", keep))
    warm_up_silently(KernelPart.ENGINE, KernelPart.LIKENESS, KernelPart.GENERATOR)
    checker = Checker()
    judgement = checker.check(parsed.position, line=given, seconds=seconds)
    found = rework.enrich(
        checker.engine, parsed.position, judgement, kinds=wanted, keep=kept, edits=edits, plies=plies,
        count=count, grade=Grade.SOUND if sound else Grade.PERFECT, seconds=seconds,
    )  # fmt: skip
    suggestions = found.suggestions if found else ()
    fields = {
        "sfen": text,
        **judgement_fields(judgement, parsed),
        **worth_fields(found.worth if found else None),
        "suggestions": [result_of_fields(Suggestion, suggestion_fields(one, parsed)) for one in suggestions],
        "complete": found is not None and found.complete,
    }
    return result_of_fields(Enriched, fields)


def _kinds(names: Sequence[str]) -> frozenset[Improvement]:
    try:
        return frozenset(map(Improvement, names)) or frozenset(Improvement)
    except ValueError:
        raise ValueError(f"kinds must be among {', '.join(Improvement)}, not {', '.join(names)}") from None
