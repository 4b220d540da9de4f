# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages under axe-core: no serious or critical violation, in both languages, light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import PHONE, keys, new_page, square

SERIOUS = ("serious", "critical")
LEFTOVER = "7k1/9/7P1/9/9/9/9/9/9 b 2G 1"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def the_list(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=3&min_quality=1")
    expect(page.locator("details[open]")).to_be_visible()
    expect(page.locator(".results > p:not([role])")).to_have_count(1)  # what is solved comes from the server


def an_empty_list(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=99")


def a_problem(page: Page, lang: str) -> None:
    page.goto(f"/problems/1?lang={lang}")
    expect(page.get_by_role("textbox")).to_be_enabled()


def a_refuted_check(page: Page, lang: str) -> None:
    a_problem(page, lang)
    square(page, "3c").click()
    square(page, "2b").click()
    expect(page.locator(".tp-do")).to_be_visible()


def a_solved_problem(page: Page, lang: str) -> None:
    a_problem(page, lang)
    square(page, "3d").click()
    square(page, "2c").click()
    expect(page.locator(".tp-moves li")).to_have_count(2)
    square(page, "2c").click()
    square(page, "2b").click()
    expect(page.locator(".tp-result")).to_be_visible()


def the_list_with_results(page: Page, lang: str) -> None:
    a_solved_problem(page, lang)
    page.goto(f"/?lang={lang}")
    expect(page.locator(".results")).to_be_visible()


def a_question(page: Page, lang: str) -> None:
    page.goto(f"/problems/3?lang={lang}")
    expect(page.get_by_role("textbox")).to_be_enabled()
    square(page, "8c").click()
    square(page, "8b").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def compose(page: Page, lang: str) -> None:
    page.goto(f"/compose?lang={lang}&sfen={quote(LEFTOVER)}")
    expect(page.locator(".tc-findings li")).to_have_count(3)


def compose_with_all_open(page: Page, lang: str) -> None:
    compose(page, lang)
    for details in page.locator("details").all():
        details.evaluate("details => { details.open = true; }")
    page.locator("[data-name=rest]").click()
    square(page, "2c").click()
    page.locator("[data-act=keep]").click()
    page.locator("[data-act=mend]").click()
    expect(page.locator("[data-act=stop]")).to_be_disabled()
    expect(page.locator(".tc-find").first).to_be_visible()
    page.get_by_role("button", name="SFEN").last.evaluate("button => button.blur()")


def compose_waiting(page: Page, lang: str) -> None:
    compose(page, lang)
    page.route("**/api/judgement", lambda _: None)
    square(page, "5e").focus()
    keys(page, "g")
    expect(page.locator(".tc-verdict")).to_have_attribute("data-state", "waiting")


def a_line(page: Page, lang: str) -> None:
    compose(page, lang)
    page.locator(".tc-fault button").first.click()
    keys(page, "ArrowRight")
    expect(page.locator(".tc-line")).to_be_visible()


def an_illegal_position(page: Page, lang: str) -> None:
    page.goto(f"/compose?lang={lang}&sfen={quote('9/9/9/9/4G4/9/9/9/9 b - 1')}")
    expect(page.locator(".tc-verdict")).to_have_attribute("data-state", "refused")


def a_message(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=x")


def about_the_api(page: Page, lang: str) -> None:
    answer = page.goto(f"/api?lang={lang}")
    assert answer is not None
    assert answer.ok


PAGES = [
    the_list, an_empty_list, the_list_with_results, a_problem, a_refuted_check, a_solved_problem, a_question,
    compose, compose_with_all_open, compose_waiting, a_line, an_illegal_position, a_message, about_the_api,
]  # fmt: skip


LOOKS = list(product(("ja", "en"), ("desktop", "phone"), ("light", "dark")))


def looked_at() -> Iterator[Any]:
    """Every page in every look; without `--slow` in two looks that have nothing in common."""
    for page, show in enumerate(PAGES):
        for look, (lang, size, scheme) in enumerate(LOOKS):
            usual = min(look, len(LOOKS) - 1 - look) == page % 4
            yield pytest.param(
                show, lang, DESKTOP if size == "desktop" else PHONE, scheme,
                id=f"{show.__name__}-{lang}-{size}-{scheme}", marks=() if usual else pytest.mark.slow,
            )  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("show", "lang", "size", "scheme"), list(looked_at()))
def test_no_serious_violation(
    browser: Browser,
    address: str,
    show: Callable[[Page, str], None],
    lang: str,
    size: dict[str, Any],
    scheme: str,
) -> None:
    with new_page(browser, address, color_scheme=scheme, **size) as page:
        show(page, lang)
        found = Axe().run(page).response["violations"]
        page.unroute_all(behavior="ignoreErrors")
    assert [told(one) for one in found if one["impact"] in SERIOUS] == []


def told(violation: dict[str, Any]) -> tuple[str, list[str]]:
    """A violation with the elements that have it and why."""
    return violation["id"], [f"{node['html'][:120]}: {node['failureSummary']}" for node in violation["nodes"]]
