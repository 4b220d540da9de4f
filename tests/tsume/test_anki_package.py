# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages: their ids and bytes, and what Anki makes of them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from db.notebook import Notebook
from db.stored_problem import StoredProblem
from tests.tsume.anki_collection import Imported
from tests.tsume.stored_cards import (
    MIRRORED,
    MIRRORED_LINE,
    SEVEN,
    SEVEN_LINE,
    fields,
    made,
    stored,
)
from tsume.cards import (
    ANSWER,
    CHANGED,
    FIELDS,
    MODEL_ID,
    QUESTION,
    STYLE,
    AnkiPackage,
    Card,
    anki_deck_id,
    note_guid,
)
from tsume.diagrams.look import COLOURS, DiagramLook

pytest.importorskip("genanki", reason="genanki is not installed")

NOW = 1_800_000_000.0
DECK = "詰将棋"
THREE, OTHER = stored(), stored(SEVEN, SEVEN_LINE, 13)


def package(*cards: Card, seconds: float = NOW, deck: str = DECK) -> bytes:
    with AnkiPackage(seconds) as made_of:
        for card in cards:
            made_of.add(card, deck)
        return made_of.data()


def cards(*problems: StoredProblem, look: DiagramLook = DiagramLook()) -> list[Card]:  # noqa: B008
    return [made(problem, look=look) for problem in problems]


def test_the_same_cards_and_time_give_the_same_bytes() -> None:
    assert package(*cards(THREE, OTHER)) == package(*cards(THREE, OTHER))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    package(*cards(THREE))
    assert not list(tmp_path.iterdir())


def test_the_mirror_image_has_the_same_guid_and_no_other_problem_has() -> None:
    mirrored = stored(MIRRORED, MIRRORED_LINE)
    assert note_guid(mirrored.canonical) == note_guid(THREE.canonical) != note_guid(OTHER.canonical)


def test_ids_do_not_change() -> None:
    assert note_guid(THREE.canonical) == "e1bdbe831162ea9fea6e"
    assert anki_deck_id(DECK) == 2_097_033_963
    assert 2**30 <= anki_deck_id("any") < 2**31


def test_a_change_of_the_templates_has_a_new_date() -> None:
    digest = sha256((QUESTION + ANSWER + STYLE).encode()).hexdigest()[:16]
    assert (CHANGED, digest) == (1_795_305_600, "0fe52ac4c0d9a954")


def test_the_templates_show_fields_that_there_are_and_fetch_nothing() -> None:
    named = {name for name in FIELDS if f"{{{{{name}}}}}" in QUESTION + ANSWER}
    assert named == set(FIELDS) - {"Position", "Name"}
    assert not any(word in QUESTION + ANSWER + STYLE for word in ("http", "url(", "@import", "<script"))


def test_nothing_in_a_package_is_fetched() -> None:
    with ZipFile(io.BytesIO(package(*cards(THREE, OTHER)))) as files:
        for name in files.namelist():
            data = files.read(name).replace(b'xmlns="http://www.w3.org/2000/svg"', b"")
            assert b"http" not in data, name


# --- in Anki ----------------------------------------------------------------------------------------


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Imported]:
    imported = Imported(tmp_path)
    yield imported
    imported.collection.close()


def test_anki_takes_notes_with_all_their_fields_tags_and_pictures(anki: Imported) -> None:
    given = cards(THREE, OTHER)
    assert anki.take(package(*given)) == (2, 0)
    assert anki.decks == {DECK}
    assert [[note[name] for name in FIELDS] for note in anki.notes] == [list(card.fields) for card in given]
    assert [sorted(note.tags) for note in anki.notes] == [sorted(card.tags) for card in given]
    assert anki.media == {name: text for card in given for name, text in card.pictures.items()}
    assert anki.collection.card_count() == 2


def test_anki_shows_both_sides(anki: Imported) -> None:
    (given,) = cards(THREE)
    anki.take(package(given))
    (card,) = anki.notes[0].cards()
    found, (start, end) = fields(given), given.pictures
    assert start in card.question()
    assert end not in card.question()
    assert found["Line"] not in card.question()
    for name in ("Front", "Caption", "Line", "Other notation", "Back", "About"):
        assert found[name] in card.answer()
    assert "{{" not in card.question() + card.answer()


def test_a_second_import_updates_and_adds_none(anki: Imported) -> None:
    anki.take(package(*cards(THREE, OTHER)))
    reviewed = anki.review()
    named = stored(notebook=Notebook(title="妙手"))
    assert anki.take(package(*cards(named, OTHER), seconds=NOW + 5)) == (0, 2)
    assert [note["Name"] for note in anki.notes] == ["妙手", "No. 13"]
    assert anki.collection.card_count() == 2
    again = anki.collection.get_card(reviewed.id)
    assert (again.reps, again.type, again.due) == (1, reviewed.type, reviewed.due)
    assert anki.collection.db is not None
    assert anki.collection.db.scalar("select count() from revlog") == 1


def test_the_mirror_image_updates_the_note(anki: Imported) -> None:
    anki.take(package(*cards(THREE)))
    assert anki.take(package(*cards(stored(MIRRORED, MIRRORED_LINE)), seconds=NOW + 5)) == (0, 1)
    assert [note["Position"] for note in anki.notes] == [MIRRORED]


def test_another_style_replaces_the_pictures(anki: Imported) -> None:
    anki.take(package(*cards(THREE)))
    (given,) = cards(THREE, look=DiagramLook(colours=COLOURS["wood"]))
    anki.take(package(given, seconds=NOW + 5))
    assert anki.notes[0]["Front"] == fields(given)["Front"]
    assert set(given.pictures.items()) <= set(anki.media.items())


def test_a_person_s_own_style_stays(anki: Imported) -> None:
    anki.take(package(*cards(THREE)))
    model = anki.model(MODEL_ID)
    assert model["css"].strip() == STYLE.strip()
    model["css"] = "/* mine */"
    anki.collection.models.update_dict(model)
    assert anki.take(package(*cards(THREE), seconds=NOW + 5)) == (0, 1)
    assert anki.model(MODEL_ID)["css"] == "/* mine */"


def test_a_card_stays_in_the_deck_where_a_person_put_it(anki: Imported) -> None:
    anki.take(package(*cards(THREE, OTHER)))
    collection = anki.collection
    collection.set_deck(
        collection.find_cards("tag:tsume::3"), collection.decks.add_normal_deck_with_name("mine").id
    )
    assert anki.take(package(*cards(THREE, OTHER), seconds=NOW + 5)) == (0, 2)
    assert anki.decks == {DECK, "mine"}


def test_tags_find_themes(anki: Imported) -> None:
    anki.take(package(*cards(THREE, stored(SEVEN, SEVEN_LINE, themes=("decoy",)))))
    assert len(anki.collection.find_notes("tag:tsume::theme::*sacrifice")) == 1
    assert len(anki.collection.find_notes("tag:tsume::*")) == 2


def test_packages_of_the_same_time_add_up(anki: Imported) -> None:
    assert anki.take(package(*cards(THREE))) == (1, 0)
    assert anki.take(package(*cards(OTHER))) == (1, 0)
    assert len(anki.notes) == 2


def test_decks_lie_below_decks(anki: Imported) -> None:
    with AnkiPackage(NOW) as below:
        for card, name in zip(cards(THREE, OTHER), ("A::B", "A::C"), strict=True):
            below.add(card, name)
        anki.take(below.data())
    assert anki.decks == {"A::B", "A::C"}


def test_odd_texts_arrive_as_they_are(anki: Imported) -> None:
    title = "<b>&\"' [sound:x.mp3] {{Name}} [latex]x[/latex]"
    anki.take(package(*cards(stored(notebook=Notebook(title=title)))))
    (card,) = anki.notes[0].cards()
    assert not card.render_output().answer_av_tags
    assert "&lt;b&gt;&amp;&quot;&#x27; &#91;sound:x.mp3] {{Name}} &#91;latex]x" in card.answer()
