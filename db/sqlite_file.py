# SPDX-License-Identifier: GPL-3.0-or-later
"""A look at a SQLite file before it is opened, so that another program's file is not touched."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

from db.errors import StoreError, store_place_name

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
    header = _sqlite_header(path, create=create)
    if not header:
        return None
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreError(f"{store_place_name(path)}: is not a SQLite database")
    owner = int.from_bytes(header[68:72], "big")
    if owner == APPLICATION_ID:
        return None
    if owner:
        raise StoreError(
            f"{store_place_name(path)}: is another program's SQLite database (application id {owner:#x})"
        )
    return _sqlite_tables(path, wal=header[_READ_VERSION_AT] == _WAL_VERSION)


def _sqlite_header(path: Path, *, create: bool) -> bytes:
    try:
        return _read_sqlite_header(path)
    except StoreError:
        raise
    except FileNotFoundError:
        if not create:
            raise StoreError(f"{store_place_name(path)}: does not exist") from None
        if not path.parent.is_dir():
            raise StoreError(
                f"{store_place_name(path)}: the folder {store_place_name(path.parent)} does not exist"
            ) from None
        return b""
    except OSError as error:
        raise StoreError(f"{store_place_name(path)}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StoreError(f"{store_place_name(path)}: invalid path: {error}") from None


def _read_sqlite_header(path: Path) -> bytes:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise StoreError(f"{store_place_name(path)}: is a directory")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{store_place_name(path)}: is not a regular file")
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def is_writable_store_file(path: Path) -> bool:
    """Whether a store in a file can be written to, as far as rights and mounts say; True if it is missing.

    SQLite writes beside the file: either to new files in its folder, or to those of another process.
    """
    if not path.exists():
        return True
    beside = all(os.access(file, os.W_OK) for file in _wal_files(path))
    return os.access(path, os.W_OK) and (beside or os.access(path.absolute().parent, os.W_OK))


def read_only_sqlite_uri(path: Path) -> tuple[str, dict[str, str]]:
    """The URI by which SQLite reads a file without writing to it, and its options.

    Reading needs an index of the log (``-shm``) beside the file, except where there is no log: such a file in
    a read-only folder is assumed not to change, and a log without an index there
    is read without locks.
    """
    log, index = _wal_files(path)
    options = {"mode": "ro"}
    if not os.access(path.absolute().parent, os.W_OK) and not (log.exists() and index.exists()):
        logged = log.exists() and log.stat().st_size > 0
        options |= {"vfs": _VFS_WITHOUT_LOCKS} if logged else {"immutable": "1"}
    return path.absolute().as_uri(), options


def is_in_use(path: Path) -> bool:
    """Whether a process uses a SQLite file, or was killed while it did: its log is beside the file."""
    return any(Path(f"{path}{end}").exists() for end in ("-wal", "-shm", "-journal"))


def _wal_files(path: Path) -> tuple[Path, Path]:
    return Path(f"{path}-wal"), Path(f"{path}-shm")


def _sqlite_tables(path: Path, *, wal: bool) -> frozenset[str]:
    # Without a -wal file everything is in the file itself; "immutable" then keeps SQLite
    # from making a -wal and a -shm file beside it.
    uri, options = read_only_sqlite_uri(path)
    if wal and not Path(f"{path}-wal").exists():
        options["immutable"] = "1"
    uri = f"{uri}?{urlencode(options)}"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(name for (name,) in rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{store_place_name(path)}: cannot be read: {error}") from None
