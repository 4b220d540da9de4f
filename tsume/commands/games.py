# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume games``"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from db.notebook import printable_note
from db.problem_rows import ProblemAddition
from db.store import Store
from tsume.commands import options
from tsume.commands.answering import PrintedAnswer, batch_options, print_answers
from tsume.files.inputs import Entry, PositionInputs, complaint_line
from tsume.formats.game_record import LENGTH, Branch, GameRecord, without_handicap_pieces
from tsume.formats.kif import write_kif
from tsume.formats.text import csv_line
from tsume.language.catalogue import USI, Voice
from tsume.reports.notation import MoveWriter
from tsume.uses.games import Fate, FoundGame, GameAnswerer, GameMate, GamesOptions, MadeKind

StoredIds = Mapping[tuple[int, MadeKind], int]
"""The ids of what was made of mates, by the number of moves before the mate and the kind."""
_GROUPS = ("player", "event", "date", "length")
"""What mates can be counted by."""
_UNRESOLVED, _TURNS = "unresolved", "turns"
_COUNTED = (_TURNS, *(fate.value for fate in Fate), _UNRESOLVED)
"""What is counted: turns with a mate, what became of it, turns that are unresolved."""
_COLUMNS = (
    "place", "black", "white", "event", "date", "moves", "number", "side", "length", "fate", "stays", "played", "line",
    "others", "sfen", *(kind.value for kind in MadeKind),
)  # fmt: skip
_CSV_HEAD = csv_line(_COLUMNS)


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="[GAME|FILE]...")
@options.grouped_options(
    "wanted", lambda memory, **given: GamesOptions(memory=memory << 20, **given),
    click.option(
        "--max-moves", type=click.IntRange(1, 99), default=GamesOptions.max_moves, show_default=True,
        help="Search for mates of at most this many moves (plies).",
    ),
    click.option(
        "--nodes", type=click.IntRange(1), default=GamesOptions.nodes, show_default=True,
        help="Leave a turn unresolved after this many nodes.",
    ),
    options.flag(
        "--exercises",
        help="Store the mates with one solution that leaves nothing in hand, or does once that is the defender's.",
    ),
    options.flag("--problems", help="Make problems of the mates and store those that are perfect or sound."),
    options.flag(
        "--training",
        help="Store an exercise, or else a problem, of each mate that was not played at once: a set to train on.",
    ),
    options.memory_option,
)  # fmt: skip
@options.store_option
@click.option(
    "--by", "group", type=click.Choice(_GROUPS),
    help="Print a table: the turns with a mate, and what became of it, by the player who could mate, and so on.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(("csv", "kif")),
    help="Print a table for programs with a row for each mate, or the games with comments and variations.",
)  # fmt: skip
@batch_options()
@options.lang_option(USI)
@options.jsonl_option("game")
def games(
    places: tuple[str, ...], wanted: GamesOptions, place: str, group: str | None, form: str | None, jobs: int | None,
    skip: int, voice: Voice, jsonl: bool,
) -> None:  # fmt: skip
    """List the mates that were on the board in games, played or missed.

    Every turn of both sides is searched, in records of KIF, KI2, CSA, JKF and in lines of USI (`startpos moves ...`).
    Exits with status 1 if a game cannot be read to its end.
    """
    if sum(map(bool, (group, form, jsonl))) > 1:
        raise click.UsageError("give only one of --by, --format and --jsonl")
    inputs, counts = PositionInputs(places, (), at=0), Counter[tuple[Any, str]]()
    with Store.open(place) if wanted.makes_problems else nullcontext() as store:

        def finish(_number: int, found: PrintedAnswer | FoundGame) -> PrintedAnswer:
            if isinstance(found, PrintedAnswer):
                return found
            stored = {} if store is None else _stored(found, store)
            fault, text = found.game.fault, ""
            if group is not None:
                counts.update(_mates_by(group, found))
            elif jsonl:
                made = [{"at": at, "kind": kind.value, "id": number} for (at, kind), number in stored.items()]
                fields = {"problems": made} if wanted.makes_problems else {}
                text = options.json_text(place=found.entry.place, **found.to_json(), **fields)
            elif form == "csv":
                text = csv_of_game(found, stored).rstrip("\n")
            elif form == "kif":
                text = kif_of_game(found, voice)
            else:
                text = "\n".join(game_lines(found, stored, voice))
            return PrintedAnswer(text, complaint_line(found.entry.place, fault) if fault else "", not fault)

        if form == "csv" and not skip:
            options.print_line(_CSV_HEAD.rstrip("\n"))
        is_good = print_answers(inputs, jobs, partial(_game_answerer, wanted), skip, finish=finish)
    if group is not None:
        _print_table(group, counts, voice)
    options.exit_with_status(is_good)


def _game_answerer(wanted: GamesOptions) -> Callable[[Entry], PrintedAnswer | FoundGame]:
    answerer = GameAnswerer(wanted)

    def answer(given: Entry) -> PrintedAnswer | FoundGame:
        try:
            return answerer.answer(given)
        except ValueError as error:
            return PrintedAnswer(complaint=complaint_line(given.place, str(error)), good=False)

    return answer


def _stored(found: FoundGame, store: Store) -> StoredIds:
    """Store what was made of the mates of a game; returns the ids."""
    additions = [ProblemAddition(made.problem, made.notebook(found.entry.place, found.headers)) for made in found.made]
    added = store.add_all(additions) if additions else ()
    return {(made.mate.at, made.kind): row.id for made, row in zip(found.made, added, strict=True)}


def _print_table(group: str, counts: Counter[tuple[Any, str]], voice: Voice) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column(voice(f"games.by_{group}"), no_wrap=True)
    for thing in _COUNTED:
        table.add_column(voice(f"games.column_{thing}"), justify="right", no_wrap=True)
    rows: dict[Any, Counter[str]] = {}
    for (name, thing), number in counts.items():
        rows.setdefault(name, Counter())[thing] = number
    for name, numbers in sorted(rows.items(), key=lambda row: (isinstance(row[0], str), row[0])):
        told = printable_note(str(name)) if name != "" else voice("games.unknown")
        table.add_row(Text(told), *(str(numbers[thing]) for thing in _COUNTED))
    options.table_console().print(table)


# --- the mates of a game as lines, as rows of a table, as KIF with comments, and counted -------------


def game_lines(found: FoundGame, stored: StoredIds, voice: Voice) -> Iterator[str]:
    """Yield a line with the names of a game, and lines of its mates."""
    names = "  ".join([found.entry.place, *found.headers.values()])
    yield voice("games.head", place=names, moves=found.game.moves, mates=len(found.game.mates))
    for mate in found.game.mates:
        yield from (f"  {line}" for line in _mate_lines(mate, voice))
        for kind in MadeKind:
            if (mate.at, kind) in stored:
                yield voice(f"games.{kind}", id=stored[mate.at, kind])
    if found.game.unresolved:
        yield voice("games.unresolved", numbers=" ".join(str(at + 1) for at in found.game.unresolved))


def _mate_lines(mate: GameMate, voice: Voice) -> Iterator[str]:
    writer, outward = MoveWriter(voice, mate.seen), mate.parsed.outward
    yield voice(
        "games.mate", number=mate.at + 1, side=voice(f"games.{mate.side}"), length=mate.length,
        fate=voice(f"games.{mate.fate}", turns=mate.stays), line=writer.line([*map(outward, mate.line)]),
    )  # fmt: skip
    if mate.others:
        yield voice("games.others", moves=writer.moves((), map(outward, mate.others)))


def csv_of_game(found: FoundGame, stored: StoredIds) -> str:
    """Return a row for each mate of a game and each unresolved turn; the ``number`` is that of the move."""
    game, told = found.game, {"place": found.entry.place, **found.headers, "moves": found.game.moves}
    rows: dict[int, dict[str, Any]] = {at: {"fate": _UNRESOLVED} for at in game.unresolved}
    for mate in game.mates:
        fields = mate.to_json()
        texts = {name: " ".join(fields[name] or ()) for name in ("line", "others")}
        ids = {kind.value: stored.get((mate.at, kind)) for kind in MadeKind}
        rows[mate.at] = {**fields, **texts, **ids}
    rows = {at: {**told, "number": at + 1, **rows[at]} for at in sorted(rows)}
    return "".join(csv_line(row.get(name) for name in _COLUMNS) for row in rows.values())


def kif_of_game(found: FoundGame, voice: Voice) -> str:
    """Return a game with its mates, each a comment before the move that could be played and a variation."""
    entry, parsed = found.entry, found.parsed
    start = without_handicap_pieces(parsed)
    moves = tuple(map(parsed.outward, entry.line[: found.game.moves]))
    comments, branches = [], []
    for mate in found.game.mates:
        line = tuple(map(mate.parsed.outward, mate.line))
        comments += [(mate.at, text) for text in _mate_lines(mate, voice)]
        if moves[mate.at : mate.at + 1] != line[:1]:
            branches.append(Branch(mate.at + 1, line))
    record = GameRecord(
        start.sides_exchanged if parsed.rotated else start, moves, entry.title,
        tuple(text for at, text in comments if at == 0),
        tuple((key, text) for key, text in (entry.record.headers if entry.record else ()) if key != LENGTH),
        tuple(one for one in comments if one[0] > 0), tuple(branches),
    )  # fmt: skip
    return write_kif(record, is_game=True)


def _mates_by(group: str, found: FoundGame) -> Iterator[tuple[Any, str]]:
    """Yield a name for each turn with a mate, and each that is unresolved, with each thing that is counted of it.

    The name is of the player who could mate, the event, the date or the length; empty where that is not known.
    """
    headers = found.headers

    def name(side: str, length: int | str) -> int | str:
        return length if group == "length" else headers.get(side if group == "player" else group, "")

    for mate in found.game.mates:
        named = name(mate.side, mate.length)
        yield from ((named, _TURNS), (named, mate.fate.value))
    for at in found.game.unresolved:
        is_white = found.parsed.rotated != bool(at % 2)
        yield name("white" if is_white else "black", ""), _UNRESOLVED
