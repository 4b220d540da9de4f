# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures show what is on the board, and say it in words."""

import random
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.positions import random_position
from tests.tsume.conftest import present
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.diagrams.glyphs import MISSING, glyph, piece_id, text_width
from tsume.diagrams.look import COLOURS, WOOD, Arrow, DiagramLook, DiagramScene, PieceStyle
from tsume.diagrams.svg import (
    CAPTION_SIZE,
    MARGIN,
    DiagramLayout,
    animated_svg,
    diagram_layout,
    page_svg,
    svg,
    wrapped_caption,
)
from tsume.language.catalogue import LANGUAGES, Language
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.position import HAND_KINDS, Position, Side, parse_square
from tsume_rules.sfen import parse_sfen

SVG = "{http://www.w3.org/2000/svg}"
ALL_IN_HAND = "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"
ALL_PROMOTED = "k8/9/3+R+B+P+L+N+S/9/9/3+r+b+p+l+n+s/9/9/8K b - 1"
LOOKS = [
    DiagramLook(piece_style, language, colours, coordinates, hand)
    for piece_style in PieceStyle
    for language in LANGUAGES
    for colours in COLOURS.values()
    for coordinates in (True, False)
    for hand in (True, False)
]


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


def drawn(scene: DiagramScene, look: DiagramLook = DiagramLook()) -> ElementTree.Element:  # noqa: B008
    return ElementTree.fromstring(svg(scene, look))


def uses(picture: ElementTree.Element) -> dict[tuple[float, float], str]:
    """The pieces by the places of their middles."""
    return {
        (float(one.attrib["x"]), float(one.attrib["y"])): one.attrib["href"].removeprefix("#")
        for one in picture.iter(f"{SVG}use")
    }


def on_board(picture: ElementTree.Element, places: DiagramLayout) -> dict[int, str]:
    found = uses(picture)
    return {sq: found[places.centre(sq)] for sq in range(81) if places.centre(sq) in found}


@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(LOOKS))
def test_each_piece_is_drawn_on_its_square(seed: int, with_king: bool, look: DiagramLook) -> None:
    start = random_position(random.Random(seed), with_king)
    scene = DiagramScene(start, "３手詰")
    wanted = {
        sq: piece_id(piece.kind, look.piece_style, turned=piece.side is Side.DEFENDER)
        for sq, piece in enumerate(start.board)
        if piece is not None
    }
    assert on_board(drawn(scene, look), diagram_layout(scene, look)) == wanted


def test_what_is_used_is_defined_and_nothing_is_from_outside() -> None:
    """A picture needs no font and no script."""
    for look in LOOKS:
        for sfen in (ALL_IN_HAND, ALL_PROMOTED):
            picture = drawn(DiagramScene(position(sfen)), look)
            defined = {one.attrib["id"] for one in picture.iter(f"{SVG}g") if "id" in one.attrib}
            assert set(uses(picture).values()) == defined, (look, sfen)
        text = svg(DiagramScene(position(ALL_IN_HAND), "A caption", parse_move("5a5b")), look)
        assert not re.search(r"<text|<script|<image|@import|url\(|font", text), look
        assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_hands_and_the_words_of_a_caption() -> None:
    scene, look = DiagramScene(position(ALL_IN_HAND)), DiagramLook(PieceStyle.LETTERS)
    places = diagram_layout(scene, look)
    held = {name: at for at, name in uses(drawn(scene, look)).items() if at[0] > places.left + 360}
    assert set(held) == {piece_id(kind, PieceStyle.LETTERS, turned=False) for kind in HAND_KINDS}
    assert all(places.top < y < places.height - MARGIN for _, y in held.values())
    scene = DiagramScene(position("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"))
    assert not [name for name in uses(drawn(scene)).values() if name == "kanji-rook-turned"]
    assert "kanji-rook-turned" in uses(drawn(scene, DiagramLook(defender_hand=True))).values()
    caption = '<b>&"'
    assert drawn(DiagramScene(position(ALL_IN_HAND), caption)).findtext(f"{SVG}title") == caption


@pytest.mark.parametrize(("language", "words"), [
    ("ja", ("３手詰", "玉方は２一玉、１一桂。攻方は２三金、４二金。持駒は飛、歩二。")),
    ("en", ("Mate in 3",
            "Defender: king 2a, knight 1a. Attacker: gold 2c, gold 4b. In hand: rook, 2 pawns.")),
])  # fmt: skip
def test_a_picture_says_in_words_what_it_shows(language: Language, words: tuple[str, str]) -> None:
    scene = DiagramScene(position("7kn/5G3/7G1/9/9/9/9/9/9 b R2Pr2b2g4s3n4l16p 1"), words[0])
    picture = drawn(scene, DiagramLook(language=language))
    assert picture.attrib["role"] == "img"
    assert picture.attrib["lang"] == language
    assert [picture.findtext(f"{SVG}{name}") for name in ("title", "desc")] == list(words)


def test_a_last_move_and_what_is_pointed_out_are_drawn() -> None:
    plain = DiagramScene(position("7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1"))
    told = DiagramScene(
        plain.position, "", parse_move("4b3b"), (Arrow.of(parse_move("2c2b")),), frozenset({parse_square("1b")})
    )
    added = [len(list(drawn(told).iter(f"{SVG}{name}"))) - len(list(drawn(plain).iter(f"{SVG}{name}")))
             for name in ("rect", "circle", "path")]  # fmt: skip
    assert added == [2, 1, 1]
    for kind in HAND_KINDS:
        scene = DiagramScene(position(ALL_IN_HAND), arrows=(Arrow(parse_square("5e"), None, kind),))
        places = diagram_layout(scene, DiagramLook())
        *_, arrow = drawn(scene).iter(f"{SVG}path")
        xs = [float(x) for x in re.findall(r"[ML]([\d.]+) ", arrow.attrib["d"])]
        assert max(xs) > places.left + 360, kind


@given(st.text(st.characters(exclude_categories=["C"]), max_size=120), st.integers(200, 460))
def test_a_caption_is_cut_into_lines_that_fit_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrapped_caption(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(text_width(line, CAPTION_SIZE) <= width for line in lines if len(line) > 1)


def test_words_stay_whole_and_missing_characters_are_geta() -> None:
    assert all(
        line in "one two three" for line in wrapped_caption("one two three", text_width("one two", CAPTION_SIZE))
    )
    assert glyph("\U0001f600") == glyph(MISSING)


LINE = [parse_move(usi) for usi in CORRECT_LINE]


def frames(text: str) -> list[ElementTree.Element]:
    picture = ElementTree.fromstring(text)
    return [one for one in picture.iter(f"{SVG}g") if one.attrib.get("class", "").startswith("f ")]


def test_an_animated_line() -> None:
    found = frames(animated_svg(DiagramScene(position(CORRECT), "３手詰"), LINE, DiagramLook()))
    assert [one.attrib["class"] for one in found] == ["f f0", "f f1", "f f2", "f f3"]
    kings = [[u.attrib["href"] for u in one.iter(f"{SVG}use")].count("#kanji-king-turned") for one in found]
    assert kings == [1, 1, 1, 1]
    text = animated_svg(DiagramScene(position(CORRECT)), LINE, DiagramLook())
    assert ".f{opacity:0;" in text
    assert ".f0{opacity:1}" in text
    assert "prefers-reduced-motion" in text
    named = set(re.findall(r"animation(?:-name)?:([fm]\d+)", text))
    assert named == set(re.findall(r"@keyframes ([fm]\d+)", text)) == {"f0", "f1", "f2", "f3", "m1", "m2", "m3"}
    start = parse_sfen("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1").position
    text = animated_svg(DiagramScene(start), [parse_move("2d2a+"), parse_move("R*2b")], DiagramLook())
    assert len(frames(text)) == 3
    text = animated_svg(DiagramScene(position(CORRECT)), LINE, DiagramLook(language="en"))
    told = present(ElementTree.fromstring(text).findtext(f"{SVG}desc"))
    assert told.endswith("G-2c K-1a G-2b")
    with pytest.raises(ImpossibleMove):
        animated_svg(DiagramScene(position(CORRECT)), [parse_move("9i9h")], DiagramLook())


MANY = """
from concurrent.futures import ThreadPoolExecutor
from tsume.diagrams.glyphs import centred_text_path

TEXTS = [chr(code) for code in range(0x4E00, 0x4E80)]

def paths(start):
    turned = TEXTS[start:] + TEXTS[:start]
    found = {text: centred_text_path(text, 10, 0, 0) for text in turned}
    return [found[text] for text in TEXTS]

with ThreadPoolExecutor(8) as pool:
    first, *others = pool.map(paths, range(0, 128, 16))
assert all(other == first for other in others)
assert len(set(first)) > 60
"""


def test_threads_read_the_same_outlines() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_picture_of_pages_is_whole_or_a_card_and_has_its_colours_by_variables() -> None:
    for sfen, kinds in ((ALL_IN_HAND, 7), (ALL_PROMOTED, 0)):
        text = page_svg(position(sfen), "ja")
        picture = ElementTree.fromstring(text)
        hidden = present(picture.find(f"{SVG}g[@id='row']"))
        assert (hidden.get("display"), len(hidden.findall(f"{SVG}use"))) == ("none", kinds)
        view = [float(one) for one in present(picture.find(f"{SVG}view[@id='card']")).attrib["viewBox"].split()]
        assert all(view[0] <= float(one.attrib["x"]) <= view[0] + view[2] for one in hidden.iter(f"{SVG}use"))
        assert WOOD.paper not in text
        assert re.search(r"prefers-color-scheme:dark\)\{svg\{--board:#785c35;", text)
