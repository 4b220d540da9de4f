# SPDX-License-Identifier: GPL-3.0-or-later
"""The API and its example in pages that are opened as files, with a program that searches nothing."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from browser.__main__ import write_files
from browser.files import browser_files
from tests.browser.commands_in_node import differences, positions
from tests.browser.program import fake_parts
from tests.browsers.expecting import expect
from tests.tsume.site.offline import opened
from tsume.web.work.in_browser import BrowserAnswers

SCENARIO = Path(__file__).parent / "scenario.js"
STEPS = "mate 無駄合 input AbortError 32 crashed crashed mate AbortError closed"
POLICY = "default-src 'self' file:; script-src 'self' file:{scripts}; worker-src blob:"


def scripts_page(folder: Path, name: str, *scripts: str, head: str = "") -> str:
    """A page with these scripts, in a legacy encoding; its name."""
    shutil.copy(SCENARIO, folder)
    elements = "".join(f'<script src="{script}"></script>' for script in (*scripts, "scenario.js"))
    text = f'<meta charset="windows-1252">{head}<title>Steps</title><p id="steps"></p>{elements}'
    (folder / name).write_text(text, encoding="ascii")
    return name


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files, for pages beside them."""
    return shutil.copytree(folder, tmp_path_factory.mktemp("pages") / "site")


@pytest.fixture
def example(browser: Browser, site: Path) -> Iterator[Page]:
    with opened(browser, f"{site.as_uri()}/", "example.html") as page:
        yield page


@pytest.mark.parametrize("scripts", [("tsume.js",), ("tsume-worker.js", "tsume.js")])
def test_steps_in_a_page(browser: Browser, site: Path, scripts: tuple[str, ...]) -> None:
    name = scripts_page(site, "page.html", *scripts)
    with opened(browser, f"{site.as_uri()}/", name) as page:
        expect(page.locator("#steps")).to_have_text(STEPS)


def test_steps_under_a_policy(browser: Browser, site: Path) -> None:
    policy = POLICY.format(scripts=" 'wasm-unsafe-eval'")
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    name = scripts_page(site, "policy.html", "tsume.js", head=head)
    with opened(browser, f"{site.as_uri()}/", name) as page:
        expect(page.locator("#steps")).to_have_text(STEPS)


def test_a_policy_without_blobs_is_told(browser: Browser, site: Path) -> None:
    policy = "script-src 'self' file: 'wasm-unsafe-eval'; worker-src 'self'"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    name = scripts_page(site, "no_blobs.html", "tsume.js", head=head)
    with closing(browser.new_context()) as context:  # whose console tells of the policy
        page = context.new_page()
        page.goto(f"{site.as_uri()}/{name}")
        found = page.evaluate("() => new Tsume.Solver().ready.catch(({ name, code }) => [name, code])")
        assert found == ["TsumeError", "unavailable"]


def test_the_example(example: Page) -> None:
    answer = example.locator("#answer")
    expect(answer).to_have_text("ready")
    example.get_by_role("button", name="Solve and check").click()
    expect(answer).to_have_text("mate in 1: G*5b\nsound\n無駄合")


def test_the_example_says_what_is_wrong(example: Page) -> None:
    example.get_by_role("textbox").fill("nonsense")
    example.get_by_role("button", name="Solve and check").click()
    expect(example.locator("#answer")).to_have_text("SFEN needs a board")


def test_the_example_says_why_it_cannot_start(browser: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, browser_files(fake_parts(fails="too little memory")))
    with opened(browser, f"{tmp_path.as_uri()}/", "example.html") as page:
        expect(page.locator("#answer")).to_have_text("too little memory")


# --- The real solver in pages that are opened as files, without a network: the answers of Python ---


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
