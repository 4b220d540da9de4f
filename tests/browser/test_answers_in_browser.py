# SPDX-License-Identifier: GPL-3.0-or-later
"""The real solver in pages that are opened as files, without a network: the answers of Python."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browser.commands_in_node import differences, positions
from tests.tsume.site.offline import opened
from tsume.web.work.in_browser import BrowserAnswers

KINDS = {"solve": 80, "check": 60, "judgement": 20, "tree": 20, "explain": 20}
"""200 questions of these kinds."""
SECONDS = 60
"""The limit of each question; none comes near it."""
MAX_SECONDS = 300


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    return [
        {"kind": kind, "sfen": sfen, "seconds": SECONDS} for kind, number in KINDS.items() for sfen in positions(number)
    ]


@pytest.fixture(scope="module")
def expected(questions: list[dict[str, Any]]) -> list[Any]:
    answers = BrowserAnswers(64)
    found = []
    for one in questions:
        fields = {**one}
        found.append(json.loads(json.dumps(answers.answer(fields.pop("kind"), fields))))
    return found


@pytest.fixture
def page_file(questions: list[dict[str, Any]], solver_folder: Path, tmp_path: Path) -> Path:
    folder = shutil.copytree(solver_folder, tmp_path / "pages")
    shutil.copy(Path(__file__).with_name("questions.js"), folder)
    data = json.dumps(questions).replace("<", "\\u003c")
    (folder / "questions.html").write_text(
        f'<title>Questions</title><script type="application/json" id="questions">{data}</script>'
        '<p id="answers"></p><script src="tsume.js"></script><script src="questions.js"></script>',
        encoding="ascii",
    )
    return folder / "questions.html"


def answers_on(page: Page) -> list[Any]:
    deadline = time.monotonic() + MAX_SECONDS
    while page.evaluate("document.body.dataset.state") != "done":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    found: list[Any] = json.loads(page.evaluate("document.getElementById('answers').textContent"))
    return found


def test_200_answers_of_a_page_opened_as_a_file_are_those_of_python(
    browser: Browser, page_file: Path, expected: list[Any], questions: list[dict[str, Any]]
) -> None:
    with opened(browser, f"{page_file.parent.as_uri()}/", page_file.name) as page:
        found = answers_on(page)
    assert len(found) == len(expected), found[-1]
    unequal = {
        str(question): [one for one in differences(mine, its) if not one.startswith(".seconds")]
        for question, mine, its in zip(questions, expected, found, strict=True)
    }
    assert {name: one for name, one in unequal.items() if one} == {}
