# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API, answers against their schemas, and what counts as JSON"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsume.web.api.parsing import read_object
from tsume.web.work.forms import InvalidRequest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.applications import Starlette
from starlette.routing import Route

from tests.tsume.problems import COOKED, CORRECT, CORRECT_WHITE, LOOSE, NO_MATE
from tsume.language.catalogue import LANGUAGES
from tsume.web.api.openapi import OPERATIONS, openapi_description

if TYPE_CHECKING:
    from starlette.testclient import TestClient


IN_CHECK = "4k4/4R4/9/9/9/9/9/9/9 b - 1"
LEFTOVER = "9/8k/6+S2/6G2/9/9/9/9/9 b P2r2b3g3s4n4l17p 1"


def test_every_route_is_described(api: TestClient) -> None:
    assert isinstance(api.app, Starlette)
    routes = {
        (route.path.replace(":int", ""), method.lower())
        for route in api.app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert routes == {(one.path, one.method) for one in OPERATIONS}
    for path in openapi_description()["paths"].values():
        for operation in path.values():
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                assert schema["additionalProperties"] is False
    assert api.get("/api/openapi.json").json() == json.loads(json.dumps(openapi_description()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_may_be_asked(api: TestClient, language: str) -> None:
    page = api.get(f"/api?lang={language}").text
    for one in OPERATIONS:
        assert f"{one.method.upper()} {one.path}" in page
        for form in (one.body, one.query):
            assert all(f"<code>{name}</code>" in page for name in (form.fields if form else ()))


# --- answers against their schemas --------------------------------------------------------


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    jsonschema_rs = pytest.importorskip("jsonschema_rs", reason="schemathesis is not installed")
    document = {**schema, "components": openapi_description()["components"]}
    validator = jsonschema_rs.Draft202012Validator(document)
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(value)]


def answered(path: str, method: str = "post") -> dict[str, Any]:
    """What a good answer of an operation has."""
    good = openapi_description()["paths"][path][method]["responses"]["200"]
    return dict(next(iter(good["content"].values())))


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("mending", {"sfen": COOKED, "count": 3}),
        ("mending", {"sfen": CORRECT_WHITE, "moves": 5, "edits": 1}),
        ("enriching", {"sfen": CORRECT, "count": 2, "edits": 1}),
        ("enriching", {"sfen": CORRECT_WHITE, "count": 1, "edits": 1}),
        ("generating", {"moves": 1, "count": 2, "natural": False}),
        ("generating", {"moves": 3, "count": 1, "seed": 5}),
    ],
)
def test_lines(api: TestClient, path: str, fields: dict[str, Any]) -> None:
    schema = answered(f"/api/{path}")["x-line-schema"]
    got = api.post(f"/api/{path}", json=fields)
    lines = [json.loads(line) for line in got.text.splitlines()]
    assert len(lines) > 2
    for line in lines:
        assert faults(schema, line) == []


def test_judgements_and_trees(api: TestClient) -> None:
    for sfen in (CORRECT, CORRECT_WHITE, COOKED, LOOSE, NO_MATE, IN_CHECK, LEFTOVER):
        got = api.post("/api/judgement", json={"sfen": sfen, "moves": 5, "line": "3d2c 1b1a 2c2b"})
        assert faults(answered("/api/judgement")["schema"], got.json()) == [], sfen
    for number in (1, 2, 3):
        got = api.get(f"/api/problems/{number}/tree")
        assert faults(answered("/api/problems/{id}/tree", "get")["schema"], got.json()) == []


def test_errors(api: TestClient) -> None:
    schema = {"$ref": "#/components/schemas/Error"}
    for got in (
        api.post("/api/judgement", json={}),
        api.post("/api/judgement", content=b"{}"),
        api.post("/api/nothing", json={}),
        api.get("/api/judgement"),
        api.get("/api/record"),
        api.get("/api/problems/99/tree"),
        api.get("/api/record", headers={"host": "evil.example"}),
        api.get("/api/record?line=" + "x" * 3000),
    ):
        assert got.status_code >= 400
        assert faults(schema, got.json()) == []


NUMBERS = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15, allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "not JSON"), (b"{", "not JSON"), (b"{}x", "not JSON"), (b"\xef\xbb\xbf{}", "not JSON"),
        (b"'", "not JSON"), (b"\xff", "not UTF-8"), (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8"), (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"), (b'"sfen"', "not a JSON object"), (b"1", "not a JSON object"),
        (b'{"a":NaN}', "NaN is not a number"), (b'{"a":-Infinity}', "-Infinity is not a number"),
        (b'{"a":1e999}', "'1e999' is too large"), (b'{"a":1' + b"0" * 5000 + b"}", "a number of 5001 digits"),
        (b'{"a":1,"a":1}', "'a' is given twice"), (b'{"b":{"a":1,"a":2}}', "'a' is given twice"),
        (b'{"a":"\\ud800"}', "half of a surrogate pair"), (b'{"\\udfff":1}', "half of a surrogate pair"),
        (b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "nested too deep"),
        (b'{"a":' * 20 + b"1" + b"}" * 20, "nested too deep"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_what_is_refused(text: bytes, fault: str) -> None:
    with pytest.raises(InvalidRequest, match=fault) as refused:
        read_object(text)
    assert "\n" not in str(refused.value)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_what_can_be_read_is_read_as_python_reads_it(value: dict[str, Any]) -> None:
    assert read_object(json.dumps(value).encode()) == value
    assert read_object(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    try:
        assert isinstance(read_object(data), dict)
    except InvalidRequest as fault:
        assert str(fault).isprintable()  # noqa: PT017
