# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of docs/pictures.md, made by the commands there, and those of docs/board.md."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from scripts import board_pictures
from tsume.diagrams.glyphs import FAMILY, font_path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "pictures.md"
FOLDER = ROOT / "docs" / "pictures"
BOARD = ROOT / "docs" / "board"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r'src="pictures/([\w-]+)\.(svg|png)"')
_PAGE_OF_BOOK = re.compile(r"(\w+)-(\d+)")
_DOTS = 110
_PHONE = (360, 780)


def commands() -> list[list[str]]:
    """The commands on the page, as their words after ``tsume``."""
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [shlex.split(line)[1:] for block in blocks for line in block.splitlines()]


def pictures() -> set[str]:
    """The names of the pictures on the page."""
    return {f"{stem}.{ending}" for stem, ending in _NAMED.findall(PAGE.read_text(encoding="utf-8"))}


def make(folder: Path) -> Iterator[Path]:
    """Run the commands in an empty folder; yield the pictures."""
    for words in commands():
        subprocess.run(
            [sys.executable, "-m", "tsume", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
    for name in sorted(pictures()):
        path = folder / name
        if not path.exists():
            _photograph(path)
        yield path


def _photograph(path: Path) -> None:
    """A page of a book, or a side of the first card, as PNG."""
    if path.stem.startswith("card-"):
        _photograph_card(path)
        return
    found = _PAGE_OF_BOOK.fullmatch(path.stem)
    assert found is not None, path.name
    book, number = path.with_name(f"{found[1]}.pdf"), found[2]
    options = ["-r", str(_DOTS), "-f", number, "-l", number, "-singlefile", "-png"]
    subprocess.run(["pdftoppm", *options, str(book), str(path.with_suffix(""))], check=True)


def _photograph_card(path: Path) -> None:
    """A side of a card on a phone, as Anki's own code renders it."""
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
            f"--user-data-dir={profile}", f"--window-size={_PHONE[0]},{_PHONE[1]}",
            f"--screenshot={path}",
        ]  # fmt: skip
        subprocess.run(["chromium", *options, page.as_uri()], check=True, capture_output=True, timeout=60)


def main() -> None:
    """Make all pictures and put them beside the pages."""
    for makes, kept in ((make, FOLDER), (board_pictures.make, BOARD)):
        kept.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            for path in makes(Path(folder)):
                shutil.copy(path, kept / path.name)
                print(path.name)


if __name__ == "__main__":
    main()
