# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions of the USI engine from random commands, valid or not, and what must hold of the output.

Each ``go`` gets exactly one answer, of its kind and in its order; each ``isready`` a ``readyok`` and each
``usi`` a ``usiok``. Every line is one of the protocol. A mate that is answered can be played. The engine
lives until ``quit`` or the end of its input, and prints nothing on stderr.
"""

import contextlib
import re
import time
from dataclasses import dataclass, field

import shogi
from hypothesis import strategies as st

from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, FAULTY, HARD, LOOSE, NO_MATE, PROMOTES
from tests.tsume.usi_client import EngineEnded, UsiClient

Step = bytes | float
"""A line to send, or seconds to wait."""

_MOVE = r"(?:[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])"
_LINE = re.compile(
    r"id (?:name|author) .+|option name \w+ type \w+ default .+|usiok|readyok|info string .+"
    r"|info (?:multipv \d+ )?depth \d+ nodes \d+ nps \d+ hashfull \d+ time \d+(?: score mate -?\d+)?"
    rf"(?: pv(?: {_MOVE})+)?|checkmate (?:nomate|timeout|notimplemented|{_MOVE}(?: {_MOVE})*)"
    rf"|bestmove (?:resign|{_MOVE}(?: ponder {_MOVE})?)"
)
_BUG = re.compile(r"info string Error: [A-Z]\w*(Error|Exception|Interrupt)\b")

_POSITIONS = [
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
    *(f"sfen {sfen}" for sfen in (CORRECT, CORRECT_WHITE)),
    *(f"sfen {sfen}" for sfen in (HARD, LOOSE, NO_MATE, PROMOTES)),
]
_DEFENCES = [f"sfen {CORRECT} moves {CORRECT_LINE[0]}", f"sfen {CORRECT} moves 3d3e", f"sfen {NO_MATE} moves P*5b"]
_POSITIONS += _DEFENCES
_BAD_POSITIONS = [
    "",
    "startpos moves 7g7e",
    "startpos moves 7g7f x",
    "moves 7g7f",
    "sfen",
    *(f"sfen {x}" for x in FAULTY),
]
_GOES = [
    "go mate infinite",
    "go mate 1000",
    "go mate 0",
    "go mate 30",
    "go mate",
    "go",
    "go infinite",
    "go mate x",
    "go movetime 50",
    "go btime 1000 wtime 1000 byoyomi 20",
    "go btime -5 wtime 0",
    "go ponder btime 9 wtime 9",
    "go nodes 2000",
    "go mate infinite nodes 500",
    "go mate 500 depth 3",
    "go movetime",
    "go mate 9" + "9" * 40,
    "go searchmoves 7g7f mate 50",
    "go mate infinite searchmoves 3d2c 1b1a",
    "go movetime 50 searchmoves 3d2c 1b1a 5a5b",
    "go searchmoves",
]
_OPTIONS = [
    "USI_Hash value 40",
    "USI_Hash value 64",
    "USI_Hash value -1",
    "USI_Hash value " + "9" * 5000,
    "Threads value 2",
    "Threads value 1",
    "MultiPV value 3",
    "MultiPV value 0",
    "Reading value wide",
    "Reading value count-futile",
    "Reading value narrow",
    "Reading value",
    "FindAll value true",
    "Lang value ja",
    "FindAll value false",
    "Shortest value false",
    "Shortest value true",
    "USI_Ponder value true",
    "Other value 1",
]
_OTHERS = ["usi", "isready", "usinewgame", "stop", "ponderhit", "gameover win", "debug on", "", " ", "setoption"]


def _lines(command: str, rest: list[str]) -> st.SearchStrategy[bytes]:
    return st.sampled_from([f"{command} {one}".strip().encode() for one in rest])


_WORDS = {b"go", b"quit", b"usi", b"isready"}


def _is_harmless(data: bytes) -> bool:
    """Whether random bytes are no command whose replies are counted."""
    return not _WORDS & {*data.split()[:1]}


_GARBAGE = st.binary(max_size=60).filter(_is_harmless).map(lambda data: data.replace(b"\n", b"\x00"))
_LONG_LINES = [head + b"x" * 70_000 for head in (b"position sfen ", b"\xff", b"info ")]
STEPS = st.lists(
    st.one_of(
        _lines("position", _POSITIONS),
        _lines("position", _POSITIONS),
        _lines("position", _BAD_POSITIONS),
        _lines("", _GOES),
        _lines("", _GOES),
        _lines("", _OTHERS),
        _lines("", ["stop", "isready"]),
        _lines("setoption name", _OPTIONS),
        _GARBAGE.map(lambda data: data.replace(b"\n", b"\x00")),
        st.builds(lambda head: head + b"x" * 70_000, st.sampled_from([b"position sfen ", b"\xff", b"info "])),
        st.floats(0, 0.15),
    ),
    min_size=1,
    max_size=25,
)


@dataclass
class _Expected:
    """What the engine owes: the answers in order with their positions, and the number of other replies."""

    answers: list[tuple[str, str]] = field(default_factory=list)
    ready: int = 0
    usi: int = 0
    position: str = "startpos"

    def note(self, line: bytes) -> None:
        """Add what a line demands."""
        words = line.decode(errors="replace").split()
        match words[:1]:
            case ["usi"]:
                self.usi += 1
            case ["isready"]:
                self.ready += 1
            case ["position"]:
                self.position = " ".join(words[1:])
            case ["go"]:
                self.answers.append(("checkmate" if "mate" in words else "bestmove", self.position))


class _Engine:
    """The engine that the sessions share, restarted when it was ended."""

    client: UsiClient | None = None

    @classmethod
    def running(cls) -> UsiClient:
        if cls.client is None or cls.client.process.poll() is not None:
            cls.client = UsiClient()
            cls.client.prepare()
        return cls.client

    @classmethod
    def end(cls) -> None:
        if cls.client is not None:
            cls.client.close()
            cls.client = None


def check_session(steps: list[Step]) -> None:
    """Run a session and check its output. Raises AssertionError."""
    client = _Engine.running()
    try:
        _run(client, steps)
        if len(steps) % 8 == 7:
            _check_end(client, with_quit=len(steps) > 8)
    except BaseException:
        _Engine.end()
        raise


def _run(client: UsiClient, steps: list[Step]) -> None:
    first = len(client.received)
    expected = _Expected()
    for step in (b"position startpos", *steps, b"stop", b"isready"):
        if isinstance(step, bytes):
            client.send(step)
            expected.note(step)
        else:
            time.sleep(step)
    for _ in range(expected.ready):
        client.wait("readyok")
    _check_output([line.text for line in client.received[first:]], expected)
    assert client.errors() == ""


def _check_output(lines: list[str], expected: _Expected) -> None:
    for line in lines:
        assert _LINE.fullmatch(line), line
        assert not _BUG.match(line), line
    answers = [line for line in lines if line.startswith(("checkmate", "bestmove"))]
    assert [answer.split()[0] for answer in answers] == [kind for kind, _ in expected.answers]
    assert lines.count("readyok") == expected.ready
    assert lines.count("usiok") == expected.usi
    for answer, (_, position) in zip(answers, expected.answers, strict=True):
        _check_answer(answer, position)


def _check_answer(answer: str, position: str) -> None:
    """Whether the moves of an answer can be played, each of the attacker's with check."""
    first = position in _DEFENCES
    kind, *moves = answer.split()
    if not moves or not re.fullmatch(_MOVE, moves[0]):
        return
    assert position in _POSITIONS, (answer, position)
    text, _, before = position.partition(" moves ")
    board = shogi.Board() if text == "startpos" else shogi.Board(text.removeprefix("sfen "))
    for move in before.split():
        board.push_usi(move)
    for ply, move in enumerate(word for word in moves if word != "ponder"):
        assert shogi.Move.from_usi(move) in board.legal_moves, (answer, position)
        board.push_usi(move)
        assert (ply + first) % 2 or board.is_check(), (answer, position)
    assert kind == "bestmove" or (len(moves) + first) % 2, answer


def _check_end(client: UsiClient, *, with_quit: bool) -> None:
    """End the engine in the middle of a search."""
    client.send("go mate infinite")
    if with_quit:
        client.send("quit")
        with contextlib.suppress(EngineEnded):
            client.wait("nothing")
    assert client.end() == 0
    assert client.errors() == ""
    _Engine.end()
