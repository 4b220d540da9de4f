"""The folder of a site: made beside its place, then put there whole, in place of an older one."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tsume.record_files import real_path

MARKER = ".tsume-site"
"""The file that makes a folder a site of ours; it lists the other files of the site, one a line."""

_UNSEEN = ".tsume-site-"
"""How the names of folders begin that are there only for a while."""


class NotASite(ValueError):
    """A folder is not ours to replace."""


class Draft:
    """A site in the making: files in a folder that nobody sees yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: set[Path] = set()
        self.names: list[str] = []
        self.size = 0
        """Bytes written."""

    def write(self, name: str, text: str) -> None:
        """Write a file in UTF-8; its name is from the folder of the site, with slashes. Raises OSError."""
        path = self._folder / name
        if path.parent not in self._made:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        data = text.encode()
        path.write_bytes(data)
        self.names.append(name)
        self.size += len(data)


def require_free(place: Path) -> None:
    """Refuse a place at which no site may be put: raises `NotASite`, and OSError where it cannot be."""
    real = real_path(place)
    if real in (Path.cwd(), *Path.cwd().parents):
        raise NotASite("is the folder that you are in: name it from outside")
    if real.exists() and not real.is_dir():
        raise _fault(errno.ENOTDIR)
    if not real.parent.is_dir():
        raise _fault(errno.ENOENT)
    if not os.access(real.parent, os.W_OK | os.X_OK):
        raise _fault(errno.EACCES)
    if real.is_dir() and any(real.iterdir()) and not (real / MARKER).is_file():
        raise NotASite("is not empty, and no site of tsume's")


def _fault(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@contextmanager
def new_site(place: Path) -> Iterator[Draft]:
    """A draft that becomes the site at a place when the block ends well; else nothing is changed.

    What an older site has beside its own files (``.git``, ``CNAME``) stays. Raises OSError.
    """
    real = real_path(place)
    draft = Path(tempfile.mkdtemp(dir=real.parent, prefix=_UNSEEN))
    try:
        making = Draft(draft)
        yield making
        making.write(MARKER, "".join(f"{name}\n" for name in making.names))
        draft.chmod(stat.S_IMODE(real.stat().st_mode) if real.is_dir() else 0o777 & ~_umask())
        _put(draft, real)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put(draft: Path, place: Path) -> None:
    """Put a draft at its place; an older site there is only removed when the new one is whole."""
    if not place.is_dir():
        draft.rename(place)
        return
    others = _others(place, _own(place))
    for name in others:
        if os.path.lexists(draft / name):
            raise FileExistsError(errno.EEXIST, f"{name} is in the way, which no earlier call made")
    older = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"{_UNSEEN}older-"))
    place.rename(older / place.name)
    try:
        draft.rename(place)
    except BaseException:
        (older / place.name).rename(place)
        older.rmdir()
        raise
    for name in others:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (older / place.name / name).rename(place / name)
    shutil.rmtree(older, ignore_errors=True)


def _own(place: Path) -> set[str]:
    """The names of the files that an earlier call made."""
    listed = place / MARKER
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines() if listed.is_file() else []
    return {MARKER, *names}


def _others(folder: Path, own: set[str]) -> list[str]:
    """The names of what is in a folder and not listed: files, links, and folders without anything listed."""
    folders = {parent.as_posix() for name in own for parent in Path(name).parents}

    def within(inner: Path) -> Iterator[str]:
        for path in sorted(inner.iterdir()):
            name = path.relative_to(folder).as_posix()
            if name in folders and path.is_dir() and not path.is_symlink():
                yield from within(path)
            elif name not in own:
                yield name

    return list(within(folder))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
