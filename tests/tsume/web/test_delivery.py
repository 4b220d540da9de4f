# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses are compressed, have an ETag and are left out if the client has them; streams arrive by line."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.asynchronous import run

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.testclient import TestClient

from db.store import Store
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.app import application
from tsume.web.assets import static_version
from tsume.web.delivery import Delivery, accepts_gzip

LONG = "王手" * 1000
HERE = "http://127.0.0.1:8000"
ADDRESSES = [
    "/api/problems/1/tree",
    "/problems/1.svg",
    "/static/board.js",
    "/static/words.js",
    "/static/page.css",
    "/problems/1",
    "/api/openapi.json",
]


@pytest.fixture(scope="module")
def client(opened: Store, builder: ReplyTreeBuilder) -> Iterator[TestClient]:
    with TestClient(application(opened, builder), base_url=HERE) as client:
        yield client


def small(_request: Request) -> Response:
    return PlainTextResponse("王手")


def large(_request: Request) -> Response:
    return PlainTextResponse(LONG)


def picture(_request: Request) -> Response:
    return Response(LONG.encode(), media_type="image/png")


def failing(_request: Request) -> Response:
    return PlainTextResponse(LONG, 500)


async def parts() -> AsyncIterator[bytes]:
    for _ in range(3):
        yield LONG.encode()


def stream(_request: Request) -> Response:
    return StreamingResponse(parts(), media_type="text/plain")


APP = Delivery(
    Router([Route(f"/{one.__name__}", one) for one in (small, large, picture, failing, stream)]),
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


@pytest.mark.parametrize(
    ("coding", "accepted"),
    [
        ("gzip", True), ("gzip, deflate, br", True), ("br;q=1.0, gzip;q=0.8", True), ("GZIP", True),
        ("", False), ("identity", False), ("gzip;q=0", False), ("gzip; q=0.0", False), ("xgzip", False),
    ],
)  # fmt: skip
def test_who_reads_gzip(coding: str, accepted: bool) -> None:
    assert accepts_gzip(Headers({"accept-encoding": coding})) is accepted


def test_what_is_large_is_compressed() -> None:
    status, headers, (body,) = messages("/large", ("accept-encoding", "gzip"))
    assert (status, headers["content-encoding"], headers["vary"]) == (200, "gzip", "Accept-Encoding")
    assert gzip.decompress(body).decode() == LONG
    assert len(body) == int(headers["content-length"])


@pytest.mark.parametrize(
    ("path", "coding"), [("/small", "gzip"), ("/large", "br"), ("/picture", "gzip"), ("/stream", "gzip")]
)
def test_what_is_not_compressed(path: str, coding: str) -> None:
    status, headers, body = messages(path, ("accept-encoding", coding))
    assert (status, "content-encoding" in headers) == (200, False)
    assert b"".join(body).decode().startswith("王手")


def test_a_stream_comes_in_its_parts() -> None:
    _, headers, body = messages("/stream", ("accept-encoding", "gzip"))
    assert [part.decode() for part in body] == [LONG] * 3 + [""]
    assert "etag" not in headers


def test_an_error_has_no_etag() -> None:
    status, headers, _ = messages("/failing")
    assert (status, "etag" in headers, "cache-control" in headers) == (500, False, False)


def test_what_the_client_has_is_left_out() -> None:
    etag = messages("/large")[1]["etag"]
    for known in (etag, f'"other", {etag}', "*", etag.removeprefix("W/")):
        status, headers, body = messages("/large", ("if-none-match", known))
        assert (status, body, headers["etag"]) == (304, [b""], etag)
        assert "content-length" not in headers
    assert messages("/large", ("if-none-match", '"other"'))[0] == 200
    assert messages("/large", ("if-none-match", etag), method="POST")[0] in (200, 405)


def test_an_address_with_a_version_lasts() -> None:
    assert messages("/large")[1]["cache-control"] == "no-cache"
    assert "immutable" in messages("/large?v=1")[1]["cache-control"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_kind_of_response_is_sent_once(client: TestClient, address: str) -> None:
    first = client.get(address)
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"]
    assert client.get(address, headers={"if-none-match": '"x"'}).content == first.content


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_kind_of_response_is_compressed(client: TestClient, address: str) -> None:
    plain = client.get(address, headers={"accept-encoding": "identity"})
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    assert packed.content == plain.content
    assert "content-encoding" not in plain.headers
    if len(plain.content) > 2000:
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(plain.content)


def test_a_page_names_the_version_of_its_scripts(client: TestClient) -> None:
    addresses = re.findall(r'"(/static/[^"]+)"', client.get("/problems/1").text)
    assert {address.partition("?v=")[2] for address in addresses} == {static_version()}
    for address in addresses[:3]:
        assert "immutable" in client.get(address).headers["cache-control"]
    assert client.get("/static/board.js?v=old").headers["cache-control"] == "no-cache"
