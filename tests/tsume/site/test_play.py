"""Trees as scripts: what the player reads of a tree, and nothing else."""

from __future__ import annotations

import gzip
import json
import pickle
import re
from typing import Any

import pytest

from solver.explaining.reply_tree import ReplyTree
from tests.places import ROOT
from tests.tsume.problems import CORRECT, DROPS, NO_MATE, PROMOTES
from tsume.language.catalogue import LANGUAGES, Language
from tsume.services.trees import ReplyTreeBuilder
from tsume.site.play import tree_script
from tsume.web.play_tree import first_tree, is_playable, play_fields, settled_fields
from tsume.web.rendered_tree import rendered_tree
from tsume.web.work.context import WorkerContext
from tsume.web.work.results import Rendered
from tsume.web.work.trees import TreeJob
from tsume_rules.moves import parse_move
from tsume_rules.sfen import ParsedSfen, parse_sfen

FIVE = "8l/9/9/5b1S1/5+B1k1/7p1/6P1p/6+R2/9 b Gr3g3s4n3l15p 1"
NINE = "8k/6B2/5+P2p/9/7N1/9/9/9/9 b S2rb4g3s3n4l16p 1"


@pytest.fixture(scope="module")
def builder() -> ReplyTreeBuilder:
    return ReplyTreeBuilder(60.0, 72, most_turns=50, proof_nodes=20_000)


def read(tree: ReplyTree, parsed: ParsedSfen, languages: tuple[Language, ...]) -> dict[str, Any]:
    script = tree_script(play_fields(tree, parsed, languages))
    found = re.fullmatch(r"TsumeTree\((\{.*\})\);\n", script)
    assert found
    fields: dict[str, Any] = json.loads(found[1])
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
def test_a_script_has_what_is_played(
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


def test_what_has_no_known_mate_is_not_playable(builder: ReplyTreeBuilder) -> None:
    assert is_playable(builder.build(parse_sfen(CORRECT).position))
    assert not is_playable(builder.build(parse_sfen(NO_MATE).position))
    assert not is_playable(None)


@pytest.mark.parametrize("sfen", [CORRECT, DROPS, PROMOTES, FIVE, NINE])
def test_a_site_says_of_every_check_what_a_server_says(builder: ReplyTreeBuilder, sfen: str) -> None:
    position = parse_sfen(sfen).position
    context = WorkerContext(72, builder, lambda: None)

    def served(*moves: str) -> dict[str, Any]:
        job = TreeJob(sfen, 3, tuple(map(parse_move, moves)))
        (rendered,) = job.run(context)
        assert isinstance(rendered, Rendered)
        fields: dict[str, Any] = json.loads(gzip.decompress(rendered.content))
        return fields

    tree = first_tree(builder, position, 3)
    fields = settled_fields(builder, tree, position, 3, LANGUAGES)
    first = served()
    for turn, on_site, on_server in zip(tree.turns, fields["turns"], first["turns"], strict=False):
        for one, other in zip(on_site["checks"], on_server["checks"], strict=True):
            expected = other
            if other["result"] == "open":
                path = [move.usi for move in turn.path]
                (expected,) = served(*path, other["move"])["turns"][0]["checks"]
            names = ("move", "result", "rank", "answer", "why", "text")
            assert {name: one.get(name) for name in names} == {name: expected.get(name) for name in names}


def test_a_builder_that_has_built_a_tree_can_be_sent_to_a_process(builder: ReplyTreeBuilder) -> None:
    tree = builder.build(parse_sfen(CORRECT).position)
    assert pickle.loads(pickle.dumps(builder)).build(parse_sfen(CORRECT).position) == tree
