# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker of a page answers without a server: the same as the jobs and the commands.

This module is translated to JavaScript with all that it needs (`browser`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from generator.constraints.options import ComposingOptions, WalkOptions
from generator.learned.search import stored_network
from generator.problem import STORED
from tsume.files.entries import pasted_entries
from tsume.reports.explanation import explanation_lines
from tsume.reports.notation import usi_line
from tsume.uses.checking import BOARD, CheckedPosition, Checker, CheckOptions
from tsume.uses.checking import COMMAND as CHECK
from tsume.uses.composing import generator_table_bits
from tsume.uses.engines import EngineOptions, df_pn_engine
from tsume.uses.explaining import COMMAND as EXPLAIN
from tsume.uses.explaining import Explainer, ExplainOptions
from tsume.uses.games import GameAnswerer, GamesOptions, SearchedGame, exercise_positions
from tsume.uses.solving import COMMAND as SOLVE
from tsume.uses.solving import SolveOptions, Solver
from tsume.uses.trees import BOARD as BOARD_TREE
from tsume.uses.trees import COMMAND as TREE
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web import rendered
from tsume.web.work.forms import checked_fields
from tsume.web.work.positions import COMPOSING_SECONDS, EnrichingJob, GeneratingJob, MendingJob
from tsume.web.work.results import SECONDS, Event, Report, WorkerContext, ignore_event
from tsume.web.work.trees import PlayedMovesJob, PositionJob, TreeJob
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import start_faults
from tsume_rules.position import parse_square
from tsume_rules.sfen import ParsedSfen, format_sfen, parse_placement, parse_sfen

# --- reading and writing texts of problems in the worker of a page; nothing is searched ------------

Fields = dict[str, Any]


def reading_answer(fields: Fields) -> Fields:
    """Return the first problem of a text; of one that cannot be read, why: ``error`` and ``code``."""
    try:
        return rendered.rendered_reading(fields["text"])
    except rendered.UnreadableText as error:
        return {"error": str(error), "code": error.code}


def kif_answer(fields: Fields) -> Fields:
    """KIF of a position, its line, its ``title`` and ``author``.

    Raises ValueError for what cannot be read or played.
    """
    parsed = parse_sfen(fields["sfen"])
    line = tuple(parsed.outward(parse_move(move)) for move in fields.get("line", []))
    return {"text": rendered.kif_text(parsed.position, line, fields.get("title", ""), fields.get("author", ""))}


def diagram_answer(fields: Fields) -> Fields:
    """SVG of a position, legal or not, with its words in a language (``ja``)."""
    parsed = parse_placement(fields["sfen"])
    return {"text": rendered.diagram_svg(parsed.position, (), fields.get("language", "ja"))}


# --- what the worker of a page answers without a server --------------------------------------------


class BrowserAnswers:
    """Answers queries by one engine within ``memory`` MB. No answer depends on earlier ones."""

    def __init__(self, memory: int) -> None:
        self._engine = df_pn_engine(EngineOptions(memory << 20))
        self._memory = memory
        self._report: Report = ignore_event
        self._kinds: dict[str, Callable[[Fields], Fields]] = {
            "check": self._check,
            "commentary": self._commentary,
            "diagram": diagram_answer,
            "exercise": self._exercise,
            "explain": self._explain,
            "judgement": lambda fields: rendered.rendered_judgement(self._checked(BOARD, fields)),
            "kif": kif_answer,
            "play_tree": lambda fields: self._played(TreeJob, fields),
            "position": lambda fields: self._played(PositionJob, fields),
            "reading": reading_answer,
            "solve": self._solve,
            "tree": self._tree,
        }
        self._streams: dict[str, Callable[[Fields], Iterator[Event]]] = {
            "enrich": self._enrich,
            "games": self._games,
            "generate": self._generate,
            "mend": self._mend,
        }

    def answer(self, kind: str, fields: Fields) -> Fields:
        """Return the answer to a query. Raises ValueError for one that cannot be understood."""
        _require_known(kind, self._kinds)
        given = checked_fields(kind, fields)
        self._engine.forget()
        return self._kinds[kind](given)

    def events(self, kind: str, fields: Fields, report: Report = ignore_event) -> Iterator[Event]:
        """The events of a query that is answered by a stream; those that come during a step go to ``report``.

        Raises ValueError as `answer` does.
        """
        _require_known(kind, self._streams)
        given = checked_fields(kind, fields)
        self._engine.forget()
        self._report = report
        return self._streams[kind](given)

    # --- what the commands print ------------------------------------------------------------------

    def _solve(self, fields: Fields) -> Fields:
        parsed = _legal(fields)
        seconds = fields.get("seconds", SOLVE.seconds)
        options = SolveOptions(seconds, fields.get("nodes"), fields.get("max_length"))
        return {"sfen": fields["sfen"], **Solver(options, self._engine).solve(parsed).to_json()}

    def _check(self, fields: Fields) -> Fields:
        options = replace(CHECK, all_findings=bool(fields.get("all_findings")), appraised=True)
        return {"sfen": fields["sfen"], **self._checked(options, fields).to_json()}

    def _tree(self, fields: Fields) -> Fields:
        options = replace(
            TREE, seconds=fields.get("seconds", TREE.seconds), all_answers=bool(fields.get("all_answers")),
            most_turns=fields.get("most_turns", TREE.most_turns),
        )  # fmt: skip
        found = ReplyTreeBuilder(options, self._engine).solution(parse_placement(fields["sfen"]))
        return {"sfen": fields["sfen"], **found.to_json()}

    def _explain(self, fields: Fields) -> Fields:
        parsed = parse_placement(fields["sfen"])
        explainer = Explainer(ExplainOptions(fields.get("seconds", EXPLAIN.seconds)), self._engine)
        found = explainer.explain(parsed, _line(fields, parsed))
        texts = {
            language: explanation_lines(found.judgement, found.explanation, parsed, language, every_try=False)
            for language in fields.get("languages", ["ja"])
        }
        return {"sfen": fields["sfen"], **found.to_json(), "text": texts}

    def _checked(self, options: CheckOptions, fields: Fields) -> CheckedPosition:
        parsed, seconds = parse_placement(fields["sfen"]), fields.get("seconds", options.seconds)
        return Checker(options, self._engine).check(parsed, _line(fields, parsed), fields.get("moves"), seconds)

    # --- what the server answers ------------------------------------------------------------------

    def _commentary(self, fields: Fields) -> Fields:
        parsed = _legal(fields)
        context = self._context(fields.get("seconds", SECONDS))
        tree = context.builder.build(parsed.position, only_line=True)
        return rendered.rendered_commentary(parsed.position, _line(fields, parsed), tree)

    def _exercise(self, fields: Fields) -> Fields:
        """Return the exercise that a mate of a game makes, with its length; ``sfen`` is None if it makes none."""
        checker = Checker(BOARD, self._engine)
        for position in exercise_positions(_legal(fields).position, self._engine, GamesOptions().max_moves):
            judgement = checker.judge(position, seconds=fields.get("seconds", SECONDS))
            if judgement.grade in STORED:
                return {"sfen": format_sfen(position), "length": judgement.length}
        return {"sfen": None, "length": None}

    def _played(self, kind: type[PlayedMovesJob], fields: Fields) -> Fields:
        seconds = fields.get("seconds", SECONDS)
        moves = tuple(map(parse_move, fields.get("moves", [])))
        found, _ = kind(fields["sfen"], fields["length"], moves, seconds).fields(self._context(seconds))
        return found

    def _mend(self, fields: Fields) -> Iterator[Event]:
        job = MendingJob(**_change(fields), **_given(fields, "moves", "edits", "count"))
        return job.events(self._context(job.limit))

    def _enrich(self, fields: Fields) -> Iterator[Event]:
        job = EnrichingJob(**_change(fields), **_given(fields, "edits", "count", "plies"))
        return job.events(self._context(job.limit))

    def _games(self, fields: Fields) -> Iterator[Event]:
        """Yield each game of a text with its mates, its first position and its moves, then the end."""
        options = GamesOptions(**_given(fields, "max_moves", "nodes"))
        answerer = GameAnswerer(options, self._engine)
        for entry in pasted_entries(fields["text"], 0)[1]:
            try:
                found = answerer.answer(entry)
            except ValueError as error:
                yield {"event": "game", **SearchedGame(0, (), (), str(error)).to_json()}
                continue
            yield {
                "event": "game", **found.game.to_json(), "headers": found.headers, "sfen": found.parsed.sfen,
                "line": usi_line(found.parsed, found.entry.line[: found.game.moves]),
            }  # fmt: skip
        yield {"event": "end", "complete": True}

    def _generate(self, fields: Fields) -> Iterator[Event]:
        """Raises an error of its own if the network is needed and the page has not sent it."""
        given = _given(fields, "natural", "sound", "stars", "pieces", "line", "last", "mate_on")
        limit, themes = fields.get("seconds", COMPOSING_SECONDS), tuple(fields.get("themes", []))
        count, seed = fields.get("count", 1), fields.get("seed", 0)
        job = GeneratingJob(fields["moves"], count, seed, **given, themes=themes, limit=limit)
        kind = ComposingOptions if fields.get("network", True) else WalkOptions
        options = job.options(generator_table_bits(self._memory), kind)
        if options.uses_network:
            stored_network()
        return job.events(self._context(limit), options)

    def _context(self, seconds: float) -> WorkerContext:
        """Return what the server's jobs work with, by the one engine."""
        builder = ReplyTreeBuilder(replace(BOARD_TREE, seconds=seconds), self._engine)
        checker = Checker(BOARD, self._engine)
        return WorkerContext(self._memory, builder, lambda: None, self._report, checker)


def _require_known(kind: str, kinds: dict[str, Any]) -> None:
    if kind not in kinds:
        raise ValueError(f"{kind}: unknown query; known are {', '.join(kinds)}")


def _given(fields: Fields, *names: str) -> Fields:
    """Return the fields of these names that were given; of the others the defaults count."""
    return {name: fields[name] for name in names if name in fields}


def _change(fields: Fields) -> Fields:
    """Return what repairs and improvements begin with."""
    parsed = parse_placement(fields["sfen"])
    keep = parsed.seen_by_attacker(map(parse_square, fields.get("keep", [])))
    limit = fields.get("seconds", SECONDS)
    return {"parsed": parsed, "line": _line(fields, parsed), "keep": keep, "limit": limit}


def _legal(fields: Fields) -> ParsedSfen:
    """Return the position of a query. Raises ValueError unless its start is legal."""
    parsed = parse_sfen(fields["sfen"])
    if faults := start_faults(parsed.position):
        raise ValueError(f"sfen: {'; '.join(faults)}")
    return parsed


def _line(fields: Fields, parsed: ParsedSfen) -> tuple[Move, ...]:
    """Return the line of a query as moves of ``parsed.position``; `outward`, a half turn, leads there too."""
    return tuple(parsed.outward(parse_move(move)) for move in fields.get("line", []))


answers: list[BrowserAnswers] = []
"""The answers of the worker, made when it starts."""


def start(memory: int) -> None:
    """Make the engine, within ``memory`` MB."""
    answers[:] = [BrowserAnswers(memory)]


def answer_query(kind: str, fields: Fields) -> Fields:
    """Return the answer to a query."""
    return answers[0].answer(kind, fields)


def query_events(kind: str, fields: Fields, report: Report = ignore_event) -> Iterator[Event]:
    """The events of a query that is answered by a stream; those that come during a step go to ``report``."""
    return answers[0].events(kind, fields, report)
