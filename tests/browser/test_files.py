# SPDX-License-Identifier: GPL-3.0-or-later
"""The files as texts."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pkgutil import resolve_name

import pytest

from browser.files import ABSENT, COMPUTED, REPLACED, WorkerParts, browser_files, worker_script
from tests.browser.program import MODULE, fake_parts
from tsume import __version__
from tsume.web.solver_scripts import API, WORKER


def worker_fields(script: str) -> dict[str, str]:
    """The fields of ``TsumeWorker``."""
    found = re.search(r"const program = \{ version: (.*), source: (.*), module: (.*) \};\n", script)
    assert found
    names = ("version", "source", "module")
    return {name: json.loads(text) for name, text in zip(names, found.groups(), strict=True)}


@pytest.mark.parametrize("name", [*ABSENT, *REPLACED, *COMPUTED])
def test_what_is_left_out_or_replaced_exists(name: str) -> None:
    assert resolve_name(name)


def test_the_worker_has_program_and_module() -> None:
    script = worker_script(["function start() {}", "function answer() {}"], MODULE, {"table": 8}, "1.0")
    fields = worker_fields(script)
    assert fields["version"] == "1.0"
    assert gzip.decompress(base64.b64decode(fields["module"])) == MODULE
    assert 'const TSUME_MANIFEST = {"table": 8};' in fields["source"]
    assert "function start() {}\nfunction answer() {}\nreturn { start, answer, events, network };" in fields["source"]


def test_the_worker_may_have_any_text() -> None:
    source = "const text = '無駄合 {} </script>';"
    script = worker_script([source], MODULE, {}, "1.0")
    assert source in worker_fields(script)["source"]
    assert script.isascii()
    assert "</" not in script


def test_both_files_have_one_version() -> None:
    files = {name: content.decode() for name, content in browser_files(fake_parts()).items()}
    version = worker_fields(files[WORKER])["version"]
    assert version.startswith(f"{__version__}+")
    assert f'const VERSION = "{version}";' in files[API]
    assert "@VERSION@" not in files[API]


def test_the_same_parts_give_the_same_files_and_others_another_version() -> None:
    parts = fake_parts()
    assert browser_files(parts) == browser_files(fake_parts())
    other = browser_files(WorkerParts(parts.scripts, parts.module + b"\0\1\0", parts.manifest))
    assert other[API] != browser_files(parts)[API]
