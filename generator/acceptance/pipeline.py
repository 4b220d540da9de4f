# SPDX-License-Identifier: GPL-3.0-or-later
"""From the shortlist of a root to its problems: exclude second solutions, minimise, judge, score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Protocol

from generator.acceptance.reasons import KNOWN_AGAIN, Counts, Rejection, RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import MARGINS, QUICK_MARGIN, ComposingOptions
from generator.constraints.position import has_given_pieces, shows_as_required
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem, Provenance, frame_key
from generator.problem_keys import key_hash, problem_keys
from generator.quality import appraise
from generator.replay import ReplayedLine, replay_line
from generator.themes.table import ThemeProver, shows_details
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.judging.cooks import non_key_checks
from solver.judging.given import each_piece_removed
from solver.judging.judge import Judge, Rigour, mirror_order, same_when_counted
from solver.results import Defect, Grade, Judgement, LimitReached, Limits
from solver.scoring.difficulty import Scorer
from solver.solving.tree import TreeBuilder
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

JUDGING_NODES = 20_000
"""Nodes for each check that the full judgement searches at any length."""
EXCLUSION_NODES = 1_500
"""Nodes for each check that is not refuted for good, before the full judgement."""
_FIRST_NODES = (500, 3_000)
"""Nodes for each check that is not refuted for good in the first passes over all of them: what refutes an
easy one often helps with a hard one."""
_TURNS = 100


class CandidateValidator:
    """Tests candidates with one engine. All methods but `second_solution_within` raise `LimitReached`."""

    exclusion_nodes = EXCLUSION_NODES
    """Nodes for each check that is not refuted for good."""

    def __init__(self, engine: DfPnEngine, exclusion_nodes: int = 0) -> None:
        """``exclusion_nodes``: a lower bound for the class's number."""
        self._engine = engine
        self.exclusion_nodes = max(self.exclusion_nodes, exclusion_nodes)
        rigour = Rigour(MARGINS, len(MARGINS), unbounded_nodes=JUDGING_NODES, first_defect=True)
        self._judge = Judge(engine, rigour)

    def second_solution(self, packed: PackedPosition, key: int, length: int) -> Rejection | None:
        """Return why the first turn may have a second solution at any length; None if it has none."""
        others = self._rivals(packed, key, length)
        mating, open_checks = self._engine.refute_each(packed, others, length + QUICK_MARGIN)
        if mating is not None:
            return Rejection.LONGER_COOK
        with self._engine.expecting_no():
            for nodes in _FIRST_NODES:
                few = min(nodes, self.exclusion_nodes)
                mating, _, open_checks = self._engine.refute_each_ever(packed, open_checks, few)
                if mating is not None:
                    return Rejection.LONGER_COOK
            for check in open_checks:
                ever = partial(self._engine.mates_ever_after, packed, check)
                mates = self._engine.answered_within(self.exclusion_nodes, ever)
                if mates is not False:
                    return Rejection.LONGER_COOK if mates else Rejection.NOT_EXCLUDED
        return None

    def second_solution_within(self, nodes: int, packed: PackedPosition, key: int, length: int) -> Rejection | None:
        """As `second_solution`; a second solution is not excluded either where these nodes run out."""
        try:
            with self._engine.within(Limits(nodes=nodes)):
                return self.second_solution(packed, key, length)
        except LimitReached:
            return Rejection.NOT_EXCLUDED

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line if the position is correct as far as the margins show, else None. Needless pieces are
        not looked for, and second solutions may stay that were not excluded."""
        if not self.mates_in(packed, length) or not self.has_one_solution(packed, length):
            return None
        line = self.line(packed, length)
        if line is None or self.second_solution(packed, line[0], length) is Rejection.LONGER_COOK:
            return None
        return line

    def mates_in(self, packed: PackedPosition, length: int) -> bool:
        """Return whether the shortest mate has this length."""
        if length > 1 and self._engine.mates(packed, length - 2):
            return False
        return self._engine.mates(packed, length)

    def _rivals(self, packed: PackedPosition, key: int, length: int) -> list[int]:
        """Return the checks that must not mate beside the key of a mate in ``length`` plies."""
        return [
            check
            for check in legal_checks(packed)
            if check != key and not self._engine.leaves_same_position(packed, key, check, length)
        ]

    def line(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line as the judge gives it; None if only a futile interposition lasts as long."""
        order = mirror_order(unpack(packed, Side.ATTACKER))
        line = TreeBuilder(self._engine, order=order).turn(packed, length).line()
        return line if len(line) == length else None

    def minimised(self, packed: PackedPosition, line: Moves) -> Position:
        """Return the position without its unnecessary pieces, as far as the margins show."""
        position = unpack(packed, Side.ATTACKER)
        is_same = self._same_problem(packed, line)
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

    def _same_problem(self, _packed: PackedPosition, line: Moves) -> Callable[[PackedPosition], bool]:
        return lambda reduced: (
            self._engine.keeps_line(reduced, line)
            and self.has_one_solution(reduced, len(line))
            and self.second_solution(reduced, line[0], len(line)) is None
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
        return Rejection.NOT_EXCLUDED if judgement.searched else Rejection.UNRESOLVED
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

SOUND_EXCLUSION_NODES = 5_000
"""More than for perfect problems: of positions with blemishes more second solutions are hard to exclude."""


class SoundCandidateValidator(CandidateValidator):
    """Tests candidates for what spoils a problem. All methods raise `LimitReached`."""

    exclusion_nodes = SOUND_EXCLUSION_NODES

    def __init__(self, engine: DfPnEngine, exclusion_nodes: int = 0) -> None:
        super().__init__(engine, exclusion_nodes)
        self._grader = Judge(engine, Rigour(evidence=False, classes=False))

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """As of `CandidateValidator`: only a second solution of another kind along the line counts."""
        line = self.line(packed, length) if self.mates_in(packed, length) else None
        if line is None or self._second_solution_on(packed, line) is Rejection.LONGER_COOK:
            return None
        return line

    def _rivals(self, packed: PackedPosition, key: int, length: int) -> list[int]:  # noqa: ARG002
        """Return the checks that are neither a form of the key nor of its mirror image."""
        return non_key_checks(packed, key, [check for check in legal_checks(packed) if check != key])

    def _same_problem(self, packed: PackedPosition, line: Moves) -> Callable[[PackedPosition], bool]:
        """Fewer pieces must not add a second solution, nor another form of a check."""
        checks, alone = self._checks_in_time(packed, line), self.has_one_solution(packed, len(line))
        return lambda reduced: (
            checks == self._checks_in_time(reduced, line)
            and (not alone or self.has_one_solution(reduced, len(line)))
            and self._second_solution_on(reduced, line) is None
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
        return self._grader.judge(position, length, Limits(nodes=nodes))

    def refusal(self, position: Position, judgement: Judgement) -> Rejection | None:
        """Return why a judgement keeps a problem from being published. No second solution of another kind may be left
        possible along the main line, at any length."""
        if not judgement.settled or judgement.grade is None:
            return Rejection.UNRESOLVED
        if judgement.grade is Grade.UNSOUND:
            return Rejection.NOT_CORRECT
        if judgement.searched is None:
            return None
        return self._second_solution_on(pack(position), tuple(map(pack_move, judgement.line)))

    def _second_solution_on(self, packed: PackedPosition, line: Moves) -> Rejection | None:
        """Return why a turn of a line before the last may have a second solution at any length."""
        for ply in range(0, max(len(line) - 1, 1), 2):
            with line_played(packed, line[:ply]):
                why = self.second_solution(packed, line[ply], len(line) - ply)
            if why is not None:
                return why
        return None


# ---------------------------------------------------------------------------------------------------
#
# Whether a line repeats a manoeuvre: a piece gives checks until it is taken, later another the same checks.
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
# A composer puts a gold or the plain piece where it does as well: a promoted piece on the board at
# the start says that it was needed.

Line = tuple[Move, ...]
Solve = Callable[[Position], Line | None]
"""The main line of a position that is the start of a correct problem of the length asked for, else None."""

SMALL = (Kind.TOKIN, Kind.PROMOTED_LANCE, Kind.PROMOTED_KNIGHT, Kind.PROMOTED_SILVER)
"""The promoted pieces that move like a gold."""


def line_destinations(line: Line) -> tuple[Square, ...]:
    """Return where the moves of a line lead."""
    return tuple(move.target for move in line)


def plain_kinds(kind: Kind) -> tuple[Kind, ...]:
    """What a composer would rather put in a promoted piece's place, best first; empty for a plain piece."""
    if not kind.is_promoted:
        return ()
    return (kind.base, Kind.GOLD) if kind in SMALL else (kind.base,)


def positions_with_plain_piece(position: Position) -> Iterator[tuple[Square, Position]]:
    """Each position with one promoted piece made plain that may be the start of a problem, with its square. The set has
    as many pieces as it has: a gold comes from the defender's hand."""
    for sq, piece in enumerate(position.board):
        for kind in () if piece is None else plain_kinds(piece.kind):
            if kind is Kind.GOLD and not position.defender_hand[kind]:
                continue
            assert piece is not None
            changed = position.with_piece(sq, Piece(piece.side, kind))
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

SAMPLED_EXCLUSION_NODES, LEARNED_EXCLUSION_NODES = 60_000, 200_000
"""Nodes for each check of a likely position, and of one from the network: full hands make many checks that
take long to refute, and what is dear to compose is worth more."""
FRAMES_FROM = 5
"""From this length on, a root gives one problem per (first move, final position)."""
_OF_THE_WHOLE = (Rejection.NOT_WISHED, Rejection.PLAIN_QUALITY)
"""Reasons that a problem keeps if fewer of its promoted pieces become plain."""


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

    The tests share the table of the walk, which makes them quick. A problem that passes them is judged once
    more from an empty table, so that nothing that a walk left there can make a problem.
    """

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, known: KnownKeys, proof: Proof | None = None
    ) -> None:
        self.known = known
        self._engine = engine
        self._options = options
        self._proof = proof
        nodes = SAMPLED_EXCLUSION_NODES if options.uses_local_search else 0
        validator = SoundCandidateValidator if options.accepts_blemishes else CandidateValidator
        self._validator = validator(engine, LEARNED_EXCLUSION_NODES if options.uses_network else nodes)
        self._scorer = Scorer()
        self._prover = ThemeProver(self._scorer.engine)
        self._statistics = RootStatistics()

    def has_one_solution(self, candidate: Candidate, statistics: RootStatistics) -> bool:
        """Whether the first turn has no second solution at any length; its extensions would have it too."""
        if not candidate.open_checks:
            return True
        why = self._validator.second_solution_within(
            self._options.judge_nodes, candidate.packed, candidate.line[0], candidate.length
        )
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
            if isinstance(found, Problem):
                with self._engine.within(Limits(nodes=self._options.judge_nodes)):
                    found = self._confirmed(found)
        except LimitReached:
            found = Rejection.UNRESOLVED
        if isinstance(found, Rejection):
            self._statistics.counts[found] += 1
            return None
        return found

    def _examined_problem(
        self, candidate: Candidate, provenance: Provenance, seen: set[int | str]
    ) -> Problem | Rejection:
        with self._statistics.timed("settle"):
            why = self._validator.second_solution(candidate.packed, candidate.line[0], candidate.length)
            line = None if why else self._validator.line(candidate.packed, candidate.length)
        if line is None:
            return why or Rejection.GREY
        if self._is_known_problem(self.key_hashes(replace(candidate, line=line)), seen):
            return self.repeat_rejection
        with self._statistics.timed("minimise"):
            position = self._validator.minimised(candidate.packed, line)
        readable = tuple(unpack_move(move) for move in line)
        if candidate.length >= FRAMES_FROM and frame_key(position, readable) in seen:
            return Rejection.SAME_FRAME
        if self._options.is_natural and repeats_manoeuvre(replay_line(position, readable)):
            return Rejection.REPEATED
        finish = self._finished_plain if self._options.is_natural else self._finished_problem
        problem = finish(position, readable, provenance)
        if problem is Rejection.NOT_WISHED and self._options.has_given_pieces:
            # A plain piece is not the one given.
            problem = self._finished_problem(position, readable, provenance)
        if isinstance(problem, Problem) and self._is_known_problem(problem.keys, seen):
            return self.repeat_rejection  # plain pieces, or another one of several best lines
        return problem

    def _confirmed(self, problem: Problem) -> Problem | Rejection:
        with self._statistics.timed("confirm"):
            self._engine.forget()
            packed, key = pack(problem.position), pack_move(problem.line[0])
            why = self._validator.second_solution(packed, key, problem.length)
            if why is not None:
                return Rejection.NOT_CONFIRMED
            judgement = self._validator.judge(problem.position, problem.length, self._options.judge_nodes)
            why = self._validator.refusal(problem.position, judgement)
        if why is not None or (judgement.length, judgement.line) != (problem.length, problem.line):
            return Rejection.NOT_CONFIRMED
        return replace(problem, judgement=judgement)

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

    def _finished_problem(self, position: Position, line: Line, provenance: Provenance) -> Problem | Rejection:
        position, length, wishes = canonical(position), len(line), self._options.wishes
        if not wishes.allow_position(position):
            return Rejection.NOT_WISHED
        with self._statistics.timed("judge"):
            judgement = self._validator.judge(position, length, self._options.judge_nodes)
        why = self._validator.refusal(position, judgement)
        if why is not None:
            return why
        with self._statistics.timed("appraise"):
            quality = appraise(position, judgement.line).quality
            if quality < self._options.minimum_quality:
                return Rejection.PLAIN_QUALITY
            themes = self._prover.themes(position, judgement.line)
        if not (set(wishes.themes) <= set(themes) and shows_as_required(wishes, position, judgement.line)):
            return Rejection.NOT_WISHED
        with self._statistics.timed("score"):
            score = self._scorer.score(position, length)
            same = same_when_counted(self._scorer.engine, position, length)
        problem = Problem(
            position, judgement, score, provenance, themes, quality,
            keys=self._hashes(position, judgement.line), same_when_counted=same,
        )  # fmt: skip
        fits = wishes.allow(problem) and has_given_pieces(self._options, position, judgement.line)
        return problem if fits else Rejection.NOT_WISHED

    def _finished_plain(self, position: Position, line: Line, provenance: Provenance) -> Problem | Rejection:
        """Finish a problem as `_finished_problem` does, with plain pieces for promoted ones. The quick tests say which
        may be plain. If the judge then rejects the problem, it rechecks each piece."""
        length = len(line)

        def quick_line(changed: Position) -> Line | None:
            found = self._validator.solution(pack(changed), length)
            return None if found is None else tuple(unpack_move(move) for move in found)

        def judged_line(changed: Position) -> Line | None:
            if not self._validator.mates_in(pack(changed), length):
                return None
            judgement = self._validator.judge(changed, length, self._options.judge_nodes)
            return None if self._validator.refusal(changed, judgement) else judgement.line

        for solve in (quick_line, judged_line):
            with self._statistics.timed("plain"):
                plain = self._with_plain_pieces(position, line, solve)
            problem = self._finished_problem(plain, line, provenance)
            if plain == position or isinstance(problem, Problem) or problem in _OF_THE_WHOLE:
                break
        self._statistics.counts["made plain"] += isinstance(problem, Problem) and plain != position
        return problem

    def _with_plain_pieces(self, position: Position, line: Line, solve: Solve) -> Position:
        """A minimal position in which no promoted piece can be made plain as far as ``solve`` knows."""
        while True:
            line = solve(position) or line  # of equal defences it may be another once pieces are gone
            plain, line = with_plain_pieces(position, line, solve, self._options.wishes.kinds)
            if plain == position:
                return position
            position = self._validator.minimised(pack(plain), tuple(map(pack_move, line)))


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
