# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of a booklet: answers, options, the data and pictures of its pages, the parts in which it is set."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import lcm
from typing import Any, Literal

from db.stored_problem import StoredProblem
from solver.explaining.explanation import FailingCheck, Proof, ReplyTree
from tsume.collection import SOURCE
from tsume.diagrams.glyphs import MISSING, has_glyph
from tsume.diagrams.look import DiagramLook, first_and_last_scene, mate_caption, number_text, picture_description
from tsume.diagrams.svg import svg
from tsume.language.catalogue import Language, Voice, difficulty_text, list_separator, phrase, theme_name
from tsume.language.terms import TERMS
from tsume.reports.explanation import Remark, answer_groups, answer_manner_text, choices_text, comment_text
from tsume.reports.notation import MoveWriter
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

# --- the variations and tries along the line of a problem, in one language -------------------------

MAX_VARIATIONS, MAX_VARIATIONS_A_TURN = 5, 2
MAX_TRIES, MAX_TRIES_A_TURN = 4, 2
MAX_VARIATIONS_IN_BRIEF, MAX_TRIES_IN_BRIEF = 2, 2
"""The most variations and tries in a booklet."""


def line_commentary(
    position: Position, line: tuple[Move, ...], tree: ReplyTree, language: Language, *, brief: bool = False
) -> list[tuple[str, list[str]]]:
    """Return the variations and tries along a line: the name of the phrase of each part and its texts.

    ``tree`` has the attacker's turns. If ``brief``, there are fewer of them.
    """
    writer = MoveWriter(Voice.of(language), ParsedSfen(position), line)
    variations: list[tuple[int, int, str]] = []  # with the plies of each and the index of its turn
    tries: list[str] = []
    most_tries = MAX_TRIES_IN_BRIEF if brief else MAX_TRIES
    for ply, turn in zip(range(0, len(line), 2), tree.line_turns(), strict=False):
        if line[: ply + 1] != tree.line[: ply + 1]:
            break
        path, before, number = line[:ply], line[: ply + 1], ply + 2
        of_turn: list[tuple[int, int, str]] = []
        key = turn.key_check
        others = tuple(one for one in key.answers if not one.best and one.take is None) if key else ()
        for answers in answer_groups(others):  # neither the best nor futile; drops that one line meets together
            whole = (*before, answers[0].move, *answers[0].line)
            choices = choices_text(writer, before, [one.move for one in answers])
            told = {"number": number, "answer": choices, "line": writer.line(whole, number), "total": len(whole)}
            text = phrase(language, "book.variation", **told)
            of_turn.append((number + answers[0].length, ply, text))
        of_turn.sort(key=lambda one: -one[0])
        variations += of_turn[:MAX_VARIATIONS_A_TURN]
        failing = [one for one in turn.checks if isinstance(one, FailingCheck) and one.proof is not Proof.BOUNDED]
        # Tries that end the checks or lose the checking piece come last.
        failing.sort(key=lambda one: (one.proof is Proof.NO_CHECK, one.taken is not None))
        for failed in failing[: min(MAX_TRIES_A_TURN, most_tries - len(tries))]:
            check, answer = writer.move(path, failed.check), writer.move((*path, failed.check), failed.answer)
            parts = {
                "number": ply + 1,
                "check": check,
                "answer": answer,
                "manner": answer_manner_text(failed, language),
            }
            tries.append(phrase(language, f"book.{failed.proof.value}", **parts))
    longest = sorted(variations, key=lambda one: (-one[0], one[1]))
    longest = longest[: MAX_VARIATIONS_IN_BRIEF if brief else MAX_VARIATIONS]
    shown = [text for _, _, text in sorted(longest, key=lambda one: one[1])]
    return [("variations", shown), ("tries", tries)]


# --- the answer of a problem in one language -------------------------------------------------------


def booklet_answer(
    problem: StoredProblem, tree: ReplyTree | None, language: Language, remarks: Sequence[Remark] = (), *,
    brief: bool = False, wide_digits: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Return the answer of a problem in one language, as pages take it; ``tree`` may be missing.

    The comment is made of ``remarks``, then the problem's notes. A ``brief`` answer has fewer variations and tries.
    With ``wide_digits`` Japanese numbers below ten are full-width, as print has them.
    """

    def listed(names: list[str]) -> list[str]:
        return [list_separator(language).join(names)] if names else []

    writer = MoveWriter(Voice.of(language), ParsedSfen(problem.position), problem.line)
    length = number_text(problem.length, language) if wide_digits else str(problem.length)
    comment = [comment_text(remarks, problem.position, language)] if remarks else []
    parts: list[tuple[str, list[str]]] = []
    if tree is not None:
        parts += line_commentary(problem.position, problem.line, tree, language, brief=brief)
    names, difficulty, source = problem.blemishes.blemish_names, problem.difficulty, problem.notebook.source
    blemishes = [TERMS[name] if language == "ja" else name.lower().replace("_", " ") for name in names]
    parts += [
        ("blemishes", listed(blemishes)),
        ("themes", listed([theme_name(language, tag) for tag in problem.themes])),
        ("difficulty", [difficulty_text(language, difficulty.scale_fields(problem.length), problem.length)]),
        ("comment", [*comment, *problem.notebook.notes.splitlines()]),
        ("source", [phrase(language, "book.collection") if source == SOURCE else source] if source else []),
    ]
    return {
        "lang": language,
        "line": phrase(language, "book.line", moves=writer.line(problem.line), length=length),
        "parts": [{"label": phrase(language, f"book.{name}"), "items": items} for name, items in parts if items],
    }


# --- the options of a booklet ----------------------------------------------------------------------

Paper = Literal["a5", "a4"]
PAPERS: tuple[Paper, ...] = ("a5", "a4")
PER_PAGE = (1, 2, 4, 6)
"""The possible numbers of problems on a page."""
_MANY = 4
Answers = Literal["back", "reverse"]
ANSWERS: tuple[Answers, ...] = ("back", "reverse")
"""The place of the answers: at the end, or on the reverse of each page."""


@dataclass(frozen=True)
class BookletOptions:
    """Paper, problems on a page, place of the answers, languages, title page, style of the diagrams.

    ``title`` may be empty: then the booklet has the usual one. ``languages`` are those of all text, in this order.
    """

    paper: Paper = "a5"
    per_page: int = 2
    answers: Answers = "back"
    languages: tuple[Language, ...] = ("ja",)
    title: str = ""
    author: str = ""
    look: DiagramLook = DiagramLook()  # noqa: RUF009

    @property
    def is_crowded(self) -> bool:
        """Whether the answers of many problems share one page."""
        return self.answers == "reverse" and self.per_page >= _MANY


# --- printable characters: PDF/UA needs a glyph for each one ---------------------------------------

_LATIN = range(0x20, 0x250)
"""The Latin font has these."""


def printable_data(data: Any) -> tuple[Any, set[str]]:
    """Return data as of JSON with 〓 for characters without a glyph, and these characters."""
    missing: set[str] = set()

    def printed(value: Any) -> Any:
        if isinstance(value, str):
            text = unicodedata.normalize("NFC", value)
            latin = {one for one in text if ord(one) in _LATIN and one.isprintable()}
            lost = {one for one in text if one not in latin and not has_glyph(one)}
            missing.update(lost)
            return "".join(MISSING if one in lost else one for one in text)
        if isinstance(value, list):
            return [printed(one) for one in value]
        if isinstance(value, dict):
            return {name: printed(one) for name, one in value.items()}
        return value

    return printed(data), missing


# --- the content of a booklet ----------------------------------------------------------------------


@dataclass(frozen=True)
class Content:
    """``data`` is what the pages say, ready for JSON.

    ``missing`` are the characters that cannot be printed: 〓 replaces them.
    """

    data: dict[str, Any]
    missing: frozenset[str] = frozenset()


def booklet_content(
    problems: Iterable[tuple[StoredProblem, ReplyTree | None, Sequence[Remark]]],
    options: BookletOptions,
    made_by: str,
    number: int,
    save_picture: Callable[[str, str], object],
) -> Content:
    """Return a booklet of ``number`` problems sorted by length: numbered, with a section for each length.

    Each comes with its tree, if there is one, and the remarks of its comment.

    ``save_picture`` receives the file name and the SVG of each diagram; neither trees nor pictures stay in
    memory. ``made_by`` names the program and its version. Raises ValueError if there are no problems.
    """
    if not number:
        raise ValueError("a booklet needs problems")
    by_theme: dict[str, list[int]] = {}
    sections = []
    numbered = enumerate(problems, start=1)
    for length, found in groupby(numbered, key=lambda one: one[1][0].length):
        entries = []
        for at, (problem, tree, remarks) in found:
            for tag in problem.themes:
                by_theme.setdefault(tag, []).append(at)
            entries.append(_problem_fields(at, problem, tree, remarks, options, save_picture))
        title = " ".join(mate_caption(length, language) for language in options.languages)
        sections.append({"title": title, "mark": f"section-{length}", "problems": entries})
    named = [
        (" ".join(theme_name(language, tag) for language in options.languages), numbers)
        for tag, numbers in by_theme.items()
    ]
    data = {
        "paper": options.paper,
        "per_page": options.per_page,
        "answers": options.answers,
        "crowded": options.is_crowded,
        "lang": options.languages[0],
        "title": options.title or _phrase_in_each_language(options, "title"),
        "author": options.author,
        "subtitle": _phrase_in_each_language(options, "subtitle", number=number),
        "contents_title": _phrase_in_each_language(options, "contents"),
        "answers_title": _phrase_in_each_language(options, "answers"),
        "themes_title": _phrase_in_each_language(options, "index"),
        "made_by": _phrase_in_each_language(options, "made_by", program=made_by),
        "sections": sections,
        "themes": [{"name": name, "numbers": numbers} for name, numbers in sorted(named)],
    }
    printed, missing = printable_data(data)
    return Content(printed, frozenset(missing))


def _problem_fields(
    number: int,
    problem: StoredProblem,
    tree: ReplyTree | None,
    remarks: Sequence[Remark],
    options: BookletOptions,
    save_picture: Callable[[str, str], object],
) -> dict[str, Any]:
    """Return a problem as the pages take it; its diagrams are saved."""
    first, length = options.languages[0], problem.length
    heads = []
    for language in options.languages:
        name = phrase(language, "book.number", number=number_text(number, language))
        heads.append(f"{name}　{mate_caption(length, language)}")
    names, words = (f"p{number}.svg", f"e{number}.svg"), []
    scenes = first_and_last_scene(problem.position, problem.line)
    for file, alt, scene in zip(names, ("alt", "final_alt"), scenes, strict=True):
        save_picture(file, svg(scene, options.look))
        head = phrase(first, f"book.{alt}", number=number_text(number, first), caption=mate_caption(length, first))
        words.append(head + picture_description(scene, first, defender_hand=options.look.defender_hand))
    return {
        "number": number,
        "heads": heads,
        "title": problem.notebook.title,
        "author": problem.notebook.author,
        "picture": names[0],
        "alt": words[0],
        "final": names[1],
        "final_alt": words[1],
        "final_caption": _phrase_in_each_language(options, "final"),
        "answers": [
            booklet_answer(problem, tree, language, remarks, brief=options.is_crowded) for language in options.languages
        ],
    }


def _phrase_in_each_language(options: BookletOptions, name: str, **parts: str | int) -> str:
    """Return a phrase in the languages of a booklet, one after the other."""
    texts = []
    for language in options.languages:
        written = {
            key: number_text(value, language) if isinstance(value, int) else value for key, value in parts.items()
        }
        texts.append(phrase(language, f"book.{name}", **written))
    return " ".join(dict.fromkeys(texts))


# --- the parts of a booklet, each set alone so that memory does not grow with the number of problems ---

_PROBLEMS_A_PART = 4 * lcm(*PER_PAGE)
"""A part holds about so many problems: a multiple of every number of problems on a page."""


@dataclass(frozen=True)
class Bookmark:
    """An entry of the document's outline; ``mark`` names its destination."""

    level: int
    title: str
    mark: str
    in_contents: bool = False


def booklet_parts(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the parts after the front, in their order, of the data of `tsume.book.content.Content`.

    Each has pages of one kind (``part``) and ``sections``: a title, its mark, whether it ``begins`` here, and
    its problems. A part ``begins`` if it starts with a heading of the first level.
    """
    chunks: list[list[dict[str, Any]]] = [[]]
    for section in data["sections"]:
        problems = section["problems"]
        for start in range(0, len(problems), _PROBLEMS_A_PART):
            piece = problems[start : start + _PROBLEMS_A_PART]
            if chunks[-1] and sum(len(one["problems"]) for one in chunks[-1]) + len(piece) > _PROBLEMS_A_PART:
                chunks.append([])
            chunks[-1].append({**section, "begins": start == 0, "problems": piece})
    parts = [{"part": "problems", "sections": chunk, "begins": chunk[0]["begins"]} for chunk in chunks]
    if data["answers"] == "back":
        for number, chunk in enumerate(chunks):
            sections = [{**section, "mark": _answers_mark(section)} for section in chunk]
            parts.append({"part": "answers", "sections": sections, "begins": not number})
    return [*parts, {"part": "index", "sections": [], "begins": True}] if data["themes"] else parts


def bookmarks(data: Mapping[str, Any]) -> Iterator[Bookmark]:
    """Yield the outline of the whole booklet, in the order of its pages."""
    yield Bookmark(1, data["contents_title"], "contents")
    answers_follow = data["answers"] == "reverse"
    for section in data["sections"]:
        yield Bookmark(1, section["title"], section["mark"], in_contents=True)
        yield from _section_bookmarks(section, 2, "problem", *(["answer"] if answers_follow else []))
    if not answers_follow:
        yield Bookmark(1, data["answers_title"], "answers", in_contents=True)
        for section in data["sections"]:
            yield Bookmark(2, section["title"], _answers_mark(section), in_contents=True)
            yield from _section_bookmarks(section, 3, "answer")
    if data["themes"]:
        yield Bookmark(1, data["themes_title"], "themes", in_contents=True)


def _section_bookmarks(section: Mapping[str, Any], level: int, *kinds: str) -> Iterator[Bookmark]:
    for problem in section["problems"]:
        for kind in kinds:
            yield Bookmark(level, " ".join(problem["heads"]), f"{kind}-{problem['number']}")


def _answers_mark(section: Mapping[str, Any]) -> str:
    return f"answers-{section['mark']}"
