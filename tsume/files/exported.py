# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored problem as JSON fields, and back from fields that this version wrote.

The field ``hash`` is one over this version and all that a check would prove or compute. It shows that
these fields were not changed by mistake; it is no protection against forgery.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from db.notebook import HEADERS, JSON_NAMES, Notebook, cleaned_notebook_text, notebook_of_headers
from db.stored_problem import StoredFeatures, StoredProblem
from generator.problem import GENERATOR_VERSION, STORED, Problem, Provenance
from solver.results import BLEMISHES, Defect, Difficulty, GivenLine, Grade, Judgement
from tsume import __version__
from tsume.files.entries import Entry
from tsume.formats.game_record import Branch, GameRecord, integrity_headers, merged_branches
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.text import csv_line
from tsume.language.terms import REMARKS, remark_texts
from tsume_rules.moves import Move, position_after_all

HASH = "hash"
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_HASHED = (
    "sfen", "length", "line", "score", "themes", "quality", "grade", "blemishes", "features",
    "searched", "notes", "same_when_counted", "seed", "index", "recipe", "version",
)  # fmt: skip
_REMARKS = {text: Defect[name] for name, (_, text) in REMARKS.items()}
_MAX_PLIES, _LARGEST, _LARGEST_SEED, _LONGEST_WORD = 2**31 - 1, 2**63 - 1, 10**99, 50
"""What the columns of the store hold."""


def problem_fields(problem: StoredProblem, rating: float | None = None) -> dict[str, Any]:
    """Return a stored problem as JSON fields; ``rating`` is that by results, if there are any."""
    fields = {"id": problem.id, **_judged_fields(problem), "features": dict(problem.difficulty.features)}
    fields |= {**_provenance_fields(problem), **notebook_fields(problem.notebook)}
    fields |= problem.difficulty.scale_fields(problem.length, rating)
    return {**fields, HASH: problem_hash(fields)}


def problem_text(problem: StoredProblem, rating: float | None = None) -> str:
    """Return `problem_fields` as JSON on one line; what the hash is over is written once."""
    features = problem.difficulty.features
    values = features.json if isinstance(features, StoredFeatures) else _ENCODER.encode(features)
    judged, made, notebook, scale = (
        _ENCODER.encode(fields)[1:-1]
        for fields in (
            _judged_fields(problem), _provenance_fields(problem), notebook_fields(problem.notebook),
            problem.difficulty.scale_fields(problem.length, rating),
        )
    )  # fmt: skip
    hashed = f'{judged}, "features": {values}, {made}'
    return f'{{"id": {problem.id}, {hashed}, {notebook}, {scale}, "{HASH}": "{_version_hash(hashed)}"}}'


def _judged_fields(problem: StoredProblem) -> dict[str, Any]:
    return {
        "sfen": problem.sfen,
        "length": problem.length,
        "line": [move.usi for move in problem.line],
        "score": problem.difficulty.score,
        "themes": list(problem.themes),
        "quality": problem.quality,
        "grade": problem.grade.value,
        "blemishes": problem.blemishes.blemish_names,
    }


def _provenance_fields(problem: StoredProblem) -> dict[str, Any]:
    made = problem.provenance
    return {
        "searched": problem.searched,
        "notes": remark_texts(problem.remarks),
        "same_when_counted": problem.same_when_counted,
        "seed": made.seed if made else None,
        "index": made.index if made else None,
        "recipe": made.recipe if made else None,
        "version": problem.version,
    }


def notebook_fields(notebook: Notebook) -> dict[str, Any]:
    """Return a notebook as JSON fields; missing texts are None."""
    texts = {field: getattr(notebook, name) or None for name, field in JSON_NAMES.items()}
    return {**texts, "tags": list(notebook.tags), "version_of": notebook.parent}


def problem_hash(fields: Mapping[str, Any]) -> str:
    """Return the hash of a problem's fields, 32 hexadecimal digits; another version has another one."""
    return _version_hash(_ENCODER.encode({name: fields.get(name) for name in _HASHED})[1:-1])


def _version_hash(text: str) -> str:
    told = f"{__version__} {GENERATOR_VERSION} {text}".encode(errors="surrogatepass")
    return hashlib.sha256(told).hexdigest()[:32]


@dataclass(frozen=True)
class TrustedProblem:
    """A problem that needs no check, and the version of the tsume that once checked it."""

    problem: Problem
    version: str


def trusted_problem(entry: Entry) -> TrustedProblem | None:
    """Return the problem of a line of JSON whose hash fits; None for any other entry."""
    fields = entry.fields
    if fields is None or entry.parsed is None or entry.parsed.rotated:
        return None
    try:
        if fields.get(HASH) != problem_hash(fields):
            return None
        position_after_all(entry.parsed.position, entry.line)
        return TrustedProblem(problem_of_fields(entry, fields), fields["version"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None  # its maker computed the hash


def problem_of_fields(entry: Entry, fields: Mapping[str, Any]) -> Problem:
    """Return the problem of an entry that was read, with what its fields say of it.

    Raises ValueError, KeyError, TypeError, AttributeError or OverflowError for what is no problem.
    """
    assert entry.parsed is not None
    grade, seed, version, counted = (fields[name] for name in ("grade", "seed", "version", "same_when_counted"))
    words = [version, *fields["themes"]]
    if Grade(grade) not in STORED or not entry.line or counted not in (None, True, False):
        raise ValueError
    if not all(isinstance(word, str) and word.isprintable() and len(word) <= _LONGEST_WORD for word in words):
        raise ValueError
    judgement = Judgement(
        Defect.NONE,
        length=_whole_number(fields["length"], 1, _MAX_PLIES),
        line=entry.line,
        searched=_optional_number(fields["searched"]),
        remarks=Defect.union(_REMARKS[text] for text in fields["notes"]),
        grade=Grade(grade),
        blemishes=Defect.union(BLEMISHES[name] for name in fields["blemishes"]),
    )
    features = {str(name): _finite_number(value) for name, value in fields["features"].items()}
    made = None
    if seed is not None:
        seed, index = _whole_number(seed, 0, _LARGEST_SEED), _whole_number(fields["index"], 0, _LARGEST)
        made = Provenance(seed, index, version, _optional_number(fields["recipe"]))
    return Problem(
        entry.parsed.position,
        judgement,
        Difficulty(features, _finite_number(fields["score"])),
        made,
        tuple(fields["themes"]),
        _finite_number(fields["quality"]),
        same_when_counted=counted,
    )


def _optional_number(value: Any) -> int | None:
    return None if value is None else _whole_number(value, 0, _MAX_PLIES)


def _whole_number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError
    return value


def _finite_number(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number


# --- the composer's record of an imported problem: how the store keeps it, and how exports give it back ---

_PLACEHOLDER = re.compile(r"No\. \d+")
"""The title that exports give to a problem without one."""
COMPOSERS_LINE = "作意"
"""The comment on a given line that is not best, where it leaves the main line."""
_LONGEST_TEXT = 2**20
_LONGEST_TITLE = 1000


def record_to_store(entry: Entry, line: tuple[Move, ...], given: GivenLine | None) -> str | None:
    """Return what the store keeps of what came with a problem, as JKF; None where that adds nothing.

    ``line`` is the problem's main line. A given line that is not best becomes a variation of it.
    """
    assert entry.parsed is not None
    best = given is not None and given.reading is not None
    record = entry.record
    if record is None:
        told = entry.line if best and entry.line != line else ()
        return _record_jkf(GameRecord(entry.parsed.position, told, entry.title)) if told else None
    if record.line and not best:
        own, pairs = record.main, enumerate(zip(record.line, line, strict=False), start=1)
        parting = next((number for number, (move, better) in pairs if move != better), None)
        if parting is not None:
            comments = sorted([(parting, COMPOSERS_LINE), *own.move_comments], key=lambda one: one[0])
            own = replace(own, move_comments=tuple(comments))
        record = _with_tree(record, merged_branches(Branch(1, line), own))
    return _record_jkf(record)


def composers_record(problem: Problem) -> GameRecord | None:
    """Return what the composer's record says; None for a problem without.

    It has the problem's main line where it has no line, and says of its soundness (完全性) what the
    grade says. Raises ValueError for a record that cannot be read.
    """
    if problem.record is None:
        return None
    record = _parsed_jkf(problem.record)
    if record.position != problem.position:
        raise ValueError("its record is of another problem")
    headers = {**dict(record.headers), **integrity_headers(problem.judgement)}
    if not record.line:
        record = _with_tree(record, merged_branches(Branch(1, problem.line), record.main))
    return replace(record, headers=tuple(headers.items()))


def placeholder_title(number: int) -> str:
    """Return the title of a stored problem that has none, by its id; it is not imported."""
    return f"No. {number}"


def imported_notebook(entry: Entry) -> Notebook:
    """Return what the store's notebook begins with: headers of a record, or fields of JSON and CSV."""
    read = entry.notebook
    if entry.record is not None:
        read = notebook_of_record(entry.record)
    return replace(read, title="") if _PLACEHOLDER.fullmatch(read.title) else read


def notebook_of_record(record: GameRecord) -> Notebook:
    """Return title, author and source as the store keeps them."""
    return replace(notebook_of_headers(dict(record.headers)), title=cleaned_notebook_text("title", record.title))


def record_with_notebook(record: GameRecord, notebook: Notebook) -> GameRecord:
    """Return a record with a notebook's title, author and source; headers that say the same stay."""
    said = notebook_of_record(record)
    if said.title != notebook.title:
        record = replace(record, title=notebook.title)
    headers = dict(record.headers)
    for name in ("author", "source"):
        text = getattr(notebook, name)
        if getattr(said, name) != text:
            for key in HEADERS[name]:
                headers.pop(key, None)
            headers |= {HEADERS[name][0]: text} if text else {}
    return replace(record, headers=tuple(headers.items()))


def record_with_variations(record: GameRecord, computed: GameRecord) -> GameRecord:
    """Return a composer's record with the variations and comments of another record of the problem."""
    return _with_tree(record, merged_branches(record.main, computed.main))


def _with_tree(record: GameRecord, main: Branch) -> GameRecord:
    return replace(record, line=main.line, move_comments=main.move_comments, branches=main.branches)


def _record_jkf(record: GameRecord) -> str:
    """Return a record as JKF, without its variations if they are too many or too deep to be read again."""
    try:
        text = write_jkf(record, every_header=True)
        if len(text) <= _LONGEST_TEXT:
            _parsed_jkf(text)
            return text
    except (RecursionError, ValueError):
        pass
    return write_jkf(GameRecord(record.position, record.line, record.title[:_LONGEST_TITLE]))


def _parsed_jkf(text: str) -> GameRecord:
    found = next(find_jkf(text))
    if found.record is None:
        raise found.fault or ValueError("no record")
    return found.record


# --- problems as CSV with the columns of lichess's puzzle database (docs/publishing.md says what differs) ---

COLUMNS = (
    "PuzzleId", "FEN", "Moves", "Rating", "RatingDeviation", "Popularity", "NbPlays", "Themes", "GameUrl",
    "OpeningTags",
)  # fmt: skip
UNPLAYED_DEVIATION = 500
"""lichess's deviation of a puzzle that has not been played yet."""
_MAX_MOVES = 5
"""lichess names mates in up to so many of the solver's moves."""
_BY_MOVES = {1: "oneMove", 2: "short", 3: "long"}


def lichess_lines(problems: Iterable[tuple[StoredProblem, tuple[int, int, int]]]) -> Iterator[str]:
    """Yield the lines of the file, its heading first. With a problem: its rating, the deviation, plays."""
    yield csv_line(COLUMNS)
    for problem, (rating, deviation, plays) in problems:
        moves = " ".join(move.usi for move in problem.line)
        numbers = (rating, deviation, 0, plays)
        themes = " ".join(lichess_themes(problem.length, problem.themes))
        yield csv_line((problem.id, problem.sfen, moves, *numbers, themes, "", ""))


def lichess_themes(length: int, tags: Iterable[str]) -> list[str]:
    """Return the themes as lichess writes words: its own for the length, then those of the problem."""
    moves = (length + 1) // 2
    mate = ["mate", f"mateIn{moves}"] if moves <= _MAX_MOVES else ["mate"]
    camel_case = [re.sub(r"-+(\w?)", lambda found: found[1].upper(), tag) for tag in tags]
    return [*mate, _BY_MOVES.get(moves, "veryLong"), *camel_case]
