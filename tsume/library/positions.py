# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries about one position: mate, judgement, difficulty, explanation, reply tree, certificates; mates of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from solver.results import Interposition, Unresolved
from tsume.files.entries import Entry, pasted_entries
from tsume.files.writing import FileError
from tsume.language.catalogue import LANGUAGES, Language
from tsume.library import answers
from tsume.library.answers import CertifiedProblem, Explanation, Judgement, Solution, Tree, Turn
from tsume.library.arguments import GivenMove, GivenPosition, check_arguments, read_position
from tsume.reports.explanation import comment_text, explanation_lines
from tsume.uses import checking
from tsume.uses.commenting import comment_on_explanation
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_of_thread
from tsume.uses.explaining import COMMAND as EXPLAIN
from tsume.uses.explaining import Explainer, ExplainOptions
from tsume.uses.games import GameAnswerer, GamesOptions
from tsume.uses.scoring import SECONDS, NoScore, PositionScore, PositionScorer, ScoreOptions
from tsume.uses.solving import SolveOptions, Solver
from tsume.uses.trees import COMMAND as TREE
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions


def solve(
    sfen: GivenPosition,
    *,
    max_moves: int | None = None,
    nodes: int | None = None,
    seconds: float = 30.0,
    memory: int = DEFAULT_MEMORY,
    count_futile: bool = False,
) -> Solution:
    """Return the shortest mate of a position, of at most ``max_moves`` plies, and its best line.

    ``count_futile``: futile interpositions (無駄合) count as moves.
    """
    check_arguments(
        "max_moves", "nodes",
        max_moves=max_moves, nodes=nodes, seconds=seconds, memory=memory, count_futile=count_futile,
    )  # fmt: skip
    parsed, _, text = read_position(sfen, legal=True)
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    engine = df_pn_of_thread(EngineOptions(memory << 20, reading))
    solved = Solver(SolveOptions(seconds, nodes, max_moves), engine).solve(parsed)
    found = solved.result
    bounds: dict[str, Any] = {}
    if isinstance(found, Unresolved):
        within = max(0, found.no_mate_within)
        bounds = {"limit": found.reason.value, "no_mate_within": within, "mate_within": found.mate_within}
    return Solution.of_json(solved.to_json(), sfen=text, **bounds)


def check(
    sfen: GivenPosition,
    *,
    line: Sequence[GivenMove] = (),
    moves: int | None = None,
    all_findings: bool = False,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Judgement:
    """Return the judgement of a position as a problem of ``moves`` plies, or of any length.

    ``line`` is the composer's, in USI; it may also follow the SFEN after ``moves``. Only what the grade needs
    is examined, with ``all_findings`` everything.
    """
    check_arguments("moves", moves=moves, all_findings=all_findings, seconds=seconds, memory=memory)
    parsed, given, text = read_position(sfen, line, judged=True)
    options = replace(checking.COMMAND, seconds=seconds, all_findings=all_findings, appraised=True)
    checker = checking.Checker(options, df_pn_of_thread(EngineOptions(memory << 20)))
    return Judgement.of_json(checker.check(parsed, given, moves).to_json(), sfen=text)


def score(
    sfen: GivenPosition, *, line: Sequence[GivenMove] = (), seconds: float = SECONDS, memory: int = DEFAULT_MEMORY
) -> answers.Score:
    """Return the difficulty, quality and likeness of a position that mates, within ``seconds``.

    ``line`` is the composer's, in USI; it counts if it is a best one. It may also follow the SFEN after
    ``moves``.
    """
    check_arguments(seconds=seconds, memory=memory)
    parsed, given, text = read_position(sfen, line, legal=True)
    error = None
    try:
        found: PositionScore | NoScore = PositionScorer(ScoreOptions(seconds, memory)).score(parsed.position, given)
    except NoScore as fault:
        found, error = fault, str(fault)
    return answers.Score.of_json(found.to_json(), sfen=text, error=error)


def explain(
    sfen: GivenPosition,
    *,
    every_try: bool = False,
    only_answers: bool = False,
    proof_nodes: int = EXPLAIN.proof_nodes,
    languages: Sequence[Language] = LANGUAGES,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Explanation:
    """Return the judgement of a position, how each answer is mated, and why each other check fails.

    ``every_try``: the text says of each check how it fails, not only of a few at each turn. ``only_answers``:
    whether an answer is the only one that refutes a check is asked too. ``proof_nodes`` are for proofs that
    checks fail at any length.
    """
    check_arguments(
        every_try=every_try, only_answers=only_answers, proof_nodes=proof_nodes, languages=languages,
        seconds=seconds, memory=memory,
    )  # fmt: skip
    parsed, _, text = read_position(sfen, judged=True)
    explainer = Explainer(ExplainOptions(seconds, memory, only_answers, proof_nodes))
    found = explainer.explain(parsed)
    remarks = comment_on_explanation(explainer.engine, found)
    comments = {name: comment_text(remarks, parsed.position, name) for name in languages}
    lines = partial(explanation_lines, found.judgement, found.explanation, parsed, every_try=every_try)
    texts = {name: tuple(lines(name, comment=comment)) for name, comment in comments.items()}
    return Explanation.of_json(found.to_json(), sfen=text, comment=comments, text=texts)


def tree(
    sfen: GivenPosition,
    *,
    all_answers: bool = False,
    max_turns: int = TREE.most_turns,
    proof_nodes: int = TREE.proof_nodes,
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> Tree:
    """Return the tree to play against: every check at every turn, and the answers to it.

    It has at most ``max_turns`` turns. ``all_answers``: every answer to a check that mates leads to a turn,
    not only the best. ``proof_nodes`` are for proofs that checks fail at any length.
    """
    check_arguments(
        all_answers=all_answers, max_turns=max_turns, proof_nodes=proof_nodes, seconds=seconds, memory=memory
    )
    parsed, _, text = read_position(sfen, legal=True)
    options = TreeOptions(seconds, memory, most_turns=max_turns, proof_nodes=proof_nodes, all_answers=all_answers)
    fields = ReplyTreeBuilder(options).solution(parsed).to_json()
    line, turns = tuple(fields["line"].split()), tuple(map(Turn.of_json, fields["turns"]))
    return Tree.of_json(fields, sfen=text, line=line, turns=turns)


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
    engine = df_pn_of_thread(EngineOptions(memory << 20))
    judgement = checking.Checker(checking.COMMAND, engine).judge(parsed.position, None, given, seconds)
    left = None
    try:
        with (
            suppress(checking.NothingCertified),
            checking.certificate_for_writing(Path(path), lambda _: None) as certifier,
        ):
            left = certifier.add(engine, parsed.position, judgement, seconds)
    except FileError as error:
        raise ValueError(f"path: {error.message}") from None
    return left


def verify(path: str, *, jobs: int = 1) -> tuple[CertifiedProblem, ...]:
    """What a certificate proves, problem by problem. Raises ValueError if it is none or proves nothing."""
    check_arguments(path=path, jobs=jobs)
    try:
        return tuple(CertifiedProblem(**asdict(proved)) for proved in checking.verify_certificate(Path(path), jobs))
    except checking.UnusableCertificate as error:
        raise ValueError(f"path: {error}") from None


def games(
    records: str | Iterable[str], *, max_moves: int = GamesOptions.max_moves, nodes: int = GamesOptions.nodes,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[answers.Game]:  # fmt: skip
    """Yield the mates of at most ``max_moves`` plies that were on the board in games, one by one.

    ``records`` are texts in KIF, KI2, CSA, JKF or lines of USI (``startpos moves ...``), each of one game or several.
    """
    check_arguments(records=records, max_moves=max_moves, nodes=nodes, memory=memory)
    texts = [records] if isinstance(records, str) else records
    options = GamesOptions(max_moves, nodes, memory << 20)
    answerer = GameAnswerer(options, df_pn_of_thread(EngineOptions(options.memory)))

    def searched(text: str) -> Iterator[answers.Game]:
        check_arguments(record=text)
        try:
            entries = pasted_entries(text, 0)[1]
        except ValueError as error:
            entries = iter([Entry("", "", None, str(error))])
        for entry in entries:
            try:
                yield answers.Game.of_json(answerer.answer(entry).to_json())
            except ValueError as error:
                yield answers.Game(0, (), (), " ".join(str(error).split()))

    return (game for text in texts for game in searched(text))
