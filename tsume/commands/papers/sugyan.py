# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers sugyan``: the examples of Sugyan2018, put to this program."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from tsume.commands.options import memory_errors
from tsume.commands.output import print_line
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from solver.results import Difficulty
    from tsume.papers.sugyan2018.examples import ExampleFinding, ExampleOutcome, PaperExample
    from tsume.papers.sugyan2018.questions import Explained

_COLUMNS = 100
NAMES = ("shortest", "endless", "futile", "effective", "cook", "explained", "scored")


@click.command()
@click.pass_context
@click.option("--example", "names", multiple=True, type=click.Choice(NAMES),
              help="Only this example; repeatable.")  # fmt: skip
@memory_errors
def sugyan(context: click.Context, names: tuple[str, ...]) -> None:
    """Sugyan's examples: the answer of a plain df-pn solver, and what turns it into a solution.

    Prints for each example what the text says, what this program says, and whether they agree. Exits
    with status 1 if a result differs from docs/papers/sugyan2018.md.
    """
    warm_up(KernelPart.ITERATIVE)
    from tsume.papers.sugyan2018.examples import EXAMPLES, examine_example
    from tsume.progress import with_progress_bar

    chosen = [EXAMPLES[name] for name in NAMES if name in (names or NAMES)]
    unexpected = 0
    for example, outcome in with_progress_bar(((one, examine_example(one)) for one in chosen), len(chosen)):
        _print(example, outcome)
        unexpected += not outcome.as_expected
    context.exit(1 if unexpected else 0)


def _print(example: PaperExample, outcome: ExampleOutcome) -> None:
    from tsume.formats.diagram import text_diagram

    print_line(f"{example.name}: {example.title}\n")
    print_line(f"{text_diagram(example.position)}\n\nsfen {example.sfen}")
    print_line(_folded_text(f"From: {example.source}"))
    print_line(_folded_text(f"The text: {example.says}"))
    for finding in outcome.findings:
        _print_finding(finding)
    if outcome.explained is not None:
        print_line("\n".join(["", *_explanation(example, outcome.explained)]))
    if outcome.difficulty is not None:
        print_line("\n".join(["", *_features(outcome.difficulty)]))
    print_line("")


def _folded_text(text: str) -> str:
    return fill(text, _COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _print_finding(finding: ExampleFinding) -> None:
    """Print a result, and that of the text if it differs."""
    beside = "" if not finding.text else ", as in the text" if finding.agrees else ""
    print_line(f"- {finding.what}: {finding.here}{beside}")
    if not finding.agrees:
        print_line(f"    the text: {finding.text}" + (f" ({finding.why})" if finding.why else ""))
    if not finding.as_expected:
        print_line(f"    NOT AS EXPECTED: {finding.text if finding.expected is None else finding.expected}")


def _explanation(example: PaperExample, explained: Explained) -> list[str]:
    from tsume.reports.explanation import explanation_lines
    from tsume_rules.sfen import parse_sfen

    parsed = parse_sfen(example.sfen)
    return explanation_lines(explained.judgement, explained.explanation, parsed, "en", every_try=False)


def _features(difficulty: Difficulty) -> list[str]:
    """The features that are not 0."""
    return [f"  {name:24}{value:8.2f}" for name, value in difficulty.features.items() if value]
