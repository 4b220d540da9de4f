# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts with data about the problems of a site: their trees, the problem of the day, training."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume.language.catalogue import Language
from tsume.language.voice import theme_name
from tsume.site.pages import easiest_first
from tsume.training.choosing import day_rotation
from tsume.training.ratings import initial_rating
from tsume.uses.trees import SITE, ReplyTreeBuilder
from tsume.web.rendered_tree import play_fields
from tsume.web.templates import answer_fields
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

_LONGEST_WITH_TREE, _MOST_TREE_BYTES = 15, 6000
"""Plies of a problem whose tree is made, and the size of the tree, which pages load before the solver."""
_TREE_CHECK = ("move", "result", "rank", "text", "answer", "answers", "answer_text", "why", "proof_text")
"""The fields of a check that the player uses (docs/board.md)."""
_MOST_TRAINED = 5000
"""Problems for training; all of them are in one script, 150 bytes each."""


def site_tree_builder() -> ReplyTreeBuilder:
    """Return the builder of a site's trees."""
    return ReplyTreeBuilder(SITE)


def problem_tree(builder: ReplyTreeBuilder, problem: StoredProblem) -> ReplyTree | None:
    """Return the tree with which a problem is played; None if it is long or takes too many nodes."""
    if problem.length > _LONGEST_WITH_TREE:
        return None
    tree = builder.first_tree(problem.position, problem.length)
    return tree if tree.length == problem.length else None


def tree_script(problem: StoredProblem, tree: ReplyTree | None, language: Language) -> str:
    """Return ``TSUME_TREES`` with a problem's tree by its SFEN, and ``TSUME_LINES`` with its line as text.

    The tree is null if there is none, or none so small.

    A tree that is too large loses the turns that its best line does not pass through, the last ones first;
    then what is known of the checks beside this line. The solver is asked for what is missing.
    """
    sfen = json.dumps(format_sfen(problem.position))
    fields = None if tree is None else _fitting(_short_fields(tree, problem.position, language))
    line = _compact(answer_fields(problem, None, language)["line"])
    return (
        f"(window.TSUME_TREES ||= {{}})[{sfen}] = {_compact(fields)};\n"
        f"(window.TSUME_LINES ||= {{}})[{sfen}] = {line};\n"
    )


def _short_fields(tree: ReplyTree, position: Position, language: Language) -> dict[str, Any]:
    """The fields that the player uses, in one language but for the texts of checks, which can be typed."""
    fields = play_fields(tree, ParsedSfen(position))
    turns = [
        {"key": turn["key"], "checks": [_short_check(one, language) for one in turn["checks"]]}
        for turn in fields["turns"]
    ]
    return {"result": fields["result"], "turns": turns}


def _short_check(check: dict[str, Any], language: Language) -> dict[str, Any]:
    short = {name: check[name] for name in _TREE_CHECK if name in check}
    for name in ("answer_text", "why", "proof_text"):
        if name in short:
            short[name] = {language: short[name][language]}
    for answer in short.get("answers", ()):
        answer["text"] = {language: answer["text"][language]}
    return short


def _fitting(fields: dict[str, Any]) -> dict[str, Any] | None:
    turns = fields["turns"]
    line = _line_turns(turns)
    if line is None:
        return None
    while len(turns) > len(line) and _size(fields) > _MOST_TREE_BYTES:
        turns.pop()
        for answer in _answers(turns):
            if answer.get("turn") == len(turns):
                del answer["turn"]
    for number in reversed(line):
        if _size(fields) <= _MOST_TREE_BYTES:
            return fields
        turn = turns[number]
        turn["checks"] = [_opened(one, one["move"] == turn["key"]) for one in turn["checks"]]
    return fields if _size(fields) <= _MOST_TREE_BYTES else None


def _line_turns(turns: list[dict[str, Any]]) -> list[int] | None:
    """Return the turns of the best line, which are the first; None if they are not all there."""
    line = [0]
    while True:
        turn = turns[line[-1]]
        key = next((one for one in turn["checks"] if one["move"] == turn["key"]), None)
        best = None if key is None else next((one for one in key["answers"] if one.get("best")), None)
        if key is None or (best is not None and best.get("turn") != len(line)):
            return None
        if best is None:
            return line
        line.append(best["turn"])


def _answers(turns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for turn in turns:
        for check in turn["checks"]:
            yield from check.get("answers", ())


def _opened(check: dict[str, Any], is_key: bool) -> dict[str, Any]:
    return check if is_key else {"move": check["move"], "text": check["text"], "result": "open"}


def _size(fields: dict[str, Any]) -> int:
    return len(_compact(fields).encode())


def days_script(problems: Sequence[StoredProblem]) -> str:
    """``TSUME_DAYS``: number, moves and stars of problems, in random order."""
    rotation = day_rotation(problems, lambda one: one.canonical)
    days = [(problem.id, problem.length, problem.difficulty.stars) for problem in rotation]
    return _assignment("TSUME_DAYS", days)


def problems_script(problems: Sequence[StoredProblem], languages: Sequence[Language]) -> str:
    """``TSUME_PROBLEMS``: what training knows of problems; ``TSUME_THEMES``: the names of themes."""
    ranks = {one.id: rank for rank, one in enumerate(easiest_first(problems))}
    rows = [(*_row(one), ranks[one.id]) for one in _spread(problems)]
    tags = sorted({tag for one in problems for tag in one.themes})
    names = {tag: {language: theme_name(language, tag) for language in languages} for tag in tags}
    return _assignment("TSUME_PROBLEMS", rows) + _assignment("TSUME_THEMES", names)


def _row(problem: StoredProblem) -> tuple[Any, ...]:
    difficulty = problem.difficulty
    rating = round(initial_rating(difficulty.score).rating)
    title = printable_note(problem.notebook.title)
    sfen = format_sfen(problem.position)
    return problem.id, sfen, problem.length, difficulty.stars, rating, title, problem.themes


def _assignment(name: str, value: Any) -> str:
    return f"window.{name} = {_compact(value)};\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _spread(problems: Sequence[StoredProblem]) -> Sequence[StoredProblem]:
    """Return at most `_MOST_TRAINED` problems, spread evenly over all."""
    step = max(1.0, len(problems) / _MOST_TRAINED)
    return [problems[int(at * step)] for at in range(min(len(problems), _MOST_TRAINED))]
