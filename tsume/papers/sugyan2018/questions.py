# SPDX-License-Identifier: GPL-3.0-or-later
"""What the examples of Sugyan2018 ask: of this program, and of plain df-pn on the same position."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explain import explain
from solver.explaining.explanation import Explanation
from solver.judging.judge import Judge
from solver.results import Difficulty, Interposition, Judgement, Limits, Mate
from solver.scoring.difficulty import Scorer
from solver.solving.solve import solve
from tsume.papers.sugyan2018.dfpn import OutOfNodes, PaperDfPn
from tsume_rules.kernel.play import do
from tsume_rules.moves import Move, parse_move
from tsume_rules.packing import Record, pack, pack_move, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import record_after
from tsume_rules.sfen import parse_sfen

PLAIN_NODES = 20_000
"""So many nodes plain df-pn may expand."""
_TABLE_BITS = 20


@dataclass(frozen=True)
class Explained:
    """What the explanation in words is made of."""

    judgement: Judgement
    explanation: Explanation


class ExampleQueries:
    """One position and all that is asked about it, with engines whose tables were emptied."""

    def __init__(self, sfen: str) -> None:
        self.position = parse_sfen(sfen).position
        self.record = pack(self.position)
        self._engine = DfPnEngine(table_bits=_TABLE_BITS)

    def judged(self) -> Judgement:
        """The judge's verdict (`tsume check`)."""
        self._engine.forget()
        return Judge(self._engine).judge(self.position)

    def explained(self) -> Explained:
        """The explanation (`tsume explain`)."""
        judgement = self.judged()
        return Explained(judgement, explain(self._engine, self.position, judgement.line, only_answers=True))

    def solved(self, interposition: Interposition = Interposition.NARROW) -> Mate:
        """The shortest mate and its best line (`tsume solve`)."""
        engine = DfPnEngine(table_bits=_TABLE_BITS, interposition=interposition)
        result = solve(self.position, Limits(), engine)
        assert isinstance(result, Mate)
        return result

    def scored(self, length: int) -> Difficulty:
        """The difficulty (`tsume score`)."""
        return Scorer().score(self.position, length)

    def mates_ever(self, *line: str) -> bool:
        """Whether the attacker mates at any length after a line in USI."""
        self._engine.forget()
        return self._engine.mates_ever(self._after(line), attacker=len(line) % 2 == 0)

    def is_mate(self, *line: str) -> bool:
        """Whether the defender is mated after a line."""
        return self._engine.is_mated(self._after(line), 0)

    def is_longest(self, length: int, check: str, answer: str) -> bool:
        """Whether an answer to a check that mates in exactly ``length`` plies lasts as long as any."""
        answers = self._engine.longest_defences(self._after((check,)), length - 1)
        return pack_move(parse_move(answer)) in answers

    def plain(self, *line: str) -> str:
        """What plain df-pn says after a line."""
        game = _ShogiGame()
        search: PaperDfPn[_Node, int] = PaperDfPn(game, PLAIN_NODES)
        root = _node(self._after(line), attacker=len(line) % 2 == 0)
        try:
            if not search.proves(root):
                return "no mate"
        except OutOfNodes:
            return "goes round in circles" if search.repeated else "no answer"
        return usi_line_text(tuple(unpack_move(code) for code in search.answer(root)))

    def _after(self, line: tuple[str, ...]) -> Record:
        return record_after(self.record, tuple(pack_move(parse_move(usi)) for usi in line))


def usi_line_text(line: tuple[Move, ...]) -> str:
    """A mate and its line, as text."""
    return f"mate in {len(line)}: {' '.join(move.usi for move in line)}"


# --- shogi as plain df-pn sees it ------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    """A position by board, hands and turn."""

    name: tuple[bytes, bytes, bool]
    record: Record = field(compare=False)


def _node(record: Record, *, attacker: bool) -> _Node:
    return _Node((record.board.tobytes(), record.hand.tobytes(), attacker), record)


class _ShogiGame:
    """Every check and every answer, in the fixed order; no interposition is futile."""

    def is_attacker(self, node: _Node) -> bool:
        return node.name[2]

    def children(self, node: _Node) -> list[tuple[int, _Node]]:
        attacker = self.is_attacker(node)
        moves = (legal_checks if attacker else legal_evasions)(node.record)
        side = Side.ATTACKER if attacker else Side.DEFENDER
        return [(move, self._played(node.record, move, side)) for move in moves]

    def _played(self, record: Record, move: int, side: Side) -> _Node:
        copy = record.copy()
        do(copy, move, int(side))
        return _node(copy, attacker=side is Side.DEFENDER)
