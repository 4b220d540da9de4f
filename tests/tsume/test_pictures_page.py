# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of docs/pictures.md are those that the commands there make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tsume.conftest import Run

pytest.importorskip("anki", reason="anki is not installed: no card can be photographed")

from scripts.pictures import FOLDER, PAGE, commands, pictures

DRAWN = [words for words in commands() if words[0] == "draw"]


@pytest.mark.parametrize("words", DRAWN, ids=lambda words: words[-1])
def test_a_diagram_is_what_its_command_draws(tsume: Run, tmp_path: Path, words: list[str]) -> None:
    *options, name = words
    assert tsume(*options, tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == (FOLDER / name).read_text(encoding="utf-8")


def test_the_folder_has_the_pictures_of_the_page_and_no_others() -> None:
    assert {path.name for path in FOLDER.iterdir()} == pictures()


def test_every_picture_is_described() -> None:
    for picture in re.findall(r"<img [^>]*>", PAGE.read_text(encoding="utf-8")):
        assert re.search(r'alt="[^"]+"', picture), picture
