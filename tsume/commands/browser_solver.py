# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in the browser, for commands that can do without them."""

from __future__ import annotations

from functools import cache

import click

from tsume.browser.build import API, WORKER, CannotBuild


@cache
def solver_scripts() -> dict[str, bytes]:
    """The scripts by name; none if they cannot be built, for which a line on stderr gives the reason."""
    from tsume.browser.built import built_files  # loads numba

    try:
        found = built_files()
    except CannotBuild as error:
        click.echo(f"the solver for browsers cannot be built: {error}", err=True)
        return {}
    return {name: found[name] for name in (API, WORKER)}


def found_scripts() -> dict[str, bytes] | None:
    """The scripts by name, if they were built before."""
    from tsume.browser.built import found_files

    found = found_files()
    return found and {name: found[name] for name in (API, WORKER)}


def build_command() -> list[str] | None:
    """The command that builds them (`tsume.browser.built.build_command`)."""
    from tsume.browser import built

    return built.build_command()
