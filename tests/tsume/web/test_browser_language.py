# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in the language of the browser, unless one was chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from db.store import Store
from tests.tsume.web.serving import HOST, serving
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.app import application
from tsume.web.pages import browser_language

HERE = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, None), ("", None), ("*", None), (" ,;", None),
        ("ja", "ja"), ("ja-JP,ja;q=0.9,en-US;q=0.8", "ja"), ("en-US,en;q=0.5", "en"), ("EN-us", "en"),
        ("en;q=0.3, ja;q=0.7", "ja"), ("en , ja", "en"), ("ja;q=0, en;q=0.1", "en"),
        ("fr-FR,fr;q=0.9", "en"), ("fr,ja;q=0.2", "ja"), ("zh;q=x,ja;q=0.1", "ja"), ("jav", "en"),
    ],
)  # fmt: skip
def test_the_language_of_a_header(header: str | None, language: str | None) -> None:
    assert browser_language(header) == language


def test_the_browser_is_asked_where_the_query_names_no_language(
    opened: Store, builder: ReplyTreeBuilder
) -> None:
    app = application(opened, builder, asks_browser=True)
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
