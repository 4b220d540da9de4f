"""``tsume`` on the command line."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

import click

from tsume import __version__
from tsume.commands.check import check
from tsume.commands.db import db
from tsume.commands.export import export
from tsume.commands.generate import generate
from tsume.commands.import_ import import_
from tsume.commands.list import list_
from tsume.commands.score import score
from tsume.commands.show import show
from tsume.commands.solve import solve


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Compose, prove and score tsume-shogi problems (詰将棋)."""


for _command in (generate, solve, check, score, list_, show, export, import_, db):
    cli.add_command(_command)


def main() -> None:
    """Run the command line; an interrupted command keeps what it has and exits 130."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
