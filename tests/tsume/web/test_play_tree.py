# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree to play against: what the player reads of a tree, and nothing else."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import pytest

from solver.explaining.explanation import ReplyTree
from tests.places import ROOT
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tsume.language.catalogue import LANGUAGES, Language
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume.web.rendered_tree import play_fields, rendered_tree
from tsume_rules.sfen import ParsedSfen, parse_sfen


@pytest.fixture(scope="module")
def builder() -> ReplyTreeBuilder:
    return ReplyTreeBuilder(TreeOptions(60.0, 72, most_turns=50, proof_nodes=20_000))


def read(tree: ReplyTree, parsed: ParsedSfen, languages: tuple[Language, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(json.dumps(play_fields(tree, parsed, languages)))
    return fields


def is_part_of(part: Any, whole: Any) -> bool:
    """Whether data has nothing but what other data has in the same places, of lists the first ones."""
    if isinstance(part, dict):
        return part.keys() <= whole.keys() and all(is_part_of(one, whole[name]) for name, one in part.items())
    if isinstance(part, list):
        return len(part) <= len(whole) and all(map(is_part_of, part, whole))
    return bool(part == whole)


@pytest.mark.parametrize("sfen", [CORRECT, DROPS, PROMOTES])
@pytest.mark.parametrize("languages", [("ja",), ("en",), LANGUAGES])
def test_a_tree_has_what_is_played(
    builder: ReplyTreeBuilder, sfen: str, languages: tuple[Language, ...]
) -> None:
    parsed = parse_sfen(sfen)
    tree = builder.build(parsed.position)
    whole = rendered_tree(tree, parsed)
    fields = read(tree, parsed, languages)
    assert parse_sfen(fields.pop("sfen")).position == parsed.position
    assert is_part_of(fields, whole)
    for turn, told in zip(fields["turns"], whole["turns"], strict=True):
        assert [one["move"] for one in turn["checks"]] == [one["move"] for one in told["checks"]]
        for check, all_of_it in zip(turn["checks"], told["checks"], strict=True):
            assert tuple(check["text"]) == languages
            if check["result"] == "mates":
                assert len(check["answers"]) == min(1, len(all_of_it["answers"]))
                assert [one for one in check["answers"] if one.get("best")] == [
                    {name: one[name] for name in ("move", "best", "turn")}
                    | {"text": check["answers"][0]["text"]}
                    for one in all_of_it["answers"]
                    if one.get("best")
                ]


def test_the_player_reads_no_other_field_of_a_check(builder: ReplyTreeBuilder) -> None:
    names = ("attempt", "player_view", "player")
    scripts = [ROOT / "tsume" / "web" / "static" / f"{name}.js" for name in names]
    player = "".join(script.read_text(encoding="utf-8") for script in scripts)
    read_there = set(re.findall(r"\bcheck\.(\w+)", player))
    parsed = parse_sfen(PROMOTES)
    tree = builder.build(parsed.position, proof_nodes=0)  # some checks are refuted up to a length only
    kept = {
        name for turn in read(tree, parsed, ("ja",))["turns"] for check in turn["checks"] for name in check
    }
    assert read_there <= kept


def test_a_builder_that_has_built_a_tree_can_be_sent_to_a_process(builder: ReplyTreeBuilder) -> None:
    tree = builder.build(parse_sfen(CORRECT).position)
    assert pickle.loads(pickle.dumps(builder)).build(parse_sfen(CORRECT).position) == tree
