# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of docs/pictures.md, made by the commands there, and those of docs/board.md.

With the file of a font: the outlines of the characters on pieces, `tsume/diagrams/faces.json`.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from fontTools import ttLib
from fontTools.pens import boundsPen, qu2cuPen, recordingPen, transformPen
from playwright.sync_api import Page, sync_playwright

from tsume.diagrams.glyphs import FACES, FAMILY, font_path
from tsume.formats.symbols import FULL_NAME, SHORT_NAME

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "pictures.md"
FOLDER = ROOT / "docs" / "pictures"
BOARD = ROOT / "docs" / "board"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r'src="pictures/([\w-]+)\.(svg|png)"')
_TSUME = [sys.executable, "-m", "tsume"]
_DOTS = 110
_CARD = (360, 780)


def commands() -> list[list[str]]:
    """Return the commands on the page, as their words after ``tsume``."""
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [shlex.split(line)[1:] for block in blocks for line in block.splitlines()]


def pictures() -> set[str]:
    return {f"{stem}.{ending}" for stem, ending in _NAMED.findall(PAGE.read_text(encoding="utf-8"))}


def make(folder: Path) -> Iterator[Path]:
    """Run the commands in an empty folder; yield the pictures."""
    for words in commands():
        subprocess.run([*_TSUME, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name in sorted(pictures()):
        path = folder / name
        if path.stem.startswith("card-"):
            _photograph_card(path)
        elif not path.exists():  # a page of a book
            book, number = path.stem.rsplit("-", 1)
            options = ["-r", str(_DOTS), "-f", number, "-l", number, "-singlefile", "-png"]
            files = [str(path.with_name(f"{book}.pdf")), str(path.with_suffix(""))]
            subprocess.run(["pdftoppm", *options, *files], check=True)
        yield path


def _photograph_card(path: Path) -> None:
    """Draw a side of the first card on a phone, as Anki's own code renders it."""
    collection = Collection(str(path.with_name("cards.anki2")))
    package = str(path.with_name("deck.apkg"))
    request = ImportAnkiPackageRequest(package_path=package, options=ImportAnkiPackageOptions())
    collection.import_anki_package(request)
    card = collection.get_card(collection.find_cards("")[0])
    side = card.question() if path.stem.endswith("front") else card.answer()
    page = Path(collection.media.dir()) / "card.html"
    font = f"@font-face{{font-family:{FAMILY};src:url('{font_path().as_uri()}')}}"
    style = f"<style>{font} body.card *{{font-family:{FAMILY}}}</style>"
    head = f'<!doctype html><meta charset="utf-8">{style}'
    page.write_text(f'{head}<body class="card">{side}</body>', encoding="utf-8")
    collection.close()
    with tempfile.TemporaryDirectory() as profile:
        options = [
            "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={profile}", f"--window-size={_CARD[0]},{_CARD[1]}",
            f"--screenshot={path}",
        ]  # fmt: skip
        subprocess.run(["chromium", *options, page.as_uri()], check=True, capture_output=True, timeout=60)


# --- the board in Chromium -------------------------------------------------------------------------

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


def make_board(folder: Path) -> Iterator[Path]:
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
    """Yield the address of `tsume serve` with a few problems."""
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
        result = {"problem": number, "mode": "day" if number == 1 else "training", "solved": solved, "moves": 5}
        page.request.post("/api/results", data={**result, "mistakes": 0, "hints": 0, "seconds": 30})
    _open(page, "/training?lang=en")
    page.locator(".tr-calendar").wait_for()


def _composed(page: Page) -> None:
    """A position with a second solution, its line on the board."""
    _open(page, f"/compose?sfen={_COOKED}&lang=en")
    page.locator(".tc-findings button").first.click()


# --- the characters on pieces ----------------------------------------------------------------------


def face_outlines(font: ttLib.TTFont) -> dict[str, str]:
    """Return the characters on pieces as SVG paths around (0, 0), 250 by 280 tenths of a unit: `sign_outlines`."""
    shapes, names = font.getGlyphSet(), font.getBestCmap()
    outlines = {}
    for character in sorted({*"".join((*SHORT_NAME.values(), *FULL_NAME.values()))}):
        shape, bounds = shapes[names[ord(character)]], boundsPen.BoundsPen(shapes)
        shape.draw(bounds)
        left, bottom, right, top = bounds.bounds
        fitting = 250 / (right - left), 280 / (top - bottom)
        wide, high = (min(scale, 1.2 * min(fitting)) for scale in fitting)  # stretched by a fifth at most
        placed = (wide, 0, 0, -high, -wide * (left + right) / 2, high * (top + bottom) / 2)
        drawn, start, at, path = recordingPen.RecordingPen(), (0, 0), (0, 0), ""
        shape.draw(transformPen.TransformPen(qu2cuPen.Qu2CuPen(drawn, 0.8, all_cubic=True), placed))
        for command, points in drawn.value:  # relative to the last point, in a closed shape to its first
            if command == "closePath":
                path, at = f"{path}z", start
                continue
            rounded = [(round(x), round(y)) for x, y in points]
            path += command[0] + " ".join(f"{x - at[0]} {y - at[1]}" for x, y in rounded)
            start, at = rounded[-1] if command == "moveTo" else start, rounded[-1]
        outlines[character] = path.replace(" -", "-")
    return outlines


def main() -> None:
    if sys.argv[1:]:
        text = json.dumps(face_outlines(ttLib.TTFont(sys.argv[1])), ensure_ascii=False, indent=0)
        FACES.write_text(f"{text}\n", encoding="utf-8")
        return
    for makes, kept in ((make, FOLDER), (make_board, BOARD)):
        kept.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            for path in makes(Path(folder)):
                shutil.copy(path, kept / path.name)
                print(path.name)


if __name__ == "__main__":
    main()
