"""The commands under one roof: ``tsume COMMAND``."""

from __future__ import annotations

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
