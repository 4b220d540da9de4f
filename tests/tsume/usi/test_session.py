# SPDX-License-Identifier: GPL-3.0-or-later
"""The session alone: a worker that only notes its jobs, and a clock that is set."""

from __future__ import annotations

import pytest

from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.usi.messages import Ending, Info, KnownMate, Note, Preparation, Ready, SearchRequest
from tsume.usi.options import Settings
from tsume.usi.session import Session

MATE = KnownMate(tuple(CORRECT_LINE), 3, proved=True)
LONGER = KnownMate(("7g7f", "3c3d", "2g2f", "8c8d", "2f2e"), 5, proved=False)


class Talk:
    """A session and what it has sent; each call returns what is new."""

    def __init__(self) -> None:
        self.jobs: list[Preparation | SearchRequest] = []
        self.now = 0.0
        self._sent: list[str] = []
        self.session = Session(self._sent.append, self, Settings(), lambda: self.now)

    def submit(self, job: Preparation | SearchRequest) -> None:
        self.jobs.append(job)

    def __call__(self, *lines: str) -> list[str]:
        assert all(self.session.receive(line) for line in lines)
        return self.new()

    def new(self) -> list[str]:
        sent = self._sent.copy()
        self._sent.clear()
        return sent

    def hear(self, event: Info | Note | KnownMate | Ending | Ready, number: int | None = None) -> list[str]:
        self.session.hear(self.search.number if number is None else number, event)
        return self.new()

    def wait(self, seconds: float) -> list[str]:
        self.now += seconds
        self.session.tick()
        return self.new()

    @property
    def search(self) -> SearchRequest:
        job = self.jobs[-1]
        assert isinstance(job, SearchRequest)
        return job


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_introduction(talk: Talk) -> None:
    name, author, *options, last = talk("usi")
    assert name.startswith("id name tsume ")
    assert author.startswith("id author ")
    assert all(line.startswith("option name ") for line in options)
    assert last == "usiok"


def test_every_isready_is_answered_once_the_engine_is_ready(talk: Talk) -> None:
    assert talk("isready", "isready") == []
    assert [type(job) for job in talk.jobs] == [Preparation, Preparation]
    assert talk.hear(Ready(), 0) == ["readyok", "readyok"]
    assert talk.hear(Ready(), 0) == []


def test_a_long_preparation_shows_signs_of_life(talk: Talk) -> None:
    talk("isready")
    assert talk.wait(3) == []
    (line,) = talk.wait(3)
    assert line.startswith("info string preparing")
    assert talk.wait(1) == []
    assert talk.session.timeout() == 4
    talk.hear(Ready(), 0)
    assert talk.session.timeout() is None


def test_isready_during_a_search(talk: Talk) -> None:
    talk("go mate infinite")
    number = talk.search.number
    assert talk("isready") == [], "nothing is loaded yet"
    assert talk.hear(Ready(), number) == ["readyok"]
    assert talk("isready") == ["readyok"]
    assert talk("stop") == ["checkmate timeout"]


def test_a_mate(talk: Talk) -> None:
    talk(f"position sfen {CORRECT}", "go mate infinite")
    assert talk.hear(Info(3, 10, 5, 0, mate=3, line=MATE.line)) == [
        "info depth 3 nodes 10 nps 2000 hashfull 0 time 5 score mate 3 pv " + " ".join(CORRECT_LINE)
    ]
    assert talk.hear(MATE) == []
    assert talk.hear(Ending.MATE) == ["checkmate " + " ".join(CORRECT_LINE)]
    assert talk.hear(Ending.MATE) == []
    assert talk("stop") == []


@pytest.mark.parametrize(
    ("ending", "answer"),
    [
        (Ending.NO_MATE, "nomate"),
        (Ending.OPEN, "timeout"),
        (Ending.FAILED, "notimplemented"),
    ],
)
def test_other_endings(talk: Talk, ending: Ending, answer: str) -> None:
    talk("go mate infinite")
    assert talk.hear(ending) == [f"checkmate {answer}"]
    talk("go")
    assert talk.hear(ending) == ["bestmove resign"]


def test_stop_does_not_wait_for_the_search(talk: Talk) -> None:
    talk("go mate infinite")
    first = talk.search
    assert talk("stop") == ["checkmate timeout"]
    assert first.cancelled.is_set()
    assert talk.hear(Note("late"), first.number) == []
    assert talk.hear(Ending.NO_MATE, first.number) == []
    talk("go mate infinite")
    assert talk.hear(MATE, first.number) == []
    assert talk("stop") == ["checkmate timeout"]


@pytest.mark.parametrize(
    ("shortest", "note"),
    [("true", "a shorter mate is not ruled out"), ("false", "it may not be the shortest")],
)
def test_a_mate_that_may_not_be_the_shortest_is_answered_with_a_note(
    talk: Talk, shortest: str, note: str
) -> None:
    talk(f"setoption name Shortest value {shortest}", "go mate 1000")
    talk.hear(LONGER)
    told, answer = talk.wait(1)
    assert told.startswith("info string mate in 5")
    assert note in told
    assert answer == "checkmate " + " ".join(LONGER.line)


def test_the_time_of_a_search(talk: Talk) -> None:
    talk("go mate 1500")
    assert talk.session.timeout() == 1.5
    assert talk.wait(1.4) == []
    assert talk.wait(0.2) == ["checkmate timeout"]
    assert talk.session.timeout() is None


def test_an_infinite_analysis_waits_for_stop(talk: Talk) -> None:
    talk("go infinite")
    talk.hear(MATE)
    assert talk.hear(Ending.MATE) == []
    assert talk("stop") == [f"bestmove {CORRECT_LINE[0]} ponder {CORRECT_LINE[1]}"]


def test_pondering(talk: Talk) -> None:
    talk("go ponder btime 0 wtime 0 byoyomi 1100")
    assert talk.wait(100) == []
    assert talk("ponderhit") == []
    assert talk.session.timeout() == 1
    assert talk.wait(1) == ["bestmove resign"]
    talk("go ponder byoyomi 1000")
    talk.hear(MATE)
    assert talk.hear(Ending.MATE) == []
    assert talk("ponderhit") == [f"bestmove {CORRECT_LINE[0]} ponder {CORRECT_LINE[1]}"]
    talk("go ponder byoyomi 1000")
    assert talk("stop") == ["bestmove resign"]


def test_the_clock_may_come_with_ponderhit(talk: Talk) -> None:
    talk("go ponder")
    assert talk("ponderhit btime 0 wtime 0 byoyomi 2100") == []
    assert talk.wait(1) == []
    assert talk("ponderhit") == []
    assert talk.wait(1) == ["bestmove resign"]


def test_a_second_go_answers_the_first(talk: Talk) -> None:
    assert talk("go mate infinite", "go infinite") == ["checkmate timeout"]
    assert talk("go mate infinite") == ["bestmove resign"]
    assert talk("gameover win") == ["checkmate timeout"]


def test_go_without_a_valid_position(talk: Talk) -> None:
    (error,) = talk("position sfen x")
    assert error.startswith("info string Error: position sfen: ")
    assert talk("go mate 9")[-1] == "checkmate notimplemented"
    assert talk("go movetime 9")[-1] == "bestmove resign"
    (error,) = talk("go infinite")
    assert "no valid position" in error
    assert talk("stop") == ["bestmove resign"]
    assert talk.jobs == []
    assert talk("position startpos", "go mate 9") == []


def test_a_position_that_is_too_long_is_unknown(talk: Talk) -> None:
    talk.session.refuse_long_line("hello x", 9)
    assert talk.new() == ["info string Error: a line is longer than 9 bytes"]
    assert talk("go mate 9") == []
    talk.session.refuse_long_line("position startpos moves 7g7f", 9)
    talk.new()
    assert talk("go mate 9")[-1] == "checkmate notimplemented"


def test_a_go_that_cannot_be_read_is_answered(talk: Talk) -> None:
    assert talk("go mate soon") == [
        "info string Error: go mate: 'soon' is not a number",
        "checkmate notimplemented",
    ]


def test_a_position_during_a_search_is_for_the_next_one(talk: Talk) -> None:
    talk("go mate infinite")
    first = talk.search.position
    talk(f"position sfen {CORRECT}")
    assert talk("stop") == ["checkmate timeout"]
    talk("go mate infinite")
    assert talk.search.position != first


def test_missing_pieces_are_mentioned(talk: Talk) -> None:
    assert talk("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "go mate infinite") == [
        "info string 36 missing pieces given to the defender's hand"
    ]


@pytest.mark.parametrize(
    "line", ["", " ", "hello", "usinewgame", "gameover lose", "ponderhit", "stop", "\x00\ufffd"]
)
def test_what_needs_no_reply(talk: Talk, line: str) -> None:
    assert talk(line) == []


def test_quit(talk: Talk) -> None:
    talk("go mate infinite")
    assert not talk.session.receive("quit")
    talk.session.close()
    assert talk.search.cancelled.is_set()
    assert talk.new() == []
