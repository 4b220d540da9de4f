# SPDX-License-Identifier: GPL-3.0-or-later
"""From the shortlist of a root to its problems: exclude second solutions, minimise, judge, score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from generator.acceptance import KNOWN_AGAIN, Counts, Rejection, RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import MARGINS, QUICK_MARGIN, ComposingOptions
from generator.constraints.position import has_given_pieces, shows_as_required
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem, Provenance, frame_key
from generator.problem_keys import key_hash, problem_keys
from generator.quality import appraise
from generator.replay import ReplayedLine, replay_line
from generator.themes.table import ThemeProver, shown_themes, shows_details
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.judging.cooks import DecisionPoint, decision_points, refute_with_growing_nodes
from solver.judging.given import each_piece_removed
from solver.judging.grade import decision_points_along_line
from solver.judging.judge import Judge, Rigour, mirror_order, same_when_counted
from solver.results import Defect, Grade, Judgement, LimitReached, Limits
from solver.scoring.difficulty import Scorer
from solver.solving.tree import TreeBuilder, Turn
from tsume_rules.kernel.tables import DIST, GOLD, KING, PROMOTION, SILVER
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    legal_checks,
    line_played,
    pack,
    pack_move,
    start_faults,
    unpack,
    unpack_move,
)
from tsume_rules.position import Kind, Piece, Position, Side, Square
from tsume_rules.sfen import canonical

# --- the last tests of a candidate: exclude second solutions, minimise, judge ----------------------

EXCLUSION_NODES = 60_000
"""Nodes to exclude the second solutions of a problem at any length, at all its turns together."""
QUICK_EXCLUSION_NODES = 6_000
"""Nodes for a quick test, which finds most second solutions; the judge excludes the others."""
_TURNS = 100
_QUICKLY, _FULLY = (QUICK_EXCLUSION_NODES, (None, Rejection.NOT_EXCLUDED)), (0, (None,))
"""Nodes to exclude second solutions when a piece is taken away, and the results with which it may go."""


class CandidateValidator:
    """Tests candidates. All methods raise `LimitReached`.

    ``exclusion_nodes`` bounds the search for second solutions of one problem, by the judge too. He has an engine of
    his own if ``judging`` is given.
    """

    def __init__(
        self, engine: DfPnEngine, exclusion_nodes: int = EXCLUSION_NODES, judging: DfPnEngine | None = None
    ) -> None:
        self._engine = engine
        self.exclusion_nodes = exclusion_nodes
        self._judging = judging or engine
        rigour = Rigour(MARGINS, len(MARGINS), unbounded_nodes=exclusion_nodes, first_defect=True)
        self._judge = Judge(self._judging, rigour)

    def second_solution(self, packed: PackedPosition, line: Moves, nodes: int = 0) -> Rejection | None:
        """Return why a turn of the main tree may have a second solution at any length; None if none has. At most
        ``nodes`` are searched, 0: `exclusion_nodes`."""
        return self._second_solution_at(decision_points(packed, self._main_tree(packed, len(line))), packed, nodes)

    def _second_solution_at(
        self, points: list[DecisionPoint], packed: PackedPosition, nodes: int, engine: DfPnEngine | None = None
    ) -> Rejection | None:
        engine = engine or self._engine
        points = sorted(points, key=lambda point: point.turn.n)  # what refutes a check near the mate helps before it
        limits = Limits(nodes=nodes or self.exclusion_nodes)
        for cook in refute_with_growing_nodes(engine, packed, points, limits):
            with line_played(packed, cook.path):
                if not engine.leaves_same_position(packed, cook.turn.key, cook.check, cook.turn.n):
                    return Rejection.LONGER_COOK
        return Rejection.NOT_EXCLUDED if any(point.open_checks for point in points) else None

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line if the position is correct as far as quick tests show, else None. Needless pieces are
        not looked for, and second solutions may stay that were not excluded."""
        if not self.mates_in(packed, length) or not self.has_one_solution(packed, length):
            return None
        line = self.line(packed, length)
        if line is None or self.second_solution(packed, line, QUICK_EXCLUSION_NODES) is Rejection.LONGER_COOK:
            return None
        return line

    def mates_in(self, packed: PackedPosition, length: int) -> bool:
        """Return whether the shortest mate has this length."""
        if length > 1 and self._engine.mates(packed, length - 2):
            return False
        return self._engine.mates(packed, length)

    def line(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line as the judge gives it; None if only a futile interposition lasts as long."""
        line = self._main_tree(packed, length).line()
        return line if len(line) == length else None

    def _main_tree(self, packed: PackedPosition, length: int) -> Turn:
        order = mirror_order(unpack(packed, Side.ATTACKER))
        return TreeBuilder(self._engine, order=order).turn(packed, length)

    def minimised(self, packed: PackedPosition, line: Moves, *, quickly: bool = False) -> Position:
        """Return the position without its unnecessary pieces, as far as the margins show. Second solutions that come
        with fewer pieces are excluded; ``quickly``: most are found."""
        position = unpack(packed, Side.ATTACKER)
        is_same = self._same_problem(packed, line, quickly)
        start = 0
        while True:
            smaller = None
            for place, (_, reduced) in enumerate(each_piece_removed(position)):
                if place >= start and is_same(pack(reduced)) and not start_faults(reduced):
                    smaller, start = reduced, place
                    break
            if smaller is None:
                return position
            position = smaller

    def _same_problem(self, _packed: PackedPosition, line: Moves, quickly: bool) -> Callable[[PackedPosition], bool]:
        nodes, passing = _QUICKLY if quickly else _FULLY
        return lambda reduced: (
            self._engine.keeps_line(reduced, line)
            and self.has_one_solution(reduced, len(line))
            and self.second_solution(reduced, line, nodes) in passing
        )

    def has_one_solution(self, packed: PackedPosition, length: int) -> bool:
        """Return whether no turn of the main tree has a second solution soon, and no line leaves pieces."""
        return self._engine.is_sound(packed, length, QUICK_MARGIN, _TURNS) == SOUND

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """Return the full judgement, within ``nodes`` nodes; graded if the problem is correct."""
        judgement = self._judge.judge(position, length, Limits(nodes=nodes))
        if not judgement.correct:
            return judgement
        return replace(judgement, grade=Grade.PERFECT, blemishes=judgement.remarks.blemishes)

    def refusal(self, _position: Position, judgement: Judgement) -> Rejection | None:
        """Return why a judgement keeps a problem from being published."""
        return judgement_rejection(judgement)


def judgement_rejection(judgement: Judgement) -> Rejection | None:
    """Return why a judgement keeps a problem from being published."""
    if judgement.unresolved:
        return Rejection.NOT_EXCLUDED if judgement.line else Rejection.UNRESOLVED
    if judgement.defects:
        return Rejection.NOT_CORRECT
    if judgement.remarks & Defect.LEFTOVER_IN_VARIATION:
        return Rejection.LEFTOVER
    if judgement.remarks & Defect.STARTS_IN_CHECK:
        return Rejection.STARTS_IN_CHECK
    if judgement.searched is not None:
        return Rejection.NOT_EXCLUDED
    return None


# --- the last tests where blemishes pass: the problem must be sound (docs/rules.md, "Grades") ------


class SoundCandidateValidator(CandidateValidator):
    """Tests candidates for what spoils a problem. All methods raise `LimitReached`."""

    def __init__(
        self, engine: DfPnEngine, exclusion_nodes: int = EXCLUSION_NODES, judging: DfPnEngine | None = None
    ) -> None:
        super().__init__(engine, exclusion_nodes, judging)
        self._judge = Judge(self._judging, Rigour(evidence=False, classes=False))

    def second_solution(self, packed: PackedPosition, line: Moves, nodes: int = 0) -> Rejection | None:
        """As of `CandidateValidator`, at the first turn only, and of another kind than the key."""
        return self._second_solution_at(decision_points_along_line(packed, line)[:1], packed, nodes)

    def _second_solution_on(self, packed: PackedPosition, line: Moves, nodes: int = 0) -> Rejection | None:
        """The same at all turns of a line before the last."""
        return self._second_solution_at(decision_points_along_line(packed, line), packed, nodes)

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """As of `CandidateValidator`: only a second solution of another kind along the line counts."""
        line = self.line(packed, length) if self.mates_in(packed, length) else None
        if line is None or self._second_solution_on(packed, line, QUICK_EXCLUSION_NODES) is Rejection.LONGER_COOK:
            return None
        return line

    def _same_problem(self, packed: PackedPosition, line: Moves, quickly: bool) -> Callable[[PackedPosition], bool]:
        """Fewer pieces must not add a second solution, nor another form of a check."""
        checks, alone = self._checks_in_time(packed, line), self.has_one_solution(packed, len(line))
        nodes, passing = _QUICKLY if quickly else _FULLY
        return lambda reduced: (
            checks == self._checks_in_time(reduced, line)
            and (not alone or self.has_one_solution(reduced, len(line)))
            and self._second_solution_on(reduced, line, nodes) in passing
        )

    def _checks_in_time(self, packed: PackedPosition, line: Moves) -> list[list[int]] | None:
        """Return the checks that mate as soon as the line's, at each turn before the last. None where the line is not a
        shortest mate against longest defences."""
        found: list[list[int]] = []
        if len(line) > 1 and self._engine.mates(packed, len(line) - 2):
            return None
        for ply, move in enumerate(line):
            n = len(line) - ply
            with line_played(packed, line[:ply]):
                if ply % 2:
                    good = move in self._engine.longest_defences(packed, n)
                else:
                    checks = sorted(legal_checks(packed))
                    good = move in checks and self._engine.mates_after(packed, move, n)
                    if good and (n > 1 or not ply):
                        found.append(self._engine.mating(packed, checks, n))
            if not good:
                return None
        return found

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """Return the full judgement with its grade, within ``nodes`` nodes."""
        return self._judge.judge(position, length, Limits(nodes=nodes))

    def refusal(self, position: Position, judgement: Judgement) -> Rejection | None:
        """Return why a judgement keeps a problem from being published. No second solution of another kind may be left
        possible along the main line, at any length."""
        if not judgement.settled or judgement.grade is None:
            return Rejection.UNRESOLVED
        if judgement.grade is Grade.UNSOUND:
            return Rejection.NOT_CORRECT
        packed, line = pack(position), tuple(map(pack_move, judgement.line))
        points = decision_points_along_line(packed, line)
        if judgement.searched is None:
            points = points[:1]  # where not even one that returns to the line may be
        return self._second_solution_at(points, packed, 0, self._judging)


# --- whether a line repeats a manoeuvre: a piece gives checks until it is taken, later another the same checks ---
#
# A series of sacrifices is none, nor is a series of checks that ends otherwise (追い手順, 馬鋸).

_MIN_CHECKS = 2

Step = tuple[str, int, int]
"""A check: how the piece comes, what it moves like afterwards, and how far it is from the king."""


def repeats_manoeuvre(line: ReplayedLine) -> bool:
    """Return whether two pieces give the same checks, two or more, and are taken after the last one."""
    found: list[tuple[Step, ...]] = []
    piece: int | None = None
    steps: list[Step] = []
    for turn in line.turns:
        check = turn.check
        if check.piece != piece:
            piece, steps = check.piece, []
        kind = check.piece_after
        moves_like = GOLD if KING < kind <= SILVER + PROMOTION else kind
        distance = int(DIST[check.king, check.target])
        steps.append(("*" if check.is_drop else "+" * check.promotes, moves_like, distance))
        if turn.is_sacrifice:
            if len(steps) >= _MIN_CHECKS:
                found.append(tuple(steps))
            steps = []
    return len(set(found)) < len(found)


# --- plain pieces instead of promoted ones wherever the problem stays what it is (成駒のない配置) ---------
#
# A composer puts the plain piece where it does as well: a promoted piece on the board at the start says that
# it was needed. A gold for a tokin is no gain: published problems of 5 plies have 0.19 small promoted pieces
# of the attacker, and 0.11 golds.

Line = tuple[Move, ...]
Solve = Callable[[Position], Line | None]
"""The main line of a position that is the start of a correct problem of the length asked for, else None."""


def line_destinations(line: Line) -> tuple[Square, ...]:
    """Return where the moves of a line lead."""
    return tuple(move.target for move in line)


def positions_with_plain_piece(position: Position) -> Iterator[tuple[Square, Position]]:
    """Each position with one promoted piece made plain that may be the start of a problem, with its square."""
    for sq, piece in enumerate(position.board):
        if piece is not None and piece.kind.is_promoted:
            changed = position.with_piece(sq, Piece(piece.side, piece.kind.base))
            if not start_faults(changed):
                yield sq, changed


def with_plain_pieces(position: Position, line: Line, solve: Solve, kinds: frozenset[Kind]) -> tuple[Position, Line]:
    """Return the problem after no promoted piece can be made plain any more, and its line. The line leads to the same
    squares as ``line``. Only ``kinds`` may be on the board. What ``solve`` raises is passed on."""
    for sq, changed in positions_with_plain_piece(position):
        piece = changed.board[sq]
        found = solve(changed) if piece is not None and piece.kind in kinds else None
        if found is not None and line_destinations(found) == line_destinations(line):
            return with_plain_pieces(changed, found, solve, kinds)
    return position, line


# --- from the shortlist of a root to its problems --------------------------------------------------

WALKED_EXCLUSION_NODES = {3: 200_000, 5: 300_000, 7: 500_000, 9: 1_000_000}
"""`EXCLUSION_NODES` of what a walk finds, by length: the more it took to compose, the more it is worth."""
LONG_EXCLUSION_NODES = 8_000_000
"""The same for long works."""
_SECOND_LOOK_NODES = 30_000
"""Nodes to see that a candidate had no second solution before pieces were taken away or made plain."""
FRAMES_FROM = 5
"""From this length on, a root gives one problem per (first move, final position)."""


class KnownKeys(Protocol):
    """What earlier roots of the run have found, as far as this root may know it."""

    def has_any(self, keys: Iterable[int]) -> bool:
        """Return whether one of these keys (`generator.problem_keys`) is known."""


Proof = Callable[[Problem], None]
"""A further check of a problem; it raises what must stop the run."""


class CandidateAcceptance:
    """Makes the candidates of a shortlist into problems, with the engine of their root.

    ``known`` is what earlier roots have found; its owner sets it for each root. ``proof`` is called with each
    problem, and what it raises is passed on.

    The quick tests share the table of the walk. What passes them is judged from an empty table, so that nothing that a
    walk left there can make a problem.
    """

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, known: KnownKeys, proof: Proof | None = None
    ) -> None:
        self.known = known
        self._engine = engine
        self._options = options
        self._proof = proof
        self._scorer = Scorer()
        self.judging = self._scorer.engine
        """The engine that judges, proves themes and scores, each from an empty table."""
        nodes = WALKED_EXCLUSION_NODES.get(options.length, 1_500_000) if options.uses_local_search else EXCLUSION_NODES
        nodes = LONG_EXCLUSION_NODES if options.composes_long else nodes
        self._judge_nodes = options.judge_nodes + nodes
        validator = SoundCandidateValidator if options.accepts_blemishes else CandidateValidator
        self._validator = validator(engine, nodes, self.judging)
        self._prover = ThemeProver(self.judging)
        self._statistics = RootStatistics()

    def has_one_solution(self, candidate: Candidate, statistics: RootStatistics) -> bool:
        """Whether no turn has a second solution at any length; the candidate's extensions would have it too."""
        if not candidate.open_checks:
            return True
        why: Rejection | None = Rejection.NOT_EXCLUDED
        with suppress(LimitReached), self._engine.within(Limits(nodes=self._options.judge_nodes)):
            why = self._validator.second_solution(candidate.packed, candidate.line)
        if why is not None:
            statistics.counts[why] += 1
        candidate.open_checks = 0
        return why is None

    def problems(
        self, shortlist: Iterable[Candidate], provenance: Provenance, statistics: RootStatistics
    ) -> Iterator[Problem]:
        """Yield the problems among the shortlist: at most ``per_final`` of a final position, none twice."""
        self._statistics = statistics
        families: Counts = Counter()
        seen: set[int | str] = set()
        for candidate in shortlist:
            if families[str(candidate.family)] >= self._options.per_final:
                continue
            problem = self._accept(candidate, provenance, seen)
            if problem is not None:
                seen |= {*problem.keys, frame_key(problem.position, problem.line)}
                families[str(candidate.family)] += 1
                if self._proof is not None:
                    self._proof(problem)
                self._statistics.counts["problems"] += 1
                yield problem
            if sum(families.values()) >= self._options.per_root:
                return  # before the next one is composed

    def _accept(self, candidate: Candidate, provenance: Provenance, seen: set[int | str]) -> Problem | None:
        if self._options.uses_local_search and self._is_known_problem(self.key_hashes(candidate), seen):
            self._statistics.counts[self.repeat_rejection] += 1
            return None
        self._statistics.counts["finalists"] += 1
        try:
            with self._engine.within(Limits(nodes=self._options.judge_nodes)):
                found = self._examined_problem(candidate, provenance, seen)
        except LimitReached:
            found = Rejection.UNRESOLVED
        if isinstance(found, Rejection):
            self._statistics.counts[found] += 1
            return None
        return found

    def _examined_problem(
        self, candidate: Candidate, provenance: Provenance, seen: set[int | str]
    ) -> Problem | Rejection:
        packed, length = candidate.packed, candidate.length
        with self._statistics.timed("settle"):
            line = self._validator.line(packed, length)
            if line is None:
                return Rejection.GREY
            if self._is_known_problem(self.key_hashes(replace(candidate, line=line)), seen):
                return self.repeat_rejection
            if self._validator.second_solution(packed, line, QUICK_EXCLUSION_NODES) is Rejection.LONGER_COOK:
                return Rejection.LONGER_COOK
        readable = tuple(unpack_move(move) for move in line)
        if (
            self._options.is_natural
            and not self._options.composes_long
            and repeats_manoeuvre(replay_line(unpack(packed), readable))
        ):
            return Rejection.REPEATED
        found: Problem | Rejection = Rejection.NOT_CORRECT
        for position, made_plain in self._simplified(packed, line):
            found = self._finished_problem(position, length, provenance)
            if isinstance(found, Problem):
                if length >= FRAMES_FROM and frame_key(found.position, found.line) in seen:
                    return Rejection.SAME_FRAME
                self._statistics.counts["made plain"] += made_plain
            misses_given_piece = found is Rejection.NOT_WISHED and self._options.has_given_pieces
            if found is not Rejection.NOT_CORRECT and not misses_given_piece:
                break
        if isinstance(found, Problem) and self._is_known_problem(found.keys, seen):
            return self.repeat_rejection  # plain pieces, or another one of several best lines
        return found

    def _simplified(self, packed: PackedPosition, line: Moves) -> Iterator[tuple[Position, bool]]:
        """Yield the position of a candidate without unnecessary pieces, with plain ones for promoted ones if it is to
        be natural, and whether it has such. First as quick tests allow; if that brought a second solution to a
        candidate that plainly had none, as full tests do."""
        tried = set[Position]()
        for quickly in (True, False):
            with self._statistics.timed("minimise"):
                if not quickly and self._validator.second_solution(packed, line, _SECOND_LOOK_NODES) is not None:
                    return
                minimal = plain = unpack(packed)
                if not self._options.composes_smoke:  # which needs its pieces
                    minimal = plain = self._validator.minimised(packed, line, quickly=quickly)
            if self._options.is_natural:
                with self._statistics.timed("plain"):
                    plain = self._with_plain_pieces(minimal, line, quickly)
            for position in (plain, minimal) if self._options.has_given_pieces else (plain,):
                if position not in tried:  # a plain piece is not the one given
                    tried.add(position)
                    yield position, position != minimal
            if tried == {unpack(packed)}:
                return

    def key_hashes(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the hashes by which a run knows a candidate's problem again (`generator.problem_keys`)."""
        if not self._options.is_natural:
            return (key_hash(candidate.line_key),)
        return self._hashes(*candidate.readable)

    def _hashes(self, position: Position, line: Line) -> tuple[int, ...]:
        return tuple(map(key_hash, problem_keys(self._options, position, line)))

    def _is_known_problem(self, keys: tuple[int, ...], seen: set[int | str]) -> bool:
        known = self._options.has_distinct_lines and self.known.has_any(keys)
        self._statistics.counts[KNOWN_AGAIN] += known
        return known or not seen.isdisjoint(keys)

    @property
    def repeat_rejection(self) -> Rejection:
        """Why a repeated problem is rejected."""
        return Rejection.SAME_PROBLEM if self._options.is_natural else Rejection.SAME_LINE

    def _finished_problem(self, position: Position, length: int, provenance: Provenance) -> Problem | Rejection:
        position, wishes = canonical(position), self._options.wishes
        if not wishes.allow_position(position):
            return Rejection.NOT_WISHED
        with self._statistics.timed("appraise"):
            moves = self._validator.line(pack(position), length)
            if moves is None:
                return Rejection.GREY
            line = tuple(map(unpack_move, moves))
            quality = self._quality(position, line)
        if isinstance(quality, Rejection):
            return quality
        with self._statistics.timed("judge"):
            self.judging.forget()
            judgement = self._validator.judge(position, length, self._judge_nodes)
            why = self._validator.refusal(position, judgement)
        if why is not None:
            return why
        if judgement.length != length:
            return Rejection.NOT_CONFIRMED
        with self._statistics.timed("appraise"):
            if judgement.line != line:  # the judge prefers another one of several best lines
                quality = self._quality(position, judgement.line)
            if isinstance(quality, Rejection):
                return quality
            themes = self._prover.themes(position, judgement.line)
        if not set(wishes.themes) <= set(themes):
            return Rejection.NOT_WISHED
        with self._statistics.timed("score"):
            score = self._scorer.score(position, length)
            same = same_when_counted(self.judging, position, length)
        problem = Problem(
            position, judgement, score, provenance, themes, quality,
            keys=self._hashes(position, judgement.line), same_when_counted=same,
        )  # fmt: skip
        fits = wishes.allow(problem) and has_given_pieces(self._options, position, judgement.line)
        return problem if fits else Rejection.NOT_WISHED

    def _quality(self, position: Position, line: Line) -> float | Rejection:
        """Return the quality of a line, or why it is not wanted; the purposes of themes are not proved."""
        quality, wishes = appraise(position, line).quality, self._options.wishes
        if quality < self._options.minimum_quality:
            return Rejection.PLAIN_QUALITY
        shown = not wishes.themes or set(wishes.themes) <= set(shown_themes(replay_line(position, line)))
        return quality if shown and shows_as_required(wishes, position, line) else Rejection.NOT_WISHED

    def _with_plain_pieces(self, position: Position, line: Moves, quickly: bool) -> Position:
        """Return a minimal position in which no promoted piece can be made plain as far as the tests show."""
        length, readable = len(line), tuple(map(unpack_move, line))

        def quick_line(changed: Position) -> Line | None:
            found = self._validator.solution(pack(changed), length)
            return None if found is None else tuple(map(unpack_move, found))

        def judged_line(changed: Position) -> Line | None:
            if quick_line(changed) is None:
                return None
            judgement = self._validator.judge(changed, length, self._judge_nodes)
            return None if self._validator.refusal(changed, judgement) else judgement.line

        solve = quick_line if quickly else judged_line
        while any(positions_with_plain_piece(position)):
            readable = solve(position) or readable  # of equal defences it may be another once pieces are gone
            plain, readable = with_plain_pieces(position, readable, solve, self._options.wishes.kinds)
            if plain == position:
                break
            position = self._validator.minimised(pack(plain), tuple(map(pack_move, readable)), quickly=quickly)
        return position


# --- which candidates are worth the last tests -----------------------------------------------------


def may_meet_constraints(constraints: ProblemConstraints, candidate: Candidate) -> bool:
    """Return whether a candidate of full length can meet the constraints, by its position and line."""
    if not (constraints.has_any or constraints.known):
        return True
    return (
        constraints.may_allow(*candidate.readable)
        and (not constraints.themes or len(candidate.shown_themes(constraints.themes)) == len(set(constraints.themes)))
        and (not constraints.theme_details or shows_details(candidate.replayed, constraints.theme_details))
    )
