# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume games``"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

import click

from db.notebook import Notebook
from db.problem_rows import ProblemAddition
from db.store import Store
from generator.problem import Problem
from tsume.commands import options
from tsume.commands.answering import PrintedAnswer, batch_options, print_answers
from tsume.files.inputs import Entry, PositionInputs, complaint_line, entry_with_start_faults
from tsume.language.catalogue import USI, Voice
from tsume.reports.notation import MoveWriter
from tsume.uses.games import GameMate, GameSearch, GamesOptions, ProblemMaker, SearchedGame, game_headers
from tsume.warmup import KernelPart


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="[GAME|FILE]...")
@click.option(
    "--max-moves", type=click.IntRange(1, 99), default=GamesOptions.max_moves, show_default=True,
    help="Search for mates of at most this many moves (plies).",
)  # fmt: skip
@click.option(
    "--nodes", type=click.IntRange(1), default=GamesOptions.nodes, show_default=True,
    help="Leave a turn unresolved after this many nodes.",
)  # fmt: skip
@options.flag("--problems", help="Make problems of the mates and store those that are perfect or sound.")
@options.memory_option
@options.store_option
@batch_options()
@options.lang_option(USI)
@options.jsonl_option("game")
def games(
    places: tuple[str, ...], max_moves: int, nodes: int, problems: bool, memory: int, place: str, jobs: int | None,
    skip: int, voice: Voice, jsonl: bool,
) -> None:  # fmt: skip
    """List the mates that were on the board in games, played or missed.

    Every turn of both sides is searched, in records of KIF, KI2, CSA, JKF and in lines of USI (`startpos moves ...`).
    Exits with status 1 if a game cannot be read to its end.
    """
    inputs = PositionInputs(places, (), at=0)
    answerer = partial(_game_answerer, GamesOptions(max_moves, nodes, memory << 20), problems)
    parts = (KernelPart.ENGINE, KernelPart.GENERATOR) if problems else (KernelPart.ENGINE,)
    with Store.open(place) if problems else nullcontext() as store:

        def finish(_number: int, found: PrintedAnswer | _FoundGame) -> PrintedAnswer:
            return _game_answer(found, store, voice, jsonl=jsonl) if isinstance(found, _FoundGame) else found

        options.exit_with_status(print_answers(inputs, jobs, answerer, skip, parts, finish=finish))


@dataclass(frozen=True)
class _FoundGame:
    entry: Entry
    game: SearchedGame
    problems: tuple[tuple[GameMate, Problem], ...]


def _game_answerer(wanted: GamesOptions, makes_problems: bool) -> Callable[[Entry], PrintedAnswer | _FoundGame]:
    search = GameSearch(wanted)
    maker = ProblemMaker(search.engine) if makes_problems else None

    def answer(given: Entry) -> PrintedAnswer | _FoundGame:
        entry = given
        if given.before is not None:  # the moves before the first one that cannot be read
            entry = replace(given, parsed=given.before[0], record=given.before[1], line=given.before[1].line)
        entry = entry_with_start_faults(entry)
        if entry.parsed is None:
            return PrintedAnswer(complaint=complaint_line(entry.place, entry.error), good=False)
        game = search.search(entry.parsed, entry.line)
        game = replace(game, fault=game.fault or given.error)
        return _FoundGame(entry, game, tuple(maker.problems(game)) if maker else ())

    return answer


def _game_answer(found: _FoundGame, store: Store | None, voice: Voice, *, jsonl: bool) -> PrintedAnswer:
    """Store the problems of a game; returns what is printed of it."""
    entry, headers, fault = found.entry, game_headers(found.entry.record), found.game.fault
    stored = {}
    if store is not None and found.problems:
        said = ", ".join([entry.place, *headers.values()])
        additions = [
            ProblemAddition(problem, Notebook(source=f"{said}, move {mate.at + 1}", tags=("game", mate.fate.value)))
            for mate, problem in found.problems
        ]
        added = store.add_all(additions)
        stored = {mate.at: row.id for (mate, _), row in zip(found.problems, added, strict=True)}
    if jsonl:
        fields = {"place": entry.place, **replace(entry, at=None).names, **headers, **found.game.to_json()}
        numbers = {} if store is None else {"problems": [{"at": at, "id": number} for at, number in stored.items()]}
        text = options.json_text(**fields, **numbers)
    else:
        text = "\n".join(_game_lines(found, headers, stored, voice))
    return PrintedAnswer(text, complaint_line(entry.place, fault) if fault else "", not fault)


def _game_lines(found: _FoundGame, headers: dict[str, str], stored: dict[int, int], voice: Voice) -> Iterator[str]:
    game = found.game
    names = "  ".join([found.entry.place, *headers.values()])
    yield voice("games.head", place=names, moves=game.moves, mates=len(game.mates))
    for mate in game.mates:
        writer, outward = MoveWriter(voice, mate.seen), mate.parsed.outward
        yield voice(
            "games.mate", number=mate.at + 1, side=voice(f"games.{mate.side}"), length=mate.length,
            fate=voice(f"games.{mate.fate}", turns=mate.stays), line=writer.line([*map(outward, mate.line)]),
        )  # fmt: skip
        if mate.others:
            yield voice("games.others", moves=writer.moves((), map(outward, mate.others)))
        if mate.at in stored:
            yield voice("games.problem", id=stored[mate.at])
    if game.unresolved:
        yield voice("games.unresolved", numbers=" ".join(str(at + 1) for at in game.unresolved))
