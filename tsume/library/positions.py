"""What is asked about one position: its mate, its judgement, the tree to play against."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from solver.results import Interposition, Limits, Mate, NoMate
from tsume.appraisal import appraisal_fields
from tsume.engines import DEFAULT_MEMORY, EngineOptions, make_engine
from tsume.growing import Grower
from tsume.inputs import Entry, read_entry, with_start_faults
from tsume.library.answers import Answer, Check, Judged, Solution, Tree, Turn
from tsume.library.limits import require_memory
from tsume.output import usi_line
from tsume.reports.judgement import best_line, judgement_fields
from tsume.reports.reply_tree import tree_fields
from tsume.warmup import Part, warm_up_silently
from tsume_rules.moves import parse_move
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

_LOCAL = threading.local()


def solve(
    sfen: str,
    *,
    max_moves: int | None = None,
    nodes: int | None = None,
    seconds: float = 30.0,
    memory: int = DEFAULT_MEMORY,
    count_futile: bool = False,
) -> Solution:
    """The shortest mate of a position, of at most ``max_moves`` plies, and its best line.

    ``count_futile``: futile interpositions (無駄合) count as moves.
    """
    parsed = _start(sfen)
    from solver.solving.solve import solve as solve_position

    engine = _engine(memory, Interposition.COUNT_ALL if count_futile else Interposition.NARROW)
    before = engine.nodes
    found = solve_position(parsed.position, Limits(nodes, seconds, max_moves), engine)
    spent = engine.nodes - before
    if isinstance(found, Mate):
        return Solution("mate", found.length, tuple(usi_line(parsed, found.line)), spent)
    if isinstance(found, NoMate):
        return Solution("no_mate", nodes=spent)
    within = max(0, found.no_mate_within)
    limit = found.reason.value
    return Solution(
        "unresolved", nodes=spent, limit=limit, no_mate_within=within, mate_within=found.mate_within
    )


def check(
    sfen: str,
    *,
    line: Sequence[str] = (),
    moves: int | None = None,
    all_findings: bool = False,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Judged:
    """The judgement of a position as a problem of ``moves`` plies, or of any length.

    ``line`` is the composer's, in USI; it may also follow the SFEN after ``moves``. Only what the grade needs
    is examined, with ``all_findings`` everything.
    """
    entry = _read(sfen)
    assert entry.parsed is not None
    given = tuple(entry.parsed.outward(parse_move(usi)) for usi in line) or entry.line
    warm_up_silently(Part.ENGINE, Part.LIKENESS)
    from solver.judging.judge import Judge, Rigour

    engine = _engine(memory)
    judge = Judge(engine, Rigour(all_findings=all_findings))
    judgement = judge.judge(entry.parsed.position, moves, Limits(seconds=seconds), line=given)
    fields = {
        **judgement_fields(judgement, entry.parsed),
        **appraisal_fields(entry.parsed.position, best_line(judgement), engine),
    }
    return Judged(**{name: _frozen(value) for name, value in fields.items()})


def tree(
    sfen: str,
    *,
    all_answers: bool = False,
    max_turns: int = 1000,
    proof_nodes: int = 250_000,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Tree:
    """The tree to play against: every check at every turn, and the answers to it.

    It has at most ``max_turns`` turns. ``all_answers``: every answer to a check that mates leads to a turn,
    not only the best. ``proof_nodes`` are for proofs that checks fail at any length.
    """
    parsed = _start(sfen)
    require_memory(memory)
    options = {"most_turns": max_turns, "all_answers": all_answers, "proof_nodes": proof_nodes}
    fields = tree_fields(Grower(seconds, memory, **options).tree(parsed.position), parsed)
    turns = tuple(_turn(turn) for turn in fields["turns"])
    return Tree(**{**fields, "line": _words(fields["line"]), "turns": turns})


def _read(sfen: str) -> Entry:
    entry = read_entry(sfen, "sfen")
    if entry.parsed is None:
        raise ValueError(" ".join(entry.error.split()))
    return entry


def _start(sfen: str) -> ParsedSfen:
    """Raises ValueError for a position that is no legal start."""
    entry = _read(sfen)
    warm_up_silently(Part.ENGINE)
    entry = with_start_faults(entry)
    if entry.parsed is None:
        raise ValueError(" ".join(entry.error.split()))
    return entry.parsed


def _engine(memory: int, reading: Interposition = Interposition.NARROW) -> DfPnEngine:
    """This thread's engine, with an empty table: no answer depends on those before it."""
    require_memory(memory)
    warm_up_silently(Part.ENGINE)
    wanted = EngineOptions(memory << 20, reading)
    if getattr(_LOCAL, "options", None) != wanted:
        _LOCAL.engine = make_engine("df-pn", wanted)
        _LOCAL.options = wanted
    engine = cast("DfPnEngine", _LOCAL.engine)
    engine.forget()
    return engine


def _turn(fields: Mapping[str, Any]) -> Turn:
    checks = tuple(_check(one) for one in fields["checks"])
    return Turn(**{**fields, "path": _words(fields["path"]), "checks": checks})


def _check(fields: Mapping[str, Any]) -> Check:
    answers = (Answer(**{**one, "line": _words(one.get("line", ""))}) for one in fields.get("answers", ()))
    return Check(**{**fields, "answers": tuple(answers)})


def _words(line: str) -> tuple[str, ...]:
    return tuple(line.split())


def _frozen(value: Any) -> Any:
    """Lists as tuples; objects of JSON stay as they are."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
