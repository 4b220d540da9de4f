# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations and reply trees in words, Japanese or English, and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.problem import Problem
from solver.explaining.explanation import (
    AnswerManner,
    AnswerResult,
    ExplainedTurn,
    Explanation,
    FailingCheck,
    MatingCheck,
    OtherMate,
    Proof,
    ReplyTree,
    Try,
)
from solver.judging.findings import CookClass, SecondSolution
from solver.results import Defect, Grade, Judgement
from tsume.formats.english import kind_name
from tsume.formats.game_record import Branch, GameRecord, integrity_headers
from tsume.formats.symbols import NAME
from tsume.language.catalogue import Language, Voice, list_separator, moves_text, phrase
from tsume.language.terms import TERMS
from tsume.reports.findings import cause_fields, cause_text, illegal_start_fields, try_fields
from tsume.reports.judgement import complete_but_for_text, illegal_start_lines, judgement_fields
from tsume.reports.notation import MoveWriter, kind_text, square_words, usi_line
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import Kind, Position, Square
from tsume_rules.sfen import ParsedSfen, format_hand, kind_letter

_NAMES_OF_CLASSES = {
    CookClass.DETOUR: "detour",
    CookClass.MERGING: "merging",
    CookClass.ORDER: "order",
    CookClass.ENDING: "ending",
    CookClass.LEFTOVER: "leaves_pieces",
    CookClass.SAME_POSITION: "same_position",
}
"""The phrases for second solutions of some classes."""
_OF_THE_JUDGEMENT = ("correct", "defects", "grade", "blemishes", "unresolved", "length", "line")
"""The fields of a judgement that stand beside its explanation."""
MAX_TRIES = 4
"""Of the failing checks of a turn, about this many get a line each by default."""


# --- the remarks of a comment (`tsume.uses.commenting`) ----------------------------------------------

Part = tuple[Move, ...] | Kind | Square
"""What a remark speaks of: the last of some moves from the start, a kind of piece, a square."""


@dataclass(frozen=True)
class Remark:
    """A phrase of the area ``comment`` about the move with this number, from 1, and its parts."""

    name: str
    number: int
    parts: Mapping[str, Part]

    def texts(self, position: Position, language: Language, *, numbered: bool = True) -> list[str]:
        """Return sentences that say it, that of this problem first; the move has its number if it is not the first."""
        writer = MoveWriter(Voice.of(language), ParsedSfen(position))

        def word(part: Part) -> str:
            if isinstance(part, tuple):
                return writer.move(part[:-1], part[-1])
            if not isinstance(part, Kind):
                return square_words(language, part)
            return "と金" if part is Kind.TOKIN and language == "ja" else kind_text(language, part)

        words = {name: word(part) for name, part in self.parts.items()}
        if self.number > 1 and numbered:
            words["check"] = phrase(language, "comment.at_move", number=self.number, move=words["check"])
        found = phrase(language, f"comment.{self.name}", **words).split("|")
        path = self.parts["check"]
        first = sum(move.target for move in path) % len(found) if isinstance(path, tuple) else 0
        return found[first:] + found[:first]

    def tells_answer_of(self, other: Remark) -> bool:
        """Return whether another remark, on a try, has the same answer or forbidden drop at the same move."""
        told = ((self.parts.get(name), other.parts.get(name)) for name in ("answer", "drop"))
        return self.number == other.number and any(one == two is not None for one, two in told)


def comment_text(remarks: Iterable[Remark], position: Position, language: Language) -> str:
    """Return a comment as one text. A move's number is given once, and no sentence begins or ends as the one before."""
    said, number = list[str](), 0
    for remark in remarks:
        texts = remark.texts(position, language, numbered=remark.number != number)
        new = (text for text in texts if not any(text[:9] == one[:9] or text[-4:] == one[-4:] for one in said))
        said.append(next(new, texts[0]))
        number = remark.number
    return ("" if language == "ja" else " ").join(said)


# --- explanations and trees --------------------------------------------------------------------------


def explanation_lines(
    judgement: Judgement, explanation: Explanation, parsed: ParsedSfen, language: Language, *, every_try: bool,
    comment: str = "",
) -> list[str]:  # fmt: skip
    """Return an explanation in words, line by line, after the head a comment if there is one. With ``every_try`` each
    check that fails has its line."""
    text = ExplanationText(judgement, explanation, parsed, language, every_try)
    told = [phrase(language, "explanation.comment", comment=comment)] if comment else []
    return [*text.head(), *told, *(line for turn in explanation.turns for line in text.turn(turn)), *text.end()]


@dataclass(frozen=True)
class VariationText:
    """A variation in words: the answers, the moves after them, all plies to the mate, remarks in brackets."""

    answers: str
    moves: list[str]
    total: int
    remarks: str


@dataclass(frozen=True)
class ExplanationText:
    """The sentences about each part of an explanation."""

    judgement: Judgement
    explanation: Explanation
    parsed: ParsedSfen
    language: Language
    every_try: bool

    @property
    def _writer(self) -> MoveWriter:
        return MoveWriter(Voice.of(self.language), self.parsed, self.explanation.line)

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"explanation.{name}", **parts)

    # --- the problem as a whole -----------------------------------------------------

    def head(self) -> Iterator[str]:
        """Yield the lines about the problem as a whole: length, line, verdict."""
        judgement, is_japanese = self.judgement, self.language == "ja"
        if self.parsed.rotated:
            yield self._phrase("rotated")
        if judgement.length is not None:
            line = self._writer.line(self.explanation.line)
            yield self._phrase("head", length=judgement.length, line=line)
        elif Defect.NO_MATE in judgement.defects:
            yield self._phrase("no_mate")
        is_sound = judgement.grade is Grade.SOUND
        if is_sound or judgement.correct:
            yield self._phrase("sound" if is_sound else "correct")
        yield from illegal_start_lines(judgement, self.parsed, self.language)
        names = [name for name in judgement.defects.names if name not in ("NO_MATE", "ILLEGAL_START")]
        if names and not is_sound:
            defects = [
                TERMS[name] if is_japanese else f"{phrase('en', f'terms.{name}')} {TERMS[name]}" for name in names
            ]
            yield self._phrase("not_correct", defects=list_separator(self.language).join(defects))
        if not judgement.complete and judgement.length is not None:
            yield self._phrase("stopped")
        if judgement.blemishes and judgement.grade is not Grade.UNSOUND:
            blemishes = [
                TERMS[name] if is_japanese else f"{name.lower().replace('_', ' ')} {TERMS[name]}"
                for name in judgement.blemishes.blemish_names
            ]
            yield self._phrase("blemishes", blemishes=list_separator(self.language).join(blemishes))
        if text := complete_but_for_text(judgement, Voice.of(self.language)):
            yield text + ("。" if is_japanese else ".")
        if judgement.unresolved or not (judgement.settled or judgement.defects):
            yield self._phrase("unresolved")

    def end(self) -> Iterator[str]:
        """Yield a last line if a limit cut the explanation short."""
        if not self.explanation.complete:
            yield self._phrase("incomplete")

    # --- one turn -------------------------------------------------------------------

    def turn(self, turn: ExplainedTurn) -> Iterator[str]:
        """Yield the lines about one turn: its key, then a line for each answer and each check."""
        if turn.key is None:
            yield self._phrase("start")
        else:
            key = self._writer.move(turn.path, turn.key)
            yield self._phrase("turn", number=len(turn.path) + 1, key=key)
        items = [*self.variations(turn), *self.futile(turn)]
        square = self._writer.square
        for cause in turn.causes:  # what decides that the key is mate
            board = position_after_all(self.parsed.position, (*turn.path, *_key(turn))).board
            pieces = []
            for sq in cause.squares:
                piece = board[sq]
                assert piece is not None
                named = f"the {kind_name(piece.kind)} on {square(sq)}"
                pieces.append(named if self.language == "en" else square(sq) + kind_text("ja", piece.kind))
            items.append(self._phrase(cause.kind.value, pieces=list_separator(self.language).join(pieces)))
        if turn.length == 1 and not items:
            items.append(self._phrase("final"))
        items += self.others(turn)
        if turn.forbidden is not None:
            items.append(self._phrase("forbidden", drop=self._writer.move(turn.path, turn.forbidden)))
        shown = self.tries_shown(turn)
        items += [self.try_text(turn, one) for one in shown]
        if shown and len(shown) < len(turn.tries):
            checks = self._writer.moves(turn.path, (one.check for one in turn.tries[len(shown) :]))
            items.append(self._phrase("more_tries", checks=checks))
        if turn.key is None and not items and self.explanation.complete:
            items.append(self._phrase("without_check"))
        yield from (f"  {item}" for item in items)

    def variations(self, turn: ExplainedTurn) -> Iterator[str]:
        """Yield a sentence for each variation, in their order."""
        for text in self.variation_texts(turn):
            line, total = " ".join(text.moves), text.total
            yield self._phrase("variation", answers=text.answers, line=line, total=total, remarks=text.remarks)

    def variation_texts(self, turn: ExplainedTurn) -> Iterator[VariationText]:
        """Yield the parts of these sentences."""
        path = (*turn.path, *_key(turn))
        for variation in turn.variations:
            total = len(path) + 1 + variation.length
            remarks = [self._phrase("as_long")] * (total == len(turn.path) + (turn.length or 0))
            remarks += [self._phrase("leftover")] * bool(variation.leftover)
            remarks += [self._phrase("counter_check")] * variation.counter_check
            text = list_separator(self.language).join(remarks)
            if remarks:
                text = f"（{text}）" if self.language == "ja" else f" ({text})"
            answers = choices_text(self._writer, path, variation.answers)
            moves = self._writer.texts((*path, variation.answers[0], *variation.line), len(path) + 1)
            yield VariationText(answers, moves, total, text)

    def futile(self, turn: ExplainedTurn) -> Iterator[str]:
        """Yield at most one sentence, on the futile interpositions."""
        path, drops = (*turn.path, *_key(turn)), []
        for futile in turn.futile:
            take = self._writer.move((*path, futile.drops[0]), futile.take)
            square = self._writer.square(futile.drops[0].target)
            drops.append(self._phrase("futile_drop", square=square, take=take))
        if drops:
            yield self._phrase("futile", drops=list_separator(self.language).join(drops))

    def others(self, turn: ExplainedTurn) -> Iterator[str]:
        """Yield the other checks that mate; those of one kind and length share a line."""
        groups: dict[tuple[str, int], list[Move]] = {}
        for other in turn.others:
            total = len(turn.path) + (other.length or 0)
            groups.setdefault((self._class_of(turn, other), total), []).append(other.check)
        for (name, total), checks in sorted(groups.items(), key=lambda item: item[0][1]):
            moves = moves_text(self.language, total)
            yield self._phrase(name, checks=self._writer.moves(turn.path, checks), total=total, moves=moves)

    def _class_of(self, turn: ExplainedTurn, other: OtherMate) -> str:
        """Return the phrase for another mate: an alternative last move, a second solution of a class.

        If the judge did not examine everything, a check that it does not name is a cook only if it mates as
        soon and is no other form of the key.
        """
        if turn.length == 1 and turn.path:
            return "mates_somehow" if other.length is None else "last_move" if other.length == 1 else "longer"
        found = (one for one in self.judgement.findings if isinstance(one, SecondSolution))
        same = [one for one in found if (one.line[: one.turn], one.check) == (turn.path, other.check)]
        if any(one.of is Defect.DETOUR for one in same):
            return "detour"
        length, form = self.judgement.length or 0, Defect.UNDETERMINED_FORM
        blemishes = (one.kind and one.kind.blemish(length, same_check=one.same_check) for one in same)
        if any(form in (one.of, blemish) for one, blemish in zip(same, blemishes, strict=True)):
            return "form"
        names = (_NAMES_OF_CLASSES.get(one.kind) for one in same if one.kind is not None)
        if name := next(filter(None, names), None):
            return name
        if other.length is None:
            return "mates_somehow"
        if same or self.judgement.complete:
            return "cook"
        key, check = turn.key, other.check
        is_alike = key is not None and (key.origin, key.drop) == (check.origin, check.drop)
        return "cook" if other.length == turn.length and not is_alike else "mates_too"

    def tries_shown(self, turn: ExplainedTurn) -> tuple[Try, ...]:
        """Return the failing checks with a line each; none at the last of several moves, unless all are."""
        tries = turn.tries
        if turn.length == 1 and turn.path and not self.every_try:
            return ()
        if self.every_try or len(tries) <= MAX_TRIES + 1:
            return tries
        return tries[: max(MAX_TRIES, sum(one.proof is Proof.BOUNDED for one in tries))]

    def try_text(self, turn: ExplainedTurn, found: Try) -> str:
        """Return the sentence on why a check fails."""
        path = (*turn.path, found.check, found.answer)
        return self._phrase(
            found.proof.value,
            check=self._writer.move(turn.path, found.check),
            answer=self._writer.move(path[:-1], found.answer),
            only=self._phrase("only") if found.is_only_refutation else "",
            moves=moves_text(self.language, found.within or 0),
            cause=cause_text(found.cause, path, self._writer),
        )


def explanation_text(problem: Problem, explanation: Explanation, language: Language) -> ExplanationText:
    """Return the sentences about a problem that was judged before."""
    parsed = ParsedSfen(problem.position)
    return ExplanationText(problem.judgement, explanation, parsed, language, every_try=False)


# --- JSON -----------------------------------------------------------------------------------------


def judged_explanation_fields(judgement: Judgement, explanation: Explanation, parsed: ParsedSfen) -> dict[str, Any]:
    """Return the main fields of a judgement, and an explanation, as JSON fields.

    Moves are in USI in the orientation of the given position.
    """

    def usi(move: Move | None) -> str | None:
        return None if move is None else parsed.outward(move).usi

    turns = []
    for turn in explanation.turns:
        variations = [
            {
                "answers": usi_line(parsed, one.answers),
                "line": usi_line(parsed, one.line),
                "length": one.length,
                "total": len(turn.path) + 2 + one.length,
                "leftover": format_hand(one.leftover),
                "counter_check": one.counter_check,
            }
            for one in turn.variations
        ]
        futile = [{"drops": usi_line(parsed, one.drops), "take": usi(one.take)} for one in turn.futile]
        fields = {
            "turn": len(turn.path) + 1,
            "path": usi_line(parsed, turn.path),
            "length": turn.length,
            "key": usi(turn.key),
            "variations": variations,
            "futile": futile,
            "forbidden": usi(turn.forbidden),
            "causes": [cause_fields(one, parsed) for one in turn.causes],
            "tries": [try_fields(one, parsed) for one in turn.tries],
            "others": [{"check": usi(one.check), "length": one.length} for one in turn.others],
        }
        turns.append(fields)
    judged = judgement_fields(judgement, parsed)
    return {
        **{name: judged[name] for name in _OF_THE_JUDGEMENT},
        **illegal_start_fields(judgement, parsed),
        "complete": explanation.complete,
        "turns": turns,
    }


def _key(turn: ExplainedTurn) -> tuple[Move, ...]:
    return () if turn.key is None else (turn.key,)


# --- an explanation as a game record: how each answer mates and why checks fail, as variations with comments ---


def annotated_record(record: GameRecord, texts: ExplanationText) -> GameRecord:
    """Return the record with the explained line as its main line, and the explanation as its variations."""
    comments: list[tuple[int, str]] = []
    branches: list[Branch] = []
    for turn in texts.explanation.turns:
        first = len(turn.path) + 1
        if turn.key:  # futile drops and other mating checks are comments on the key
            comments += [(first, text) for text in (*texts.futile(turn), *texts.others(turn))]
        for found in texts.tries_shown(turn):
            told = ((first + 1, texts.try_text(turn, found)),)
            branches.append(Branch(first, (found.check, found.answer), told))
        for variation, text in zip(turn.variations, texts.variations(turn), strict=True):
            line = (variation.answers[0], *variation.line)
            branches.append(Branch(first + 1, line, ((first + 1, text),)))
    headers = {**dict(record.headers), **integrity_headers(texts.judgement)}
    return replace(
        record,
        line=texts.explanation.line,
        headers=tuple(headers.items()),
        move_comments=tuple(comments),
        branches=tuple(sorted(branches, key=lambda branch: branch.first)),
    )


# --- a reply tree in words -------------------------------------------------------------------------


def tree_lines(tree: ReplyTree, parsed: ParsedSfen, language: Language) -> list[str]:
    """Return a tree in words, line by line: each turn, its checks, and the answers to the mating ones."""
    writer = MoveWriter(Voice.of(language), parsed, tree.line)

    def say(name: str, **parts: object) -> str:
        return phrase(language, f"tree.{name}", **parts)

    def answers_text(path: tuple[Move, ...], answers: list[AnswerResult]) -> str:
        first = answers[0]
        move = choices_text(writer, path, [answer.move for answer in answers])
        if first.turn is not None:
            where = say("to_turn", turn=first.turn, length=first.length)
        else:
            line = writer.line((*path, first.move, *first.line), len(path) + 1)
            where = say("by_line", line=line, length=first.length)
        if first.take is not None:
            take = writer.move((*path, first.move), first.take)
            return say("futile", answer=move, take=take, where=where)
        return say("best" if first.best else "answer", answer=move, where=where)

    lines = [say("rotated")] if parsed.rotated else []
    if tree.length is not None:
        lines.append(say("head", length=tree.length, line=writer.line(tree.line)))
    else:
        lines.append(say("no_mate" if tree.no_mate else "unresolved"))
    for turn in tree.turns:
        name = "turn" if turn.length else "turn_without_mate" if tree.no_mate else "turn_open"
        lines.append(say(name, id=turn.id, path=writer.line(turn.path) or say("start"), length=turn.length))
        if turn.forbidden is not None:
            lines.append("  " + say("forbidden", drop=writer.move(turn.path, turn.forbidden)))
        elif not turn.checks:
            lines.append("  " + phrase(language, "findings.no_check"))
        for result in turn.checks:
            check, after = writer.move(turn.path, result.check), (*turn.path, result.check)
            if isinstance(result, MatingCheck):
                found = say(result.rank.value, check=check, length=result.length)
                lines.append("  " + (found if result.best else say("mate", mates=found)))
                lines += ["    " + answers_text(after, group) for group in answer_groups(result.answers)]
            elif isinstance(result, FailingCheck):
                answer, moves = writer.move(after, result.answer), moves_text(language, result.within or 0)
                cause = cause_text(result.cause, (*after, result.answer), writer)
                parts = {"manner": answer_manner_text(result, language), "moves": moves, "cause": cause}
                lines.append("  " + say(result.proof.value, check=check, answer=answer, **parts))
            else:
                lines.append("  " + say("open_mates" if result.mates else "open", check=check))
    return lines if tree.complete else [*lines, say("incomplete")]


def answer_groups(answers: tuple[AnswerResult, ...]) -> list[list[AnswerResult]]:
    """Group answers: each alone, but drops on one square with the same continuation; in their order."""
    groups: dict[object, list[AnswerResult]] = {}
    for answer in answers:
        alone = answer.move.drop is None or answer.best or answer.turn is not None
        name = answer.move if alone else (answer.move.target, answer.line, answer.take)
        groups.setdefault(name, []).append(answer)
    return list(groups.values())


def choices_text(writer: MoveWriter, path: tuple[Move, ...], moves: Sequence[Move]) -> str:
    """Return a move after ``path``, or drops of several kinds on one square: ``△２三合（歩・香）``."""
    if len(moves) == 1:
        return writer.move(path, moves[0])
    kinds = [move.drop for move in moves if move.drop is not None]
    names = "・".join(NAME[k] for k in kinds) if writer.words == "ja" else " ".join(map(kind_letter, kinds))
    return phrase(writer.words, "tree.drops", square=writer.square(moves[0].target), kinds=names)


def answer_manner_text(failed: FailingCheck, language: Language) -> str:
    """Return how an answer meets a check: capture, king move, interposition."""
    takes = failed.manner is AnswerManner.MOVES_KING and failed.taken is not None
    name = failed.manner.name.lower() + "_taking" * takes
    taken = "" if failed.taken is None else kind_text(language, failed.taken)
    return phrase(language, f"tree.{name}", piece=kind_text(language, failed.piece), taken=taken)


# --- a reply tree as JSON --------------------------------------------------------------------------


def tree_fields(tree: ReplyTree, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a tree as JSON fields (docs/tree.md), moves in USI in the orientation of the given position."""

    def usi(move: Move) -> str:
        return parsed.outward(move).usi

    def usi_text(line: tuple[Move, ...]) -> str:
        return " ".join(map(usi, line))

    turns = []
    for turn in tree.turns:
        checks: list[dict[str, Any]] = []
        for result in turn.checks:
            fields: dict[str, Any] = {"move": usi(result.check)}
            if isinstance(result, MatingCheck):
                fields |= {"result": "mates", "length": result.length, "rank": result.rank.value}
                fields["answers"] = [
                    _without_none({
                        "move": usi(one.move),
                        "length": one.length,
                        "best": True if one.best else None,
                        "turn": one.turn,
                        "line": usi_text(one.line) or None,
                        "take": None if one.take is None else usi(one.take),
                    })
                    for one in result.answers
                ]  # fmt: skip
            elif isinstance(result, FailingCheck):
                fields |= {"result": "fails", "answer": usi(result.answer), "proof": result.proof.value}
                fields |= _without_none({
                    "within": result.within,
                    "manner": result.manner.name.lower(),
                    "piece": kind_letter(result.piece),
                    "taken": None if result.taken is None else kind_letter(result.taken),
                    "cause": None if result.cause is None else cause_fields(result.cause, parsed),
                })  # fmt: skip
            else:
                fields |= {"result": "open", **({"mates": True} if result.mates else {})}
            checks.append(fields)
        key = None if turn.key is None else usi(turn.key)
        told = {"id": turn.id, "path": usi_text(turn.path), "length": turn.length, "key": key, "checks": checks}
        turns.append(told | ({} if turn.forbidden is None else {"forbidden": usi(turn.forbidden)}))
    return {
        "result": "mate" if tree.length else "no_mate" if tree.no_mate else "unresolved",
        "length": tree.length,
        "line": usi_text(tree.line),
        "complete": tree.complete,
        "turns": turns,
    }


def illegal_tree_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """Return the fields in place of the tree of an illegal start."""
    fields = {"result": "illegal_start", "length": None, "line": "", "complete": False}
    return {**fields, "turns": [], **illegal_start_fields(judgement, parsed)}


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
