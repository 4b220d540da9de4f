# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards as a package of Anki (.apkg): a zip of a database and of pictures. genanki knows the database.

Ids are the same in every export, so that Anki updates its notes: the id of the model is fixed, that of a
deck depends on its name, a note's GUID on the model and the position.
"""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tsume.cards.card import FIELDS, Card
from tsume.cards.template import ANSWER, CHANGED, QUESTION, STYLE
from tsume.extras import require_extra

MODEL_ID = 1_763_822_401
"""Names the fields and templates for good; other fields need another id, and make other notes."""
MODEL_NAME = "Tsume-shogi (tsume)"
_LEAST_ID = 2**30
"""Ids of decks are from here to twice this, as genanki advises."""


def require_genanki() -> None:
    """Raise `tsume.extras.Missing` where genanki is not installed."""
    require_extra("anki")


def note_guid(canonical: str) -> str:
    """The GUID of the note about a position, given by the SFEN it shares with its mirror image."""
    return sha256(f"{MODEL_ID} {canonical}".encode()).hexdigest()[:20]


def anki_deck_id(name: str) -> int:
    """The id of a deck, by its name."""
    return _LEAST_ID + int.from_bytes(sha256(name.encode()).digest()[:4]) % _LEAST_ID


class AnkiPackage:
    """Collects cards and makes the bytes of a package; a context manager.

    ``seconds`` since 1970 is when its notes were changed: Anki replaces a note by one that was changed later.
    The same cards and the same time give the same bytes. `require_genanki` first.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._genanki: Any = import_module("genanki")
        self._model = _note_model(self._genanki)
        self._decks: dict[str, Any] = {}
        self._media: list[str] = []
        self._known: set[str] = set()
        self._buffer = io.BytesIO()
        self._zip = ZipFile(self._buffer, "w")
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def add(self, card: Card, deck: str) -> None:
        """Add a card to a deck; ``::`` in its name separates a deck from a subdeck."""
        self._number += 1
        note = self._genanki.Note(
            self._model,
            list(card.fields),
            tags=list(card.tags),
            guid=note_guid(card.canonical),
            due=self._number,
        )
        if deck not in self._decks:
            self._decks[deck] = self._genanki.Deck(anki_deck_id(deck), deck)
        self._decks[deck].add_note(note)
        for name, picture in card.pictures.items():
            if name not in self._known:
                self._known.add(name)
                self._put(str(len(self._media)), picture.encode())
                self._media.append(name)

    def data(self) -> bytes:
        """The package; no cards can be added afterwards."""
        self._put("collection.anki2", self._collection(self._decks.values()))
        self._put("media", json.dumps({str(n): name for n, name in enumerate(self._media)}).encode())
        self._zip.close()
        return self._buffer.getvalue()

    def _collection(self, decks: Iterable[Any]) -> bytes:
        """The database of the notes."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "collection.anki2"
            with closing(sqlite3.connect(path)) as connection:
                ids = itertools.count(int(self._seconds * 1000))
                self._genanki.Package(list(decks)).write_to_db(connection.cursor(), self._seconds, ids)
                connection.commit()
            return path.read_bytes()

    def _put(self, name: str, data: bytes) -> None:
        self._zip.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def _note_model(genanki: Any) -> Any:
    """The note type, with the date of its templates."""
    model = genanki.Model(
        MODEL_ID,
        MODEL_NAME,
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Mate", "qfmt": QUESTION, "afmt": ANSWER}],
        css=STYLE,
        sort_field_index=FIELDS.index("Name"),
    )
    to_json = model.to_json
    model.to_json = lambda _seconds, deck: to_json(CHANGED, deck)
    return model
