# SPDX-License-Identifier: GPL-3.0-or-later
"""A store that cannot be written to is read all the same."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from shutil import copy, rmtree
from typing import Any

import pytest

from db.errors import StoreError
from db.store import Store
from tests.db.samples import problem

NOBODY = 65534
pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="rights of POSIX"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody can reach; those of pytest are only for who runs it."""
    found = Path(tempfile.mkdtemp(prefix="tsume-"))
    found.chmod(0o755)
    yield found
    found.chmod(0o755)
    rmtree(found)


@pytest.fixture
def place(folder: Path) -> Path:
    path = folder / "50%? #1.db"
    with Store.open(path) as store:
        store.add(problem(0))
    path.chmod(0o444)
    return path


def unprivileged(work: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns in a process without root's rights."""
    if os.geteuid():
        return work(*arguments)
    with get_context("fork").Pool(1, os.setuid, (NOBODY,)) as pool:
        return pool.apply(work, arguments)


def looked_at(place: str | Path) -> tuple[list[int], int, bool]:
    with Store.open(place, create=False) as store:
        found = store.find()
        return [one.id for one in found], store.stats().problems, store.read_only


def refusals(place: str | Path) -> list[str]:
    with Store.open(place, create=False) as store:
        writings: list[Callable[[], object]] = [
            lambda: store.add(problem(1)), lambda: Store.open(place), lambda: Store.upgrade(place)
        ]  # fmt: skip
        said = []
        for write in writings:
            with pytest.raises(StoreError) as caught:
                write()
            said.append(str(caught.value))
        return said


def beside(place: Path) -> list[str]:
    return sorted(path.name for path in place.parent.iterdir())


def test_a_file_and_a_folder_without_rights(place: Path) -> None:
    place.parent.chmod(0o555)
    assert unprivileged(looked_at, place) == ([1], 1, True)
    assert unprivileged(refusals, place) == [f"{place}: is read-only"] * 3
    assert beside(place) == [place.name]


def test_rights_of_the_file_and_of_its_folder(place: Path) -> None:
    place.parent.chmod(0o777)
    assert unprivileged(looked_at, place) == ([1], 1, True)
    assert len(unprivileged(refusals, place)) == 3
    place.chmod(0o666)
    place.parent.chmod(0o555)
    assert unprivileged(looked_at, place) == ([1], 1, True)
    place.parent.chmod(0o777)
    assert unprivileged(looked_at, place) == ([1], 1, False)


def test_what_another_process_has_only_in_its_log_is_read_also_without_its_index(place: Path, folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("DELETE FROM problems")
        writer.commit()
        for ending in ("", "-wal"):
            copy(f"{place}{ending}", other)
        place.parent.chmod(0o555)
        assert unprivileged(looked_at, place) == ([], 0, True)
    place.parent.chmod(0o755)
    other.chmod(0o555)
    assert unprivileged(looked_at, other / place.name) == ([], 0, True)
    other.chmod(0o755)
    assert beside(other / place.name) == [place.name, f"{place.name}-wal"]


@pytest.mark.parametrize("form", ["sqlite:///{}?mode=ro", "sqlite:///file:{}?mode=ro&uri=true", "file:{}?mode=ro"])
def test_a_url_may_ask_for_reading_only(form: str, folder: Path) -> None:
    path = folder / "x.db"
    with Store.open(path) as store:
        store.add(problem(0))
    url = form.format(path)
    assert looked_at(url) == ([1], 1, True)
    assert refusals(url) == [f"{path}: is read-only"] * 3
    missing = form.format(folder / "none.db")
    with pytest.raises(StoreError, match="does not exist"):
        looked_at(missing)


def test_other_options_are_refused() -> None:
    for url in ("sqlite:///x.db?mode=rw", "sqlite:///x.db?mode=ro&cache=shared", "sqlite:///file:x.db"):
        with pytest.raises(StoreError, match="without a driver or other options"):
            Store.open(url, create=False)
