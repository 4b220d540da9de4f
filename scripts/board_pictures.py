# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the board in the browser, taken in Chromium: part of `scripts/pictures`."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tsume.diagrams.glyphs import FAMILY, font_path

_TSUME = [sys.executable, "-m", "tsume"]
_CHROMIUM = "/usr/bin/chromium"
_PROBLEMS = (
    "8n/5G1pk/5+R2g/9/9/9/9/9/9 b SNr2b2g3s2n4l17p 1",
    "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GN2rb2g3s3n2l18p 1",
    "2G6/l8/sk7/1pp6/3P5/9/9/9/9 b B2rb3g3s4n3l15p 1",
    "1r7/k8/BP1P5/N8/l1p6/9/9/9/9 b rb4g4s3n3l15p 1",
    "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1",
    "+P8/1k7/9/1+P7/3N5/3+R5/9/9/9 b r2b4g4s3n4l16p 1",
)
_COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
_DESKTOP: dict[str, Any] = {"viewport": {"width": 1060, "height": 620}}
_WIDE: dict[str, Any] = {"viewport": {"width": 1180, "height": 900}}
_DARK: dict[str, Any] = {"viewport": {"width": 1060, "height": 620}, "color_scheme": "dark"}
_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}


def make(folder: Path) -> Iterator[Path]:
    """Take the pictures in an empty folder."""
    with _served(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        for name, options, show in (
            ("refuted", _DESKTOP, _refuted),
            ("list", _DARK, _list),
            ("phone", _PHONE, _on_a_phone),
            ("training", _WIDE, _trained),
            ("compose", _WIDE, _composed),
        ):
            page = browser.new_page(base_url=address, bypass_csp=True, reduced_motion="reduce", **options)
            show(page)
            path = folder / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            yield path
        browser.close()


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of `tsume serve` with a few problems."""
    store = folder / "board.db"
    for sfen in _PROBLEMS:
        subprocess.run([*_TSUME, "import", sfen, "--db", str(store)], check=True, capture_output=True)
    command = [*_TSUME, "serve", "--db", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def _open(page: Page, address: str) -> None:
    """Open a page, its words in the font of the diagrams: where pictures are taken there may be no other."""
    page.goto(address)
    font = base64.b64encode(font_path().read_bytes()).decode()
    face = f"@font-face{{font-family:{FAMILY};src:url(data:font/ttf;base64,{font})}}"
    page.add_style_tag(content=f"{face} body, body * {{font-family:{FAMILY} !important}}")
    page.evaluate("document.fonts.ready")


def _refuted(page: Page) -> None:
    """A wrong check and its refutation."""
    _open(page, "/problems/1?lang=en")
    page.get_by_text("Your move: give check.").wait_for()
    tree = page.request.get("/api/problems/1/tree").json()
    wrong = next(check for check in tree["turns"][0]["checks"] if check["result"] == "fails")
    page.get_by_label("Type a move").fill(wrong["move"])
    page.get_by_label("Type a move").press("Enter")
    page.get_by_role("button", name="Try again").wait_for()


def _list(page: Page) -> None:
    _open(page, "/?lang=en")
    page.wait_for_load_state("networkidle")


def _on_a_phone(page: Page) -> None:
    """A hint, in Japanese."""
    _open(page, "/problems/3?lang=ja")
    page.get_by_role("button", name="ヒント").tap()
    page.get_by_role("button", name="ヒント").tap()


def _trained(page: Page) -> None:
    """Progress after some problems."""
    for number in range(1, len(_PROBLEMS) + 1):
        solved = number % 3 > 0
        result = {
            "problem": number,
            "mode": "day" if number == 1 else "training",
            "solved": solved,
            "moves": 5,
        }
        page.request.post("/api/results", data={**result, "mistakes": 0, "hints": 0, "seconds": 30})
    _open(page, "/training?lang=en")
    page.locator(".tr-calendar").wait_for()


def _composed(page: Page) -> None:
    """A position with a second solution, its line on the board."""
    _open(page, f"/compose?sfen={_COOKED}&lang=en")
    page.locator(".tc-findings button").first.click()
