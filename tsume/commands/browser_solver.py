# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in the browser, for commands that can do without them."""

from __future__ import annotations

from functools import cache

from tsume.browser.build import API, WORKER, CannotBuild


@cache
def solver_scripts() -> dict[str, bytes]:
    """The scripts by name; none if they cannot be built."""
    from tsume.browser.built import built_files  # loads numba

    try:
        found = built_files()
    except CannotBuild:
        return {}
    return {name: found[name] for name in (API, WORKER)}
