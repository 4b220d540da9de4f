# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API: it agrees with the routes, and what is answered with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

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


def test_the_document_is_served(api: TestClient) -> None:
    assert api.get("/api/openapi.json").json() == json.loads(json.dumps(openapi_description()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_may_be_asked(api: TestClient, language: str) -> None:
    page = api.get(f"/api?lang={language}").text
    for one in OPERATIONS:
        assert f"{one.method.upper()} {one.path}" in page
        for form in (one.body, one.query):
            assert all(f"<code>{name}</code>" in page for name in (form.fields if form else ()))


def test_every_request_refuses_fields_that_it_does_not_have() -> None:
    for path in openapi_description()["paths"].values():
        for operation in path.values():
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                assert schema["additionalProperties"] is False


# --- answers against their schemas --------------------------------------------------------


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    jsonschema_rs = pytest.importorskip("jsonschema_rs", reason="schemathesis is not installed")
    document = {**schema, "components": openapi_description()["components"]}
    validator = jsonschema_rs.Draft202012Validator(document)
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(value)]


def answered(path: str, method: str = "post") -> dict[str, Any]:
    """What a good answer of an operation has."""
    good = openapi_description()["paths"][path][method]["responses"]["200"]
    content: dict[str, Any] = next(iter(good["content"].values()))
    return content


@pytest.mark.parametrize("sfen", [CORRECT, CORRECT_WHITE, COOKED, LOOSE, NO_MATE, IN_CHECK, LEFTOVER])
def test_judgements(api: TestClient, sfen: str) -> None:
    got = api.post("/api/judgement", json={"sfen": sfen, "moves": 5, "line": "3d2c 1b1a 2c2b"})
    assert faults(answered("/api/judgement")["schema"], got.json()) == []


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


def test_trees(api: TestClient) -> None:
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
