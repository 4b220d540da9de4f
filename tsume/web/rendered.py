# SPDX-License-Identifier: GPL-3.0-or-later
"""Judgements, commentaries, read texts, exports and progress as JSON fields, with texts in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from db.notebook import cleaned_notebook_text
from db.training.records import RUN_MODES, StoredPerson, TrainingProgress
from solver.explaining.explanation import FailingCheck, MatingCheck, Proof, ReplyTree, TreeTurn
from tsume.book.content import line_commentary
from tsume.diagrams.look import WOOD, DiagramLook, DiagramScene
from tsume.diagrams.svg import svg
from tsume.files.entries import UnknownTextError, read_pasted_text
from tsume.files.exported import imported_notebook
from tsume.formats import english, japanese
from tsume.formats.addresses import NoPositionError
from tsume.formats.game_record import AUTHOR, GameRecord
from tsume.formats.kif import write_kif
from tsume.language.catalogue import LANGUAGES, Language, Voice, moves_text, phrase, theme_name
from tsume.reports.explanation import answer_manner_text, tree_fields
from tsume.reports.findings import cause_text, finding_sentence
from tsume.reports.judgement import given_line_text, judgement_head_line, judgement_text_lines
from tsume.reports.notation import MoveWriter, usi_line
from tsume.uses.checking import CheckedPosition
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position, Square
from tsume_rules.sfen import ParsedSfen, format_sfen

VOICES = {language: Voice.of(language) for language in LANGUAGES}


def rendered_judgement(checked: CheckedPosition) -> dict[str, Any]:
    """Return the fields of ``tsume check --jsonl`` and texts by language.

    ``headline`` and each finding's ``text`` have one text for each language, ``texts`` a list of lines. A
    finding's ``line`` is a text: the moves from the first position.
    """
    judgement, parsed, fields = checked.judgement, checked.parsed, checked.to_json()
    tellers = {name: MoveWriter(voice, parsed, judgement.line) for name, voice in VOICES.items()}
    for finding, told in zip(judgement.findings, fields["findings"], strict=True):
        told["text"] = {name: finding_sentence(finding, writer, titled=True) for name, writer in tellers.items()}
        told["line"] = " ".join(usi_line(parsed, finding.line))
    if fields["given"] is not None:
        fields["given"]["text"] = {name: given_line_text(judgement, parsed, voice) for name, voice in VOICES.items()}
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
            for name, items in line_commentary(position, line, tree, language)
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
        notes = imported_notebook(entry)
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


def rendered_progress(person: StoredPerson, progress: TrainingProgress) -> dict[str, Any]:
    """Return the fields of ``GET /api/progress`` (docs/board.md). Days are those of this machine."""
    last: dict[str, int] = {}
    for moment, rating in progress.ratings:
        last[moment.astimezone().date().isoformat()] = round(rating)
    return {
        "rating": round(person.rating.rating), "deviation": round(person.rating.deviation),
        "history": [[day, rating] for day, rating in last.items()],
        "results": progress.results, "streak": progress.streak, "solved": progress.solved, "due": progress.due,
        "next_due": progress.next_due and progress.next_due.isoformat(),
        "by_length": [{"length": length, **asdict(one)} for length, one in progress.by_length.items()],
        "by_theme": [
            {"theme": tag, "name": {language: theme_name(language, tag) for language in LANGUAGES}, **asdict(one)}
            for tag, one in progress.by_theme.items()
        ],
        "days": [[one.day, one.problem, one.solved, one.clean] for one in progress.days],
        "runs": {mode: progress.best_runs.get(mode) for mode in RUN_MODES},
        "solved_ids": list(progress.solved_ids),
        "tried": [asdict(one) for one in progress.tried],
    }  # fmt: skip


def rendered_tree(
    tree: ReplyTree, parsed: ParsedSfen, languages: Sequence[Language] = LANGUAGES, *, all_answers: bool = True
) -> dict[str, Any]:
    """Return the fields of docs/tree.md, and texts by language, as `tsume tree` prints them.

    Each check has ``text``, one that fails also ``answer_text`` and ``why``, a sentence; each answer has ``text``. A
    check after which only mates up to some length are excluded has also ``proof_text``, which says so. Without
    ``all_answers`` a check keeps only its first answer: the best one, or one that stands for the futile ones.
    """
    fields = tree_fields(tree, parsed)
    for turn, told in zip(tree.turns, fields["turns"], strict=True):
        if not all_answers:
            for check in told["checks"]:
                check.get("answers", [])[1:] = []
        _add_texts(MultilingualMoveWriter(parsed.position, turn.path, languages), turn, told)
    return fields


class MultilingualMoveWriter:
    """Writes moves that follow the moves of ``path``; a move to the last move's square is written 同."""

    def __init__(self, start: Position, path: tuple[Move, ...], languages: Sequence[Language] = LANGUAGES) -> None:
        self.languages = languages
        self._position, self._last = _position_after_moves(start, None, path)

    def texts(self, *moves: Move) -> dict[str, str]:
        """Return the last of some moves, by language."""
        position, last = _position_after_moves(self._position, self._last, moves[:-1])
        written = {
            "ja": lambda: japanese.move_text(position, moves[-1], last),
            "en": lambda: english.move_text(position, moves[-1]),
        }
        return {name: written[name]() for name in self.languages}

    def cause(self, failed: FailingCheck, language: Language) -> str:
        """Return what decides that a check fails, in brackets; empty if nothing is known."""
        if failed.cause is None:
            return ""
        path = (failed.check, failed.answer)
        writer = MoveWriter(Voice.of(language), ParsedSfen(self._position))
        return cause_text(failed.cause, path, writer)


def _position_after_moves(
    position: Position, last: Square | None, moves: tuple[Move, ...]
) -> tuple[Position, Square | None]:
    """Return a position after some moves, and the square of the last move."""
    for move in moves:
        position, last = position_after(position, move), move.target
    return position, last


def _add_texts(writer: MultilingualMoveWriter, turn: TreeTurn, turn_fields: dict[str, Any]) -> None:
    for result, fields in zip(turn.checks, turn_fields["checks"], strict=True):
        fields["text"] = writer.texts(result.check)
        if isinstance(result, MatingCheck):
            for answer, answered in zip(result.answers, fields["answers"], strict=False):
                answered["text"] = writer.texts(result.check, answer.move)
        elif isinstance(result, FailingCheck):
            fields["answer_text"] = writer.texts(result.check, result.answer)
            fields["why"] = {
                language: phrase(
                    language,
                    "tree.not_found" if result.proof is Proof.BOUNDED else f"tree.{result.proof.value}",
                    check=fields["text"][language],
                    answer=fields["answer_text"][language],
                    manner=answer_manner_text(result, language),
                    cause=writer.cause(result, language),
                )
                for language in writer.languages
            }
            if result.proof is Proof.BOUNDED:
                fields["proof_text"] = {
                    language: phrase(language, "tree.searched", moves=moves_text(language, result.within or 0))
                    for language in writer.languages
                }


# --- the part of a reply tree that a person plays against: few turns, the best answers, few fields ---

_TREE = ("result", "length", "complete")
_CHECK = ("move", "result", "rank", "text", "answer", "answer_text", "proof", "within", "why", "proof_text")
_ANSWER = ("move", "best", "turn", "text")


def check_fields(tree: ReplyTree, position: Position, check: Move) -> dict[str, Any]:
    """Return the fields of `ReplyTreeBuilder.check_tree`, whose first turn has only that check."""
    fields = play_fields(tree, ParsedSfen(position))
    first = fields["turns"][0]
    first["checks"] = [one for one in first["checks"] if one["move"] == check.usi]
    return fields


def play_fields(tree: ReplyTree, parsed: ParsedSfen, languages: Sequence[Language] = LANGUAGES) -> dict[str, Any]:
    """Return the fields of docs/board.md. A check keeps one answer: the best, or one for all futile drops."""
    rendered = rendered_tree(tree, parsed, languages, all_answers=False)
    return {
        "sfen": parsed.sfen,
        **_fields_with_names(rendered, _TREE),
        "turns": [
            {"key": turn["key"], "checks": [_play_check(check) for check in turn["checks"]]}
            for turn in rendered["turns"]
        ],
    }


def _play_check(check: dict[str, Any]) -> dict[str, Any]:
    answers = {"answers": [_fields_with_names(answer, _ANSWER) for answer in check.get("answers", ())]}
    return _fields_with_names(check, _CHECK) | (answers if "answers" in check else {})


def _fields_with_names(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}
