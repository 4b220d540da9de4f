# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume explain`` and ``tsume tree``: why a mate works."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tsume.commands.answering import (
    THREADS_OF_ONE,
    AnswerBatch,
    PrintedAnswer,
    batch_options,
    print_answers,
    threads_and_processes,
)
from tsume.commands.options import (
    MAX_NUMBER,
    NOT_PARSED,
    json_text,
    jsonl_option,
    languages_option,
    memory_option,
    output_options,
    position_arguments,
    seconds_option,
)
from tsume.commands.per_file import (
    FileContent,
    RecordContent,
    ResultPlaces,
    json_content,
    per_file_options,
    print_or_write_answers,
    require_per_file,
    result_files,
    result_folder,
    text_content,
)
from tsume.files.inputs import Entry, PositionInputs, complaint, with_start_faults
from tsume.files.writing import RecordFiles
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import WRITERS
from tsume.formats.text import ENCODINGS
from tsume.language.catalogue import Language, Voice
from tsume.reports.explanation import ExplanationText, annotated_record, explanation_lines, tree_lines
from tsume.reports.judgement import illegal_start_lines
from tsume.uses.explaining import COMMAND, Explainer, ExplainOptions, unreadable
from tsume.uses.trees import COMMAND as TREE
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume_rules.sfen import ParsedSfen


@click.command()
@position_arguments
@languages_option(of_files=False)
@click.option(
    "--all",
    "every_try",
    is_flag=True,
    help="Explain every check that fails, not only a few at each turn before the last.",
)
@click.option(
    "--only-answers",
    is_flag=True,
    help="For each check that fails, test whether its refutation is the only one (slow).",
)
@click.option(
    "--proof-nodes", type=click.IntRange(0, MAX_NUMBER), default=COMMAND.proof_nodes, show_default=True,
    help="Nodes for proving that checks fail at any length; the rest are refuted up to a bound.",
)  # fmt: skip
@seconds_option(60.0)
@memory_option
@batch_options(THREADS_OF_ONE)
@per_file_options
@jsonl_option("position")
@click.option(
    "--format",
    "form",
    type=click.Choice([name for name, writer in WRITERS.items() if writer.variations]),
    help="Write the explanation in this file format: variations with comments.",
)
@output_options
@click.pass_context
def explain(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    languages: list[Language],
    every_try: bool,
    only_answers: bool,
    proof_nodes: int,
    seconds: float,
    memory: int,
    jobs: int | None,
    skip: int,
    per_file: bool,
    force: bool,
    recursive: bool,
    jsonl: bool,
    form: str | None,
    output: str | None,
    encoding: str | None,
) -> None:
    """Explain the solution: how each defence is mated, and why each other check fails.

    A position with a mate that is not a correct problem is explained too; its defects are listed
    first (`tsume check` shows them in detail). Exits with status 1 if a position is invalid,
    unresolved or not explained to the end.
    """
    require_per_file(per_file, force=force, skip=skip)
    if form is None and (encoding is not None or (output is not None and not per_file)):
        raise click.UsageError("-o and --encoding need --format")
    if form is not None and jsonl:
        raise click.UsageError("--format and --jsonl exclude each other")
    is_chosen = context.get_parameter_source("languages") is not ParameterSource.DEFAULT
    if (form is not None or jsonl) and not is_chosen:
        languages = ["ja"]
    inputs, results = PositionInputs(sfens, files, recursive=recursive, allow_none=per_file, at=at), None
    if per_file:
        places, content = _results(form, encoding, result_folder(output), jsonl=jsonl)
        results = result_files(places, content, (*sfens, *files), force=force, recursive=recursive, at=at)
    written = RecordFiles(WRITERS[form], output, encoding) if form and not per_file else None
    kind = "record" if form else "json" if jsonl else "text"
    threads, jobs = threads_and_processes(inputs, jobs)
    is_named = bool(files) or len(sfens) > 1
    options = ExplainOptions(seconds, memory, only_answers, proof_nodes, threads)
    answerer = partial(_ExplanationAnswerer, options, languages, every_try, kind, is_named)

    def written_out(number: int, answer: _ExplanationAnswer) -> PrintedAnswer:
        if written is not None and answer.record is not None:
            written.write(str(number if answer.id is None else answer.id), answer.record)
        return answer

    try:
        batch = AnswerBatch(inputs, jobs, answerer, skip)
        good = print_or_write_answers(batch, results, Voice.of(languages[-1]), written_out)
    except click.exceptions.Exit:  # interrupted
        if written is not None:
            written.break_off()
        raise
    if written is not None:
        written.close()
    context.exit(0 if good else 1)


def _results(
    form: str | None, encoding: str | None, folder: Path | None, *, jsonl: bool
) -> tuple[ResultPlaces, FileContent]:
    """Where the results of manuscripts are written, and what."""
    if form is None:
        ending, content = (".jsonl", json_content) if jsonl else (".txt", text_content)
        return ResultPlaces("explain", ending, folder), content
    writer = WRITERS[form]
    chosen = writer.encoding if encoding is None else ENCODINGS[encoding]
    return ResultPlaces("explain", writer.ending(chosen), folder), RecordContent(writer, chosen)


@dataclass(frozen=True)
class _ExplanationAnswer(PrintedAnswer):
    """An answer; as a record, if a file is to be written, which may be named after the ``id``."""

    record: GameRecord | None = None
    id: int | str | None = None


class _ExplanationAnswerer:
    """Explains positions as ``text``, as ``json`` or as a ``record``.

    ``is_named``: a text begins with the place and the SFEN of its position, as there may be others.
    """

    def __init__(
        self, options: ExplainOptions, languages: list[Language], every_try: bool, kind: str, is_named: bool = False
    ) -> None:
        self._explainer = Explainer(options)
        self._languages = languages
        self._every_try = every_try
        self._kind = kind
        self._is_named = is_named

    def __call__(self, given: Entry) -> _ExplanationAnswer:
        """Return what is printed or written about a position."""
        entry = with_start_faults(given)
        parsed = entry.judged
        found = unreadable(NOT_PARSED) if parsed is None else self._explainer.explain(parsed)
        judgement, explanation = found.judgement, found.explanation
        told, record = "", None
        if self._kind == "record":
            if entry.parsed is not None:
                start = ParsedSfen(entry.parsed.position)  # files have the attacker as Black
                sentences = ExplanationText(judgement, explanation, start, self._languages[0], self._every_try)
                record = entry.record or GameRecord(start.position, title=entry.title)
                record = annotated_record(record, sentences)
        else:
            texts = {
                name: [] if parsed is None
                else explanation_lines(judgement, explanation, parsed, name, every_try=self._every_try)
                for name in self._languages
            }  # fmt: skip
            if self._kind == "json":
                error = None if parsed else entry.error
                told = json_text(**entry.names, sfen=entry.sfen, **found.to_json(), text=texts, error=error)
            elif parsed is not None:
                told = "\n\n".join("\n".join(lines) for lines in texts.values())
                if self._is_named:
                    told = f"{entry.place}: {entry.sfen}\n{told}\n"
        unread = parsed is None or (self._kind == "record" and record is None)
        fault = complaint(entry.place, entry.error) if unread else ""
        good = explanation.complete and not judgement.unresolved and entry.parsed is not None
        known = good or (parsed is not None and entry.parsed is None)
        outcome = "unreadable" if parsed is None else "explained" if known else "unresolved"
        return _ExplanationAnswer(told, fault, good, outcome, record, entry.id)


# --- ``tsume tree`` --------------------------------------------------------------------------------

_NOTHING: dict[str, Any] = {"result": "invalid", "length": None, "line": "", "complete": False, "turns": []}


@click.command()
@position_arguments
@languages_option(of_files=False)
@click.option("--all-answers", is_flag=True, help="Follow every answer to the mating checks, not only the best one.")
@click.option("--max-turns", type=click.IntRange(1, MAX_NUMBER), default=TREE.most_turns, show_default=True,
              help="Maximum number of turns in the tree.")  # fmt: skip
@click.option(
    "--proof-nodes", type=click.IntRange(0, MAX_NUMBER), default=TREE.proof_nodes, show_default=True,
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
    options = TreeOptions(
        seconds, memory, None, threads, most_turns=max_turns, proof_nodes=proof_nodes, all_answers=all_answers
    )
    answerer = partial(_TreeAnswerer, ReplyTreeBuilder(options), languages, jsonl)
    good = print_answers(AnswerBatch(inputs, jobs, answerer, skip))
    context.exit(0 if good else 1)


class _TreeAnswerer:
    """Shows the trees of positions."""

    def __init__(self, builder: ReplyTreeBuilder, languages: list[Language], jsonl: bool) -> None:
        self._builder = builder
        self._languages = languages
        self._jsonl = jsonl

    def __call__(self, given: Entry) -> PrintedAnswer:
        """Return what is printed about a position."""
        entry = with_start_faults(given)
        parsed = entry.judged
        if parsed is None:
            told = self._json(entry, _NOTHING, entry.error) if self._jsonl else ""
            return PrintedAnswer(told, complaint(entry.place, entry.error), good=False)
        found = self._builder.solution(parsed)
        if self._jsonl:
            return PrintedAnswer(self._json(entry, found.to_json()), good=found.complete)
        texts = [
            tree_lines(found.tree, parsed, name) if found.tree
            else illegal_start_lines(found.judgement, parsed, name)
            for name in self._languages
        ]  # fmt: skip
        return PrintedAnswer("\n\n".join("\n".join(lines) for lines in texts), good=found.complete)

    def _json(self, entry: Entry, fields: dict[str, Any], error: str | None = None) -> str:
        return json_text(**entry.names, sfen=entry.sfen, **fields, error=error)
