"""What other programs call: `solve`, `check`, `tree`, `generate`, with plain data in and out.

docs/library.md has an example. Positions are SFENs, moves USI, both in the orientation in which the position
is given. Answers are frozen dataclasses of texts, numbers, truth values, tuples and None, which
`dataclasses.asdict` and `json` take; their fields are those of ``tsume COMMAND --jsonl``. An SFEN that cannot
be read, and a position that is no legal start, is a `ValueError` with one line (`check` judges the latter).
Limits: ``seconds`` of time, ``nodes`` of search, ``memory`` in MB for the engine; the defaults are those of
the commands. What a limit left open is said in the answer. The first call compiles, or loads compiled code.
Each thread has an engine of its own.
"""

from tsume.library.answers import Answer, Check, Composed, Judged, Solution, Tree, Turn
from tsume.library.composing import generate
from tsume.library.positions import check, solve, tree

__all__ = [
    "Answer", "Check", "Composed", "Judged", "Solution", "Tree", "Turn", "check", "generate", "solve", "tree",
]  # fmt: skip
