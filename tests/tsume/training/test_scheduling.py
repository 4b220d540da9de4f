# SPDX-License-Identifier: GPL-3.0-or-later
"""When a problem comes back, and whether the rating comes near the strength of simulated learners."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from math import exp, log, pi, sqrt
from random import Random

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

import fsrs
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from db.problem_rows import ProblemAddition
from db.store import Store
from db.training.records import LOGINS, PERSONS, Outcome, Rating, ReviewCard, StoredPerson
from solver.results import RATING_BOUNDS, score_of_rating
from tests.db.samples import problem
from tests.tsume.conftest import present
from tsume.training import ratings
from tsume.training.persons import SESSION_DAYS, NameTakenError, Persons, valid_name, valid_passphrase
from tsume.training.trainer import Trainer, TrainingRequest, recall_grade, rescheduled_card

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
CLEAN = Outcome(1, "training", True, 3, 0, 0, 30)
FAILED, HINTED, FAST = replace(CLEAN, mistakes=1), replace(CLEAN, hints=1), replace(CLEAN, seconds=10)
GIVEN_UP = replace(CLEAN, solved=False)


def test_grades_and_the_better_the_later() -> None:
    for name, outcomes in {"Again": (FAILED, GIVEN_UP, replace(FAILED, hints=2)), "Hard": (HINTED,), "Good": (CLEAN,),
                           "Easy": (FAST,)}.items():  # fmt: skip
        assert {recall_grade(outcome, 3) for outcome in outcomes} == {fsrs.Rating[name]}
    assert recall_grade(replace(CLEAN, seconds=30), 11) is fsrs.Rating.Easy  # six moves of the solver
    dues = [rescheduled_card(None, outcome, 3, NOW).due for outcome in (FAILED, HINTED, CLEAN, FAST)]
    assert dues == sorted(dues)
    assert dues[0] == NOW + DAY
    assert dues[-1] > NOW + 3 * DAY
    assert rescheduled_card(None, CLEAN, 3, NOW) == rescheduled_card(None, CLEAN, 3, NOW)


@given(st.lists(st.tuples(st.sampled_from([FAILED, GIVEN_UP, HINTED, CLEAN, FAST]), st.floats(0, 90))))
def test_a_failure_always_comes_back_sooner(history: list[tuple[Outcome, float]]) -> None:
    card: ReviewCard | None = None
    now = NOW
    for outcome, days in history:
        card, now = rescheduled_card(card, outcome, 5, now), now + timedelta(days=days)
        assert card.due > now - timedelta(days=days)
    failed, clean = rescheduled_card(card, FAILED, 5, now), rescheduled_card(card, CLEAN, 5, now)
    assert now + DAY <= failed.due <= clean.due
    assert (failed.failed, clean.failed) == (True, False)
    assert rescheduled_card(failed, HINTED, 5, now).failed


PROBLEMS = 600
MIN_SCORE, MAX_SCORE = 10.0, 90.0
REMEMBERED = 150.0
"""Points by which each attempt at a problem makes it easier."""
START = datetime(2026, 1, 1, 18, tzinfo=UTC)


def fill(store: Store) -> None:
    """Problems of all ratings."""
    step = (MAX_SCORE - MIN_SCORE) / (PROBLEMS - 1)
    store.add_all([ProblemAddition(problem(n, score=MIN_SCORE + step * n)) for n in range(PROBLEMS)])


@dataclass
class Learner:
    """Solves what comes next in mode ``training``, with the chance that Elo's formula gives.

    ``noise``: the standard deviation of the true ratings of problems about those that their scores give.
    """

    store: Store
    strength: float
    seed: int
    noise: float = 0.0
    now: datetime = START
    rated: int = 0
    due: dict[int, datetime] = field(default_factory=dict)
    """When each failed problem comes back."""
    late: list[int] = field(default_factory=list)
    """Failed problems that a visit after their date did not offer."""

    def __post_init__(self) -> None:
        self._random = Random(f"{self.strength} {self.seed}")
        self._trainer = Trainer(self.store, lambda: self.now)
        self._scores = {one.id: one.difficulty.score for one in self.store.find()}
        self._seen: dict[int, int] = {}

    @property
    def person(self) -> StoredPerson:
        """As stored."""
        return self.store.training.persons.unnamed()

    @property
    def error(self) -> float:
        """How far the rating is from the strength."""
        return self.person.rating.rating - self.strength

    def train(self, days: int, new: int) -> None:
        """Visit on most days, for so many new problems each time, ``new`` * ``days`` in all."""
        wanted = days * new
        for day in range(days):
            self.now = START + timedelta(days=day, minutes=self._random.uniform(-300, 300))
            is_last = day == days - 1
            if is_last or self._random.random() < 0.8:
                until = wanted if is_last else min(wanted, self.rated + round(new / 0.8))
                self.visit(until)

    def visit(self, until: int) -> None:
        """Solve what comes until so many results are rated."""
        waiting = {number for number, due in self.due.items() if due <= self.now}
        while self.rated < until:
            choice = present(self._trainer.next(self.person, TrainingRequest("training")))
            waiting.discard(choice.problem)
            self._attempt(choice.problem)
            self.now += timedelta(minutes=1)
        self.late += sorted(waiting)

    def _attempt(self, number: int) -> None:
        solved = self._random.random() < self._chance(number)
        self._seen[number] = self._seen.get(number, 0) + 1
        outcome = Outcome(number, "training", solved, 3, int(not solved), 0, 20)
        recorded = self._trainer.record(self.person, outcome)
        self.rated += recorded.rated
        self.due.pop(number, None)
        if not solved:
            self.due[number] = recorded.due

    def _chance(self, number: int) -> float:
        noise = Random(f"{self.seed} {number}").gauss(0.0, self.noise)
        harder = ratings.initial_rating(self._scores[number]).rating + noise
        easier = self.strength + REMEMBERED * self._seen.get(number, 0)
        return float(1 / (1 + 10 ** ((harder - easier) / 400)))


STRENGTHS = (1000.0, 1500.0, 2000.0)
DAYS, NEW = 30, 2
"""60 problems."""
NEAR = 100.0
"""Points of rating."""


def errors_of(strength: float, seeds: range) -> list[float]:
    """How far the ratings of learners are from their strength after 60 problems in 30 days."""
    errors = []
    for seed in seeds:
        with Store.open(":memory:") as store:
            fill(store)
            learner = Learner(store, strength, seed)
            learner.train(DAYS, NEW)
            errors.append(learner.error)
        assert learner.rated == DAYS * NEW
        assert learner.late == []
    return errors


def share_near(errors: list[float]) -> float:
    return sum(abs(error) <= NEAR for error in errors) / len(errors)


def test_the_rating_comes_near_and_what_failed_comes_back() -> None:
    errors = [error for strength in STRENGTHS for error in errors_of(strength, range(3))]
    assert share_near(errors) >= 0.9, errors


@pytest.mark.slow
@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_rating_comes_near_for_many_learners(strength: float) -> None:
    errors = errors_of(strength, range(200))
    assert share_near(errors) >= 0.95, sorted(errors)


# --- Persons: names, passphrases, sessions ------------------------------------------------------


WORDS = "correct horse"


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.open(":memory:") as opened:
        yield opened


@pytest.fixture
def persons(store: Store) -> Persons:
    return Persons(store.training.persons)


def test_signing_up_in_and_out(persons: Persons) -> None:
    person, token = persons.sign_up("Taro", WORDS)
    assert persons.of_token(token) == person
    signed_in = present(persons.sign_in("Taro", WORDS))
    assert signed_in[0] == person
    assert signed_in[1] != token
    persons.sign_out(token)
    assert persons.of_token(token) is None
    assert persons.of_token(signed_in[1]) == person


def test_a_name_is_taken_whatever_its_looks(persons: Persons) -> None:
    person, _ = persons.sign_up("Taro", WORDS)
    for name in ("taro", "TARO", "Ｔａｒｏ", "ｔARO"):
        with pytest.raises(NameTakenError):
            persons.sign_up(name, "another phrase")
        assert persons.sign_in(name, "another phrase") is None
        found = present(persons.sign_in(name, WORDS))
        assert found[0] == person


def test_a_wrong_passphrase_or_no_name(persons: Persons, store: Store) -> None:
    persons.sign_up("Taro", WORDS)
    store.training.persons.stored_unnamed(datetime.now(UTC))
    for passphrase in ("", "x", "Correct horse", "correct horse ", "x" * 10_000, "\0"):
        assert persons.sign_in("Taro", passphrase) is None, passphrase
    for name in ("", " ", "Hanako", "\0"):
        for passphrase in ("", WORDS):
            assert persons.sign_in(name, passphrase) is None, name


def test_names_and_passphrases_that_are_valid_or_not() -> None:
    assert valid_name("  山田 太郎 ") == "山田 太郎"
    assert valid_passphrase("8 letter") == "8 letter"
    with pytest.raises(ValueError, match="at least 8"):
        valid_passphrase("7 lette")
    for text in ("", " ", "\u3000", "a\nb", "a\0", "\u202ea", "x" * 41, "\ud800", "ﷺ" * 40):
        with pytest.raises(ValueError, match=r"a name has|not printable"):
            valid_name(text)


def test_a_session_expires(store: Store) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    persons = Persons(store.training.persons, lambda: now)
    person, token = persons.sign_up("Taro", WORDS)
    now += timedelta(days=SESSION_DAYS) - timedelta(seconds=1)
    assert persons.of_token(token) == person
    now += timedelta(seconds=1)
    assert persons.of_token(token) is None
    persons.sign_in("Taro", WORDS)  # removes expired ones
    with store._sessions.reading() as session:
        assert len(session.execute(select(LOGINS)).all()) == 1


def test_the_store_has_neither_passphrases_nor_tokens(store: Store, persons: Persons) -> None:
    tokens = [persons.sign_up(name, WORDS)[1] for name in ("a", "b")]
    with store._sessions.reading() as session:
        people = session.execute(select(PERSONS)).all()
        kept = f"{people} {session.execute(select(LOGINS)).all()}"
    for secret in (WORDS, *tokens):
        assert secret not in kept
    assert len({row.salt for row in people}) == len({row.digest for row in people}) == 2


# --- Ratings by Glicko-2, also beside a twin of the paper; scores as ratings; the problem of the day ---


@given(st.floats(-100, 1000), st.floats(-100, 1000), st.floats(*RATING_BOUNDS))
def test_a_higher_score_never_has_a_lower_rating(some: float, other: float, rating: float) -> None:
    low, high = (ratings.initial_rating(score) for score in sorted((some, other)))
    assert RATING_BOUNDS[0] <= low.rating <= high.rating <= RATING_BOUNDS[1]
    assert ratings.initial_rating(score_of_rating(rating)).rating == pytest.approx(rating)


def test_own_ratings_and_the_rotation_of_days() -> None:
    own = Rating(1234.0, 60.0)
    assert ratings.problem_rating(50.0, own) == own
    assert ratings.problem_rating(50.0, None) == ratings.initial_rating(50.0)
    texts = [f"{number} b - 1" for number in range(ratings.MAX_DAYS + 100)]
    expected = sorted(texts, key=lambda text: sha256(text.encode()).digest())[: ratings.MAX_DAYS]
    assert ratings.daily_problem_rotation(reversed(texts), str) == expected
    places = [ratings.place_of_day(date(2026, 1, day), 7) for day in range(1, 15)]
    assert places == [(places[0] + day) % 7 for day in range(14)]
    assert ratings.place_of_day(date(1970, 1, 1), 5) == 0
    assert ratings.place_of_day(date(1969, 12, 31), 5) == 4


@given(st.floats(*RATING_BOUNDS), st.booleans())
def test_a_first_result_moves_the_rating_by_so_much_only(problem: float, clean: bool) -> None:
    """And in the right direction; what it says of the person is known as well as before the limit."""
    now, person = datetime(2026, 1, 1, tzinfo=UTC), Rating()
    after, _ = ratings.played_ratings(person, None, Rating(problem, 75.0), now, clean=clean)
    change = after.rating - person.rating
    assert 0 < (change if clean else -change) <= ratings.MAX_CHANGE == 100
    assert after.deviation < person.deviation


RATINGS = st.builds(Rating, st.floats(0, 3500), st.floats(ratings.MIN_DEVIATION, 350), st.floats(0.03, 0.12))
GAMES = st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 1.0])), min_size=1, max_size=8)


def test_the_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = ratings.updated_rating(Rating(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def twin(player: Rating, games: list[ratings.Game], system: float = 0.5) -> Rating:
    """The formulas as the paper has them; the volatility by bisection."""
    mu, phi = (player.rating - 1500) / 173.7178, player.deviation / 173.7178
    information = gain = 0.0
    for opponent, won in games:
        g = 1 / sqrt(1 + 3 * (opponent.deviation / 173.7178) ** 2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - (opponent.rating - 1500) / 173.7178)))
        information += g**2 * expected * (1 - expected)
        gain += g * (won - expected)
    v = 1 / information
    delta = v * gain

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - log(player.volatility**2)) / system**2

    low, high = -40.0, 10.0  # f falls from positive to negative
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    volatility = exp(low / 2)
    grown = sqrt(phi**2 + volatility**2)
    after = 1 / sqrt(1 / grown**2 + 1 / v)
    return Rating(1500 + 173.7178 * (mu + after**2 * gain), 173.7178 * after, volatility)


@given(RATINGS, GAMES)
def test_the_twin(player: Rating, games: list[ratings.Game]) -> None:
    after, expected = ratings.updated_rating(player, games), twin(player, games)
    assert after.rating == pytest.approx(expected.rating, abs=1e-2)
    assert after.volatility == pytest.approx(expected.volatility, rel=1e-4)
    bounded = min(max(expected.deviation, ratings.MIN_DEVIATION), ratings.MAX_DEVIATION)
    assert after.deviation == pytest.approx(bounded, rel=1e-4)


@given(RATINGS, RATINGS)
def test_a_win_raises_and_a_loss_lowers(player: Rating, opponent: Rating) -> None:
    won, lost = ratings.updated_rating(player, [(opponent, 1.0)]), ratings.updated_rating(player, [(opponent, 0.0)])
    assert lost.rating < player.rating < won.rating
    assert ratings.expected_score(player, opponent) + ratings.expected_score(opponent, player) == pytest.approx(1)


@given(RATINGS, st.floats(0, 500), st.floats(0, 500))
def test_the_deviation_grows_with_time(player: Rating, some: float, more: float) -> None:
    early, late = (ratings.updated_rating(player, [], periods) for periods in sorted((some, more)))
    assert player.deviation <= early.deviation + 1e-9
    assert early.deviation <= late.deviation <= ratings.MAX_DEVIATION
    assert early.rating == late.rating == player.rating


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0]))
def test_far_ratings_are_no_errors(rating: float, other: float, won: float) -> None:
    after = ratings.updated_rating(Rating(rating), [(Rating(other), won)])
    assert ratings.MIN_DEVIATION <= after.deviation <= ratings.MAX_DEVIATION
