# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON of `tsume tree` as docs/tree.md describes it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from solver.explaining.reply_tree_builder import MAX_TURNS, PROOF_NODES
from tests import naive
from tests.places import ROOT
from tests.tsume.conftest import Run, answer, replay, rotated
from tests.tsume.problems import (
    COOKED,
    CORRECT,
    CORRECT_LINE,
    CORRECT_WHITE,
    FAULTY,
    HARD,
    ILLEGAL,
    NO_MATE,
    UNREADABLE,
)
from tsume.commands.explain import tree
from tsume.language.catalogue import LANGUAGES, phrase

NoneType = type(None)
FIELDS: dict[str, Any] = {
    "sfen": str, "result": str, "length": int | None, "line": str, "complete": bool, "turns": list,
    "illegal": list, "error": str | None,
}  # fmt: skip
TURN_FIELDS: dict[str, Any] = {
    "id": int, "path": str, "length": int | None, "key": str | None, "checks": list, "forbidden": str,
}  # fmt: skip
CHECK_FIELDS: dict[str, dict[str, Any]] = {
    "mates": {"move": str, "result": str, "length": int, "rank": str, "answers": list},
    "fails": {
        "move": str, "result": str, "answer": str, "proof": str, "within": int, "manner": str, "piece": str,
        "taken": str, "cause": dict,
    },
    "open": {"move": str, "result": str, "mates": bool},
}  # fmt: skip
ANSWER_FIELDS: dict[str, Any] = {"move": str, "length": int, "best": bool, "turn": int, "line": str, "take": str}
OPTIONAL = {"illegal", "cause", "forbidden", "within", "taken", "mates", "best", "turn", "line", "take"}
"""Fields that are left out where they do not apply; all others are always there."""
VALUES = {
    "result": {"mate", "no_mate", "unresolved", "illegal_start", "invalid", "mates", "fails", "open"},
    "rank": {"key", "form", "as_soon", "later"},
    "proof": {"no_check", "any_length", "bounded"},
    "manner": {"takes_checker", "moves_king", "moves_between", "drops_between"},
}
_MOVES = re.compile(r"([1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])( |$)")


def field_names() -> set[str]:
    """Every name of a field, and every value of those with a few values."""
    groups: list[dict[str, Any]] = [FIELDS, TURN_FIELDS, *CHECK_FIELDS.values(), ANSWER_FIELDS]
    return {name for fields in groups for name in fields} | {v for values in VALUES.values() for v in values}


def assert_follows_the_schema(tree: dict[str, Any]) -> None:
    """The types of all fields, and what must hold between them."""
    _assert_fields(tree, FIELDS)
    complete = tree["complete"]
    assert (tree["length"] is not None) == (tree["result"] == "mate")
    assert [turn["id"] for turn in tree["turns"]] == list(range(len(tree["turns"])))
    for turn in tree["turns"]:
        _assert_fields(turn, TURN_FIELDS)
        for check in turn["checks"]:
            _assert_fields(check, CHECK_FIELDS[check["result"]])
            assert (check.get("proof") == "bounded") == ("within" in check)
            complete &= check["result"] != "open"
            for reply in check.get("answers", []):
                _assert_fields(reply, ANSWER_FIELDS)
                assert ("turn" in reply) != ("line" in reply)
                assert "turn" not in reply or tree["turns"][reply["turn"]]["length"] == reply["length"]
                complete &= "turn" in reply or "best" not in reply
            assert sum("best" in reply for reply in check.get("answers", [])) == (check.get("length", 1) > 1)
    assert tree["complete"] == complete


def _assert_fields(found: dict[str, Any], fields: dict[str, Any]) -> None:
    assert fields.keys() - OPTIONAL - {"line"} <= found.keys() <= fields.keys()
    for name, value in found.items():
        assert isinstance(value, fields[name]), (name, value)
        assert name not in VALUES or value in VALUES[name], (name, value)
        if name in ("line", "path", "move", "answer", "take"):
            assert not _MOVES.sub("", value), (name, value)


FIVE = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
DETOUR = "7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1"
TWO_KINGS = "9/8k/6+S2/6G2/9/9/9/3r1G2K/9 b r2b2g3s4n4l18p 1"
PROBLEMS = [CORRECT, CORRECT_WHITE, COOKED, FIVE, FUTILE, PURIST, DETOUR, TWO_KINGS, NO_MATE]
PAGE = ROOT / "docs" / "tree.md"


@pytest.mark.parametrize("white", [False, True])
@pytest.mark.parametrize("sfen", PROBLEMS)
def test_the_json_follows_its_schema_and_every_move_is_legal(sfen: str, white: bool, tsume: Run) -> None:
    given = rotated(sfen) if white else sfen
    found = answer(tsume, "tree", given)
    assert_follows_the_schema(found)
    replay(given, found["line"])
    for turn in found["turns"]:
        replay(given, turn["path"])
        for check in turn["checks"]:
            replay(given, turn["path"], check["move"], check.get("answer", ""))
            for reply in check.get("answers", []):
                replay(given, turn["path"], check["move"], reply["move"], reply.get("line", ""))


@pytest.mark.parametrize("sfen", [CORRECT, FIVE, COOKED, NO_MATE])
def test_the_tree_of_the_rotated_position_is_the_same(sfen: str, tsume: Run) -> None:
    one, other = answer(tsume, "tree", sfen), answer(tsume, "tree", rotated(sfen))
    for turn, twin in zip(one["turns"], other["turns"], strict=True):
        assert turn["length"] == twin["length"]
        assert [c["result"] for c in turn["checks"]] == [c["result"] for c in twin["checks"]]
        assert [c["move"] for c in turn["checks"]] == [_turned(c["move"]) for c in twin["checks"]]


def _turned(usi: str) -> str:
    """A move seen from the other side."""
    squares = str.maketrans("123456789abcdefghi", "987654321ihgfedcba")
    return usi[:2] + usi[2:].translate(squares) if "*" in usi else usi.translate(squares)


def test_the_line_is_the_one_of_solve(tsume: Run) -> None:
    for sfen in PROBLEMS[:-1]:
        solved, found = answer(tsume, "solve", sfen), answer(tsume, "tree", sfen)
        assert found["line"].split() == solved["line"]
        assert (found["length"], found["result"]) == (solved["length"], solved["result"])
    assert answer(tsume, "tree", CORRECT)["line"].split() == CORRECT_LINE


@pytest.mark.parametrize("sfen", [CORRECT, FIVE, DETOUR])
def test_the_best_play_ends_in_mate(sfen: str, tsume: Run) -> None:
    found = answer(tsume, "tree", sfen)
    line, turn = "", found["turns"][0]
    while True:
        (check,) = (c for c in turn["checks"] if c["move"] == turn["key"])
        line += f" {check['move']}"
        best = [reply for reply in check["answers"] if reply.get("best")]
        if not best:
            break
        line += f" {best[0]['move']}"
        turn = found["turns"][best[0]["turn"]]
    assert line.strip() == found["line"]
    assert naive.mated_within(naive.board_of(replay(sfen, line).sfen()), 0)


def test_trees_without_a_mate_or_cut_short_say_so(tsume: Run) -> None:
    found = answer(tsume, "tree", NO_MATE)
    assert (found["result"], found["length"], found["line"]) == ("no_mate", None, "")
    assert found["complete"]
    (turn,) = found["turns"]
    assert {check["result"] for check in turn["checks"]} <= {"fails"}
    done = tsume("tree", NO_MATE, "--lang", "en")
    assert done.stdout.startswith(phrase("en", "tree.no_mate"))
    found = answer(tsume, "tree", FIVE, "--max-turns", "1", status=1)
    assert not found["complete"]
    (best,) = (r for c in found["turns"][0]["checks"] for r in c.get("answers", []) if r.get("best"))
    assert "turn" not in best
    assert len(best["line"].split()) == best["length"]
    assert phrase("en", "tree.incomplete") in tsume("tree", FIVE, "--max-turns=1", "--lang=en").stdout
    found = answer(tsume, "tree", HARD, "--time", "0", status=1)
    assert (found["result"], found["complete"]) == ("unresolved", False)
    assert {check["result"] for turn in found["turns"] for check in turn["checks"]} == {"open"}
    assert_follows_the_schema(found)
    done = tsume("tree", HARD, "--time=0", "--lang=en", status=1)
    assert done.stdout.startswith(phrase("en", "tree.unresolved"))


@pytest.mark.parametrize("sfen", [*list(UNREADABLE)[:1], *list(ILLEGAL)[:1]])
def test_a_faulty_position_is_named(sfen: str, tsume: Run) -> None:
    done = tsume("tree", sfen, "--jsonl")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    if sfen in UNREADABLE:
        assert FAULTY[sfen] in found["error"]
        assert FAULTY[sfen] in done.stderr
    else:
        assert [FAULTY[sfen] in one["fault"] for one in found["illegal"]] == [True]
        assert (found["error"], done.stderr) == (None, "")
    assert (found["result"], found["turns"]) == ("invalid" if sfen in UNREADABLE else "illegal_start", [])
    assert_follows_the_schema(found)


def test_options_of_the_tree(tsume: Run, tmp_path: Path) -> None:
    found = answer(tsume, "tree", CORRECT, "--all-answers")
    replies = [r for turn in found["turns"] for c in turn["checks"] for r in c.get("answers", [])]
    assert replies
    assert all("turn" in reply and "line" not in reply for reply in replies)
    found = answer(tsume, "tree", FUTILE, "--proof-nodes", "0")
    assert_follows_the_schema(found)
    assert "bounded" in {c.get("proof") for turn in found["turns"] for c in turn["checks"]}
    both = tsume("tree", FIVE, "--lang", "both").stdout
    assert both == "\n".join(tsume("tree", FIVE, "--lang", name).stdout for name in LANGUAGES)
    (tmp_path / "a.sfen").write_text(f"{CORRECT}\nnonsense\n{FIVE}\n", encoding="utf-8")
    done = tsume("tree", "-f", tmp_path / "a.sfen", "--jsonl", status=1)
    assert [json.loads(line)["length"] for line in done.stdout.splitlines()] == [3, None, 5]
    assert "line 2" in done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sfen", PROBLEMS)
def test_the_text_has_a_line_for_each_turn_and_check_and_answer(sfen: str, language: str, tsume: Run) -> None:
    found = answer(tsume, "tree", sfen)
    lines = tsume("tree", sfen, "--lang", language).stdout.splitlines()
    checks = [check for turn in found["turns"] for check in turn["checks"]]
    replies = {(i, _met(reply)) for i, check in enumerate(checks) for reply in check.get("answers", [])}
    assert len([line for line in lines if re.match(r"  \S", line)]) == len(checks)
    assert len([line for line in lines if re.match(r"    \S", line)]) == len(replies)
    assert len([line for line in lines if re.match(r"[\[［]", line)]) == len(found["turns"])
    assert not re.search("[{}]", "".join(lines))


def _met(reply: dict[str, Any]) -> object:
    """What drops that share a line of the text have in common."""
    is_alone = "*" not in reply["move"] or "turn" in reply
    return reply["move"] if is_alone else (reply["move"][2:], reply["line"], reply.get("take"))


# --- the page -----------------------------------------------------------------------------------


def test_the_page_names_every_field_and_value_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in field_names() if f"`{name}`" not in text] == []
    rows = re.findall(r"^\| `(\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) <= field_names()
    assert set(FIELDS) | {name for fields in CHECK_FIELDS.values() for name in fields} <= field_names()
    defaults = {parameter.name: parameter.default for parameter in tree.params}
    assert (defaults["max_turns"], defaults["proof_nodes"]) == (MAX_TURNS, PROOF_NODES)
