# SPDX-License-Identifier: GPL-3.0-or-later
"""A search of stored problems for second solutions by an outside engine. Run through `scripts/audit`.

cshogi's df-pn is asked at every turn of the main line except the last (and always at
the first) whether any check other than the key leads to mate against every answer.
It shares nothing with this program. Its answers are sometimes wrong, so a finding is
only a place to look.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import cshogi

from db.errors import StoreError
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem

NODES = 500_000
DEPTH = 63


class Auditor:
    def __init__(self) -> None:
        self._engine = cshogi.DfPn(depth=DEPTH, nodes=NODES, draw_ply=100_000)
        self.checks = 0

    def cooks(self, problem: StoredProblem) -> Iterator[str]:
        """The second solutions found, each as the moves before it and its check, in USI."""
        board = cshogi.Board(problem.sfen)
        line = [move.usi for move in problem.line]
        for ply, key in enumerate(line):
            if ply % 2 == 0 and (ply + 1 < len(line) or ply == 0):
                for check in self._other_checks(board, key):
                    self.checks += 1
                    board.push_usi(check)
                    mates = all(self._mates_against(board, answer) for answer in list(board.legal_moves))
                    board.pop()
                    if mates:
                        yield " ".join([*line[:ply], check])
            board.push_usi(key)

    def _other_checks(self, board: cshogi.Board, key: str) -> list[str]:
        found = []
        for move in list(board.legal_moves):
            board.push(move)
            if board.is_check() and cshogi.move_to_usi(move) != key:
                found.append(cshogi.move_to_usi(move))
            board.pop()
        return found

    def _mates_against(self, board: cshogi.Board, answer: int) -> bool:
        board.push(answer)
        mates = board.mate_move_in_1ply() != 0 or self._engine.search(board)
        board.pop()
        return bool(mates)


@click.command()
@click.argument("place", metavar="PATH|URL")
@click.option("-m", "--moves", type=int, help="Only problems of this many moves.")
@click.option("--limit", type=int, help="At most this many problems.")
@click.pass_context
def audit(context: click.Context, place: str, moves: int | None, limit: int | None) -> None:
    """Look for second solutions of the problems of a store; exits 1 when one is found."""
    auditor = Auditor()
    problems = cooked = 0
    try:
        with Store.open(place, create=False) as store:
            for problem in store.find(ProblemSelection(moves=moves, limit=limit)):
                problems += 1
                found = list(auditor.cooks(problem))
                cooked += bool(found)
                for cook in found:
                    print(f"{problem.id}  {problem.sfen}  {cook}")
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    print(f"{problems} problems, {auditor.checks} other checks, {cooked} problems with a second solution")
    context.exit(1 if cooked else 0)


if __name__ == "__main__":
    audit()
