# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's experiment: every game of the list solved, beside its result and the judge's."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from papers import small_shogi
from papers.common import ResultFile, StoredRow, print_beside_paper, print_table, rows_option
from papers.kernel import shibahara2006
from papers.kernel.small_shogi import MAX_MOVES
from papers.small_shogi import GameResult, ShogiVariant
from solver.engines.dfpn.unbounded_search import CheckSearch
from solver.results import LimitMeter, LimitReached, Limits, Reason
from tsume.commands.options import finite_only, memory_errors_reported
from tsume.progress import with_progress_bar

# --- the paper's 237 games: 79 back ranks by three promotion zones (section 2), with its results ---

_KING_IN_THE_MIDDLE = """
    飛玉– DDD, 角玉– DDD, 角玉飛 WWW, 金玉– DDD, 金玉飛 WWW, 金玉角 WWW
    金玉金 DDD, 銀玉– DDD, 銀玉飛 WWW, 銀玉角 dWW, 銀玉金 ddd, 銀玉銀 DDd
    桂玉– WWW, 桂玉飛 WDD, 桂玉角 DWW, 桂玉金 WDD, 桂玉銀 dWd, 桂玉桂 WWW
    香玉– WWD, 香玉飛 WWW, 香玉角 WWW, 香玉金 WWW, 香玉銀 WWW, 香玉桂 WWW
    香玉香 WWW, 歩玉– DWD, 歩玉飛 WWD, 歩玉角 DWW, 歩玉金 WWd, 歩玉銀 WWd
    歩玉桂 WWD, 歩玉香 WWW, 歩玉歩 WWW
"""
_KING_IN_THE_CORNER = """
    玉–角 DDD, 玉–金 DDD, 玉–銀 DDD, 玉–桂 WWW, 玉–歩 DWD, 玉飛– DDD
    玉飛角 dWW, 玉飛金 WWW, 玉飛銀 DWW, 玉飛桂 dWW, 玉飛歩 DDW, 玉角– WWW
    玉角金 WWW, 玉角銀 WWW, 玉角桂 WWW, 玉角歩 WWW, 玉金– DDD, 玉金角 DWW
    玉金金 DDD, 玉金銀 ddd, 玉金桂 WDD, 玉金歩 WWW, 玉銀– DDD, 玉銀角 ddW
    玉銀金 ddd, 玉銀銀 DDD, 玉銀桂 dWD, 玉銀歩 WWd, 玉桂– WWW, 玉桂角 DWW
    玉桂金 WWW, 玉桂銀 ddW, 玉桂桂 WWW, 玉桂歩 WWW, 玉香– DWD, 玉香角 dWW
    玉香金 WWW, 玉香銀 WWW, 玉香桂 WWW, 玉香歩 dWW, 玉歩– DWD, 玉歩角 DDw
    玉歩金 DdD, 玉歩銀 dDD, 玉歩桂 ddW, 玉歩歩 dDW
"""
"""A back rank and a letter for each zone (tables 1 and 3): W won by the first player, D a draw; small
letters were open after the paper's first run (section 6.1: ten minutes, 2^22 entries, paths of 2^10)."""
RESEARCHES_PER_DRAW = 8.0
"""New starts for each of the 73 draws of the first run (section 6.2; the mean of table 1 is 7.96)."""
CHECKS_PER_DRAW = 747
"""Searches of candidates for each of them (section 6.2)."""
LATER_RESEARCHES_PER_DRAW = 26.9
"""New starts for each of the 30 draws of the second run: the mean of table 3."""


@dataclass(frozen=True)
class PaperGame:
    """One of the games: its number in the paper, the first player's back rank, the ranks of the zone."""

    number: int
    back_row: str
    zone: int
    paper: GameResult
    first_run: bool
    """Whether the paper's first run solved it."""

    @property
    def game(self) -> ShogiVariant:
        """Return the rules and pieces."""
        return ShogiVariant.of(self.back_row, self.zone)

    @property
    def state(self) -> int:
        """Return the first position, packed."""
        return self.game.start(self.back_row)


def games_of_the_paper() -> tuple[PaperGame, ...]:
    """Return all games in the paper's order."""
    games: list[PaperGame] = []
    for text in (_KING_IN_THE_MIDDLE, _KING_IN_THE_CORNER):
        entries = [entry.split() for entry in text.replace("\n", ",").split(",") if entry.strip()]
        for zone in range(1, small_shogi.RANKS):
            for back_row, letters in entries:
                letter = letters[zone - 1]
                result = GameResult.WIN if letter in "Ww" else GameResult.DRAW
                games.append(PaperGame(len(games) + 1, back_row, zone, result, letter.isupper()))
    return tuple(games)


# --- whether a position of small shogi is won, lost or drawn (Shibahara2006, section 3, figure 9) ---
#
# Two questions with one table: can the side to move win, can the other one? Each is answered by the check search
# (`solver.engines.dfpn.unbounded_search`, the same as for mates at any length; figure 10) over PDS, a repetition
# counted as a failure of the side that wants to win. Two noes are a draw (theorem 3). Figure 9 deletes what rests on
# repetitions between the two; here an entry belongs to a question by its position, seen from who wants to win.


@dataclass(frozen=True)
class PdsSettings:
    """What may differ between searches.

    ``root_thresholds``: the root has thresholds too, 1 and 1 at first, raised whenever both are reached (4.2);
    ``lends``: open positions lend their counts to others of the same board (6.3); ``deep_ends``: a path of 2^10 moves
    leaves the game open; ``capacity``: most candidates; ``delay``: the sum of counts from which on the largest stands
    for it; ``nodes``: most positions expanded for a game; ``table_bits``: a table of 2 to this power entries.
    """

    root_thresholds: bool = False
    lends: bool = False
    deep_ends: bool = False
    capacity: int = shibahara2006.CANDIDATES // 2
    delay: int = shibahara2006.DELAY
    nodes: int | None = None
    table_bits: int = 24


FIRST_RUN = "first-run"
SETTINGS = {
    "ours": PdsSettings(),
    "root-thresholds": PdsSettings(root_thresholds=True),
    "open-dominance": PdsSettings(lends=True),
    FIRST_RUN: PdsSettings(True, True, True, 400_000, 100_000, 7_200_000, 22),
    f"{FIRST_RUN}-own-counts": PdsSettings(True, False, True, 400_000, 100_000, 7_200_000, 22),
}
"""By name. Those of the first run (6.1) have nodes for its ten minutes: 12,000 a second, as in the quick games of
table 3. With own counts: the first run without open dominance, which solved fewer games (6.3)."""
_SLICE = 100_000
_EPOCHS = 1 << 16
"""How many epochs have a number; then they are numbered anew."""


def _record_array(shape: int | tuple[int, ...], kind: np.dtype[Any]) -> Any:
    return np.zeros(shape, kind).view(np.recarray)


class VariantSearch:
    """PDS with a table, for one game: a `RepetitionSearch` of packed positions.

    All questions raise `LimitReached` when the limits in force are used up.
    """

    def __init__(
        self, game: ShogiVariant, table_bits: int | None = None, settings: PdsSettings = SETTINGS["ours"]
    ) -> None:
        table_bits = table_bits or settings.table_bits
        self._arena = shibahara2006.PdsArena(
            small_shogi.variant_tables(game),
            _record_array((1 << table_bits) + shibahara2006.WINDOW, shibahara2006.ENTRY),
            _record_array(shibahara2006.DEPTH, shibahara2006.FRAME),
            _record_array((shibahara2006.DEPTH, MAX_MOVES), shibahara2006.KNOWN),
            np.zeros(MAX_MOVES, np.int64),
            np.zeros(shibahara2006.STANDING, np.int32),
            np.zeros(shibahara2006.CANDIDATES, np.int64),
            np.zeros((shibahara2006.CANDIDATES, 2), np.int64),
            np.zeros(_EPOCHS, np.bool_),
            *(_record_array(1, kind)[0] for kind in (shibahara2006.SEARCH, shibahara2006.KNOWN, shibahara2006.KNOWN)),
        )
        self.settings = settings
        search = self._arena.search
        search.epoch, search.capacity, search.delay = 1, settings.capacity, settings.delay
        search.lends, search.deep_ends = settings.lends, settings.deep_ends
        self.logged = 0
        """Positions logged so far, over all questions and starts."""
        self.accepted = 0
        """Those of the starts whose disproof was verified."""
        self._meter = LimitMeter(lambda: int(search.nodes))  # no cycle with `self`: its table is freed at once
        self.within = self._meter.within

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._arena.search.nodes)

    @property
    def stored(self) -> int:
        """Places of the table that are taken."""
        return int(self._arena.search.stored)

    def answers(self) -> Iterator[tuple[int, bool]]:
        """What is known for good: positions, and whether their attacker wins."""
        arena = self._arena
        for entry in arena.table[(arena.table.state != 0) & ((arena.table.pn == 0) | (arena.table.dn == 0))]:
            if entry.pn == 0 or entry.epoch == 0 or arena.accepted[entry.epoch]:
                yield int(entry.state), bool(entry.pn == 0)

    def prove(self, position: int) -> bool:
        """See `RepetitionSearch`: the attacker is whose pieces move up the board."""
        answer, first = self._arena.answer, 1 if self.settings.root_thresholds else shibahara2006.NEVER
        shibahara2006.begin_pds(self._arena, position, first, first)
        while True:
            self._meter.check()
            status = shibahara2006.continue_pds(self._arena, self.nodes + self._meter.next_slice(_SLICE))
            if status == shibahara2006.DECIDED:
                if answer.pn == 0 or answer.dn == 0:
                    return bool(answer.pn == 0)
                goals = [int(answer.pn), int(answer.dn)]
                goals[goals[0] > goals[1]] += 1 + min(goals) // 4  # as `descend_to_child` does
                shibahara2006.begin_pds(self._arena, position, *goals)
            elif status != shibahara2006.RUNNING:
                raise LimitReached(Reason.LENGTH if status == shibahara2006.DEEP else Reason.MEMORY)

    def disproof_is_tainted(self) -> bool:
        """See `RepetitionSearch`."""
        return bool(self._arena.answer.tainted)

    def next_candidate(self) -> int | None:
        """See `RepetitionSearch`."""
        return int(shibahara2006.next_unverified_candidate(self._arena)) or None

    def accept_tainted(self) -> None:
        """See `RepetitionSearch`."""
        self._arena.accepted[self._arena.search.epoch] = True
        self.accepted += int(self._arena.search.candidates)

    def drop_tainted(self) -> None:
        """See `RepetitionSearch`."""
        search = self._arena.search
        self.logged += int(search.candidates)
        if search.epoch + 1 == _EPOCHS:
            # Make accepted disproofs entries without an epoch and remove the others: all numbers are free.
            arena = self._arena
            void = (arena.table.epoch != 0) & ~arena.accepted[arena.table.epoch]
            arena.table.state[void] = 0
            search.stored -= np.count_nonzero(void)
            arena.table.epoch[:] = 0
            arena.accepted[:] = False
            arena.logged[:, 1] = search.epoch = 0
        search.epoch += 1
        search.candidates = search.handed = search.lost = 0


@dataclass(frozen=True)
class SolvedGame:
    """What came out and what it took.

    ``result`` is None where a limit was reached, ``reason`` says which (see `Reason`: the path's length, memory for
    candidates); ``researches`` are the new starts of the check search, ``logged`` its
    candidates in all starts, ``candidates`` those of the last starts, which had to be disproved for a no to hold,
    ``verified`` those that had no disproof yet and were searched.
    """

    result: GameResult | None
    reason: str | None
    nodes: int
    seconds: float
    researches: int
    logged: int
    candidates: int
    verified: int


def solve_game(game: ShogiVariant, start: int, limits: Limits, search: VariantSearch) -> SolvedGame:
    """The value of a position for the side to move, the attacker."""
    first, second = CheckSearch(search), CheckSearch(search)
    nodes, logged, accepted, began = search.nodes, search.logged, search.accepted, time.perf_counter()
    result = reason = None
    try:
        with search.within(limits):
            if first.wins(start):
                result = GameResult.WIN
            else:
                result = GameResult.LOSS if second.wins(small_shogi.exchanged_sides(game, start)) else GameResult.DRAW
    except LimitReached as reached:
        reason = reached.reason.value
    return SolvedGame(
        result, reason, search.nodes - nodes, round(time.perf_counter() - began, 3),
        first.researches + second.researches, search.logged - logged, search.accepted - accepted,
        first.verified + second.verified,
    )  # fmt: skip


# --- the paper's experiment ------------------------------------------------------------------------

JUDGE_BYTES = 20 << 30
"""Sets of pieces that take more memory are not judged."""


@dataclass(frozen=True)
class ShibaharaRow(StoredRow, SolvedGame):
    """One game of the list, solved with settings (a name in `SETTINGS`) and a limit of seconds."""

    number: int
    settings: str
    limit: float


@dataclass(frozen=True)
class EndgameRow(StoredRow):
    """One game of the list by the judge, with the plies to a win or a loss and the size of its set."""

    number: int
    result: int
    plies: int | None
    legal: int


def measure_all(
    chosen: Sequence[PaperGame], known: Mapping[int, ShibaharaRow], settings: str, seconds: float, bits: int | None
) -> Iterator[ShibaharaRow]:
    """The row of each game; those solved before, or tried as long, are not searched again."""
    for start in chosen:
        row = known.get(start.number)
        if row is None or (row.result is None and row.limit < seconds):
            search = VariantSearch(start.game, bits, SETTINGS[settings])
            solved = solve_game(start.game, start.state, Limits(search.settings.nodes, seconds), search)
            row = ShibaharaRow(**asdict(solved), number=start.number, settings=settings, limit=seconds)
        yield row


def judge_all(chosen: Iterable[PaperGame], known: Mapping[int, EndgameRow]) -> Iterator[EndgameRow]:
    """Yield the judge's word on each game, one set of pieces after the other; none on sets too large."""
    sets: dict[ShogiVariant, list[PaperGame]] = {}
    for start in chosen:
        sets.setdefault(start.game, []).append(start)
    for game, members in sets.items():
        if all(start.number in known for start in members):
            yield from (known[start.number] for start in members)
        elif small_shogi.endgame_table_bytes(game) <= JUDGE_BYTES:
            endgame = small_shogi.EndgameTable(game)
            for _ in endgame.solve():
                pass
            for start in members:
                result, plies = endgame.value(start.state)
                row = EndgameRow(start.number, int(result), plies, endgame.legal)
                yield known.get(start.number, row)


OPEN_BY_CAUSE = "7 / 3 / 21"
"""Games that the first run left open for want of time, candidates and depth (section 6.2)."""
_CAUSES = ((Reason.NODES, Reason.SECONDS), (Reason.MEMORY,), (Reason.LENGTH,))


def summary_lines(rows: Sequence[ShibaharaRow]) -> list[tuple[str, str, str]]:
    """Return results by zone, why games stayed open, and what a draw took: name, figure here, the paper's or "".

    Beside the settings of the first run stand its results, else the final ones.
    """
    games = {game.number: game for game in games_of_the_paper()}
    as_first = any(row.settings.startswith(FIRST_RUN) for row in rows)
    lines = []
    for zone in (1, 2, 3, 0):
        some = [(row, games[row.number]) for row in rows if zone in (0, games[row.number].zone)]
        here: list[int | None] = [row.result for row, _ in some]
        paper: list[int | None] = [game.paper if game.first_run or not as_first else None for _, game in some]
        one, other = (" / ".join(str(found.count(value)) for value in (1, -1, 0, None)) for found in (here, paper))
        if some or not zone:
            lines.append((f"{f'zone of {zone}' if zone else 'all'}: won / lost / drawn / open", one, other))
    if causes := [Reason(row.reason) for row in rows if row.result is None]:
        counted = " / ".join(str(sum(map(causes.count, some))) for some in _CAUSES)
        lines.append(("open for time / candidates / depth", counted, OPEN_BY_CAUSE if as_first else ""))
        both = sum(row.result is None and not games[row.number].first_run for row in rows)
        lines.append(("  open in the paper's first run too", str(both), ""))
    nodes = [sum(row.nodes for row in rows if games[row.number].first_run == first) for first in (True, False)]
    lines.append(("nodes of the games of the first / second run", f"{nodes[0]:,} / {nodes[1]:,}", ""))
    for run, first, researches, checks in (
        ("first run", True, str(RESEARCHES_PER_DRAW), str(CHECKS_PER_DRAW)),
        ("second run", False, str(LATER_RESEARCHES_PER_DRAW), ""),
    ):
        draws = [row for row in rows if row.result == GameResult.DRAW and games[row.number].first_run == first]
        for name, field, figure in (
            (f"new starts a draw, {run}", "researches", researches), ("  candidates searched", "verified", checks),
            ("  candidates of the last starts", "candidates", ""), ("  candidates of all starts", "logged", ""),
        ) if draws else ():  # fmt: skip
            lines.append((name, f"{sum(getattr(row, field) for row in draws) / len(draws):.1f}", figure))
    return lines


# --- ``scripts/papers shibahara``: the list of 237 games, solved and judged --------------------------

_NAMES = {1: "won", 0: "draw", -1: "lost", None: "open"}


@click.command()
@click.pass_context
@click.option("--first", is_flag=True, help="Only the 206 games that the paper's first run solved.")
@click.option("-n", "--number", "numbers", type=click.IntRange(1, 237), multiple=True,
              help="Only this game of the list; repeatable.")  # fmt: skip
@click.option("--settings", type=click.Choice(list(SETTINGS)), default="ours", show_default=True,
              help="Search as here, with one part as in the paper, or with all settings of its first run.")  # fmt: skip
@click.option("--summary", is_flag=True, help="Print only the summary.")
@click.option("--time", "seconds", type=click.FloatRange(0), default=600.0, show_default=True,
              callback=finite_only, help="Leave a game unresolved after this many seconds.")  # fmt: skip
@click.option("--table", "table_bits", type=click.IntRange(10, 30),
              help="Size of the table: 2 to this power entries of 24 bytes; 24, in the first run 22.")  # fmt: skip
@rows_option
@click.option("--judge", "judge_path", type=click.Path(path_type=Path), metavar="PATH",
              help="Also judge each game by retrograde analysis; file with a line per game.")  # fmt: skip
@click.option("--judge-only", is_flag=True, help="Only judge, without searching.")
@partial(memory_errors_reported, fault="out of memory: use a smaller --table, or omit --judge")
def shibahara(
    context: click.Context, first: bool, numbers: tuple[int, ...], settings: str, summary: bool, seconds: float,
    table_bits: int | None, rows_path: Path | None, judge_path: Path | None, judge_only: bool,
) -> None:  # fmt: skip
    """Shibahara's list: who wins shogi on 3 by 4 cells, draws proved by the check search.

    Exits with status 1 if a game stays unresolved, or a result differs from the paper or the judge.
    """
    if judge_only and judge_path is None:
        raise click.UsageError("--judge-only needs --judge")
    if rows_path is not None and rows_path == judge_path:
        raise click.UsageError("--rows and --judge need different files")
    chosen = [
        start for start in games_of_the_paper()
        if (start.first_run or not first) and (not numbers or start.number in numbers)
    ]  # fmt: skip
    if not chosen:
        raise click.ClickException("no game was selected")
    kept = ResultFile(rows_path, ShibaharaRow.from_json)
    kept_judgements = ResultFile(judge_path, EndgameRow.from_json)
    # Compile the kernels on the smallest game of the paper, before anything is measured.
    smallest = min(games_of_the_paper(), key=lambda start: small_shogi.endgame_table_bytes(start.game))
    solve_game(smallest.game, smallest.state, Limits(nodes=20_000), VariantSearch(smallest.game, 16))
    small_shogi.EndgameTable(smallest.game).solve()
    rows: dict[int, ShibaharaRow] = {}
    judged: dict[int, EndgameRow] = {}
    if judge_path is not None:
        words = judge_all(chosen, {row.number: row for row in kept_judgements.known})
        with kept_judgements.going_on():
            found = kept_judgements.kept(with_progress_bar(words, len(chosen)))
            judged = {judgement.number: judgement for judgement in found}
    if not judge_only:
        solved_last = sorted(kept.known, key=lambda row: row.result is not None)
        known = {row.number: row for row in solved_last if row.settings == settings}
        measured = measure_all(chosen, known, settings, seconds, table_bits)
        with kept.going_on():
            rows = {row.number: row for row in kept.kept(with_progress_bar(measured, len(chosen)))}
    good = _print_games(chosen, rows, judged, summary)
    if rows:
        print_beside_paper(summary_lines(list(rows.values())))
    context.exit(0 if good else 1)


def _print_games(
    chosen: list[PaperGame], rows: dict[int, ShibaharaRow], judged: dict[int, EndgameRow], summary: bool
) -> bool:
    """Print a line for each game, but in a summary; return whether all are solved with the expected result."""
    lines, good = [], True
    for start in chosen:
        row, judge = rows.get(start.number), judged.get(start.number)
        results = [found.result for found in (row, judge) if found is not None]
        fits = all(result in (None, start.paper) for result in results)
        good &= fits and bool(results) and None not in results
        work = [row.nodes, f"{row.seconds:.2f}", row.researches, row.candidates] if row else [""] * 4
        lines.append([
            f"{start.number:3} {start.back_row} {start.zone}",
            _NAMES[int(start.paper)],
            "first" if start.first_run else "second",
            "" if row is None else _NAMES[row.result],
            "" if judge is None else _NAMES[judge.result],
            "" if judge is None or judge.plies is None else str(judge.plies),
            *map(str, work),
            "" if fits else "differs",
        ])  # fmt: skip
    heads = ("no ranks zone", "paper", "run", "here", "judge", "moves", "nodes", "seconds", "new starts",
             "candidates", "")  # fmt: skip
    # Empty columns belong to what was not asked for.
    filled = [column for column in range(len(heads)) if any(line[column] for line in lines)]
    if not summary:
        print_table([heads[column] for column in filled], [[line[column] for column in filled] for line in lines])
    return good
