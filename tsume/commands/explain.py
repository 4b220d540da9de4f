# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume explain`` and ``tsume tree``: why a mate works."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import click

from tsume.commands import answering, options
from tsume.commands.answering import GivenPositions, PrintedAnswer, print_answers, threads_and_processes
from tsume.files.inputs import Entry, PositionInputs, complaint_line, entry_with_start_faults
from tsume.files.writing import RecordFiles
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import WRITERS
from tsume.formats.text import ENCODINGS
from tsume.language.catalogue import Language, Voice
from tsume.reports.explanation import ExplanationText, annotated_record, comment_text, explanation_lines, tree_lines
from tsume.reports.judgement import illegal_start_lines
from tsume.uses.explaining import COMMAND, Explainer, ExplainOptions, unreadable_explanation
from tsume.uses.trees import COMMAND as TREE
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume_rules.sfen import ParsedSfen


@click.command()
@options.position_arguments
@options.languages_option(of_files=False)
@options.flag("--all", "every_try", help="Explain every check that fails, not only a few at each turn before the last.")
@options.flag("--only-answers", help="For each check that fails, test whether its refutation is the only one (slow).")
@click.option(
    "--proof-nodes", type=click.IntRange(0, options.MAX_NUMBER), default=COMMAND.proof_nodes, show_default=True,
    help="Nodes for proving that checks fail at any length; the rest are refuted up to a bound.",
)  # fmt: skip
@options.seconds_option(60.0)
@options.memory_option
@answering.batch_options(answering.THREADS_OF_ONE)
@answering.per_file_options
@options.jsonl_option("position")
@click.option(
    "--format",
    "form",
    type=click.Choice([name for name, writer in WRITERS.items() if writer.variations]),
    help="Write the explanation in this file format: variations with comments.",
)
@options.output_options
def explain(
    given: GivenPositions, languages: list[Language], every_try: bool, jobs: int | None, jsonl: bool,
    form: str | None, output: str | None, encoding: str | None, **explaining: Any,
) -> None:  # fmt: skip
    """Explain the solution: how each defence is mated, and why each other check fails.

    A position with a mate that is not a correct problem is explained too; its defects are listed
    first (`tsume check` shows them in detail). Exits with status 1 if a position is invalid,
    unresolved or not explained to the end.
    """
    if form is None and (encoding is not None or (output is not None and not given.per_file)):
        raise click.UsageError("-o and --encoding need --format")
    if form is not None and jsonl:
        raise click.UsageError("--format and --jsonl exclude each other")
    if (form is not None or jsonl) and not options.is_option_given("languages"):
        languages = ["ja"]
    ending, content = (".jsonl", answering.answers_as_json) if jsonl else (".txt", answering.answers_as_text)
    if form is not None:
        chosen = WRITERS[form].encoding if encoding is None else ENCODINGS[encoding]
        ending, content = WRITERS[form].ending(chosen), partial(answering.answers_as_record, WRITERS[form], chosen)
    inputs = given.inputs
    results = given.results("explain", ending, content, output, Voice.of(languages[-1]))
    written = RecordFiles(WRITERS[form], output, encoding) if form and not given.per_file else None
    kind = "record" if form else "json" if jsonl else "text"
    threads, jobs = threads_and_processes(inputs, jobs)
    is_named = bool(given.files) or len(given.sfens) > 1
    wanted = ExplainOptions(**explaining, threads=threads)
    answerer = partial(_ExplanationAnswerer, wanted, languages, every_try, kind, is_named)

    def written_out(number: int, answer: _ExplanationAnswer) -> PrintedAnswer:
        if written is not None and answer.record is not None:
            written.write(str(number if answer.id is None else answer.id), answer.record)
        return answer

    try:
        good = print_answers(inputs, jobs, answerer, given.skip, results=results, finish=written_out)
    except click.exceptions.Exit:  # interrupted
        if written is not None:
            written.break_off()
        raise
    if written is not None:
        written.close()
    options.exit_with_status(good)


@dataclass(frozen=True)
class _ExplanationAnswer(PrintedAnswer):
    """An answer; as a record, if a file is to be written, which may be named after the ``id``."""

    record: GameRecord | None = None
    id: int | str | None = None


@dataclass(frozen=True)
class _ExplanationAnswerer:
    """Explains positions as ``text``, as ``json`` or as a ``record``.

    ``is_named``: a text begins with the place and the SFEN of its position, as there may be others.
    """

    wanted: ExplainOptions
    languages: list[Language]
    every_try: bool
    kind: str
    is_named: bool

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.wanted)

    def __call__(self, given: Entry) -> _ExplanationAnswer:
        """Return what is printed or written about a position."""
        entry = entry_with_start_faults(given)
        parsed = entry.judged
        found = unreadable_explanation(options.NOT_PARSED) if parsed is None else self._explainer.explain(parsed)
        judgement, explanation = found.judgement, found.explanation
        told, record = "", None
        if self.kind == "record":
            if entry.parsed is not None:
                start = ParsedSfen(entry.parsed.position)  # files have the attacker as Black
                sentences = ExplanationText(judgement, explanation, start, self.languages[0], self.every_try)
                record = entry.record or GameRecord(start.position, title=entry.title)
                record = annotated_record(record, sentences)
        else:
            from tsume.uses.commenting import comment_on_explanation

            remarks = comment_on_explanation(self._explainer.engine, found)
            comments = {name: comment_text(remarks, found.parsed.position, name) for name in self.languages}
            texts = {
                name: [] if parsed is None else explanation_lines(
                    judgement, explanation, parsed, name, every_try=self.every_try, comment=comment
                )
                for name, comment in comments.items()
            }  # fmt: skip
            if self.kind == "json":
                error = None if parsed else entry.error
                fields = {**found.to_json(), "comment": comments, "text": texts, "error": error}
                told = options.json_text(**entry.names, sfen=entry.sfen, **fields)
            elif parsed is not None:
                told = "\n\n".join("\n".join(lines) for lines in texts.values())
                if self.is_named:
                    told = f"{entry.place}: {entry.sfen}\n{told}\n"
        unread = parsed is None or (self.kind == "record" and record is None)
        fault = complaint_line(entry.place, entry.error) if unread else ""
        good = explanation.complete and not judgement.unresolved and entry.parsed is not None
        known = good or (parsed is not None and entry.parsed is None)
        outcome = "unreadable" if parsed is None else "explained" if known else "unresolved"
        return _ExplanationAnswer(told, fault, good, outcome, record, entry.id)


_NOTHING: dict[str, Any] = {"result": "invalid", "length": None, "line": "", "complete": False, "turns": []}


@click.command()
@options.position_inputs
@options.languages_option(of_files=False)
@options.flag("--all-answers", help="Follow every answer to the mating checks, not only the best one.")
@click.option("--max-turns", type=click.IntRange(1, options.MAX_NUMBER), default=TREE.most_turns, show_default=True,
              help="Maximum number of turns in the tree.")  # fmt: skip
@click.option(
    "--proof-nodes", type=click.IntRange(0, options.MAX_NUMBER), default=TREE.proof_nodes, show_default=True,
    help="Nodes for proving that checks fail at any length; the rest are refuted up to a bound.",
)  # fmt: skip
@options.seconds_option(60.0)
@options.memory_option
@answering.batch_options(answering.THREADS_OF_ONE)
@options.jsonl_option("position")
def tree(
    inputs: PositionInputs, languages: list[Language], max_turns: int, jobs: int | None, skip: int, jsonl: bool,
    **building: Any,
) -> None:  # fmt: skip
    """Show the tree of the solution: every check at every turn, and the answer to it.

    The tree follows each check that mates and its best answer to the next turn. Exits with status 1 if
    a position is invalid or unresolved, or if its tree was cut short.
    """
    threads, jobs = threads_and_processes(inputs, jobs)
    builder = ReplyTreeBuilder(TreeOptions(**building, threads=threads, most_turns=max_turns))
    answerer = partial(partial, _tree_answer, builder, languages, jsonl)
    options.exit_with_status(print_answers(inputs, jobs, answerer, skip))


def _tree_answer(builder: ReplyTreeBuilder, languages: list[Language], jsonl: bool, given: Entry) -> PrintedAnswer:
    entry = entry_with_start_faults(given)
    parsed = entry.judged
    found = None if parsed is None else builder.solution(parsed)
    fault = entry.error if parsed is None else ""
    told = ""
    if jsonl:
        fields = found.to_json() if found else _NOTHING
        told = options.json_text(**entry.names, sfen=entry.sfen, **fields, error=fault or None)
    elif found is not None and parsed is not None:
        texts = [
            tree_lines(found.tree, parsed, name) if found.tree
            else illegal_start_lines(found.judgement, parsed, name)
            for name in languages
        ]  # fmt: skip
        told = "\n\n".join("\n".join(lines) for lines in texts)
    good = found is not None and found.complete
    return PrintedAnswer(told, "" if found else complaint_line(entry.place, fault), good)
