# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several commands share."""

from __future__ import annotations

import errno
import functools
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from db.errors import store_place_name, stored_value_excerpt
from db.notebook import TEXTS, fault_of_text, is_unprintable
from db.selection import ORDERS, ProblemSelection
from generator.constraints.problem import Key
from generator.problem import STORED
from generator.theme_names import ThemeDetail, ThemeDetailError, tag_of
from solver.results import Grade
from tsume.files.inputs import PositionInputs
from tsume.files.writing import chunked
from tsume.formats.game_record import END
from tsume.formats.text import ENCODINGS
from tsume.language.catalogue import LANG_VARIABLE, LANGUAGES, MIXED, USI, Language, Voice
from tsume.uses import engines
from tsume_rules.position import ALL_PIECES, Hand, Position, Square, parse_square
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from rich.console import Console

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_STORE = "tsume.db"
MAX_NUMBER = 2**31 - 1
"""The largest count, length or id: what an integer column of any database holds."""

_LONGEST_SEARCH = max(TEXTS["title"], TEXTS["author"])
"""Characters of a text that is looked for."""
_MAX_IDS = 1_000_000
"""The most ids in one command."""

MIN_MEMORY, MAX_MEMORY, DEFAULT_MEMORY = engines.MIN_MEMORY, engines.MAX_MEMORY, engines.DEFAULT_MEMORY


def reject_nan(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    """Reject NaN: no comparison with it holds."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number")
    return value


def finite_only(context: click.Context, parameter: click.Parameter, value: float) -> float:
    """Reject NaN and infinity."""
    if math.isinf(value):
        raise click.BadParameter("inf is too large")
    return reject_nan(context, parameter, value) or 0.0


def valid_title(_context: click.Context, _parameter: click.Parameter, text: str) -> str:
    """Return the title of a book or a site, which may be what that of a problem may."""
    if fault := fault_of_text("title", text):
        raise click.BadParameter(fault)
    return text


def combined_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return what adds all these options, in their order."""
    return lambda command: functools.reduce(lambda made, option: option(made), reversed(options), command)


def flag(*names: str, help: str) -> Callable[[F], F]:
    """Return an option without a value."""
    return click.option(*names, is_flag=True, help=help)


def grouped_options(
    name: str, make: Callable[..., Any], *options: Callable[[F], F], also: tuple[str, ...] = ()
) -> Callable[[F], F]:
    """Add options; the command gets what ``make`` makes of their values, as ``name``.

    ``also``: it is made of the values of these options, too, which the command has above.
    """

    def add(command: F) -> F:
        @functools.wraps(command)
        def gathered(*arguments: Any, **given: Any) -> Any:
            values = {one: given.pop(one) for one in (*names, *also)}
            return command(*arguments, **{name: make(**values)}, **given)

        before = len(getattr(command, "__click_params__", ()))
        adding: Callable[[Any], Any] = combined_options(*options)
        added: F = adding(gathered)
        names = [one.name for one in added.__click_params__[before:]]  # type: ignore[attr-defined]
        return added

    return add


store_option = click.option(
    "--db", "place", default=DEFAULT_STORE, show_default=True, metavar="PATH|URL",
    help="The store: a SQLite file or a SQLAlchemy URL.",
)  # fmt: skip
"""Which store."""


def memory_errors_reported(command: F, fault: str = "out of memory") -> F:
    """Report in one line (``fault``) that there is not enough memory."""

    @functools.wraps(command)
    def within_memory(*arguments: Any, **given: Any) -> Any:
        try:
            return command(*arguments, **given)
        except MemoryError as error:
            failed = click.ClickException(fault)
            for note in getattr(error, "__notes__", ()):
                failed.add_note(note)
            raise failed from None

    return within_memory  # type: ignore[return-value]


def memory_option(command: F) -> F:
    """``--memory``: how much the searches of one process may use; too little is reported in one line."""
    return click.option(
        "--memory", type=click.IntRange(MIN_MEMORY, MAX_MEMORY), default=DEFAULT_MEMORY,
        show_default=True, metavar="MB", help="Memory for the searches of each process.",
    )(memory_errors_reported(command, "out of memory: reduce --memory"))  # fmt: skip


def jsonl_option(what: str) -> Callable[[F], F]:
    """``--jsonl``: output for programs, a JSON object for each ``what``."""
    return flag("--jsonl", help=f"Print one JSON object per {what}.")


verbose_option = flag("--verbose", help="Show the stages of the work and the main rejections on stderr too.")


def _lang_option(name: str, choices: Iterable[str], **more: Any) -> Callable[[F], F]:
    return click.option(
        "--lang", name, type=click.Choice(tuple(choices)), envvar=LANG_VARIABLE, show_envvar=True, **more
    )


_WITHOUT_LANG = {
    MIXED: "English words, Japanese boards and moves",
    USI: "English words, moves in USI",
    Voice.of("ja"): "ja",
    Voice.of("en"): "en",
}
"""What a command says of its voice if no language is asked for."""


def lang_option(default: Voice, text: str = "") -> Callable[[F], F]:
    """``--lang``: the language of what is printed for people; the command gets ``voice``."""

    def voice(_context: click.Context, _parameter: click.Parameter, language: Language | None) -> Voice:
        return default if language is None else Voice.of(language)

    text = text or f"Output language: Japanese or English. By default: {_WITHOUT_LANG[default]}."
    return _lang_option("voice", LANGUAGES, callback=voice, help=text)


def lang_or_both_option(default: Voice) -> Callable[[F], F]:
    """``--lang`` of texts that may be in both languages, one after the other; the command gets ``voices``."""

    def chosen(_context: click.Context, _option: click.Parameter, language: str | None) -> tuple[Voice, ...]:
        if language is None:
            return (default,)
        return tuple(Voice.of(name) for name in LANGUAGES if language in (name, "both"))

    text = f"Output language: Japanese, English or both. By default: {_WITHOUT_LANG[default]}."
    return _lang_option("voices", (*LANGUAGES, "both"), callback=chosen, help=text)


def languages_option(*, of_files: bool) -> Callable[[F], F]:
    """``--lang`` of texts that may be in both languages; the command gets ``languages``, a list.

    By default files are in Japanese, what is printed in the language of the locale.
    """

    def chosen(_context: click.Context, _parameter: click.Parameter, language: str) -> list[Language]:
        return [name for name in LANGUAGES if language in (name, "both")]

    default, shown = ("ja", "ja") if of_files else (locale_language, "that of the locale")
    text = "Language of the text: Japanese, English or both."
    return _lang_option(
        "languages", (*LANGUAGES, "both"), default=default, show_default=shown, callback=chosen, help=text
    )


def drawn_language_option(text: str, *more: str) -> Callable[[F], F]:
    """``--lang`` of pictures and what is written beside them: the command gets ``language``."""
    return _lang_option("language", (*LANGUAGES, *more), default="ja", show_default=True, help=text)


def locale_language() -> Language:
    """Return Japanese if the locale for messages (POSIX: LC_ALL, LC_MESSAGES, LANG) is, else English."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "ja" if (next(filter(None, names), "") + "_").replace(".", "_").startswith("ja_") else "en"


def seconds_option(default: float, more: str = "") -> Callable[[F], F]:
    """``--time``: how long one position may take; the command gets ``seconds``. ``more`` adds to the help."""
    return click.option(
        "--time", "seconds", type=click.FloatRange(0), default=default, show_default=True,
        callback=reject_nan, metavar="SEC", help=f"Stop searching a position after this many seconds{more}.",
    )  # fmt: skip


def _processors() -> int:
    return os.cpu_count() or 1


def jobs_option(text: str, **more: Any) -> Callable[[F], F]:
    """``-j``: the command gets ``jobs``, None if it is not given."""
    return click.option("-j", "--jobs", type=click.IntRange(1, 256), help=text, **more)


composing_jobs_option = jobs_option(
    "Number of processes; it does not change the problems.",
    default=lambda: _processors(),  # noqa: PLW0108 - replaced in tests
    show_default="one for each processor",
)
"""How many processes compose; one for each processor by default."""


def parse_squares(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> frozenset[Square]:
    """Return the squares of ``2b`` and ``1a,2b``."""
    try:
        return frozenset(parse_square(name) for text in texts for name in text.split(","))
    except ValueError:
        raise click.BadParameter(
            f"invalid squares {stored_value_excerpt(' '.join(texts))!r}: give them as 1a,2b"
        ) from None


def keep_option(text: str = "Squares to keep unchanged") -> Callable[[F], F]:
    """``--keep``, repeatable: the command gets ``keep``, a set of squares."""
    return click.option(
        "--keep", multiple=True, callback=parse_squares, metavar="SQUARES",
        help=f"{text}, such as 1a,2b; repeatable.",
    )  # fmt: skip


def parse_themes(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags of the given themes, each once; an unknown one is refused."""
    tags = []
    for name in names:
        tag = tag_of(name)
        if tag is None:
            raise click.BadParameter(f"{stored_value_excerpt(name)!r} is not a theme; `tsume themes` lists them")
        tags.append(tag)
    return tuple(dict.fromkeys(tags))


def _asked_themes(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The given themes, each once, in the form of `generator.theme_names`; an unknown one is refused."""
    try:
        return tuple(dict.fromkeys(str(ThemeDetail.parse(text)) for text in texts))
    except ThemeDetailError as error:
        raise click.BadParameter(str(error)) from None


def theme_option(text: str) -> Callable[[F], F]:
    """``--theme``, repeatable, by tag or name, with a piece or a number: the command gets ``themes``."""
    return click.option(
        "--theme", "themes", multiple=True, callback=_asked_themes, metavar="NAME[:PIECE][>=N]",
        help=f"{text} With a piece (switchback:B) or a number ('sacrifice>=3'), only if a move by that "
             "piece, or so many moves, show it.",
    )  # fmt: skip


def grade_option(text: str, default: Grade | None = None) -> Callable[[F], F]:
    """``--grade``: perfect or sound; the command gets ``grade``, a `Grade`."""
    return click.option(
        "--grade", type=click.Choice([grade.value for grade in STORED]),
        callback=lambda _context, _parameter, name: name and Grade(name),
        default=default and default.value, show_default=default is not None, help=text,
    )  # fmt: skip


def parse_ids(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[int, ...]:
    """Return the ids of ``3``, ``5-7`` and ``1,4``."""
    found: list[int] = []
    for text in (part for word in texts for part in word.split(",")):
        first, _, last = text.partition("-")
        try:
            bounds = [int(bound) for bound in (first, last or first) if bound.isascii() and bound.isdigit()]
        except ValueError:  # more digits than Python reads
            bounds = []
        if len(bounds) != 2 or not 1 <= bounds[0] <= bounds[1] <= MAX_NUMBER:
            raise click.BadParameter(f"{stored_value_excerpt(text)!r} is neither an id nor a range of ids such as 3-7")
        found += range(bounds[0], min(bounds[1], bounds[0] + _MAX_IDS) + 1)
        if len(found) > _MAX_IDS:
            raise click.BadParameter(f"more than {_MAX_IDS} ids")
    return tuple(dict.fromkeys(found))


def _stripped(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """Return a text to be looked for; what no problem can have is refused."""
    if text is not None and (len(text) > _LONGEST_SEARCH or any(map(is_unprintable, text))):
        raise click.BadParameter(f"give at most {_LONGEST_SEARCH} printable characters")
    return text


FACTS_OF_POSITION = (
    flag("--no-promoted", help="No promoted pieces on the board at the start."),
    click.option(
        "--defenders", type=click.IntRange(0, ALL_PIECES), metavar="MIN",
        help="At least this many defending pieces on the board, not counting the king.",
    ),
    click.option(
        "--key", type=click.Choice([kind.value for kind in Key]),
        help="The first move: quiet (a move that captures nothing and is not captured next), a drop, or a "
             "sacrifice (captured next).",
    ),
)  # fmt: skip
"""Those of `FACTS` that the position and its first moves show."""
FACTS = (
    *FACTS_OF_POSITION,
    click.option(
        "--no-equal-defences", is_flag=True, help="No other defence of the same length as the main line "
                                                  "(変同)."
    ),
    flag("--no-variation-cooks", help="No second mate in a variation that is as long as the main line (変化別詰)."),
    flag("--one-finish", help="Only one last move mates (no 最終手余詰)."),
    flag(
        "--same-when-counted", help="Same length and line when every interposition counts, even futile ones (無駄合)."
    ),
)  # fmt: skip
"""The options for facts of a problem (`generator.constraints.problem`), selections and wishes alike."""
_SELECTION = (
    click.option(
        "--id", "ids", multiple=True, callback=parse_ids, metavar="ID[-ID]",
        help="Only these problems: an id or a range; repeatable.",
    ),
    click.option("-m", "--moves", type=click.IntRange(1, MAX_NUMBER), help="Only problems of this many moves."),
    click.option("--min-score", type=float, callback=reject_nan, help="Only problems with at least this score."),
    click.option("--max-score", type=float, callback=reject_nan, help="Only problems with at most this score."),
    click.option(
        "--stars", type=click.IntRange(1, 5),
        help="Only problems with this many stars, from 1 (beginner) to 5 (expert), by their scores.",
    ),
    click.option(
        "--max-pieces",
        type=click.IntRange(1, MAX_NUMBER),
        help="Only problems with at most this many pieces.",
    ),
    theme_option("Only problems with this theme; repeatable."),
    click.option(
        "--tag", "tags", multiple=True, metavar="TAG",
        callback=lambda context, option, tags: tuple(str(_stripped(context, option, tag)) for tag in tags),
        help="Only problems with this tag; repeatable.",
    ),
    click.option("--title", callback=_stripped, metavar="TEXT", help="Only problems whose title contains this text."),
    click.option("--author", callback=_stripped, metavar="TEXT", help="Only problems whose author contains this text."),
    click.option(
        "--min-quality", type=float, callback=reject_nan,
        help="Only problems of at least this quality, 0 to 100."
    ),
    click.option(
        "--min-resistance", type=float, callback=reject_nan,
        help="Only problems of at least this resistance (log2 of nodes).",
    ),
    click.option(
        "--min-surprise", type=float, callback=reject_nan,
        help="Only problems of at least this surprise (bits).",
    ),
    click.option(
        "--min-proof-tree", type=click.IntRange(1, MAX_NUMBER),
        help="Only problems with at least this many positions in the proof tree.",
    ),
    click.option(
        "--max-proof-tree", type=click.IntRange(1, MAX_NUMBER),
        help="Only problems with at most this many positions in the proof tree.",
    ),
    *FACTS,
    grade_option("Only perfect problems, or only sound ones (with blemishes)."),
    click.option("--seed", type=int, help="Only problems of runs with this seed."),
    click.option(
        "--run",
        type=click.IntRange(1, MAX_NUMBER),
        metavar="ID",
        help="Only problems of this run (`tsume runs`).",
    ),
    click.option("--limit", type=click.IntRange(1, MAX_NUMBER), help="At most this many problems."),
    click.option(
        "--sort", "order", type=click.Choice(ORDERS), default="id", show_default=True,
        help="Sort order: lowest id, lowest score, best quality or smallest proof tree first.",
    ),
)  # fmt: skip

selection_options = grouped_options("wanted", ProblemSelection, *_SELECTION)
"""The options that select problems of a store."""


# --- options that name files: positions to read, a place to write to -------------------------------


def parse_move_number(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    """Return a number of moves, or `END`."""
    if text is None or text == "end":
        return None if text is None else END
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise click.BadParameter(f'{stored_value_excerpt(text)!r} is neither a number of moves nor "end"')
    return int(text)


_POSITIONS = (
    click.argument("sfens", nargs=-1, metavar="[SFEN|FILE]..."),
    click.option(
        "-f", "--file", "files", multiple=True, metavar="PATH",
        help="Read positions from a file in any format, or from the files of a folder; - for stdin; "
             "repeatable.",
    ),
    click.option(
        "--at", callback=parse_move_number, metavar="N|end",
        help="Take the position after this many moves of each record, or after its last move; its side to "
             "move is the attacker.",
    ),
)  # fmt: skip
position_arguments = combined_options(*_POSITIONS)
"""``[SFEN|FILE]...``, ``-f`` and ``--at``: the command gets ``sfens``, ``files`` and ``at``."""
position_inputs = grouped_options("inputs", PositionInputs, *_POSITIONS)
"""The same for a command that only reads the positions: it gets ``inputs``."""

output_options = combined_options(
    click.option(
        "-o", "--output", metavar="PATH", help="Output file, or a folder for one file per problem; - for stdout."
    ),
    click.option(
        "--encoding",
        type=click.Choice(list(ENCODINGS)),
        help="Encoding; by default that of the format and the file name.",
    ),
)


# --- ``--licence``: under which terms problems are given away --------------------------------------

_FILE_NAME = re.compile(r"(?!https?://)\S*(/\S*|\.(txt|md|html))")
"""What is no licence but the name of a file."""
_LONGEST_LICENCE = 2**20
"""Bytes."""


def licence_option(text: str) -> Callable[[F], F]:
    """``--licence``: the command gets ``licence``, the words given or those of a file; None without it."""
    return click.option("--licence", callback=_licence, metavar="TEXT|FILE", help=text)


def _licence(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    """Return the text of a file, if there is one of that name; else what is given."""
    if given is None:
        return None
    try:
        if not Path(given).is_file():
            if _FILE_NAME.fullmatch(given):
                raise click.BadParameter(f"{store_place_name(given)}: {os.strerror(errno.ENOENT)}")
            return given
        if Path(given).stat().st_size > _LONGEST_LICENCE:
            raise click.BadParameter(f"{store_place_name(given)}: more than {_LONGEST_LICENCE} bytes")
        return Path(given).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise click.BadParameter(f"{store_place_name(given)}: not UTF-8") from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return given
        raise click.BadParameter(f"{store_place_name(given)}: {error.strerror or error}") from None
    except ValueError:  # with a zero: a text
        return given


# --- ``--time-limit`` and ``--until``: when a command stops and keeps what it has found ------------

_LONGEST = 40


def seconds_until(text: str, now: datetime) -> float:
    """The seconds from ``now`` to an ISO date and time, or to a time of today; local time without a zone.

    Raises ValueError for a text that is neither, and for a time that is past.
    """
    try:
        if len(text) > _LONGEST:
            raise ValueError
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = datetime.combine(now.date(), time.fromisoformat(text))
        seconds = (moment.astimezone() - now).total_seconds()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{text[:_LONGEST]!r} is not a date and time (2026-11-21T18:00) or a time (18:00)") from None
    if seconds <= 0:
        raise ValueError(f"{text} is in the past")
    return seconds


def _until(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    try:
        return None if value is None else seconds_until(value, datetime.now().astimezone())
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _shorter_time(time_limit: float | None, until: float | None) -> float | None:
    return min((seconds for seconds in (time_limit, until) if seconds is not None), default=None)


time_options = grouped_options(
    "time_limit", _shorter_time,
    click.option(
        "--time-limit", type=click.FloatRange(0, min_open=True), callback=reject_nan, metavar="SEC",
        help="Stop after this many seconds and keep what was found (exit status 3).",
    ),
    click.option(
        "--until", callback=_until, metavar="DATE|TIME",
        help="Stop at this local time (2026-11-21T18:00 or 18:00) and keep what was found (exit status "
             "3).",
    ),
)  # fmt: skip
"""Both options; the command gets the shorter time as ``time_limit``, in seconds, or None."""


# --- standard output of the commands, flushed after each line --------------------------------------

NOT_PARSED = ParsedSfen(Position((None,) * 81, Hand(), Hand()))
"""Stands for an SFEN that could not be parsed: an empty board."""


def is_option_given(name: str) -> bool:
    """Return whether the option of the command is given, on the command line or by the environment."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def exit_with_status(good: bool) -> NoReturn:
    """End the command: with status 1 unless all is ``good``."""
    raise click.exceptions.Exit(0 if good else 1)


def print_json(**fields: Any) -> None:
    """Print a JSON object on one line and flush it."""
    print_line(json_text(**fields))


def json_text(**fields: Any) -> str:
    """Return a JSON object on one line."""
    return json.dumps(fields, ensure_ascii=False)


def print_line(text: str) -> None:
    """Print text and flush it."""
    click.echo(text)
    sys.stdout.flush()


def table_console() -> Console:
    """Return what prints tables; one that does not go to a terminal is so wide that nothing is cut off."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 1000
    return console


def print_lines(lines: Iterable[str]) -> None:
    """Print lines in chunks; the first chunk is small."""
    for part in chunked(lines):
        print_line("\n".join(part))
