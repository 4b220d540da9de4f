# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the solver in a browser, built once: from the wheel, from the cache, or now."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock

import click

from tsume import __version__
from tsume.browser.build import CannotBuild, browser_files
from tsume.browser.parts import require_linker, worker_parts
from tsume.child_processes import child_command, exclusive

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parents[1]
WHEEL_FOLDER = _PACKAGE / "built"
"""Files that `scripts/wasm --wheel` built before the wheel; git ignores them."""
_STAMP = "sources.txt"
"""Names the sources that the files of a folder were built from."""
_MOST_OTHERS = 3
"""Folders from other sources that stay in the cache: several checkouts share it."""
_PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume")
_SUFFIXES = {".js", ".mjs", ".ts", ".html"}


def found_files() -> dict[str, bytes] | None:
    """All files by name (`tsume.browser.build`), if they were built before."""
    folder = _cache_folder()
    return _stored_files(WHEEL_FOLDER) or (_stored_files(folder) if folder else None)


def built_files() -> dict[str, bytes]:
    """All files by name (`tsume.browser.build`); raise `CannotBuild` if they can neither be found nor built.

    Building takes a minute or two, which a line on stderr announces. One process builds at a time, and one
    thread; the others then find what it has built.
    """
    found = found_files()
    if found:
        return found
    folder = _cache_folder()
    with _building, ExitStack() as locked:
        if folder:
            with suppress(OSError):
                locked.enter_context(exclusive(folder.parent.with_suffix(".lock"), _say_waiting))
        return found_files() or _build(folder)


_building = Lock()
"""Held by the thread that builds."""


def _say_waiting() -> None:
    click.echo("another process builds the solver for browsers; waiting for it", err=True)


def _build(folder: Path | None) -> dict[str, bytes]:
    require_linker()
    click.echo("building the solver for browsers, which happens once after each change of it", err=True)
    made = browser_files(worker_parts())
    if folder:
        with suppress(OSError):
            _replace_folder(folder, made)
    return made


def build_command() -> list[str] | None:
    """The command of a process that builds the files for this one; None if it could not hand them over.

    Its standard input has to be a pipe to which nothing is written: it ends when the pipe is closed.
    """
    return child_command(__name__, build.__name__) if _cache_folder() else None


def build() -> None:
    """Build the files unless they are there; exit with status 1 and a line on stderr if that cannot be."""
    try:
        built_files()
    except CannotBuild as error:
        click.echo(f"the solver for browsers cannot be built: {error}", err=True)
        sys.exit(1)


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files to a folder, which is created."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def write_wheel_files(files: dict[str, bytes]) -> None:
    """Write files to where the build of a wheel takes them from."""
    _replace_folder(WHEEL_FOLDER, files)


@cache
def sources_hash() -> str:
    """A short hash of the version and of all files from which the files for browsers are built."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(set(_sources())):
        digest.update(f"{path.relative_to(_ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    """All that might be part of it: to find out what is takes longer than to build a little too often."""
    for package in _PACKAGES:
        yield from (path for path in (_ROOT / package).rglob("*") if path.suffix in (".py", ".npz"))
    for path in _PACKAGE.rglob("*"):
        if path.suffix in _SUFFIXES and WHEEL_FOLDER not in path.parents:
            yield path


def _cache_folder() -> Path | None:
    """A folder of the kernels' cache, for these sources and this compiler; None if none can be written."""
    from tsume_rules.kernel.cache import use_kernel_cache

    kernels = use_kernel_cache()
    return None if kernels is None else kernels / "browser" / f"{sources_hash()}-{version('llvmlite')}"


def _stored_files(folder: Path) -> dict[str, bytes] | None:
    """The files of a folder; None if it has none, or files from other sources."""
    try:
        files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    except OSError:  # there is none, or another process replaces it
        return None
    return files if files.pop(_STAMP, b"").decode() == sources_hash() else None


def _replace_folder(folder: Path, files: dict[str, bytes]) -> None:
    """Replace a folder as a whole; of others beside it, made from other sources, the newest stay."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent.parent, prefix="browser-") as temporary:
        new = Path(temporary) / "new"
        write_files(new, {**files, _STAMP: sources_hash().encode()})
        if folder != WHEEL_FOLDER:
            others = sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
            for other in others[_MOST_OTHERS:]:
                shutil.rmtree(other, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
        new.replace(folder)
