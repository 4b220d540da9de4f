# SPDX-License-Identifier: GPL-3.0-or-later
"""Libraries that only some commands need, installed as extras: ``pip install 'tsume-shogi[print]'``."""

from __future__ import annotations

from importlib.util import find_spec

import click

MODULES = {
    "cluster": ("distributed",),
    "print": ("typst", "pikepdf"),
    "anki": ("genanki",),
    "parquet": ("pyarrow",),
    "postgresql": ("psycopg",),
    "site": ("jinja2", "rcssmin", "rjsmin"),
    "web": ("starlette", "uvicorn", "jinja2", "fsrs"),
}
"""The modules that each extra brings."""


class MissingExtra(click.ClickException):
    """An extra is not installed; the message says how to install it."""


def require_extra(extra: str, *modules: str) -> None:
    """Raise `MissingExtra` unless these modules of an extra are installed; by default all of them."""
    for module in modules or MODULES[extra]:
        if find_spec(module) is None:
            raise MissingExtra(f"{module} is not installed: pip install 'tsume-shogi[{extra}]' (or {module} alone)")
