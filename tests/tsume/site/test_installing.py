# SPDX-License-Identifier: GPL-3.0-or-later
"""A site on a host can be installed, and works without the network once it was visited."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browsers.engines import TIMEOUT
from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT
from tests.tsume.site.offline import Host, open_problem, opened
from tests.tsume.site.test_site import files
from tests.tsume.web.browsing import in_chromium, said, solve_first
from tsume.diagrams.svg import icon_png

_READY = "navigator.serviceWorker.ready.then(() => true)"
_KEPT = """async () => {
  while (!navigator.serviceWorker.controller || !await caches.match(location.href)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""
"""Waits until the page is served by the worker, and kept."""


@pytest.fixture
def host(both: Path) -> Iterator[Host]:
    host = Host(both)
    yield host
    host.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT)
    yield context
    context.close()


def visit(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate(_READY)
    page.evaluate(_KEPT)


def cut_off(context: BrowserContext, host: Host) -> None:
    context.set_offline(True)
    host.close()


# --- files --------------------------------------------------------------------------------------------


def test_the_manifest_and_the_version_of_the_worker(tsume: Run, library: Path, tmp_path: Path) -> None:
    workers = []
    for name, title in (("a", "詰の森"), ("b", "詰の森"), ("c", "B")):
        options = ("-o", tmp_path / name, "-j", 1, "--site-title", title, "--lang", "en")
        assert tsume("site", "--db", library, *options).exit_code == 0
        workers.append(files(tmp_path / name)["service-worker.js"])
    assert workers[0] == workers[1]
    assert workers[0] != workers[2]
    folder = tmp_path / "a"
    manifest = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["lang"], manifest["display"]) == ("詰の森", "en", "standalone")
    assert (folder / manifest["start_url"]).is_file()
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}
    for icon in manifest["icons"]:
        assert (folder / icon["src"]).is_file()


def test_the_worker_lists_files_that_are_there(both: Path) -> None:
    script = (both / "service-worker.js").read_text(encoding="utf-8")
    (site,) = re.findall(r"const TSUME_SITE = (.*);\n", script)
    names = [address.split("?")[0] for address in json.loads(site)["files"]]
    pages = {"index.html", "training.html", "compose.html"}
    assert pages | {f"en/{name}" for name in pages} <= set(names)
    assert {"static/player.js", "static/tsume.js", "static/tsume-worker.js"} <= set(names)
    for name in names:
        assert (both / name).is_file()


def test_icons_are_pictures_of_a_piece(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for size in (16, 192):
        path = tmp_path / "icon.png"
        path.write_bytes(icon_png(size))
        pixels = np.asarray(image.open(path))
        assert pixels.shape == (size, size, 3)
        assert tuple(pixels[0, 0]) == (0xE9, 0xC1, 0x80)
        assert tuple(pixels[size // 2, size // 2]) == (0xFB, 0xE8, 0xC2)
        assert (pixels == pixels[:, ::-1]).all()


# --- in a browser -------------------------------------------------------------------------------------


@in_chromium
def test_a_problem_that_was_visited_is_solved_without_network(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    visit(page, f"{host.address}en/problems/1.html")
    cut_off(context, host)
    page.reload()
    expect(said(page)).to_have_text("Your move: give check.")
    solve_first(page)


@in_chromium
def test_the_first_page_and_training_work_without_network(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    visit(page, f"{host.address}licence.html")
    cut_off(context, host)
    page.goto(f"{host.address}en/")
    expect(page.locator(".problems").first).to_be_visible()
    page.goto(f"{host.address}training.html")
    expect(page.locator(".tr-rating")).not_to_be_empty()
    page.goto(f"{host.address}en/compose.html?{urlencode({'sfen': CORRECT})}")
    expect(page.locator(".tc-headline")).to_contain_text("Perfect — mate in 3")


@in_chromium
def test_without_network_a_page_that_was_not_visited_is_our_own(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    visit(page, f"{host.address}index.html")
    cut_off(context, host)
    for path, told in (
        ("problems/2.html", "ネットワークにつながっていません"),
        ("en/problems/2.html", "There is no network"),
        ("en/nowhere.html?a=b", "There is no network"),
    ):
        page.goto(f"{host.address}{path}")
        expect(page.get_by_role("heading", level=1)).to_have_text(told)
        page.locator("main a").click()
        expect(page.locator(".problems").first).to_be_visible()


@in_chromium
def test_caches_of_older_versions_are_removed(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    page.goto(f"{host.address}static/page.css")
    old, other = f"tsume {host.address} 0", "tsume http://127.0.0.1/elsewhere/ 0"
    page.evaluate("names => Promise.all(names.map((name) => caches.open(name)))", [old, other])
    visit(page, f"{host.address}index.html")
    names = page.evaluate("caches.keys()")
    assert old not in names
    assert other in names
    assert len(names) == 2


@in_chromium
def test_a_changed_page_is_shown_as_it_is_now(context: BrowserContext, both: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    for name, data in files(both).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    host = Host(folder)
    try:
        page = context.new_page()
        visit(page, f"{host.address}en/licence.html")
        (folder / "en/licence.html").write_text("<title>newer</title>", encoding="utf-8")
        page.reload()
        expect(page).to_have_title("newer")
    finally:
        host.close()


@in_chromium
def test_pages_opened_as_files_ask_for_no_manifest(browser: Browser, both: Path) -> None:
    with opened(browser, f"{both.as_uri()}/", "en/index.html") as page:
        open_problem(page, f"{both.as_uri()}/en/problems/1.html")
        expect(page.locator("link[rel=manifest]")).to_have_count(0)


@in_chromium
def test_a_page_on_a_host_has_its_manifest(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    page.goto(f"{host.address}en/problems/1.html")
    address = page.locator("link[rel=manifest]").evaluate("link => link.href")
    assert address == f"{host.address}manifest.webmanifest"
    assert page.evaluate("address => fetch(address).then((answer) => answer.ok)", address)
