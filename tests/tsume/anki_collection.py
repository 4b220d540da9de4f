# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection of Anki, to import packages into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anki", reason="anki is not installed: no package can be imported")

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from anki.models import NotetypeId


class Imported:
    """An empty collection in a folder; `take` imports a package as Anki does when nothing else is chosen."""

    def __init__(self, folder: Path) -> None:
        self._package = folder / "deck.apkg"
        self.collection = Collection(str(folder / "collection.anki2"))

    def take(self, data: bytes) -> tuple[int, int]:
        """How many notes are new, how many are updated."""
        self._package.write_bytes(data)
        request = ImportAnkiPackageRequest(
            package_path=str(self._package), options=ImportAnkiPackageOptions()
        )
        log = self.collection.import_anki_package(request).log
        assert not log.conflicting
        assert not log.missing_notetype
        return len(log.new), len(log.updated)

    @property
    def notes(self) -> list[Any]:
        return [self.collection.get_note(number) for number in sorted(self.collection.find_notes(""))]

    @property
    def decks(self) -> set[str]:
        """The decks that have cards."""
        names = (deck.name for deck in self.collection.decks.all_names_and_ids())
        return {name for name in names if self.collection.find_cards(f'"deck:{name}" -"deck:{name}::*"')}

    @property
    def media(self) -> dict[str, str]:
        return {
            path.name: path.read_text(encoding="utf-8")
            for path in Path(self.collection.media.dir()).iterdir()
        }

    def review(self) -> Any:
        """Answer a card of the only deck; gives the card."""
        (deck,) = self.decks
        number = self.collection.decks.id_for_name(deck)
        assert number is not None
        self.collection.decks.select(number)
        card = self.collection.sched.getCard()
        assert card is not None
        self.collection.sched.answerCard(card, 3)
        return self.collection.get_card(card.id)

    def model(self, number: int) -> Any:
        """A model as it is stored now."""
        self.collection.models._clear_cache()
        return self.collection.models.get(NotetypeId(number))
