# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in the browser with answers from a table, which the jobs of the server fill."""

import gzip
import json
from functools import cached_property
from typing import Any

from tests.places import ROOT
from tsume.uses.trees import BOARD, ReplyTreeBuilder, TreeOptions
from tsume.web.rendered import rendered_commentary
from tsume.web.work.in_browser import BrowserAnswers, diagram_answer, kif_answer, reading_answer
from tsume.web.work.positions import JudgementJob
from tsume.web.work.results import RenderedResult, WorkerContext
from tsume.web.work.trees import PlayedMovesJob, PositionJob, TreeJob
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen

_FAKE = ROOT / "tests" / "browsers" / "fake_solver"


class AnswerTable:
    """Answers of the solver, by kind, position and moves."""

    def __init__(self) -> None:
        self._answers: dict[str, Any] = {}

    @cached_property
    def _context(self) -> WorkerContext:
        builder = ReplyTreeBuilder(TreeOptions(60.0, 72, most_turns=200, proof_nodes=BOARD.proof_nodes))
        return WorkerContext(72, builder, lambda: None)

    def add_problem(self, sfen: str, *played: str) -> dict[str, Any]:
        """Trees of a problem with what its open checks do, and its analysis along its line.

        ``played``: further moves whose positions are analysed, with commas. The first tree is returned.
        """
        start = parse_sfen(sfen).position
        built = self._context.builder.build(start, only_line=True)
        length = built.length or 1
        tree = self._add("play_tree", TreeJob(sfen, length))
        for moves in _open_checks(tree):
            self._add("play_tree", TreeJob(sfen, length, tuple(map(parse_move, moves))))
        line = [move.usi for move in built.line]
        for moves in [line[:number] for number in range(length + 1)] + [one.split(",") for one in played]:
            self._add("position", PositionJob(sfen, length, tuple(map(parse_move, moves))))
        self._answers[_key("commentary", sfen, line)] = rendered_commentary(
            parse_sfen(sfen).position, built.line, built
        )
        return tree

    def add_judgement(self, sfen: str, *line: str) -> None:
        """The judgement of a position, with the composer's line."""
        parsed = parse_sfen(sfen)
        (rendered,) = JudgementJob(parsed, tuple(map(parse_move, line))).run(self._context)
        self._answers[_key("judgement", format_sfen(parsed.position), list(line))] = json.loads(rendered.content)

    def add_explanation(self, sfen: str, *, turns: int | None = None) -> None:
        """The explanation of a position: only so many ``turns``, as if a limit was reached."""
        start = format_sfen(parse_sfen(sfen).position)
        explained = BrowserAnswers(72).answer("explain", {"sfen": start})
        cut = {} if turns is None else {"turns": explained["turns"][:turns], "complete": False}
        self._answers[_key("explain", start, [])] = {**explained, **cut}

    def add_unresolved(self, sfen: str) -> None:
        """The judgement of a position as if a limit was reached first."""
        start = format_sfen(parse_sfen(sfen).position)
        self.add_judgement(start)
        self._answers[_key("judgement", start, [])] |= {
            "grade": None, "unresolved": True, "headline": {"ja": "未解決", "en": "unresolved"},
        }  # fmt: skip

    def add_endless(self, kind: str, sfen: str) -> None:
        """A query of a kind, ``explain`` or ``judgement``, on which the solver works until it is stopped."""
        self._answers[_key(kind, format_sfen(parse_sfen(sfen).position), [])] = "never"

    def add_texts(self, sfen: str, line: list[str], *texts: str) -> None:
        """KIF of a line, the diagram of its position, and what is read of texts."""
        start = format_sfen(parse_sfen(sfen).position)
        self._answers[_key("kif", start, line)] = kif_answer({"sfen": start, "line": line})
        self._answers[_key("diagram", start, [])] = diagram_answer({"sfen": start, "language": "en"})
        for text in texts:
            self._answers[_key("reading", text, [])] = reading_answer({"text": text})

    def _add(self, kind: str, job: PlayedMovesJob) -> dict[str, Any]:
        (rendered,) = job.run(self._context)
        assert isinstance(rendered, RenderedResult)
        packed = rendered.content[:2] == b"\x1f\x8b"
        content = gzip.decompress(rendered.content) if packed else rendered.content
        fields: dict[str, Any] = json.loads(content)
        self._answers[_key(kind, job.sfen, [move.usi for move in job.moves])] = fields
        return fields

    def scripts(self) -> dict[str, str | bytes]:
        """What `tsume.commands.web.solver_scripts` returns."""
        table = json.dumps(self._answers, ensure_ascii=False)
        worker = f"const TABLE = {table};\n" + (_FAKE / "worker.js").read_text(encoding="utf-8")
        return {
            "tsume.js": (_FAKE / "tsume.js").read_text(encoding="utf-8"),
            "tsume-worker.js": f"const TsumeWorker = {{ source: {json.dumps(worker)} }};\n",
        }


def _key(kind: str, sfen: str, moves: list[str]) -> str:
    return f"{kind} {sfen} {','.join(moves)}"


def _open_checks(tree: dict[str, Any]) -> list[list[str]]:
    """The moves up to each open check."""
    paths = {0: list[str]()}
    found = []
    for number, turn in enumerate(tree["turns"]):
        for check in turn["checks"]:
            if number not in paths:
                continue
            if check["result"] == "open":
                found.append([*paths[number], check["move"]])
            for answer in check.get("answers", ()):
                if "turn" in answer:
                    paths.setdefault(answer["turn"], [*paths[number], check["move"], answer["move"]])
    return found
