# SPDX-License-Identifier: GPL-3.0-or-later
"""A site in a browser, without any network: opened as files, and from a host below a path."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.browsers.pointers import tap
from tests.sampling import few
from tests.tsume.problems import CORRECT
from tests.tsume.site import offline
from tests.tsume.site.conftest import make_site
from tests.tsume.site.offline import Host, opened
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import PHONE, keys, play, said, square
from tests.tsume.web.solving import REFUTED, TEN, by_keys, by_mouse, by_touch, first, refute_each, solve, store_of_ten
from tsume_rules.sfen import format_sfen, parse_sfen

_FIRST = "en/index.html"


@pytest.fixture(scope="module")
def hosted(both: Path) -> Iterator[str]:
    """The address of the site on a host, below a path."""
    host = Host(both)
    yield host.address
    host.close()


@pytest.fixture
def page(browser: Browser, both: Path) -> Iterator[Page]:
    with opened(browser, f"{both.as_uri()}/", _FIRST) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, both: Path) -> Iterator[Page]:
    with opened(browser, f"{both.as_uri()}/", _FIRST, **PHONE) as page:
        yield page


@pytest.fixture
def without_scripts(request: pytest.FixtureRequest, browser: Browser, both: Path) -> Iterator[Page]:
    if request.node.callspec.params["browser"] != "chromium":
        pytest.skip("no driver can read a page of this engine that may run no script")
    with opened(browser, f"{both.as_uri()}/", _FIRST, java_script_enabled=False) as page:
        yield page


def open_problem(page: Page, number: int) -> None:
    offline.open_problem(page, re.sub(r"/en/.*", f"/en/problems/{number}.html", page.url))


# --- playing ----------------------------------------------------------------------------------------


def test_solved_below_a_path_of_a_host(browser: Browser, hosted: str) -> None:
    with opened(browser, hosted, _FIRST) as page:
        page.get_by_role("link", name="No. 1").last.click()
        expect(said(page)).to_have_text("Your move: give check.")
        play(page, "3d2c")
        play(page, "2c2b")
        expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


def test_solved_by_dragging_and_by_keys(page: Page) -> None:
    open_problem(page, 1)
    square(page, "3d").drag_to(square(page, "2c"))
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    square(page, "2c").drag_to(square(page, "2b"))
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
    open_problem(page, 1)
    square(page, "5e").focus()
    keys(page, "ArrowRight ArrowRight ArrowUp Enter ArrowRight ArrowUp Enter")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    keys(page, "Enter ArrowUp Enter")
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


def test_solved_by_touch(phone: Page) -> None:
    open_problem(phone, 2)
    for hand, name in (("N", "1d"), ("G", "1b")):
        tap(phone.locator(f'[data-hand="{hand}"]'))
        tap(square(phone, name))
    expect(said(phone)).to_contain_text("mate. Solved in 3 moves.")


def test_problems_follow_each_other_and_languages_change(page: Page) -> None:
    open_problem(page, 1)
    page.get_by_role("link", name="Next problem").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("No. 2")
    page.get_by_role("link", name="日本語").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("第2番")
    expect(said(page)).to_have_text("攻方の番です。王手をかけてください。")


def test_a_problem_is_shared_and_put_on_another_page(browser: Browser, hosted: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{hosted}en/problems/1.html?from=here")
    page.get_by_text("Share", exact=True).click()
    expect(page.get_by_role("button", name="Share link")).to_be_visible()
    expect(page.locator("[name=embed]")).to_have_js_property("readOnly", True)
    assert f'src="{hosted}en/problems/1.html#embed"' in page.locator("[name=embed]").evaluate("field => field.value")
    page.goto("about:blank")
    page.goto(f"{hosted}en/problems/1.html#embed")
    expect(said(page)).to_have_text("Your move: give check.")
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator(".share")).to_be_hidden()
    context.close()


@pytest.fixture
def without_solver(browser: Browser, both: Path, tmp_path: Path) -> Iterator[Page]:
    """A page of a site whose solver never comes; problem 2 has no tree of its own either."""
    missing = shutil.ignore_patterns("tsume-worker.js")
    folder = shutil.copytree(both, tmp_path / "without", ignore=missing)
    (folder / "en/problems/2.js").write_text("", encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/en/problems/1.html")
    yield page
    context.close()


def test_problems_and_training_before_the_solver_has_come(without_solver: Page) -> None:
    page = without_solver
    expect(said(page)).to_have_text("Your move: give check.")
    play(page, "3c2b")
    expect(said(page)).to_have_text("+S-2b fails: Kx2b takes the checking promoted silver; no mate.")
    line = page.get_by_label("Type a move")
    line.fill("２三金")
    line.press("Enter")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    play(page, "2c2b")
    expect(said(page)).to_contain_text("G-2b: mate, with help.")
    answer = page.locator(".answer")
    expect(answer.locator(".ta-moves button")).to_have_text(["G-2c", "K-1a", "G-2b"])
    answer.get_by_role("button", name="From the start").click()
    expect(answer.locator(".ta-status")).to_have_text("The solver could not be loaded.")
    page.goto(page.url.replace("1.html", "2.html"))
    expect(said(page)).to_have_text("The solver could not be loaded.")
    page.goto(re.sub(r"/en/.*", "/en/training.html", page.url))
    page.locator("[name=moves][value='1']").evaluate("field => { field.checked = true; }")
    page.locator("[data-mode=training]").click()
    expect(page.locator(".player .tp-said")).to_have_text("Your move: give check.")


def test_the_answer_has_variations_and_an_analysis(page: Page) -> None:
    open_problem(page, 1)
    page.get_by_text("Show the answer").click()
    answer = page.locator(".answer")
    expect(answer.locator("dt").first).to_have_text("Variations")
    expect(answer.locator(".ta-moves button")).to_have_text(["G-2c", "K-1a", "G-2b"])
    answer.get_by_role("button", name="From the start").click()
    expect(answer.locator(".ta-status")).to_have_text("Attacker to move: mate in 3.")
    answer.locator(".ta-choices").get_by_role("button", name="G-2c").click()
    expect(answer.locator(".ta-status")).to_contain_text("Defender to move")


# --- lists ------------------------------------------------------------------------------------------


def test_results_are_kept_and_saved(page: Page) -> None:
    open_problem(page, 1)
    play(page, "3d2c")
    play(page, "2c2b")
    expect(page.locator(".tp-result")).to_contain_text("Well done!")
    page.get_by_role("link", name="Tsume-shogi").click()
    expect(page.locator("li[data-sfen]", has_text="No. 1")).to_contain_text("✓ solved")
    expect(page.locator("li[data-sfen]", has_text="No. 2")).not_to_contain_text("solved")
    expect(page.locator(".results")).to_contain_text("Solved: 1; in a row without mistakes or hints: 1")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    _, row, _ = download.value.path().read_text(encoding="utf-8").split("\n")
    assert re.fullmatch(rf'[^,]+Z,1,"{re.escape(CORRECT)}",3,\d+,0,0,[^,]+Z,free', row.strip())
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear the results").click()
    expect(page.locator(".results")).to_be_hidden()


def test_each_day_has_its_problem(browser: Browser, both: Path, hosted: str) -> None:
    text = (both / "static/days.js").read_text(encoding="utf-8")
    days = json.loads(text.removeprefix("window.TSUME_DAYS = ").removesuffix(";\n"))
    shown = []
    for hour in ("2026-03-01T00:00:01", "2026-03-01T23:59:59", "2026-03-02T12:00:00", "2026-03-05T12:00:00"):
        context = browser.new_context(timezone_id="Asia/Tokyo")
        page = context.new_page()
        page.clock.set_fixed_time(f"{hour}+09:00")
        page.goto(f"{hosted}en/index.html")
        card = page.locator(".day h2 a")
        expect(card).to_be_visible()
        (number,) = re.findall(r"No\. (\d+)", card.inner_text())
        shown.append(int(number))
        card.click()
        expect(page.get_by_role("heading", name=f"No. {number}")).to_be_visible()
        context.close()
    order = [number for number, *_ in days]
    assert shown[0] == shown[1]
    assert order.index(shown[2]) == (order.index(shown[0]) + 1) % len(order)
    assert shown[3] == shown[0]


def test_pictures_themes_and_sheets_of_lists(page: Page) -> None:
    pictures = page.locator("li[data-sfen] img")
    expect(pictures).to_have_count(4)
    for number in range(4):
        assert pictures.nth(number).get_attribute("loading") == "lazy"
        pictures.nth(number).scroll_into_view_if_needed()
        expect(pictures.nth(number)).to_have_js_property("complete", True)
        assert pictures.nth(number).evaluate("image => image.naturalWidth") > 0
    page.get_by_text("By theme").click()
    page.locator("details.places a").first.click()
    expect(page.locator("details.places [aria-current]")).to_have_count(1)
    assert page.locator("li[data-sfen]").count() > 0
    page.goto(re.sub(r"/en/.*", "/en/lists/moves-3.html", page.url))
    page.get_by_role("button", name="Print a sheet").click()
    place = page.locator(".sheet")
    expect(place.locator(".sheet-card")).to_have_count(3)
    expect(place.locator(".sheet-head").first).to_contain_text("Mate in 3")
    expect(place.locator(".sheet-answers")).to_contain_text("G-2c K-1a G-2b mate in 3.")


# --- without scripts, and for everybody -------------------------------------------------------------


def test_without_scripts_a_problem_can_be_read(without_scripts: Page) -> None:
    page = without_scripts
    page.get_by_role("link", name="No. 1").click()
    expect(page.locator("noscript img")).to_be_visible()
    expect(page.locator(".answer .line")).to_be_hidden()
    page.get_by_text("Show the answer").click()
    expect(page.locator(".answer .line")).to_have_text("G-2c K-1a G-2b mate in 3.")
    page.get_by_role("link", name="Next problem").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("No. 2")


@pytest.mark.parametrize("name", ["index.html", "en/index.html", "problems/1.html", "lists/all-easy.html"])
def test_no_page_is_wider_than_the_window(page: Page, both: Path, name: str) -> None:
    page.goto(f"{both.as_uri()}/{name}")
    for summary in page.locator("details:not(.tp-keys) > summary").all():
        summary.click()
    for width in (320, 360, 800, 1400):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("innerWidth") == width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "scheme"), few(
    [("index.html", "light"), ("en/index.html", "dark"), ("problems/1.html", "dark"),
     ("en/problems/2.html", "light"), ("licence.html", "dark"), ("index.html", "dark"),
     ("en/index.html", "light"), ("problems/1.html", "light"), ("en/problems/2.html", "dark"),
     ("licence.html", "light")], 5,
))  # fmt: skip
def test_axe_finds_nothing_serious(browser: Browser, both: Path, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with opened(browser, f"{both.as_uri()}/", _FIRST, color_scheme=scheme) as page:
        page.goto(f"{both.as_uri()}/{name}")
        if "problems" in name:
            expect(page.locator("tsume-board")).to_be_visible()
        for summary in page.locator("details > summary").all():
            summary.click()
        found = axe.run(page, options={"preload": False}).response["violations"]
        assert [(one["id"], one["impact"], [node["html"] for node in one["nodes"]]) for one in found] == []


@pytest.fixture(scope="module")
def trees() -> list[dict[str, Any]]:
    """The tree of each problem; filled with the site."""
    return []


@pytest.fixture(scope="module")
def folder(trees: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the ten problems in English."""
    home = tmp_path_factory.mktemp("ten")
    table = AnswerTable()
    trees += [table.add_problem(format_sfen(parse_sfen(sfen).position)) for sfen in TEN]
    make_site(table, store_of_ten(home / "ten.db"), home / "pages", "--lang", "en")
    return home / "pages"


@pytest.fixture(scope="module")
def ten_page(browser: Browser, folder: Path) -> Iterator[Page]:
    with opened(browser, f"{folder.as_uri()}/", "index.html") as ten_page:
        yield ten_page


@pytest.fixture(scope="module")
def ten_phone(browser: Browser, folder: Path) -> Iterator[Page]:
    with opened(browser, f"{folder.as_uri()}/", "index.html", **PHONE) as ten_page:
        yield ten_page


@pytest.mark.parametrize("number", first(6, 1))
def test_solved_by_mouse(ten_page: Page, folder: Path, trees: list[dict[str, Any]], number: int) -> None:
    offline.open_problem(ten_page, f"{folder.as_uri()}/problems/{number}.html")
    solve(ten_page, number, trees[number - 1], by_mouse)


@pytest.mark.parametrize("number", first(8, 7))
def test_each_of_ten_is_solved_by_keys(ten_page: Page, folder: Path, trees: list[dict[str, Any]], number: int) -> None:
    offline.open_problem(ten_page, f"{folder.as_uri()}/problems/{number}.html")
    solve(ten_page, number, trees[number - 1], by_keys)


@pytest.mark.parametrize("number", first(3, 4))
def test_each_of_ten_is_solved_by_touch(
    ten_phone: Page, folder: Path, trees: list[dict[str, Any]], number: int
) -> None:
    offline.open_problem(ten_phone, f"{folder.as_uri()}/problems/{number}.html")
    solve(ten_phone, number, trees[number - 1], by_touch)


@pytest.mark.parametrize("number", first(3, of=REFUTED))
def test_every_wrong_first_check_is_refuted(
    ten_page: Page, folder: Path, trees: list[dict[str, Any]], number: int
) -> None:
    offline.open_problem(ten_page, f"{folder.as_uri()}/problems/{number}.html")
    refute_each(ten_page, trees[number - 1])
