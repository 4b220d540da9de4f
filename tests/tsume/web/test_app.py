# SPDX-License-Identifier: GPL-3.0-or-later
"""The server: its pages, its JSON, and what it refuses."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from db.store import Store
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.diagrams import glyphs
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.app import application
from tsume.web.assets import STATIC
from tsume.web.compiling import BuildCommand

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def client(opened: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    with TestClient(application(opened, builder), base_url=HERE) as client:
        yield client


def test_the_server_starts_without_numba() -> None:
    code = "import sys, tsume.web.app; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_solver_is_built_once_and_the_server_answers_meanwhile(
    opened: Store, builder: ReplyTreeBuilder, tmp_path: Path
) -> None:
    code = "import pathlib, sys, time; open(sys.argv[1] + '/log', 'a').write('x')\n"
    code += "while not pathlib.Path(sys.argv[1], 'go').exists(): time.sleep(0.01)\n"
    code += "open(sys.argv[1] + '/built', 'w').close()"

    def scripts() -> dict[str, bytes] | None:
        return {"tsume.js": b"1", "tsume-worker.js": b"2"} if (tmp_path / "built").exists() else None

    app = application(
        opened, builder, solver=scripts, building=lambda: [sys.executable, "-c", code, str(tmp_path)]
    )
    with TestClient(app, base_url=HERE) as client, ThreadPoolExecutor(8) as threads:
        addresses = ["/static/tsume.js", "/static/tsume-worker.js", "/static/solver.json", "/"] * 2
        answers = list(threads.map(client.get, addresses))
        assert [answer.status_code for answer in answers] == [503, 503, 200, 200] * 2
        assert answers[0].headers["retry-after"] == "2"
        assert answers[2].json()["state"] == "building"
        (tmp_path / "go").touch()
        while client.get("/static/solver.json").json()["state"] == "building":
            time.sleep(0.01)
        assert client.get("/static/solver.json").json() == {"state": "ready"}
        assert client.get("/static/tsume.js").content == b"1"
    assert (tmp_path / "log").read_text() == "x"


@pytest.mark.parametrize(
    "building", [None, lambda: None, lambda: [sys.executable, "-c", "raise SystemExit(1)"]]
)
def test_a_solver_that_cannot_be_built_is_missing(
    opened: Store, builder: ReplyTreeBuilder, building: BuildCommand | None
) -> None:
    app = application(opened, builder, solver=lambda: None, building=building)
    with TestClient(app, base_url=HERE) as client:
        while client.get("/static/solver.json").json()["state"] == "building":
            time.sleep(0.01)
        assert client.get("/static/solver.json").json() == {"state": "missing"}
        assert client.get("/static/tsume.js").status_code == 404


def test_the_list_names_the_problems_in_both_languages(client: TestClient) -> None:
    japanese, english = client.get("/").text, client.get("/?lang=en").text
    assert '<html lang="ja">' in japanese
    assert "3手詰" in japanese
    assert "Mate in 3" in english
    assert 'href="/problems/1?lang=en"' in english


def test_what_people_wrote_is_text(client: TestClient) -> None:
    assert "<b>" not in client.get("/").text
    assert "&lt;b&gt;&amp;" in client.get("/problems/1").text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("moves=3", True),
        ("moves=5", False),
        ("stars=5&moves=5", False),
        ("grade=perfect&order=quality&min_quality=0", True),
        ("theme=sacrifice&moves=1", False),
        ("page=2", False),
    ],
)
def test_the_list_is_filtered(client: TestClient, query: str, found: bool) -> None:
    answer = client.get(f"/?{query}")
    assert answer.status_code == 200
    assert ("/problems/1?" in answer.text) is found


@pytest.mark.parametrize(
    "query",
    ["moves=0", "moves=x", "moves=-1", "moves=99999999999", "moves=٣", "stars=6", "theme=none", "grade=good",
     "order=drop", "page=0", "page=100000", "min_quality=nan", "moves=3%00"],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/?{query}").status_code == 400


def test_a_page_gives_nothing_away(client: TestClient) -> None:
    page = client.get("/problems/1").text
    assert CORRECT in page
    assert not any(move in page for move in CORRECT_LINE)


def test_the_tree_has_words(client: TestClient) -> None:
    tree = client.get("/api/problems/1/tree").json()
    assert (tree["sfen"], tree["result"], tree["length"]) == (CORRECT, "mate", 3)
    key, *_ = tree["turns"][0]["checks"]
    assert key["text"] == {"ja": "▲２三金", "en": "G-2c"}
    assert key["answers"][0]["text"] == {"ja": "△１一玉", "en": "K-1a"}
    failing = [check for check in tree["turns"][0]["checks"] if check["result"] == "fails"]
    assert {check["move"]: check["why"]["en"] for check in failing} == {
        "3c2b": "+S-2b fails: Kx2b takes the checking promoted silver; no mate",
        "3c2c": "+S-2c fails: K-1a moves the king; no mate",
    }


def test_a_diagram(client: TestClient) -> None:
    answer = client.get("/problems/1.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg ")


def test_diagrams_asked_for_at_once(client: TestClient) -> None:
    glyphs._font().close()
    for cached in (
        glyphs.font_glyph,
        glyphs._font,
        glyphs._glyph_names,
        glyphs._glyph_set,
    ):
        cached.cache_clear()
    for cached in (glyphs.diagram_glyphs, glyphs.glyph, glyphs.glyph_outline):
        cached.cache_clear()
    addresses = [f"/problems/{number}.svg?lang={name}" for number in (1, 2, 3) for name in ("ja", "en")]
    with ThreadPoolExecutor(6) as pool:
        assert {answer.status_code for answer in pool.map(client.get, addresses)} == {200}


def test_scripts_of_the_program(client: TestClient) -> None:
    pieces, words = client.get("/static/pieces.js"), client.get("/static/words.js")
    assert pieces.text.startswith("window.TSUME_PIECES = {")
    assert '"+R":{"kanji":{"edge":' in pieces.text
    assert words.text.startswith("window.TSUME_WORDS = {")
    assert pieces.headers["content-type"].startswith("text/javascript")


def test_a_page_loads_only_what_is_served_here(client: TestClient) -> None:
    for page in ("/", "/problems/1", "/?lang=en", "/compose", "/compose?lang=en&sfen=x"):
        text = client.get(page).text
        assert not re.search(r"""(src|href)="(?!/|\?|#)""", text)
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", text)
        for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
            assert client.get(address).status_code == 200


def test_every_answer_says_what_the_browser_may_do(client: TestClient) -> None:
    for page in ("/", "/problems/1", "/nothing", "/static/board.js", "/api/problems/1/tree", "/?moves=x"):
        headers = client.get(page).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


# --- hostile requests -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:8000@evil.example", "", "127.0.0.1:x", "[::1",
     "2130706433", "localhost.", "evil.example:8000", "127.0.0.1 "],
)  # fmt: skip
def test_another_host_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "problems" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9", "LOCALHOST", "[::1]:8000", "[::1]"])
def test_this_machine_by_any_name(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9", "http://[", ""])
def test_another_origin_is_refused(client: TestClient, origin: str) -> None:
    assert client.get("/api/problems/1/tree", headers={"origin": origin}).status_code == 403


def test_the_own_origin_and_none_may_ask(client: TestClient) -> None:
    assert client.get("/", headers={"origin": HERE}).status_code == 200
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/problems/1.svg", headers=foreign).status_code == 403
    assert client.get("/", headers=foreign | {"sec-fetch-mode": "navigate"}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
def test_only_reading(client: TestClient, method: str) -> None:
    assert client.request(method, "/problems/1").status_code == 405


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%5capp.py",
     "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/", "/static/%00",
     "/static/board.js%00.css", "/problems/0", "/problems/-1", "/problems/1.5", "/problems/" + "9" * 1500,
     "/problems/1/", "/problems/x", "/api/problems/99/tree", "/api/problems/99999999999999999999/tree",
     "/api/problems/1/tree/", "/problems/%31%00", "/.git/config", "/%ff"],
)  # fmt: skip
def test_what_is_not_there(client: TestClient, path: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code in (404, 307)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_what_is_too_large(client: TestClient) -> None:
    assert client.get("/?title=" + "x" * 3000).status_code == 414
    assert client.get("/" + "x" * 3000).status_code == 414
    for length in ("70000", "9" * 40, "-1", "x", ""):
        assert client.get("/", headers={"content-length": length}).status_code == 413


def test_no_file_of_the_scripts_asks_elsewhere() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in re.sub(r"(^|\s)//.*$", "", text, flags=re.MULTILINE) or path.suffix == ".svg"
        assert not re.search(r"innerHTML|eval\(|new Function|document\.write|import\(", text)
