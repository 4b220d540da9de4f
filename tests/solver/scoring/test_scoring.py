# SPDX-License-Identifier: GPL-3.0-or-later
import math
from collections import Counter, defaultdict
from functools import partial
from typing import Any

import hypothesis
import pytest
import shogi
from hypothesis import strategies as st

from solver import results
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import FOR_RESISTANCE
from solver.results import Difficulty, LimitReached, Limits, Mate, MateBounds
from solver.scoring import difficulty
from solver.scoring import difficulty as module
from solver.scoring.difficulty import (
    BASE,
    TRAIT_WEIGHTS,
    WEIGHTS,
    MeasuredSubtrees,
    Scorer,
    TreeSize,
    check_traits,
    checks_beyond_glance,
    measure_line,
    measure_proof_tree,
    resistance,
    score_of_features,
    surprise,
    weighted_sum,
)
from solver.solving.deepening import LAST_RAISED, search_length
from solver.solving.tree import TreeBuilder
from tests import naive
from tests.places import COMPOSED, ROOT
from tests.sampling import attacks, crowded
from tsume_rules.moves import parse_move
from tsume_rules.packed import PackedPosition, legal_checks, line_played, pack, pack_move, played, unpack_move
from tsume_rules.position import Kind, Position, Side, file_of, rank_of
from tsume_rules.sfen import canonical, format_sfen, parse_sfen

PROBLEMS = [
    ("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s4n3l17p 1", 1),
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s4n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]


def scored(scorer: Scorer, sfen: str, length: int) -> Difficulty:
    return scorer.score(parse_sfen(sfen).position, length)


@pytest.fixture(scope="module")
def fresh() -> list[Difficulty]:
    return [scored(Scorer(), sfen, length) for sfen, length in PROBLEMS]


def test_scores_depend_neither_on_the_side_nor_on_what_was_scored_before(fresh: list[Difficulty]) -> None:
    scorer = Scorer()
    for (sfen, length), expected in zip(PROBLEMS, fresh, strict=True):
        assert scorer.score(parse_sfen(sfen).position.mirrored, length) == expected
    used = Scorer()
    backwards = [scored(used, sfen, length) for sfen, length in reversed(PROBLEMS)]
    assert backwards[::-1] == fresh


def test_a_generous_limit_changes_nothing_and_a_tight_one_is_said(fresh: list[Difficulty]) -> None:
    sfen, length = PROBLEMS[-1]
    scorer = Scorer()
    with pytest.raises(LimitReached):
        scorer.score(parse_sfen(sfen).position, length, Limits(nodes=3))
    assert scorer.score(parse_sfen(sfen).position, length, Limits(nodes=1_000_000)) == fresh[-1]


def test_the_score_is_the_weighted_sum(fresh: list[Difficulty]) -> None:
    for (_, length), found in zip(PROBLEMS, fresh, strict=True):
        assert set(found.features) >= set(WEIGHTS)
        total = BASE + sum(weight * found.features[name] for name, weight in WEIGHTS.items())
        assert found.score == round(total, 2)
        assert found.features["length"] == length


FEATURES = st.fixed_dictionaries({name: st.floats(0, 60) for name in WEIGHTS})


@hypothesis.given(FEATURES, st.sampled_from(list(WEIGHTS)), st.floats(0, 60))
def test_at_equal_rest_a_larger_tree_never_scores_less(features: dict[str, float], name: str, other: float) -> None:
    """Nor does more of any other feature; the tree and the length weigh something."""
    assert min(WEIGHTS.values()) > 0
    for varied in ("log_proof_tree", name):
        low, high = ({**features, varied: value} for value in sorted((features[varied], other)))
        one, more = Difficulty(low, score_of_features(low)), Difficulty(high, score_of_features(high))
        assert (one.score, one.rating, one.stars) <= (more.score, more.rating, more.stars)
        length = round(features["length"]) + 1
        assert results.fifth_of_length(one.score, length) <= results.fifth_of_length(more.score, length)
        assert high[varied] - low[varied] < 1 or one.score < more.score


@hypothesis.given(st.floats(-1000, 1000), st.floats(*results.RATING_BOUNDS))
def test_one_scale_for_all_lengths(score: float, rating: float) -> None:
    assert results.RATING_BOUNDS[0] <= results.rating_of_score(score) <= results.RATING_BOUNDS[1]
    assert results.rating_of_score(results.score_of_rating(rating)) == pytest.approx(rating)
    assert [results.stars_of_rating(step) for step in (0, *results.STAR_STEPS)] == [1, 2, 3, 4, 5]
    assert results.stars_of_rating(rating) == 1 + sum(step <= rating for step in results.STAR_STEPS)


def test_fifths_compare_problems_of_one_length() -> None:
    for length, steps in results.STEPS_OF_LENGTH.items():
        assert results.steps_of_length(length) == steps
        assert list(steps) == sorted(steps)
        around = [steps[0] - 0.01, *steps]
        assert [results.fifth_of_length(score, length) for score in around] == [1, 2, 3, 4, 5]
    longest = max(results.STEPS_OF_LENGTH)
    for length in (2, 4, 30, 701):
        assert list(results.steps_of_length(length)) == sorted(results.steps_of_length(length))
    assert results.steps_of_length(3) < results.steps_of_length(4) < results.steps_of_length(5)
    assert (
        results.steps_of_length(longest) < results.steps_of_length(longest + 2) < results.steps_of_length(longest + 200)
    )


def test_features_say_what_they_are_called(fresh: list[Difficulty]) -> None:
    for (sfen, length), found in zip(PROBLEMS, fresh, strict=True):
        assert found.features["length"] == length
        position = parse_sfen(sfen).position
        assert found.features["pieces"] == position.piece_count()
        board = sfen.split()[0]
        assert found.features["attackers"] == sum(letter.isupper() for letter in board)
        (king,) = [at for at, piece in enumerate(position.board) if piece is not None and piece.kind is Kind.KING]
        edges = [min(at - 1, 9 - at) for at in (file_of(king), rank_of(king))]
        assert found.features["king_from_edges"] == sum(edges)
    assert fresh[2].features["non_promotions"] == 0
    assert fresh[4].features["sacrifices"] == 1  # 1c1b+ is taken
    assert fresh[4].features["material_given"] == 5  # a promoted pawn
    assert fresh[3].features["material_given"] == 0
    assert fresh[3].features["captures"] == 0
    assert fresh[0].features["open_squares"] == 2
    for found in fresh:
        assert found.features["hardest_try"] <= found.features["log_refutation_work"]


def test_every_feature_and_weight_is_documented(fresh: list[Difficulty]) -> None:
    text = (ROOT / "docs" / "difficulty.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {weight} |" for name, weight in WEIGHTS.items()]
    rows += [f"| `{name}` | – |" for name in set(fresh[0].features) - set(WEIGHTS)]
    rows += [f"| {length} | {' | '.join(map(str, steps))} |" for length, steps in results.STEPS_OF_LENGTH.items()]
    assert [row for row in rows if row not in text] == []


def test_the_proof_tree_of_a_mate_in_one() -> None:
    packed = pack(parse_sfen(PROBLEMS[0][0]).position)
    assert measure_proof_tree(DfPnEngine(table_bits=12), packed, 1) == TreeSize(
        turns=1, checks=2, defences=1, answers=0, decided=2
    )
    assert TreeSize(1, 2, 3, 4) + TreeSize(10, 20, 30, 40) == TreeSize(11, 22, 33, 44)
    assert TreeSize(1, 2, 3, 4).nodes == 4
    assert TreeSize(turns=4, defences=4, answered=1).variations == 3


def slow_tree(board: Any, n: int, search: naive.Search) -> tuple[list[Any], int]:
    """The turns of the proof tree, one for each time it is met, and the number of its lines."""

    def code(move: Any) -> int:
        return pack_move(parse_move(move.usi()))

    key = next(move for move in sorted(naive.check_moves(board), key=code) if search.mates(board, move, n))
    turns, lines, cells = [naive._key(board)], 0, set()
    with naive._after(board, key):
        for answer in sorted(naive.evasion_moves(board), key=code):
            if answer.drop_piece_type is not None:
                if answer.to_square in cells or search._futile(board, answer, n - 1):
                    continue
                cells.add(answer.to_square)
            with naive._after(board, answer):
                length = next(m for m in range(1, n, 2) if search.mate_within(board, m))
                more, of_answer = slow_tree(board, length, search)
            turns, lines = turns + more, lines + of_answer
    return turns, lines or 1


def test_the_tree_is_that_of_the_slow_twin() -> None:
    seen: Counter[str] = Counter()
    composed = (parse_sfen(text).position for text in COMPOSED.read_text().splitlines()[1:])
    for position in [*attacks(60, seed="trees"), *composed]:
        packed, engine = pack(position), DfPnEngine(table_bits=16)
        found = search_length(engine, packed, Limits(nodes=3000, max_length=7))
        if not isinstance(found, Mate):
            continue
        turns, lines = slow_tree(naive.board_of(format_sfen(position)), found.length, naive.Search())
        for subtrees in (None, MeasuredSubtrees(), MeasuredSubtrees(1)):
            size = measure_proof_tree(engine, packed, found.length, subtrees)
            assert (size.turns, size.decided, size.variations) == (len(turns), 2 * len(set(turns)), lines)
        seen.update(met=1, met_again=len(turns) > len(set(turns)), several=lines > 1)
    assert min(seen["met_again"], seen["several"]) > 0, seen


# --- long works, here short ones measured alike -----------------------------------------------
def test_long_works_have_the_same_features(fresh: list[Difficulty], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    scorer = Scorer()
    for (sfen, length), short in zip(PROBLEMS, fresh, strict=True):
        found = scored(scorer, sfen, length)
        assert list(found.features) == list(short.features)
        by_search = {"log_peak_proof_number", "checks_per_turn", "log_proof_tree", "answers_per_check"}
        by_search |= {"decided_positions", "variations"}
        assert all(found.features[name] == short.features[name] for name in {*short.features} - by_search)
        assert scorer.score(parse_sfen(sfen).position.mirrored, length) == found
        assert scored(Scorer(), sfen, length) == found


def test_the_search_for_the_length_of_a_long_work_serves_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    for sfen, length in PROBLEMS:
        engine = DfPnEngine(table_bits=16)
        packed, position = pack(canonical(parse_sfen(sfen).position)), parse_sfen(sfen).position
        search_length(engine, packed, Limits(), since=MateBounds(LAST_RAISED))
        found = Scorer(for_long_works=engine).score(position, length, is_searched=True)
        assert found == Scorer(for_long_works=engine).score(position, length)


def test_a_limit_ends_the_score_of_a_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    sfen, length = PROBLEMS[-1]
    with pytest.raises(LimitReached):
        Scorer(for_long_works=DfPnEngine()).score(parse_sfen(sfen).position, length, Limits(nodes=3))


def test_the_main_line_alone_counts_its_own_turns() -> None:
    for sfen, length in PROBLEMS:
        packed, engine = pack(parse_sfen(sfen).position), DfPnEngine(table_bits=16)
        line = TreeBuilder(engine, complete=False, order=int).line(packed, length)
        size = measure_line(engine, packed, line, length)
        checks = 0
        for ply in range(0, length, 2):
            with line_played(packed, line[:ply]):
                checks += len(legal_checks(packed))
        turns = (length + 1) // 2
        assert (size.turns, size.defences, size.answered) == (turns, turns, turns - 1)
        assert size.checks == checks
        assert size.answers >= turns - 1


# --- Which checks are refuted at a glance, compared with the slow twin -----------------------------


def test_the_slow_twin_agrees() -> None:
    seen: Counter[bool] = Counter()
    for position in [*attacks(60, seed="glance"), *crowded(20, seed="glance")]:
        packed = pack(position)
        checks = legal_checks(packed)
        kept = checks_beyond_glance(packed, checks)
        board = naive.board_of(format_sfen(position))
        slow = {check for check in checks if not naive.refuted_at_a_glance(board, unpack_move(check).usi)}
        assert set(kept) == slow, format_sfen(position)
        seen.update(check in slow for check in checks)
    assert min(seen[True], seen[False]) > 50


def test_the_attacker_runs_out_of_checks_within_three_plies() -> None:
    move = pack_move(parse_move("G*1b"))
    for sfen, kept in (
        ("8k/9/9/9/9/9/9/9/9 b G 1", []),  # the king takes, and nothing is left
        ("8k/9/9/9/9/9/9/9/9 b 2G 1", []),  # a second check, and nothing is left
        ("8k/9/9/9/9/9/9/9/9 b 3G 1", [move]),  # the third comes after three plies
        ("8k/9/8P/9/9/9/9/9/9 b G 1", [move]),  # mate
    ):
        assert checks_beyond_glance(pack(parse_sfen(sfen).position), [move]) == kept, sfen


# --- Proof trees counted within a given number of remembered subtrees ------------------------------

CAPS = (1, 2, 7)


@pytest.fixture(scope="module")
def given() -> list[tuple[Position, int]]:
    """60 problems of 5 to 11 moves, with their lengths."""
    engine, found = DfPnEngine(), []
    for line in COMPOSED.read_text().splitlines()[1::3]:
        position = parse_sfen(line).position
        result = search_length(engine, pack(position), Limits())
        assert isinstance(result, Mate)
        found.append((position, result.length))
    assert len(found) >= 50
    return found


@pytest.mark.parametrize("cells", CAPS)
def test_the_counts_and_scores_do_not_depend_on_how_much_is_remembered(
    given: list[tuple[Position, int]], cells: int
) -> None:
    engine, forgot, counted_twice = DfPnEngine(), 0, 0
    for position, length in given:
        packed, everything, few = pack(position), MeasuredSubtrees(), MeasuredSubtrees(cells)
        size = measure_proof_tree(engine, packed, length, everything)
        assert measure_proof_tree(engine, packed, length, few) == size
        assert few.peak == min(cells, everything.peak)
        forgot += few.peak < everything.peak
        counted_twice += size.turns > everything.peak
    assert forgot > 20
    assert counted_twice > 5
    ample, scarce = Scorer(), Scorer(cells=cells)
    for position, length in given:
        assert scarce.score(position, length) == ample.score(position, length)


def test_scores_stay_the_same_where_the_table_loses_what_was_asked(given: list[tuple[Position, int]]) -> None:
    lost = 0
    for position, length in given[::4]:
        scorers = Scorer(), Scorer(cells=1)
        for scorer in scorers:
            scorer._engine = DfPnEngine(table_bits=1)
        ample, scarce = (scorer.score(position, length) for scorer in scorers)
        assert scarce == ample
        lost += scorers[1]._engine._search.evicted > 0
    assert lost > 5


def test_what_the_table_knows_has_no_say_in_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, cooked = DfPnEngine(), []
    for position in attacks(400, seed="several checks mate"):
        result = search_length(engine, pack(position), Limits(nodes=10_000, max_length=7))
        if isinstance(result, Mate) and result.length > 1:
            cooked.append((position, result.length))
    assert len(cooked) > 20
    ample = [Scorer().score(position, length) for position, length in cooked]

    def measured(engine: DfPnEngine, packed: PackedPosition, length: int, subtrees: MeasuredSubtrees) -> TreeSize:
        size = measure_proof_tree(engine, packed, length, subtrees)
        engine.forget()
        engine.mates(packed, length)  # by any check
        return size

    monkeypatch.setattr(difficulty, "measure_proof_tree", measured)
    assert [Scorer().score(position, length) for position, length in cooked] == ample


def test_the_longest_subtrees_stay() -> None:
    subtrees = MeasuredSubtrees(2)
    for key, n in ((1, 1), (2, 3), (3, 1), (4, 5), (5, 3)):
        subtrees.put((key, 0, n), TreeSize(turns=key))
    kept = [key for key in range(1, 6) for n in (1, 3, 5) if subtrees.get((key, 0, n)) is not None]
    assert kept == [2, 4]
    assert subtrees.peak == 2


# --- Resistance, compared with a search that is made anew for each check ---------------------------

BITS = 12


def slow_resistance(packed: PackedPosition, wrong: list[int], most: int) -> float:
    """The same, with an engine for each check."""
    works = [0]
    for check in wrong:
        engine = DfPnEngine(table_bits=BITS, method=FOR_RESISTANCE)
        with played(packed, check, Side.ATTACKER):
            mates = engine.answered_within(most, partial(engine.mates_ever, packed, attacker=False))
        if mates is None:
            works.append(most)
        elif not mates:
            works.append(min(engine.nodes, most))
    return math.log2(1 + max(works))


@pytest.mark.parametrize("most", [200, 5000])
def test_resistance_is_that_of_the_slow_twin(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESISTANCE_NODES", most)
    used = DfPnEngine(table_bits=BITS)
    at_the_bound, found = 0, set()
    for position in attacks(40, seed="resistance"):
        packed = pack(position)
        checks = legal_checks(packed)
        used.answered_within(500, partial(used.mates_ever, packed))  # its table must not matter
        fast = resistance(used, packed, checks)
        assert fast == slow_resistance(packed, checks, most)
        at_the_bound += fast == math.log2(1 + most)
        found.add(fast)
    assert len(found) > 5
    assert at_the_bound > 0 or most > 200


def test_without_wrong_checks_nothing_resists() -> None:
    packed = pack(next(iter(attacks(1))))
    assert resistance(DfPnEngine(table_bits=BITS), packed, []) == 0


def test_an_enclosing_limit_is_not_taken_for_resistance() -> None:
    engine = DfPnEngine(table_bits=BITS)
    for position in attacks(40, seed="resistance"):
        packed = pack(position)
        if resistance(engine, packed, legal_checks(packed)) > math.log2(100):
            with engine.within(Limits(nodes=10)), pytest.raises(LimitReached):
                resistance(engine, packed, legal_checks(packed))
            return
    raise AssertionError("no sample resists")


# --- Traits of checks, compared with a slow twin on python-shogi, and the surprise of a key --------

VALUES = {
    shogi.PAWN: 1, shogi.LANCE: 3, shogi.KNIGHT: 3, shogi.SILVER: 5, shogi.GOLD: 5, shogi.BISHOP: 7,
    shogi.ROOK: 8, shogi.KING: 0, shogi.PROM_PAWN: 5, shogi.PROM_LANCE: 5, shogi.PROM_KNIGHT: 5,
    shogi.PROM_SILVER: 5, shogi.PROM_BISHOP: 9, shogi.PROM_ROOK: 10,
}  # fmt: skip
KINDS = {
    shogi.PAWN: "pawn", shogi.LANCE: "lance", shogi.KNIGHT: "knight", shogi.GOLD: "gold",
    shogi.BISHOP: "bishop", shogi.ROOK: "rook", shogi.PROM_PAWN: "gold", shogi.PROM_LANCE: "gold",
    shogi.PROM_KNIGHT: "gold", shogi.PROM_SILVER: "gold", shogi.PROM_BISHOP: "horse",
    shogi.PROM_ROOK: "dragon",
}  # fmt: skip


def distance(one: int, other: int) -> int:
    return max(abs(one % 9 - other % 9), abs(one // 9 - other // 9))


def slow_traits(board: Any, move: Any) -> defaultdict[str, float]:
    """The traits, read off python-shogi's board before and after the check."""
    king, target, origin = board.king_squares[shogi.WHITE], move.to_square, move.from_square
    piece = move.drop_piece_type or board.piece_type_at(origin)
    taken = board.piece_type_at(target) or None
    traits: defaultdict[str, float] = defaultdict(float)
    if piece in KINDS:
        traits[KINDS[piece]] = 1.0
    traits["captures"] = float(taken is not None)
    traits["captured_value"] = VALUES[taken] / 10 if taken else 0.0
    traits["promotes"] = float(move.promotion)
    may_promote = origin is not None and any(shogi.can_promote(sq, piece, shogi.BLACK) for sq in (origin, target))
    traits["stays_unpromoted"] = float(may_promote and not move.promotion)
    traits["drops"] = float(origin is None)
    traits["distance"] = float(min(distance(target, king), 3))
    traits["withdraws"] = float(origin is not None and distance(target, king) > distance(origin, king))
    board.push(move)
    checkers = naive.checkers(board)
    answers = list(naive.evasion_moves(board))
    moves = [answer for answer in answers if answer.from_square is not None]
    of_king = [answer for answer in moves if answer.from_square == king]
    traits["supported"] = float(bool(naive._reaching(board, shogi.BLACK, target)))
    traits["may_be_taken"] = float(any(answer.to_square == target for answer in moves))
    traits["gives_value"] = traits["may_be_taken"] * VALUES[board.piece_type_at(target)] / 10
    traits["king_moves"] = float(min(len(of_king), 4))
    traits["other_answers"] = float(min(len(moves) - len(of_king), 4))
    traits["may_be_blocked"] = float(len(answers) > len(moves))
    traits["discovers"] = float(target not in checkers)
    traits["double"] = float(len(checkers) > 1)
    board.pop()
    return traits


def test_surprise_is_that_of_the_slow_twin() -> None:
    seen: Counter[str] = Counter()
    for position in [*attacks(60, seed="habit"), *crowded(150, seed="habit")]:
        packed, board = pack(position), naive.board_of(format_sfen(position))
        for check in legal_checks(packed):
            usi = unpack_move(check).usi
            slow = slow_traits(board, shogi.Move.from_usi(usi))
            traits = defaultdict(float, check_traits(packed, check))
            assert {name: traits[name] for name in TRAIT_WEIGHTS} == {name: slow[name] for name in TRAIT_WEIGHTS}, usi
            assert set(traits) <= set(TRAIT_WEIGHTS)
            seen.update(name for name in TRAIT_WEIGHTS if traits[name])
    assert set(seen) == set(TRAIT_WEIGHTS)


def test_the_chances_of_all_checks_sum_to_one() -> None:
    for position in attacks(30, seed="chances"):
        packed = pack(position)
        checks = legal_checks(packed)
        if checks:
            assert math.fsum(2 ** -surprise(packed, check, checks) for check in checks) == pytest.approx(1)
            likeliest = min(checks, key=lambda check: surprise(packed, check, checks))
            assert weighted_sum(check_traits(packed, likeliest)) == max(
                weighted_sum(check_traits(packed, check)) for check in checks
            )


def test_the_only_check_is_no_surprise() -> None:
    packed = pack(parse_sfen("8k/9/9/9/9/9/9/9/9 b P 1").position)
    (only,) = legal_checks(packed)
    assert surprise(packed, only, [only]) == 0
    packed = pack(parse_sfen("7nk/9/8P/9/9/9/9/9/9 b G 1").position)
    checks = legal_checks(packed)
    by_usi = {unpack_move(check).usi: surprise(packed, check, checks) for check in checks}
    assert by_usi["G*1b"] < by_usi["G*2b"]
