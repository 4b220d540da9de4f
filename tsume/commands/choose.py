# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume choose``"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from db.engine import MEMORY
from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from generator import collection
from solver.results import rating_of_score
from tsume.commands.answering import INTERRUPTED
from tsume.commands.import_ import known_options, read_prior_art
from tsume.commands.options import MAX_NUMBER, jsonl_option, lang_option, print_lines, selection_options, store_option
from tsume.commands.stored_problems import problem_table, rated_problem_json
from tsume.files.writing import FileError, real_path, require_one_file
from tsume.language.catalogue import Voice
from tsume.merging import copy_problems
from tsume.progress import with_progress_bar
from tsume.training.ratings import rated_problems
from tsume.uses.importing import PriorArt

# --- what `tsume choose` says of its choice --------------------------------------------------------


def choice_summary_lines(
    wanted: int, moves: int | None, group: collection.ChosenGroup, levels: int, voice: Voice
) -> Iterator[str]:
    """Yield how many problems were chosen and left out, the levels, and how many are missing."""
    length = voice("choosing.any_length") if moves is None else voice.moves(moves)
    number = len(group.chosen)
    sentences = [voice("choosing.chosen", length=length, number=number, candidates=group.candidates)]
    sentences += _left_out(group, voice)
    if levels > 1:
        sentences.append(voice("choosing.levels", levels=voice.listed(_levels(group, levels, voice))))
    yield voice("choosing.sentences").join(sentences)
    if number < wanted:
        yield voice("choosing.too_few", length=length, missing=wanted - number, wanted=wanted)


def _left_out(group: collection.ChosenGroup, voice: Voice) -> Iterator[str]:
    if group.alike:
        kinds = [kind for kind in collection.LIKENESSES.values() if group.alike[kind]]
        reasons = voice.listed(voice(f"choosing.{kind}", number=group.alike[kind]) for kind in kinds)
        yield voice("choosing.alike", number=group.alike.total(), reasons=reasons)
    if group.known:
        yield voice("choosing.known", number=group.known)


def _levels(group: collection.ChosenGroup, levels: int, voice: Voice) -> Iterator[str]:
    """Yield the ratings and the number of problems of each level that has any."""
    for level in range(levels):
        ratings = [rating_of_score(one.problem.score) for one in group.chosen if one.level == level]
        if ratings:
            yield voice("choosing.level", low=min(ratings), high=max(ratings), number=len(ratings))


# --- ``tsume choose`` ------------------------------------------------------------------------------

_MAX_LEVELS = 100


class ChoiceRequest(NamedTuple):
    """How many problems of a length are wanted; None: of all lengths together."""

    number: int
    moves: int | None = None


def _requests(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[ChoiceRequest, ...]:
    """Return the numbers of ``180`` or of ``3:180`` and ``5:120``."""
    found = tuple(map(_request, texts))
    lengths = [request.moves for request in found]
    if len(set(lengths)) < len(lengths) or (None in lengths and len(lengths) > 1):
        raise click.BadParameter("give one number, or one for each length, as in -n 3:180 -n 5:120")
    return found


def _request(text: str) -> ChoiceRequest:
    moves, _, number = text.rpartition(":")
    numbers = [int(part) for part in (number, moves or "1") if part.isascii() and part.isdigit() and len(part) < 10]
    if len(numbers) < 2 or not all(1 <= one <= MAX_NUMBER for one in numbers) or text.startswith(":"):
        raise click.BadParameter(
            f"{stored_value_excerpt(text)!r} is neither a number of problems nor a length and a number: 3:180"
        )
    return ChoiceRequest(numbers[0], numbers[1] if moves else None)


def _level_shares(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[float, ...]:
    """Equal shares of ``5`` levels, or those of ``1,2,3,2,1``."""
    parts = text.split(",")
    numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10]
    shares = numbers if len(parts) > 1 else [1] * min(_MAX_LEVELS + 1, sum(numbers))
    if len(numbers) < len(parts) or not any(shares) or len(shares) > _MAX_LEVELS:
        raise click.BadParameter(
            f"{stored_value_excerpt(text)!r} is neither a number of levels, up to {_MAX_LEVELS}, "
            "nor their shares, such as 1,2,1"
        )
    return tuple(map(float, shares))


@click.command()
@store_option
@click.option(
    "-n", "--count", "requests", multiple=True, required=True, callback=_requests, metavar="[MOVES:]N",
    help="Number of problems, or that of a length (3:180); repeatable for several lengths.",
)  # fmt: skip
@click.option(
    "--levels", "shares", default="1", callback=_level_shares, metavar="N|SHARES",
    help="Levels of difficulty with equally many problems each (5), or with these shares (1,2,2,2,1).",
)  # fmt: skip
@click.option(
    "--out", "output", metavar="PATH", help="Write the chosen problems to a new store instead of listing them."
)
@known_options
@selection_options
@lang_option(Voice.of("en"))
@jsonl_option("problem")
def choose(
    place: str, requests: tuple[ChoiceRequest, ...], shares: tuple[float, ...], output: str | None,
    known: tuple[str, ...], keep_near: bool, voice: Voice, jsonl: bool, wanted: ProblemSelection,
) -> None:  # fmt: skip
    """Choose the best problems of a store for a collection: no two alike, and as different as possible.

    Problems are chosen by the rating to expect from an editor, by what others do not show yet (themes, first
    moves, mates, squares of the king, pieces, difficulty), and so that on average they are like published
    ones. They come by length, easy ones first. The choice depends on the problems only, not on their
    order in the store.
    """
    requests = _requests_for_length(requests, wanted)
    if output is not None:
        # Refuse a file that is there, and a place that is no file.
        if jsonl:
            raise click.UsageError("--jsonl lists problems, --out writes them to a store: give one of them")
        if output in ("", "-", MEMORY) or "://" in output:
            raise click.UsageError("--out is the file of a new store")
        require_one_file(output, "a store")
        if Path(output).exists():
            raise click.ClickException(f"{store_place_name(output)}: exists; --out makes a new store")
    prior_art = read_prior_art(known, voice, keep_near=keep_near)
    try:
        with Store.open(place, create=False) as store:
            groups = _chosen_groups(store, wanted, requests, shares, prior_art)
            for request, group in zip(requests, groups, strict=True):
                for line in choice_summary_lines(request.number, request.moves, group, len(shares), voice):
                    click.echo(line, err=True)
            # by length, those of a length by difficulty
            chosen = [one for group in groups for one in sorted(group.chosen, key=lambda one: one.problem.length)]
            if output is not None:
                _write_store(store, output, [one.problem.id for one in chosen])
                click.echo(voice("choosing.written", number=len(chosen), store=store_place_name(output)), err=True)
            else:
                problems = rated_problems(store, [one.problem.id for one in chosen])
                if jsonl:
                    levels = {one.problem.id: one.level for one in chosen}
                    print_lines(rated_problem_json(*one, level=levels[one[0].id] + 1) for one in problems)
                elif chosen:
                    print_lines(problem_table(problems, voice))
    except KeyboardInterrupt:
        click.echo("interrupted; nothing was written", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _requests_for_length(requests: tuple[ChoiceRequest, ...], wanted: ProblemSelection) -> tuple[ChoiceRequest, ...]:
    if wanted.moves is None:
        return tuple(sorted(requests, key=lambda one: one.moves or 0))
    if requests[0].moves is not None:
        raise click.UsageError("-m is for a single number of problems: -n 180 -m 3, or -n 3:180")
    return (requests[0]._replace(moves=wanted.moves),)


def _chosen_groups(
    store: Store,
    wanted: ProblemSelection,
    requests: Sequence[ChoiceRequest],
    shares: Sequence[float],
    prior_art: PriorArt,
) -> list[collection.ChosenGroup]:
    """Return what is chosen for each request; an error if there is nothing to choose from."""
    number = store.count(wanted)
    number = number if wanted.limit is None else min(number, wanted.limit)
    groups: list[list[collection.CollectionCandidate]] = [[] for _ in requests]
    for problem in with_progress_bar(store.find(wanted), number):
        for group, request in zip(groups, requests, strict=True):
            if request.moves in (None, problem.length):
                if not store.playable(problem).line:
                    raise StoreError(f"{store.name}: problem {problem.id} cannot be read: no line")
                difficulty = problem.difficulty
                candidate = collection.collection_candidate(
                    problem.id, problem.position, problem.line, problem.themes,
                    score=difficulty.score, difficulty=difficulty.features,
                )  # fmt: skip
                group.append(candidate)
    if not any(groups):
        raise click.ClickException(f"{store.name}: no problem to choose from")

    def is_known(candidate: collection.CollectionCandidate) -> bool:
        found = prior_art.resembling(candidate.position, candidate.line)
        return found is not None and found.excludes

    chooser = collection.CollectionChooser(groups, is_known)
    return [chooser.choose(group, request.number, shares) for group, request in zip(groups, requests, strict=True)]


def _write_store(store: Store, output: str, problem_ids: Sequence[int]) -> None:
    """Write the problems to a new store; an interruption or an error leaves none."""
    try:
        path = real_path(Path(output))
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".tsume-") as folder:
            unfinished = Path(folder) / "new.db"
            with Store.open(unfinished) as destination:
                copy_problems(store, destination, problem_ids)
            unfinished.rename(path)
    except OSError as error:
        raise FileError(f"{store_place_name(output)}: {error.strerror or error}") from None
