# SPDX-License-Identifier: GPL-3.0-or-later
"""The second collection: chosen, verified, published. Run through `scripts/collection`."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path

import click

from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Problem, line_key
from solver.results import Defect, Grade, Judgement
from tsume import collection as collected
from tsume.files.entries import read_entry
from tsume.language.catalogue import LANGUAGES, Language
from tsume.parallel.ordered_map import ordered_map
from tsume.progress import with_progress_bar
from tsume.reports.explanation import comment_text
from tsume.uses import checking
from tsume.uses.commenting import comment_on_tree
from tsume.uses.importing import EntryChecker
from tsume.uses.trees import SITE, ReplyTreeBuilder
from tsume_rules.sfen import canonical_sfen, format_sfen


def run_tsume(*arguments: str | Path) -> None:
    """Run a command as its users do; raise `subprocess.CalledProcessError` if it fails."""
    subprocess.run([sys.executable, "-m", "tsume", *map(str, arguments)], check=True)


# --- problems chosen from stores -------------------------------------------------------------------


def chosen_collection(stores: Sequence[Path], known: Sequence[Path]) -> list[collected.CollectionProblem]:
    """Return what `tsume choose` chooses from all stores together, in order."""
    counts = chain.from_iterable(("-n", f"{length}:{number}") for length, number in collected.COUNTS.items())
    published = chain.from_iterable(("--known", str(path)) for path in known)
    found: list[collected.CollectionProblem] = []
    with tempfile.TemporaryDirectory(prefix="tsume-collection-") as work:
        pool, chosen = Path(work) / "pool.db", Path(work) / "chosen.db"
        run_tsume("merge", *stores, "--db", pool)
        run_tsume(
            "choose", "--db", pool, "--out", chosen, "--grade", "perfect", "--levels", "5",
            *counts, *published,
        )  # fmt: skip
        with Store.open(chosen, create=False) as store:
            for stored in store.find(ProblemSelection(grade=Grade.PERFECT)):
                found.append(collected.CollectionProblem(stored.problem, stored.version))
    return in_order(found)


def in_order(problems: Iterable[collected.CollectionProblem]) -> list[collected.CollectionProblem]:
    return sorted(problems, key=attrgetter("order"))


# --- the README of the collection, in two languages, with the numbers of its problems --------------

TEMPLATES = Path(__file__).parent / "templates"
_STARS = range(1, 6)
_HEADS: dict[Language, str] = {
    "en": f"| moves | problems | different lines | {' | '.join('★' * stars for stars in _STARS)} | ratings |",
    "ja": f"| 手数 | 題数 | 異なる手順 | {' | '.join('★' * stars for stars in _STARS)} | 難易度 |",
}
_PRELIMINARY: dict[Language, str] = {
    "en": "\nThis is a preliminary set: the complete collection has {wanted} problems.\n",
    "ja": "\nこれは暫定版です。完成版は{wanted}題です。\n",
}


def readme_texts(problems: Sequence[collected.CollectionProblem]) -> dict[str, str]:
    by_length: dict[int, list[collected.CollectionProblem]] = defaultdict(list)
    for one in problems:
        by_length[one.problem.length].append(one)
    rows = []
    for length, some in sorted(by_length.items()):
        stars = Counter(one.problem.difficulty.stars for one in some)
        ratings = [one.problem.difficulty.rating for one in some]
        lines = {line_key(one.problem.line) for one in some}
        numbers = [length, len(some), len(lines), *(stars[number] for number in _STARS)]
        rows.append(f"| {' | '.join(map(str, numbers))} | {min(ratings):.0f}-{max(ratings):.0f} |")
    is_complete = {length: len(some) for length, some in by_length.items()} == collected.COUNTS
    texts = {}
    for language in LANGUAGES:
        name = "README.md" if language == "en" else f"README.{language}.md"
        table = "\n".join([_HEADS[language], "|" + "---|" * (len(_STARS) + 4), *rows])
        note = "" if is_complete else _PRELIMINARY[language].format(wanted=sum(collected.COUNTS.values()))
        template = (TEMPLATES / name).read_text(encoding="utf-8")
        texts[name] = template.format(number=len(problems), table=table, note=note)
    return texts


# --- the files of a release, made from the collection by the commands of tsume ---------------------

NAME = "tsume-collection-2"
"""How the names of the files begin."""
_TITLES: dict[Language, str] = {"ja": "tsume 第二集", "en": "tsume: the second collection"}
_LICENCE = "CC0 1.0"
_SECONDS = "60"
"""The time for the variations of a problem: none is to be missing."""


def publish_collection(folder: Path, target: Path) -> Iterator[Path]:
    """Make the files of a release, one after the other."""
    target.mkdir(parents=True, exist_ok=True)
    yield Path(shutil.copy(folder / collected.PROBLEMS, target / f"{NAME}.jsonl"))
    with tempfile.TemporaryDirectory(prefix="tsume-release-") as work:
        place = Path(work) / "collection.db"
        with Store.open(place) as store:
            collected.add_collection(store, collected.read_collection(folder))
        for language in LANGUAGES:
            book, cards = (target / f"{NAME}.{language}.{ending}" for ending in ("pdf", "apkg"))
            title, options = _TITLES[language], ("--lang", language, "--time", _SECONDS)
            run_tsume("book", "--db", place, "-o", book, *options, "--book-title", title, "--per-page", "4")
            yield book
            run_tsume("cards", "--db", place, "-o", cards, *options, "--deck", title, "--by-length")
            yield cards
        yield _archive(place, target, "site", "site", "--site-title", _TITLES["en"], "--licence", _LICENCE)
        yield _archive(place, target, "parquet", "export", "--format", "parquet", "--licence", "CC0",
                       "--set-title", _TITLES["en"])  # fmt: skip
        yield _archive(place, target, "kif", "export", "--format", "kif")


def _archive(place: Path, target: Path, name: str, *command: str) -> Path:
    folder = place.parent / f"{NAME}-{name}"
    run_tsume(*command, "--db", place, "-o", f"{folder}/")
    return Path(shutil.make_archive(str(target / folder.name), "zip", folder.parent, folder.name))


try:
    import cshogi
except ImportError:  # it has no wheels for every Python
    cshogi = None


# --- an engine that is none of ours: what cshogi says of the length of a problem -------------------


def has_outside_engine() -> bool:
    return cshogi is not None


def outside_engine_faults(problem: Problem) -> Iterator[str]:
    """Yield what cshogi denies of a problem's length.

    It counts every interposition, futile ones too, by which a mate can only become longer.
    """
    board, length = cshogi.Board(format_sfen(problem.position)), problem.length

    def mates_within(plies: int) -> bool:
        return bool(board.mate_move_in_1ply() if plies == 1 else board.mate_move(plies))

    if length > 1 and mates_within(length - 2):
        yield f"cshogi finds a mate in {length - 2}"
    if problem.same_when_counted and not mates_within(length):
        yield f"cshogi finds no mate in {length}"


# --- all claims of a problem of the collection, checked one by one ---------------------------------

SECONDS = 60.0
"""The time that one question about a problem may take."""
_LONGEST_VALUE = 80
"""Characters of a value in a message."""


@dataclass(frozen=True)
class NumberedLine:
    """A line of the file, with its number from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class LineFaults:
    """What is wrong with a line."""

    line: NumberedLine
    faults: tuple[str, ...]


class ProblemCheck:
    """Check problems: by the first engine, the second, an outside one, and a certificate."""

    def __init__(self) -> None:
        self._checker = checking.Checker(checking.CheckOptions(evidence=False, cross=True))
        self._entries = EntryChecker()
        self._trees = ReplyTreeBuilder(SITE)

    def __call__(self, line: NumberedLine) -> LineFaults:
        try:
            one = collected.read_collection_line(line.text, "line")
        except collected.CollectionError as error:
            return LineFaults(line, (str(error),))
        return LineFaults(line, tuple(self._faults(line, one)))

    def _faults(self, line: NumberedLine, one: collected.CollectionProblem) -> Iterator[str]:
        if collected.collection_line(one) != line.text:
            yield "not written as the program writes it: spaces, order of fields or SFEN"
        problem, judgement = one.problem, self.judgement(one.problem)
        if judgement.grade is not Grade.PERFECT or judgement.unresolved:
            yield f"not perfect: {judgement.grade and judgement.grade.value}, {judgement.defects.names}"
            return
        new = self.computed_anew(one, judgement)
        if new is None:
            yield "a new check refuses it"
        else:
            said, found = collected.collection_fields(one), collected.collection_fields(new)
            for name in sorted(said.keys() | found.keys()):
                if said.get(name) != found.get(name):
                    is_, not_ = (str(fields.get(name))[:_LONGEST_VALUE] for fields in (found, said))
                    yield f"{name} is {is_}, not {not_}"
        yield from self._certificate_faults(one, judgement)
        crossed = self._checker.cross_check(problem.position, judgement, problem.length, problem.line, SECONDS)
        yield from (f"the second engine: {difference}" for difference in crossed.differences)
        if crossed.agrees is None:
            yield "the second engine: a limit was reached"
        if has_outside_engine():
            yield from outside_engine_faults(problem)

    def judgement(self, problem: Problem) -> Judgement:
        """Return the judgement of the full check, with all findings."""
        return self._checker.judge(problem.position, problem.length, problem.line, SECONDS)

    def computed_anew(
        self, one: collected.CollectionProblem, judgement: Judgement
    ) -> collected.CollectionProblem | None:
        """Return a problem that was judged with line, score, stars, quality, themes, comment and the rest computed
        from its position."""
        found = self._entries.check(read_entry(collected.collection_line(one), "line"), judgement).problem
        if found is None or judgement.grade is not Grade.PERFECT:
            return None
        position = found.position
        remarks = comment_on_tree(self._trees.engine, position, self._trees.build(position))
        comment = {language: comment_text(remarks, position, language) for language in LANGUAGES} if remarks else {}
        judged = replace(judgement, line=found.line)
        new = replace(found, judgement=judged, provenance=one.problem.provenance)
        return replace(one, problem=new, comment=comment)

    def _certificate_faults(self, one: collected.CollectionProblem, judgement: Judgement) -> Iterator[str]:
        """Write a certificate and have the checker read it."""
        problem, engine = one.problem, self._checker.engine
        with tempfile.TemporaryDirectory(prefix="tsume-collection-") as folder:
            path = Path(folder) / "certificate"
            try:
                with checking.certificate_for_writing(path, lambda _: None) as certifier:
                    left = certifier.add(engine, problem.position, judgement, SECONDS)
                (proved,) = checking.verify_certificate(path)
            except (checking.NothingCertified, checking.UnusableCertificate) as error:
                yield f"certificate: {error or left}"
                return
        if left:
            yield f"certificate: {left}"
        line = tuple(move.usi for move in problem.line)
        # Of another promotion to the same position a certificate says nothing: it has no ``unique`` then.
        searched = "*" if problem.judgement.searched is None else proved.unique
        unique = None if problem.judgement.remarks & Defect.SAME_POSITION else searched
        said = (problem.length, line, unique)
        if said != (proved.mate, tuple(proved.line), proved.unique):
            yield f"the certificate proves {proved.mate}, {' '.join(proved.line)}, unique {proved.unique}"


class Renewal:
    """Compute what is said of problems anew."""

    def __init__(self) -> None:
        self._check = ProblemCheck()

    def __call__(self, one: collected.CollectionProblem) -> collected.CollectionProblem | str:
        """Return the problem with all of it, or why there is none."""
        judgement = self._check.judgement(one.problem)
        return self._check.computed_anew(one, judgement) or f"a new check refuses {format_sfen(one.problem.position)}"


def renewed(problems: Sequence[collected.CollectionProblem]) -> list[collected.CollectionProblem]:
    """Return the problems with scores, themes, comments and the like computed anew, in order."""
    found: list[collected.CollectionProblem] = []
    with closing(ordered_map(Renewal, problems, os.cpu_count() or 1)) as results:
        for one in with_progress_bar(results, len(problems)):
            if isinstance(one, str):
                raise click.ClickException(one)
            found.append(one)
    return in_order(found)


# --- claims of the whole collection ----------------------------------------------------------------

MAX_BYTES = 1_200_000
"""The largest file of problems."""
CC0_SHA256 = "a2010f343487d3f7618affe54f789f5487602331c0a8d03f49e9a7c547cf0499"


def problem_faults(text: str, sample: int | None, seed: int, jobs: int | None) -> Iterator[str]:
    """Yield what is wrong with the problems, line by line; of ``sample`` lines drawn at random, or of all."""
    lines = [NumberedLine(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    if sample is not None and sample < len(lines):
        drawn = random.Random(seed).sample(lines, sample)
        lines = sorted(drawn, key=lambda line: line.number)
    with closing(ordered_map(ProblemCheck, lines, jobs or os.cpu_count() or 1)) as verdicts:
        for verdict in with_progress_bar(verdicts, len(lines)):
            yield from (f"{collected.PROBLEMS}, line {verdict.line.number}: {fault}" for fault in verdict.faults)


def collection_faults(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the collection as a whole."""
    size = len(_content(folder / collected.PROBLEMS))
    if size > MAX_BYTES:
        yield f"{collected.PROBLEMS} has {size:,} bytes, more than {MAX_BYTES:,}"
    if hashlib.sha256(_content(folder / "LICENSE")).hexdigest() != CC0_SHA256:
        yield "LICENSE is not the text of CC0 1.0"
    try:
        problems = collected.read_collection_text(collected.verified_collection_text(folder))
    except collected.CollectionError as error:
        yield str(error)
        return
    # A preliminary set may have fewer; its README says so.
    for length, number in sorted(Counter(one.problem.length for one in problems).items()):
        if number > collected.COUNTS.get(length, 0):
            yield f"{number} problems of {length} moves, more than {collected.COUNTS.get(length, 0)}"
    if in_order(problems) != problems:
        yield "the problems are not in order of length, score and SFEN"
    # Problems with the same position, mirrored or not, or with a key in common.
    places: dict[str | int, list[int]] = defaultdict(list)
    for number, one in enumerate(problems, start=1):
        position, line = one.problem.position, one.problem.line
        keys: set[str | int] = {canonical_sfen(position), *collected.natural_key_hashes(position, line)}
        for key in keys:
            places[key].append(number)
    alike = {tuple(numbers) for numbers in places.values() if len(numbers) > 1}
    yield from (f"lines {', '.join(map(str, numbers))} are the same problem" for numbers in sorted(alike))
    for name, text in readme_texts(problems).items():
        if _content(folder / name) != text.encode():
            yield f"{name} is not what scripts/collection writes for these problems"


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


# --- the command -----------------------------------------------------------------------------------

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(invoke_without_command=True)
@click.option("--folder", type=_FOLDER, default=collected.collection_folder, help="The collection.")
@click.option("--verify", is_flag=True, help="Check every claim; exit with status 1 at any wrong one.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="With --verify: only N problems.")
@click.option("--seed", default=1, show_default=True, help="With --sample: which ones.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="With --verify: processes; one per processor.")
@click.pass_context
def collection(
    context: click.Context, folder: Path, verify: bool, sample: int | None, seed: int, jobs: int | None
) -> None:
    """Choose, verify and publish the collection (docs/collection.md)."""
    context.obj = folder
    if verify:
        try:
            text = collected.verified_collection_text(folder)
        except collected.CollectionError as error:
            raise click.ClickException(str(error)) from None
        if not has_outside_engine():
            click.echo("cshogi is not installed: lengths are not checked by an outside engine", err=True)
        began, wrong = time.monotonic(), 0
        for fault in chain(collection_faults(folder), problem_faults(text, sample, seed, jobs)):
            click.echo(fault)
            wrong += 1
        number = len(text.splitlines())
        checked = number if sample is None else min(sample, number)
        click.echo(
            f"{checked} of {number} problems checked in {time.monotonic() - began:.0f} s: "
            + (f"{wrong} wrong claims" if wrong else "every claim is right")
        )
        sys.exit(1 if wrong else 0)
    elif context.invoked_subcommand is None:
        raise click.UsageError("give --verify or a command")


@collection.command()
@click.argument("stores", nargs=-1, required=True, type=_FILE, metavar="STORE...")
@click.option("--known", multiple=True, type=_FILE, metavar="FILE",
              help="Published problems, which are left out; repeatable.")  # fmt: skip
@click.pass_obj
def make(folder: Path, stores: tuple[Path, ...], known: tuple[Path, ...]) -> None:
    """Choose the problems from stores and write the collection."""
    write_with_readme(folder, renewed(chosen_collection(stores, known)))


def write_with_readme(folder: Path, problems: Sequence[collected.CollectionProblem]) -> None:
    collected.write_collection(folder, problems)
    for name, text in readme_texts(problems).items():
        (folder / name).write_text(text, encoding="utf-8")
    size = (folder / collected.PROBLEMS).stat().st_size
    click.echo(f"{folder / collected.PROBLEMS}: {len(problems)} problems, {size:,} bytes")


@collection.command()
@click.pass_obj
def renew(folder: Path) -> None:
    """Compute scores, themes, comments and the like of the problems anew, after a change of these, and write the
    collection."""
    write_with_readme(folder, renewed(collected.read_collection(folder)))


@collection.command()
@click.argument("target", type=_FOLDER, metavar="FOLDER")
@click.pass_obj
def publish(folder: Path, target: Path) -> None:
    """Make the files of a release from the collection: books, cards, site, data set, records."""
    for path in publish_collection(folder, target):
        click.echo(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    collection()
