"""The scripts of the solver in the browser, for commands that can do without them."""

from __future__ import annotations

from functools import cache

from tsume.browser.build import NotBuilt, built_files


@cache
def solver_scripts() -> dict[str, str | bytes]:
    """The scripts by name; none if they cannot be made."""
    try:
        return dict(built_files())
    except NotBuilt:
        return {}
