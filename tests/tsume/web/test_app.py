# SPDX-License-Identifier: GPL-3.0-or-later
"""The application asked by a client: pages, hosts and origins, caching, languages, the collection"""

import asyncio
import gzip
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.testclient import TestClient

from db.store import Store
from tests.asynchronous import run
from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tests.tsume.web.serving import HOST, serving
from tsume.collection import add_collection, collection_size, read_collection
from tsume.diagrams import glyphs
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web import solver_scripts
from tsume.web.api.access import Permissions
from tsume.web.app import BuildCommand, web_application
from tsume.web.delivery import Delivery, accepts_gzip
from tsume.web.pages import browser_language
from tsume.web.solver_scripts import API, build_command, build_files, existing_files
from tsume.web.templates import STATIC, static_version

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def client(opened: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    with TestClient(web_application(opened, builder), base_url=HERE) as client:
        yield client


def test_it_starts_without_kernels_and_no_script_asks_elsewhere() -> None:
    code = "import sys, tsume.web.app; sys.exit('tsume_rules.kernel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in re.sub(r"(^|\s)//.*$", "", text, flags=re.MULTILINE) or path.suffix == ".svg"
        assert not re.search(r"innerHTML|eval\(|new Function|document\.write|import\(", text)


def test_the_solver_is_built_once(opened: Store, builder: ReplyTreeBuilder, tmp_path: Path) -> None:
    code = "import pathlib, sys, time; open(sys.argv[1] + '/log', 'a').write('x')\n"
    code += "while not pathlib.Path(sys.argv[1], 'go').exists(): time.sleep(0.01)\n"
    code += "open(sys.argv[1] + '/built', 'w').close()"

    def scripts() -> dict[str, bytes] | None:
        return {"tsume.js": b"1", "tsume-worker.js": b"2"} if (tmp_path / "built").exists() else None

    app = web_application(opened, builder, solver=scripts, building=lambda: [sys.executable, "-c", code, str(tmp_path)])
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


@pytest.mark.parametrize("building", [None, lambda: None, lambda: [sys.executable, "-c", "raise SystemExit(1)"]])
def test_a_solver_that_cannot_be_built_is_missing(
    opened: Store, builder: ReplyTreeBuilder, building: BuildCommand | None
) -> None:
    app = web_application(opened, builder, solver=lambda: None, building=building)
    with TestClient(app, base_url=HERE) as client:
        while client.get("/static/solver.json").json()["state"] == "building":
            time.sleep(0.01)
        assert client.get("/static/solver.json").json() == {"state": "missing"}
        assert client.get("/static/tsume.js").status_code == 404


def test_lists_problems_diagrams_and_scripts(client: TestClient) -> None:
    japanese, english = client.get("/").text, client.get("/?lang=en").text
    assert '<html lang="ja">' in japanese
    assert "3手詰" in japanese
    assert "Mate in 3" in english
    assert 'href="/problems/1?lang=en"' in english
    assert "<b>" not in client.get("/").text
    assert "&lt;b&gt;&amp;" in client.get("/problems/1").text
    page = client.get("/problems/1").text
    assert CORRECT in page
    assert not any(move in page for move in CORRECT_LINE)
    answer = client.get("/problems/1.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg ")
    pieces, words = client.get("/static/pieces.js"), client.get("/static/words.js")
    assert pieces.text.startswith("window.TSUME_PIECES = {")
    assert '"+R":{"kanji":{"edge":' in pieces.text
    assert words.text.startswith("window.TSUME_WORDS = {")
    assert pieces.headers["content-type"].startswith("text/javascript")


def test_the_list_is_filtered_and_what_cannot_be_asked_for_is_refused(client: TestClient) -> None:
    for query, found in {
        "moves=3": True, "moves=5": False, "stars=5&moves=5": False,
        "grade=perfect&order=quality&min_quality=0": True, "theme=sacrifice&moves=1": False, "page=2": False,
    }.items():  # fmt: skip
        answer = client.get(f"/?{query}")
        assert (answer.status_code, "/problems/1?" in answer.text) == (200, found), query
    for query in (
        "moves=0", "moves=x", "moves=-1", "moves=99999999999", "moves=٣", "stars=6", "theme=none",
        "grade=good", "order=drop", "page=0", "page=100000", "min_quality=nan", "moves=3%00",
    ):  # fmt: skip
        assert client.get(f"/?{query}").status_code == 400, query
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"):
        assert client.request(method, "/problems/1").status_code == 405, method


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


def test_diagrams_asked_for_at_once(client: TestClient) -> None:
    glyphs._font().close()
    for cached in (glyphs.font_glyph, glyphs._font, glyphs.diagram_glyphs, glyphs.glyph, glyphs.glyph_outline):
        cached.cache_clear()
    addresses = [f"/problems/{number}.svg?lang={name}" for number in (1, 2, 3) for name in ("ja", "en")]
    with ThreadPoolExecutor(6) as pool:
        assert {answer.status_code for answer in pool.map(client.get, addresses)} == {200}


def test_pages_load_only_what_is_served_here(client: TestClient) -> None:
    for page in ("/", "/problems/1", "/?lang=en", "/compose", "/compose?lang=en&sfen=x"):
        text = client.get(page).text
        assert not re.search(r"""(src|href)="(?!/|\?|#)""", text)
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", text)
        for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
            assert client.get(address).status_code == 200
    for page in ("/", "/problems/1", "/nothing", "/static/board.js", "/api/problems/1/tree", "/?moves=x"):
        headers = client.get(page).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/?title=" + "x" * 3000).status_code == 414
    assert client.get("/" + "x" * 3000).status_code == 414
    for length in ("70000", "9" * 40, "-1", "x", ""):
        assert client.get("/", headers={"content-length": length}).status_code == 413


# --- hostile requests -----------------------------------------------------------------------------


def test_only_this_host_and_origin_may_ask(client: TestClient) -> None:
    for host in (
        "evil.example", "127.0.0.1.evil.example", "127.0.0.1:8000@evil.example", "", "127.0.0.1:x", "[::1",
        "2130706433", "localhost.", "evil.example:8000", "127.0.0.1 ",
    ):  # fmt: skip
        answer = client.get("/", headers={"host": host})
        assert answer.status_code == 421, host
        assert "problems" not in answer.text
    for host in ("127.0.0.1", "localhost:9", "LOCALHOST", "[::1]:8000", "[::1]"):
        assert client.get("/", headers={"host": host}).status_code == 200, host
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9", "http://[", ""):
        assert client.get("/api/problems/1/tree", headers={"origin": origin}).status_code == 403, origin
    assert client.get("/", headers={"origin": HERE}).status_code == 200
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/problems/1.svg", headers=foreign).status_code == 403
    assert client.get("/", headers=foreign | {"sec-fetch-mode": "navigate"}).status_code == 200


LONG = "王手" * 1000
ADDRESSES = [
    "/api/problems/1/tree", "/problems/1.svg", "/static/board.js", "/static/words.js", "/static/page.css",
    "/problems/1", "/api/openapi.json",
]  # fmt: skip


async def parts() -> AsyncIterator[bytes]:
    for _ in range(3):
        yield LONG.encode()


RESPONSES: dict[str, Callable[[Request], Response]] = {
    "small": lambda _: PlainTextResponse("王手"),
    "large": lambda _: PlainTextResponse(LONG),
    "picture": lambda _: Response(LONG.encode(), media_type="image/png"),
    "failing": lambda _: PlainTextResponse(LONG, 500),
    "stream": lambda _: StreamingResponse(parts(), media_type="text/plain"),
}
APP = Delivery(
    Router([Route(f"/{name}", respond) for name, respond in RESPONSES.items()]),
    lasts=lambda scope: scope["query_string"] == b"v=1",
)


def messages(path: str, *headers: tuple[str, str], method: str = "GET") -> tuple[int, Headers, list[bytes]]:
    """Status, headers and the parts of the body of an answer."""
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }  # fmt: skip
    run(APP(scope, receive, send))
    return sent[0]["status"], Headers(raw=sent[0]["headers"]), [one.get("body", b"") for one in sent[1:]]


def test_what_is_large_is_compressed_for_those_who_read_gzip() -> None:
    accepted = dict.fromkeys(("gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZIP"), True)
    accepted |= dict.fromkeys(("", "identity", "gzip;q=0", "gzip; q=0.0", "xgzip"), False)
    assert {one: accepts_gzip(Headers({"accept-encoding": one})) for one in accepted} == accepted
    status, headers, (body,) = messages("/large", ("accept-encoding", "gzip"))
    assert (status, headers["content-encoding"], headers["vary"]) == (200, "gzip", "Accept-Encoding")
    assert gzip.decompress(body).decode() == LONG
    assert len(body) == int(headers["content-length"])
    for path, coding in (("/small", "gzip"), ("/large", "br"), ("/picture", "gzip"), ("/stream", "gzip")):
        status, headers, parts = messages(path, ("accept-encoding", coding))
        assert (status, "content-encoding" in headers) == (200, False)
        assert b"".join(parts).decode().startswith("王手")


def test_streams_errors_versions_and_what_the_client_has() -> None:
    _, headers, body = messages("/stream", ("accept-encoding", "gzip"))
    assert [part.decode() for part in body] == [LONG] * 3 + [""]
    assert "etag" not in headers
    status, headers, _ = messages("/failing")
    assert (status, "etag" in headers, "cache-control" in headers) == (500, False, False)
    assert messages("/large")[1]["cache-control"] == "no-cache"
    assert "immutable" in messages("/large?v=1")[1]["cache-control"]
    etag = messages("/large")[1]["etag"]
    for known in (etag, f'"other", {etag}', "*", etag.removeprefix("W/")):
        status, headers, body = messages("/large", ("if-none-match", known))
        assert (status, body, headers["etag"]) == (304, [b""], etag)
        assert "content-length" not in headers
    assert messages("/large", ("if-none-match", '"other"'))[0] == 200
    assert messages("/large", ("if-none-match", etag), method="POST")[0] in (200, 405)


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_kind_of_response_is_sent_once_and_compressed(client: TestClient, address: str) -> None:
    first = client.get(address)
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"]
    assert client.get(address, headers={"if-none-match": '"x"'}).content == first.content
    plain = client.get(address, headers={"accept-encoding": "identity"})
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    assert packed.content == plain.content
    assert "content-encoding" not in plain.headers
    if len(plain.content) > 2000:
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(plain.content)


def test_a_page_names_the_version_of_its_scripts(client: TestClient) -> None:
    addresses = re.findall(r'[" ](/static/[^" ]+)', client.get("/problems/1").text)
    assert {address.partition("?v=")[2] for address in addresses} == {static_version()}
    for address in addresses[:3]:
        assert "immutable" in client.get(address).headers["cache-control"]
    assert client.get("/static/board.js?v=old").headers["cache-control"] == "no-cache"


def test_the_language_of_a_header() -> None:
    languages = {
        None: None, "": None, "*": None, " ,;": None, "ja": "ja", "ja-JP,ja;q=0.9,en-US;q=0.8": "ja",
        "en-US,en;q=0.5": "en", "EN-us": "en", "en;q=0.3, ja;q=0.7": "ja", "en , ja": "en",
        "ja;q=0, en;q=0.1": "en", "fr-FR,fr;q=0.9": "en", "fr,ja;q=0.2": "ja", "zh;q=x,ja;q=0.1": "ja",
        "jav": "en",
    }  # fmt: skip
    assert {header: browser_language(header) for header in languages} == languages


def test_the_browser_is_asked_for_its_language(opened: Store, builder: ReplyTreeBuilder) -> None:
    app = web_application(opened, builder, asks_browser=True)
    with TestClient(app, base_url=HERE) as client:
        for path in ("/", "/problems/1", "/compose", "/training"):
            page = client.get(path, headers={"Accept-Language": "en-GB,en"})
            assert '<html lang="en">' in page.text
            assert "Accept-Language" in page.headers["Vary"]
            assert '<html lang="ja">' in client.get(path).text
            chosen = client.get(f"{path}?lang=ja", headers={"Accept-Language": "en-GB,en"})
            assert '<html lang="ja">' in chosen.text


@pytest.mark.parametrize(("options", "language"), [((), b"en"), (("--lang", "ja"), b"ja")])
def test_the_command_asks_unless_it_is_told(
    served: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], language: bytes
) -> None:
    monkeypatch.delenv("TSUME_LANG", raising=False)
    with serving(served, *options) as server:
        asked = b"GET / HTTP/1.1\r\n" + HOST + b"Accept-Language: en\r\nConnection: close\r\n\r\n"
        assert b'<html lang="' + language + b'">' in server.answer(asked)


OFFER = f"Add the collection ({collection_size()} problems)"
SECONDS = 300


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "empty.db") as store:
        yield store


@contextmanager
def asking(store: Store, builder: ReplyTreeBuilder, host: str, **permissions: bool) -> Iterator[TestClient]:
    app = web_application(store, builder, permissions=Permissions(**permissions))
    with TestClient(app, base_url=HERE, client=(host, 5)) as client:
        yield client


def test_an_empty_store_offers_the_collection_and_takes_it(empty: Store, builder: ReplyTreeBuilder) -> None:
    with asking(empty, builder, "127.0.0.1") as client:
        assert OFFER in client.get("/?lang=en").text
        answer = client.post("/api/collection", json={})
        assert (answer.status_code, answer.json()) == (200, {"added": collection_size()})
        assert OFFER not in client.get("/?lang=en").text
        assert client.post("/api/collection", json={}).json() == {"added": 0}
    assert empty.count() == collection_size()


def test_only_those_who_may_save_are_offered_it(empty: Store, builder: ReplyTreeBuilder) -> None:
    for host, permissions in (
        ("192.168.1.9", {}), ("127.0.0.1", {"saving": False}), ("10.0.0.1", {"remote": True, "saving": False})
    ):  # fmt: skip
        with asking(empty, builder, host, **permissions) as client:
            assert OFFER not in client.get("/?lang=en").text, host
            assert client.post("/api/collection", json={}).status_code == 403, host
    with asking(empty, builder, "127.0.0.1") as client:
        page = client.get("/?moves=5&lang=en").text
        assert client.post("/api/collection", data={"a": "b"}).status_code == 415
    assert (OFFER in page, "No matches" in page) == (False, True)
    assert empty.count() == 0


def test_the_list_is_chosen_by_length_and_difficulty(empty: Store, builder: ReplyTreeBuilder) -> None:
    problems = read_collection()
    add_collection(empty, problems)
    wanted = [i for i, one in enumerate(problems, 1) if (one.problem.length, one.problem.difficulty.stars) == (5, 2)]
    with asking(empty, builder, "127.0.0.1") as client:
        page = client.get("/?moves=5&stars=2&lang=en").text
        first = client.get("/?lang=en").text
        assert client.get("/?stars=6").status_code == 400
    assert f"{len(wanted)} in all" in page
    assert f"/problems/{wanted[0]}?" in page
    assert "/problems/1?" not in page
    assert "/?moves=3&amp;lang=en&amp;order=score" in first
    assert "/?stars=2&amp;moves=3&amp;lang=en" in page  # another length keeps the difficulty


def test_counts_follow_the_conditions_and_a_list_without_problems_leads_on(
    empty: Store, builder: ReplyTreeBuilder
) -> None:
    problems = [one.problem for one in read_collection()]
    add_collection(empty, read_collection())
    shown = Counter(one.length for one in problems if "smothered-mate" in one.themes)
    with asking(empty, builder, "127.0.0.1") as client:
        found = client.get("/?moves=5&theme=smothered-mate&lang=en").text
        nothing = client.get("/?moves=17&theme=smothered-mate&lang=en").text
        assert "smothered-mate" not in client.get("/?moves=5&lang=en").text.split("</form>")[1]
    assert f">{shown[5]} in all<" in found
    for length, number in shown.items():
        assert f'{length} <span class="count">{number}</span>' in found
        assert f'{length} <span class="count">{number}</span>' in nothing
    assert (shown[17], "bare-king" in found) == (0, False)
    for text, number in (("Mate in 17", shown.total()), ("smothered mate", sum(one.length == 17 for one in problems))):
        assert f'Without “{text}” <span class="count">{number}</span>' in nothing


# --- the command --------------------------------------------------------------------------


def test_serve_without_a_store_begins_with_the_collection(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tsume", "serve", "--port", "0", "--lang", "en"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        start_new_session=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with urlopen(f"{address}?lang=en", timeout=SECONDS) as page:
                assert f"{collection_size()} in all" in page.read().decode()
        finally:
            os.killpg(server.pid, signal.SIGINT)
            _, said = server.communicate(timeout=SECONDS)
    assert f"{collection_size()} problems stored" in said


def test_a_named_store_is_not_made(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for options in (["--db", "tsume.db"], ["--read-only"]):
        assert tsume("serve", *options).exit_code == 1
    assert list(tmp_path.iterdir()) == []


# --- The scripts of the solver in a browser are found in an installation and built in a checkout ---


BUILD = """
import sys
from pathlib import Path
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "tsume.js").write_bytes(b"built")
with (folder.parent / "builds").open("a") as builds: builds.write("x")
"""
"""A process in place of the one that builds."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for a checkout, of which another process builds."""

    def child_command(_module: str, _function: str, folder: str) -> list[str]:
        return [sys.executable, "-c", BUILD, folder]

    monkeypatch.setattr(solver_scripts, "child_command", child_command)
    monkeypatch.setattr(solver_scripts, "BUILT", tmp_path / "built")
    monkeypatch.setattr("tsume_rules.kernel.compile.cache_folder", lambda: tmp_path)
    return tmp_path / "browser"


def test_a_checkout_builds_once_and_without_a_cache_each_time(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache.parent / "built").mkdir()
    (cache.parent / "built" / API).write_bytes(b"of the wheel")  # it is not used
    assert existing_files() is None
    assert build_files() == build_files() == existing_files() == {API: b"built"}
    assert (cache / "builds").read_text() == "x"
    monkeypatch.setattr(solver_scripts, "sources_hash", lambda: "changed")
    assert existing_files() is None
    assert build_files() == {API: b"built"}
    assert (cache / "builds").read_text() == "xx"
    monkeypatch.setattr("tsume_rules.kernel.compile.cache_folder", lambda: None)
    assert existing_files() is None
    assert build_files() == {API: b"built"}
    assert build_command() is None
    monkeypatch.setattr(solver_scripts, "child_command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    assert build_files() == {}


def test_an_installation_has_the_files_or_says_that_it_lacks_them(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver_scripts, "BUILDER", cache / "nothing")
    assert existing_files() is None
    assert build_files() == {}
    assert build_command() is None
    line = "the solver for browsers cannot be built: this installation has neither its files nor their sources\n"
    assert capsys.readouterr().err == 2 * line
    (cache.parent / "built").mkdir()
    (cache.parent / "built" / API).write_bytes(b"of the wheel")
    assert build_files() == existing_files() == {API: b"of the wheel"}


def test_the_hash_is_that_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_scripts, "ROOT", tmp_path)
    monkeypatch.setattr(solver_scripts, "BUILDER", tmp_path / "browser")
    found = {solver_scripts.sources_hash.__wrapped__()}
    for name in ("tsume/web/work.py", "browser/api/tsume.js", "browser/files.py", "generator/network.npz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("more")
        found.add(solver_scripts.sources_hash.__wrapped__())
    assert len(found) == 5
    (tmp_path / "tsume/web/page.js").write_text("not a part")
    assert solver_scripts.sources_hash.__wrapped__() in found
