"""All commands: ``tsume COMMAND``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from tsume import __version__

_COMMANDS = {
    "book": ("tsume.commands.book:book", "Print stored problems as a booklet (PDF)."),
    "cards": ("tsume.commands.cards:cards", "Make flash cards of stored problems for Anki."),
    "check": ("tsume.commands.check:check", "Say whether each position is a correct problem (完全作)."),
    "db": ("tsume.commands.db:db", "Maintain the store."),
    "draw": ("tsume.commands.draw:draw", "Draw positions as pictures: SVG or PNG, still or moving."),
    "edit": ("tsume.commands.edit:edit", "Write to stored problems: title, author, notes, tags, versions."),
    "enrich": ("tsume.commands.enrich:enrich", "Suggest improvements of problems that keep their lines."),
    "explain": ("tsume.commands.explain:explain", "Explain the solution: answers, other checks."),
    "export": ("tsume.commands.export:export", "Export stored problems to a file format."),
    "generate": ("tsume.commands.generate:generate", "Compose problems and store them."),
    "import": (
        "tsume.commands.import_:import_",
        "Import problems from a file; correct ones are stored.",
    ),
    "list": ("tsume.commands.list:list_", "List stored problems."),
    "mend": ("tsume.commands.mend:mend", "Repair problems: the nearest changes that make them perfect."),
    "merge": ("tsume.commands.merge:merge", "Merge stores that were filled apart into one."),
    "papers": ("tsume.commands.papers:papers", "Repeat the experiments of the papers."),
    "runs": ("tsume.commands.runs:runs", "Look at the runs of `tsume generate`, and resume one."),
    "score": ("tsume.commands.score:score", "Score the difficulty of each position that mates."),
    "serve": ("tsume.commands.serve:serve", "Solve stored problems on a board in the browser."),
    "show": ("tsume.commands.show:show", "Show problems or any positions as diagrams."),
    "site": ("tsume.commands.site:site", "Make a folder of pages on which problems are solved."),
    "solve": ("tsume.commands.solve:solve", "Find the shortest mate of each position and its best line."),
    "stats": ("tsume.commands.stats:stats", "Show what a store holds, in numbers and as a picture."),
    "themes": ("tsume.commands.themes:themes", "List the themes of problems: names and meanings."),
    "tree": ("tsume.commands.tree:tree", "Show the tree to play against: every check, and its answer."),
    "warmup": ("tsume.commands.warmup:warmup", "Compile everything now, so that no command has to later."),
    "worker": ("tsume.commands.worker:worker", "Compose for `tsume generate` on another machine."),
}
"""Where each command is, and what `tsume --help` says of it: nothing is imported for that."""


class _Commands(click.Group):
    """A group whose errors fit one line: unprintable characters in quotations are escaped."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, loaded or not."""
        return sorted({*_COMMANDS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, imported when it is first asked for."""
        if cmd_name in _COMMANDS and cmd_name not in self.commands:
            module, _, name = _COMMANDS[cmd_name][0].partition(":")
            self.add_command(getattr(import_module(module), name), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, none of them imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])

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
