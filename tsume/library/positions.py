# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries about one position: mate, judgement, difficulty, explanation, reply tree, certificates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from solver.certificates.checker import Proved
from solver.results import Interposition, Limits, Mate, NoMate
from tsume.files.writing import FileError
from tsume.language.catalogue import LANGUAGES, Language
from tsume.library.answers import (
    Answer,
    Certified,
    Check,
    Explained,
    Judged,
    Scored,
    Solution,
    Tree,
    Turn,
    result_of_fields,
)
from tsume.library.arguments import GivenMove, GivenPosition, check_arguments, read_position, read_start
from tsume.reports.explanation import explanation_fields, explanation_lines
from tsume.reports.judgement import judgement_fields
from tsume.reports.notation import usi_line
from tsume.reports.reply_tree import tree_fields
from tsume.uses.checking import (
    Checker,
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    verify_certificate,
)
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_of_thread
from tsume.uses.explaining import (
    EXPLANATION_PROOF_NODES,
    TREE_PROOF_NODES,
    TREE_TURNS,
    Explainer,
    ExplanationDepth,
    ReplyTreeBuilder,
)
from tsume.uses.scoring import SECONDS, PositionScorer, score_fields
from tsume.uses.solving import Solver
from tsume.warmup import KernelPart, warm_up_silently


def solve(
    sfen: GivenPosition,
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
    check_arguments(
        "max_moves", "nodes",
        max_moves=max_moves, nodes=nodes, seconds=seconds, memory=memory, count_futile=count_futile,
    )  # fmt: skip
    parsed, _, text = read_start(sfen)
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    engine = df_pn_of_thread(EngineOptions(memory << 20, reading))
    solver = Solver(Limits(nodes, seconds, max_moves), engine=engine)
    solved = solver.solve(parsed.position)
    found, spent = solved.result, solved.nodes
    if isinstance(found, Mate):
        return Solution(text, "mate", found.length, tuple(usi_line(parsed, found.line)), spent)
    if isinstance(found, NoMate):
        return Solution(text, "no_mate", nodes=spent)
    within = max(0, found.no_mate_within)
    limit = found.reason.value
    return Solution(
        text, "unresolved", nodes=spent, limit=limit, no_mate_within=within, mate_within=found.mate_within
    )


def check(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    moves: int | None = None,
    all_findings: bool = False,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Judged:
    """The judgement of a position as a problem of ``moves`` plies, or of any length.

    ``line`` is the composer's, in USI; it may also follow the SFEN after ``moves``. Only what the grade needs
    is examined, with ``all_findings`` everything.
    """
    check_arguments("moves", moves=moves, all_findings=all_findings, seconds=seconds, memory=memory)
    parsed, given, text = read_position(sfen, line, judged=True)
    warm_up_silently(KernelPart.ENGINE, KernelPart.LIKENESS)
    checker = Checker(all_findings=all_findings, engine=df_pn_of_thread(EngineOptions(memory << 20)))
    judgement = checker.check(parsed.position, moves, given, seconds)
    appraisal = checker.appraise(parsed.position, judgement)
    fields = {"sfen": text, **judgement_fields(judgement, parsed), **asdict(appraisal)}
    return result_of_fields(Judged, fields)


def score(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    seconds: float = SECONDS,
    memory: int = DEFAULT_MEMORY,
) -> Scored:
    """The difficulty, quality and likeness of a position that mates, within ``seconds``.

    ``line`` is the composer's, in USI; it counts if it is a best one. It may also follow the SFEN after
    ``moves``.
    """
    check_arguments(seconds=seconds, memory=memory)
    parsed, given, text = read_position(sfen, line, legal=True)
    warm_up_silently(KernelPart.ENGINE, KernelPart.LIKENESS)
    try:
        found = PositionScorer(memory, seconds=seconds).score(parsed.position, given)
    except ValueError as error:  # no mate, or a limit
        return Scored(text, error=str(error))
    return result_of_fields(Scored, {"sfen": text, **score_fields(found)})


def explain(
    sfen: GivenPosition,
    *,
    every_try: bool = False,
    only_answers: bool = False,
    proof_nodes: int = EXPLANATION_PROOF_NODES,
    languages: Sequence[Language] = LANGUAGES,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Explained:
    """The judgement of a position, how each answer is mated, and why each other check fails.

    ``every_try``: the text says of each check how it fails, not only of a few at each turn. ``only_answers``:
    whether an answer is the only one that refutes a check is asked too. ``proof_nodes`` are for proofs that
    checks fail at any length.
    """
    check_arguments(
        every_try=every_try, only_answers=only_answers, proof_nodes=proof_nodes, languages=languages,
        seconds=seconds, memory=memory,
    )  # fmt: skip
    parsed, _, text = read_position(sfen, judged=True)
    explainer = Explainer(seconds, memory, ExplanationDepth(only_answers, proof_nodes))
    judgement, explanation = explainer.explain(parsed.position)
    texts = {
        name: tuple(explanation_lines(judgement, explanation, parsed, name, every_try=every_try))
        for name in languages
    }
    judged = judgement_fields(judgement, parsed)
    fields = {"sfen": text, **judged, **explanation_fields(explanation, parsed), "text": texts}
    return result_of_fields(Explained, fields)


def tree(
    sfen: GivenPosition,
    *,
    all_answers: bool = False,
    max_turns: int = TREE_TURNS,
    proof_nodes: int = TREE_PROOF_NODES,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Tree:
    """The tree to play against: every check at every turn, and the answers to it.

    It has at most ``max_turns`` turns. ``all_answers``: every answer to a check that mates leads to a turn,
    not only the best. ``proof_nodes`` are for proofs that checks fail at any length.
    """
    check_arguments(
        all_answers=all_answers, max_turns=max_turns, proof_nodes=proof_nodes, seconds=seconds, memory=memory
    )
    parsed, _, text = read_start(sfen)
    builder = ReplyTreeBuilder(
        seconds, memory, most_turns=max_turns, all_answers=all_answers, proof_nodes=proof_nodes
    )
    fields = tree_fields(builder.build(parsed.position), parsed)
    turns = tuple(_turn_of_fields(turn) for turn in fields["turns"])
    return Tree(**{**fields, "sfen": text, "line": _moves_of_line(fields["line"]), "turns": turns})


def _turn_of_fields(fields: Mapping[str, Any]) -> Turn:
    checks = tuple(_check_of_fields(one) for one in fields["checks"])
    return Turn(**{**fields, "path": _moves_of_line(fields["path"]), "checks": checks})


def _check_of_fields(fields: Mapping[str, Any]) -> Check:
    answers = (
        Answer(**{**one, "line": _moves_of_line(one.get("line", ""))}) for one in fields.get("answers", ())
    )
    return Check(**{**fields, "answers": tuple(answers)})


def _moves_of_line(line: str) -> tuple[str, ...]:
    return tuple(line.split())


# --- certificates: a judgement and a file that proves it, and what a file proves -------------------


def certify(
    sfen: GivenPosition,
    path: str,
    *,
    line: Sequence[GivenMove] = (),
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> str | None:
    """Judge a position and write a file that proves the judgement, if anything can be proved.

    Returns what is left out and why, None if everything is in the file. To judge and to write may take
    ``seconds`` each. Raises ValueError also if the file cannot be written.
    """
    check_arguments(path=path, seconds=seconds, memory=memory)
    parsed, given, _ = read_position(sfen, line, legal=True)
    warm_up_silently(KernelPart.ENGINE)
    engine = df_pn_of_thread(EngineOptions(memory << 20))
    judgement = Checker(all_findings=False, engine=engine).check(parsed.position, None, given, seconds)
    left = None
    try:
        with suppress(NothingCertified), certificate_for_writing(Path(path), lambda _: None) as certifier:
            left = certifier.add(engine, parsed.position, judgement, seconds)
    except FileError as error:
        raise ValueError(f"path: {error.message}") from None
    return left


def verify(path: str, *, jobs: int = 1) -> tuple[Certified, ...]:
    """What a certificate proves, problem by problem. Raises ValueError if it is none or proves nothing."""
    check_arguments(path=path, jobs=jobs)
    warm_up_silently(KernelPart.ENGINE)
    try:
        return tuple(map(_certified, verify_certificate(Path(path), jobs)))
    except UnusableCertificate as error:
        raise ValueError(f"path: {error}") from None


def _certified(proved: Proved) -> Certified:
    return Certified(**asdict(proved))
