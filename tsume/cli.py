# SPDX-License-Identifier: GPL-3.0-or-later
"""All commands: ``tsume COMMAND``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from tsume import __version__

_COMMANDS = {
    "backup": ("tsume.commands.stores:backup", "Write a copy of a store to a file, also while it is in use."),
    "book": ("tsume.commands.pictures:book", "Write stored problems to a printable booklet (PDF)."),
    "cards": ("tsume.commands.pictures:cards", "Make Anki flash cards from stored problems."),
    "check": ("tsume.commands.check:check", "Check whether positions are correct problems (完全作)."),
    "choose": ("tsume.commands.choose:choose", "Choose the best problems of a store, no two of them alike."),
    "db": ("tsume.commands.stores:db", "Upgrade a store to the current version."),
    "draw": ("tsume.commands.pictures:draw", "Draw diagrams of positions: SVG, PNG or animated SVG."),
    "edit": ("tsume.commands.stored_problems:edit", "Edit titles, authors, notes and tags of stored problems."),
    "enrich": ("tsume.commands.changing:enrich", "Suggest improvements that keep a problem's line."),
    "explain": ("tsume.commands.explain:explain", "Explain why every defence is mated and other checks fail."),
    "export": ("tsume.commands.export:export", "Export stored problems: KIF, CSA, JSON, Parquet and others."),
    "games": ("tsume.commands.games:games", "List the mates that were on the board in games, played or missed."),
    "generate": ("tsume.commands.generate:generate", "Compose new problems and store them."),
    "import": ("tsume.commands.import_:import_", "Check problems from files and store the correct ones."),
    "list": ("tsume.commands.stored_problems:list_", "List, filter and sort stored problems."),
    "mend": ("tsume.commands.changing:mend", "Find the smallest changes that make a position a perfect problem."),
    "merge": ("tsume.commands.stores:merge", "Merge several stores into one."),
    "results": ("tsume.commands.export:results", "Export the results of solving stored problems."),
    "runs": ("tsume.commands.runs:runs", "List, show and resume runs of `tsume generate`."),
    "score": ("tsume.commands.check:score", "Score the difficulty and quality of positions."),
    "serve": ("tsume.commands.web:serve", "Solve and compose problems on a board in the browser."),
    "show": ("tsume.commands.stored_problems:show", "Print problems or positions as text diagrams."),
    "site": ("tsume.commands.web:site", "Make a static web site for solving stored problems."),
    "solve": ("tsume.commands.solve:solve", "Find the shortest mate of each position and its best line."),
    "stats": ("tsume.commands.stores:stats", "Show statistics of a store, as text or as a chart."),
    "themes": ("tsume.commands.runs:themes", "List the themes of problems with their meanings."),
    "tree": ("tsume.commands.explain:tree", "Show the tree of every check and its answer."),
    "usi": ("tsume.commands.usi:usi", "Search for mates as a USI engine of shogi programs."),
    "verify": ("tsume.commands.check:verify", "Verify certificates of `tsume check`."),
    "worker": ("tsume.commands.runs:worker", "Compose for a `tsume generate` on another machine."),
}
"""Where each command is, and what `tsume --help` says of it: nothing is imported for that."""


class _Commands(click.Group):
    """A group whose errors fit one line: unprintable characters in quotations are escaped.

    What a store or the collection cannot do, and a worker process that was lost, are such errors, whichever
    command needed them.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, loaded or not."""
        return sorted({*_COMMANDS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, imported when it is first asked for."""
        if cmd_name in _COMMANDS and cmd_name not in self.commands:
            module, _, name = _COMMANDS[cmd_name][0].partition(":")
            self.add_command(getattr(import_module(module), name), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As `click.Group.resolve_command`, which suggests only commands that are imported."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from difflib import get_close_matches

            names = self.list_commands(ctx)
            close = [name for name in names if name.startswith(args[0])] or get_close_matches(args[0], names)
            if args[0].startswith("-") or not close:
                raise
            raise click.UsageError(
                f"No such command {args[0]!r}. Did you mean {' or '.join(map(repr, close))}?", ctx
            ) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, none of them imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _errors_on_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with _errors_on_one_line():
            return super().invoke(ctx)


@contextmanager
def _errors_on_one_line() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        error.message = _printable(error.message)  # type: ignore[misc]
        raise
    except (click.exceptions.Exit, click.Abort):  # RuntimeErrors, which need no module of ours
        raise
    except (RuntimeError, ValueError) as error:
        from db.errors import StoreError
        from generator.run.processes import WorkerLostError
        from tsume.collection import CollectionError

        if not isinstance(error, CollectionError | StoreError | WorkerLostError):
            raise
        raise click.ClickException(_printable(str(error))) from None


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Compose, prove and score tsume-shogi problems (詰将棋)."""
