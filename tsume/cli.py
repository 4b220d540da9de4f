"""All commands: ``tsume COMMAND``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from tsume import __version__
from tsume.commands.check import check
from tsume.commands.db import db
from tsume.commands.explain import explain
from tsume.commands.export import export
from tsume.commands.generate import generate
from tsume.commands.import_ import import_
from tsume.commands.list import list_
from tsume.commands.papers import papers
from tsume.commands.runs import runs
from tsume.commands.score import score
from tsume.commands.show import show
from tsume.commands.solve import solve
from tsume.commands.stats import stats
from tsume.commands.warmup import warmup


class _Commands(click.Group):
    """A group whose errors fit one line: unprintable characters in quotations are escaped."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line():
            return super().invoke(ctx)


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        error.message = "".join(c if c.isprintable() else repr(c)[1:-1] for c in error.message)  # type: ignore[misc]
        raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Compose, prove and score tsume-shogi problems (詰将棋)."""


for _command in (
    generate, runs, solve, check, explain, score, list_, show, stats, export, import_, db, papers, warmup,
):  # fmt: skip
    cli.add_command(_command)
