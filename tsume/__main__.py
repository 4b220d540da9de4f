# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that runs a command: signals, standard streams, exit statuses."""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType

import click

_RETRY_SECONDS = 0.001
_SECTION_SECONDS = 5.0
"""How long a section that should finish may put an interrupt off: its output may be a pipe nobody reads."""
_SECTIONS = {("tsume.uses.composing", name) for name in ("_record_range", "_take_step", "_finish")}
"""Functions that should finish: what they store is printed."""
_WHOLE = ("sqlalchemy.",)
"""Modules whose calls are not interrupted."""


def main() -> None:
    """Run the command line. An interrupted command exits with 130; what it stored stays."""
    _handle_signals()
    # Replace each standard stream that was closed by one that fails with OSError when it is used. Otherwise
    # the next file opened would get its number.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        from tsume.cli import cli

        sys.exit(cli.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        _print_notes(error)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except OSError as error:
        click.echo(f"Error: {error.filename or 'output'}: {error.strerror or error}", err=True)
        _print_notes(error)
        # Discard what is still buffered: it could not be written when the interpreter ends either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def main_usi() -> None:
    """Run ``tsume usi``: a program of its own, for GUIs that start an engine without arguments."""
    sys.argv[1:] = ["usi", *sys.argv[1:]]
    main()


def _print_notes(error: BaseException) -> None:
    """Print the notes of an error, such as how to resume a run, on stderr."""
    for note in getattr(error, "__notes__", ()):
        click.echo(note, err=True)


def _handle_signals() -> None:
    signal.signal(signal.SIGTERM, _interrupt)
    unless_ignored = [signal.SIGINT]  # by nohup or a script's background job
    if sys.platform != "win32":
        unless_ignored.append(signal.SIGHUP)
        signal.signal(signal.SIGALRM, _interrupt)
    for number in unless_ignored:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


_put_off_since: list[float] = []
"""When the interrupt that is put off came."""


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but a moment later if it would be dropped or do harm here."""
    if sys.platform != "win32" and (_must_finish(frame) or _should_finish(frame)):
        _put_off_since[1:] = [time.monotonic()]  # the first stays
        signal.setitimer(signal.ITIMER_REAL, _RETRY_SECONDS)
    else:
        _put_off_since.clear()
        raise KeyboardInterrupt


def _should_finish(frame: FrameType | None) -> bool:
    """Whether a section on the stack should finish, which it has some seconds for.

    Not if it waits for a database server.
    """
    if _put_off_since and time.monotonic() - _put_off_since[0] > _SECTION_SECONDS:
        return False
    inside = waits = False
    while frame is not None:
        name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        waits |= name == ("db.engine", "wait_for_server")
        inside |= name in _SECTIONS
        frame = frame.f_back
    return inside and not waits


def _must_finish(frame: FrameType | None) -> bool:
    """Whether something on the stack must not be interrupted.

    Exceptions raised in ``__del__`` are dropped. A transaction that SQLAlchemy is beginning or ending would keep its
    lock.
    """
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if frame.f_code.co_name == "__del__" or module.startswith(_WHOLE):
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    main()
