# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions of a module in Node.js, translated."""

from __future__ import annotations

import json
from typing import Any

from browser.files import runtime_source
from browser.translation import Program
from browser.translation.modules import Global
from tests.javascript.node import run_node


def translated_results(module: str, names: tuple[str, ...]) -> dict[str, Any]:
    """What the functions of a module return in JavaScript, by name."""
    entries = [Global(module, name) for name in names]
    program = Program(entries)
    calls = ", ".join(f"{one.name}: $plain({program.js_name(one)}())" for one in entries)
    script = f"{runtime_source()}\n{program.script()}\nconsole.log(JSON.stringify({{{calls}}}));"
    done = run_node("-", text=script)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = parsed(done.stdout)
    return found


def parsed(text: str) -> Any:
    """JSON of which integers beyond 2 ** 53 are floats, as JavaScript writes and reads them."""
    return json.loads(text, parse_int=_number)


def _number(text: str) -> float:
    return int(text) if abs(int(text)) < 2**53 else float(text)
