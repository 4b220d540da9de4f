# SPDX-License-Identifier: GPL-3.0-or-later
"""Judgements, commentaries, read texts, exports and progress as JSON fields, with texts in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from db.notebook import cleaned_notebook_text
from db.training.records import RUN_MODES, Progress, StoredPerson, Tally
from solver.explaining.explanation import ReplyTree
from tsume.book.answers import LineCommentary
from tsume.diagrams.look import WOOD, DiagramLook, DiagramScene
from tsume.diagrams.svg import svg
from tsume.files.entries import UnknownTextError, read_pasted_text
from tsume.files.exported import notebook_of
from tsume.formats.addresses import NoPositionError
from tsume.formats.game_record import AUTHOR, GameRecord
from tsume.formats.kif import write_kif
from tsume.language.catalogue import LANGUAGES, Language, phrase
from tsume.language.voice import Voice, theme_name
from tsume.reports.findings import finding_sentence
from tsume.reports.judgement import given_text, judgement_head_line, judgement_text_lines
from tsume.reports.notation import move_writer, usi_line
from tsume.uses.checking import Checked
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

VOICES = {language: Voice.of(language) for language in LANGUAGES}


def rendered_judgement(checked: Checked) -> dict[str, Any]:
    """Return the fields of ``tsume check --jsonl`` and texts by language.

    ``headline`` and each finding's ``text`` have one text for each language, ``texts`` a list of lines. A
    finding's ``line`` is a text: the moves from the first position.
    """
    judgement, parsed, fields = checked.judgement, checked.parsed, checked.to_json()
    tellers = {name: move_writer(voice, parsed, judgement.line) for name, voice in VOICES.items()}
    for finding, told in zip(judgement.findings, fields["findings"], strict=True):
        told["text"] = {name: finding_sentence(finding, writer, titled=True) for name, writer in tellers.items()}
        told["line"] = " ".join(usi_line(parsed, finding.line))
    if fields["given"] is not None:
        fields["given"]["text"] = {name: given_text(judgement, parsed, voice) for name, voice in VOICES.items()}
    return {
        "sfen": parsed.sfen,
        **fields,
        "headline": {name: judgement_head_line(judgement, parsed, voice) for name, voice in VOICES.items()},
        "texts": {name: list(judgement_text_lines(judgement, parsed, voice)) for name, voice in VOICES.items()},
    }


# --- the variations and tries along a line as JSON fields, in both languages -----------------------


def rendered_commentary(position: Position, line: tuple[Move, ...], tree: ReplyTree) -> dict[str, Any]:
    """Return the variations and tries along a line by language: parts, each a label and texts."""
    return {
        language: [
            {"label": phrase(language, f"book.{name}"), "items": items}
            for name, items in LineCommentary(position, line, tree, language).parts()
            if items
        ]
        for language in LANGUAGES
    }


# --- the first problem of a pasted text as JSON fields ---------------------------------------------


class UnreadableText(ValueError):
    """A text without a problem that can be read: why, in one line. ``code``: the kind of text, if known."""

    def __init__(self, fault: str, code: str | None = None) -> None:
        super().__init__(fault)
        self.code = code


def rendered_reading(text: str) -> dict[str, Any]:
    """Return the first problem of a text: position, line, title, author, comment. Raises `UnreadableText`."""
    try:
        # Position and line are seen by the attacker, as the page shows them.
        pasted = read_pasted_text(text)
        entry = pasted.entry
        assert entry.parsed is not None
        notes = notebook_of(entry)
        comments = entry.record.comment_lines if entry.record is not None else []
        return {
            "sfen": format_sfen(entry.parsed.position),
            "line": [move.usi for move in entry.line],
            "title": notes.title,
            "author": notes.author,
            "comment": notes.notes or cleaned_notebook_text("notes", "\n".join(comments)),
            "format": pasted.form,
            "more": pasted.more,
        }
    except UnknownTextError as error:
        raise UnreadableText(str(error), "unknown_text") from None
    except NoPositionError as error:
        raise UnreadableText(str(error), "no_position") from None
    except ValueError as error:
        raise UnreadableText(" ".join(str(error).split())) from None


# --- records and diagrams of a position with its line, as texts ------------------------------------


def kif_text(position: Position, line: tuple[Move, ...], title: str = "", author: str = "") -> str:
    """KIF of a position and its line. Raises ValueError for an illegal move."""
    return write_kif(game_record(position, line, title, author))


def game_record(position: Position, line: tuple[Move, ...], title: str, author: str) -> GameRecord:
    """Return a position and its line with the texts of the problem. Raises ValueError for an illegal move."""
    position_in_line(position, line)
    return GameRecord(position, line, title, headers=((AUTHOR, author),))


def diagram_svg(position: Position, line: tuple[Move, ...], language: Language, *, marks_last: bool = True) -> str:
    """SVG of the position at the end of a line; ``marks_last``: the squares of its last move are marked.

    Raises ValueError for an illegal move.
    """
    last = line[-1] if line and marks_last else None
    scene = DiagramScene(position_in_line(position, line), last_move=last)
    return svg(scene, DiagramLook(language=language, colours=WOOD))


def position_in_line(position: Position, line: tuple[Move, ...]) -> Position:
    """Return the position at the end of a line. Raises ValueError for an illegal move, with its number."""
    for at, move in enumerate(line, start=1):
        try:
            position = position_after(position, move)
        except ValueError as error:
            raise ValueError(f"line: move {at}: {error}") from None
    return position


# --- the progress of a person as JSON fields -------------------------------------------------------


def rendered_progress(person: StoredPerson, progress: Progress) -> dict[str, Any]:
    """Return the fields of ``GET /api/progress`` (docs/board.md). Days are those of this machine."""
    last: dict[str, int] = {}
    for moment, rating in progress.ratings:
        last[moment.astimezone().date().isoformat()] = round(rating)
    return {
        "rating": round(person.rating.rating),
        "deviation": round(person.rating.deviation),
        "history": [[day, rating] for day, rating in last.items()],
        "results": progress.results,
        "streak": progress.streak,
        "solved": progress.solved,
        "due": progress.due,
        "next_due": progress.next_due and progress.next_due.isoformat(),
        "by_length": [{"length": length, **_tally(one)} for length, one in progress.by_length.items()],
        "by_theme": [
            {"theme": tag, "name": {language: theme_name(language, tag) for language in LANGUAGES}, **_tally(one)}
            for tag, one in progress.by_theme.items()
        ],
        "days": [[one.day, one.problem, one.solved, one.clean] for one in progress.days],
        "runs": {mode: progress.best_runs.get(mode) for mode in RUN_MODES},
        "solved_ids": list(progress.solved_ids),
    }


def _tally(tally: Tally) -> Mapping[str, int]:
    return {"tried": tally.tried, "clean": tally.clean, "solved": tally.solved}
