# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards for Anki: their fields, packages as Anki imports them, and `tsume cards`."""

import io
import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from db.notebook import Notebook
from db.store import Store
from db.stored_problem import StoredProblem
from solver.results import Defect, Difficulty
from tests.tsume.conftest import Run, present
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.cards import (
    ANSWER,
    CHANGED,
    FIELDS,
    MODEL_ID,
    QUESTION,
    STYLE,
    AnkiCard,
    AnkiPackage,
    CardBuilder,
    anki_deck_id,
    note_guid,
)
from tsume.diagrams.look import COLOURS, DiagramLook, PieceStyle
from tsume.language.catalogue import LANGUAGES, Language
from tsume.reports.explanation import ExplanationText, explanation_text
from tsume.uses.explaining import PRINTED, Explainer
from tsume_rules.moves import parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen, format_sfen, parse_sfen

pytest.importorskip("anki", reason="anki is not installed: no package can be imported")
pytest.importorskip("genanki", reason="genanki is not installed")

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from anki.models import NotetypeId

SEVEN = "8B/8k/9/7+N1/5N3/9/9/2B6/9 b 2r4g4s2n4l18p 1"
SEVEN_LINE = ["4e3c+", "1b1a", "7h1b+", "1a1b", "2d2c", "1b1a", "2c2b"]
PLAIN = DiagramLook()
MIRRORED = "9/k8/2+S6/2G6/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
MIRRORED_LINE = ["7d8c", "9b9a", "8c8b"]


def stored(sfen: str = CORRECT, line: list[str] = CORRECT_LINE, number: int = 12, **fields_of: Any) -> StoredProblem:
    """A problem as it would be stored."""
    position: Position = parse_sfen(sfen).position
    usual: dict[str, Any] = {
        "difficulty": Difficulty({}, 27.5), "provenance": None, "searched": None, "remarks": Defect.NONE,
        "version": "0", "run_id": None, "created_at": datetime(2026, 11, 22, tzinfo=UTC),
        "themes": ("big-piece-sacrifice", "sacrifice"),
    }  # fmt: skip
    return StoredProblem(
        id=number, canonical=canonical_sfen(position), sfen=format_sfen(position), length=len(line),
        line=tuple(map(parse_move, line)), **{**usual, **fields_of},
    )  # fmt: skip


def explained(problem: StoredProblem) -> ExplanationText:
    explanation = Explainer(PRINTED).explain_judged(problem.problem, checks=False)
    return explanation_text(problem.problem, explanation, "ja")


def card_of(
    problem: StoredProblem, *languages: Language, look: DiagramLook = PLAIN, text: ExplanationText | None = None
) -> AnkiCard:
    return CardBuilder(look, languages or ("ja",)).card(problem, text)


def fields_of(card: AnkiCard) -> dict[str, str]:
    return dict(zip(FIELDS, card.fields, strict=True))


class Imported:
    """An empty collection in a folder; `take` imports a package as Anki does when nothing else is chosen."""

    def __init__(self, folder: Path) -> None:
        self._package = folder / "deck.apkg"
        self.collection = Collection(str(folder / "collection.anki2"))

    def take(self, data: bytes) -> tuple[int, int]:
        """How many notes are new, how many are updated."""
        self._package.write_bytes(data)
        request = ImportAnkiPackageRequest(package_path=str(self._package), options=ImportAnkiPackageOptions())
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
        return {path.name: path.read_text(encoding="utf-8") for path in Path(self.collection.media.dir()).iterdir()}

    def review(self) -> Any:
        """Answer a card of the only deck; gives the card."""
        (deck,) = self.decks
        number = present(self.collection.decks.id_for_name(deck))
        self.collection.decks.select(number)
        card = present(self.collection.sched.getCard())
        self.collection.sched.answerCard(card, 3)
        return self.collection.get_card(card.id)

    def model(self, number: int) -> Any:
        """A model as it is stored now."""
        self.collection.models._clear_cache()
        return self.collection.models.get(NotetypeId(number))


SEVEN_TEXTS = ["▲３三桂成", "△１一玉", "▲１二角成", "△同玉", "▲２三成桂上", "△１一玉", "▲２二成桂直"]
ODD = "a <b>&\"' [sound:x.mp3] {{Name}}"
EACH = [(language,) for language in LANGUAGES] + [LANGUAGES]


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Imported]:
    (tmp_path / "anki").mkdir()
    imported = Imported(tmp_path / "anki")
    yield imported
    imported.collection.close()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "deck.apkg"


@pytest.fixture(scope="module")
def seven() -> ExplanationText:
    return explained(stored(SEVEN, SEVEN_LINE))


def words(html: str) -> str:
    """What a reader reads, in one row."""
    return " ".join("".join(ElementTree.fromstring(f"<div>{html}</div>").itertext()).split())


def test_a_card_asks_and_answers_in_both_languages(seven: ExplanationText) -> None:
    found = fields_of(card_of(stored(SEVEN, SEVEN_LINE), text=seven))
    assert found["Position"] == SEVEN
    assert words(found["Caption"]) == "７手詰"
    assert words(found["Side"]) == "攻方（手前）の手番です"
    assert words(found["Line"]) == "▲３三桂成 △１一玉 ▲１二角成 △同玉 ▲２三成桂上 △１一玉 ▲２二成桂直 まで７手詰"
    assert words(found["Other notation"]).endswith("5. +N2d-2c 6. K-1a 7. +N2c-2b mate")
    told = words(found["Variations"])
    assert told.startswith("変化２手目 △２一玉は ▲２二角成 まで３手２手目 無駄合: △２三合は▲同角成、")
    assert told.endswith("６手目 △２一玉は ▲２二成桂直 まで７手（変同）")
    assert words(found["About"]) == "難易度 1150 ★★☆☆☆ 初級（7手詰としてはとても易しい）手筋 大駒捨て、捨駒No. 12"
    found = fields_of(card_of(stored(SEVEN, SEVEN_LINE), "en", text=seven))
    assert words(found["Caption"]) == "Mate in 7"
    assert words(found["Line"]).startswith("1. N-3c+ 2. Kx1a")
    assert words(found["Other notation"]).startswith("▲３三桂成 △１一玉")
    assert words(found["Variations"]).startswith("Variations2. K-2a 3. B-2b+ mate2. Futile: drops on 2c (Bx2c+),")
    assert "Themes big-piece sacrifice, sacrifice" in words(found["About"])


def test_names_tags_and_cards_without_an_explanation() -> None:
    assert fields_of(card_of(stored()))["Variations"] == ""
    assert words(fields_of(card_of(stored()))["Name"]) == "No. 12"
    assert words(fields_of(card_of(stored(notebook=Notebook(title=ODD))))["Name"]) == ODD
    one, other = card_of(stored()), card_of(stored(MIRRORED, MIRRORED_LINE))
    assert one.canonical == other.canonical
    assert one.fields != other.fields
    tags = card_of(stored(notebook=Notebook(tags=("好形", "to do", "a\u3000b")))).tags
    themes = ("tsume::theme::big-piece-sacrifice", "tsume::theme::sacrifice")
    assert tags == ("tsume::3", "tsume::stars::2", *themes, "好形", "to_do", "a_b")


@pytest.mark.parametrize("languages", EACH)
@pytest.mark.parametrize("piece_style", PieceStyle)
def test_both_positions_are_told_in_words(languages: tuple[Language, ...], piece_style: PieceStyle) -> None:
    card = card_of(stored(), *languages, look=DiagramLook(piece_style, languages[0]))
    start, end = list(ElementTree.fromstring(f"<div>{''.join(card.fields)}</div>").iter("img"))
    assert [one.attrib["src"] for one in (start, end)] == list(card.pictures)
    assert len(set(card.pictures.values())) == 2
    if "ja" in languages:
        assert start.attrib["alt"].startswith("３手詰の図面。玉方は１二玉。攻方は")
        assert "最終手は２二。" in end.attrib["alt"]
    if "en" in languages:
        assert "Mate in 3. Defender: king 1b." in start.attrib["alt"]
        assert "Last move to 2b." in end.attrib["alt"]


def test_pictures_have_names_and_texts_of_persons_are_no_html() -> None:
    again, other = card_of(stored()), card_of(stored(), look=DiagramLook(colours=COLOURS["wood"]))
    assert card_of(stored()).pictures == again.pictures
    assert not set(again.pictures) & set(other.pictures)
    assert all(re.fullmatch(r"tsume-(start|end)-[0-9a-f]{20}\.svg", name) for name in again.pictures)
    for notebook in (Notebook(title=ODD), Notebook(author=ODD), Notebook(source=ODD)):
        card = card_of(stored(notebook=notebook))
        assert ODD in words(fields_of(card)["About"])
        assert not any("<b>&" in field or "[sound" in field for field in card.fields)


@pytest.mark.parametrize("languages", EACH)
def test_fields_are_html_with_every_variation(languages: tuple[Language, ...], seven: ExplanationText) -> None:
    card = card_of(stored(SEVEN, SEVEN_LINE), *languages, text=seven)
    assert len(card.fields) == len(FIELDS)
    assert all(card.fields)
    for field in card.fields:
        words(field)
        assert "http" not in field
        assert "\n" not in field
    told = sum(len(turn.variations) + bool(turn.futile) for turn in seven.explanation.turns)
    assert fields_of(card)["Variations"].count("<li>") == told * len(languages)


NOW = 1_800_000_000.0
DECK = "詰将棋"
THREE, OTHER = stored(), stored(SEVEN, SEVEN_LINE, 13)


def package(*cards: AnkiCard, seconds: float = NOW, deck: str = DECK) -> bytes:
    with AnkiPackage(seconds) as made_of:
        for card in cards:
            made_of.add(card, deck)
        return made_of.data()


def cards(*problems: StoredProblem, look: DiagramLook = DiagramLook()) -> list[AnkiCard]:  # noqa: B008
    return [card_of(problem, look=look) for problem in problems]


def test_the_bytes_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert package(*cards(THREE, OTHER)) == package(*cards(THREE, OTHER))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    package(*cards(THREE))
    assert not list(tmp_path.iterdir())
    with ZipFile(io.BytesIO(package(*cards(THREE, OTHER)))) as files:
        for name in files.namelist():
            data = files.read(name).replace(b'xmlns="http://www.w3.org/2000/svg"', b"")
            assert b"http" not in data, name


def test_ids_and_templates() -> None:
    assert note_guid(THREE.canonical) == "e1bdbe831162ea9fea6e"
    assert anki_deck_id(DECK) == 2_097_033_963
    assert 2**30 <= anki_deck_id("any") < 2**31
    mirrored = stored(MIRRORED, MIRRORED_LINE)
    assert note_guid(mirrored.canonical) == note_guid(THREE.canonical) != note_guid(OTHER.canonical)
    digest = sha256((QUESTION + ANSWER + STYLE).encode()).hexdigest()[:16]
    assert (CHANGED, digest) == (1_795_305_600, "0fe52ac4c0d9a954")
    named = {name for name in FIELDS if f"{{{{{name}}}}}" in QUESTION + ANSWER}
    assert named == set(FIELDS) - {"Position", "Name"}
    assert not any(word in QUESTION + ANSWER + STYLE for word in ("http", "url(", "@import", "<script"))


# --- in Anki ----------------------------------------------------------------------------------------


def test_anki_takes_and_shows_notes_with_fields_tags_and_pictures(anki: Imported) -> None:
    given = cards(THREE, OTHER)
    assert anki.take(package(*given)) == (2, 0)
    assert anki.decks == {DECK}
    assert [[note[name] for name in FIELDS] for note in anki.notes] == [list(card.fields) for card in given]
    assert [sorted(note.tags) for note in anki.notes] == [sorted(card.tags) for card in given]
    assert anki.media == {name: text for card in given for name, text in card.pictures.items()}
    assert anki.collection.card_count() == 2
    (card,) = anki.notes[0].cards()
    found, (start, end) = fields_of(given[0]), given[0].pictures
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


def test_the_mirror_image_and_another_style_update_the_note(anki: Imported) -> None:
    assert anki.take(package(*cards(THREE))) == (1, 0)
    (given,) = cards(THREE, look=DiagramLook(colours=COLOURS["wood"]))
    assert anki.take(package(given, seconds=NOW + 5)) == (0, 1)
    assert anki.notes[0]["Front"] == fields_of(given)["Front"]
    assert set(given.pictures.items()) <= set(anki.media.items())
    assert anki.take(package(*cards(stored(MIRRORED, MIRRORED_LINE)), seconds=NOW + 10)) == (0, 1)
    assert [note["Position"] for note in anki.notes] == [MIRRORED]
    assert anki.take(package(*cards(OTHER))) == (1, 0), "packages of one time add up"
    assert len(anki.notes) == 2


def test_a_person_s_own_style_and_deck_stay(anki: Imported) -> None:
    anki.take(package(*cards(THREE, OTHER)))
    model = anki.model(MODEL_ID)
    assert model["css"].strip() == STYLE.strip()
    model["css"] = "/* mine */"
    anki.collection.models.update_dict(model)
    collection = anki.collection
    collection.set_deck(collection.find_cards("tag:tsume::3"), collection.decks.add_normal_deck_with_name("mine").id)
    assert anki.take(package(*cards(THREE, OTHER), seconds=NOW + 5)) == (0, 2)
    assert anki.decks == {DECK, "mine"}
    assert anki.model(MODEL_ID)["css"] == "/* mine */"


def test_tags_find_themes_and_decks_lie_below_decks(anki: Imported) -> None:
    with AnkiPackage(NOW) as below:
        for card, name in zip(
            cards(THREE, stored(SEVEN, SEVEN_LINE, themes=("decoy",))), ("A::B", "A::C"), strict=True
        ):
            below.add(card, name)
        anki.take(below.data())
    assert anki.decks == {"A::B", "A::C"}
    assert len(anki.collection.find_notes("tag:tsume::theme::*sacrifice")) == 1
    assert len(anki.collection.find_notes("tag:tsume::*")) == 2


def test_odd_texts_arrive_as_they_are(anki: Imported) -> None:
    title = "<b>&\"' [sound:x.mp3] {{Name}} [latex]x[/latex]"
    anki.take(package(*cards(stored(notebook=Notebook(title=title)))))
    (card,) = anki.notes[0].cards()
    assert not card.render_output().answer_av_tags
    assert "&lt;b&gt;&amp;&quot;&#x27; &#91;sound:x.mp3] {{Name}} &#91;latex]x" in card.answer()


def collection_of(data: bytes, folder: Path, query: str) -> list[Any]:
    """What a package answers to a query."""
    file = folder / "queried.anki2"
    with ZipFile(io.BytesIO(data)) as files:
        file.write_bytes(files.read("collection.anki2"))
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def notes(data: bytes, folder: Path) -> list[dict[str, str]]:
    """The fields of the notes of a package, with their tags, in their order."""
    rows = collection_of(data, folder, "select flds, tags from notes order by id")
    return [dict(zip(FIELDS, flds.split("\x1f"), strict=True)) | {"tags": tags} for flds, tags in rows]


def test_the_problems_of_a_store_become_cards(tsume: Run, made: Path, out: Path, anki: Imported) -> None:
    done = tsume("cards", "--db", made, "-o", out)
    assert (done.exit_code, done.output) == (0, "")
    assert anki.take(out.read_bytes()) == (6, 0)
    assert anki.decks == {"詰将棋"}
    assert len(anki.media) == 12
    with Store.open(made, create=False) as store:
        assert [note["Position"] for note in anki.notes] == [problem.sfen for problem in store.find()]
    lengths = [tag for note in anki.notes for tag in note.tags if tag in ("tsume::1", "tsume::3")]
    assert sorted(lengths) == ["tsume::1"] * 3 + ["tsume::3"] * 3


def test_what_is_written_to_a_problem_comes_with_the_next_export(
    tsume: Run, store: Path, out: Path, anki: Imported, monkeypatch: pytest.MonkeyPatch
) -> None:
    tsume("cards", "--db", store, "-o", out)
    anki.take(out.read_bytes())
    tsume("edit", "2", "--title", "妙手", "--tag", "好形", "--db", store)
    now = anki.notes[0].mod
    monkeypatch.setattr("time.time", lambda: now + 5)
    tsume("cards", "--db", store, "-o", out)
    assert anki.take(out.read_bytes()) == (0, 6)
    assert [note["Name"] for note in anki.notes][:3] == ["No. 1", "妙手", "No. 3"]
    assert "好形" in anki.notes[1].tags


def test_problems_are_selected_and_explained(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    assert tsume("cards", "--db", made, "-m", "3", "--limit", "2", "-o", out).exit_code == 0
    found = notes(out.read_bytes(), tmp_path)
    assert ["tsume::3 " in note["tags"] for note in found] == [True, True]
    tsume("cards", "--db", made, "-o", out)
    told = notes(out.read_bytes(), tmp_path)
    tsume("cards", "--db", made, "--no-variations", "-o", out)
    bare = notes(out.read_bytes(), tmp_path)
    assert any("変化" in note["Variations"] for note in told)
    assert all(note["Variations"] == "" for note in bare)
    assert [note | {"Variations": ""} for note in told] == bare


def test_limits_languages_and_styles(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    done = tsume("cards", "--db", made, "--id", "4", "--time", "0", "-o", out, status=0)
    assert done.stderr == "No. 4: a limit was reached: some variations are missing\n"
    (note,) = notes(out.read_bytes(), tmp_path)
    assert "制限に達したため" in note["Variations"]
    captions = []
    for language in ("ja", "en", "both"):
        tsume("cards", "--db", made, "--id", "4", "--lang", language, "--no-variations", "-o", out)
        captions += [note["Caption"] for note in notes(out.read_bytes(), tmp_path)]
    japanese, english, both = captions
    assert ("３手詰" in japanese, "Mate in 3" in english) == (True, True)
    assert both == f"{japanese} / {english}"
    arguments = ["--db", made, "--id", "4", "--no-variations", "-o", out]
    tsume("cards", *arguments, "--pieces", "letters", "--colors", "wood", "--lang", "both")
    with ZipFile(out) as files:
        picture = files.read("0").decode()
    assert 'lang="en"' in picture
    assert "letters-king-turned" in picture
    assert COLOURS["wood"].board in picture


def decks(data: bytes, folder: Path) -> set[str]:
    ((text,),) = collection_of(data, folder, "select decks from col")
    return {deck["name"] for deck in json.loads(text).values()} - {"Default"}


def test_decks_have_names_that_anki_keeps(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    for options, names in (
        ([], {"詰将棋"}),
        (["--lang", "en"], {"Tsume-shogi"}),
        (["--deck", "朝の::五題"], {"朝の::五題"}),
        (["--by-length"], {"詰将棋::01手詰", "詰将棋::03手詰"}),
        (["--by-length", "--deck", "A", "--lang", "en"], {"A::Mate in 01", "A::Mate in 03"}),
    ):
        assert tsume("cards", "--db", made, "--no-variations", *options, "-o", out).exit_code == 0
        assert decks(out.read_bytes(), tmp_path) == names
    for name in ("", "A::", "::B", "A:: B", "a\nb", "x" * 201):
        done = tsume("cards", "--db", made, "--deck", name, "-o", out, status=2)
        assert done.stderr.splitlines()[-1].startswith("Error: Invalid value for '--deck'")


# --- bad input --------------------------------------------------------------------------------------


def refused(done: Any, out: Path, error: str, status: int = 1) -> None:
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.splitlines()[-1] == error
    assert not list(out.parent.iterdir())


def test_without_the_extra(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    done = tsume("cards", "--db", made, "-o", out)
    assert len(done.stderr.splitlines()) == 1
    refused(done, out, "Error: genanki is not installed: pip install 'tsume-shogi[anki]' (or genanki alone)")


def test_a_package_to_stdout_and_no_problems(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    refused(tsume("cards", "--db", made, "-m", "99", "-o", out), out, f"Error: {made}: no problems")
    done = tsume("cards", "--db", tmp_path / "none.db", "-o", out)
    assert len(done.stderr.splitlines()) == 1
    refused(done, out, done.stderr.strip())
    done = tsume("cards", "--db", made, "--no-variations", "-o", "-")
    assert done.stdout_bytes.startswith(b"PK")


def test_a_place_without_rights(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnkiPackage, "add", None)
    place = out.parent / "none" / "deck.apkg"
    refused(tsume("cards", "--db", made, "-o", place), out, f"Error: {place}: No such file or directory")
    refused(tsume("cards", "--db", made, "-o", ""), out, "Error: -o: No such file or directory")
    done = tsume("cards", "--db", made, "-o", out.parent)
    refused(done, out, "Error: a package goes into one file, not a folder", status=2)


def test_an_interrupted_export(tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    out.write_bytes(b"before")
    monkeypatch.setattr(AnkiPackage, "data", interrupted)
    assert tsume("cards", "--db", made, "--no-variations", "-o", out).exit_code != 0
    assert [path.name for path in out.parent.iterdir()] == ["deck.apkg"]
    assert out.read_bytes() == b"before"
