# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts and files that the page to compose on reads: pasted, typed, dropped; and what is said of others."""

import base64
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, FilePayload, Page

from tests.browsers.expecting import expect
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE
from tests.tsume.web.browsing import PHONE, in_chromium
from tests.tsume.web.composing import KING_ALONE, expect_position, headline, open_compose, opened, said, tool
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import WRITERS
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

pytestmark = in_chromium  # a made paste or drop has its data in no other browser

RECORD = GameRecord(
    parse_sfen(CORRECT).position, tuple(map(parse_move, CORRECT_LINE)), "題名", headers=(("作者", "無名"),)
)
KIF = WRITERS["kif"].write(RECORD)
PASTE = """text => {
    const given = new DataTransfer();
    given.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: given, bubbles: true}));
}"""
DROP = """base64 => {
    const given = new DataTransfer();
    given.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], "one.kif"));
    for (const type of ["dragover", "drop"]) {
        const event = new DragEvent(type, {dataTransfer: given, bubbles: true, cancelable: true});
        document.querySelector(".tc-verdict").dispatchEvent(event);
        if (!event.defaultPrevented) throw new Error(`the browser would open the file: ${type}`);
    }
}"""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


def intended(page: Page) -> list[str]:
    """The intended solution in the address."""
    return parse_qs(urlsplit(page.url).query).get("line", [])


@pytest.mark.parametrize("form", WRITERS)
def test_a_pasted_record_brings_position_and_solution(page: Page, form: str) -> None:
    page.evaluate(PASTE, WRITERS[form].write(RECORD))
    expect_position(page, CORRECT)
    expect(said(page)).to_have_text("Loaded: 題名.")
    assert intended(page) == [" ".join(CORRECT_LINE)]
    expect(page.get_by_role("button", name=re.compile("Intended solution"))).to_contain_text("best line")
    page.get_by_text("Save as a problem").click()
    expect(page.get_by_label("Title")).to_have_value("題名")
    if form != "csa":
        expect(page.get_by_label("Author")).to_have_value("無名")


def test_a_copied_record_can_be_pasted(browser: Browser, address: str) -> None:
    with opened(browser, address, CORRECT, permissions=["clipboard-read", "clipboard-write"]) as page:
        expect(headline(page)).to_contain_text("Perfect")
        page.get_by_text("Game records, SFEN, pictures").click()
        tool(page, "copy_kif").click()
        expect(said(page)).to_have_text("KIF record copied.")
        tool(page, "clear").click()
        page.keyboard.press("Control+v")
        expect_position(page, CORRECT)
        assert intended(page) == [" ".join(CORRECT_LINE)]
        tool(page, "clear").click()
        field = page.get_by_label("SFEN, game record or address")
        field.fill("")
        field.press("Control+v")
        page.get_by_role("button", name="Load").click()
        expect_position(page, CORRECT)


def test_title_and_author_of_a_record_are_copied(page: Page) -> None:
    page.evaluate("() => { Object.defineProperty(navigator, 'clipboard', { value: {} }); }")
    page.get_by_text("Game records, SFEN, pictures").click()
    page.evaluate(PASTE, KIF)
    expect(headline(page)).to_contain_text("Perfect")
    tool(page, "copy_kif").click()
    copied = page.get_by_label("Copy this text.")
    expect(copied).to_have_value(KIF)
    tool(page, "clear").click()
    tool(page, "copy_kif").click()
    expect(said(page)).to_have_text("Copy this text. It has no moves: there is no solution yet.")
    expect(copied).not_to_have_value(re.compile("題名|無名"))


def test_an_sfen_is_read_without_the_server(page: Page) -> None:
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate(PASTE, CORRECT)
    expect_position(page, CORRECT)
    page.evaluate(PASTE, KIF)
    expect(said(page)).to_have_text("The server is not responding.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("zz", "This is neither an SFEN nor a game record that can be read."),
        ("https://lishogi.org/training/x", "This address holds no position."),
        ("4k4/9 b - 1", "It cannot be read: board has 2 ranks, not 9"),
        (KIF.replace("２三金", "９三金"), "the piece does not move that way"),
    ],
)
def test_why_a_text_cannot_be_read(page: Page, text: str, told: str) -> None:
    page.evaluate(PASTE, text)
    expect(said(page)).to_contain_text(told)
    expect_position(page, KING_ALONE)
    open_compose(page, lang="ja")
    page.evaluate(PASTE, text)
    expect(said(page)).to_contain_text(re.compile("読めません|読み込めません|含まれていません"))


def test_what_cannot_be_read_replaces_the_verdict(browser: Browser, address: str) -> None:
    with opened(browser, address, CORRECT, **PHONE) as page:
        expect(headline(page)).to_contain_text("Perfect")
        tool(page, "paste").click()
        page.get_by_label("SFEN, game record or address").fill("4k4/9 b - 1")
        page.get_by_role("button", name="Load").click()
        for place in (".tc-headline", ".tc-unread", ".tc-bar [data-act=verdict]"):
            expect(page.locator(place)).to_contain_text("It cannot be read: board has 2 ranks, not 9")
        expect(page.locator("main")).not_to_contain_text("Perfect")
        page.get_by_role("button", name="Back to its verdict").click()
        expect(headline(page)).to_contain_text("Perfect")
        expect(page.locator(".tc-unread")).to_have_text("")


def test_a_file_is_opened_by_a_button(page: Page) -> None:
    with page.expect_file_chooser() as asked:
        tool(page, "open").first.click()
    asked.value.set_files(FilePayload(name="one.kif", mimeType="text/plain", buffer=KIF.encode("cp932")))
    expect_position(page, CORRECT)
    expect(said(page)).to_have_text("Loaded: 題名.")


def test_pasted_texts_and_dropped_files(page: Page) -> None:
    for text in (
        KIF.partition("手数----")[0],
        f"https://lishogi.org/analysis/{CORRECT.replace(' ', '_')}",
        f"https://lishogi.org/editor/{CORRECT_WHITE.replace(' ', '_')}?orientation=gote",
        f"position sfen {CORRECT} moves 3d2c",
    ):
        page.evaluate(PASTE, text)
        expect_position(page, CORRECT)
        tool(page, "clear").click()
    for text, told in {
        f"{CORRECT} moves 3d2c zz": "Loaded. Its line is left out: “zz” cannot be read as a move.",
        f"{CORRECT} moves 3d2c 9a9b": "Loaded. Move 2 of its line (9a9b) cannot be played: there is no such piece.",
        f"{CORRECT}\n{KING_ALONE}\n": "Loaded. The text has several problems; this is the first.",
    }.items():
        page.evaluate(PASTE, text)
        expect(said(page)).to_have_text(told)
        expect_position(page, CORRECT)
        tool(page, "clear").click()
    for encoding in ("cp932", "utf-8"):
        page.evaluate(DROP, base64.b64encode(KIF.encode(encoding)).decode())
        expect_position(page, CORRECT)
        expect(said(page)).to_have_text("Loaded: 題名.")
        tool(page, "clear").click()
    page.evaluate(DROP.replace('"one.kif"', '"one.png", {type: "image/png"}'), "")
    expect(said(page)).to_have_text("Pictures cannot be read.")
    page.evaluate(DROP, base64.b64encode(b"x" * 50_000).decode())
    expect(said(page)).to_have_text("The file is too large.")
