# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume generate``"""

from __future__ import annotations

import secrets
from typing import Any

import click

from db.errors import stored_value_excerpt
from db.store import Store
from generator.constraints.options import SAMPLED, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import GENERATOR_VERSION
from generator.theme_names import is_figure, read_figure
from solver.results import Grade
from tsume import __version__
from tsume.commands import options
from tsume.commands.runs import continue_run, scheduler_options
from tsume.commands.wishes import FORMS, OF_POSITION_AND_LINE, wishes_of
from tsume.files.inputs import Entry, PositionInputs, entry_with_start_faults, print_complaint
from tsume.formats.text import text_excerpt
from tsume.language.catalogue import Voice
from tsume.progress import with_progress_bar
from tsume.uses import composing
from tsume.uses.games import GameAnswerer, GamesOptions
from tsume_rules.position import Position, Square
from tsume_rules.sfen import canonical_sfen

# --- the options for wishes: constraints on generated problems -------------------------------------

_HIGHEST = 1000
"""A bound far beyond every score."""


def _score(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and abs(value) > _HIGHEST:
        raise click.BadParameter(f"scores are at most {_HIGHEST}")
    return options.reject_nan(context, parameter, value)


def _picture(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Return the name of a known picture, for which the compiler is loaded, or the rows of a figure."""
    if name is None:
        return None
    if is_figure(name):
        try:
            return read_figure(name)
        except ValueError as error:
            raise click.BadParameter(f"{stored_value_excerpt(name)!r}: {error}") from None
    from generator.themes.predicates import PICTURE_NAMES

    if name.upper() not in PICTURE_NAMES:
        raise click.BadParameter(
            f"{stored_value_excerpt(name)!r} is not a picture; choose from {' '.join(PICTURE_NAMES)}"
        )
    return name.upper()


_WISHES = (
    *OF_POSITION_AND_LINE,
    click.option("--form", type=click.Choice([*FORMS]),
                 help="Only problems of this form: smoke (煙詰: 36 pieces or more, three at the mate), half-smoke (20 "
                      "or more), repeating (趣向: a motif comes four times or more; of these three, -m is the "
                      "longest length), a bare king (裸玉), one kind of piece (一色図式), or no piece in hand and none "
                      "of the defender's on the board."),
    options.theme_option("Only problems with this theme; repeatable."),
    click.option("--picture", callback=_picture, metavar="NAME|ROWS",
                 help="The pieces draw this picture at mate (曲詰), such as ト or T, or a figure of your own "
                      "by its rows from the top, such as .#./###/.#. (# a piece)."),
    click.option("--min-score", type=float, callback=_score, help="Only problems with at least this score."),
    click.option("--max-score", type=float, callback=_score, help="Only problems with at most this score."),
    click.option("--stars", type=click.IntRange(1, 5), metavar="N",
                 help="Only problems with this many stars, from 1 (beginner) to 5 (expert)."),
    click.option("--min-quality", type=click.FloatRange(0, 100), callback=options.reject_nan, metavar="Q",
                 help="Only problems of at least this quality, 0 to 100."),
    click.option("--min-resistance", type=click.FloatRange(0), callback=options.reject_nan, metavar="R",
                 help="Only problems of at least this resistance: log2 of the nodes that refute the hardest "
                      "wrong first check, at most 16.6."),
    click.option("--min-surprise", type=click.FloatRange(0), callback=options.reject_nan, metavar="S",
                 help="Only problems whose first move is at least so surprising: -log2 of the chance that a "
                      "player of habit chooses it."),
    *options.FACTS,
    click.option("--distinct-lines", is_flag=True,
                 help="No two problems whose lines differ only by shifting or mirroring; lines are compared "
                      "by squares, not by pieces."),
)  # fmt: skip

_MAX_DIGITS = 100


# --- ``tsume generate`` ----------------------------------------------------------------------------


def _odd(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    if value % 2 == 0:
        raise click.BadParameter(f"a mate has an odd number of moves, not {value}")
    return value


def _not_too_long(_context: click.Context, _parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value >= 10**_MAX_DIGITS:
        raise click.BadParameter(f"at most {_MAX_DIGITS} digits")
    return value


@click.command()
@click.option(
    "-m", "--moves", type=click.IntRange(1, 99), required=True, callback=_odd,
    help="Length of the problems in moves (plies), odd.",
)  # fmt: skip
@click.option(
    "-n", "--count", type=click.IntRange(1, options.MAX_NUMBER), default=10, show_default=True,
    help="Number of problems.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0), callback=_not_too_long,
    help="Random seed, which determines the problems; random by default.",
)  # fmt: skip
@options.grade_option("Only perfect problems, or also sound ones (with blemishes).", Grade.PERFECT)
@click.option(
    "--style", type=click.Choice([style.value for style in Style]), default=Style.NATURAL.value, show_default=True,
    callback=lambda _context, _parameter, name: Style(name),
    help="Problems like those that people compose, each different from the others; the same, refined: fewer and "
    "better; or all correct ones.",
)  # fmt: skip
@options.grouped_options("wishes", wishes_of, *_WISHES)
@click.option(
    "--from", "source", metavar="PATH",
    help="Extend the shorter problems of a file or a folder to the length of -m; - for stdin.",
)  # fmt: skip
@click.option(
    "--from-games", metavar="PATH",
    help="Make problems of the mates in the games of a file or a folder (`tsume games`) and extend them.",
)  # fmt: skip
@click.option(
    "--final", metavar="SFEN",
    help="End in this mated position, with the mated side to move; other pieces may be added.",
)  # fmt: skip
@options.flag("--exact", help="With --final: add no other pieces.")
@click.option(
    "--start", "around", metavar="SFEN",
    help="Compose around the pieces of this position (3 to 9 moves); its hand, if any, is kept.",
)  # fmt: skip
@options.keep_option("With --start: keep only these squares unchanged")
@options.composing_jobs_option
@scheduler_options
@options.memory_option
@options.store_option
@options.time_options
@options.lang_option(Voice.of("en"))
@options.jsonl_option("problem")
@options.verbose_option
def generate(
    moves: int, count: int, seed: int | None, grade: Grade, style: Style, wishes: ProblemConstraints,
    source: str | None, from_games: str | None, final: str | None, exact: bool, around: str | None,
    keep: frozenset[Square], memory: int, place: str, voice: Voice, **working: Any,
) -> None:  # fmt: skip
    """Compose problems and store them.

    Each problem is proved correct (with --grade sound: free of faults), scored, stored and printed
    as soon as it is found. --memory is per process; a different value may give different problems for
    the same seed. `tsume runs resume` continues a run that was stopped or killed.
    """
    if sum(given is not None for given in (source, from_games, final, around)) > 1:
        raise click.UsageError("give only one of --from, --from-games, --final and --start")
    if keep and around is None:
        raise click.UsageError("--keep needs --start")
    if exact and final is None:
        raise click.UsageError("--exact needs --final")
    if around is not None and moves not in SAMPLED:
        raise click.UsageError(f"--start needs -m of {composing.START_LENGTHS}")
    bits = composing.generator_table_bits(memory)
    starts: tuple[str, ...] = ()
    if source is not None:
        starts = problems_to_extend(source, moves, wishes, bits)
    elif from_games is not None:
        starts = _problems_of_games(from_games, moves, composing.ExtensionCheck(moves, wishes, bits), memory)
    if not starts and (source or from_games):
        raise click.ClickException(f"--from{'' if source else '-games'}: nothing to extend to {moves} moves")
    try:
        wanted = composing.composing_options(
            moves, wishes, bits, natural=style is not Style.FREE, refined=style is Style.REFINED,
            sound=grade is Grade.SOUND, starts=starts,
            final=final, exact=exact, start=around, keep=keep,
        )  # fmt: skip
    except composing.GivenPositionError as error:
        given = text_excerpt(final or around or "")
        raise click.ClickException(f"--{error.name} {given}: {error}") from None
    if wanted.refines and not wanted.composes_backwards:
        raise click.UsageError("--style refined takes a length from 3 moves on, and no wishes or given positions")
    seed = secrets.randbelow(2**32) if seed is None else seed
    with Store.open(place) as store:
        run = store.runs.start(
            seed=seed, moves=moves, count=count, version=__version__, recipe=GENERATOR_VERSION,
            options=wanted.to_dict(),
        )  # fmt: skip
        status = continue_run(store, run, wanted, voice, **working)
    raise click.exceptions.Exit(status)


# --- the shorter problems of a file that a run extends ---------------------------------------------

_SHOWN = 20
"""Unreadable lines that are reported one by one, at most."""
_FEW = 3
"""A file of at most this many lines counts as a list of SFENs even if none of them is one."""


def problems_to_extend(file: str, moves: int, wishes: ProblemConstraints, table_bits: int) -> tuple[str, ...]:
    """Return the canonical SFENs of a file's positions that can be extended to problems of ``moves`` moves.

    These mate in fewer moves, are correct, and have only kinds of piece that the constraints allow. Each
    comes once, in the order of the file. stderr has a line for each of the others, and for a file that
    cannot be read or is not a list of SFENs.
    """
    check = composing.ExtensionCheck(moves, wishes, table_bits)
    found: list[str] = []
    unreadable: list[Entry] = []
    """Lines that are not SFENs: reported once a line of the file is one, and not all if there are many."""
    number_unread, some_read = 0, False
    for entry in PositionInputs((), (file,)):
        if entry.parsed is None:
            number_unread += 1
            if number_unread <= _SHOWN:
                unreadable.append(entry)
        else:
            some_read = True
        if some_read:
            _report_skipped(unreadable)
        if entry.parsed is None:
            continue
        fault = entry_with_start_faults(entry).error or check.fault(entry.parsed.position)
        if fault:
            print_complaint(entry.place, f"skipped: {fault}")
        else:
            found.append(canonical_sfen(entry.parsed.position))
    name = "stdin" if file == "-" else file
    if not some_read and number_unread > _FEW:
        print_complaint(name, "not a list of SFENs: no line is a valid SFEN")
    else:
        _report_skipped(unreadable)
        if number_unread > _SHOWN:
            print_complaint(name, f"skipped: {number_unread - _SHOWN} more unreadable lines")
    return tuple(dict.fromkeys(found))


def _problems_of_games(path: str, moves: int, check: composing.ExtensionCheck, memory: int) -> tuple[str, ...]:
    """Return the canonical SFENs of problems that the mates of games make and that can be extended."""
    answerer = GameAnswerer(GamesOptions(max(1, moves - 2), memory=memory << 20, problems=True))
    found: list[Position] = []
    for entry in with_progress_bar(PositionInputs((), (path,), at=0)):
        try:
            game = answerer.answer(entry)
        except ValueError as error:
            print_complaint(entry.place, f"skipped: {error}")
            continue
        if game.game.fault:
            print_complaint(entry.place, game.game.fault)
        found += [made.problem.position for made in game.made]
    return tuple(dict.fromkeys(canonical_sfen(position) for position in found if not check.fault(position)))


def _report_skipped(unreadable: list[Entry]) -> None:
    for entry in unreadable:
        print_complaint(entry.place, f"skipped: {entry.error}")
    unreadable.clear()
