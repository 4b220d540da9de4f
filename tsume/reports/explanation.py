# SPDX-License-Identifier: GPL-3.0-or-later
"""An explanation in words, Japanese or English, and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from generator.problem import Problem
from solver.explaining.explanation import (
    ExplainedTurn,
    Explanation,
    FutileDrops,
    OtherMate,
    Proof,
    Try,
    Variation,
)
from solver.judging.findings import CookClass, SecondSolution
from solver.results import Defect, Grade, Judgement
from tsume.formats.english import kind_name
from tsume.formats.game_record import Branch, GameRecord, integrity_headers
from tsume.language.catalogue import Language, phrase
from tsume.language.terms import TERMS
from tsume.language.voice import Voice, moves_text, separator
from tsume.reports.findings import cause_fields, cause_text, illegal_start_fields, try_fields
from tsume.reports.judgement import complete_but_for_text, illegal_start_lines, judgement_fields
from tsume.reports.notation import MoveWriter, kind_text, notation_of, usi_line
from tsume.reports.reply_tree import choices_text
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import Kind, Piece
from tsume_rules.sfen import ParsedSfen, format_hand

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
MOST_TRIES = 4
"""Of the failing checks of a turn, about this many get a line each by default."""


def explanation_lines(
    judgement: Judgement, explanation: Explanation, parsed: ParsedSfen, language: Language, *, every_try: bool
) -> list[str]:
    """An explanation in words, line by line; with ``every_try`` each check that fails has its line."""
    text = ExplanationText(judgement, explanation, parsed, language, every_try)
    return [*text.head(), *(line for turn in explanation.turns for line in text.turn(turn)), *text.end()]


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
        return MoveWriter(self.parsed, self.explanation.line, notation_of(self.language), self.language)

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"explanation.{name}", **parts)

    # --- the problem as a whole -----------------------------------------------------

    def head(self) -> Iterator[str]:
        """The lines about the problem as a whole: length, line, verdict."""
        if self.parsed.rotated:
            yield self._phrase("rotated")
        if self.judgement.length is not None:
            line = self._writer.line(self.explanation.line)
            yield self._phrase("head", length=self.judgement.length, line=line)
        elif Defect.NO_MATE in self.judgement.defects:
            yield self._phrase("no_mate")
        is_sound = self.judgement.grade is Grade.SOUND
        if is_sound:
            yield self._phrase("sound")
        elif self.judgement.correct:
            yield self._phrase("correct")
        yield from illegal_start_lines(self.judgement, self.parsed, self.language)
        said = ("NO_MATE", "ILLEGAL_START")
        defects = [self._defect(name) for name in self.judgement.defects.names if name not in said]
        if defects and not is_sound:
            yield self._phrase("not_correct", defects=separator(self.language).join(defects))
        if not self.judgement.complete and self.judgement.length is not None:
            yield self._phrase("stopped")
        if self.judgement.blemishes and self.judgement.grade is not Grade.UNSOUND:
            yield self._phrase("blemishes", blemishes=self._blemishes())
        if text := complete_but_for_text(self.judgement, Voice.of(self.language)):
            yield text + ("。" if self.language == "ja" else ".")
        if self.judgement.unresolved or not (self.judgement.settled or self.judgement.defects):
            yield self._phrase("unresolved")

    def _blemishes(self) -> str:
        names = self.judgement.blemishes.blemish_names
        if self.language == "ja":
            return "、".join(TERMS[name] for name in names)
        return ", ".join(f"{name.lower().replace('_', ' ')} {TERMS[name]}" for name in names)

    def _defect(self, name: str) -> str:
        return TERMS[name] if self.language == "ja" else f"{phrase('en', f'terms.{name}')} {TERMS[name]}"

    def end(self) -> Iterator[str]:
        """A last line if a limit cut the explanation short."""
        if not self.explanation.complete:
            yield self._phrase("incomplete")

    # --- one turn -------------------------------------------------------------------

    def turn(self, turn: ExplainedTurn) -> Iterator[str]:
        """The lines about one turn: its key, then a line for each answer and each check."""
        number = len(turn.path) + 1
        if turn.key is None:
            yield self._phrase("start")
        else:
            yield self._phrase("turn", number=number, key=self._writer.move(turn.path, turn.key))
        items = [*self.variations(turn), *self.futile(turn), *self._causes(turn)]
        if turn.length == 1 and not items:
            items.append(self._phrase("final"))
        items += self.others(turn)
        if turn.forbidden is not None:
            items.append(self._phrase("forbidden", drop=self._writer.move(turn.path, turn.forbidden)))
        items += self._tries(turn)
        if turn.key is None and not items and self.explanation.complete:
            items.append(self._phrase("without_check"))
        yield from (f"  {item}" for item in items)

    def variations(self, turn: ExplainedTurn) -> Iterator[str]:
        """A sentence for each variation, in their order."""
        for text in self.variation_texts(turn):
            yield self._phrase(
                "variation",
                answers=text.answers,
                line=" ".join(text.moves),
                total=text.total,
                remarks=text.remarks,
            )

    def variation_texts(self, turn: ExplainedTurn) -> Iterator[VariationText]:
        """The parts of these sentences."""
        path = (*turn.path, *_key(turn))
        for variation in turn.variations:
            total = len(path) + 1 + variation.length
            remarks = [self._phrase("as_long")] * (total == len(turn.path) + (turn.length or 0))
            remarks += [self._phrase("leftover")] * bool(variation.leftover)
            remarks += [self._phrase("counter_check")] * variation.counter_check
            line = (*path, variation.answers[0], *variation.line)
            yield VariationText(
                answers=choices_text(self._writer, path, variation.answers, self.language),
                moves=self._writer.texts(line, len(path) + 1),
                total=total,
                remarks=self._in_brackets(remarks),
            )

    def futile(self, turn: ExplainedTurn) -> Iterator[str]:
        """At most one sentence, on the futile interpositions."""
        path = (*turn.path, *_key(turn))
        if turn.futile:
            drops = [self._futile_drop(path, futile) for futile in turn.futile]
            yield self._phrase("futile", drops=separator(self.language).join(drops))

    def _futile_drop(self, path: tuple[Move, ...], futile: FutileDrops) -> str:
        take = self._writer.move((*path, futile.drops[0]), futile.take)
        square = self._writer.notation.square(futile.drops[0].target)
        return self._phrase("futile_drop", square=square, take=take)

    def _causes(self, turn: ExplainedTurn) -> Iterator[str]:
        """What decides that the key is mate."""
        path = (*turn.path, *_key(turn))
        for cause in turn.causes:
            board = position_after_all(self.parsed.position, path).board
            square = self._writer.notation.square
            pieces = [square(sq) + kind_text(self.language, _kind(board[sq])) for sq in cause.squares]
            if self.language == "en":
                pieces = [f"the {kind_name(_kind(board[sq]))} on {square(sq)}" for sq in cause.squares]
            yield self._phrase(cause.kind.value, pieces=separator(self.language).join(pieces))

    def _in_brackets(self, remarks: list[str]) -> str:
        if not remarks:
            return ""
        return f"（{'、'.join(remarks)}）" if self.language == "ja" else f" ({', '.join(remarks)})"

    def others(self, turn: ExplainedTurn) -> Iterator[str]:
        """The other checks that mate; those of one kind and length share a line."""
        groups: dict[tuple[str, int], list[Move]] = {}
        for other in turn.others:
            total = len(turn.path) + (other.length or 0)
            groups.setdefault((self._way(turn, other), total), []).append(other.check)
        for (name, total), checks in sorted(groups.items(), key=lambda item: item[0][1]):
            moves = moves_text(self.language, total)
            yield self._phrase(name, checks=self._writer.moves(turn.path, checks), total=total, moves=moves)

    def _way(self, turn: ExplainedTurn, other: OtherMate) -> str:
        """The name of the phrase for another mate: an alternative last move, a second solution of a class.

        If the judge did not examine everything, a check that it does not name is a cook only if it mates as
        soon and is no other form of the key.
        """
        if turn.length == 1 and turn.path:
            return "mates_somehow" if other.length is None else "last_move" if other.length == 1 else "longer"
        found = (one for one in self.judgement.findings if isinstance(one, SecondSolution))
        same = [one for one in found if (one.line[: one.turn], one.check) == (turn.path, other.check)]
        if any(one.of is Defect.DETOUR for one in same):
            return "detour"
        if any(_is_form(one, self.judgement.length or 0) for one in same):
            return "form"
        kinds = [one.kind for one in same if one.kind is not None]
        if name := next((_NAMES_OF_CLASSES[kind] for kind in kinds if kind in _NAMES_OF_CLASSES), None):
            return name
        if other.length is None:
            return "mates_somehow"
        if same or self.judgement.complete:
            return "cook"
        return "cook" if other.length == turn.length and not _is_alike(turn, other) else "mates_too"

    def _tries(self, turn: ExplainedTurn) -> Iterator[str]:
        shown = self.tries_shown(turn)
        yield from (self.try_text(turn, one) for one in shown)
        rest = turn.tries[len(shown) :]
        if shown and rest:
            checks = self._writer.moves(turn.path, (one.check for one in rest))
            yield self._phrase("more_tries", checks=checks)

    def tries_shown(self, turn: ExplainedTurn) -> tuple[Try, ...]:
        """The failing checks with a line each; none at the last of several moves, unless all are shown."""
        tries = turn.tries
        if turn.length == 1 and turn.path and not self.every_try:
            return ()
        if self.every_try or len(tries) <= MOST_TRIES + 1:
            return tries
        return tries[: max(MOST_TRIES, sum(one.proof is Proof.BOUNDED for one in tries))]

    def try_text(self, turn: ExplainedTurn, found: Try) -> str:
        """The sentence on why a check fails."""
        path = (*turn.path, found.check, found.answer)
        return self._phrase(
            found.proof.value,
            check=self._writer.move(turn.path, found.check),
            answer=self._writer.move(path[:-1], found.answer),
            only=self._phrase("only") if found.only else "",
            moves=moves_text(self.language, found.within or 0),
            cause=cause_text(found.cause, path, self._writer),
        )


def explanation_text(problem: Problem, explanation: Explanation, language: Language) -> ExplanationText:
    """The sentences about a problem that was judged before."""
    return ExplanationText(
        problem.judgement, explanation, ParsedSfen(problem.position), language, every_try=False
    )


def _is_form(found: SecondSolution, length: int) -> bool:
    """Whether a second solution is a blemish of form (非限定), and no cook."""
    blemish = found.kind and found.kind.blemish(length, same_check=found.same_check)
    return found.of is Defect.UNDETERMINED_FORM or blemish is Defect.UNDETERMINED_FORM


def _is_alike(turn: ExplainedTurn, other: OtherMate) -> bool:
    """Whether another mate moves the piece of the key or drops one of its kind."""
    key, check = turn.key, other.check
    return key is not None and (key.origin, key.drop) == (check.origin, check.drop)


def _kind(piece: Piece | None) -> Kind:
    assert piece is not None
    return piece.kind


def _key(turn: ExplainedTurn) -> tuple[Move, ...]:
    return () if turn.key is None else (turn.key,)


# --- JSON -----------------------------------------------------------------------------------------


def judged_explanation_fields(
    judgement: Judgement, explanation: Explanation, parsed: ParsedSfen
) -> dict[str, Any]:
    """The main fields of a judgement, and an explanation, as JSON fields."""
    judged = judgement_fields(judgement, parsed)
    return {
        **{name: judged[name] for name in _OF_THE_JUDGEMENT},
        **illegal_start_fields(judgement, parsed),
        **explanation_fields(explanation, parsed),
    }


def explanation_fields(explanation: Explanation, parsed: ParsedSfen) -> dict[str, Any]:
    """An explanation as JSON fields, moves in USI in the orientation of the given position."""
    return {
        "complete": explanation.complete,
        "turns": [_turn_fields(turn, parsed) for turn in explanation.turns],
    }


def _turn_fields(turn: ExplainedTurn, parsed: ParsedSfen) -> dict[str, Any]:
    return {
        "turn": len(turn.path) + 1,
        "path": usi_line(parsed, turn.path),
        "length": turn.length,
        "key": None if turn.key is None else parsed.outward(turn.key).usi,
        "variations": [_variation_fields(turn, one, parsed) for one in turn.variations],
        "futile": [
            {"drops": usi_line(parsed, one.drops), "take": parsed.outward(one.take).usi}
            for one in turn.futile
        ],
        "forbidden": None if turn.forbidden is None else parsed.outward(turn.forbidden).usi,
        "causes": [cause_fields(one, parsed) for one in turn.causes],
        "tries": [try_fields(one, parsed) for one in turn.tries],
        "others": [{"check": parsed.outward(one.check).usi, "length": one.length} for one in turn.others],
    }


def _variation_fields(turn: ExplainedTurn, variation: Variation, parsed: ParsedSfen) -> dict[str, Any]:
    return {
        "answers": usi_line(parsed, variation.answers),
        "line": usi_line(parsed, variation.line),
        "length": variation.length,
        "total": len(turn.path) + 2 + variation.length,
        "leftover": format_hand(variation.leftover),
        "counter_check": variation.counter_check,
    }


# ---------------------------------------------------------------------------------------------------
#
# An explanation as a game record: how each answer mates and why checks fail, as variations with comments.


def annotated_record(record: GameRecord, texts: ExplanationText) -> GameRecord:
    """The record with the explained line as its main line, and the explanation as its variations."""
    turns = texts.explanation.turns
    headers = {**dict(record.headers), **integrity_headers(texts.judgement)}
    comments = [
        (len(turn.path) + 1, text) for turn in turns if turn.key for text in _turn_remarks(texts, turn)
    ]
    branches = [branch for turn in turns for branch in _turn_branches(texts, turn)]
    return replace(
        record,
        line=texts.explanation.line,
        headers=tuple(headers.items()),
        move_comments=tuple(comments),
        branches=tuple(sorted(branches, key=lambda branch: branch.first)),
    )


def _turn_remarks(texts: ExplanationText, turn: ExplainedTurn) -> Iterator[str]:
    """The comments on the key of a turn: futile drops and other mating checks."""
    yield from texts.futile(turn)
    yield from texts.others(turn)


def _turn_branches(texts: ExplanationText, turn: ExplainedTurn) -> Iterator[Branch]:
    """The checks that fail instead of the key, the answers to the key."""
    first = len(turn.path) + 1
    for found in texts.tries_shown(turn):
        comments = ((first + 1, texts.try_text(turn, found)),)
        yield Branch(first, (found.check, found.answer), comments)
    for variation, text in zip(turn.variations, texts.variations(turn), strict=True):
        line = (variation.answers[0], *variation.line)
        yield Branch(first + 1, line, ((first + 1, text),))
