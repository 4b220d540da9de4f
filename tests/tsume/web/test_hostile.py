# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile requests: each is refused, tells nothing, and leaves the server serving."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")

from tests.tsume.problems import CORRECT, UNREADABLE
from tests.tsume.web.serving import HOST, Served, post, serving

JSON = b"Content-Type: application/json\r\n"
JUDGED = json.dumps({"sfen": CORRECT}).encode()
END = b"\r\n"


@pytest.fixture(scope="module")
def server(served: Path) -> Iterator[Served]:
    with serving(served) as server:
        yield server


def get(path: bytes, headers: bytes = b"", version: bytes = b"HTTP/1.1") -> bytes:
    return b"GET %s %s\r\n" % (path, version) + HOST + headers + END


def bare(method: bytes, headers: bytes, body: bytes = JUDGED, path: bytes = b"/api/judgement") -> bytes:
    """A request with these headers only, and a length."""
    length = b"Content-Length: %d\r\n" % len(body)
    return b"%s %s HTTP/1.1\r\n" % (method, path) + headers + length + END + body


def chunked(*parts: bytes, headers: bytes = b"") -> bytes:
    """A judgement that is sent in parts."""
    sent = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    head = b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + headers
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + sent


def judged(**fields: object) -> bytes:
    return json.dumps({"sfen": CORRECT, **fields}).encode()


BYTES = {
    "nothing": b"",
    "line ends": b"\r\n\r\n",
    "zeros": b"\x00" * 1000,
    "no text": b"\xff" * 1000,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a method only": b"GET",
    "no Host": b"GET / HTTP/1.1\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n",
    "HTTP/1.0 without Host": b"GET / HTTP/1.0\r\n\r\n",
    "spaces in the line": b"GET  /  HTTP/1.1\r\n" + HOST + END,
    "two Hosts": get(b"/", b"Host: evil.example\r\n"),
    "two equal Hosts": get(b"/", HOST),
    "a header without end": b"GET / HTTP/1.1\r\n" + b"x" * 100_000,
    "a large header": get(b"/", b"X: " + b"y" * 200_000 + END),
    "many headers": get(b"/", b"X: y\r\n" * 20_000),
    "a header without name": get(b"/", b": x\r\n"),
    "a header with a space": get(b"/", b"Content-Length : 5\r\n"),
    "zero in a header": get(b"/", b"X: a\x00b\r\n"),
    "a long address": get(b"/" + b"a" * 60_000),
    "a long query": get(b"/?title=" + b"x" * 5000),
    "the address of another site": get(b"http://evil.example/", b"Host: evil.example\r\n"),
    "CONNECT": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + END,
    "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + END,
    "a method of lower case": b"post /api/judgement HTTP/1.1\r\n" + HOST + JSON + END,
    "an endless method": b"G" * 70_000,
}
SMUGGLED = {
    "length and chunks": bare(b"POST", HOST + JSON + b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\nGET /x"),
    "two lengths": bare(b"POST", HOST + JSON + b"Content-Length: 3\r\n"),
    "a list of lengths": b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: 5, 6\r\n\r\n",
    "a negative length": b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: -1\r\n\r\n",
    "a length with a sign": b"POST /api/judgement HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: +5\r\n\r\n",
    "a length in hexadecimal": b"POST /api/judgement HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Content-Length: 0x5\r\n\r\n",
    "another coding": bare(b"POST", HOST + JSON + b"Transfer-Encoding: gzip\r\n"),
    "chunked twice": bare(b"POST", HOST + JSON + b"Transfer-Encoding: chunked, chunked\r\n"),
    "chunked with a tab": bare(b"POST", HOST + JSON + b"Transfer-Encoding:\tchunked\r\n", b"0\r\n\r\n"),
    "chunked with a space": bare(b"POST", HOST + JSON + b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
    "a body with GET": bare(b"GET", HOST + b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"/"),
    "a huge chunk": chunked()[: -0 or None] + b"ffffffffffffffff\r\nx",
    "a chunk that is no number": chunked() + b"zz\r\nx\r\n0\r\n\r\n",
    "a chunk with a long extension": chunked() + b"1;" + b"x" * 70_000,
    "compressed": bare(b"POST", HOST + JSON + b"Content-Encoding: gzip\r\n", b"\x1f\x8b" + b"\x00" * 50),
}
LARGE = {
    "a large body": post("/api/judgement", b" " * 70_000 + JUDGED),
    "a body said to be large": b"POST /api/judgement HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Content-Length: 999999999\r\n\r\n{",
    "a length of many digits": b"POST /api/judgement HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Content-Length: "
    + b"9" * 500
    + END * 2,
    "large in parts": chunked(*[b" " * 4096] * 20, JUDGED, b""),
    "a long text": post("/api/judgement", judged(line="7g7f " * 10_000)),
    "a long position": post("/api/judgement", json.dumps({"sfen": "9/" * 20_000}).encode()),
    "a long list": post("/api/mending", judged(keep=["5e"] * 5000)),
    "deep lists": post("/api/judgement", b'{"sfen":' + b"[" * 60_000),
    "deep objects": post("/api/judgement", b'{"a":' * 10_000),
    "a number of many digits": post("/api/judgement", judged(moves=0)[:-2] + b"9" * 60_000 + b"}"),
    "many fields": post("/api/judgement", json.dumps({str(n): 1 for n in range(5000)}).encode()),
    "a long title": post("/api/problems", judged(title="x" * 201)),
    "a long comment": post("/api/problems", judged(comment="x" * 10_001)),
}
OTHER_SITES = {
    "another Host": bare(b"POST", b"Host: evil.example\r\n" + JSON),
    "a Host that begins alike": bare(b"POST", b"Host: 127.0.0.1.evil.example\r\n" + JSON),
    "a Host with a user": bare(b"POST", b"Host: 127.0.0.1@evil.example\r\n" + JSON),
    "an empty Host": bare(b"POST", b"Host:\r\n" + JSON),
    "a forwarded Host": bare(b"POST", b"Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\n" + JSON),
    "another Origin": bare(b"POST", HOST + JSON + b"Origin: http://evil.example\r\n"),
    "no Origin of a sandbox": bare(b"POST", HOST + JSON + b"Origin: null\r\n"),
    "an Origin at another port": bare(b"POST", HOST + JSON + b"Origin: http://127.0.0.1:9\r\n"),
    "two Origins": bare(
        b"POST", HOST + JSON + b"Origin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n"
    ),
    "an Origin that is none": bare(b"POST", HOST + JSON + b"Origin: http://[\r\n"),
    "a fetch from another site": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\n"),
    "a fetch from another port": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: same-site\r\n"),
    "a typed address": bare(b"POST", HOST + JSON + b"Sec-Fetch-Site: none\r\n"),
    "a navigation from another site": bare(
        b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
    ),
    "a question before (CORS)": bare(
        b"OPTIONS", HOST + b"Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n", b""
    ),
    "signing out from another site": bare(
        b"DELETE", HOST + b"Origin: http://evil.example\r\n", b"", b"/api/session"
    ),
    "a result from another site": bare(
        b"POST", HOST + JSON + b"Sec-Fetch-Site: cross-site\r\n", b"{}", b"/api/results"
    ),
    "a person by a form": bare(
        b"POST", HOST + b"Content-Type: application/x-www-form-urlencoded\r\n", b"name=x", b"/api/persons"
    ),
    "a form": bare(b"POST", HOST + b"Content-Type: application/x-www-form-urlencoded\r\n", b"sfen=x"),
    "a form with files": bare(b"POST", HOST + b"Content-Type: multipart/form-data; boundary=x\r\n"),
    "JSON as a text": bare(b"POST", HOST + b"Content-Type: text/plain\r\n"),
    "JSON of no type": bare(b"POST", HOST),
    "JSON of two types": bare(b"POST", HOST + b"Content-Type: text/plain\r\n" + JSON),
    "JSON of a type that begins alike": bare(b"POST", HOST + b"Content-Type: application/jsonx\r\n"),
    "JSON behind a comma": bare(b"POST", HOST + b"Content-Type: text/plain, application/json\r\n"),
    "a save as a text": bare(b"POST", HOST + b"Content-Type: text/plain\r\n", JUDGED, b"/api/problems"),
    "a save by a form": bare(
        b"POST", HOST + b"Content-Type: text/plain\r\n", b'{"sfen":"=', b"/api/problems"
    ),
}
METHODS = {
    "PUT": bare(b"PUT", HOST + JSON),
    "DELETE of persons": bare(b"DELETE", HOST + JSON, b"", b"/api/persons"),
    "DELETE of results": bare(b"DELETE", HOST + JSON, b"", b"/api/results"),
    "GET of results": get(b"/api/results"),
    "GET of a session": get(b"/api/session"),
    "PUT of a person": bare(b"PUT", HOST + JSON, b"{}", b"/api/me"),
    "DELETE": bare(b"DELETE", HOST + JSON, b"", b"/api/problems/1/tree"),
    "PATCH": bare(b"PATCH", HOST + JSON, JUDGED, b"/api/problems"),
    "a method of its own": bare(b"SAVE", HOST + JSON, JUDGED, b"/api/problems"),
    "GET of what is posted": get(b"/api/judgement?sfen=x"),
    "GET that says POST": get(b"/api/problems", b"X-HTTP-Method-Override: POST\r\n"),
    "POST that says PUT": bare(b"POST", HOST + JSON + b"X-HTTP-Method: PUT\r\n", JUDGED, b"/api/record"),
    "a method in the query": get(b"/api/problems?_method=POST&sfen=x"),
    "POST to a page": bare(b"POST", HOST + JSON, JUDGED, b"/problems/1"),
    "POST to the start": bare(b"POST", HOST + JSON, JUDGED, b"/"),
    "POST to a file": bare(b"POST", HOST + JSON, JUDGED, b"/static/board.js"),
    "POST to nothing": bare(b"POST", HOST + JSON, JUDGED, b"/api/nothing"),
    "POST beside the API": bare(b"POST", HOST + JSON, JUDGED, b"//api/problems"),
    "POST past the API": bare(b"POST", HOST + JSON, JUDGED, b"/api/../problems/1"),
}
GOOD: dict[str, dict[str, object]] = {
    "/api/persons": {"name": "太郎", "passphrase": "correct horse"},
    "/api/session": {"name": "太郎", "passphrase": "correct horse"},
    "/api/results": {
        "problem": 1, "mode": "free", "solved": True, "moves": 3, "mistakes": 0, "hints": 0, "seconds": 9
    },
    "/api/runs": {"mode": "timed", "solved": 1, "seconds": 9},
}  # fmt: skip
"""The other fields of a body; those of a judgement where none are given."""
VALUES = {
    f"{path} {name}: {value!r}"[:60]: post(
        path, json.dumps({**GOOD.get(path, {"sfen": CORRECT}), name: value}).encode()
    )
    for path, name, values in (
        ("/api/judgement", "sfen", [None, 1, True, [], {}, "", " ", "\n", "x" * 301, CORRECT + "\0", "１"]),
        ("/api/judgement", "line", [None, 1, [], ["3d2c"], "x", "3d2c,1b1a", "0a0b", "3d2c\n.", "٣d2c"]),
        ("/api/judgement", "moves", [None, "3", 0, -1, 1000, 1.5, 1e300, True, [3], 2**62]),
        ("/api/judgement", "position", ["x"]),
        ("/api/judgement", "__proto__", [{}]),
        ("/api/mending", "keep", [None, "5e", [5], ["5"], ["0a"], ["5e", "5e"], [["5e"]], {}]),
        ("/api/mending", "count", [0, 21, "1", False]),
        ("/api/enriching", "plies", [1, 3, 10]),
        ("/api/problems", "title", [1, "a\nb", "\u202e", "\u0000", "\ud800", ["x"]]),
        ("/api/problems", "author", ["\x1b[31m", {}]),
        ("/api/problems", "id", [1]),
        ("/api/persons", "name", [None, 1, [], {}, "", " ", "a\nb", "\u202e", "\u0000", "\ud800", "x" * 41]),
        ("/api/persons", "passphrase", [None, 1, ["x"], "", "7 lette", "x" * 201]),
        ("/api/persons", "id", [1]),
        ("/api/session", "name", [None, 1, True, ["太郎"], {}, "x" * 41]),
        ("/api/session", "token", ["x"]),
        ("/api/results", "problem", [None, "1", 0, -1, 1.5, True, [1], {}, 2**31, 2**62]),
        ("/api/results", "mode", [None, 1, "", "TRAINING", "x", ["day"]]),
        ("/api/results", "solved", [None, 0, 1, "true", []]),
        ("/api/results", "seconds", [None, "9", -1, 86401, 0.5, 1e300, True]),
        ("/api/results", "day", [None, 1, "", "x", "2026-02-30", "0000-01-01", "٢٠٢٦-٠١-٠١"]),
        ("/api/results", "person", [2]),
        ("/api/results", "rating", [3000]),
        ("/api/runs", "mode", [None, "training", "day"]),
        ("/api/runs", "solved", [None, -1, 10_000, "5"]),
    )
    for value in values
}
WISHES = {
    f"wish {number}": post("/api/generating", json.dumps(wish).encode())
    for number, wish in enumerate(
        [
            {}, {"moves": 3}, {"moves": 2, "count": 1}, {"moves": 17, "count": 1}, {"moves": 3, "count": 51},
            {"moves": 3, "count": 0}, {"moves": 3, "count": 1, "themes": ["x"]}, {"count": 1},
            {"moves": 3, "count": 1, "themes": "smothered"}, {"moves": 3, "count": 1, "stars": 6},
            {"moves": 3, "count": 1, "seed": -1}, {"moves": 3, "count": 1, "seed": 2**32},
            {"moves": 3, "count": 1, "pieces": 2}, {"moves": 3, "count": 1, "natural": 1},
            {"moves": 3, "count": 1, "db": "/etc/passwd"}, {"moves": "3", "count": 1}, [3, 1], 3, None, "x",
        ]
    )
}  # fmt: skip
POSITIONS = {f"position {sfen[:30]}": post("/api/judgement", json.dumps({"sfen": sfen}).encode())
             for sfen in UNREADABLE}  # fmt: skip
TEXTS = {
    name: post("/api/judgement", text)
    for name, text in {
        "no text": b"", "half a text": b'{"sfen":"', "NaN": b'{"moves":NaN}', "Infinity": b'{"moves":1e999}',
        "a field twice": b'{"sfen":"x","sfen":"y"}', "half a character": b'{"sfen":"\\ud800"}',
        "UTF-16": '{"sfen":1}'.encode("utf-16"), "no UTF-8": b'{"sfen":"\xff"}', "XML": b"<!DOCTYPE x>",
        "a comment": b"{/**/}", "single quotes": b"{'sfen':1}", "a comma": b'{"sfen":"x",}',
        "two objects": b"{}{}", "a mark before": b"\xef\xbb\xbf{}",
    }.items()
}  # fmt: skip
PATHS = {
    path: get(path.encode())
    for path in (
        "//etc/passwd", "/static/../../../../etc/passwd", "/static/..%2f..%2fetc/passwd", "/static/%00",
        "/static/.", "/problems/%f0%9f", "/problems/1%00", "/problems/1;x", "/?moves=%ff&theme=%00", "/api/",
        "/api/record", "/api/record?sfen=%00", "/api/record?sfen=x&sfen=y", "/api/record?format=../../x",
        "/api/diagram.svg?sfen=<script>", "/api/problems/0/tree", "/api/problems/-1/tree", "*",
        "/api/problems/99999999999999999999/tree", "/api/openapi.json/../../x", "/%2e%2e/%2e%2e/etc/passwd",
        "/api/problems/1/tree?moves=x", "/api/problems/1/tree?moves=9a9b", "/api/problems/1/tree?moves=%00",
        "/api/problems/1/tree?moves=3d2c,9i9h", "/api/problems/1/tree?moves=" + "3d2c,1b1a," * 100,
        "/api/problems/1/tree?moves=" + "3d2c," * 1000, "/api/problems/1/tree?moves=3d2c&moves=3d2c",
        "/api/problems/1/tree?whole=yes", "/api/problems/1/tree?turn=1", "/api/problems/99/tree?moves=3d2c",
        "/templates/base.html", "/static/../templates/base.html", "/.git/config", "/api/judgement/",
    )
}  # fmt: skip
HOSTILE = {
    **BYTES, **SMUGGLED, **LARGE, **OTHER_SITES, **METHODS, **VALUES, **WISHES, **POSITIONS, **TEXTS, **PATHS
}  # fmt: skip


def test_there_are_many() -> None:
    assert len(HOSTILE) > 150


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_refused_and_the_server_serves(server: Served, name: str) -> None:
    said = server.answer(HOSTILE[name], patience=0.5, lull=0.5 if name in SMUGGLED else 0.1)
    assert said == b"" or said.startswith((b"HTTP/1.1 4", b"HTTP/1.1 307 ")), said[:300]
    assert said.count(b"HTTP/1.1 ") <= 1 or b"HTTP/1.1 2" not in said
    for secret in (b"root:", b"Traceback", b'File "', b"site-packages", b"access-control-allow"):
        assert secret not in said.lower() if secret.islower() else secret not in said
    assert server.serves()


@pytest.mark.parametrize("name", [*VALUES, *WISHES, *POSITIONS, *TEXTS])
def test_what_is_wrong_is_told_in_one_line(server: Served, name: str) -> None:
    head, _, body = server.answer(HOSTILE[name]).partition(b"\r\n\r\n")
    assert head.split(b" ", 2)[1] == b"400"
    error = json.loads(body)["error"]
    assert error
    assert error.isprintable()
    assert len(error) < 700


def test_the_store_is_as_it_was(server: Served, served: Path) -> None:
    assert b"/problems/4" not in server.answer(get(b"/", b"Connection: close\r\n"))
    assert served.exists()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (b"", b"200"),
        (b"Sec-Fetch-Site: same-origin\r\n", b"200"),
        (b"Origin: http://127.0.0.1\r\n", b"200"),
        (b"X-Forwarded-For: 127.0.0.1\r\n", b"403"),  # a server in front of this one asks for somebody
        (b"X-Forwarded-For: 10.0.0.1\r\n", b"403"),
        (b"Forwarded: for=127.0.0.1\r\n", b"403"),
        (b"X-Real-IP: 127.0.0.1\r\n", b"403"),
    ],
)
def test_who_may_ask(server: Served, headers: bytes, status: bytes) -> None:
    assert server.posted("/api/judgement", JUDGED, headers=headers)[9:12] == status


def test_a_body_in_parts(server: Served) -> None:
    said = server.answer(chunked(JUDGED[:10], JUDGED[10:], b"", headers=b"Connection: close\r\n"))
    assert said.startswith(b"HTTP/1.1 200 ")


def test_another_protocol_is_not_spoken(server: Served) -> None:
    asked = get(b"/", b"Upgrade: websocket\r\nConnection: Upgrade, close\r\n")
    assert server.answer(asked).startswith(b"HTTP/1.1 200 ")  # it is a GET
