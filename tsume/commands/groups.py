# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of commands."""

from __future__ import annotations

from difflib import get_close_matches

import click


class SuggestingGroup(click.Group):
    """A group that suggests commands in place of a name that is none; click itself does since 8.4."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As `click.Group.resolve_command`."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            names = self.list_commands(ctx)
            close = [name for name in names if name.startswith(args[0])] or get_close_matches(args[0], names)
            if args[0].startswith("-") or not close:
                raise
            raise click.UsageError(
                f"No such command {args[0]!r}. Did you mean {' or '.join(map(repr, close))}?", ctx
            ) from None
