# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume tree``"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from tsume.commands.answering import (
    THREADS_OF_ONE,
    AnswerBatch,
    PrintedAnswer,
    batch_options,
    print_answers,
    threads_and_processes,
)
from tsume.commands.file_options import position_arguments
from tsume.commands.options import MOST, jsonl_option, languages_option, memory_option, seconds_option
from tsume.commands.output import json_text
from tsume.files.inputs import Entry, PositionInputs, complaint, with_start_faults
from tsume.language.catalogue import Language
from tsume.reports.judgement import illegal_start_lines
from tsume.reports.reply_tree import illegal_tree_fields, tree_fields, tree_lines
from tsume.services.checking import illegal_judgement
from tsume.services.trees import TREE_PROOF_NODES, TREE_TURNS, ReplyTreeBuilder

_NOTHING: dict[str, Any] = {"result": "invalid", "length": None, "line": "", "complete": False, "turns": []}


@click.command()
@position_arguments
@languages_option(of_files=False)
@click.option(
    "--all-answers", is_flag=True, help="Follow every answer to the mating checks, not only the best one."
)
@click.option("--max-turns", type=click.IntRange(1, MOST), default=TREE_TURNS, show_default=True,
              help="Maximum number of turns in the tree.")  # fmt: skip
@click.option(
    "--proof-nodes", type=click.IntRange(0, MOST), default=TREE_PROOF_NODES, show_default=True,
    help="Nodes for proving that checks fail at any length; the rest are refuted up to a bound.",
)  # fmt: skip
@seconds_option(60.0)
@memory_option
@batch_options(THREADS_OF_ONE)
@jsonl_option("position")
@click.pass_context
def tree(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    languages: list[Language],
    all_answers: bool,
    max_turns: int,
    proof_nodes: int,
    seconds: float,
    memory: int,
    jobs: int | None,
    skip: int,
    jsonl: bool,
) -> None:
    """Show the tree of the solution: every check at every turn, and the answer to it.

    The tree follows each check that mates and its best answer to the next turn. Exits with status 1 if
    a position is invalid or unresolved, or if its tree was cut short.
    """
    inputs = PositionInputs(sfens, files, at=at)
    threads, jobs = threads_and_processes(inputs, jobs)
    builder = ReplyTreeBuilder(
        seconds,
        memory,
        threads=threads,
        most_turns=max_turns,
        all_answers=all_answers,
        proof_nodes=proof_nodes,
    )
    answerer = partial(_TreeAnswerer, builder, languages, jsonl)
    good = print_answers(AnswerBatch(inputs, jobs, answerer, skip))
    context.exit(0 if good else 1)


class _TreeAnswerer:
    """Shows the trees of positions."""

    def __init__(self, builder: ReplyTreeBuilder, languages: list[Language], jsonl: bool) -> None:
        self._builder = builder
        self._languages = languages
        self._jsonl = jsonl

    def __call__(self, given: Entry) -> PrintedAnswer:
        """What is printed about a position."""
        entry = with_start_faults(given)
        if entry.parsed is None:
            return self._without_tree(entry)
        found = self._builder.build(entry.parsed.position)
        if self._jsonl:
            return PrintedAnswer(self._json(entry, tree_fields(found, entry.parsed)), good=found.complete)
        texts = [tree_lines(found, entry.parsed, name) for name in self._languages]
        return PrintedAnswer("\n\n".join("\n".join(lines) for lines in texts), good=found.complete)

    def _without_tree(self, entry: Entry) -> PrintedAnswer:
        """What is printed about an illegal start, or about a text that cannot be read."""
        if entry.judged is None:
            told = self._json(entry, _NOTHING) if self._jsonl else ""
            return PrintedAnswer(told, complaint(entry.place, entry.error), good=False)
        found = illegal_judgement(entry.judged.position)
        if self._jsonl:
            fields = illegal_tree_fields(found, entry.judged)
            return PrintedAnswer(self._json(replace(entry, error=""), fields), good=False)
        texts = [illegal_start_lines(found, entry.judged, name) for name in self._languages]
        return PrintedAnswer("\n\n".join("\n".join(lines) for lines in texts), good=False)

    def _json(self, entry: Entry, fields: dict[str, Any]) -> str:
        return json_text(**entry.names, sfen=entry.sfen, **fields, error=entry.error or None)
