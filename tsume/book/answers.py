# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a problem in one language: line, variations, tries, themes, comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from db.stored_problem import StoredProblem
from solver.explaining.explanation import AnswerResult, Fails, Mates, Proof, ReplyTree, TreeTurn
from tsume.diagrams.look import number_text
from tsume.formats.symbols import stars_text
from tsume.language.catalogue import Language, phrase
from tsume.language.terms import TERMS
from tsume.language.voice import separator, theme_name
from tsume.reports.notation import MoveWriter, notation_of
from tsume.reports.reply_tree import answer_groups, choices_text, manner_text
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

# --- the variations and tries along the line of a problem, in one language -------------------------

MOST_VARIATIONS, MOST_VARIATIONS_A_TURN = 5, 2
MOST_TRIES, MOST_TRIES_A_TURN = 4, 2
MOST_VARIATIONS_IN_BRIEF, MOST_TRIES_IN_BRIEF = 2, 2
"""The most variations and tries in a booklet."""


@dataclass(frozen=True)
class LineCommentary:
    """Variations and tries along a line; ``tree`` has its turns. A ``brief`` one has fewer of them."""

    position: Position
    line: tuple[Move, ...]
    tree: ReplyTree
    language: Language
    brief: bool = False

    def parts(self) -> list[tuple[str, list[str]]]:
        """Each part: the name of its phrase and its texts."""
        return [("variations", [text for _, text in self._variations()]), ("tries", list(self._tries()))]

    @property
    def _writer(self) -> MoveWriter:
        return MoveWriter(ParsedSfen(self.position), self.line, notation_of(self.language))

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"book.{name}", **parts)

    # --- variations -------------------------------------------------------------------------------

    def _variations(self) -> list[tuple[int, str]]:
        """The longest variations of each turn of the line, in the order of the turns."""
        found: list[tuple[int, int, str]] = []
        for path, turn in self._turns():
            before = (*path, self.line[len(path)])
            groups = [
                (len(before) + 1 + answers[0].length, self._variation(before, answers))
                for answers in _other_answers(_key_of(turn))
            ]
            groups.sort(key=lambda one: -one[0])
            found += [(total, len(path), text) for total, text in groups[:MOST_VARIATIONS_A_TURN]]
        longest = sorted(found, key=lambda one: (-one[0], one[1]))
        longest = longest[: MOST_VARIATIONS_IN_BRIEF if self.brief else MOST_VARIATIONS]
        return [(turn, text) for _, turn, text in sorted(longest, key=lambda one: one[1])]

    def _variation(self, before: tuple[Move, ...], answers: list[AnswerResult]) -> str:
        first = answers[0]
        whole = (*before, first.move, *first.line)
        return self._phrase(
            "variation",
            number=len(before) + 1,
            answer=choices_text(self._writer, before, [one.move for one in answers], self.language),
            line=self._writer.line(whole, len(before) + 1),
            total=len(whole),
        )

    def _turns(self) -> Iterator[tuple[tuple[Move, ...], TreeTurn]]:
        """The attacker's turns on the problem's line, as far as the tree follows it, each with its path."""
        line, turn = self.line, self.tree.turns[0]
        for ply in range(0, len(line), 2):
            if turn.key != line[ply]:
                return
            yield line[:ply], turn
            key = _key_of(turn)
            best = key.best if key else None
            if best is None or best.turn is None or line[ply + 1 : ply + 2] != (best.move,):
                return
            turn = self.tree.turns[best.turn]

    # --- tries ------------------------------------------------------------------------------------

    def _tries(self) -> Iterator[str]:
        told, most = 0, MOST_TRIES_IN_BRIEF if self.brief else MOST_TRIES
        for path, turn in self._turns():
            failing = [
                one for one in turn.checks if isinstance(one, Fails) and one.proof is not Proof.BOUNDED
            ]
            failing.sort(key=_try_plainness)
            shown = failing[: min(MOST_TRIES_A_TURN, most - told)]
            told += len(shown)
            yield from (self._try(path, failed) for failed in shown)

    def _try(self, path: tuple[Move, ...], failed: Fails) -> str:
        return self._phrase(
            failed.proof.value,
            number=len(path) + 1,
            check=self._writer.move(path, failed.check),
            answer=self._writer.move((*path, failed.check), failed.answer),
            manner=manner_text(failed, self.language),
        )


def _try_plainness(failed: Fails) -> tuple[bool, bool]:
    """A sort key: tries that end the checks or lose the checking piece come last."""
    return failed.proof is Proof.NO_CHECK, failed.taken is not None


def _other_answers(key: Mates | None) -> list[list[AnswerResult]]:
    """The answers to a check that are neither the best nor futile, drops that one line meets together."""
    others = tuple(one for one in key.answers if not one.best and one.take is None) if key else ()
    return answer_groups(others)


def _key_of(turn: TreeTurn) -> Mates | None:
    return next((one for one in turn.checks if isinstance(one, Mates) and one.check == turn.key), None)


# --- the answer of a problem in one language -------------------------------------------------------


@dataclass(frozen=True)
class BookletAnswer:
    """The answer of a problem in one language; ``tree`` may be missing.

    A ``brief`` one has fewer variations and tries. With ``wide_digits`` Japanese numbers below ten are
    full-width, as print has them.
    """

    problem: StoredProblem
    tree: ReplyTree | None
    language: Language
    brief: bool = False
    wide_digits: bool = True

    def fields(self) -> dict[str, Any]:
        """The answer as the pages take it."""
        return {
            "lang": self.language,
            "line": self._line(),
            "parts": [
                {"label": phrase(self.language, f"book.{name}"), "items": items}
                for name, items in self._parts()
                if items
            ],
        }

    def _line(self) -> str:
        moves = self._writer.line(self.problem.line)
        length = self.problem.length
        written = number_text(length, self.language) if self.wide_digits else str(length)
        return self._phrase("line", moves=moves, length=written)

    def _parts(self) -> Iterator[tuple[str, list[str]]]:
        if self.tree is not None:
            problem = self.problem
            yield from LineCommentary(
                problem.position, problem.line, self.tree, self.language, self.brief
            ).parts()
        yield "blemishes", self._blemishes()
        yield "themes", self._listed([theme_name(self.language, tag) for tag in self.problem.themes])
        yield "difficulty", [self._difficulty()]
        yield "comment", self.problem.notebook.notes.splitlines()
        yield "source", [text for text in (self.problem.notebook.source,) if text]

    @property
    def _writer(self) -> MoveWriter:
        parsed = ParsedSfen(self.problem.position)
        return MoveWriter(parsed, self.problem.line, notation_of(self.language))

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"book.{name}", **parts)

    # --- the rest ---------------------------------------------------------------------------------

    def _blemishes(self) -> list[str]:
        names = self.problem.blemishes.blemish_names
        if self.language == "ja":
            return self._listed([TERMS[name] for name in names])
        return self._listed([name.lower().replace("_", " ") for name in names])

    def _listed(self, names: list[str]) -> list[str]:
        """Names as one item, or none."""
        return [separator(self.language).join(names)] if names else []

    def _difficulty(self) -> str:
        difficulty = self.problem.difficulty
        return f"{stars_text(difficulty.stars)} {difficulty.score:.1f}"
