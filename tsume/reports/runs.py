# SPDX-License-Identifier: GPL-3.0-or-later
"""Summaries of a run: a few lines at its end, and the statistics of ``tsume runs show``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from db.errors import stored_value_excerpt
from db.query import ProblemFigures
from db.runs import RunState, StoredRun
from generator.acceptance import Rejection, is_failure
from generator.constraints.options import Style
from generator.resemblance import Resemblance
from generator.theme_names import TIMES, TRIED, counts_by_theme_name
from solver.results import Grade, Judgement, Reason
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import main_rejection_reasons, stage_counts
from tsume.reports.judgement import defect_terms_text, given_line_text, start_fault_texts
from tsume.reports.notation import MoveWriter, piece_text, problem_line, square_words
from tsume_rules.position import SQUARES, square_name
from tsume_rules.sfen import ParsedSfen, parse_sfen

if TYPE_CHECKING:
    from generator.problem import Problem
    from generator.run.roots import Relaxation


# --- histograms in text: classes of equal, round width, drawn as bars ------------------------------

_MAX_CLASSES = 8
_ROUND = (1, 2, 5, 10)
_BAR = 30


@dataclass(frozen=True)
class HistogramClass:
    """How many values (``number``) lie from ``low`` up to, but not including, ``high``."""

    low: float
    high: float
    number: int

    @property
    def label(self) -> str:
        """Its bounds."""
        return f"{self.low:g}-{self.high:g}"


def histogram_classes(values: Iterable[float], most: int = _MAX_CLASSES) -> list[HistogramClass]:
    """Return classes of the finite values, about ``most`` at most, with empty ones between others."""
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite:
        return []
    # The least of 1, 2 or 5 times a power of ten that makes so many classes; 1 for equal values.
    width = (finite[-1] - finite[0]) / most or 1.0
    if finite[-1] > finite[0] and math.isfinite(width):
        power = 10.0 ** math.floor(math.log10(width))
        width = next((step * power for step in _ROUND if step * power >= width), 10 * power)
    if not math.isfinite(width) or not math.isfinite(finite[0] / width):
        return [HistogramClass(finite[0], finite[-1], len(finite))]
    first = math.floor(finite[0] / width)
    numbers = [0] * (math.floor(finite[-1] / width) - first + 1)
    for value in finite:
        numbers[math.floor(value / width) - first] += 1
    return [HistogramClass(at * width, (at + 1) * width, number) for at, number in enumerate(numbers, first)]


def histogram_bars(found: list[HistogramClass]) -> list[str]:
    """Return a line of text for each class, the longest bar for the largest."""
    longest = max((one.number for one in found), default=0)
    width = max((len(one.label) for one in found), default=0)
    digits = len(str(longest))
    return [
        f"{one.label:>{width}} {one.number:>{digits}} {'█' * math.ceil(_BAR * one.number / longest)}".rstrip()
        for one in found
    ]


# --- summaries of a run ----------------------------------------------------------------------------

_MAX_NAMES = 8


def state_text(run: StoredRun, voice: Voice = MIXED) -> str:
    """Return the state of a run in words."""
    return voice(f"runs.{run.state.name.lower()}")


def run_head_line(run: StoredRun, voice: Voice = MIXED) -> str:
    """Return the state of a run: problems found, time, rate."""
    found, elapsed = run.totals.found, run.totals.elapsed
    tried = voice("runs.tried", number=run.candidates) if run.state is RunState.EXHAUSTED else ""
    rate = voice("runs.rate", rate=60 * found / elapsed) if found and elapsed else ""
    told = {"state": state_text(run, voice), "tried": tried, "found": found, "count": run.count}
    return voice("runs.head", id=run.id, elapsed=elapsed, rate=rate, **told)


def run_request_text(run: StoredRun, voice: Voice) -> str:
    """Return what a run looks for, on one line."""
    parts = [voice("runs.looking_for", moves=run.moves), *run_constraint_lines(run.options, voice)]
    return voice("runs.clauses").join([*parts, voice("runs.seed", seed=run.seed)])


def failure_lines(run: StoredRun, voice: Voice) -> Iterator[str]:
    """Yield the roots of a run that an error ended, after a head; nothing if there are none."""
    failures = [name for name in run.totals.rejections if is_failure(name)]
    if failures:
        yield voice("runs.failed_roots", number=run.totals.rejections[Rejection.FAILED], seed=run.seed)
        yield from (f"  {stored_value_excerpt(name)}" for name in failures)


def short_summary_lines(run: StoredRun, figures: ProblemFigures, voice: Voice = MIXED) -> Iterator[str]:
    """Yield the summary of a run in one or two lines, for a log."""
    yield run_head_line(run, voice)
    classes = histogram_classes(figures.all_ratings)
    parts = {
        "runs.ratings": voice.listed(f"{one.label} {one.number}" for one in classes if one.number),
        "runs.themes": _counts_with_names(counts_by_theme_name(figures.themes, voice.theme).items(), voice),
        "runs.rejected": _counts_with_names(main_rejection_reasons(run.totals.rejections), voice),
    }
    filled = [f"{voice(name)}: {text}" for name, text in parts.items() if text]
    if filled:
        yield voice("runs.clauses").join(filled)


def long_summary_lines(run: StoredRun, figures: ProblemFigures, voice: Voice = MIXED) -> Iterator[str]:
    """Yield the summary of a run with bars, for a terminal."""
    yield run_head_line(run, voice)
    yield from problem_figure_lines(figures, voice)
    reasons = _counts_with_names(main_rejection_reasons(run.totals.rejections, most=5), voice)
    if reasons:
        yield f"{voice('runs.rejected')}: {reasons}"


def run_constraint_lines(options: Any, voice: Voice) -> Iterator[str]:
    """Yield the grade unless perfect, the style unless free, the wishes, what was given."""
    options = options if isinstance(options, dict) else {}
    texts, wishes = [], options.get("wishes")
    for name, value in wishes.items() if isinstance(wishes, dict) else ():
        if value not in (None, [], False):
            listed = " + ".join(map(str, value)) if isinstance(value, list) else value
            told = len(value) if isinstance(value, list) and name == "known" else listed
            shown = "" if value is True else stored_value_excerpt(told)
            texts.append(f"{stored_value_excerpt(name)} {shown}".strip())
    for name, area, plain in (("grade", "grades", Grade.PERFECT), ("style", "styles", Style.FREE)):
        if (value := options.get(name, plain.value)) != plain.value:
            yield voice(f"runs.{name}", value=voice.known(f"{area}.{value}", stored_value_excerpt(value)))
    if texts:
        yield voice("runs.wishes", wishes=voice.listed(texts))
    starts = options.get("starts")
    if isinstance(starts, list) and starts:
        yield voice("runs.extends", number=len(starts))
    if options.get("final"):
        ends = "runs.ends_exactly_in" if options.get("exact") else "runs.ends_in"
        yield voice(ends, final=stored_value_excerpt(options["final"]))
    if around := options.get("around"):
        # The squares named with ``--keep``; nothing if all pieces are kept, as they are without it.
        fixed = options.get("fixed")
        squares = fixed if isinstance(fixed, list) else ()
        kept = {square for square in squares if isinstance(square, int) and 0 <= square < SQUARES}
        try:
            board = parse_sfen(str(around)).position.board
        except ValueError:
            board = ()
        keeping = ""
        if kept and kept != {square for square, piece in enumerate(board) if piece is not None}:
            keeping = voice("runs.keeping", squares=",".join(map(square_name, sorted(kept))))
        yield voice("runs.around", sfen=stored_value_excerpt(around), keeping=keeping)


def problem_figure_lines(figures: ProblemFigures, voice: Voice = MIXED) -> Iterator[str]:
    """Yield the ratings and themes of problems, with bars."""
    for title, lines in (
        ("runs.ratings", histogram_bars(histogram_classes(figures.all_ratings))),
        ("runs.themes", _count_table(counts_by_theme_name(figures.themes, voice.theme))),
    ):
        if lines:
            yield voice(title)
            yield from (f"  {line}" for line in lines)


def run_statistics_lines(run: StoredRun, voice: Voice = MIXED) -> Iterator[str]:
    """Yield the number and duration of each stage, and the rejections in the order of the tests."""
    totals = run.totals
    order = [reason.value for reason in Rejection]
    ordered = {name: totals.rejections[name] for name in order if name in totals.rejections}
    others = {name: number for name, number in totals.rejections.items() if name not in ordered}
    seconds = {name: f"{spent:.1f}" for name, spent in totals.seconds.items()}
    for title, area, counts in (
        ("runs.stages", "stages", dict(stage_counts(totals.counters))),
        ("runs.seconds", "stages", seconds),
        ("runs.rejected", "reasons", {**ordered, **others}),
    ):
        if counts:
            yield voice(title)
            rendered = {voice.known(f"{area}.{name}", name): count for name, count in counts.items()}
            yield from (f"  {line}" for line in _count_table(rendered))


def _counts_with_names(counts: Iterable[tuple[str, int]], voice: Voice) -> str:
    listed = [(voice.known(f"reasons.{name}", name), number) for name, number in counts]
    texts = [f"{stored_value_excerpt(name)} {number}" for name, number in listed[:_MAX_NAMES]]
    return voice.listed([*texts, *["..."] * (len(listed) > _MAX_NAMES)])


def _count_table(counts: Mapping[str, object]) -> list[str]:
    names = [stored_value_excerpt(name) for name in counts]
    width = max(map(cell_len, names), default=0)
    digits = max((len(str(number)) for number in counts.values()), default=0)
    return [
        f"{name}{' ' * (width - cell_len(name))}  {number!s:>{digits}}"
        for name, number in zip(names, counts.values(), strict=True)
    ]


# --- suggestions for a run that found nothing: with one constraint less, with a theme alone --------

_OPTIONS = {"max_pieces": "--pieces", "themes": "--theme"}
"""The options of wishes with other names than the wishes."""


def option_of_constraint(name: str) -> str:
    """Return the option by which a wish is given on the command line."""
    return _OPTIONS.get(name, f"--{name.replace('_', '-')}")


def relaxed_problem_lines(found: Iterable[tuple[Relaxation, Problem]], seconds: float, voice: Voice) -> Iterator[str]:
    """Yield a line for each dropped constraint and the problem found without it, as soon as it is found.

    ``seconds`` is the time limit of each search; if none is found, the line says so.
    """
    head = voice("nearest.head")
    for relaxation, problem in found:
        if head:
            yield head
        head = ""
        yield f"  {relaxation_text(relaxation, voice)}: {problem_line(problem)}"
    if head:
        yield voice("nearest.none", seconds=seconds)


def relaxation_text(relaxation: Relaxation, voice: Voice) -> str:
    """Return the dropped constraints, as options of the command line."""
    name, value = relaxation.name, relaxation.value
    if name == "start_piece":
        piece, square = value
        there = piece_text(voice.words, piece, square_words(voice.words, square))
        return voice("nearest.without_piece", piece=there)
    if name in ("start_hand", "length", "style"):
        return voice(f"nearest.{name}", value=value)
    shown = option_of_constraint(name) if value is True else f"{option_of_constraint(name)} {value}"
    return voice("nearest.without", option=shown)


def theme_time_text(theme: str, voice: Voice) -> str:
    """Return how long a problem with a theme takes without other constraints."""
    taken = TIMES.get(theme)
    if taken is None:
        first, *_, last = TRIED.lengths
        return voice("nearest.seldom", seconds=TRIED.seconds, first=first, last=last)
    return voice("nearest.time", seconds=taken.within, length=taken.length)


# --- the messages of `tsume import` about problems -------------------------------------------------


def stored_problems_text(numbers: list[int], store: str, voice: Voice) -> str:
    """Return how many problems were stored, and their ids if these are consecutive."""
    ids = ""
    if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
        span = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        ids = voice("importing.ids", span=span)
    name = "importing.stored_one" if len(numbers) == 1 else "importing.stored"
    return voice(name, number=len(numbers), ids=ids, store=store)


_RESEMBLANCES = ("same", "mirrored", "shifted", "idle", "kinds", "edge", "one_piece")
"""The phrases for `Resemblance`, in its order."""


def known_problem_text(kind: Resemblance, place: str, voice: Voice) -> str:
    """Return how a problem resembles the known one at a place."""
    return voice(f"importing.known_{_RESEMBLANCES[kind]}", place=place)


def import_note_text(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> str:
    """Return the blemishes of a sound problem, and the remarks on the given line."""
    notes = []
    if judgement.grade is Grade.SOUND:
        marks = defect_terms_text(judgement.blemishes.blemish_names, voice)
        limit = voice("importing.not_settled") if not judgement.settled else ""
        notes.append(voice("importing.sound", remarks=_joined_clauses([marks, limit], voice)))
    is_main = judgement.given is not None and judgement.given.reading == "narrow"
    if not is_main and (text := given_line_text(judgement, parsed, voice)):
        notes.append(voice("judgement.given_text", given=voice("judgement.given"), text=text))
    return _joined_clauses(notes, voice)


def _joined_clauses(texts: list[str], voice: Voice) -> str:
    return voice("importing.clauses").join(filter(None, texts))


def not_scored_text(limit: Reason, voice: Voice) -> str:
    """Return why a correct problem has no score."""
    return voice("importing.not_scored", limit=voice(f"judgement.limit_{limit.value}"))


def refusal_text(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> str:
    """Return why a problem is not stored."""
    if judgement.grade is None:
        return voice("importing.unresolved")
    if judgement.grade is Grade.SOUND:
        return voice("importing.not_perfect")
    if judgement.grade is Grade.PERFECT:
        return voice("remarks.SAME_POSITION")
    sentences = start_fault_texts(judgement, MoveWriter(voice, parsed))
    reasons = filter(None, [defect_terms_text(judgement.faults.names, voice), *sentences])
    return voice("importing.unsound", reasons=voice.listed(reasons))
