# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench certify`: how many problems can be certified, how large that is, how fast it is verified."""

from __future__ import annotations

import gzip
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.measuring.shared import FILES, read_positions
from solver.certificates.checker import TITLE
from solver.results import Defect, Judgement
from tsume.uses.checking import (
    Checker,
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    verify_certificate,
)
from tsume_rules.game import start_faults
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

_LARGEST_DAMAGED = 1_000
"""Facts of a certificate that is damaged, at most."""
_MOST_TRIES = 10
"""Times as many certificates are damaged as are to be refused, at most."""


@dataclass(frozen=True)
class Certified:
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
@click.option(
    "--damaged", default=200, show_default=True, help="Damage certificates until so many are refused."
)
@click.option(
    "--time", "seconds", default=20.0, show_default=True, help="To judge a position, and to certify."
)
@click.option("--moves", default=15, show_default=True, help="Longer mates are left out.")
@click.option("--seed", default=1, show_default=True)
@click.option("--verbose", is_flag=True, help="Print a line for each position that is not certified.")
@FILES
def certify(
    files: tuple[Path, ...], number: int, damaged: int, seconds: float, moves: int, seed: int, verbose: bool
) -> None:
    """Certificates of problems: written, verified, damaged and verified again.

    One process; time is wall-clock time but for verifying, of which it is that of the processor. Each problem
    has its own file. Ctrl-C ends the drawing early.
    """
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        done: list[Certified] = []
        checker = Checker()
        with suppress(KeyboardInterrupt):
            for sfen, position in _drawn(files, rng):
                if len(done) == number:
                    break
                found = _certified(checker, position, seconds, moves, Path(folder) / f"{len(done)}")
                if found is None:
                    continue
                done.append(found)
                if verbose and found.failure:
                    click.echo(f"{found.kind}: {found.failure}: {sfen}")
        _print_table(done)
        # Damage certificates until enough are refused; any other must prove what it proved before.
        paths = [one.path for one in done if one.path and 0 < one.facts < _LARGEST_DAMAGED]
        refused = same = more = 0
        while paths and refused < damaged and refused + same + more < _MOST_TRIES * damaged:
            path = rng.choice(paths)
            before = verify_certificate(path)
            with tempfile.NamedTemporaryFile() as file:
                file.write(damaged_file(_lines(path), rng))
                file.flush()
                try:
                    after = verify_certificate(Path(file.name))
                except UnusableCertificate:
                    refused += 1
                    continue
            same, more = same + (after == before), more + (after != before)
        click.echo(
            f"damaged: {refused} refused, {same} prove the same without it, {more} prove something else"
        )


def _drawn(files: tuple[Path, ...], rng: random.Random) -> Iterator[tuple[str, Position]]:
    """The positions of all files in random order, none twice."""
    found = {format_sfen(named.position): named.position for path in files for named in read_positions(path)}
    drawn = list(found.items())
    rng.shuffle(drawn)
    return ((sfen, position) for sfen, position in drawn if not start_faults(position))


def _certified(
    checker: Checker, position: Position, seconds: float, moves: int, path: Path
) -> Certified | None:
    """The certificate of a problem, written and verified; None if its mate is too long."""
    judgement = checker.judge(position, seconds=seconds)
    if (judgement.length or 0) > moves:
        return None
    kind, started = _kind(judgement), time.perf_counter()
    try:
        with certificate_for_writing(path, lambda _: None) as certifier:
            failure = certifier.add(checker.engine, position, judgement, seconds)
    except NothingCertified:
        return Certified(kind, failure=failure or "")
    writing = time.perf_counter() - started
    before = time.process_time()
    (proved,) = verify_certificate(path)
    verifying = time.process_time() - before
    said = "mate" if proved.mate is not None else "no mate"
    if proved.no_mate not in (None, "*"):
        said = "no mate within some plies"
    elif proved.unique is not None:
        said += ", no other solution" + (" up to some plies" if proved.unique != "*" else "")
    elif proved.second:
        said += ", second solutions"
    facts = sum(not line.startswith(b"{") for line in _lines(path))
    return Certified(kind, facts, path.stat().st_size, writing, verifying, said, failure or "", path)


def _kind(judgement: Judgement) -> str:
    if judgement.grade is not None and not Defect.NO_MATE & judgement.defects:
        return judgement.grade.value
    return "no mate" if Defect.NO_MATE & judgement.defects else "unresolved"


def _lines(path: Path) -> list[bytes]:
    """The claims and facts of a certificate."""
    with gzip.open(path) as file:
        return file.read().splitlines(keepends=True)[1:-1]


def _print_table(done: list[Certified]) -> None:
    kinds: dict[str, list[Certified]] = defaultdict(list)
    for one in done:
        kinds[one.kind].append(one)
    kinds["all"] = done
    click.echo(
        "judged, problems, certified, facts, largest, bytes a fact, s written, s verified, facts a minute"
    )
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
    """A certificate with one fact left out or changed: its plies, its last move, its kind or its board."""
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
