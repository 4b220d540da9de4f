# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches of long problems, their agreement, judging, certificates: `scripts/bench classics|agree|judge|certify`."""

from __future__ import annotations

import gzip
import queue
import random
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import click

from scripts.measuring import FILES, NamedSfen, read_positions, shuffled, warm_engine
from solver.certificates.checker import TITLE
from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.engines.iterative import engine as iterative
from solver.engines.iterative.engine import SekineEngine
from solver.judging.classifying import Classifier
from solver.judging.evidence import Evidence
from solver.judging.judge import Judge
from solver.results import Defect, Interposition, Limits, Mate, MateBounds, NoMate, SearchResult
from solver.solving.deepening import search_length
from tsume.uses import checking
from tsume_rules.packed import pack, start_faults
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

# --- `scripts/bench classics`: exact lengths of long problems, each within a time limit ------------

_KINDS = ("mate", "no mate", "open")


@dataclass(frozen=True)
class SearchAttempt:
    name: str
    result: str
    seconds: float
    nodes: int

    @property
    def line(self) -> str:
        return f"{self.name}\t{self.result}\t{self.seconds:.2f} s\t{self.nodes} nodes"

    @property
    def kind(self) -> str:
        return next(kind for kind in _KINDS if self.result.startswith(kind))

    @classmethod
    def parse(cls, line: str) -> SearchAttempt:
        """Read a `line` again; raises `ValueError`."""
        name, result, seconds, nodes = line.split("\t")
        return cls(name, result, float(seconds.removesuffix(" s")), int(nodes.removesuffix(" nodes")))


@click.command()
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each position.")
@click.option("--memory", default=1024, show_default=True, help="MB for all engines together.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Positions side by side.")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="Threads for each position.")
@click.option("--count-futile", is_flag=True, help="Count every interposition.")
@click.option(
    "--results", type=click.Path(dir_okay=False, path_type=Path),
    help="File of results: positions in it are not searched again, new results are added.",
)  # fmt: skip
@FILES
def classics(
    files: tuple[Path, ...], seconds: float, memory: int, jobs: int, threads: int, count_futile: bool,
    results: Path | None,
) -> None:  # fmt: skip
    """Exact lengths of long problems: FILES of names and SFENs separated by tabs, in either order.

    Wall-clock time. A line for each position as soon as it is done, then a summary;
    Ctrl-C ends it early. `--results` goes on where an earlier run ended.
    """
    try:
        table_bits = table_bits_within((memory << 20) // jobs)
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None
    interposition = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    done: list[SearchAttempt] = []
    if results is not None and results.exists():
        try:
            done = [SearchAttempt.parse(line) for line in results.read_text(encoding="utf-8").splitlines()]
        except ValueError as error:
            raise click.ClickException(f"{results} holds no results: {error}") from None
    known = {attempt.name for attempt in done}
    left = [named for path in files for named in read_positions(path) if named.name not in known]
    engines = [DfPnEngine(table_bits=table_bits, interposition=interposition, threads=threads) for _ in range(jobs)]
    for engine in engines:
        warm_engine(engine)
    with suppress(KeyboardInterrupt):
        for attempt in search_positions(left, engines, Limits(seconds=seconds)):
            done.append(attempt)
            print(attempt.line, flush=True)
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    print(attempt.line, file=file)
    kinds = Counter(attempt.kind for attempt in done)
    spent, nodes = sum(attempt.seconds for attempt in done), sum(attempt.nodes for attempt in done)
    print(
        f"{len(done)} positions: {kinds['mate']} mates, {kinds['no mate']} without a mate, "
        f"{kinds['open']} open; {spent:.1f} s, {nodes} nodes, {nodes / max(spent, 1e-9):,.0f} nodes/s"
    )
    if missing := len(left) - sum(attempt.name not in known for attempt in done):
        print(f"{missing} positions are left")


def search_positions(
    positions: Sequence[NamedSfen], engines: Sequence[DfPnEngine], limits: Limits
) -> Iterator[SearchAttempt]:
    """Search all positions, on one thread for each engine; yield each result as soon as it is there.

    What a thread raises is raised here.
    """
    waiting: queue.SimpleQueue[NamedSfen] = queue.SimpleQueue()
    ended: queue.SimpleQueue[SearchAttempt | BaseException] = queue.SimpleQueue()

    def work(engine: DfPnEngine) -> None:
        try:
            while True:
                ended.put(_attempt(engine, waiting.get_nowait(), limits))
        except queue.Empty:
            return
        except BaseException as error:  # it is raised where the results are read
            ended.put(error)

    for named in positions:
        waiting.put(named)
    for engine in engines:
        # Daemons: after Ctrl-C the process ends without waiting for the searches.
        threading.Thread(target=work, args=(engine,), daemon=True).start()
    for _ in positions:
        attempt = ended.get()
        if isinstance(attempt, BaseException):
            raise attempt
        yield attempt


def _attempt(engine: DfPnEngine, named: NamedSfen, limits: Limits) -> SearchAttempt:
    engine.forget()
    nodes, started = engine.nodes, time.monotonic()
    result = search_length(engine, pack(named.position), limits)
    if isinstance(result, Mate):
        text = f"mate in {result.length}"
    elif isinstance(result, NoMate):
        text = "no mate"
    else:
        found = "" if result.mate_within is None else f", mate within {result.mate_within}"
        text = f"open, none within {result.no_mate_within}{found} ({result.reason.value})"
    return SearchAttempt(named.name, text, time.monotonic() - started, engine.nodes - nodes)


# --- `scripts/bench agree`: whether searches that share little give the same answers ---------------

Way = Callable[[NamedSfen], SearchResult]
MAX_MOVES = 15
"""Longer mates are left out."""


@click.command()
@click.option("--small", default=64, show_default=True, help="MB of an engine with a small table.")
@click.option("--large", default=4096, show_default=True, help="MB of an engine with a large table.")
@click.option("--nodes", default=2_000_000, show_default=True, help="Nodes for each position and way.")
@click.option("--seconds", default=2.0, show_default=True, help="For the second engine; 0: it is not asked.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True,
              help="More than one: ask also so many threads on one table.")  # fmt: skip
@FILES
def agree(files: tuple[Path, ...], small: int, large: int, nodes: int, seconds: float, threads: int) -> None:
    """Whether small and large tables, both searches and both engines give the same lengths.

    FILES of positions, one a line. Each position is solved as `tsume solve` does, and by the search for long works from
    the first move on, each with a small and with a large table; by the latter also in threads that help from the first
    node on; and by the second engine. What reaches a limit is left out. A line for each disagreement and each file.
    """
    limits = Limits(nodes=nodes)
    ways: dict[str, Way] = {}
    for name, megabytes in (("small", small), ("large", large)):
        bits = table_bits_within(megabytes << 20)
        engine = DfPnEngine(table_bits=bits)
        ways[f"usual, {name}"] = _way(engine, limits, None)
        ways[f"long works, {name}"] = _way(engine, limits, MateBounds())
        if threads > 1:
            team = DfPnEngine(table_bits=bits, threads=threads, alone=0)
            ways[f"{threads} threads, {name}"] = _way(team, limits, MateBounds())
    if seconds:
        bits = iterative.table_bits_within(small << 20)
        ways["second engine"] = _way(SekineEngine(table_bits=bits), Limits(None, seconds, MAX_MOVES), None)
    wrong = 0
    for path in files:
        answers = Counter[str]()
        for named in read_positions(path):
            wrong += not _compared(named, path, ways, answers)
        told = ", ".join(f"{name} {answers[name]}" for name in ways)
        click.echo(f"{path.name}: {answers['positions']} positions; answered: {told}")
    click.echo(f"{wrong} disagreements")


def _compared(named: NamedSfen, path: Path, ways: dict[str, Way], answers: Counter[str]) -> bool:
    """Ask all ways about a position, count their answers, and print those that differ.

    In ``found`` 0 stands for no mate. Returns whether all are the same.
    """
    if start_faults(named.position):
        return True
    found: dict[str, int] = {}
    for name, way in ways.items():
        result = way(named)
        if isinstance(result, Mate | NoMate):
            found[name] = result.length if isinstance(result, Mate) else 0
            if found[name] > MAX_MOVES:
                return True
    answers["positions"] += 1
    answers.update(found.keys())
    if len(set(found.values())) <= 1:
        return True
    click.echo(f"{path.name}, {named.name}: {found}: {named.sfen}")
    return False


def _way(engine: MateEngine, limits: Limits, since: MateBounds | None) -> Way:
    def answer(named: NamedSfen) -> SearchResult:
        engine.forget()
        return search_length(engine, pack(named.position), limits, since=since)

    return answer


# --- `scripts/bench judge`: where the time of judging goes, by rule and by outcome -----------------

_STEPS = {
    "length": (Judge, "_measure"),
    "main tree and given line": (Judge, "_solve"),
    "second solutions of the judged line": (Judge, "_look_for_faults"),
    "their classes": (Classifier, "classify"),
    "second solutions beside it": (Judge, "_refute"),
    "the same at any length": (Judge, "_refute_ever"),
    "the same while the nodes last": (Judge, "_refute_while"),
    "readings": (Judge, "_examine_grey_zone"),
    "unnecessary pieces": (Judge, "_minimal"),
    "lines and findings": (Evidence, "shown"),
}
"""The steps of a judgement, each without those that it calls."""


@contextmanager
def _timed_steps() -> Iterator[dict[str, float]]:
    """Inside the block, add up the processor seconds of the steps."""
    spent, running = defaultdict[str, float](float), ["the rest"]
    since = time.process_time()

    def change() -> None:
        nonlocal since
        now = time.process_time()
        spent[running[-1]] += now - since
        since = now

    def timed(name: str, method: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            change()
            running.append(name)
            try:
                return method(*arguments, **named)
            finally:
                change()
                running.pop()

        return call

    with ExitStack() as patches:
        for name, (owner, method) in _STEPS.items():
            patches.enter_context(patch.object(owner, method, timed(name, getattr(owner, method))))
        yield spent
        change()


@click.command()
@FILES
@click.option("-n", "--count", default=600, show_default=True, help="Positions, drawn at random from all files.")
@click.option("--seed", default=1, show_default=True)
@click.option("--time", "seconds", type=float, help="Seconds for each, as `tsume check --time` takes them.")
@click.option("--lines", is_flag=True, help="Give the lines of the files, too.")
def judge(files: tuple[Path, ...], count: int, seed: int, seconds: float | None, lines: bool) -> None:
    """Judge positions as `tsume check` does; processor seconds by outcome, and their shares by step."""
    problems = shuffled(files, (), seed)[:count]
    checker = checking.Checker(replace(checking.COMMAND, seconds=seconds or 60.0, thorough=seconds is not None))
    warm_engine(checker.engine)
    times: dict[str, list[float]] = defaultdict(list)
    settled = 0
    with _timed_steps() as spent:
        for problem in problems:
            began = time.process_time()
            found = checker.check(ParsedSfen(problem.position), problem.line if lines else ()).judgement
            is_settled = found.searched is None or bool(found.faults) or Defect.COOK in found.defects
            settled += is_settled
            outcome = f"{found.grade.value if found.grade else 'no grade'}{'' if is_settled else ', open'}"
            times[outcome].append(time.process_time() - began)
    every = sorted(one for some in times.values() for one in some)
    mean = sum(every) / len(every)
    click.echo(
        f"{len(every)} positions: {settled / len(every):.1%} settled; mean {mean:.4f} s ({1 / mean:.0f} a second), "
        f"median {every[len(every) // 2]:.4f}, longest {every[-1]:.1f}"
    )
    for outcome, some in sorted(times.items()):
        click.echo(f"  {outcome:16} {len(some):5}  mean {sum(some) / len(some):8.4f} s  {sum(some) / sum(every):6.1%}")
    for name, value in sorted(spent.items(), key=lambda step: -step[1]):
        click.echo(f"  {name:38} {value / sum(every):6.1%}")


# --- `scripts/bench certify`: how many problems can be certified, how fast certificates are verified

_LARGEST_DAMAGED = 1_000
"""Facts of a certificate that is damaged, at most."""
_MAX_TRIES = 10
"""Times as many certificates are damaged as are to be refused, at most."""


@dataclass(frozen=True)
class CertifiedProblem:
    """A problem, what the judge says of it, and the sizes and times of its certificate, if it has one.

    ``proved``: what the file proves, as the table names it; ``failure``: why there is none.
    """

    kind: str
    facts: int = 0
    size: int = 0
    writing: float = 0.0
    verifying: float = 0.0
    proved: str = ""
    failure: str = ""
    path: Path | None = None


@click.command()
@click.option("--number", default=500, show_default=True, help="Positions, drawn from all files.")
@click.option("--damaged", default=200, show_default=True, help="Damage certificates until so many are refused.")
@click.option("--time", "seconds", default=20.0, show_default=True, help="To judge a position, and to certify.")
@click.option("--seed", default=1, show_default=True)
@FILES
def certify(files: tuple[Path, ...], number: int, damaged: int, seconds: float, seed: int) -> None:
    """Certificates of problems: written, verified, damaged and verified again.

    One process; time is wall-clock time but for verifying, of which it is that of the processor. Each problem
    has its own file. Ctrl-C ends the drawing early.
    """
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        done: list[CertifiedProblem] = []
        checker = checking.Checker()
        with suppress(KeyboardInterrupt):
            # The positions of all files in random order, none twice.
            positions = (named.position for path in files for named in read_positions(path))
            drawn = list({format_sfen(position): position for position in positions}.values())
            rng.shuffle(drawn)
            for position in drawn:
                if len(done) == number:
                    break
                if not start_faults(position):
                    found = _certified(checker, position, seconds, Path(folder) / f"{len(done)}")
                    done += [] if found is None else [found]
        _print_table(done)
        # Damage certificates until enough are refused; any other must prove what it proved before.
        paths = [one.path for one in done if one.path and 0 < one.facts < _LARGEST_DAMAGED]
        refused = same = more = 0
        while paths and refused < damaged and refused + same + more < _MAX_TRIES * damaged:
            path = rng.choice(paths)
            before = checking.verify_certificate(path)
            with tempfile.NamedTemporaryFile() as file:
                file.write(damaged_file(_lines(path), rng))
                file.flush()
                try:
                    after = checking.verify_certificate(Path(file.name))
                except checking.UnusableCertificate:
                    refused += 1
                    continue
            same, more = same + (after == before), more + (after != before)
        click.echo(f"damaged: {refused} refused, {same} prove the same without it, {more} prove something else")


def _certified(checker: checking.Checker, position: Position, seconds: float, path: Path) -> CertifiedProblem | None:
    """Return the certificate of a problem, written and verified; None if its mate is too long."""
    judgement = checker.judge(position, seconds=seconds)
    if (judgement.length or 0) > MAX_MOVES:
        return None
    kind, started = "unresolved", time.perf_counter()
    if Defect.NO_MATE & judgement.defects:
        kind = "no mate"
    elif judgement.grade is not None:
        kind = judgement.grade.value
    try:
        with checking.certificate_for_writing(path, lambda _: None) as certifier:
            failure = certifier.add(checker.engine, position, judgement, seconds)
    except checking.NothingCertified:
        return CertifiedProblem(kind, failure=failure or "")
    writing = time.perf_counter() - started
    before = time.process_time()
    (proved,) = checking.verify_certificate(path)
    verifying = time.process_time() - before
    said = "mate" if proved.mate is not None else "no mate"
    if proved.no_mate not in (None, "*"):
        said = "no mate within some plies"
    elif proved.unique is not None:
        said += ", no other solution" + (" up to some plies" if proved.unique != "*" else "")
    elif proved.second:
        said += ", second solutions"
    facts = sum(not line.startswith(b"{") for line in _lines(path))
    return CertifiedProblem(kind, facts, path.stat().st_size, writing, verifying, said, failure or "", path)


def _lines(path: Path) -> list[bytes]:
    with gzip.open(path) as file:
        return file.read().splitlines(keepends=True)[1:-1]


def _print_table(done: list[CertifiedProblem]) -> None:
    kinds: dict[str, list[CertifiedProblem]] = defaultdict(list)
    for one in done:
        kinds[one.kind].append(one)
    kinds["all"] = done
    click.echo("judged, problems, certified, facts, largest, bytes a fact, s written, s verified, facts a minute")
    for kind, found in kinds.items():
        facts = sum(one.facts for one in found)
        verifying = sum(one.verifying for one in found)
        click.echo(
            f"{kind}, {len(found)}, {sum(one.path is not None for one in found)}, {facts}, "
            f"{max((one.facts for one in found), default=0)}, "
            f"{sum(one.size for one in found) / max(facts, 1):.1f}, {sum(one.writing for one in found):.1f}, "
            f"{verifying:.1f}, {60 * facts / max(verifying, 1e-9):,.0f}"
        )
    for name, counted in (
        ("proved", Counter(one.proved for one in done if one.path)),
        ("not all certified", Counter(one.failure for one in done if one.failure)),
    ):
        click.echo(f"{name}: " + "; ".join(f"{many} {text}" for text, many in counted.most_common()))


def damaged_file(lines: list[bytes], rng: random.Random) -> bytes:
    """Return a certificate with one fact left out or changed: its plies, last move, kind or board."""
    i = rng.choice([i for i, line in enumerate(lines) if not line.startswith(b"{")])
    words = lines[i].split()
    way = rng.randrange(5)
    if way == 1:
        words[1] = b"%d" % (int(words[1]) + 2) if words[1] != b"*" else b"99"
    elif way == 2:
        words[-1] = rng.choice([line.split()[-1] for line in lines if not line.startswith(b"{")])
    elif way == 3:
        words[0] = rng.choice((b"A", b"D", b"N", b"E", b"U"))
    elif way == 4:
        at = max(j for j, word in enumerate(words) if len(word) == 88)
        board = bytearray(words[at])
        one, other = rng.sample(range(81), 2)
        board[one], board[other] = board[other], board[one]
        words[at] = bytes(board)
    changed = [] if way == 0 else [b" ".join(words) + b"\n"]
    kept = [*lines[:i], *changed, *lines[i + 1 :]]
    facts = sum(not line.startswith(b"{") for line in kept)
    return gzip.compress(b"".join([TITLE, *kept, b"end %d\n" % facts]))
