# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees as they are played, results that are remembered, and trees that are saved"""

import asyncio
import json
import pickle
import re
import threading
from collections.abc import AsyncGenerator, Sequence
from functools import partial
from typing import Any

import pytest

from db.errors import StoreError
from db.store import Store, StoredTree, StoredTrees
from solver.explaining.explanation import ReplyTree
from tests.asynchronous import run
from tests.places import ROOT
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tsume.language.catalogue import LANGUAGES, Language
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume.web.api import problems as endpoint
from tsume.web.api.problems import TreeSaver
from tsume.web.rendered import play_fields, rendered_tree
from tsume_rules.sfen import ParsedSfen, parse_sfen

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")

from tests.tsume.problems import COOKED, HARD
from tsume.parallel.job_pool import Job, JobPool
from tsume.web.delivery import ResultCache, SharedResultCache
from tsume.web.work.positions import JudgementJob
from tsume.web.work.results import RenderedResult, WorkerContext
from tsume.web.work.trees import TreeJob
from tsume_rules.moves import parse_move


@pytest.fixture(scope="module")
def small_builder() -> ReplyTreeBuilder:
    return ReplyTreeBuilder(TreeOptions(60.0, 72, most_turns=50, proof_nodes=20_000))


def read_tree(tree: ReplyTree, parsed: ParsedSfen, languages: tuple[Language, ...]) -> dict[str, Any]:
    return dict(json.loads(json.dumps(play_fields(tree, parsed, languages))))


def is_part_of(part: Any, whole: Any) -> bool:
    """Whether data has nothing but what other data has in the same places, of lists the first ones."""
    if isinstance(part, dict):
        return part.keys() <= whole.keys() and all(is_part_of(one, whole[name]) for name, one in part.items())
    if isinstance(part, list):
        return len(part) <= len(whole) and all(map(is_part_of, part, whole))
    return bool(part == whole)


@pytest.mark.parametrize("sfen", [CORRECT, DROPS, PROMOTES])
@pytest.mark.parametrize("languages", [("ja",), ("en",), LANGUAGES])
def test_a_tree_has_what_is_played(small_builder: ReplyTreeBuilder, sfen: str, languages: tuple[Language, ...]) -> None:
    parsed = parse_sfen(sfen)
    tree = small_builder.build(parsed.position)
    whole = rendered_tree(tree, parsed)
    fields = read_tree(tree, parsed, languages)
    assert parse_sfen(fields.pop("sfen")).position == parsed.position
    assert is_part_of(fields, whole)
    for turn, told in zip(fields["turns"], whole["turns"], strict=True):
        assert [one["move"] for one in turn["checks"]] == [one["move"] for one in told["checks"]]
        for check, all_of_it in zip(turn["checks"], told["checks"], strict=True):
            assert tuple(check["text"]) == languages
            if check["result"] == "mates":
                assert len(check["answers"]) == min(1, len(all_of_it["answers"]))
                assert [one for one in check["answers"] if one.get("best")] == [
                    {name: one[name] for name in ("move", "best", "turn")} | {"text": check["answers"][0]["text"]}
                    for one in all_of_it["answers"]
                    if one.get("best")
                ]


def test_the_player_reads_no_other_field_and_builders_can_be_sent(small_builder: ReplyTreeBuilder) -> None:
    names = ("attempt", "player_view", "player")
    scripts = [ROOT / "tsume" / "web" / "static" / f"{name}.js" for name in names]
    player = "".join(script.read_text(encoding="utf-8") for script in scripts)
    read_there = set(re.findall(r"\bcheck\.(\w+)", player))
    parsed = parse_sfen(PROMOTES)
    tree = small_builder.build(parsed.position, proof_nodes=0)  # some checks are refuted up to a length only
    kept = {name for turn in read_tree(tree, parsed, ("ja",))["turns"] for check in turn["checks"] for name in check}
    assert read_there <= kept
    tree = small_builder.build(parse_sfen(CORRECT).position)
    assert pickle.loads(pickle.dumps(small_builder)).build(parse_sfen(CORRECT).position) == tree


OPEN = "not settled"

CONTEXT = partial(WorkerContext, 72, ReplyTreeBuilder(TreeOptions(1, 72)))


class Counted(JobPool):
    """Records the jobs it is given; the hard problem stays unresolved."""

    def __init__(self) -> None:
        super().__init__(CONTEXT, {"judgement": 1}, 1)
        self.asked: list[Job] = []

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        self.asked.append(job)
        yield RenderedResult(b"{}", settled=job != JudgementJob(parse_sfen(HARD)))


class Slow(JobPool):
    """Its trees wait until they are released."""

    def __init__(self) -> None:
        super().__init__(CONTEXT, {"tree": 8}, 1)
        self.made: list[str] = []
        self.released = asyncio.Event()

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        assert isinstance(job, TreeJob)
        self.made.append(job.sfen)
        await self.released.wait()
        yield RenderedResult(job.sfen.encode(), settled=job.sfen != OPEN)


def test_what_is_remembered() -> None:
    pool = Counted()
    cache = ResultCache(pool, 3)
    correct, cooked = JudgementJob(parse_sfen(CORRECT)), JudgementJob(parse_sfen(COOKED))
    with_line = JudgementJob(parse_sfen(CORRECT), (parse_move("3d2c"),))
    with_length = JudgementJob(parse_sfen(CORRECT), moves=5)
    hard = JudgementJob(parse_sfen(HARD))

    async def ask(*jobs: JudgementJob) -> list[Job]:
        pool.asked.clear()
        for job in jobs:
            await cache.content(job)
        return list(pool.asked)

    assert run(ask(correct, correct, with_line, with_length)) == [correct, with_line, with_length]
    assert run(ask(correct, hard, hard)) == [hard, hard]
    assert run(ask(cooked, correct, with_line)) == [cooked, with_line]


def test_one_position_is_worked_on_once() -> None:
    async def ask() -> None:
        pool = Slow()
        cache = SharedResultCache(pool, 16)

        def tree(sfen: str) -> Any:
            return cache.content(TreeJob(sfen, 3))

        positions = [str(number) for number in range(8)]
        asked = [asyncio.create_task(tree(sfen)) for sfen in positions * 2]
        await asyncio.sleep(0)
        asked[0].cancel()
        pool.released.set()
        assert await asyncio.gather(*asked[1:]) == [sfen.encode() for sfen in (positions * 2)[1:]]
        assert pool.made == positions
        assert await tree("0") == b"0"
        assert await tree("one more") == b"one more"
        assert pool.made == [*positions, "one more"]
        assert [await tree(OPEN), await tree(OPEN)] == [OPEN.encode()] * 2
        assert pool.made == [*positions, "one more", OPEN, OPEN]

    run(ask())


class Locked(StoredTrees):
    """Saves nothing until it is released; the first ``failures`` times it fails."""

    def __init__(self, store: Store, failures: int = 0) -> None:
        super().__init__(store)
        self.released, self.begun = threading.Event(), threading.Event()
        self.failures = failures
        self.saved: list[StoredTree] = []

    def save(self, trees: Sequence[StoredTree]) -> None:
        self.begun.set()
        self.released.wait()
        if self.failures > 0:
            self.failures -= 1
            raise StoreError("locked")
        self.saved += trees


TREES = [StoredTree(number, "key", b"tree") for number in range(5)]


def saver_of(trees: Locked) -> TreeSaver:
    saver = TreeSaver(trees)
    saver.start()
    return saver


def test_what_is_given_is_saved_at_the_end_also_after_a_failure(opened: Store) -> None:
    trees = Locked(opened)
    trees.released.set()
    saver = saver_of(trees)
    for tree in TREES:
        saver.save(tree)
    saver.close()
    assert trees.saved == TREES
    trees = Locked(opened, failures=1)
    saver = saver_of(trees)
    saver.save(TREES[0])
    trees.begun.wait()
    saver.save(TREES[1])
    trees.released.set()
    saver.close()
    assert trees.saved == [TREES[1]]


def test_nobody_waits_for_a_store_that_is_locked(opened: Store) -> None:
    trees = Locked(opened)
    saver = saver_of(trees)
    for _ in range(endpoint._MAX_WAITING + 10):
        saver.save(TREES[0])
    assert trees.saved == []
    trees.released.set()
