"""``tsume tree``"""

from __future__ import annotations

from typing import Any

import click

from tsume.commands.options import MOST, jsonl_option, languages_option, memory_option, seconds_option
from tsume.growing import Grower
from tsume.inputs import Inputs, complain, position_arguments, with_start_faults
from tsume.language.catalogue import Language
from tsume.output import print_json, print_line
from tsume.reports.reply_tree import tree_fields, tree_lines

_NOTHING: dict[str, Any] = {"result": "invalid", "length": None, "line": "", "complete": False, "turns": []}


@click.command()
@position_arguments
@languages_option
@click.option(
    "--all-answers", is_flag=True, help="Follow every answer to the checks that mate, not only the best."
)
@click.option("--max-turns", type=click.IntRange(1, MOST), default=1000, show_default=True,
              help="Make at most this many turns.")  # fmt: skip
@click.option(
    "--proof-nodes", type=click.IntRange(0, MOST), default=400_000, show_default=True,
    help="Nodes for proofs that checks fail at any length; the rest is refuted within a bound.",
)  # fmt: skip
@seconds_option(60.0)
@memory_option
@jsonl_option("position")
@click.pass_context
def tree(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    languages: list[Language],
    all_answers: bool,
    max_turns: int,
    proof_nodes: int,
    seconds: float,
    memory: int,
    jsonl: bool,
) -> None:
    """Show the tree to play against: every check at every turn, and the answer to it.

    The tree follows each check that mates, and the best answer to it, to the turn after it. Exits 1
    when a position is invalid, unresolved, or its tree was cut short.
    """
    inputs = Inputs(sfens, files)
    grower = Grower(seconds, memory, most_turns=max_turns, all_answers=all_answers, proof_nodes=proof_nodes)
    good = True
    for entry in map(with_start_faults, inputs):
        if entry.parsed is None:
            complain(entry.place, entry.error)
        found = None if entry.parsed is None else grower.tree(entry.parsed.position)
        good &= found is not None and found.complete
        if jsonl:
            fields = tree_fields(found, entry.parsed) if found and entry.parsed else _NOTHING
            print_json(**entry.names, sfen=entry.sfen, **fields, error=entry.error or None)
        elif found is not None and entry.parsed is not None:
            texts = [tree_lines(found, entry.parsed, name) for name in languages]
            print_line("\n\n".join("\n".join(lines) for lines in texts))
    context.exit(0 if good and not inputs.unreadable else 1)
