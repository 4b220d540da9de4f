# SPDX-License-Identifier: GPL-3.0-or-later
"""Where compiled kernels are cached.

Numba's cache does not notice a change to a kernel or constant in another file, so the
name of the cache directory is a hash of all kernel sources and the numba version.
Directories unused for 30 days are removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba

_ROOT = Path(__file__).parents[2]
_KERNEL_ROOMS = ("tsume_rules", "solver", "generator", "tsume")
_UNUSED_SECONDS = 30 * 24 * 3600


def kernel_sources() -> list[Path]:
    """All source files with kernels, in a fixed order."""
    return [path for room in _KERNEL_ROOMS for path in sorted((_ROOT / room).glob("**/kernel/*.py"))]


def kernel_sources_hash() -> str:
    """A short hash of all kernel sources and the numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def use_kernel_cache() -> Path | None:
    """Set numba's cache directory to that of these sources; None if none can be written."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    for home in (_user_cache_folder(), Path(tempfile.gettempdir()) / f"tsume-{_cache_user_name()}"):
        directory = home / kernel_sources_hash()
        try:
            directory.mkdir(parents=True, exist_ok=True)
            os.utime(directory)
        except OSError:
            continue
        _remove_other_caches(home, keep=directory)
        numba.config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]
        return directory
    return None


def is_compiled(part: str) -> bool:
    """Whether `mark_compiled` was called for a part, with the files as they are; False without a cache."""
    note = _compiled_marker(part)
    return note is not None and note.exists()


def mark_compiled(part: str) -> None:
    """Note in the cache that a part (a name that callers choose) is fully compiled."""
    note = _compiled_marker(part)
    if note is not None:
        with suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.touch()


def _compiled_marker(part: str) -> Path | None:
    """The note's file; its name holds paths and dates, as numba recompiles when either changes."""
    directory = use_kernel_cache()
    if directory is None:
        return None
    return directory / f"{part}-{_source_dates_hash()}.compiled"


@cache
def _source_dates_hash() -> str:
    """A short hash of the paths, dates and sizes of all kernel sources."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        found = path.stat()
        digest.update(f"{path} {found.st_mtime_ns} {found.st_size}".encode())
    return digest.hexdigest()[:16]


def _cache_user_name() -> str:
    """The user's number, or name where there are no numbers: temporary folders are shared."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _user_cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tsume"


def _remove_other_caches(home: Path, keep: Path) -> None:
    for directory in home.iterdir():
        if directory != keep and time.time() - directory.stat().st_mtime > _UNUSED_SECONDS:
            shutil.rmtree(directory, ignore_errors=True)
