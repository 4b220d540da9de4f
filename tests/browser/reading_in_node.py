# SPDX-License-Identifier: GPL-3.0-or-later
"""What the translated program reads and writes of texts, in Node.js, without the kernels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from browser.files import ABSENT, COMPUTED, REPLACED, runtime_source
from browser.translation import Program
from browser.translation.modules import Global
from tests.javascript.node import run_node
from tsume.web.work import in_browser


def answered(kind: str, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers to questions of a kind, by its function; a refusal is the field ``refused``."""
    function = Global(in_browser.__name__, f"{kind}_answer")
    program = Program([function], ABSENT, REPLACED, COMPUTED)
    script = f"""{runtime_source()}
{program.script()}
const answer = (fields) => {{
  try {{
    return $plain({program.js_name(function)}($from_plain(fields)));
  }} catch (error) {{
    if (!(error instanceof $ValueError)) throw error;
    return {{ refused: error.message }};
  }}
}};
console.log(JSON.stringify({json.dumps(list(questions))}.map(answer)));
"""
    done = run_node("-", text=script)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
