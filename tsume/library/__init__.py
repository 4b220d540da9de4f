# SPDX-License-Identifier: GPL-3.0-or-later
"""What other programs call, with plain data in and out: questions, changes, new problems, pictures.

docs/library.md has an example. Positions are SFENs, moves USI, both in the orientation in which the
position is given; boards and moves of python-shogi and cshogi, and answers, are taken too. Answers are
frozen dataclasses of texts, numbers, truth values, tuples and None, which `dataclasses.asdict` and `json`
take; their fields are those of ``tsume COMMAND --jsonl``. Notebooks show them with diagrams. An SFEN that
cannot be read, a position that is no legal start (`check`, `explain`, `mend` and `enrich` judge it), and any
other argument that cannot be, is a `ValueError` with one line; what is no position at all is a `TypeError`.
Limits: ``seconds`` of time, ``nodes`` of search, ``memory`` in MB for the engine; the defaults are those of the
commands. What a limit left open is said in the answer. The first call compiles, or loads compiled code. Each
thread has an engine of its own. Nothing is printed.
"""

from tsume.library.answers import (
    Answer,
    CertifiedProblem,
    Check,
    ComposedProblem,
    EnrichedProblem,
    Explanation,
    Game,
    GameMate,
    Judgement,
    MendedPosition,
    Repair,
    Score,
    Solution,
    Suggestion,
    Tree,
    Turn,
)
from tsume.library.calls import certify, check, enrich, explain, games, generate, mend, score, solve, tree, verify
from tsume.library.drawing import Gallery, Png, Svg, draw, gallery, read, record

__all__ = [
    "Answer", "CertifiedProblem", "Check", "ComposedProblem", "EnrichedProblem", "Explanation", "Gallery",
    "Game", "GameMate", "Judgement", "MendedPosition", "Png", "Repair", "Score", "Solution", "Suggestion", "Svg",
    "Tree", "Turn", "certify", "check", "draw", "enrich", "explain", "gallery", "games", "generate", "mend", "read",
    "record", "score", "solve", "tree", "verify",
]  # fmt: skip
