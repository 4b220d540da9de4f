"""``tsume export``"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from db.errors import StoreError, named
from db.selection import Selection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands.list import problem_fields
from tsume.commands.options import selection_options, store_option
from tsume.formats.csa import write_csa_collection
from tsume.formats.game_record import GameRecord, game_record_of
from tsume.formats.ki2 import write_ki2_collection
from tsume.formats.kif import write_kif_collection


@click.command()
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["sfen", "kif", "ki2", "csa", "jsonl", "csv"]),
    required=True,
    help="The file format.",
)
@selection_options
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), metavar="PATH", help="Write here, not to stdout."
)
def export(place: str, form: str, output: str | None, wanted: Selection) -> None:
    """Export stored problems to a file format."""  # fmt: skip
    try:
        with Store.open(place, create=False) as store:
            text = _FORMATS[form](map(store.playable, store.find(wanted)))
            if output is None:
                click.echo(text, nl=False)
            else:
                _write_file(Path(output), text)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        if output is None:
            raise
        raise click.ClickException(f"{named(output) or '-o'}: {error.strerror or error}") from None


def _write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; a device or a pipe is written to, not replaced."""
    path = _real(path)
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="") as device:
            device.write(text)
    else:
        _replace_file(path, text)


def _real(path: Path) -> Path:
    """The path with all links followed. Raises OSError."""
    try:
        return path.resolve()
    except RuntimeError:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _replace_file(path: Path, text: str) -> None:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).chmod(stat.S_IMODE(mode))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _game_records(problems: Iterable[StoredProblem]) -> Iterator[GameRecord]:
    return (game_record_of(problem.problem, f"No. {problem.id}") for problem in problems)


def _sfen(problems: Iterable[StoredProblem]) -> str:
    lines = (f"{p.sfen} moves {' '.join(move.usi for move in p.line)}\n" for p in problems)
    return "".join(lines)


def _jsonl(problems: Iterable[StoredProblem]) -> str:
    return "".join(json.dumps(problem_fields(p), ensure_ascii=False) + "\n" for p in problems)


def _csv(problems: Iterable[StoredProblem]) -> str:
    text = io.StringIO()
    columns = [
        "id", "sfen", "length", "line", "score", "stars", "themes", "quality", "searched", "seed", "index",
        "version",
    ]  # fmt: skip
    rows = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    for problem in problems:
        fields = problem_fields(problem)
        rows.writerow({**fields, **{name: " ".join(fields[name]) for name in ("line", "themes")}})
    return text.getvalue()


_FORMATS: dict[str, Callable[[Iterable[StoredProblem]], str]] = {
    "sfen": _sfen,
    "kif": lambda problems: write_kif_collection(_game_records(problems)),
    "ki2": lambda problems: write_ki2_collection(_game_records(problems)),
    "csa": lambda problems: write_csa_collection(_game_records(problems)),
    "jsonl": _jsonl,
    "csv": _csv,
}
