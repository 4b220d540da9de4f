# SPDX-License-Identifier: GPL-3.0-or-later
"""``--licence``: under which terms problems are given away."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from db.errors import store_place_name

F = TypeVar("F", bound=Callable[..., Any])
_FILE_NAME = re.compile(r"(?!https?://)\S*(/\S*|\.(txt|md|html))")
"""What is no licence but the name of a file."""
_LONGEST_LICENCE = 2**20
"""Bytes."""


def licence_option(text: str) -> Callable[[F], F]:
    """``--licence``: the command gets ``licence``, the words given or those of a file; None without it."""
    return click.option("--licence", callback=_licence, metavar="TEXT|FILE", help=text)


def _licence(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    """The text of a file, if there is one of that name; else what is given."""
    if given is None:
        return None
    try:
        if not Path(given).is_file():
            if _FILE_NAME.fullmatch(given):
                raise click.BadParameter(f"{store_place_name(given)}: {os.strerror(errno.ENOENT)}")
            return given
        if Path(given).stat().st_size > _LONGEST_LICENCE:
            raise click.BadParameter(f"{store_place_name(given)}: more than {_LONGEST_LICENCE} bytes")
        return Path(given).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise click.BadParameter(f"{store_place_name(given)}: not UTF-8") from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return given
        raise click.BadParameter(f"{store_place_name(given)}: {error.strerror or error}") from None
    except ValueError:  # with a zero: a text
        return given
