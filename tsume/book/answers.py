# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a problem in one language: line, variations, tries, themes, comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from db.stored_problem import StoredProblem
from solver.explaining.explanation import Fails, Mates, Proof, ReplyTree, TreeTurn
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

MAX_VARIATIONS, MAX_VARIATIONS_A_TURN = 5, 2
MAX_TRIES, MAX_TRIES_A_TURN = 4, 2
MAX_VARIATIONS_IN_BRIEF, MAX_TRIES_IN_BRIEF = 2, 2
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
        """Return each part: the name of its phrase and its texts."""
        variations: list[tuple[int, int, str]] = []  # with the plies of each and the index of its turn
        tries: list[str] = []
        most_tries = MAX_TRIES_IN_BRIEF if self.brief else MAX_TRIES
        for path, turn in self._turns():
            before = (*path, self.line[len(path)])
            number, key, of_turn = len(before) + 1, _key_of(turn), []
            others = tuple(one for one in key.answers if not one.best and one.take is None) if key else ()
            for answers in answer_groups(others):  # neither the best nor futile; drops that one line meets together
                whole = (*before, answers[0].move, *answers[0].line)
                choices = choices_text(self._writer, before, [one.move for one in answers], self.language)
                line = self._writer.line(whole, number)
                text = self._phrase("variation", number=number, answer=choices, line=line, total=len(whole))
                of_turn.append((number + answers[0].length, len(path), text))
            of_turn.sort(key=lambda one: -one[0])
            variations += of_turn[:MAX_VARIATIONS_A_TURN]
            failing = [one for one in turn.checks if isinstance(one, Fails) and one.proof is not Proof.BOUNDED]
            # Tries that end the checks or lose the checking piece come last.
            failing.sort(key=lambda one: (one.proof is Proof.NO_CHECK, one.taken is not None))
            for failed in failing[: min(MAX_TRIES_A_TURN, most_tries - len(tries))]:
                check = self._writer.move(path, failed.check)
                answer = self._writer.move((*path, failed.check), failed.answer)
                manner = manner_text(failed, self.language)
                tries.append(
                    self._phrase(failed.proof.value, number=len(path) + 1, check=check, answer=answer, manner=manner)
                )
        longest = sorted(variations, key=lambda one: (-one[0], one[1]))
        longest = longest[: MAX_VARIATIONS_IN_BRIEF if self.brief else MAX_VARIATIONS]
        shown = [text for _, _, text in sorted(longest, key=lambda one: one[1])]
        return [("variations", shown), ("tries", tries)]

    @property
    def _writer(self) -> MoveWriter:
        return MoveWriter(ParsedSfen(self.position), self.line, notation_of(self.language))

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"book.{name}", **parts)

    def _turns(self) -> Iterator[tuple[tuple[Move, ...], TreeTurn]]:
        """Yield the attacker's turns on the line, as far as the tree follows it, each with its path."""
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
        """Return the answer as the pages take it."""
        problem, language = self.problem, self.language
        writer = MoveWriter(ParsedSfen(problem.position), problem.line, notation_of(language))
        length = number_text(problem.length, language) if self.wide_digits else str(problem.length)
        line = phrase(language, "book.line", moves=writer.line(problem.line), length=length)
        parts: list[tuple[str, list[str]]] = []
        if self.tree is not None:
            parts += LineCommentary(problem.position, problem.line, self.tree, language, self.brief).parts()
        names = problem.blemishes.blemish_names
        blemishes = [TERMS[name] if language == "ja" else name.lower().replace("_", " ") for name in names]
        parts.append(("blemishes", self._listed(blemishes)))
        parts.append(("themes", self._listed([theme_name(language, tag) for tag in problem.themes])))
        difficulty = problem.difficulty
        parts.append(("difficulty", [f"{stars_text(difficulty.stars)} {difficulty.score:.1f}"]))
        parts.append(("comment", problem.notebook.notes.splitlines()))
        parts.append(("source", [problem.notebook.source] if problem.notebook.source else []))
        labelled = [{"label": phrase(language, f"book.{name}"), "items": items} for name, items in parts if items]
        return {"lang": language, "line": line, "parts": labelled}

    def _listed(self, names: list[str]) -> list[str]:
        return [separator(self.language).join(names)] if names else []
