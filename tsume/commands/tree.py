"""``tsume tree``"""

from __future__ import annotations

from typing import Any

import click

from solver.explaining.reply_tree import ReplyTree
from solver.results import Limits
from tsume.commands.options import MOST, jsonl_option, memory_option, seconds_option
from tsume.inputs import Entry, Inputs, complain, position_arguments, with_start_faults
from tsume.output import print_json, print_line
from tsume.reports.explanation_phrases import LANGUAGES
from tsume.reports.reply_tree import tree_fields, tree_lines
from tsume.warmup import Part, warm_up

_NOTHING: dict[str, Any] = {"result": "invalid", "length": None, "line": "", "complete": False, "turns": []}


@click.command()
@position_arguments
@click.option("--lang", "language", type=click.Choice([*LANGUAGES, "both"]), default="ja",
              show_default=True, help="The language of the text: Japanese, English, or both.")  # fmt: skip
@click.option(
    "--all-answers", is_flag=True, help="Follow every answer to the checks that mate, not only the best."
)
@click.option("--max-turns", type=click.IntRange(1, MOST), default=1000, show_default=True,
              help="Make at most this many turns.")  # fmt: skip
@click.option(
    "--proof-nodes", type=click.IntRange(0, MOST), default=250_000, show_default=True,
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
    language: str,
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
    grower = _Grower(seconds, memory, max_turns, proof_nodes, all_answers)
    languages = [name for name in LANGUAGES if language in (name, "both")]
    good = True
    for entry in map(with_start_faults, inputs):
        if entry.parsed is None:
            complain(entry.place, entry.error)
        found = grower.tree(entry)
        good &= found is not None and found.complete
        if jsonl:
            fields = tree_fields(found, entry.parsed) if found and entry.parsed else _NOTHING
            print_json(**entry.names, sfen=entry.sfen, **fields, error=entry.error or None)
        elif found is not None and entry.parsed is not None:
            texts = [tree_lines(found, entry.parsed, name) for name in languages]
            print_line("\n\n".join("\n".join(lines) for lines in texts))
    context.exit(0 if good and not inputs.unreadable else 1)


class _Grower:
    """Makes trees, each within ``seconds`` and ``memory`` MB."""

    def __init__(
        self, seconds: float, memory: int, most_turns: int, proof_nodes: int, all_answers: bool
    ) -> None:
        self._seconds = seconds
        self._memory = memory
        self._options: dict[str, Any] = {
            "most_turns": most_turns,
            "proof_nodes": proof_nodes,
            "all_answers": all_answers,
        }
        self._engine: Any = None

    def tree(self, entry: Entry) -> ReplyTree | None:
        """The tree of a position; None if the position is invalid."""
        if entry.parsed is None:
            return None
        warm_up(Part.ENGINE)
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.explaining.reply_tree_builder import reply_tree

        if self._engine is None:
            self._engine = DfPnEngine(table_bits=table_bits_within(self._memory << 20))
        limits = Limits(seconds=self._seconds)
        return reply_tree(self._engine, entry.parsed.position, limits, **self._options)
