"""A look at a SQLite file before it is opened, so that another program's file is not touched."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

from db.errors import StoreError, named

APPLICATION_ID = 0x7473_756D
"""``tsum``: marks our files in SQLite's header (``PRAGMA application_id``)."""

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_READ_VERSION_AT = 19
_WAL_VERSION = 2
_VFS_WITHOUT_LOCKS = "win32-none" if os.name == "nt" else "unix-none"


def tables_in_file(path: Path, *, create: bool) -> frozenset[str] | None:
    """The tables of a file that is not marked as ours; None if there is nothing to look at.

    None means: marked as ours, empty, or (with ``create``) not there yet. Raises
    `StoreError` for what cannot be a store. Nothing is written and no lock is left.
    """
    header = _header(path, create=create)
    if not header:
        return None
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreError(f"{named(path)}: is not a SQLite database")
    owner = int.from_bytes(header[68:72], "big")
    if owner == APPLICATION_ID:
        return None
    if owner:
        raise StoreError(f"{named(path)}: is another program's SQLite database (application id {owner:#x})")
    return _tables(path, wal=header[_READ_VERSION_AT] == _WAL_VERSION)


def _header(path: Path, *, create: bool) -> bytes:
    try:
        return _read_header(path)
    except StoreError:
        raise
    except FileNotFoundError:
        if not create:
            raise StoreError(f"{named(path)}: does not exist") from None
        if not path.parent.is_dir():
            raise StoreError(f"{named(path)}: the folder {named(path.parent)} does not exist") from None
        return b""
    except OSError as error:
        raise StoreError(f"{named(path)}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StoreError(f"{named(path)}: invalid path: {error}") from None


def _read_header(path: Path) -> bytes:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise StoreError(f"{named(path)}: is a directory")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{named(path)}: is not a regular file")
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def is_writable(path: Path) -> bool:
    """Whether a store in a file can be written to, as far as rights and mounts say; True if it is missing.

    SQLite writes beside the file: either to new files in its folder, or to those of another process.
    """
    if not path.exists():
        return True
    beside = all(os.access(file, os.W_OK) for file in _log_and_index(path))
    return os.access(path, os.W_OK) and (beside or os.access(path.absolute().parent, os.W_OK))


def reading_uri(path: Path) -> tuple[str, dict[str, str]]:
    """The URI by which SQLite reads a file without writing to it, and its options.

    Reading needs an index of the log (``-shm``) beside the file, except where there is no log: such a file in
    a read-only folder is assumed not to change, and a log without an index there
    is read without locks.
    """
    log, index = _log_and_index(path)
    options = {"mode": "ro"}
    if not os.access(path.absolute().parent, os.W_OK) and not (log.exists() and index.exists()):
        logged = log.exists() and log.stat().st_size > 0
        options |= {"vfs": _VFS_WITHOUT_LOCKS} if logged else {"immutable": "1"}
    return path.absolute().as_uri(), options


def _log_and_index(path: Path) -> tuple[Path, Path]:
    return Path(f"{path}-wal"), Path(f"{path}-shm")


def _tables(path: Path, *, wal: bool) -> frozenset[str]:
    # Without a -wal file everything is in the file itself; "immutable" then keeps SQLite
    # from making a -wal and a -shm file beside it.
    uri, options = reading_uri(path)
    if wal and not Path(f"{path}-wal").exists():
        options["immutable"] = "1"
    uri = f"{uri}?{urlencode(options)}"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(name for (name,) in rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{named(path)}: cannot be read: {error}") from None
