"""``tsume explain``"""

from __future__ import annotations

from typing import Any

import click

from solver.explaining.explanation import Explanation
from solver.results import Judgement, Limits, Verdict
from tsume.commands.options import jsonl_option, memory_option, seconds_option
from tsume.inputs import Entry, Inputs, complain, position_arguments, with_start_faults
from tsume.output import print_json, print_line, usi_line
from tsume.reports.explanation import explanation_fields, explanation_lines
from tsume.reports.explanation_phrases import LANGUAGES, Language


@click.command()
@position_arguments
@click.option("--lang", "language", type=click.Choice([*LANGUAGES, "both"]), default="ja",
              show_default=True, help="The language of the text: Japanese, English, or both.")  # fmt: skip
@click.option(
    "--all", "every_try", is_flag=True, help="Say how each check fails, not only a few at each turn."
)
@seconds_option(60.0)
@memory_option
@jsonl_option("position")
@click.pass_context
def explain(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    language: str,
    every_try: bool,
    seconds: float,
    memory: int,
    jsonl: bool,
) -> None:
    """Explain the solution: how each answer is mated, and why each other check fails.

    A position that mates but is not a correct problem is explained too; its defects are named
    first (`tsume check` shows them). Exits 1 when a position is invalid, unresolved or not
    explained to the end.
    """
    inputs = Inputs(sfens, files)
    explainer = _Explainer(seconds, memory)
    languages = [name for name in LANGUAGES if language in (name, "both")]
    good = True
    for entry in map(with_start_faults, inputs):
        if entry.parsed is None:
            complain(entry.place, entry.error)
        judgement, explanation = explainer.explain(entry)
        good &= entry.parsed is not None and explanation.complete and not judgement.unresolved
        text = {name: _lines(entry, judgement, explanation, name, every_try) for name in languages}
        if jsonl:
            print_json(**_fields(entry, judgement, explanation, text))
        elif entry.parsed is not None:
            print_line("\n\n".join("\n".join(lines) for lines in text.values()))
    context.exit(0 if good and not inputs.unreadable else 1)


class _Explainer:
    def __init__(self, seconds: float, memory: int) -> None:
        self._seconds = seconds
        self._memory = memory
        self._engine: Any = None

    def explain(self, entry: Entry) -> tuple[Judgement, Explanation]:
        if entry.parsed is None:
            return Judgement(Verdict.ILLEGAL_START), Explanation((), ())
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.explaining.explain import explain
        from solver.judging.judge import Judge

        if self._engine is None:
            self._engine = DfPnEngine(table_bits=table_bits_within(self._memory << 20))
        self._engine.forget()  # so that an explanation does not depend on earlier positions
        position = entry.parsed.position
        with self._engine.within(Limits(seconds=self._seconds)):
            judgement = Judge(self._engine).judge(position)
            if judgement.length is None and not judgement.verdict:
                return judgement, Explanation((), (), complete=False)
            return judgement, explain(self._engine, position, judgement.line)


def _lines(
    entry: Entry, judgement: Judgement, explanation: Explanation, language: Language, every_try: bool
) -> list[str]:
    if entry.parsed is None:
        return []
    return explanation_lines(judgement, explanation, entry.parsed, language, every_try=every_try)


def _fields(
    entry: Entry, judgement: Judgement, explanation: Explanation, text: dict[Language, list[str]]
) -> dict[str, Any]:
    line = usi_line(entry.parsed, judgement.line) if entry.parsed else []
    explained = {"complete": False, "turns": []}
    if entry.parsed:
        explained = explanation_fields(explanation, entry.parsed)
    return {
        "sfen": entry.sfen,
        "correct": judgement.correct,
        "defects": judgement.verdict.names,
        "unresolved": judgement.unresolved,
        "length": judgement.length,
        "line": line,
        **explained,
        "text": text,
        "error": entry.error or None,
    }
