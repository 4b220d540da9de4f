# SPDX-License-Identifier: GPL-3.0-or-later
"""A session of USI without an engine, and what it reads: positions, commands, options, lines of bytes."""

import pytest

from solver.results import Interposition
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, FAULTY
from tsume.usi import session
from tsume.usi.protocol import (
    MAX_MILLISECONDS,
    READINGS,
    Go,
    Info,
    InfoText,
    KnownMate,
    PreparationRequest,
    Ready,
    SearchEnding,
    SearchRequest,
    Settings,
    UsiError,
    option_declarations,
    parse_go,
    parse_position,
    parse_setoption,
    settings_with_option,
    split_command,
    start_position,
)
from tsume.usi.session import LongLine, Session, input_lines
from tsume_rules.position import Side
from tsume_rules.sfen import format_hand

MATE = KnownMate(tuple(CORRECT_LINE), 3, proved=True)
LONGER = KnownMate(("7g7f", "3c3d", "2g2f", "8c8d", "2f2e"), 5, proved=False)


class Talk:
    """A session and what it has sent; each call returns what is new."""

    def __init__(self) -> None:
        self.jobs: list[PreparationRequest | SearchRequest] = []
        self.now = 0.0
        self._sent: list[str] = []
        self.session = Session(self._sent.append, self, Settings(), lambda: self.now)

    def submit(self, job: PreparationRequest | SearchRequest) -> None:
        self.jobs.append(job)

    def __call__(self, *lines: str) -> list[str]:
        assert all(self.session.receive(line) for line in lines)
        return self.new()

    def new(self) -> list[str]:
        sent = self._sent.copy()
        self._sent.clear()
        return sent

    def hear(self, event: Info | InfoText | KnownMate | SearchEnding | Ready, number: int | None = None) -> list[str]:
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


def test_introduction_and_missing_pieces(talk: Talk) -> None:
    name, author, *options, last = talk("usi")
    assert name.startswith("id name tsume ")
    assert author.startswith("id author ")
    assert all(line.startswith("option name ") for line in options)
    assert last == "usiok"
    assert talk("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "go mate infinite") == [
        "info string 36 missing pieces given to the defender's hand"
    ]


def test_isready_is_answered_once_the_engine_is_ready_also_during_a_search(talk: Talk) -> None:
    assert talk("isready", "isready") == []
    assert [type(job) for job in talk.jobs] == [PreparationRequest, PreparationRequest]
    assert talk.wait(3) == []
    (line,) = talk.wait(3)
    assert line.startswith("info string preparing")
    assert talk.wait(1) == []
    assert talk.session.timeout() == 4
    assert talk.hear(Ready(), 0) == ["readyok", "readyok"]
    assert talk.hear(Ready(), 0) == []
    assert talk.session.timeout() is None
    talk = Talk()
    talk("go mate infinite")
    number = talk.search.number
    assert talk("isready") == [], "nothing is loaded yet"
    assert talk.hear(Ready(), number) == ["readyok"]
    assert talk("isready") == ["readyok"]
    assert talk("stop") == ["checkmate timeout"]


def test_a_mate_and_stop(talk: Talk) -> None:
    talk(f"position sfen {CORRECT}", "go mate infinite")
    assert talk.hear(Info(3, 10, 5, 0, mate=3, line=MATE.line)) == [
        "info depth 3 nodes 10 nps 2000 hashfull 0 time 5 score mate 3 pv " + " ".join(CORRECT_LINE)
    ]
    assert talk.hear(MATE) == []
    assert talk.hear(SearchEnding.MATE) == ["checkmate " + " ".join(CORRECT_LINE)]
    assert talk.hear(SearchEnding.MATE) == []
    assert talk("stop") == []
    talk("go mate infinite")
    first = talk.search
    assert talk("stop") == ["checkmate timeout"]
    assert first.cancelled.is_set()
    assert talk.hear(InfoText("late"), first.number) == []
    assert talk.hear(SearchEnding.NO_MATE, first.number) == []
    talk("go mate infinite")
    assert talk.hear(MATE, first.number) == []
    assert talk("stop") == ["checkmate timeout"]


def test_other_endings_and_a_mate_that_may_not_be_the_shortest(talk: Talk) -> None:
    for ending, answer in (("NO_MATE", "nomate"), ("OPEN", "timeout"), ("FAILED", "notimplemented")):
        talk("go mate infinite")
        assert talk.hear(SearchEnding[ending]) == [f"checkmate {answer}"]
        talk("go")
        assert talk.hear(SearchEnding[ending]) == ["bestmove resign"]
    for shortest, note in (("true", "a shorter mate is not ruled out"), ("false", "it may not be the shortest")):
        talk(f"setoption name Shortest value {shortest}", "go mate 1000")
        talk.hear(LONGER)
        told, answer = talk.wait(1)
        assert told.startswith("info string mate in 5")
        assert note in told
        assert answer == "checkmate " + " ".join(LONGER.line)


def test_the_time_of_a_search_analysis_and_pondering(talk: Talk) -> None:
    talk("go mate 1500")
    assert talk.session.timeout() == 1.5
    assert talk.wait(1.4) == []
    assert talk.wait(0.2) == ["checkmate timeout"]
    assert talk.session.timeout() is None
    talk("go infinite")
    talk.hear(MATE)
    assert talk.hear(SearchEnding.MATE) == []
    assert talk("stop") == [f"bestmove {CORRECT_LINE[0]} ponder {CORRECT_LINE[1]}"]
    talk("go ponder btime 0 wtime 0 byoyomi 1100")
    assert talk.wait(100) == []
    assert talk("ponderhit") == []
    assert talk.session.timeout() == 1
    assert talk.wait(1) == ["bestmove resign"]
    talk("go ponder byoyomi 1000")
    talk.hear(MATE)
    assert talk.hear(SearchEnding.MATE) == []
    assert talk("ponderhit") == [f"bestmove {CORRECT_LINE[0]} ponder {CORRECT_LINE[1]}"]
    talk("go ponder byoyomi 1000")
    assert talk("stop") == ["bestmove resign"]
    talk("go ponder")
    assert talk("ponderhit btime 0 wtime 0 byoyomi 2100") == []
    assert talk.wait(1) == []
    assert talk("ponderhit") == []
    assert talk.wait(1) == ["bestmove resign"]


def test_a_second_go_answers_the_first(talk: Talk) -> None:
    assert talk("go mate infinite", "go infinite") == ["checkmate timeout"]
    assert talk("go mate infinite") == ["bestmove resign"]
    assert talk("gameover win") == ["checkmate timeout"]
    talk("go mate infinite")
    first = talk.search.position
    talk(f"position sfen {CORRECT}")
    assert talk("stop") == ["checkmate timeout"]
    talk("go mate infinite")
    assert talk.search.position != first


def test_a_position_that_is_too_long_is_unknown(talk: Talk) -> None:
    talk.session.refuse_long_line("hello x", 9)
    assert talk.new() == ["info string Error: a line is longer than 9 bytes"]
    assert talk("go mate 9") == []
    talk.session.refuse_long_line("position startpos moves 7g7f", 9)
    talk.new()
    assert talk("go mate 9")[-1] == "checkmate notimplemented"


def test_go_without_a_valid_position(talk: Talk) -> None:
    assert talk("go mate soon") == ["info string Error: go mate: 'soon' is not a number", "checkmate notimplemented"]
    (error,) = talk("position sfen x")
    assert error.startswith("info string Error: position sfen: ")
    assert talk("go mate 9")[-1] == "checkmate notimplemented"
    assert talk("go movetime 9")[-1] == "bestmove resign"
    (error,) = talk("go infinite")
    assert "no valid position" in error
    assert talk("stop") == ["bestmove resign"]
    assert talk.jobs == []
    assert talk("position startpos", "go mate 9") == []


def test_what_needs_no_reply_and_quit(talk: Talk) -> None:
    for line in ("", " ", "hello", "usinewgame", "gameover lose", "ponderhit", "stop", "\x00\ufffd"):
        assert talk(line) == [], line
    talk("go mate infinite")
    assert not talk.session.receive("quit")
    talk.session.close()
    assert talk.search.cancelled.is_set()
    assert talk.new() == []


def test_the_side_to_move_and_missing_pieces() -> None:
    black, white = parse_position(f"sfen {CORRECT}"), parse_position(f"sfen {CORRECT_WHITE}")
    assert not black.white_to_move
    assert white.white_to_move
    assert white.parsed.sfen == CORRECT_WHITE
    assert start_position() == parse_position("startpos")
    position = parse_position("startpos  moves 7g7f\t3c3d 8h2b+")
    assert position.white_to_move
    assert position.parsed.sfen == "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1"
    assert not parse_position("startpos moves 7g7f 3c3d").white_to_move
    for sfen, line in ((CORRECT, CORRECT_LINE), (CORRECT_WHITE, CORRECT_WHITE_LINE)):
        before, after = (parse_position(f"sfen {sfen}"), parse_position(f"sfen {sfen} moves {' '.join(line[:2])}"))
        assert after.white_to_move == before.white_to_move
        assert after != before
    position = parse_position("sfen 9/8k/6+S2/6G2/9/9/9/9/9 w - 1")
    assert position.missing == 36
    assert len(list(position.parsed.position.attacker_hand)) == 0


TWO_KINGS = "7nk/9/7G1/9/9/9/9/9/K8 b P 1"


@pytest.mark.parametrize(
    ("text", "roles", "white"),
    [
        (f"sfen {CORRECT}", "attack", False),
        (f"sfen {CORRECT_WHITE}", "attack", True),
        (f"sfen {CORRECT} moves {CORRECT_LINE[0]}", "defence", True),
        (f"sfen {CORRECT_WHITE} moves {CORRECT_WHITE_LINE[0]}", "defence", False),
        (f"sfen {CORRECT} moves 3d3e", "defence", True),
        ("sfen 9/8k/6+S2/6G2/9/9/9/9/9 w - 1", "defence", True),
        ("sfen 9/9/9/9/9/2g6/2+s6/K8/9 b - 1", "defence", False),
        (f"sfen {TWO_KINGS}", "attack", False),
        (f"sfen {TWO_KINGS} moves 2c1b", "defence", True),
        (f"sfen {TWO_KINGS} moves 2c3c", "attack or defence", True),
        ("sfen 7nk/8P/7G1/9/9/9/9/9/K8 w - 1", "attack or defence", True),
        ("startpos moves 7g7f", "attack", True),
        ("startpos moves 7g7f 3c3d 8h3c+", "attack or defence", True),
    ],
)
def test_the_roles_of_the_side_to_move(text: str, roles: str, white: bool) -> None:
    position = parse_position(text)
    found = [name for name in ("attack", "defence") if getattr(position, name) is not None]
    assert (" or ".join(found), position.white_to_move) == (roles, white)
    for parsed in (position.attack, position.defence):
        assert parsed is None or parsed.position.king(Side.DEFENDER) is not None


@pytest.mark.parametrize("moves", ["5a4b", "5a4b 7g7f", "5a4b 7g7f 4b5a"])
def test_what_a_handicap_leaves_out_is_never_the_attacker_s(moves: str) -> None:
    start = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    position = parse_position(f"{start} moves {moves}").parsed.position
    assert not position.attacker_hand
    assert format_hand(position.defender_hand) == "RB"
    with pytest.raises(UsiError, match="no bishop in hand"):
        parse_position(f"{start} moves 5a4b B*5e")


@pytest.mark.parametrize("sfen", FAULTY)
def test_bad_positions_name_their_field(sfen: str) -> None:
    with pytest.raises(UsiError, match="position") as raised:
        parse_position(f"sfen {sfen}")
    assert FAULTY[sfen] in str(raised.value)
    assert str(raised.value).isascii()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs startpos or sfen"),
        ("startpos 7g7f", "needs startpos or sfen"),
        ("startpos moves 7g7f 7g7f", "moves: move 2, 7g7f: no piece on 7g"),
        ("startpos moves 7g7f 2g2f", "it is White's turn"),
        ("startpos moves 7g7f é", "moves: move 2, '\\\\xe9', is not USI notation"),
        ("startpos moves 7g7e", "the piece does not move that way"),
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "no defender's king"),
        ("sfen 4k4/4R4/9/9/9/9/9/9/9 b - 1", "in check"),
        ("sfen 4k4/9/9/4P4/4P4/9/9/9/9 w - 1", "pawns on file 5"),
    ],
)
def test_other_errors_of_positions(text: str, message: str) -> None:
    with pytest.raises(UsiError, match=message):
        parse_position(text)


@pytest.mark.parametrize(
    ("text", "go"),
    [
        ("mate infinite", Go(mate=True)),
        ("mate", Go(mate=True)),
        ("mate nodes 7", Go(mate=True, nodes=7)),
        ("mate 5000", Go(mate=True, milliseconds=5000)),
        ("mate 5000 nodes 7 depth 9", Go(mate=True, milliseconds=5000, nodes=7, depth=9)),
        ("", Go()),
        ("infinite", Go(infinite=True)),
        ("movetime 10", Go(milliseconds=10)),
        ("mate -1", Go(mate=True, milliseconds=0)),
        ("mate " + "9" * 5000, Go(mate=True, milliseconds=MAX_MILLISECONDS)),
        ("searchmoves 7g7f infinite", Go(infinite=True, only=("7g7f",))),
        ("mate 50 searchmoves 7g7f P*5e 7g7f", Go(mate=True, milliseconds=50, only=("7g7f", "P*5e"))),
        ("mate searchmoves 2b3c+ nodes 7", Go(mate=True, nodes=7, only=("2b3c+",))),
        ("ponder btime 1 wtime 2 byoyomi 3", Go(ponder=True, clock=(("btime", 1), ("wtime", 2), ("byoyomi", 3)))),
    ],
)
def test_go(text: str, go: Go) -> None:
    assert parse_go(text) == go


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mate x", "is not a number"), ("movetime", "is not a number"),
        ("mate 5 nodes 1e3", "is not a number"),
        ("searchmoves", "go searchmoves: "), ("mate searchmoves infinite", "go searchmoves: "),
        ("mate 5 searchmoves 7g7f x 2g2f", "go searchmoves: "),
    ],
)  # fmt: skip
def test_a_go_that_cannot_be_read_is_still_to_be_answered(text: str, message: str) -> None:
    with pytest.raises(UsiError, match=message) as raised:
        parse_go(text)
    assert raised.value.go == Go(mate="mate" in text)


@pytest.mark.parametrize(
    ("text", "white", "milliseconds"),
    [
        ("btime 0 wtime 0 byoyomi 10000", False, 9900),
        ("btime 400000 wtime 0", False, 9900),
        ("btime 400000 wtime 80000 winc 1000", True, 2900),
        ("btime 0 wtime 0 byoyomi 0", True, 50),
        ("movetime 70 byoyomi 1000", True, 70),
        ("infinite", True, None),
    ],
)
def test_the_time_of_a_move(text: str, white: bool, milliseconds: int | None) -> None:
    assert parse_go(text).time_limit(white=white) == milliseconds


def test_the_command_of_a_line_and_setoption() -> None:
    words = {
        "usi": ("usi", ""), "  go   mate 5 \r": ("go", "mate 5"), "go\tmate 5": ("go", "mate 5"),
        "": ("", ""), "\x00": ("\x00", ""),
    }  # fmt: skip
    assert {line: split_command(line) for line in words} == words
    set_to = {
        "name USI_Hash value 64": ("USI_Hash", "64"), "name A b value c d": ("A b", "c d"),
        "name A": ("A", ""),
    }  # fmt: skip
    assert {text: parse_setoption(text) for text in set_to} == set_to
    for text in ("", "USI_Hash value 64", "name"):
        with pytest.raises(UsiError, match="no name"):
            parse_setoption(text)


def test_declarations_of_options() -> None:
    lines = option_declarations(Settings())
    assert "option name MultiPV type spin default 10 min 1 max 600" in lines
    assert "option name FindAll type check default false" in lines
    assert "option name Reading type combo default narrow var narrow var wide var count-futile" in lines
    assert "option name Lang type combo default ja var en var ja" in option_declarations(Settings(language="ja"))
    assert any(line.startswith("option name USI_Hash type spin default 256 min 40 max ") for line in lines)
    assert {*READINGS.values()} == {*Interposition}
    assert [Settings(reading=name).engine.interposition for name in READINGS] == [*READINGS.values()]


def test_setting() -> None:
    changed = {
        ("USI_Hash", "64"): Settings(hash_size=64), ("usi_hash", "64"): Settings(hash_size=64),
        ("Threads", "2"): Settings(threads=2), ("MultiPV", "1"): Settings(lines=1),
        ("Reading", "wide"): Settings(reading="wide"), ("FindAll", "true"): Settings(find_all=True),
        ("Shortest", "false"): Settings(shortest=False), ("Lang", "ja"): Settings(language="ja"),
        ("USI_Ponder", "true"): Settings(),
    }  # fmt: skip
    assert {given: settings_with_option(Settings(), *given) for given in changed} == changed


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("USI_Hash", "1", "USI_Hash: '1' is not a number from 40 to "),
        ("USI_Hash", "9" * 5000, "is not a number from"),
        ("Threads", "²", "is not a number from 1 to"),
        ("Threads", "", "is not a number from 1 to"),
        ("FindAll", "yes", "FindAll: 'yes' is not true or false"),
        ("Reading", "purist", "is not one of narrow, wide, count-futile"),
        ("Lang", "fr", "is not one of en, ja"),
        ("Hash", "1", "no option 'Hash'"),
    ],
)
def test_bad_values_are_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(UsiError, match=message) as raised:
        settings_with_option(Settings(), name, value)
    assert str(raised.value).isascii()
    assert len(str(raised.value)) < 200


def test_lines_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_BYTES", 10)
    table: list[tuple[list[bytes], list[bytes | LongLine]]] = [
        ([b"usi\nis", b"ready\n", b"\n"], [b"usi", b"isready", b""]),
        ([b"quit"], [b"quit"]),
        ([], []),
        ([b"\xff\x00\r\n"], [b"\xff\x00\r"]),
        ([b"x" * 11, b"x" * 11, b"\nusi\n"], [LongLine(b"x" * 11), b"usi"]),
        ([b"x" * 11 + b"\nusi\n"], [LongLine(b"x" * 11), b"usi"]),
        ([b"x" * 10 + b"\n"], [b"x" * 10]),
        ([b"x" * 11], []),
    ]
    for chunks, lines in table:
        parts = iter(chunks)
        assert list(input_lines(lambda _most, parts=parts: next(parts, b""))) == lines  # type: ignore[misc]

    def fail(_most: int) -> bytes:
        raise OSError

    assert list(input_lines(fail)) == [], "an input that fails has ended"
