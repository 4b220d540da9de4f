"""The reply tree of a problem as a script, in the site's languages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from solver.explaining.reply_tree import ReplyTree
from tsume.language.catalogue import Language
from tsume.web.play_tree import play_fields
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen


def tree_script(tree: ReplyTree, position: Position, languages: Sequence[Language]) -> str:
    """A call of ``TsumeTree`` with the tree: the fields of docs/board.md that the player reads."""
    fields = play_fields(tree, ParsedSfen(position), languages)
    return f"TsumeTree({json.dumps(fields, ensure_ascii=False, separators=(',', ':'))});\n"
