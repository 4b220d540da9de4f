"""The reply tree of a problem as a script."""

from __future__ import annotations

import json
from typing import Any


def tree_script(fields: dict[str, Any]) -> str:
    """A call of ``TsumeTree`` with the tree: the fields of docs/board.md that the player reads."""
    return f"TsumeTree({json.dumps(fields, ensure_ascii=False, separators=(',', ':'))});\n"
